//! What both hands do in a pose, once it is known how much each of their goals counts.

use super::sight::{ArmSight, Sight};
use crate::math::{Vec3, curve};
use crate::plant::HandMove;
use crate::plant::body::saturated;

/// The farthest that an arm reaches for what it touches, as a share of its length.
const REACH: f64 = 0.995;

/// Rounds in which hands come to each other, each within its reach.
const ROUNDS: usize = 3;

/// How far a hand may be moved for a touch, arm lengths: farther than the first it is worth ever less, and from the
/// second on nothing.
const WORTH: [f64; 2] = [0.5, 1.0];

/// How much of a touch is worth what it takes, a way in arm lengths.
fn worth(way: f64) -> f64 {
    curve::ramp(way, WORTH[1], WORTH[0])
}

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
        let within = |wanted: [Vec3; 2]| {
            [0, 1].map(|i| {
                let within = self.arms[i].within_reach(floor[i], wanted[i]);
                wanted[i] + (within - wanted[i]) * free[i]
            })
        };
        let between = |shifts: &[Vec3; 2]| left.wrist + shifts[0] - right.wrist - shifts[1];
        let total = (free[0] + free[1]).max(1e-9);
        let on_body = [0, 1].map(|i| floor[i] + self.arms[i].shift * (body[i] * free[i]));
        let alone = within([0, 1].map(|i| {
            let arm = &self.arms[i];
            floor[i]
                + arm.shift * (body[i] * free[i] * worth(arm.shift.norm() / arm.len().max(1e-300)))
        }));
        let len = ((left.len() + right.len()) / 2.0).max(1e-300);
        let met_by = hands * worth((self.apart - between(&alone)).norm() / len);
        let (mut wanted, mut met) = (alone, alone);
        for _ in 0..if hands > 0.0 { ROUNDS } else { 0 } {
            let off = self.apart - between(&met);
            wanted = [met[0] + off * (free[0] / total), met[1] - off * (free[1] / total)];
            met = within(wanted);
        }
        let short = |wanted: Vec3, reached: Vec3| (wanted - reached).norm();
        [0, 1].map(|i| HandMove {
            shift: alone[i].lerp(&met[i], met_by),
            floor: 1.0 - free[i],
            other_hand: hands * free[i],
            body: body[i] * free[i],
            part: self.arms[i].part,
            aside_len: 0.0,
            swivel_rad: 0.0,
            short_len: short(on_body[i], alone[i]) * (1.0 - hands)
                + short(wanted[i], alone[i].lerp(&met[i], met_by)) * hands,
        })
    }
}

impl ArmSight {
    /// From shoulder to wrist along the bones.
    fn len(&self) -> f64 {
        self.bones[0] + self.bones[1]
    }

    /// The same shift as far as the arm can follow, softly towards its whole length; `floor` is a shift that it
    /// follows anyhow.
    pub fn within_reach(&self, floor: Vec3, shift: Vec3) -> Vec3 {
        let [was, way] = [floor, shift].map(|shift| self.wrist + shift - self.shoulder);
        let most = (REACH * self.len() - was.norm()).max(0.0);
        let excess = way.norm() - was.norm();
        if excess <= most / 2.0 {
            return shift;
        }
        let allowed = was.norm() + most / 2.0 + saturated(excess - most / 2.0, most / 2.0);
        shift + way * (allowed / way.norm() - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Shape;

    /// Two arms forwards, hands a little apart, the left one wanted on something out of reach.
    fn sight() -> Sight {
        let arm = |x: f64, shift: Vec3| ArmSight {
            shoulder: Vec3::x() * x,
            elbow: Vec3::new(x, -1.0, 0.5),
            wrist: Vec3::new(x, -1.0, 1.5),
            hand: Vec3::z() * 0.3,
            bones: [1.2, 1.2],
            body: 0.0,
            part: None,
            shift,
            sinks: 0.0,
            allowed: [0.0; 4],
        };
        let trunk = Shape::new([-Vec3::y(), Vec3::y()], [Vec3::x(); 2], [0.5; 2], [0.3; 2]);
        let apart = Vec3::x() * 0.2;
        let arms = [arm(0.4, Vec3::z() * 3.0), arm(-0.4, Vec3::zeros())];
        Sight { hands: 0.0, apart, arms, trunk }
    }

    fn moved(hands: f64) -> [HandMove; 2] {
        sight().touch(hands, [1.0, 0.0], [1.0; 2], [Vec3::zeros(); 2])
    }

    #[test]
    fn hands_that_begin_to_meet_begin_to_move() {
        let [apart, nearly] = [0.0, 1e-6].map(moved);
        assert!(apart[0].short_len > 1.0, "the body wants more than the arm can");
        for (was, is) in apart.iter().zip(&nearly) {
            let by = (is.shift - was.shift).norm();
            assert!(by < 1e-5 && (is.short_len - was.short_len).abs() < 1e-5, "{by}");
        }
    }

    #[test]
    fn no_hand_is_moved_farther_than_its_arm_is_long() {
        for hands in [0.0, 0.3, 1.0] {
            for (arm, is) in sight().arms.iter().zip(moved(hands)) {
                let far = (arm.wrist + is.shift - arm.shoulder).norm();
                assert!(far <= REACH * 2.4 + 1e-9, "{far} at {hands}");
            }
        }
    }
}
