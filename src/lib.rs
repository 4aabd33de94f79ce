//! Retargets motion capture from any skeleton onto another one, and keeps planted feet planted.
//!
//! A [`SourceClip`] and a [`LoadedRig`] come from a file or its bytes, or from joints and frames of your own
//! ([`Skeleton`], [`Clip`], [`SourceClip::new`]). [`convert`](fn@convert) retargets a whole clip:
//!
//! ```
//! use retarget::{LoadedRig, RigFile, Settings, SourceClip, convert};
//!
//! # fn main() -> Result<(), retarget::Error> {
//! let source = SourceClip::load("samples/walk.bvh")?;
//! let target = LoadedRig::load("samples/skeletons/hero.toml")?;
//! let settings = Settings::default();
//! // What is not known of the source's rig is recognised.
//! let done = convert(&source, RigFile::default(), &target, &settings)?;
//! assert!(done.report.plant_drift_cm.value < 0.05);
//! assert!(done.contacts.contacts.len() > 2);
//! // Frame by frame, joint by joint, in the target's length unit.
//! let positions = done.result.world_positions();
//! assert_eq!(positions.len(), done.result.len() * target.rig.skeleton.len());
//! let bytes = done.result.bvh_bytes(&settings);
//! assert!(bytes.starts_with(b"HIERARCHY"));
//! # Ok(())
//! # }
//! ```
//!
//! A [`Retargeter`] does the same one frame at a time, for editors and live streams, by a [`Binding`] of two rigs.
//! [`Report`] has what is measured of every result, [`Report::measures`] each [`Measure`] with its name and limit;
//! [`ContactTrack`] has when feet stand, which [`LoadedContacts`] state. [`LoadedRig::result_bytes`] makes files of
//! every format.
//! Fields of [`Settings`] are set one by one, and of some there is a choice: [`FootPlants`], [`Scale`], [`RootMotion`].
//! [`ik`] solves chains and trees of any joints, and needs nothing else of this library (`default-features = false`).
//!
//! Lengths are in the unit of their file, angles are radians, rotations are unit quaternions, times are seconds. A
//! joint's local rotation is relative to its parent; its world rotation is the product down from the root. Everything
//! that reads what others wrote returns an [`Error`], whose text is one sentence with the place and the way out;
//! nothing panics on it.

#![forbid(unsafe_code)]
#![deny(missing_docs)]
// What only the other modules use of `ik` is there without them as well.
#![cfg_attr(not(feature = "retargeting"), allow(dead_code, unused_imports))]

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod ik;

/// The stages of a conversion, each with all that it offers.
///
/// The program, the Python package and the tests are made of these. They may change with every version; what the root
/// of this library names does not, but for a new major one. `docs/ARCHITECTURE.md` draws how they follow each other.
///
/// ```
/// use retarget::internals::contact::{self, ContactSettings};
/// use retarget::{RigFile, SourceClip};
///
/// # fn main() -> Result<(), retarget::Error> {
/// let source = SourceClip::load("samples/walk.bvh")?;
/// let rig = retarget::internals::convert::source_rig(&source, RigFile::default())?.rig;
/// let feet = contact::foot_paths(&source.clip, &rig);
/// let frame_time_s = source.clip.frame_time().seconds();
/// let contacts = contact::detect(&feet, &rig, frame_time_s, &ContactSettings::default());
/// assert!(!contacts.contacts.is_empty());
/// # Ok(())
/// # }
/// ```
// Their files lie beside this one. What the front names of them is documented, which each of those modules sees to.
#[path = "."]
#[allow(missing_docs)]
pub mod internals {
    #[cfg(feature = "retargeting")]
    pub mod arrays;
    #[cfg(feature = "retargeting")]
    pub mod batch;
    #[cfg(feature = "retargeting")]
    pub mod binding;
    #[cfg(feature = "retargeting")]
    pub mod blocks;
    #[cfg(feature = "retargeting")]
    pub mod bvh;
    #[cfg(feature = "retargeting")]
    pub mod clip;
    #[cfg(feature = "retargeting")]
    pub mod contact;
    #[cfg(feature = "retargeting")]
    pub mod convert;
    #[cfg(feature = "retargeting")]
    pub mod edit;
    #[cfg(feature = "retargeting")]
    pub mod error;
    #[cfg(feature = "retargeting")]
    pub mod formats;
    #[cfg(feature = "retargeting")]
    pub mod live;
    pub mod math;
    #[cfg(feature = "retargeting")]
    pub mod plant;
    pub mod pose;
    #[cfg(feature = "retargeting")]
    pub mod positions;
    #[cfg(feature = "retargeting")]
    pub mod report;
    #[cfg(feature = "retargeting")]
    pub mod rig;
    #[cfg(feature = "retargeting")]
    pub mod scene;
    #[cfg(feature = "retargeting")]
    pub mod settings;
    pub mod skeleton;
    #[cfg(feature = "retargeting")]
    pub mod transfer;
}

// Modules name each other from the root.
pub(crate) use internals::*;

#[doc(inline)]
pub use internals::math::{Quat, Vec3};
#[doc(inline)]
pub use internals::pose::{Pose, WorldPose};
#[doc(inline)]
pub use internals::skeleton::{Joint, JointId, Skeleton};
/// The algebra that vectors and rotations are of, in the version in use.
pub use nalgebra;

#[cfg(feature = "retargeting")]
#[doc(inline)]
pub use internals::{
    binding::Binding,
    clip::{Clip, FrameTime},
    contact::{Contact, ContactTrack},
    convert::{Conversion, LoadedContacts, LoadedRig, NewAnimation, SourceClip, convert},
    edit::RootMotion,
    error::Error,
    live::{Retargeter, Stands},
    plant::FootPlants,
    report::{Measure, Report},
    rig::{Rig, RigFile, Role, Scale, UpAxis},
    settings::Settings,
};
