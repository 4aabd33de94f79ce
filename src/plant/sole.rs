//! The goal of a foot, and the position of its sole there.

use super::transferred::Leg;
use crate::math::{Quat, Vec3, saturated};
use crate::rig::UpAxis;

/// A foot's goal in one frame, target world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FootGoal {
    pub ankle: Vec3,
    pub foot_rotation: Quat,
    pub toe_rotation: Quat,
    /// The lock weight of the sole: 1 where it stands, 0 in full swing.
    pub lock_weight: f64,
    /// The direction in which the knee above bends: 0 forwards, 1 backwards, in between aside.
    pub backwards: f64,
    /// How far the knee above turns about the line from hip to ankle, radians.
    pub swivel_rad: f64,
    /// How far the ankle should be from here, but that a stated limit of its thigh does not let it; target length units.
    pub given_up_len: f64,
}

/// A foot's goals over a clip, one list for each field, so that each list can reuse memory that exists already.
pub(super) struct FootGoals {
    pub ankles: Vec<Vec3>,
    /// Of foot and toe.
    pub rotations: Vec<[Quat; 2]>,
    pub lock_weights: Vec<f64>,
    pub backwards: Vec<f64>,
    /// Empty where no knee turns in any frame.
    pub swivels_rad: Vec<f64>,
    /// Empty where nothing is given up in any frame.
    pub given_up_lens: Vec<f64>,
}

impl FootGoals {
    /// The goal in a frame.
    pub fn at(&self, frame: usize) -> FootGoal {
        let [foot_rotation, toe_rotation] = self.rotations[frame];
        FootGoal {
            ankle: self.ankles[frame],
            foot_rotation,
            toe_rotation,
            lock_weight: self.lock_weights[frame],
            backwards: self.backwards[frame],
            swivel_rad: self.swivels_rad.get(frame).copied().unwrap_or(0.0),
            given_up_len: self.given_up_lens.get(frame).copied().unwrap_or(0.0),
        }
    }
}

/// The penetration of a sole: the depth of its lowest point under the ground, negative above it. The tip counts only if
/// no toe joint can bend it up.
pub(crate) fn penetration(goal: &FootGoal, leg: &Leg, ground: f64, up: UpAxis) -> f64 {
    let height = |point: Vec3| up.height(goal.ankle + goal.foot_rotation * point);
    let lowest = height(leg.heel).min(height(leg.ball) - leg.ball_height);
    match leg.toe {
        Some(_) => ground - lowest,
        None => ground - lowest.min(height(leg.tip)),
    }
}

/// How far a person's foot in the air turns its toes up, radians, instead of a lift by `lift`. `ball` is the vector
/// from ankle to ball, world. A lift that is small against the leg stays a lift. A foot as long as its leg would fold
/// the knee if it were lifted only.
pub(super) fn toes_up_rad(ball: Vec3, leg_len: f64, lift: f64, up: UpAxis) -> f64 {
    let rest = lift - saturated(lift, MOST_LIFT * leg_len);
    saturated(raising_rad(ball, rest, up), MOST_TOES_UP_RAD)
}

/// How far a vector turns about a level axis square to it until its end is higher by `rise`, or as far as it can be;
/// radians. 0 if it need not rise.
pub(super) fn raising_rad(way: Vec3, rise: f64, up: UpAxis) -> f64 {
    if rise <= 0.0 {
        return 0.0;
    }
    let len = way.norm().max(1e-300);
    let over_rad = |height: f64| (height / len).clamp(-1.0, 1.0).asin();
    let height = up.height(way);
    over_rad(height + rise) - over_rad(height)
}

/// The lift of a foot in the air beyond which it turns its toes up instead, leg lengths.
const MOST_LIFT: f64 = 0.1;
/// The largest angle by which it turns its toes up.
const MOST_TOES_UP_RAD: f64 = 1.2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_foot_turns_up_and_a_short_one_is_lifted() {
        let up = UpAxis::Y;
        for tilt in [0.0, 0.3, 0.8, 1.2] {
            let ball = |len: f64, turned: f64| {
                let down: f64 = tilt - turned;
                Vec3::new(0.0, -down.sin(), down.cos()) * len
            };
            let turned = toes_up_rad(ball(0.2, 0.0), 1.0, 0.02, up);
            assert!((0.0..0.04).contains(&turned), "a foot that hardly scuffs turns by {turned}");
            let long = ball(1.0, 0.0);
            let mut last = 0.0;
            for lift in [0.1, 0.2, 0.4, 0.6] {
                let turned = toes_up_rad(long, 1.0, lift, up);
                let raised = (ball(1.0, turned) - long).y;
                assert!(turned > last && raised < lift, "{tilt}, {lift}: {turned}");
                assert!(lift - raised < 0.1 + 0.4 * lift, "{tilt}: raised by {raised} of {lift}");
                last = turned;
            }
        }
    }
}
