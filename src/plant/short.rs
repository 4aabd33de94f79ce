//! Legs without a knee: the whole leg is one bone, or one bone and a foot.
//!
//! Such a leg cannot keep its foot's turn wherever the foot stands. What it holds in place is the point
//! of the sole, and the foot turns about that as the bone above it asks.

use super::carried::Leg;
use super::foot::FootGoal;
use crate::math::{Quat, Vec3, rotation_between};

/// The point of a leg that its goal holds in place, and how far that may lie from the hip: the ankle,
/// or without a knee the sole's ball.
pub(super) fn held(leg: &Leg, ankle: Vec3, foot_rotation: Quat) -> (Vec3, f64) {
    match leg.has_knee() {
        true => (ankle, leg.len),
        false => (ankle + foot_rotation * leg.ball, leg.len + leg.ball.norm()),
    }
}

/// The goal as the leg can take it from where its hip is: as it is with a knee; else the ankle as far
/// from the hip as its bone is long, and the foot turned so that the ball is in its place or on the
/// way there.
pub(super) fn fitted(leg: &Leg, hip: Vec3, goal: &FootGoal) -> FootGoal {
    if leg.has_knee() {
        return *goal;
    }
    let ball = goal.ankle + goal.foot_rotation * leg.ball;
    let ankle = middle(hip, goal.ankle, ball, leg.len, leg.ball.norm());
    let turn = rotation_between(goal.foot_rotation * leg.ball, ball - ankle);
    FootGoal {
        ankle,
        foot_rotation: turn * goal.foot_rotation,
        toe_rotation: turn * goal.toe_rotation,
    }
}

/// The middle joint of two bones from `from` towards `to`, on the side of `near`.
fn middle(from: Vec3, near: Vec3, to: Vec3, first: f64, second: f64) -> Vec3 {
    let Some(along) = (to - from).try_normalize(1e-300) else { return from };
    let distance = (to - from).norm().clamp((first - second).abs(), first + second);
    let ahead = (first * first + distance * distance - second * second) / (2.0 * distance);
    let aside = near - from;
    let aside = (aside - along * along.dot(&aside)).try_normalize(1e-300).unwrap_or_default();
    let beside = (first * first - ahead * ahead).max(0.0).sqrt();
    from + along * ahead.clamp(-first, first) + aside * beside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_joint_is_as_far_from_both_ends_as_its_bones_are_long() {
        let (from, to) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.0, 0.5, 3.5));
        let middle = middle(from, Vec3::new(1.0, 1.0, 9.0), to, 1.0, 0.8);
        assert!(((middle - from).norm() - 1.0).abs() < 1e-12);
        assert!(((to - middle).norm() - 0.8).abs() < 1e-12);
        assert!(middle.z > 3.25);
    }

    #[test]
    fn a_peg_stays_at_its_hip() {
        let hip = Vec3::new(0.0, 1.0, 0.0);
        assert_eq!(middle(hip, Vec3::zeros(), Vec3::zeros(), 0.0, 1.0), hip);
    }
}
