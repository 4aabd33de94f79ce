//! A rig's stance and soles to the last bit: the rig that is read from them is the one that they were written of.

use super::RigReference;
use crate::pose::Pose;
use crate::rig::names::joint_texts;
use crate::rig::{Foot, Rig, Role, Side, WrittenSole};
use crate::skeleton::JointId;

/// The stance: the pose as the rig shows it, which joints keep that nothing moves, and all frames once it is straight.
pub(super) fn reference(rig: &Rig) -> RigReference {
    let (local, rest) = (&rig.stance.local, Pose::rest(&rig.skeleton));
    let names = joint_texts(&rig.skeleton);
    let name = |id: JointId| names[id.index()].clone();
    let turned =
        |id: &JointId| local.rotations[id.index()].coords != rest.rotations[id.index()].coords;
    let moved = |id: &JointId| local.translations[id.index()] != rest.translations[id.index()];
    let ids = || rig.skeleton.ids();
    RigReference {
        rotations: ids().filter(turned).map(|id| (name(id), local.rotations[id.index()])).collect(),
        translations: ids()
            .filter(moved)
            .map(|id| (name(id), local.translations[id.index()]))
            .collect(),
        frames: ids().map(|id| (name(id), rig.stance.body_from_joint[id.index()])).collect(),
        ..RigReference::default()
    }
}

/// The soles of a person's feet; of other bodies nothing, whose legs have points to stand on.
pub(super) fn soles(rig: &Rig) -> [WrittenSole; 2] {
    match &rig.feet[..] {
        [left, right] if rig.joint(Role::Thigh(Side::Left)).is_some() => [left, right].map(sole),
        _ => Default::default(),
    }
}

fn sole(foot: &Foot) -> WrittenSole {
    WrittenSole {
        heel: Some(foot.heel),
        ball: Some(foot.ball),
        toe: Some(foot.tip),
        up: Some(foot.up),
        ahead: Some(foot.ahead),
        toe_ahead: Some(foot.toe_ahead),
        ankle_height: Some(foot.ankle_height),
        stance_ankle_height: Some(foot.stance_ankle_height),
        ball_height: Some(foot.ball_height),
        bends: Some(foot.toe.is_some()),
        known_from: Some(foot.origin),
    }
}
