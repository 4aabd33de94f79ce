//! The closed form for limbs: two joints move an effector to a position.
//!
//! The lower joint turns about its hinge, its bend axis or the normal of the plane in which the limb is bent, until the
//! effector's distance from the upper pivot is that of the goal. Then the upper joint turns the whole limb by the
//! shortest rotation onto the goal. The limb keeps its roll and its bend plane, and the result is continuous in pose
//! and goal where the limb's own lengths allow it.

use super::angle::{about, hinge_angle, unwind};
use super::joint::JointKind;
use super::plan::Limb;
use super::pose::TreePose;
use super::pull::Pull;
use super::tree::{NONE, Tree};
use super::turn::{Motion, Seat, StepSize};
use crate::math::{Quat, Vec3, any_perpendicular, rejection, rotation_between};
use crate::pose::WorldPose;

/// Which of the two bends that span a distance to take.
enum Side {
    /// The one with a positive angle from the straight limb.
    Positive,
    /// The one inside the hinge's range, or else the nearer one.
    Hinge,
}

/// Moves `effector` (world, a point of the lower link) to `goal`, as near as joints and lengths allow. `world` must be
/// valid along the path, and is valid for the two links afterwards.
pub(super) fn solve(
    tree: &Tree,
    limb: Limb,
    effector: Vec3,
    goal: Vec3,
    pose: &mut TreePose,
    world: &mut WorldPose,
) {
    let Limb { upper, lower } = limb;
    let (upper_pivot, lower_pivot) = (tree.pivot(upper, world), tree.pivot(lower, world));
    let bone = lower_pivot - upper_pivot;
    let arm = effector - lower_pivot;
    let bend = bend(tree, lower, bone, arm, (goal - upper_pivot).norm(), pose, world);
    let effector = lower_pivot + bend * arm;

    let parent_world = parent_rotation(tree, upper, world);
    let upper_world = world.rotations[upper];
    let start = pose.rotations[upper];
    let mut seat = Seat {
        joint: &tree.joints[upper],
        parent_world,
        world: upper_world,
        start,
        local: &mut pose.rotations[upper],
        shift: &mut pose.shifts[upper],
    };
    let pull = Pull::One { arm: effector - upper_pivot, aim: goal - upper_pivot };
    let swing = match seat.turn(&pull, &StepSize::EXACT) {
        Motion::Turn(turn) => turn,
        Motion::Still | Motion::Slide(_) => Quat::identity(),
    };
    world.rotations[upper] = swing * upper_world;
    world.positions[upper] = upper_pivot + swing * (world.positions[upper] - upper_pivot);
}

/// Turns the lower joint so that its effector is `distance` away from the upper pivot, and returns that rotation in the
/// world.
fn bend(
    tree: &Tree,
    lower: usize,
    bone: Vec3,
    arm: Vec3,
    distance: f64,
    pose: &mut TreePose,
    world: &WorldPose,
) -> Quat {
    let joint = &tree.joints[lower];
    let parent_world = parent_rotation(tree, lower, world);
    let lower_world = world.rotations[lower];
    let own_axis = |axis: Vec3| {
        if joint.reversed { -(parent_world * axis) } else { lower_world * axis }
    };
    if let (Some(bend_axis), false) =
        (joint.bend_axis, matches!(joint.kind, JointKind::Hinge { .. }))
    {
        let turn = fold_towards(bone, arm, own_axis(bend_axis), distance);
        let local = joint.confine(parent_world.inverse() * (turn * lower_world));
        pose.rotations[lower] = local;
        return parent_world * local * lower_world.inverse();
    }
    let (axis, side) = match joint.kind {
        JointKind::Hinge { axis, .. } => (own_axis(axis), Side::Hinge),
        _ => {
            let normal = bone.cross(&arm);
            let is_bent = normal.norm() > 1e-9 * bone.norm() * arm.norm();
            let straight = || lower_world * any_perpendicular(lower_world.inverse() * arm);
            (if is_bent { normal.normalize() } else { straight() }, Side::Positive)
        }
    };
    // |bone + R(φ)·arm|² = distance², with bone·R(φ)·arm = even cos φ + odd sin φ + along.
    let along = bone.dot(&axis) * arm.dot(&axis);
    let even = bone.dot(&arm) - along;
    let odd = axis.dot(&arm.cross(&bone));
    let most = even.hypot(odd);
    if most <= 1e-24 * (bone.norm_squared() + arm.norm_squared()) {
        return Quat::identity();
    }
    let wanted = 0.5 * (distance * distance - bone.norm_squared() - arm.norm_squared()) - along;
    let straight = odd.atan2(even);
    let fold = (wanted / most).clamp(-1.0, 1.0).acos();
    if let (Side::Hinge, JointKind::Hinge { axis: hinge, range }) = (&side, joint.kind) {
        let angle = unwind(hinge_angle(joint.motion(pose.rotations[lower]), hinge), range);
        let bent = [straight + fold, straight - fold].map(|by| {
            let free = unwind(angle + by, range);
            let to = range.clamp(free);
            // Prefer what the range allows, then the bending side, then the smaller change.
            ((free - to).abs(), (to - angle).abs(), to)
        });
        let [positive, negative] = bent;
        let takes_negative = if (positive.0 - negative.0).abs() > 1e-9 {
            negative.0 < positive.0
        } else {
            joint.bend_axis.is_none() && negative.1 < positive.1
        };
        let to = if takes_negative { negative.2 } else { positive.2 };
        pose.rotations[lower] = joint.rotation(about(hinge, to));
        return about(axis, to - angle);
    }
    let turn = about(axis, straight + fold);
    let local = joint.confine(parent_world.inverse() * (turn * lower_world));
    pose.rotations[lower] = local;
    parent_world * local * lower_world.inverse()
}

/// The weight of a joint's bend axis against the plane in which its limb is bent, as the sine of the bend at which both
/// have the same weight: about 14°, more than knees bend backwards.
const AXIS_SHARE: f64 = 0.25;

/// The rotation of a lower bone `arm` against its upper bone that brings the two ends `distance` apart: about
/// `bend_axis` if the limb is nearly straight, in its own plane if it is bent.
///
/// The limb lies in one plane afterwards, so it spans every distance between its bones' difference and their sum. From
/// one side of straight to the other the plane changes without a jump.
fn fold_towards(bone: Vec3, arm: Vec3, bend_axis: Vec3, distance: f64) -> Quat {
    let (upper_len, lower_len) = (bone.norm(), arm.norm());
    let Some(along) = bone.try_normalize(1e-12 * lower_len) else { return Quat::identity() };
    let normal = bone.cross(&arm) + bend_axis * (AXIS_SHARE * upper_len * lower_len);
    let axis = rejection(normal, along).try_normalize(1e-12 * upper_len * lower_len);
    let axis = axis.unwrap_or_else(|| any_perpendicular(along));
    let sum = distance * distance - upper_len * upper_len - lower_len * lower_len;
    let cos = (sum / (2.0 * upper_len * lower_len)).clamp(-1.0, 1.0);
    let sin = (1.0 - cos * cos).sqrt();
    if !cos.is_finite() {
        return Quat::identity();
    }
    rotation_between(arm, along * cos + axis.cross(&along) * sin)
}

/// The middle joint of a limb of two bones of these lengths from `from` to `to`, on the side of `near`.
///
/// If the distance is too long or too short for these lengths, the first bone points at `to` or away from it, whichever
/// brings the second one nearer. `near` must be off the line through the two ends: on it, it has no side, and the joint
/// lies on the line. All in one frame and length unit; `from` if the ends coincide. No allocation.
pub fn middle_joint(from: Vec3, to: Vec3, near: Vec3, first_len: f64, second_len: f64) -> Vec3 {
    let Some(along) = (to - from).try_normalize(1e-300) else { return from };
    let distance = (to - from).norm().clamp((first_len - second_len).abs(), first_len + second_len);
    if distance == 0.0 {
        return from;
    }
    let squares = first_len * first_len - second_len * second_len;
    let ahead = ((distance * distance + squares) / (2.0 * distance)).clamp(-first_len, first_len);
    let aside = rejection(near - from, along).try_normalize(1e-300).unwrap_or_default();
    let beside = (first_len * first_len - ahead * ahead).max(0.0).sqrt();
    from + along * ahead + aside * beside
}

fn parent_rotation(tree: &Tree, link: usize, world: &WorldPose) -> Quat {
    match tree.bodies[link].parent {
        NONE => Quat::identity(),
        parent => world.rotations[parent as usize],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_joint_is_as_far_from_both_ends_as_its_bones_are_long() {
        let (from, to) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.0, 0.5, 3.5));
        let middle = middle_joint(from, to, Vec3::new(1.0, 1.0, 9.0), 1.0, 0.8);
        assert!(((middle - from).norm() - 1.0).abs() < 1e-12);
        assert!(((to - middle).norm() - 0.8).abs() < 1e-12);
        assert!(middle.z > 3.25);
    }

    #[test]
    fn a_limb_that_cannot_span_its_ends_lies_on_their_line() {
        let (from, near) = (Vec3::zeros(), Vec3::y());
        let far = middle_joint(from, Vec3::x() * 9.0, near, 1.0, 0.5);
        assert!((far - Vec3::x()).norm() < 1e-12);
        let inside = middle_joint(from, Vec3::x() * 0.1, near, 1.0, 0.5);
        assert!((inside - Vec3::x()).norm() < 1e-12);
        let behind = middle_joint(from, Vec3::x() * 0.1, near, 0.5, 1.0);
        assert!((behind + Vec3::x() * 0.5).norm() < 1e-12);
    }

    #[test]
    fn a_limb_without_bones_stays_at_its_root() {
        let hip = Vec3::new(0.0, 1.0, 0.0);
        assert_eq!(middle_joint(hip, Vec3::zeros(), Vec3::zeros(), 0.0, 1.0), hip);
        assert_eq!(middle_joint(hip, hip, Vec3::zeros(), 1.0, 1.0), hip);
        assert_eq!(middle_joint(hip, Vec3::zeros(), Vec3::zeros(), 0.0, 0.0), hip);
    }
}
