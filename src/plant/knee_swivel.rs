//! Knees that bend farther than transferred go an even way.
//!
//! The plane in which a nearly straight leg is bent trembles and turns fast, and so does the roll of a thigh. A leg that
//! bends farther bends in that plane, so that its knee would whirl about. So it turns about the line from hip to ankle, by a
//! curve over the clip, the more the farther it bends.

use super::even::swivel_rad;
use super::foot::Stand;
use super::leg_ik::Reached;
use super::sole::FootGoals;
use crate::blocks;
use crate::math::{Vec3, curve, rejection};

/// How far a knee must lie farther beside the line from hip to ankle than transferred to turn, leg lengths.
const FARTHER: f64 = 0.002;

/// A knee in one frame.
#[derive(Clone, Copy, Default, PartialEq)]
struct Beside {
    /// The direction from hip to ankle.
    line: Vec3,
    /// The knee from that line, and how much farther it is than transferred.
    beside: Vec3,
    farther_len: f64,
}

/// Turns the knee of a leg that bends farther.
pub(super) fn even(goals: &mut FootGoals, stand: &Stand, body: &[Vec3]) {
    let (leg, count) = (stand.leg, body.len());
    if leg.knee.is_none() || leg.joints.len() != 3 {
        return;
    }
    let knees = blocks::frames(count, |f| knee(goals, stand, body[f], f).unwrap_or_default());
    if knees.iter().all(|knee| knee.farther_len <= FARTHER * leg.len) {
        return;
    }
    goals.swivels_rad = swivels_rad(&knees, leg.len, stand.frames.ease / 2);
}

/// How far each knee of a leg turns about its line, so that it goes an even way.
fn swivels_rad(knees: &[Beside], leg_len: f64, radius: usize) -> Vec<f64> {
    let besides: Vec<Vec3> = knees.iter().map(|knee| knee.beside).collect();
    let even = curve::smooth(&besides, radius);
    let turn_rad = |(knee, even): (&Beside, &Vec3)| {
        let Beside { line, beside, farther_len } = *knee;
        swivel_rad(line, beside, *even, farther_len - FARTHER * leg_len, leg_len)
    };
    knees.iter().zip(&even).map(turn_rad).collect()
}

fn knee(goals: &FootGoals, stand: &Stand, body: Vec3, frame: usize) -> Option<Beside> {
    let was = &stand.transferred[frame];
    let line_was = was.way().try_normalize(1e-300)?;
    let Reached { line, beside, .. } = stand.reached(frame, was.thigh + body, &goals.at(frame))?;
    let farther_len = beside.norm() - rejection(was.knee_or_ball - was.thigh, line_was).norm();
    Some(Beside { line, beside, farther_len })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Quat;

    /// The largest second difference of the way of knees that are beside their line by 0.1 and by so much farther, in a
    /// direction that trembles by 3°; before and after they turn.
    fn broken(farther_len: f64) -> [f64; 2] {
        let knee = |f: usize| {
            let turn = Quat::from_scaled_axis(Vec3::y() * 0.05 * (2.4 * f as f64).sin());
            Beside { line: Vec3::y(), beside: turn * Vec3::z() * 0.1, farther_len }
        };
        let knees: Vec<Beside> = (0..60).map(knee).collect();
        let broken = |turns: &[f64]| {
            let turned = |(knee, turn): (&Beside, &f64)| {
                Quat::from_scaled_axis(knee.line * *turn) * knee.beside
            };
            let places: Vec<Vec3> = knees.iter().zip(turns).map(turned).collect();
            places.windows(3).map(|w| (w[2] - w[1] * 2.0 + w[0]).norm()).fold(0.0, f64::max)
        };
        [broken(&[0.0; 60]), broken(&swivels_rad(&knees, 1.0, 6))]
    }

    #[test]
    fn a_knee_that_bends_farther_does_not_tremble_as_its_thigh_does() {
        let [before, after] = broken(0.09);
        assert!(before > 0.01 && after < 0.5 * before, "{before} and {after} a frame²");
    }

    #[test]
    fn a_knee_that_bends_no_farther_stays() {
        let [before, after] = broken(0.0);
        assert_eq!(before, after);
    }
}
