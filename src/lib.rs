//! Carries motion capture from any skeleton onto another one.
//!
//! Data runs one way: [`clip::Clip`] in, [`clip::Clip`] out; `docs/ARCHITECTURE.md` draws the stages
//! and says which module may import which.

#![forbid(unsafe_code)]

pub mod batch;
pub mod binding;
pub mod bvh;
pub mod clip;
pub mod contact;
pub mod convert;
pub mod error;
pub mod gltf;
pub mod ik;
pub mod math;
pub mod plant;
pub mod pose;
pub mod report;
pub mod rig;
pub mod settings;
pub mod skeleton;
pub mod transfer;
