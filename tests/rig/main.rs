//! What is known of a rig: roles, stance, `skeleton.toml`.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/doubtful.rs"]
mod doubtful;
#[path = "../common/equivalent.rs"]
mod equivalent;
#[path = "../common/listed.rs"]
mod listed;
#[path = "../common/rewrite.rs"]
mod rewrite;
#[path = "../common/rigs.rs"]
mod rigs;

mod doubt;
mod ends;
mod evidence;
#[cfg(feature = "fbx")]
mod fbx;
mod feet;
mod lock;
mod pelvis;
mod recognise;
mod recognise_motion;
mod skeleton_toml;
mod stance_hidden;
