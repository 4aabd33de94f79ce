//! What both hands do in a pose, once it is known how much each of their goals counts.

use super::sight::{ArmSight, Sight};
use crate::math::Vec3;
use crate::plant::HandMove;
use crate::plant::body::saturated;

/// The farthest that an arm reaches for what it touches, as a share of its length.
const REACH: f64 = 0.995;

/// Rounds in which hands come to each other, each within its reach.
const ROUNDS: usize = 3;

impl Sight {
    /// What the hands do that count as near to each other and to the body as the weights say; `free` is what leaning
    /// on a floor leaves of that, and `floor` how far it moves them.
    pub fn touch(
        &self,
        hands: f64,
        body: [f64; 2],
        free: [f64; 2],
        floor: [Vec3; 2],
    ) -> [HandMove; 2] {
        let [left, right] = &self.arms;
        let on_body = [0, 1].map(|i| floor[i] + self.arms[i].shift * (body[i] * free[i]));
        let within = |i: usize, shift: Vec3| {
            let within = self.arms[i].within_reach(floor[i], shift);
            shift + (within - shift) * free[i]
        };
        let mut shifts = [0, 1].map(|i| within(i, on_body[i]));
        let mut short = [0, 1].map(|i| (on_body[i] - shifts[i]).norm() * (1.0 - hands));
        let between = |shifts: &[Vec3; 2]| left.wrist + shifts[0] - right.wrist - shifts[1];
        let is = between(&shifts);
        let wanted = is + (self.apart - is) * hands;
        let total = (free[0] + free[1]).max(1e-9);
        for round in 1..=if hands > 0.0 { ROUNDS } else { 0 } {
            let off = wanted - between(&shifts);
            shifts[0] += off * (free[0] / total);
            shifts[1] -= off * (free[1] / total);
            for i in [0, 1] {
                let reached = within(i, shifts[i]);
                if round == ROUNDS {
                    short[i] = f64::max(short[i], (shifts[i] - reached).norm());
                }
                shifts[i] = reached;
            }
        }
        [0, 1].map(|i| HandMove {
            shift: shifts[i],
            floor: 1.0 - free[i],
            other_hand: hands * free[i],
            body: body[i] * free[i],
            part: self.arms[i].part,
            aside_len: 0.0,
            swivel_rad: 0.0,
            short_len: short[i],
        })
    }
}

impl ArmSight {
    /// The same shift as far as the arm can follow, softly towards its whole length; `floor` is a shift that it
    /// follows anyhow.
    pub fn within_reach(&self, floor: Vec3, shift: Vec3) -> Vec3 {
        let [was, way] = [floor, shift].map(|shift| self.wrist + shift - self.shoulder);
        let most = (REACH * (self.bones[0] + self.bones[1]) - was.norm()).max(0.0);
        let excess = way.norm() - was.norm();
        if excess <= most / 2.0 {
            return shift;
        }
        let allowed = was.norm() + most / 2.0 + saturated(excess - most / 2.0, most / 2.0);
        shift + way * (allowed / way.norm() - 1.0)
    }
}
