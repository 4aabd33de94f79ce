//! Joints without a role, and joints above the hips.

use super::{EXACT_RAD, apart_cm};
use crate::bodies::{Body, FRAMES, PLAIN};
use crate::equivalent::{retargeted, target};
use crate::rewrite::world;
use retarget::internals::clip::Clip;
use retarget::internals::math::{Axis, Quat, Vec3};
use retarget::internals::pose::Pose;
use retarget::internals::skeleton::{Channels, Joint, JointId, Skeleton};

/// A joint more on a skeleton, the last below its parent; a root of its own without one.
fn with_joint(skeleton: &Skeleton, parent: Option<&str>, name: &str, offset: Vec3) -> Skeleton {
    let mut joints = skeleton.joints().to_vec();
    let parent = parent.map(|name| skeleton.find(name).expect("a joint"));
    let below = |&i: &usize| parent.is_some_and(|p| skeleton.is_ancestor(p, JointId::new(i)));
    let last = parent.map(|p| (0..joints.len()).filter(below).max().unwrap_or(p.index()));
    let at = last.map_or(joints.len(), |last| last + 1);
    for joint in &mut joints {
        joint.parent = joint.parent.map(|p| JointId::new(p.index() + usize::from(p.index() >= at)));
    }
    let order = [Axis::Z, Axis::X, Axis::Y];
    let channels = Channels::positions_and_rotations(order).expect("three axes");
    let name = name.to_owned();
    joints.insert(at, Joint { name, parent, offset, channels, end_sites: Vec::new() });
    Skeleton::new(joints).expect("a tree")
}

/// The clip on a skeleton that has more joints; those turn and move by `extra` in each frame.
fn on_more(clip: &Clip, skeleton: &Skeleton, extra: impl Fn(usize) -> (Quat, Vec3)) -> Clip {
    let mut more = Clip::new(skeleton.clone(), clip.frame_time().clone());
    for frame in 0..clip.len() {
        let known = clip.pose(frame);
        let mut pose = Pose::rest(skeleton);
        for id in skeleton.ids() {
            match clip.skeleton().find(skeleton.name(id)) {
                Some(old) => {
                    pose.rotations[id.index()] = known.rotations[old.index()];
                    pose.translations[id.index()] = known.translations[old.index()];
                }
                None => {
                    let (turn, shift) = extra(frame);
                    pose.rotations[id.index()] = turn;
                    pose.translations[id.index()] += shift;
                }
            }
        }
        more.push_pose(&pose);
    }
    more
}

/// Joints that play no part, whatever their channels.
const HELPERS: [(Option<&str>, &str, [f64; 3]); 7] = [
    (Some("LeftHand"), "LeftProp", [5.0, -3.0, 2.0]),
    (Some("Hips"), "IK_LeftFoot", [9.0, -90.0, 0.0]),
    (Some("LeftUpLeg"), "LeftThigh_jiggle", [2.0, -20.0, -5.0]),
    (Some("Spine2"), "Breast_jiggle", [0.0, 3.0, 8.0]),
    (Some("Hips"), "Hips_dummy", [0.0, 0.0, 0.0]),
    (Some("LeftForeArm"), "LeftForeArm_null", [0.0, 0.0, 0.0]),
    (None, "Camera", [100.0, 150.0, 300.0]),
];

fn with_helpers(skeleton: &Skeleton) -> Skeleton {
    let add = |skeleton: Skeleton, (parent, name, [x, y, z]): (Option<&str>, &str, [f64; 3])| {
        with_joint(&skeleton, parent, name, Vec3::new(x, y, z))
    };
    HELPERS.into_iter().fold(skeleton.clone(), add)
}

#[test]
fn joints_without_a_part_stay_at_rest_and_change_nothing() {
    let body = Body::new(PLAIN);
    let clip = body.clip();
    let plain = retargeted(&clip, &target(&clip, false).expect("a rig")).expect("retargeted");
    let more = with_helpers(&body.skeleton);
    let at_rest = on_more(&clip, &more, |_| (Quat::identity(), Vec3::zeros()));
    let result = retargeted(&clip, &target(&at_rest, false).expect("a rig")).expect("retargeted");
    for frame in 0..FRAMES {
        let (known, pose) = (world(&plain, frame), result.pose(frame));
        let now = world(&result, frame);
        for id in more.ids() {
            match body.skeleton.find(more.name(id)) {
                Some(old) => {
                    let off = (now.position(id) - known.position(old)).norm();
                    assert!(off < 0.001, "{} in frame {frame}: {off} cm", more.name(id));
                }
                None => {
                    let turned = pose.rotations[id.index()].angle();
                    let moved = (pose.translations[id.index()] - more.joint(id).offset).norm();
                    assert!(turned < EXACT_RAD && moved < 1e-5, "{}: {turned}", more.name(id));
                }
            }
        }
    }
    // In a source they may do what they like.
    let wild = on_more(&clip, &more, |frame| {
        let s = frame as f64;
        (Quat::from_euler_angles(s, 0.7 * s, 2.0), Vec3::new(3.0 * s.sin(), s, 0.0))
    });
    let from_wild = retargeted(&wild, &target(&clip, false).expect("a rig")).expect("retargeted");
    let (cm, place) = apart_cm((&body, &from_wild), (&body, &plain), |_| false);
    assert!(cm < 0.001, "{cm} cm, {place}");
}

/// The clip with its travel taken apart: the joint above the hips goes over the ground and turns, the
/// hips do the rest.
fn split_root(clip: &Clip, name: &str) -> Clip {
    let mut joints = vec![Joint {
        name: name.to_owned(),
        parent: None,
        offset: Vec3::zeros(),
        channels: Channels::positions_and_rotations([Axis::Z, Axis::X, Axis::Y]).expect("axes"),
        end_sites: Vec::new(),
    }];
    joints.extend(clip.skeleton().joints().iter().cloned().map(|mut joint| {
        let order = [Axis::Z, Axis::X, Axis::Y];
        if joint.parent.is_none() {
            joint.channels = Channels::positions_and_rotations(order).expect("axes");
        }
        joint.parent = Some(joint.parent.map_or(JointId::new(0), |p| JointId::new(p.index() + 1)));
        joint
    }));
    let mut split = Clip::new(Skeleton::new(joints).expect("a tree"), clip.frame_time().clone());
    for frame in 0..clip.len() {
        let mut pose = clip.pose(frame);
        let above = Quat::from_euler_angles(0.0, 0.02 * frame as f64, 0.0);
        let ground = Vec3::new(pose.translations[0].x, 0.0, 0.5 * pose.translations[0].z);
        pose.rotations[0] = above.inverse() * pose.rotations[0];
        pose.translations[0] = above.inverse() * (pose.translations[0] - ground);
        pose.rotations.insert(0, above);
        pose.translations.insert(0, ground);
        split.push_pose(&pose);
    }
    split
}

#[test]
fn motion_above_the_hips_counts() {
    let body = Body::new(PLAIN);
    let clip = body.clip();
    let own = target(&clip, false).expect("a rig");
    let plain = retargeted(&clip, &own).expect("retargeted");
    for name in ["joint_Root", "Reference", "root", "Armature"] {
        let split = split_root(&clip, name);
        let result = retargeted(&split, &own).unwrap_or_else(|e| panic!("{name}: {e}"));
        let (cm, place) = apart_cm((&body, &result), (&body, &plain), |_| false);
        assert!(cm < 0.001, "under {name}: {cm} cm, {place}");
        // As a target the hips take all of the motion, and what is above stays.
        let rig = target(&split, false).unwrap_or_else(|e| panic!("{name}: {e}"));
        let result = retargeted(&clip, &rig).unwrap_or_else(|e| panic!("{name}: {e}"));
        for frame in 0..FRAMES {
            let (now, known) = (world(&result, frame), world(&plain, frame));
            for (i, place) in known.positions.iter().enumerate() {
                let off = (now.positions[i + 1] - place).norm();
                assert!(off < 0.001, "onto {name}: {off} cm, {:?}", body.parts[i]);
            }
            assert!(now.positions[0].norm() < 1e-9, "onto {name}");
        }
    }
}
