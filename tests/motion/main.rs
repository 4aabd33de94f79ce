//! Motion that is retargeted, contacts and planting.

#[path = "../common/bodies.rs"]
mod bodies;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/counting.rs"]
mod counting;
#[path = "../common/equivalent.rs"]
mod equivalent;
#[path = "../../examples/make_samples/generator/mod.rs"]
mod generator;
#[path = "../common/gestures.rs"]
mod gestures;
#[path = "../common/glb.rs"]
mod glb;
#[path = "../../examples/results/plain.rs"]
mod plain_bodies;
#[path = "../common/rewrite.rs"]
mod rewrite;
#[path = "../common/rigid.rs"]
mod rigid;
#[path = "../common/strange_motions.rs"]
mod strange_motions;
#[path = "../common/strangers.rs"]
mod strangers;
#[path = "../common/trembling.rs"]
mod trembling;
#[path = "../common/writings.rs"]
mod writings;

mod animals;
mod below_floor;
mod characters;
mod contact_scenes;
mod contact_truth;
mod deep;
mod edits;
mod frames_no_alloc;
mod front;
mod handover;
mod hinged_arms;
mod hip_line;
mod in_place;
mod kneel;
mod laws_bodies;
mod laws_cut;
mod laws_equivalent;
mod laws_hands;
mod laws_kin;
mod laws_rewrite;
mod laws_world;
mod lean;
mod limits;
mod live;
mod long_feet;
mod mocap_pairs;
mod mocap_plant;
mod mocap_quirks;
mod mocap_retarget;
mod no_length;
mod pelvis_tilt;
mod performances;
mod positions;
mod samples;
mod strange_motion_laws;
mod stranger_laws;
mod swing_phase;
mod touch;
mod trembling_clips;
