//! Whether a rig's author laid joint frames along the planes of the body.
//!
//! Most did, and then an axis that lies near to a direction of the body was meant to lie along it. A file that a
//! program wrote may turn its frames anyhow; there an axis is near to a direction by chance, and says nothing.

use super::straighten::straight;
use crate::math::{Axis, Vec3};
use crate::rig::Roles;
use crate::rig::bone::own_piece;
use crate::skeleton::Skeleton;

/// A bone within this of an axis of its joint's frame lies along it. Of frames turned anyhow one in sixteen bones does.
const ALONG_RAD: f64 = 0.2;

/// An axis that is this near to a direction of the body was meant to lie along it, in a rig whose frames are laid:
/// bones lie in all directions, frames along the body's planes.
const MEANT_RAD: f64 = 0.45;

/// Whether half of the limbs' bones and more lie along axes of their own joints.
pub(super) fn are_frames_laid(skeleton: &Skeleton, roles: &Roles) -> bool {
    let bone = |(role, id)| {
        straight(role)?;
        own_piece(skeleton, roles, id)
    };
    let bones: Vec<Vec3> = roles.iter().filter_map(bone).collect();
    let along = bones.iter().filter(|bone| bone.angle(&nearest_axis(**bone)) < ALONG_RAD).count();
    2 * along >= bones.len()
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
