//! Legs without a knee: the whole leg is one bone, or one bone and a foot.
//!
//! Such a leg cannot keep its foot's rotation at every position of the foot. It holds the point of the sole in place,
//! and the foot turns about that point as the bone above it requires.

use super::sole::FootGoal;
use super::transferred::Leg;
use crate::ik::middle_joint;
use crate::math::{Vec3, rotation_between};

/// The point of a leg that its goal holds in place, and its largest distance from the hip: the ankle, or the sole's
/// `ball` if the leg has no knee.
pub(super) fn held(leg: &Leg, ankle: Vec3, ball: Vec3) -> (Vec3, f64) {
    match leg.has_knee() {
        true => (ankle, leg.len),
        false => (ball, leg.len + leg.ball.norm()),
    }
}

/// The goal that the leg can reach from its hip. With a knee it is `goal` itself. Without one, the ankle is at the
/// bone's length from the hip, and the foot is turned so that the ball is at its goal or on the way there.
pub(super) fn fitted(leg: &Leg, hip: Vec3, goal: &FootGoal) -> FootGoal {
    if leg.has_knee() {
        return *goal;
    }
    let ball = goal.ankle + goal.foot_rotation * leg.ball;
    let ankle = middle_joint(hip, ball, goal.ankle, leg.len, leg.ball.norm());
    let turn = rotation_between(goal.foot_rotation * leg.ball, ball - ankle);
    FootGoal {
        ankle,
        foot_rotation: turn * goal.foot_rotation,
        toe_rotation: turn * goal.toe_rotation,
        ..*goal
    }
}
