//! Finds the goal of one foot, from the frames so far.

use super::{Stands, Times};
use crate::math::{Quat, Spring, Vec3, rotation_between};
use crate::plant::{FootGoal, Leg, bend_toes, penetration};
use crate::pose::WorldPose;
use crate::rig::UpAxis;

/// The inputs that all feet of a frame share.
pub(super) struct Around {
    /// The offset of the body, target world.
    pub body: Vec3,
    /// The height of the floor, target world.
    pub ground: f64,
    pub up: UpAxis,
    pub times: Times,
}

/// The state of a foot from frame to frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LiveFoot {
    /// The offset of the ankle from its transferred position, horizontally and upwards.
    level: Spring,
    rise: Spring,
    /// How flat the sole is laid, how flat the toes, and how much the foot counts as standing; each from 0 to 1.
    weights: Spring,
    held: Option<(Vec3, Vec3)>,
    pub goal: FootGoal,
}

impl LiveFoot {
    /// How much the foot counts as standing, from 0 to 1.
    pub fn weight(&self) -> f64 {
        self.weights.value.z
    }

    /// The foot's offset from its transferred position, target world.
    pub fn offset(&self) -> Vec3 {
        self.level.value + self.rise.value
    }

    /// Whether the foot is at its transferred position, and was before.
    pub fn is_free(&self, leg: &Leg) -> bool {
        let still = |spring: &Spring, size: f64| {
            spring.value.amax() < 1e-9 * size && spring.velocity.amax() < 1e-6 * size
        };
        self.held.is_none()
            && still(&self.level, leg.len)
            && still(&self.rise, leg.len)
            && still(&self.weights, 1.0)
    }

    /// Steps by a frame, whose transferred pose is `world`.
    pub fn go_on(&mut self, leg: &Leg, world: &WorldPose, stands: Stands, around: &Around) {
        let Around { body, ground, up, times: Times { ease_s, firm_s, step_s } } = *around;
        let one = |is: bool| if is { 1.0 } else { 0.0 };
        let down = stands.heel || stands.ball;
        let is_flat = stands.ball && (stands.heel || leg.is_point);
        let weights = Vec3::new(one(is_flat), one(stands.ball), one(down));
        self.weights.follow(weights, ease_s, step_s);

        let ankle = world.position(leg.ankle);
        // The sole turns part of the way to lying as the source's does, level from heel to tip.
        let laid = |transferred: Quat, turned: Quat, ahead_local: Vec3, weight: f64| {
            let ahead = turned * ahead_local;
            let flat = rotation_between(ahead, up.level(ahead)) * turned;
            Quat::from_scaled_axis((flat * transferred.inverse()).scaled_axis() * weight)
                * transferred
        };
        let weights = self.weights.value;
        let foot = world.rotation(leg.ankle);
        let toe = leg.toe.map_or(foot, |toe| world.rotation(toe));
        let [turned_foot, turned_toe] = leg.sole_turn.applied(foot, toe);
        let foot_rotation = laid(foot, turned_foot, leg.foot_ahead, weights.x);
        let toe_rotation = match leg.toe {
            Some(_) => laid(toe, turned_toe, leg.toe_ahead, weights.y),
            None => foot_rotation,
        };

        let point = match stands {
            Stands { ball: true, .. } => Some(leg.ball),
            Stands { heel: true, .. } => Some(leg.heel),
            _ => None,
        };
        // A foot that begins to stand stays where it is, so it does not jump.
        self.held = point.map(|point| match self.held {
            Some((same, anchor)) if same == point => (same, anchor),
            _ => (point, ankle + foot_rotation * point + self.level.value),
        });
        match self.held {
            Some((point, anchor)) => {
                self.level.put(up.level(anchor - (ankle + foot_rotation * point)), step_s);
            }
            None => self.level.follow(up.level(body), ease_s, step_s),
        }
        let transferred = FootGoal {
            ankle,
            foot_rotation,
            toe_rotation,
            lock_weight: self.weight(),
            backwards: 0.0,
            swivel_rad: 0.0,
            given_up_len: 0.0,
        };
        if down {
            let rise = up.vector() * penetration(&transferred, leg, ground, up);
            self.rise.follow(rise, firm_s, step_s);
        } else {
            self.rise.follow(body - up.level(body), ease_s, step_s);
        }
        self.goal = FootGoal { ankle: ankle + self.offset(), ..transferred };
        if down {
            bend_toes(&mut self.goal, leg, ground, up);
        }
    }
}
