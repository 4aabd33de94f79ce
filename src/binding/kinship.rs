//! Two rigs of one body: the same bones in the same joint frames, whatever their names and units.
//!
//! Such a pair has one stance, so that small differences between the frames in which each of two
//! clips happened to stand do not turn a body that fits exactly.

use crate::math::{Quat, Vec3};
use crate::pose::{Pose, WorldPose};
use crate::rig::{Rig, Role};

/// Bones that differ by less than this share of a leg are the same.
const SAME_LEN: f64 = 1e-4;
/// Joint frames whose meaning differs by more than this are written differently, whatever the bones
/// say: a frame may be rolled about its bone.
const SAME_FRAME_RAD: f64 = 0.6;

/// Whether both rigs have the same roles and every role joint lies at the same place in the frame of
/// the role joint above it, as a share of the leg.
pub(crate) fn same_body(source: &Rig, target: &Rig) -> bool {
    let roles = |rig: &Rig| rig.roles.iter().map(|(role, _)| role).collect::<Vec<_>>();
    if roles(source) != roles(target) {
        return false;
    }
    let bones = |rig: &Rig| {
        let rest = WorldPose::of(&rig.skeleton, &Pose::rest(&rig.skeleton));
        rig.roles.iter().map(|(role, _)| bone_from_role(rig, &rest, role)).collect::<Vec<_>>()
    };
    let bones_agree = bones(source).into_iter().zip(bones(target)).all(|pair| match pair {
        (Some((from, a)), Some((to, b))) => from == to && (a - b).norm() < SAME_LEN,
        (None, None) => true,
        _ => false,
    });
    bones_agree
        && source.roles.iter().all(|(role, id)| {
            let frame = |rig: &Rig, joint: crate::skeleton::JointId| {
                rig.stance.body_from_joint[joint.index()]
            };
            target
                .joint(role)
                .is_some_and(|t| frame(source, id).angle_to(&frame(target, t)) < SAME_FRAME_RAD)
        })
}

/// The nearest role above a role's joint, and where the joint lies in its frame, in legs.
fn bone_from_role(rig: &Rig, rest: &WorldPose, role: Role) -> Option<(Role, Vec3)> {
    let id = rig.joint(role)?;
    let (above, ancestor) =
        rig.skeleton.ancestors(id).find_map(|a| Some((rig.roles.role(a)?, a)))?;
    let between = rest.position(id) - rest.position(ancestor);
    Some((above, rest.rotation(ancestor).inverse() * between / rig.leg_len))
}

/// The source's stance with the target's meaning for each role joint.
pub(crate) fn shared_stance(source: &Rig, target: &Rig) -> Vec<Quat> {
    let mut stance = source.stance.body_from_joint.clone();
    for (role, id) in source.roles.iter() {
        if let Some(joint) = target.joint(role) {
            stance[id.index()] = target.stance.body_from_joint[joint.index()];
        }
    }
    stance
}
