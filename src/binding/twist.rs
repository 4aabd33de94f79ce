//! How the twist joints of a target's limb share the twist of their bone, by their place along it.
//!
//! The twist of a forearm or a shin is that of the hand or foot relative to it, and grows from zero at the elbow to all
//! of it at the wrist. The twist of an upper arm or a thigh is its own, relative to the trunk. If the bone has twist
//! joints, it grows from zero at the shoulder to all of it at the last of them, and the elbow has none.

use super::Drive;
use crate::math::{Quat, Vec3, rotation_between, swing_twist};
use crate::rig::{Rig, Role, TwistBone, TwistJoint};
use crate::skeleton::JointId;
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// A target's bone whose twist is shared.
#[derive(Clone, Debug)]
pub(crate) struct Twist {
    /// The joint at the bone's end, if its twist relative to the top is shared; `None` if the top's own twist relative
    /// to its parent is.
    pub end: Option<JointId>,
    /// The bone's direction in the top joint's frame (local, unit length).
    pub axis: Vec3,
    /// `top_from_end` in the reference stance; for a top's own twist `parent_from_top`.
    pub rest: Quat,
    /// Whether the top joint leaves its own twist to the joints in the bone.
    pub untwists: bool,
}

impl Twist {
    /// The twist to be shared at these rotations (world) of the top and its end, radians.
    pub fn of_end(&self, top: Quat, end: Quat) -> f64 {
        let turn = top.inverse() * end * self.rest.inverse();
        let (swing, twist) = swing_twist(turn, self.axis);
        shared(angle_about(twist, self.axis), swing)
    }

    /// The top's own twist to be shared at these rotations (world) of its parent and itself, radians.
    pub fn of_top(&self, parent: Quat, top: Quat) -> f64 {
        let rest = parent * self.rest;
        let swing = rotation_between(rest * self.axis, top * self.axis);
        let twist = (swing * rest).inverse() * top;
        shared(angle_about(twist, self.axis), swing)
    }
}

/// The last of the source's joints in an upper arm or a thigh. It has all of the bone's twist, of which the first joint
/// has only a part in rigs with twist joints.
pub(super) fn last_in_bone(
    source_bones: &[TwistBone],
    between: &BTreeMap<JointId, JointId>,
    role: Role,
) -> Option<JointId> {
    if !matches!(role, Role::UpperArm(_) | Role::Thigh(_)) {
        return None;
    }
    let bone = source_bones.iter().find(|bone| bone.role == role)?;
    let last = bone.joints.iter().rev().find(|joint| joint.inline)?.joint;
    // A target with the same joints in the bone follows each of them separately.
    (!between.values().any(|&source| source == last)).then_some(last)
}

/// The angle, -π to π, of a rotation whose unit axis is known.
fn angle_about(turn: Quat, axis: Vec3) -> f64 {
    let angle = 2.0 * turn.imag().dot(&axis).atan2(turn.w);
    if angle > PI {
        angle - 2.0 * PI
    } else if angle < -PI {
        angle + 2.0 * PI
    } else {
        angle
    }
}

/// The part of a twist that is shared. Towards half a turn, and when the bone is swung nearly back onto itself, the
/// sign of the twist is ambiguous. So beyond three eighths of a turn less and less is shared, and no joint jumps.
fn shared(twist_rad: f64, swing: Quat) -> f64 {
    const MOST_TWIST: f64 = 0.75 * PI;
    const MOST_SWING: f64 = 0.8 * PI;
    /// Of a swing that is surely no farther: a little more than the cosine of half of the most.
    const SURELY_LESS: f64 = 0.31;
    let kept = match twist_rad.abs() {
        twist if twist <= MOST_TWIST => twist,
        twist => MOST_TWIST * (PI - twist) / (PI - MOST_TWIST),
    };
    let by_swing = match swing.w.abs() > SURELY_LESS {
        true => 1.0,
        false => ((PI - swing.angle()) / (PI - MOST_SWING)).clamp(0.0, 1.0),
    };
    twist_rad.signum() * kept * by_swing
}

/// For each target joint beside a bone, the source joint at the same place beside the same bone. With a shared skeleton
/// they are one joint.
pub(super) fn counterparts(
    source: &[TwistBone],
    target: &[TwistBone],
) -> BTreeMap<JointId, JointId> {
    const SAME_PLACE: f64 = 1e-3;
    let mut found = BTreeMap::new();
    for bone in target {
        let Some(other) = source.iter().find(|other| other.role == bone.role) else { continue };
        let beside = |bone: &TwistBone| bone.joints.iter().copied().filter(|j| !j.inline).collect();
        let (from, to): (Vec<TwistJoint>, Vec<TwistJoint>) = (beside(other), beside(bone));
        let same =
            |(s, t): (&TwistJoint, &TwistJoint)| (s.along_ratio - t.along_ratio).abs() < SAME_PLACE;
        if from.len() == to.len() && from.iter().zip(&to).all(same) {
            found.extend(to.iter().zip(&from).map(|(t, s)| (t.joint, s.joint)));
        }
    }
    found
}

/// Sets the drives of a target's twist joints, given the drives of all other joints. Returns the bones whose twist is
/// shared.
pub(super) fn share_out(target: &Rig, bones: &[TwistBone], drives: &mut [Drive]) -> Vec<Twist> {
    let mut twists = Vec::new();
    let follows =
        |drives: &[Drive], id: JointId| matches!(drives[id.index()], Drive::Follow { .. });
    for bone in bones {
        let joint_is_free = |j: &TwistJoint| !follows(drives, j.joint);
        let upper = matches!(bone.role, Role::UpperArm(_) | Role::Thigh(_));
        let known = follows(drives, bone.top) && (upper || follows(drives, bone.end));
        // A joint with a counterpart in the source follows that instead.
        if !known || !bone.joints.iter().all(joint_is_free) {
            continue;
        }
        let body = |id: JointId| target.stance.body_from_joint[id.index()];
        let rest = match (upper, target.skeleton.parent(bone.top)) {
            (true, Some(parent)) => body(parent).inverse() * body(bone.top),
            (true, None) => continue,
            (false, _) => body(bone.top).inverse() * body(bone.end),
        };
        let untwists = upper && bone.joints.iter().any(|j| j.inline);
        let axis_body = body(bone.top) * bone.axis_local;
        let mut shares = vec![(bone.top, if upper && !untwists { 1.0 } else { 0.0 })];
        for twist_joint in &bone.joints {
            let joint = twist_joint.joint;
            let parent = target.skeleton.parent(joint).expect("it hangs on the bone");
            let of_parent = shares.iter().find(|(id, _)| *id == parent).map_or(0.0, |(_, s)| *s);
            let own = share(twist_joint, bone, upper);
            shares.push((joint, own));
            drives[joint.index()] = Drive::Twist {
                twist: twists.len(),
                share: own - of_parent,
                axis: body(parent).inverse() * axis_body,
                rest: target.stance.local.rotations[joint.index()],
            };
        }
        if let Drive::Follow { twist, .. } = &mut drives[bone.top.index()] {
            *twist = Some(twists.len());
        }
        let end = (!upper).then_some(bone.end);
        twists.push(Twist { end, axis: bone.axis_local, rest, untwists });
    }
    twists
}

/// The share of the bone's twist from the bone's beginning up to a joint.
fn share(joint: &TwistJoint, bone: &TwistBone, upper: bool) -> f64 {
    if !(upper && joint.inline) {
        return joint.along_ratio;
    }
    let inline = bone.joints.iter().filter(|j| j.inline);
    let last = inline.map(|j| j.along_ratio).fold(0.0, f64::max);
    if last < 0.01 { 1.0 } else { joint.along_ratio / last }
}
