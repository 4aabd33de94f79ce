//! Where a foot is to be, and where that leaves its sole.

use super::transferred::Leg;
use crate::math::{Quat, Vec3, rotation_between};
use crate::rig::UpAxis;

/// A foot's goal in one frame, target world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FootGoal {
    pub ankle: Vec3,
    pub foot_rotation: Quat,
    pub toe_rotation: Quat,
    /// How much the sole holds its place on the floor: 1 where it stands, 0 in full swing.
    pub lock_weight: f64,
    /// How far the knee above is bent backwards: 0 forwards, 1 backwards, in between aside.
    pub backwards: f64,
}

/// A foot's goals over a clip, a list for each part of them, so that each can be made from what is there already.
pub(super) struct FootGoals {
    pub ankles: Vec<Vec3>,
    /// Of foot and toe.
    pub rotations: Vec<[Quat; 2]>,
    pub lock_weights: Vec<f64>,
    pub backwards: Vec<f64>,
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
        }
    }
}

/// How far the lowest point of a sole lies under the ground; negative above it. The tip counts only
/// where no toe joint can bend it up.
pub(crate) fn penetration(goal: &FootGoal, leg: &Leg, ground: f64, up: UpAxis) -> f64 {
    let height = |point: Vec3| up.height(goal.ankle + goal.foot_rotation * point);
    let lowest = height(leg.heel).min(height(leg.ball) - leg.ball_height);
    match leg.toe {
        Some(_) => ground - lowest,
        None => ground - lowest.min(height(leg.tip)),
    }
}

/// Bends the toes up until their tip is on the ground, if it is under it.
pub(crate) fn bend_toes(goal: &mut FootGoal, leg: &Leg, ground: f64, up: UpAxis) {
    let ball = goal.ankle + goal.foot_rotation * leg.ball;
    let tip = goal.toe_rotation * leg.tip;
    let (height, room) = (up.height(tip), ground - up.height(ball));
    if leg.toe.is_none() || height >= room {
        return;
    }
    let level = tip - up.vector() * height;
    let reach = (tip.norm_squared() - room * room).max(0.0).sqrt();
    let Some(ahead) = level.try_normalize(1e-12) else { return };
    let bent = ahead * reach + up.vector() * room.clamp(-tip.norm(), tip.norm());
    goal.toe_rotation = rotation_between(tip, bent) * goal.toe_rotation;
}
