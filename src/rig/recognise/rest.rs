//! What the rest pose says against a set of roles: legs without length, and sides swapped.

use super::error::Problem;
use super::tree;
use crate::math::Vec3;
use crate::pose::{Pose, WorldPose};
use crate::rig::{Role, Roles, Side};
use crate::skeleton::{JointId, Skeleton};

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
    let moves = |joint: &JointId| skeleton.joint(*joint).channels.has_position();
    let flat = tree::way_len(skeleton, thigh, foot) == 0.0
        && !tree::path(skeleton, thigh, foot).iter().any(moves);
    flat.then_some(Problem::NoLength { role: Role::Thigh(side), joint: thigh })
}

/// Left and right swapped: told only where the rest pose is a body that stands and has toes, since
/// most rest poses mean nothing.
fn mirrored(skeleton: &Skeleton, roles: &Roles) -> Option<Problem> {
    let world = WorldPose::of(skeleton, &Pose::rest(skeleton));
    let place = |role: Role| roles.joint(role).map(|joint| world.position(joint));
    let direction = |from: Role, to: Role| (place(to)? - place(from)?).try_normalize(1e-12);
    let top = place(Role::Head).or_else(|| Some(world.position(*roles.spine().last()?)))?;
    let up = (top - place(Role::Hips)?).try_normalize(1e-12)?;
    let mut forward = Vec3::zeros();
    for side in Side::BOTH {
        let leg = direction(Role::Thigh(side), Role::Foot(side))?;
        // Within 40° of straight down.
        if leg.dot(&up) > -0.77 {
            return None;
        }
        let toes = direction(Role::Foot(side), Role::Toe(side))?;
        forward += toes - up * up.dot(&toes);
    }
    // Feet that point down, or one forward and one back, do not tell where the body faces.
    if forward.norm() < 0.8 {
        return None;
    }
    let left = direction(Role::Thigh(Side::Right), Role::Thigh(Side::Left))?;
    // Up and forward make left a right-handed triple: y × z = x.
    (up.cross(&forward.normalize()).dot(&left) < -0.7).then_some(Problem::Mirrored {
        left: roles.joint(Role::Thigh(Side::Left))?,
        right: roles.joint(Role::Thigh(Side::Right))?,
    })
}
