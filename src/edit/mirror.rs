//! A motion with left and right exchanged.

use crate::clip::Clip;
use crate::math::{Axis, Quat, Vec3};
use crate::pose::{Pose, WorldPose};
use crate::rig::Rig;
use crate::skeleton::{JointId, Skeleton};
use nalgebra::Quaternion;

/// The motion mirrored across the world's X axis (Z if X is up), on the same skeleton: the right side does what the left
/// side did. `rig` is the clip's own rig.
///
/// Joints are paired by their roles, joints without a role by their places beside paired joints. A joint without a
/// partner on the other side keeps its local rotation. Bones keep their lengths, even if left and right differ.
pub fn mirrored(clip: &Clip, rig: &Rig) -> Clip {
    let skeleton = clip.skeleton();
    let partners = partners(skeleton, rig);
    let across = if rig.up.axis == Axis::X { Axis::Z } else { Axis::X };
    let body_from_joint = &rig.stance.body_from_joint;
    let mut result = Clip::with_capacity(skeleton.clone(), clip.frame_time().clone(), clip.len());
    let (mut pose, mut mirrored) = (Pose::rest(skeleton), Pose::rest(skeleton));
    let (mut world, mut mirrored_world) =
        (WorldPose::new(skeleton.len()), WorldPose::new(skeleton.len()));
    for frame in 0..clip.len() {
        clip.read_pose(frame, &mut pose);
        world.set(skeleton, &pose);
        for id in skeleton.ids() {
            let (i, parent) = (id.index(), skeleton.parent(id).map(JointId::index));
            let parent_world = parent.map_or(Quat::identity(), |p| mirrored_world.rotations[p]);
            match partners[i] {
                None => mirrored.rotations[i] = pose.rotations[i],
                Some(partner) => {
                    // The partner's rotation away from its stance, mirrored in the world and in the body.
                    let turned = world.rotations[partner] * body_from_joint[partner].inverse();
                    let turned = reflected(turned, across, Axis::X);
                    mirrored.rotations[i] = parent_world.inverse() * turned * body_from_joint[i];
                    mirrored.translations[i] = match parent {
                        None => reflect(pose.translations[partner], across),
                        Some(_) => {
                            let from = skeleton.parent(JointId::new(partner));
                            let from = from.map_or(Quat::identity(), |p| world.rotation(p));
                            let way = reflect(from * pose.translations[partner], across);
                            parent_world.inverse() * way
                        }
                    };
                }
            }
            mirrored_world.rotations[i] = parent_world * mirrored.rotations[i];
        }
        result.push_pose(&mirrored);
    }
    result
}

/// A vector, mirrored across an axis.
fn reflect(mut v: Vec3, across: Axis) -> Vec3 {
    v[across.index()] = -v[across.index()];
    v
}

/// `M(world) * q * M(body)`, where each `M` mirrors across its axis: a rotation again.
fn reflected(q: Quat, world: Axis, body: Axis) -> Quat {
    // To mirror both sides across one axis keeps the turn about that axis and reverses the others.
    let mut imag = -q.imag();
    imag[body.index()] = q.imag()[body.index()];
    let same = Quat::new_unchecked(Quaternion::from_parts(q.w, imag));
    if world == body {
        return same;
    }
    // Two reflections across different axes are half a turn about the third one.
    let about = world.unit().cross(&body.unit());
    let half = Quat::new_unchecked(Quaternion::from_parts(0.0, about));
    half * same
}

/// For each joint the joint whose motion it takes; `None` if it has no partner on the other side.
fn partners(skeleton: &Skeleton, rig: &Rig) -> Vec<Option<usize>> {
    let mut partners: Vec<Option<usize>> = vec![None; skeleton.len()];
    for id in skeleton.ids() {
        let by_role = rig.roles.role(id).and_then(|role| rig.joint(role.on_other_side()));
        partners[id.index()] = by_role.map(JointId::index);
    }
    for id in skeleton.ids() {
        let i = id.index();
        if partners[i].is_some() {
            continue;
        }
        let Some(parent) = skeleton.parent(id) else {
            partners[i] = Some(i);
            continue;
        };
        let Some(partner) = partners[parent.index()] else { continue };
        if partner == parent.index() {
            // A joint of the middle: a joint that carries a part of one side has a role.
            partners[i] = Some(i);
            continue;
        }
        let place = |of: JointId, child: JointId| skeleton.children(of).position(|c| c == child);
        let place = place(parent, id);
        let beside = place.and_then(|n| skeleton.children(JointId::new(partner)).nth(n));
        partners[i] = beside.filter(|id| rig.roles.role(*id).is_none()).map(JointId::index);
    }
    // Two joints that take each other's motion, or none.
    let mutual = |i: usize| partners[i].filter(|&p| partners[p] == Some(i));
    (0..skeleton.len()).map(mutual).collect()
}
