//! What the rest pose says against a set of roles: legs without length, and sides swapped.

use super::error::Problem;
use super::facing::{self, Leg};
use super::tree;
use crate::pose::{Pose, WorldPose};
use crate::rig::{Role, Roles, Side};
use crate::skeleton::Skeleton;

/// The problems of roles that are complete and fit the tree.
pub(super) fn problems(skeleton: &Skeleton, roles: &Roles) -> Vec<Problem> {
    let flat: Vec<Problem> =
        Side::BOTH.into_iter().filter_map(|side| no_length(skeleton, roles, side)).collect();
    if !flat.is_empty() {
        return flat;
    }
    mirrored(skeleton, roles).into_iter().collect()
}

/// A leg whose thigh and shin have no length between them, and get none from position channels.
fn no_length(skeleton: &Skeleton, roles: &Roles, side: Side) -> Option<Problem> {
    let thigh = roles.joint(Role::Thigh(side))?;
    let foot = roles.joint(Role::Foot(side))?;
    let moves = |joint: &crate::skeleton::JointId| skeleton.joint(*joint).channels.has_position();
    let flat = tree::way_len(skeleton, thigh, foot) == 0.0
        && !tree::path(skeleton, thigh, foot).iter().any(moves);
    flat.then_some(Problem::NoLength { role: Role::Thigh(side), joint: thigh })
}

/// Left and right swapped: told only where the rest pose is a body that stands, since most rest
/// poses mean nothing.
fn mirrored(skeleton: &Skeleton, roles: &Roles) -> Option<Problem> {
    let world = WorldPose::of(skeleton, &Pose::rest(skeleton));
    let leg = |side: Side| {
        let [thigh, shin, foot] = [Role::Thigh(side), Role::Shin(side), Role::Foot(side)];
        let joints = [roles.joint(thigh)?, roles.joint(shin)?, roles.joint(foot)?];
        Some(Leg::new(skeleton, joints, roles.joint(Role::Toe(side))))
    };
    let legs = [leg(Side::Left)?, leg(Side::Right)?];
    let top = roles.joint(Role::Head).or_else(|| roles.spine().last().copied())?;
    let trunk = world.position(top) - world.position(roles.joint(Role::Hips)?);
    let left = facing::left(&world, legs, trunk)?;
    let [a, b] = legs.map(|leg| leg.thigh);
    let across = (world.position(a) - world.position(b)).try_normalize(1e-12)?;
    (left.dot(&across) < -0.7).then_some(Problem::Mirrored { left: a, right: b })
}
