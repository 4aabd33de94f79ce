//! Results as the bytes of files of every format.

use super::packing::is_bvh_name;
use super::{Conversion, LengthUnit, LoadedRig, NewAnimation};
use crate::arrays::{self, Mask, Shape};
use crate::bvh;
use crate::clip::Clip;
use crate::error::Error;
use crate::formats::gltf::{self, GltfSettings};
use crate::formats::{ends_in, is_arrays_name, listed, plain_endings};
use crate::rig::Rig;
use crate::settings::Settings;
use std::path::Path;

/// How the names of results end that are made anew of any target: of its bones, and of its humanoid.
const BONES: &str = ".glb";
const HUMANOID: &str = ".vrma";

impl LoadedRig {
    /// A result of this target as the bytes of a file, by the ending of `path`: the target's own file with an
    /// `animation` more where that is a character of the same format; `.bvh`, with six decimals; `.npz` or `.npy`;
    /// `.vrma` for any VRM avatar; or `.glb` with bones alone. Nothing is written to `path`.
    ///
    /// `result` must have the target's skeleton. Lengths are metres in `.glb` and `.vrma`, the result's own elsewhere.
    /// Refuses other endings, and an animation whose name the character's file has already unless it is to be replaced.
    pub fn result_bytes(
        &self,
        path: impl AsRef<Path>,
        result: &Clip,
        animation: NewAnimation,
    ) -> Result<Vec<u8>, Error> {
        let path = path.as_ref();
        refuse_format(path, self)?;
        match &self.character {
            Some(character) if character.writes(path) => {
                character.with_animation(result, &self.rig.roles, animation)
            }
            _ if is_bvh_name(path) => Ok(result.bvh_bytes(&Settings::default())),
            _ if is_arrays_name(path) => Ok(array_bytes(path, result, None, &self.shape)),
            _ if ends_in(path, BONES) => glb_bytes(path, result, &self.rig),
            _ => vrma_bytes(path, result, self),
        }
    }
}

/// As [`LoadedRig::result_bytes`], of all that is known of a conversion: arrays have its contacts beside them.
pub fn made_bytes(
    path: &Path,
    result: &Clip,
    conversion: &Conversion<()>,
    target: &LoadedRig,
    animation: NewAnimation,
) -> Result<Vec<u8>, Error> {
    if !is_arrays_name(path) {
        return target.result_bytes(path, result, animation);
    }
    let masks = conversion.contacts.masks(&conversion.binding.source);
    Ok(array_bytes(path, result, Some(&masks), &target.shape))
}

/// A clip as the bytes of a file of arrays: `.npy` with its positions alone, or `.npz` with all of it.
pub fn array_bytes(path: &Path, clip: &Clip, contacts: Option<&[Mask]>, shape: &Shape) -> Vec<u8> {
    match ends_in(path, ".npy") {
        true => arrays::written_points(clip),
        false => arrays::written(clip, contacts, shape),
    }
}

/// Refuses a result that cannot be made of the target, by its name.
pub fn refuse_format(path: &Path, target: &LoadedRig) -> Result<(), Error> {
    let character = target.character.as_deref();
    let fits = is_bvh_name(path)
        || character.is_some_and(|character| character.writes(path))
        || is_arrays_name(path)
        || [BONES, HUMANOID].iter().any(|end| ends_in(path, end));
    if fits {
        return Ok(());
    }
    let wanted = character.map_or_else(
        || listed(plain_endings().chain([BONES, HUMANOID])),
        |character| character.endings(),
    );
    let (path, target) = (path.to_owned(), target.path.clone());
    Err(Error::OtherFormat { path, target, wanted })
}

/// The endings of the results of a character whose own file is given back under these. Bones alone are no result that
/// it is advised to have.
pub(super) fn endings_of_character(own: &[&'static str]) -> String {
    listed(own.iter().copied().chain([HUMANOID]).chain(plain_endings()))
}

/// A result as the bytes of a binary glTF file, in metres with Y up. A BVH file does not say its unit: it is
/// guessed by the legs of the `target` that it was made for, and centimetres are taken where they say nothing.
/// `path` is for messages alone.
pub fn glb_bytes(path: &Path, result: &Clip, target: &Rig) -> Result<Vec<u8>, Error> {
    let unit = LengthUnit::of(target).unwrap_or(LengthUnit::Centimetre);
    let settings = GltfSettings { up: target.up, unit_m: unit.metres() };
    gltf::write_glb(result, &settings)
        .map_err(|source| Error::Gltf { path: path.to_owned(), source })
}

/// A result as the bytes of a humanoid clip of VRM. Lengths are metres of a character, and of any other target as
/// [`glb_bytes`] guesses them.
fn vrma_bytes(path: &Path, result: &Clip, target: &LoadedRig) -> Result<Vec<u8>, Error> {
    let unit_m = match target.character {
        Some(_) => 1.0,
        None => LengthUnit::of(&target.rig).unwrap_or(LengthUnit::Centimetre).metres(),
    };
    gltf::write_vrma(result, &target.rig, unit_m)
        .map_err(|source| Error::Gltf { path: path.to_owned(), source })
}

impl Clip {
    /// The clip as the bytes of a BVH file, in its own length unit, with the [decimals](Settings::write) of the
    /// settings; angles are degrees. Equal clips give equal bytes. Time and memory grow with frames times joints.
    pub fn bvh_bytes(&self, settings: &Settings) -> Vec<u8> {
        let mut bytes = Vec::new();
        bvh::write(self, &settings.write, &mut bytes).expect("memory takes everything");
        bytes
    }
}
