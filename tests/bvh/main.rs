//! The BVH format, both ways.

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "bvh_anim")]
mod anim;
mod mocap;
mod parts;
mod properties;
mod read;
mod refused;
mod rows;
mod texts;
mod write;
