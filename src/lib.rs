//! Carries motion capture from any skeleton onto another one.
//!
//! Data runs one way: [`clip::Clip`] in, [`clip::Clip`] out; `docs/ARCHITECTURE.md` draws the stages
//! and says which module may import which. A conversion, from file to file:
//!
//! ```
//! use retarget::convert::{self, bvh_bytes};
//! use retarget::rig::RigFile;
//! use retarget::settings::Settings;
//! use std::path::Path;
//!
//! # fn main() -> Result<(), retarget::error::Error> {
//! let path = Path::new("samples/walk.bvh");
//! let source = convert::load_clip(path)?;
//! let target = convert::load_rig(Path::new("samples/skeletons/hero.toml"))?;
//! let settings = Settings::default();
//! let done = convert::convert(&source, RigFile::default(), &target, &settings)?;
//! assert_eq!(done.result.len(), source.clip.len());
//! assert!(done.report.plant_drift_cm.value < 0.05);
//! let bytes = bvh_bytes(&done.result, &settings);
//! assert!(bytes.starts_with(b"HIERARCHY"));
//! # Ok(())
//! # }
//! ```
//!
//! The stages alone, for who brings clips and skeletons of their own: [`rig::recognise_clip`] finds the
//! parts that joints play, [`rig::Rig::new`] the stance and the feet; [`contact::detect`] when they stand;
//! [`binding::Binding::new`] puts two rigs in step, [`plant::PlantPlan`] says where feet and body are to be.
//! Then frame by frame [`transfer::Transfer`] carries the motion over, the plan solves it, [`report::Ruler`]
//! measures it. [`live::Retargeter`] does all of it for a stream of poses of which no more is known. [`ik`] stands on its own.

#![forbid(unsafe_code)]
// What only the other modules use of `ik` is there without them as well.
#![cfg_attr(not(feature = "retargeting"), allow(dead_code, unused_imports))]

// The program names the library as every user of it does.
#[cfg(feature = "cli")]
extern crate self as retarget;

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
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
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
#[cfg(feature = "fbx")]
pub mod fbx;
#[cfg(feature = "retargeting")]
pub mod gltf;
pub mod ik;
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
