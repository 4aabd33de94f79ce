//! Whether a rig's author laid joint frames along the planes of the body.
//!
//! Most did, and then an axis that lies near to a direction of the body was meant to lie along it. A file that a
//! program wrote may turn its frames anyhow; there an axis is near to a direction by chance, and says nothing.

use crate::math::{Axis, Vec3};
use crate::rig::bone::own_piece;
use crate::rig::{Role, Roles, Side};
use crate::skeleton::Skeleton;

/// A bone within this of an axis of its joint's frame lies along it. Of frames turned anyhow one in sixteen bones does,
/// and one in 800 along the same axis as that of the other side.
const ALONG_RAD: f64 = 0.2;

/// An axis that is this near to a direction of the body was meant to lie along it, in a rig whose frames are laid:
/// bones lie in all directions, frames along the body's planes.
const MEANT_RAD: f64 = 0.45;

/// Whether half of the pairs of limbs' bones and more lie along axes of their own joints, the same one on both sides.
pub(super) fn are_frames_laid(skeleton: &Skeleton, roles: &Roles) -> bool {
    const PARTS: [fn(Side) -> Role; 5] =
        [Role::Thigh, Role::Shin, Role::UpperArm, Role::Forearm, Role::Hand];
    let bone = |role: Role| own_piece(skeleton, roles, roles.joint(role)?);
    let pair = |part: fn(Side) -> Role| {
        let [left, right] = Side::BOTH.map(|side| bone(part(side)));
        left.zip(right)
    };
    let pairs: Vec<(Vec3, Vec3)> = PARTS.into_iter().filter_map(pair).collect();
    let is_along = |bone: &Vec3| bone.angle(&nearest_axis(*bone)) < ALONG_RAD;
    let are_along = |(left, right): &&(Vec3, Vec3)| {
        is_along(left) && is_along(right) && left.iamax() == right.iamax()
    };
    2 * pairs.iter().filter(are_along).count() >= pairs.len()
}

/// The axis that a direction was meant to lie along, or the direction itself where none is near.
pub(super) fn axis_meant(direction: Vec3) -> Vec3 {
    let axis = nearest_axis(direction);
    if direction.angle(&axis) < MEANT_RAD { axis } else { direction }
}

fn nearest_axis(direction: Vec3) -> Vec3 {
    let axis = [Axis::X, Axis::Y, Axis::Z][direction.iamax()].unit().into_inner();
    axis * direction.dot(&axis).signum()
}
