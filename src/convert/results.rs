//! Results as the bytes of files of every format.

use super::packing::is_bvh_name;
use super::{Conversion, LengthUnit, LoadedRig, NewAnimation};
use crate::arrays::{self, Mask, Shape};
use crate::bvh;
use crate::clip::Clip;
use crate::error::Error;
use crate::formats::{
    Made, NewFile, ends_in, is_arrays_name, listed, made, made_as, plain_endings,
};
use crate::settings::Settings;
use std::path::Path;

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
        match &self.character {
            Some(character) if character.writes(path) => {
                character.with_animation(result, &self.rig.roles, animation)
            }
            _ if is_bvh_name(path) => Ok(result.bvh_bytes(&Settings::default())),
            _ if is_arrays_name(path) => Ok(array_bytes(path, result, None, &self.shape)),
            _ => match made_as(path) {
                Some(made) => new_bytes(made, path, result, self),
                None => Err(other_format(path, self)),
            },
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
    let fits = is_bvh_name(path)
        || target.character.as_deref().is_some_and(|character| character.writes(path))
        || is_arrays_name(path)
        || made_as(path).is_some();
    if fits { Ok(()) } else { Err(other_format(path, target)) }
}

/// That no result of this name can be made of the target.
fn other_format(path: &Path, target: &LoadedRig) -> Error {
    let wanted = target.character.as_deref().map_or_else(
        || listed(plain_endings().chain(made().map(|made| made.end))),
        |character| character.endings(),
    );
    Error::OtherFormat { path: path.to_owned(), target: target.path.clone(), wanted }
}

/// The endings of the results of a character whose own file is given back under these.
pub(super) fn endings_of_character(own: &[&'static str]) -> String {
    let made = made().filter(|made| made.suits_characters).map(|made| made.end);
    listed(own.iter().copied().chain(made).chain(plain_endings()))
}

/// A result as the bytes of a file that is made anew of it. A character's lengths are metres. A BVH file does not say
/// its unit: it is guessed by the legs of the target, and centimetres are taken where they say nothing. `path` is for
/// messages alone.
fn new_bytes(
    made: &Made,
    path: &Path,
    result: &Clip,
    target: &LoadedRig,
) -> Result<Vec<u8>, Error> {
    let guessed = LengthUnit::of(&target.rig).unwrap_or(LengthUnit::Centimetre);
    let new = NewFile {
        clip: result,
        target: &target.rig,
        guessed_unit_m: guessed.metres(),
        stated_unit_m: target.character.as_ref().map(|_| 1.0),
    };
    (made.make)(&new).map_err(|source| Error::Unwritable { path: path.to_owned(), source })
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
