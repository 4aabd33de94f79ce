//! The style of Mixamo.

use super::super::body::Body;
use super::super::rig::{Rig, RigJoint};
use super::{Names, find, insert, joints};
use retarget::internals::math::{Axis, Quat};
use retarget::internals::rig::{Role, Side};

use Axis::{X, Y, Z};

/// As Mixamo: prefixed names, a joint at the crown and at each toe tip.
pub fn mixamo(body: &Body) -> Rig {
    let names = Names {
        sides: ["Left", "Right"],
        hips: "mixamorig:Hips",
        spine: ["mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2"],
        neck: "mixamorig:Neck",
        head: "mixamorig:Head",
        arm: ["mixamorig:{}Shoulder", "mixamorig:{}Arm", "mixamorig:{}ForeArm", "mixamorig:{}Hand"],
        leg: ["mixamorig:{}UpLeg", "mixamorig:{}Leg", "mixamorig:{}Foot", "mixamorig:{}ToeBase"],
    };
    let axes = [Z, Y, X];
    let mut joints = joints(body, &names, axes);
    for (role, name) in [
        (Role::Head, "mixamorig:HeadTop_End"),
        (Role::Toe(Side::Left), "mixamorig:LeftToe_End"),
        (Role::Toe(Side::Right), "mixamorig:RightToe_End"),
    ] {
        let parent = find(&joints, role);
        let place = joints[parent].ends.remove(0).expect("the bone has an end");
        let end = RigJoint {
            name: name.to_owned(),
            parent: Some(parent),
            role,
            place,
            frame: Quat::identity(),
            axes,
            ends: vec![None],
        };
        insert(&mut joints, parent + 1, end);
    }
    Rig {
        folder: "mixamo_style",
        about: "as Mixamo: prefixed names, centimetres, Y up, T as zero pose, \
                30 frames a second",
        motions: &["walk", "jump"],
        units: 100.0,
        world: Quat::identity(),
        frame_time: "0.033333",
        root_offset: body.place(Role::Hips) * 100.0,
        joints,
    }
}
