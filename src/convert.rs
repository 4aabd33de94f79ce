//! The way from files to a result: the only place that knows the order of the stages.
//!
//! ```
//! use retarget::internals::convert;
//! use retarget::{LoadedRig, RigFile, Settings, SourceClip};
//!
//! let source = SourceClip::load("samples/walk.bvh")?;
//! let target = LoadedRig::load("samples/skeletons/hero.toml")?;
//! let done = convert::convert(&source, RigFile::default(), &target, &Settings::default())?;
//! assert_eq!(done.result.len(), source.clip.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod character;
mod check;
mod contacts;
mod doubt;
mod explain;
mod files;
mod inspect;
mod looks;
mod nodes;
mod packing;
mod pass;
mod reading;
mod results;
mod rigs;
mod skinned;
mod synced;
mod tree;
mod unit;
mod whole;

pub use body::{likeliest_rig, lock, lock_text, meaning_text, source_rig};
pub use character::{Appending, Character, NewAnimation};
pub use check::{Check, OtherWay, check, check_frames, check_target};
pub use contacts::LoadedContacts;
pub use doubt::doubts;
pub use explain::{Explanation, FootStory, HandStory, HeldStory, LeanStory, LimitOrigin, explain};
pub use files::{is_rig_file, open, read_bytes, read_raw, read_stream, read_text, unpacked};
pub use inspect::{Inspection, inspect, inspect_rig_file, inspect_target};
pub use looks::{Looks, Mesh, looks};
pub use nodes::{AnimationTracks, Native, NodeFile};
pub use packing::{
    MOST_BYTES, Packing, is_bvh_name, is_plain, unpack_within, unpacked_len, unpacked_name,
};
pub use pass::Planned;
pub use reading::{Reading, load_as, load_take, may_be_arrays, read_as, read_take};
pub use results::{array_bytes, made_bytes, refuse_format};
pub use rigs::{
    in_written, load_rig_as, load_rig_with, read_rig_file, read_source_file, read_written,
    with_asked_scale,
};
pub use skinned::Skinned;
pub use tree::read_tree;
pub use unit::LengthUnit;
pub use whole::{clear_left, is_device, refuse_input, write_owned, write_whole, write_whole_with};

use crate::arrays::Shape;
use crate::binding::Binding;
use crate::bvh::Repair;
use crate::clip::Clip;
use crate::contact::{self, ContactTrack, FootPaths};
use crate::edit;
use crate::error::Error;
use crate::plant::PlantOutcome;
use crate::report::Report;
use crate::rig::{Recognised, Rig, RigFile, Scale};
use crate::settings::Settings;
use crate::skeleton::JointId;
use body::{check_fit, check_lengths, recognise_in, source_body};
use doubt::{assumptions, check_doubt, check_stances};
use rigs::beside;
use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A clip that was read, with the file it came from.
#[derive(Clone, Debug)]
#[deny(missing_docs)]
pub struct SourceClip {
    /// As the user named it, or what messages call it.
    pub path: PathBuf,
    /// Its joints and frames.
    pub clip: Clip,
    /// What had to be repaired in the file, and was.
    pub repaired: Vec<Repair>,
    /// What a user states of when its feet stand and its hands and knees carry weight; `None` where all of it is to be
    /// found.
    pub contacts: Option<LoadedContacts>,
    /// What the file's format itself says of its skeleton.
    pub native: Native,
    /// What was taken for granted as it was read, a sentence each.
    pub notes: Vec<String>,
}

impl SourceClip {
    /// A clip of joints and frames of your own; `path` is what messages call it.
    pub fn new(path: impl Into<PathBuf>, clip: Clip) -> Self {
        let (repaired, contacts, native) = (Vec::new(), None, Native::default());
        Self { path: path.into(), clip, repaired, contacts, native, notes: Vec::new() }
    }

    /// How many frames the file announces or begins, but does not hold.
    pub fn missing_frames(&self) -> u64 {
        // One repair tells of the row that another one counts.
        self.repaired.iter().map(Repair::missing_frames).max().unwrap_or_default()
    }
}

/// A rig with what was written of it and how it was recognised.
#[derive(Clone, Debug)]
#[deny(missing_docs)]
pub struct LoadedRig {
    /// The file that describes it.
    pub path: PathBuf,
    /// The skeleton with its roles, stance and feet.
    pub rig: Rig,
    /// How its roles were found.
    pub recognised: Recognised,
    /// What its `skeleton.toml` says, or nothing of a rig from any other file.
    pub file: RigFile,
    /// The height on which it stands along its up axis, length units: as written, else 0.
    pub floor: f64,
    /// What had to be repaired in its BVH file, and was.
    pub repaired: Vec<Repair>,
    /// What was taken for granted as it was read, a sentence each.
    pub notes: Vec<String>,
    /// What `.npz` results say of the body's shape where the rig has the joints of an SMPL model: that of the file that
    /// the rig was read from, else the mean one.
    pub shape: Shape,
    /// The character's file, which [`result_bytes`](Self::result_bytes) gives back with an animation more; `None`
    /// unless the rig came from a file of nodes, such as glTF or FBX.
    pub character: Option<Arc<Character>>,
}

impl LoadedRig {
    /// The files that the rig was read from: that at `path`, and the one that a `skeleton.toml` names as `bvh`.
    pub fn files(&self) -> Vec<PathBuf> {
        let skeleton = self.file.bvh.as_deref().map(|bvh| beside(&self.path, bvh));
        std::iter::once(self.path.clone()).chain(skeleton).collect()
    }
}

/// A clip transferred onto another rig. `Result` is the target's motion; `()` where the frames were written as they
/// were made.
#[derive(Clone, Debug)]
#[deny(missing_docs)]
pub struct Conversion<Result = Clip> {
    /// The target's motion, with as many frames as the source and the same frame time.
    pub result: Result,
    /// Both rigs, and how one follows the other.
    pub binding: Binding,
    /// How the source's roles were found.
    pub recognised: Recognised,
    /// When the source's feet stand, and when its hands and knees carry weight.
    pub contacts: ContactTrack,
    /// What planting did, and which goals were missed.
    pub plant: PlantOutcome,
    /// What was measured of the result.
    pub report: Report,
    /// What was made of the source's frames before they were transferred, and what nothing tells of either rig, a
    /// sentence each.
    pub notes: Vec<String>,
}

impl<Result> Conversion<Result> {
    /// The result, and apart from it all else that is known of the conversion, with `()` in its place.
    pub fn apart(self) -> (Result, Conversion<()>) {
        let Self { result, binding, recognised, contacts, plant, report, notes } = self;
        (result, Conversion { result: (), binding, recognised, contacts, plant, report, notes })
    }
}

/// A stage of a conversion, for a user who waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    Recognise,
    Plan,
    Transfer,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stage::Recognise => "recognising the source's rig and its contacts",
            Stage::Plan => "finding where the feet are to stand",
            Stage::Transfer => "transferring the motion",
        })
    }
}

/// Retargets a clip: recognises its rig, finds contacts, binds, plans, and then transfers, plants and measures frame by
/// frame.
///
/// `written` is what the user said of the source's rig; [`RigFile::default`] says nothing. The result has the target's
/// skeleton, its length unit and up axis, and the source's frames. Equal arguments give equal bytes, on any number of
/// threads. Time and memory grow with frames times joints. The whole result is in memory; [`plan`] does without.
///
/// Refuses a clip without frames, or whose legs have another length than its skeleton says; a source whose joints are
/// not recognised; rigs that have too little in common, or are in doubt unless that is
/// [accepted](Settings::accept_doubt); a repaired file under [strict](Settings::strict) settings; and what `written`,
/// the [stated contacts](SourceClip::contacts) or the [root motion](Settings::root_motion) say that does not fit.
pub fn convert(
    source: &SourceClip,
    written: RigFile,
    target: &LoadedRig,
    settings: &Settings,
) -> Result<Conversion, Error> {
    Ok(plan(source, written, target, settings, &mut |_| ())?.collected())
}

/// All stages before the frames: recognise, find contacts, bind and plan. After them nothing but writing can fail.
/// `watch` is called as each stage begins.
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
    watch(Stage::Transfer);
    Ok(planned)
}

/// A clip and its target before anything is transferred.
struct Bound<'a> {
    clip: Cow<'a, Clip>,
    binding: Binding,
    recognised: Recognised,
    feet: FootPaths,
    contacts: ContactTrack,
    /// The joint that is to carry the travel, where that is not the hips.
    root: Option<JointId>,
    /// The uppermost joint of a character's pelvis, where that is not the hips.
    pelvis_top: Option<JointId>,
    /// The poses apart from the motion, each a clip of one frame, with their frames. In `clip` the motion goes on there.
    apart: Vec<(usize, Clip)>,
    /// What was made of the clip's frames, and what nothing tells of either rig, a sentence each.
    notes: Vec<String>,
}

/// The clip with its stray frames taken from between the frames beside them, and the sentence that says so: a frame
/// whose body is somewhere else for a moment would pull the feet of all frames around it.
fn without_strays(clip: Cow<Clip>) -> (Cow<Clip>, Option<String>) {
    let strays = edit::stray_frames(&clip);
    let [first, more @ ..] = &strays[..] else { return (clip, None) };
    let are = match more.len() {
        0 => format!("frame {first} is"),
        1 => format!("frames {first} and {} are", more[0]),
        count => format!("frame {first} and {count} others are"),
    };
    let note = format!(
        "{are} far from the frames before and after, which agree, and taken from between them"
    );
    (Cow::Owned(edit::without_strays(&clip, &strays)), Some(note))
}

/// The clip with the poses apart from its motion replaced by what the frames beside them lead to, these poses with their
/// frames, and the sentence that says so: nothing leads from a rest pose into the motion after it.
fn without_poses_apart(clip: Cow<Clip>) -> (Cow<Clip>, Vec<(usize, Clip)>, Option<String>) {
    let apart = edit::poses_apart(&clip);
    let are = match apart[..] {
        [] => return (clip, Vec::new(), None),
        [0] => "the first frame is a pose apart from the motion, and is",
        [_] => "the last frame is a pose apart from the motion, and is",
        _ => "the first and the last frame are poses apart from the motion, and are",
    };
    let note = format!("{are} transferred without planting and not measured");
    let poses = apart.iter().map(|&frame| (frame, edit::part(&clip, frame, frame + 1, 1)));
    let poses = poses.collect();
    (Cow::Owned(edit::without_strays(&clip, &apart)), poses, Some(note))
}

fn refuse_repaired(path: &Path, repaired: &[Repair]) -> Result<(), Error> {
    match repaired.first() {
        Some(first) => Err(Error::Repaired { path: path.to_owned(), first: first.clone() }),
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
        refuse_repaired(&source.path, &source.repaired)?;
        refuse_repaired(&target.path, &target.repaired)?;
    }
    let (loaded, clip) = source_body(source, written, settings.accept_doubt)?;
    let (clip, stray) = without_strays(clip);
    let (clip, apart, set_apart) = without_poses_apart(clip);
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
    let mut binding = between(&source.path, loaded.rig, target, settings)?;
    if !settings.accept_doubt {
        check_stances([&source.path, &target.path], &binding)?;
    }
    if !settings.keep_floor {
        binding.put_floor(contacts.floor_height, target.floor);
    }
    if settings.face_forward && !clip.is_empty() {
        binding.face_forward(&clip.pose(0));
    }
    let root = root_joint(target, settings)?;
    let worn = &binding.target.worn;
    let pelvis_top = edit::pelvis_top(&binding.target, root, |joint| worn.contains(&joint));
    let recognised = loaded.recognised;
    let assumed = assumptions([&source.path, &target.path], &binding);
    let notes = stray.into_iter().chain(set_apart).chain(assumed).collect();
    Ok(Bound { clip, binding, recognised, feet, contacts, root, pelvis_top, apart, notes })
}

impl Binding {
    /// Binds two rigs for a [`Retargeter`](crate::live::Retargeter) or the stages alone. Refuses a pair that lacks what
    /// a transfer needs, as [`new`](Self::new) does.
    ///
    /// Of the settings it follows the scale and [`keep_floor`](Settings::keep_floor). Where the scale is [`Scale::Leg`]
    /// and the target's file asks for another one, it takes that. Unless the floor is kept it puts the source's
    /// [floor](LoadedRig::floor) onto the target's. It does not turn the motion to
    /// [`face_forward`](Self::face_forward).
    ///
    /// ```
    /// use retarget::{Binding, LoadedRig, Settings};
    ///
    /// let source = LoadedRig::load("samples/walk.bvh")?;
    /// let target = LoadedRig::load("samples/skeletons/hero.toml")?;
    /// let binding = Binding::between(&source, &target, &Settings::default())?;
    /// assert!((binding.scale - target.rig.leg_len / source.rig.leg_len).abs() < 1e-12);
    /// # Ok::<(), retarget::Error>(())
    /// ```
    pub fn between(
        source: &LoadedRig,
        target: &LoadedRig,
        settings: &Settings,
    ) -> Result<Self, Error> {
        let mut binding = between(&source.path, source.rig.clone(), target, settings)?;
        if !settings.keep_floor {
            binding.put_floor(source.floor, target.floor);
        }
        Ok(binding)
    }
}

/// Binds a rig of the file `path` to a target, by its file's scale where the settings say nothing else.
fn between(
    path: &Path,
    source: Rig,
    target: &LoadedRig,
    settings: &Settings,
) -> Result<Binding, Error> {
    let mut binding_settings = settings.binding;
    if let (Scale::Leg, Some(scale)) = (binding_settings.scale, target.file.scale) {
        binding_settings.scale = scale;
    }
    Binding::new(source, target.rig.clone(), &binding_settings).map_err(|error| Error::Binding {
        source_name: path.display().to_string(),
        target_name: target.path.display().to_string(),
        source: error,
    })
}

/// The joint of the target that is to carry the travel by the settings; `None` where the hips do.
pub fn root_joint(target: &LoadedRig, settings: &Settings) -> Result<Option<JointId>, Error> {
    let found = settings.root_motion.as_ref().map(|wanted| edit::root_joint(&target.rig, wanted));
    found
        .transpose()
        .map(Option::flatten)
        .map_err(|source| Error::RootMotion { path: target.path.clone(), source })
}
