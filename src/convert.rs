//! The way from files to a result: the only place that knows the order of the stages.

mod body;
mod character;
mod check;
mod contacts;
mod doubt;
mod explain;
mod files;
mod formats;
mod inspect;
mod looks;
mod packing;
mod pass;
mod reading;
mod skinned;
mod synced;
mod unit;
mod whole;

pub use body::{lock, source_rig};
pub use character::{AnimationTracks, Appending, Character, NewAnimation};
pub use check::{Check, check, check_frames, check_target};
pub use contacts::{LoadedContacts, contacts_text, read_contacts};
pub use doubt::doubts;
pub use explain::{Explanation, FootStory, HandStory, HeldStory, KneeStory, LimitOrigin, explain};
pub use files::{MOST_BYTES, open, read_bytes, read_raw, read_stream, read_text, unpacked};
pub use formats::{Native, NodeFile};
pub use inspect::{Inspection, inspect, inspect_rig_file};
pub use looks::{Looks, Mesh, looks};
pub use packing::{
    Packing, RESULT_ENDINGS, is_arrays_name, is_bvh_name, is_plain, is_result_name, other_ending,
    unpack_within, unpacked_len, unpacked_name,
};
pub use pass::Planned;
pub use reading::{
    Reading, load_as, load_clip, load_take, may_be_arrays, read_as, read_clip, read_take,
};
pub use skinned::Skinned;
pub use unit::LengthUnit;
pub use whole::{clear_left, is_device, refuse_input, write_owned, write_whole, write_whole_with};

use crate::arrays;
use crate::binding::Binding;
use crate::bvh::{self, Mend};
use crate::clip::Clip;
use crate::contact::{self, ContactTrack, FootPaths};
use crate::edit;
use crate::error::Error;
use crate::gltf::{self, GltfSettings};
use crate::plant::PlantOutcome;
use crate::report::Report;
use crate::rig::{Recognised, Rig, RigFile, Scale};
use crate::settings::Settings;
use crate::skeleton::JointId;
use body::{ReadBody, check_fit, check_lengths, parse_body, read_body, recognise_in, source_body};
use doubt::check_doubt;
use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A clip that was read, with the file it came from.
#[derive(Clone, Debug)]
pub struct SourceClip {
    /// As the user named it, or what messages call it.
    pub path: PathBuf,
    pub clip: Clip,
    pub mended: Vec<Mend>,
    /// What the user says of when its feet stand.
    pub contacts: Option<LoadedContacts>,
    /// What the file's format itself says of its skeleton.
    pub native: Native,
    /// What was taken for granted as it was read, a sentence each.
    pub notes: Vec<String>,
}

impl SourceClip {
    /// A clip in which nothing had to be mended; `path` is for messages.
    pub fn new(path: impl Into<PathBuf>, clip: Clip) -> Self {
        let (mended, contacts, native) = (Vec::new(), None, Native::default());
        Self { path: path.into(), clip, mended, contacts, native, notes: Vec::new() }
    }

    /// How many frames of the motion are not there though the file announces or begins them.
    pub fn missing_frames(&self) -> u64 {
        // One mend tells of the row that another one counts.
        self.mended.iter().map(Mend::missing_frames).max().unwrap_or_default()
    }
}

/// A rig with what was written of it and how it was recognised.
#[derive(Clone, Debug)]
pub struct LoadedRig {
    /// The file that describes it.
    pub path: PathBuf,
    pub rig: Rig,
    pub recognised: Recognised,
    pub file: RigFile,
    /// The height on which it stands along its up axis, length units: as written, else 0.
    pub floor: f64,
    pub mended: Vec<Mend>,
    /// What was taken for granted as it was read, a sentence each.
    pub notes: Vec<String>,
    /// The character that it is of, where its file is one of nodes.
    pub character: Option<Arc<Character>>,
}

impl LoadedRig {
    /// The files that the rig was read from.
    pub fn files(&self) -> Vec<PathBuf> {
        let skeleton = self.file.bvh.as_deref().map(|bvh| beside(&self.path, bvh));
        std::iter::once(self.path.clone()).chain(skeleton).collect()
    }
}

/// A clip carried onto another rig. `Result` is what became of the result's frames: nothing where they were
/// written as they came.
#[derive(Clone, Debug)]
pub struct Conversion<Result = Clip> {
    pub result: Result,
    pub binding: Binding,
    pub recognised: Recognised,
    pub contacts: ContactTrack,
    pub plant: PlantOutcome,
    pub report: Report,
}

impl<Result> Conversion<Result> {
    /// The result, and all that is known of it.
    pub fn apart(self) -> (Result, Conversion<()>) {
        let Self { result, binding, recognised, contacts, plant, report } = self;
        (result, Conversion { result: (), binding, recognised, contacts, plant, report })
    }
}

/// Reads a `skeleton.toml`.
pub fn read_rig_file(path: &Path) -> Result<RigFile, Error> {
    let text = read_text(path)?;
    RigFile::parse(&text).map_err(|source| Error::RigFile { path: path.to_owned(), source })
}

/// Reads what a user says of a clip's rig. A `skeleton.toml` with `[[joints]]` is a rig in full, to which
/// clips are held; another one must name no file, since the clip has the skeleton, and nothing that
/// only a target needs.
pub fn read_source_file(path: &Path) -> Result<RigFile, Error> {
    let file = read_rig_file(path)?;
    if !file.joints.is_empty() && file.bvh.is_none() {
        return Ok(file);
    }
    let keys = [
        ("bvh", file.bvh.is_some()),
        ("scale", file.scale.is_some()),
        ("floor", file.floor.is_some()),
        ("[limits]", !file.limits.is_empty()),
        ("human_limits", file.human_limits.is_some()),
        ("[weights]", !file.weights.is_empty()),
    ];
    match keys.into_iter().find(|(_, given)| *given) {
        Some((key, _)) => Err(Error::NotOfSource { path: path.to_owned(), key }),
        None => Ok(file),
    }
}

/// Reads what a user says of a clip's rig, if anything.
pub fn read_written(path: Option<&Path>) -> Result<RigFile, Error> {
    path.map_or(Ok(RigFile::default()), read_source_file)
}

/// Whether a file is a `skeleton.toml`, by its name's end.
pub fn is_rig_file(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"))
}

/// Loads a rig from a `skeleton.toml`, or from a BVH file with or without motion.
pub fn load_rig(path: &Path) -> Result<LoadedRig, Error> {
    load_rig_with(path, false)
}

/// As [`load_rig`]; with `accept_doubt` it goes on with the likeliest reading where the evidence for its roles is
/// weak or contradicts itself.
pub fn load_rig_with(path: &Path, accept_doubt: bool) -> Result<LoadedRig, Error> {
    load_rig_as(path, &Reading::default(), accept_doubt)
}

/// As [`load_rig_with`], with what the reader knows of a file of arrays.
pub fn load_rig_as(path: &Path, reading: &Reading, accept_doubt: bool) -> Result<LoadedRig, Error> {
    if !is_rig_file(path) {
        return read_body(path, reading)?.rig(path, RigFile::default(), accept_doubt);
    }
    let file = read_rig_file(path)?;
    let wrong = |source| Error::RigFile { path: path.to_owned(), source };
    if let Some(skeleton) = file.skeleton().map_err(wrong)? {
        return ReadBody::of(skeleton).rig(path, file, accept_doubt);
    }
    let named = beside(path, file.bvh.as_deref().unwrap_or_default());
    let body = read_body(&named, reading).map_err(|error| match error {
        Error::Bvh { .. } | Error::GltfRead { .. } | Error::Scene { .. } => {
            Error::NotRig { path: path.to_owned(), named }
        }
        error => error,
    })?;
    body.rig(path, file, accept_doubt)
}

/// As [`load_rig`], of the bytes of a BVH, glTF or VRM file; `path` is for messages, and for files beside it that it
/// names.
pub fn read_rig(path: &Path, bytes: &[u8]) -> Result<LoadedRig, Error> {
    parse_body(path, bytes, &Reading::default())?.rig(path, RigFile::default(), false)
}

/// A path that a file names, which counts from the file's own folder.
fn beside(path: &Path, named: &str) -> PathBuf {
    path.parent().map_or(PathBuf::from(named), |folder| folder.join(named))
}

/// A stage of a conversion, for a user who waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    Recognise,
    Plan,
    Carry,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stage::Recognise => "recognising the source's rig and its contacts",
            Stage::Plan => "finding where the feet are to stand",
            Stage::Carry => "carrying the motion over",
        })
    }
}

/// Carries a clip onto a target: recognise, find contacts, bind, plan, then carry, plant and measure frame by
/// frame.
///
/// `written` is what the user said of the source's rig. Pure but for its arguments: equal inputs give
/// equal bytes, on any number of threads. [`plan`] does not keep the result in memory.
pub fn convert(
    source: &SourceClip,
    written: RigFile,
    target: &LoadedRig,
    settings: &Settings,
) -> Result<Conversion, Error> {
    Ok(plan(source, written, target, settings, &mut |_| ())?.collected())
}

/// The way to a result up to its frames: recognise, find contacts, bind and plan. After it nothing can fail
/// but the writing. `watch` is called as each stage begins.
pub fn plan<'a>(
    source: &'a SourceClip,
    written: RigFile,
    target: &LoadedRig,
    settings: &Settings,
    watch: &mut dyn FnMut(Stage),
) -> Result<Planned<'a>, Error> {
    watch(Stage::Recognise);
    let bound = bind(source, written, target, settings)?;
    watch(Stage::Plan);
    let planned = Planned::new(bound, settings);
    watch(Stage::Carry);
    Ok(planned)
}

/// A clip and its target before anything is carried over.
struct Bound<'a> {
    clip: Cow<'a, Clip>,
    binding: Binding,
    recognised: Recognised,
    feet: FootPaths,
    contacts: ContactTrack,
    root: Option<JointId>,
}

fn refuse_mended(path: &Path, mended: &[Mend]) -> Result<(), Error> {
    match mended.first() {
        Some(first) => Err(Error::Mended { path: path.to_owned(), first: first.clone() }),
        None => Ok(()),
    }
}

/// Recognises the source's rig, finds its contacts and binds it to the target.
fn bind<'a>(
    source: &'a SourceClip,
    written: RigFile,
    target: &LoadedRig,
    settings: &Settings,
) -> Result<Bound<'a>, Error> {
    if settings.strict {
        refuse_mended(&source.path, &source.mended)?;
        refuse_mended(&target.path, &target.mended)?;
    }
    let (loaded, clip) = source_body(source, written, settings.accept_doubt)?;
    if !settings.accept_doubt {
        check_doubt(&source.path, &loaded.rig)?;
        check_doubt(&target.path, &target.rig)?;
    }
    let frame_time_s = source.clip.frame_time().seconds();
    let feet = contact::foot_paths(&clip, &loaded.rig);
    let mut contacts = contact::detect(&feet, &loaded.rig, frame_time_s, &settings.contact);
    if let Some(LoadedContacts { path, file }) = &source.contacts {
        contacts = file
            .applied(contacts, &feet, &loaded.rig)
            .map_err(|source| Error::Contacts { path: path.clone(), source: Box::new(source) })?;
    }
    let mut binding_settings = settings.binding;
    if let (Scale::Leg, Some(scale)) = (binding_settings.scale, target.file.scale) {
        binding_settings.scale = scale;
    }
    let mut binding =
        Binding::new(loaded.rig, target.rig.clone(), &binding_settings).map_err(|error| {
            Error::Binding {
                source_name: source.path.display().to_string(),
                target_name: target.path.display().to_string(),
                source: error,
            }
        })?;
    if !settings.keep_floor {
        binding.put_floor(contacts.floor_height, target.floor);
    }
    if settings.face_forward && !clip.is_empty() {
        binding.face_forward(&clip.pose(0));
    }
    let root = root_joint(target, settings)?;
    Ok(Bound { clip, binding, recognised: loaded.recognised, feet, contacts, root })
}

/// The joint of the target that is to carry the travel by the settings; `None` where the hips do.
pub fn root_joint(target: &LoadedRig, settings: &Settings) -> Result<Option<JointId>, Error> {
    let found = settings.root_motion.as_ref().map(|wanted| edit::root_joint(&target.rig, wanted));
    found
        .transpose()
        .map(Option::flatten)
        .map_err(|source| Error::RootMotion { path: target.path.clone(), source })
}

/// Once the target is loaded, what is wrong in a rig's file is wrong in what the user wrote of the
/// source in the file `from`, not in the clip that it is about.
pub fn in_written(error: Error, from: Option<&Path>) -> Error {
    match (error, from) {
        (Error::RigFile { source, .. }, Some(from)) => {
            Error::RigFile { path: from.to_owned(), source }
        }
        (error, _) => error,
    }
}

/// The ending of a character's file by its name, which its results share; `None` of any other target's.
pub fn character_ending(target: &Path) -> Option<&'static str> {
    let end = target.extension()?.to_str()?.to_ascii_lowercase();
    ["glb", "gltf", "vrm", "vrma", "fbx"].into_iter().find(|own| *own == end)
}

/// A result as the bytes of a file that is not BVH: the target's own with an `animation` more where that is a
/// character of the same format, else binary glTF of bones. `path` is the result's.
pub fn result_bytes(
    path: &Path,
    result: &Clip,
    target: &LoadedRig,
    animation: NewAnimation,
) -> Result<Vec<u8>, Error> {
    refuse_format(path, target)?;
    match &target.character {
        Some(character) if character.writes(path) => {
            character.with_animation(result, &target.rig.roles, animation)
        }
        _ if is_arrays_name(path) => Ok(arrays::written(result, None)),
        _ if character_ending(path) == Some("glb") => glb_bytes(path, result, &target.rig),
        _ => vrma_bytes(path, result, target),
    }
}

/// As [`result_bytes`], of all that is known of a conversion: arrays have its contacts beside them.
pub fn made_bytes(
    path: &Path,
    result: &Clip,
    conversion: &Conversion<()>,
    target: &LoadedRig,
    animation: NewAnimation,
) -> Result<Vec<u8>, Error> {
    if !is_arrays_name(path) {
        return result_bytes(path, result, target, animation);
    }
    let masks = conversion.contacts.masks(&conversion.binding.source);
    Ok(arrays::written(result, Some(&masks)))
}

/// Refuses a result that cannot be made of the target, by its name.
pub fn refuse_format(path: &Path, target: &LoadedRig) -> Result<(), Error> {
    let character = target.character.as_deref();
    let fits = is_bvh_name(path)
        || character.is_some_and(|character| character.writes(path))
        || is_arrays_name(path)
        || ["glb", "vrma"].map(Some).contains(&character_ending(path));
    let wanted = character.map_or(".bvh, .npz, .glb or .vrma", |character| character.endings());
    let (path, target) = (path.to_owned(), target.path.clone());
    if fits { Ok(()) } else { Err(Error::OtherFormat { path, target, wanted }) }
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

/// A clip as the bytes of a BVH file.
pub fn bvh_bytes(clip: &Clip, settings: &Settings) -> Vec<u8> {
    let mut bytes = Vec::new();
    bvh::write(clip, &settings.write, &mut bytes).expect("memory takes everything");
    bytes
}
