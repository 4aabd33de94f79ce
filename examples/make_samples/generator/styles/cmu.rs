//! The style of the CMU database.

use super::super::body::{Body, sign};
use super::super::rig::{Rig, RigJoint};
use super::{Names, find, insert, insert_above, joints};
use retarget::internals::math::{Axis, Quat, Vec3};
use retarget::internals::rig::{Role, Side};

use Axis::{X, Y, Z};

/// As the CMU database was converted for MotionBuilder by B. Hahne (cgspeed): legs splayed by 20°
/// in the zero pose, dummies at the hips, joints of no length, and a unit of 0.056444 m
/// (inches over 0.45).
pub fn cmu(body: &Body) -> Rig {
    let names = Names {
        sides: ["Left", "Right"],
        hips: "Hips",
        spine: ["LowerBack", "Spine", "Spine1"],
        neck: "Neck",
        head: "Head",
        arm: ["{}Shoulder", "{}Arm", "{}ForeArm", "{}Hand"],
        leg: ["{}UpLeg", "{}Leg", "{}Foot", "{}ToeBase"],
    };
    let axes = [Z, Y, X];
    let mut joints = joints(body, &names, axes);
    let splay = |side: Side| {
        let angle = 20f64.to_radians() * sign(side);
        Quat::from_axis_angle(&Vec3::z_axis(), -angle)
    };
    for joint in &mut joints {
        if let Role::Thigh(s) | Role::Shin(s) | Role::Foot(s) | Role::Toe(s) = joint.role {
            joint.frame = splay(s);
        }
    }
    let dummy = |name: String, role: Role, place: Vec3| RigJoint {
        name,
        parent: None,
        role,
        place,
        frame: Quat::identity(),
        axes,
        ends: Vec::new(),
    };
    for (side, letter) in Side::BOTH.into_iter().zip(["L", "R"]) {
        let thigh = find(&joints, Role::Thigh(side));
        let name = format!("{letter}HipJoint");
        let hips = body.place(Role::Hips);
        insert_above(
            &mut joints,
            thigh,
            RigJoint { frame: splay(side), ..dummy(name, Role::Hips, hips) },
        );
        let hand = find(&joints, Role::Hand(side));
        let role = Role::Hand(side);
        let wrist = body.place(role);
        let tip = joints[hand].ends.remove(0).expect("a hand ends in its tips");
        let knuckles = wrist + (tip - wrist) * 0.55;
        let side_name = names.sides[side.index()];
        let finger_base = dummy(format!("{side_name}FingerBase"), role, wrist);
        let index = dummy(format!("{side_name}HandIndex1"), role, knuckles);
        let thumb = dummy(format!("{letter}Thumb"), role, wrist);
        let thumb_tip = wrist + ((tip - wrist) + Vec3::z() * (tip - wrist).norm()) * 0.4;
        insert(&mut joints, hand + 1, RigJoint { parent: Some(hand), ..finger_base });
        insert(
            &mut joints,
            hand + 2,
            RigJoint { parent: Some(hand + 1), ends: vec![Some(tip)], ..index },
        );
        insert(
            &mut joints,
            hand + 3,
            RigJoint { parent: Some(hand), ends: vec![Some(thumb_tip)], ..thumb },
        );
    }
    // Neck1 halves the neck and never moves against it.
    let head = find(&joints, Role::Head);
    let half = (body.place(Role::Neck(1)) + body.place(Role::Head)) / 2.0;
    insert_above(&mut joints, head, dummy("Neck1".to_owned(), Role::Neck(1), half));
    Rig {
        folder: "cmu_style",
        about: "as CMU for MotionBuilder: legs splayed in the zero pose, dummies at the hips, \
                units of 5.6444 cm, 120 frames a second",
        motions: &["walk", "run"],
        units: 1.0 / 0.056444,
        world: Quat::identity(),
        frame_time: ".0083333",
        root_offset: Vec3::zeros(),
        joints,
    }
}
