//! The style of LaFAN1.

use super::super::body::Body;
use super::super::rig::Rig;
use super::{Names, joints};
use retarget::internals::math::{Axis, Quat, Vec3, frame_from_axes};
use retarget::internals::rig::Role;

use Axis::{X, Y, Z};

/// As LaFAN1: every bone along +X, so that the zero pose shows nothing of a body.
pub fn lafan(body: &Body) -> Rig {
    let names = Names {
        sides: ["Left", "Right"],
        hips: "Hips",
        spine: ["Spine", "Spine1", "Spine2"],
        neck: "Neck",
        head: "Head",
        arm: ["{}Shoulder", "{}Arm", "{}ForeArm", "{}Hand"],
        leg: ["{}UpLeg", "{}Leg", "{}Foot", "{}Toe"],
    };
    let mut joints = joints(body, &names, [Z, Y, X]);
    for (i, joint) in joints.iter_mut().enumerate() {
        let role = joint.role;
        let bone = match role {
            Role::Hips => Vec3::y(),
            _ => {
                let segment = &body.segments[i];
                let child = body.segments.iter().find(|s| s.parent == Some(i));
                let end = segment.end.or(child.map(|s| s.place)).expect("a bone has an end");
                end - segment.place
            }
        };
        let aside = match role {
            Role::Clavicle(_) | Role::UpperArm(_) | Role::Forearm(_) | Role::Hand(_) => Vec3::z(),
            _ => Vec3::x(),
        };
        joint.frame =
            frame_from_axes(bone, aside.cross(&bone)).expect("no bone lies along its side axis");
        if !joint.ends.is_empty() {
            joint.ends = vec![None];
        }
    }
    Rig {
        folder: "lafan_style",
        about: "as LaFAN1: every bone along +X in the zero pose, a root OFFSET that means nothing, \
                end sites of no length, centimetres, 30 frames a second",
        motions: &["walk", "turn", "crouch"],
        units: 100.0,
        world: Quat::identity(),
        frame_time: "0.033333",
        root_offset: Vec3::new(-211.0, 91.5, -35.75),
        joints,
    }
}
