//! The moves of both hands in a pose, from the weights of their goals.

use super::sight::Sight;
use super::trunk::ArmSight;
use crate::math::{Vec3, curve, saturated};
use crate::plant::HandMove;
use crate::rig::BodyPart;

/// The farthest that an arm reaches for what it touches, as a share of its length.
const ARM_REACH: f64 = 0.995;

/// Rounds in which hands move to each other, each within its reach.
const ROUNDS: usize = 3;

/// How far a hand may be moved for a touch, arm lengths: beyond the first the touch has a falling weight, from the
/// second on none.
const WORTH: [f64; 2] = [0.5, 1.0];

/// The weight of a touch that moves a hand this far, in arm lengths.
fn worth(way: f64) -> f64 {
    curve::ramp(way, WORTH[1], WORTH[0])
}

/// The weight of each goal of both hands in a frame, 0 to 1.
#[derive(Clone, Copy)]
pub(super) struct Counts {
    /// Nearness of the hands to each other, and the weight that the length of their way leaves of it.
    pub hands: f64,
    pub hands_worth: f64,
    /// The same for each hand and the body.
    pub body: [f64; 2],
    pub body_worth: [f64; 2],
    /// What leaning on a floor leaves of these weights.
    pub free: [f64; 2],
    /// The offsets by which leaning moves them.
    pub floor: [Vec3; 2],
}

impl Sight {
    /// How much of a hand's touch of the body is given up, since it would move the hand too far.
    pub fn body_too_far(&self, side: usize) -> f64 {
        let arm = &self.arms[side];
        1.0 - worth(arm.offset.norm() / arm.len().max(1e-300))
    }

    /// The same for hands that meet, after the body's part in their moves.
    pub fn hands_too_far(&self, counts: &Counts) -> f64 {
        let [left, right] = &self.arms;
        let len = ((left.len() + right.len()) / 2.0).max(1e-300);
        let alone = self.alone(counts);
        1.0 - worth((self.apart - self.between(&alone)).norm() / len)
    }

    /// The vector between the wrists after these offsets.
    fn between(&self, offsets: &[Vec3; 2]) -> Vec3 {
        let [left, right] = &self.arms;
        left.wrist + offsets[0] - right.wrist - offsets[1]
    }

    /// The offset of each hand as far as its arm can follow.
    fn within(&self, wanted: [Vec3; 2], counts: &Counts) -> [Vec3; 2] {
        [0, 1].map(|i| {
            let within = self.arms[i].within_reach(counts.floor[i], wanted[i]);
            wanted[i] + (within - wanted[i]) * counts.free[i]
        })
    }

    /// The offsets of hands that do not meet.
    fn alone(&self, counts: &Counts) -> [Vec3; 2] {
        let Counts { body, body_worth, free, floor, .. } = counts;
        let on_body = |i: usize| self.arms[i].offset * (body[i] * free[i] * body_worth[i]);
        self.within([0, 1].map(|i| floor[i] + on_body(i)), counts)
    }

    /// The moves of both hands for these weights; `parts` are the parts of the body that they are near.
    pub fn touch(&self, counts: &Counts, parts: [Option<BodyPart>; 2]) -> [HandMove; 2] {
        let Counts { hands, hands_worth, body, free, floor, .. } = *counts;
        // Of two hands that lean neither moves, and one that begins to let go moves no more than it has.
        let total = (free[0] + free[1]).max(1.0);
        let on_body = [0, 1].map(|i| floor[i] + self.arms[i].offset * (body[i] * free[i]));
        let alone = self.alone(counts);
        let met_by = hands * hands_worth;
        let (mut wanted, mut met) = (alone, alone);
        for _ in 0..if hands > 0.0 { ROUNDS } else { 0 } {
            let off = self.apart - self.between(&met);
            wanted = [met[0] + off * (free[0] / total), met[1] - off * (free[1] / total)];
            met = self.within(wanted, counts);
        }
        let short = |wanted: Vec3, reached: Vec3| (wanted - reached).norm();
        [0, 1].map(|i| HandMove {
            offset: alone[i].lerp(&met[i], met_by),
            floor: 1.0 - free[i],
            other_hand: hands * free[i],
            body: body[i] * free[i],
            part: parts[i],
            short_len: short(on_body[i], alone[i]) * (1.0 - hands)
                + short(wanted[i], alone[i].lerp(&met[i], met_by)) * hands,
            ..HandMove::default()
        })
    }
}

impl ArmSight {
    /// Length from shoulder to wrist along the bones.
    fn len(&self) -> f64 {
        self.bones[0] + self.bones[1]
    }

    /// `offset`, as far as the arm can follow it: less and less towards its whole length. It always follows `floor`.
    pub fn within_reach(&self, floor: Vec3, offset: Vec3) -> Vec3 {
        let [was, way] = [floor, offset].map(|offset| self.wrist + offset - self.shoulder);
        let most = (ARM_REACH * self.len() - was.norm()).max(0.0);
        let excess = way.norm() - was.norm();
        if excess <= most / 2.0 {
            return offset;
        }
        let allowed = was.norm() + most / 2.0 + saturated(excess - most / 2.0, most / 2.0);
        offset + way * (allowed / way.norm() - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::trunk::Beside;
    use super::*;
    use crate::rig::Shape;

    /// Two arms forwards, hands a little apart, the left one wanted on something out of reach.
    fn sight() -> Sight {
        let arm = |x: f64, offset: Vec3| ArmSight {
            shoulder: Vec3::x() * x,
            elbow: Vec3::new(x, -1.0, 0.5),
            wrist: Vec3::new(x, -1.0, 1.5),
            hand: Vec3::z() * 0.3,
            bones: [1.2, 1.2],
            offset,
            beside: Beside::default(),
        };
        let trunk = Shape::new([-Vec3::y(), Vec3::y()], [Vec3::x(); 2], [0.5; 2], [0.3; 2]);
        let apart = Vec3::x() * 0.2;
        let arms = [arm(0.4, Vec3::z() * 3.0), arm(-0.4, Vec3::zeros())];
        Sight { apart, arms, trunk }
    }

    const COUNTS: Counts = Counts {
        hands: 0.0,
        hands_worth: 1.0,
        body: [1.0, 0.0],
        body_worth: [1.0; 2],
        free: [1.0; 2],
        floor: [Vec3::new(0.0, 0.0, 0.0); 2],
    };

    fn moved(hands: f64) -> [HandMove; 2] {
        sight().touch(&Counts { hands, ..COUNTS }, [None; 2])
    }

    #[test]
    fn hands_that_begin_to_meet_begin_to_move() {
        let [apart, nearly] = [0.0, 1e-6].map(moved);
        assert!(apart[0].short_len > 1.0, "the body wants more than the arm can");
        for (was, is) in apart.iter().zip(&nearly) {
            let by = (is.offset - was.offset).norm();
            assert!(by < 1e-5 && (is.short_len - was.short_len).abs() < 1e-5, "{by}");
        }
    }

    #[test]
    fn a_hand_that_begins_to_let_go_of_the_floor_begins_to_move() {
        let offset = |free: f64| {
            let free = [free, 0.0];
            let counts = Counts { hands: 1.0, free, body: [0.0; 2], ..COUNTS };
            sight().touch(&counts, [None; 2])[0].offset
        };
        let let_go: Vec<Vec3> = (0..=100).map(|i| offset(0.01 * f64::from(i))).collect();
        let most = let_go.windows(2).map(|o| (o[1] - o[0]).norm()).fold(0.0, f64::max);
        assert!(let_go[0] == Vec3::zeros() && let_go[100].norm() > 0.2);
        assert!(most < 0.04, "it moves by {most} at once");
    }

    #[test]
    fn no_hand_is_moved_farther_than_its_arm_is_long() {
        for hands in [0.0, 0.3, 1.0] {
            for (arm, is) in sight().arms.iter().zip(moved(hands)) {
                let far = (arm.wrist + is.offset - arm.shoulder).norm();
                assert!(far <= ARM_REACH * 2.4 + 1e-9, "{far} at {hands}");
            }
        }
    }
}
