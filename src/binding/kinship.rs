//! Two rigs of one body: the same bones in the same joint frames, whatever their names and units.
//!
//! Such a pair has one stance, so that small differences between the frames in which each of two
//! clips happened to stand do not turn a body that fits exactly.

use crate::math::{Quat, Vec3};
use crate::pose::{Pose, WorldPose};
use crate::rig::{Rig, Role};

/// Bones that differ by less than this share of a leg are the same.
const SAME_LEN: f64 = 1e-4;
/// A joint's frame whose meaning differs by more than this is written differently, whatever the bones
/// say: a frame may be rolled about its bone. Writers roll by quarter turns, so that half of one is as
/// far as can be told from how an arm happened to hang.
const SAME_FRAME_RAD: f64 = std::f64::consts::FRAC_PI_4;

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
    bones(source).into_iter().zip(bones(target)).all(|pair| match pair {
        (Some((from, a)), Some((to, b))) => from == to && (a - b).norm() < SAME_LEN,
        (None, None) => true,
        _ => false,
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

/// The source's stance with the target's meaning for each role joint whose frame is the same: bones
/// and names alike are one rig, whatever its clips show; under another name the frame must agree.
pub(crate) fn shared_stance(source: &Rig, target: &Rig) -> Vec<Quat> {
    let mut stance = source.stance.body_from_joint.clone();
    for (role, id) in source.roles.iter() {
        let Some(joint) = target.joint(role) else { continue };
        let meaning = target.stance.body_from_joint[joint.index()];
        let same_name = source.skeleton.name(id) == target.skeleton.name(joint);
        if same_name || stance[id.index()].angle_to(&meaning) < SAME_FRAME_RAD {
            stance[id.index()] = meaning;
        }
    }
    stance
}
