//! Elbow clearance: keeps elbows over the ground. A long arm whose hand is beside or below a low shoulder lets its elbow hang
//! between them, below the floor. Such an elbow turns up about the line from shoulder to wrist, and the hand stays.
//!
//! The turn is a curve over the clip, of those frames in which a hand may be below the ground, and shortly before and after:
//! arms are known there.

use super::HandMove;
use super::arm::{ArmFrames, TransferredArm, weight};
use super::arm_ik::ArmBend;
use super::body_ground::BodyGround;
use super::contact_interval::{Frames, widened};
use super::hand_clearance::lowest;
use crate::math::{Quat, Vec3, curve, rejection, runs, with_values};
use crate::rig::UpAxis;
use std::f64::consts::{PI, TAU};
use std::ops::Range;

/// How far beside the line from shoulder to wrist an elbow must be, seen from the side, to be turned, and to be turned fully, arm
/// lengths: an elbow next to that line gains nothing.
const BESIDE: [f64; 2] = [0.02, 0.1];

/// An elbow is turned no nearer to the top of its circle than this, radians. It is as high as the line by then, and more so.
const NEAREST_RAD: f64 = 1.0;

/// An elbow is turned fully by up to this, radians, and not at all by half a turn. One that swings through below the floor from
/// one side to the other would have to swing over, which it cannot do in the time.
const FARTHEST_RAD: f64 = 1.5;

/// Where the elbow is on its circle about the line from shoulder to wrist in one frame, and where on it it is over the ground.
#[derive(Clone, Copy)]
struct OnCircle {
    /// From the top of the circle, radians; on the path of an elbow in frames after each other it may be by more than half a turn.
    turn_rad: f64,
    /// How far from the top the elbow is over the ground, to either side, radians; half a turn if it is so everywhere.
    clear_rad: f64,
}

/// Adds the turns of the elbow of one arm to the `moves` of its hand. `low` has the runs of frames in which its hand may be too low.
pub(super) fn turn_up(
    ground: &BodyGround,
    low: &[Range<usize>],
    arm: &mut ArmFrames,
    moves: &mut Option<Vec<HandMove>>,
) {
    let Some(turns_rad) = elbow_turns(ground, low, arm, moves.as_deref()) else { return };
    let weight = weight(ground.binding, arm.arm.side);
    let moves = moves.get_or_insert_with(|| vec![HandMove::default(); turns_rad.len()]);
    for (hand, turn_rad) in moves.iter_mut().zip(turns_rad) {
        hand.swivel_rad += turn_rad * weight;
    }
}

/// How far the elbow turns in every frame, from where the other goals of its hand put it, radians. `None` where no frame
/// needs it.
fn elbow_turns(
    ground: &BodyGround,
    low: &[Range<usize>],
    arm: &mut ArmFrames,
    moves: Option<&[HandMove]>,
) -> Option<Vec<f64>> {
    if low.is_empty() {
        return None;
    }
    let side = arm.arm.side;
    let (count, up) = (ground.body.len(), ground.binding.target.up);
    let bend = ArmBend::of(ground.binding, side, arm.arm.joints[0]);
    let arms = arm.in_runs(low);
    let mut turns_rad = vec![0.0; count];
    for (run, arms) in with_values(low, &arms) {
        let on_circle = |(f, arm): (usize, &TransferredArm)| {
            let shoulder = ground.carried(f, arm.shoulder);
            let room = up.height(shoulder) - lowest(ground, side, f);
            if room > arm.bones()[0] {
                return OnCircle::CLEAR;
            }
            let hand = moves.map_or(HandMove::default(), |moves| moves[f]);
            let way = bend.reached(arm, hand.offset);
            let line = way.try_normalize(1e-300).unwrap_or_default();
            let swivel = Quat::from_scaled_axis(line * hand.swivel_rad);
            let elbow = bend.elbow(arm, way);
            let beside = rejection(elbow, line);
            let room = room + up.height(elbow - beside);
            OnCircle::of(line, swivel * beside, room, arm.bones().iter().sum(), up)
        };
        let circles: Vec<OnCircle> = run.clone().zip(arms).map(on_circle).collect();
        turns_rad[run].copy_from_slice(&turns(circles, ground.frames));
    }
    turns_rad.iter().any(|turn_rad| *turn_rad != 0.0).then_some(turns_rad)
}

impl OnCircle {
    /// Of an elbow whose shoulder is so high that it is over the ground wherever it is.
    const CLEAR: Self = Self { turn_rad: 0.0, clear_rad: PI };

    /// Of an elbow that is `beside` the line from its shoulder to its wrist, in an arm of this length, with so much room between
    /// the middle of its circle and the ground.
    fn of(line: Vec3, beside: Vec3, room: f64, len: f64, up: UpAxis) -> Self {
        let top = rejection(up.vector(), line);
        let reach = beside.norm() * top.norm();
        let turn_rad = line.dot(&top.cross(&beside)).atan2(top.dot(&beside));
        let clear = (-room / reach.max(1e-300)).clamp(-1.0, 1.0).acos();
        let counts = curve::ramp(reach / len.max(1e-300), BESIDE[0], BESIDE[1]);
        Self { turn_rad, clear_rad: PI - (PI - clear.max(NEAREST_RAD)) * counts }
    }

    /// The top that is nearest on the elbow's path.
    fn nearest(&self) -> f64 {
        TAU * (self.turn_rad / TAU).round()
    }

    fn is_low(&self) -> bool {
        (self.turn_rad - self.nearest()).abs() > self.clear_rad
    }

    /// Where on its path the elbow is over the ground next to this top.
    fn cleared(&self, top: f64) -> f64 {
        self.turn_rad.clamp(top - self.clear_rad, top + self.clear_rad)
    }
}

/// How far an elbow turns in frames after each other so that it is over the ground, radians. While it is low, with short pauses, it
/// turns to the side of its circle that is nearer over all these frames.
fn turns(mut circles: Vec<OnCircle>, frames: Frames) -> Vec<f64> {
    let len = circles.len();
    // The path of the elbow around the circle, without jumps of whole turns.
    let mut last = circles[0].turn_rad;
    for circle in &mut circles {
        circle.turn_rad += TAU * ((last - circle.turn_rad) / TAU).round();
        last = circle.turn_rad;
    }
    let low = widened(runs(0..len, |f| circles[f].is_low()), frames.hand / 2, len);
    let mut turns_rad = vec![0.0; len];
    for run in low {
        let top = side_of_all(&circles[run.clone()]);
        for f in run {
            let turn_rad = circles[f].cleared(top) - circles[f].turn_rad;
            // One that has come around to the other side by itself stays there.
            turns_rad[f] = turn_rad * curve::ramp(turn_rad.abs(), PI, FARTHEST_RAD);
        }
    }
    // An elbow that turns back passes where it came from.
    curve::envelope_to_sides(&turns_rad, frames.hand / 2)
}

/// The top of the circle from which an elbow that is low throughout is nearest to where it is over the ground, as a number of whole
/// turns, radians.
fn side_of_all(circles: &[OnCircle]) -> f64 {
    let middle = circles.iter().map(|circle| circle.turn_rad).sum::<f64>() / circles.len() as f64;
    let far = |top: f64| -> f64 {
        let low = circles.iter().filter(|circle| circle.is_low());
        low.map(|circle| (circle.cleared(top) - circle.turn_rad).abs()).sum()
    };
    let tops = [-TAU, 0.0, TAU].map(|by| TAU * (middle / TAU).round() + by);
    tops.into_iter().min_by(|a, b| far(*a).total_cmp(&far(*b))).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plant::PlantSettings;

    /// An elbow so far from the top of its circle in each frame, which is over the ground up to this angle. The direction in which
    /// it lies on its circle as it was, and turned, as angles from the top in one path each.
    fn turned(path: &dyn Fn(f64) -> f64, clear_rad: f64) -> [Vec<f64>; 2] {
        let frames = Frames::new(&PlantSettings::default(), 1.0 / 30.0);
        let was: Vec<f64> = (0..120).map(|f| path(f64::from(f))).collect();
        let wrapped = |rad: &f64| rad - TAU * (rad / TAU).round();
        let circle = |rad: &f64| OnCircle { turn_rad: wrapped(rad), clear_rad };
        let turns = turns(was.iter().map(circle).collect(), frames);
        let is = was.iter().zip(turns).map(|(was, by)| was + by).collect();
        [was, is]
    }

    fn broken(path: &[f64]) -> f64 {
        let breaks = path.windows(3).map(|p| (p[2] - 2.0 * p[1] + p[0]).abs());
        breaks.fold(0.0, f64::max)
    }

    #[test]
    fn an_elbow_that_hangs_below_the_floor_turns_up_to_its_own_side_and_back() {
        for side in [-1.0, 1.0] {
            let hangs = |f: f64| {
                let low = curve::ramp(f, 20.0, 50.0) * curve::ramp(f, 100.0, 70.0);
                side * (0.9 + 1.9 * low)
            };
            let [was, is] = turned(&hangs, 1.5);
            assert!(is.iter().all(|rad| rad * side > 0.0 && rad.abs() < 1.5 + 1e-9));
            assert_eq!([is[0], is[119]], [was[0], was[119]]);
            assert!(broken(&is) < 0.04, "{}", broken(&is));
        }
    }

    #[test]
    fn an_elbow_that_hangs_straight_down_and_trembles_stays_on_one_side() {
        let [was, is] = turned(&|f| PI + 0.1 * (1.3 * f).sin(), 1.5);
        assert!(broken(&is) < 1.1 * broken(&was), "{} {}", broken(&is), broken(&was));
        let from_top = is.iter().map(|rad| rad - TAU * (rad / TAU).round());
        assert!(from_top.clone().all(|rad| rad.abs() < 1.9));
        assert_eq!(
            from_top.clone().all(f64::is_sign_positive),
            from_top.clone().any(f64::is_sign_positive)
        );
    }

    #[test]
    fn an_elbow_that_swings_through_is_not_whirled_over() {
        let [was, is] = turned(&|f| PI + 2.2 * (0.15 * (f - 60.0)).tanh(), 1.5);
        assert!((is[119] - was[119]).abs() < 1e-9);
        assert!(broken(&is) < 4.0 * broken(&was), "{} {}", broken(&is), broken(&was));
    }

    #[test]
    fn an_elbow_is_clear_where_its_circle_is_over_the_ground_and_next_to_its_line() {
        let circle = |beside: f64, room: f64| {
            OnCircle::of(Vec3::x(), Vec3::y() * -beside, room, 1.0, UpAxis::Y)
        };
        assert!(!circle(0.3, 0.31).is_low() && circle(0.3, 0.29).is_low());
        assert!(!circle(0.01, -0.2).is_low(), "it would gain nothing");
        let low = circle(0.3, 0.15);
        let is = low.cleared(0.0);
        assert!((0.3 * is.cos() + 0.15).abs() < 1e-9, "its height there is that of the ground");
    }
}
