//! Legs without a knee: the whole leg is one bone, or one bone and a foot.
//!
//! Such a leg cannot keep its foot's turn wherever the foot stands. What it holds in place is the point
//! of the sole, and the foot turns about that as the bone above it asks.

use super::sole::FootGoal;
use super::transferred::Leg;
use crate::ik::middle_joint;
use crate::math::{Vec3, rotation_between};

/// The point of a leg that its goal holds in place, and how far that may lie from the hip: the ankle,
/// or without a knee the sole's `ball`.
pub(super) fn held(leg: &Leg, ankle: Vec3, ball: Vec3) -> (Vec3, f64) {
    match leg.has_knee() {
        true => (ankle, leg.len),
        false => (ball, leg.len + leg.ball.norm()),
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
    let ankle = middle_joint(hip, ball, goal.ankle, leg.len, leg.ball.norm());
    let turn = rotation_between(goal.foot_rotation * leg.ball, ball - ankle);
    FootGoal {
        ankle,
        foot_rotation: turn * goal.foot_rotation,
        toe_rotation: turn * goal.toe_rotation,
        ..*goal
    }
}
