//! The plain style.

use super::super::body::Body;
use super::super::rig::Rig;
use super::{Names, joints};
use retarget::internals::math::{Axis, Quat, Vec3};

use Axis::{X, Y, Z};

/// Plain names, centimetres, Y up, T as zero pose.
pub fn plain(body: &Body) -> Rig {
    let names = Names {
        sides: ["Left", "Right"],
        hips: "Hips",
        spine: ["Spine", "Chest", "UpperChest"],
        neck: "Neck",
        head: "Head",
        arm: ["{}Shoulder", "{}UpperArm", "{}LowerArm", "{}Hand"],
        leg: ["{}UpperLeg", "{}LowerLeg", "{}Foot", "{}Toes"],
    };
    Rig {
        folder: "",
        about: "plain names, centimetres, Y up, T as zero pose, 60 frames a second",
        motions: &["walk", "run", "jump", "turn", "crouch", "stairs", "kneel", "sit"],
        units: 100.0,
        world: Quat::identity(),
        frame_time: "0.016667",
        root_offset: Vec3::zeros(),
        joints: joints(body, &names, [Z, X, Y]),
    }
}
