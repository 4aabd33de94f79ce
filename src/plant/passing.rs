//! Feet that pass straight down on their way to lie behind their shins, and on their way back.
//!
//! A foot that is too low turns its ball up ahead. One that comes to lie on its instep, as that of a long foot whose knee
//! kneels, would so be kept ahead while it passes, and flick over to the other side within a frame. It turns to the side on
//! which it is instead, and passes straight down evenly in between, though its toes are in the ground for some frames if its
//! ankle is lower than they are long.

use crate::math::{curve, runs};

/// By how much the ball of a foot rises with a small turn of its toes up (1 where it points ahead, 0 straight down, -1 behind):
/// from the first on it begins to be behind, and from the second on it is.
const BEHIND: [f64; 2] = [0.2, -0.2];

/// The same, of a foot that lies behind before it comes back, less and less up to the first: any other only swings there.
const LIES: [f64; 2] = [-0.7, -0.9];

/// How a foot passes straight down over the clip.
pub(super) struct Passing {
    /// How far it is behind in each frame, from 0 to 1; 0 for a foot that only swings there.
    behind: Vec<f64>,
    /// How near it is in time to frames in which it is behind, from 0 to 1.
    near: Vec<f64>,
}

impl Passing {
    /// Of a foot whose ball rises so with a small turn of its toes up, in each frame, as a share of its length and that turn.
    /// It passes evenly over about twice as many frames as `early`.
    pub fn new(rises: &[f64], early: usize) -> Self {
        let mut behind = vec![0.0; rises.len()];
        for run in runs(0..rises.len(), |f| rises[f] < BEHIND[0]) {
            let farthest = rises[run.clone()].iter().copied().fold(0.0, f64::min);
            let lies = curve::ramp(farthest, LIES[0], LIES[1]);
            for f in run {
                behind[f] = lies * curve::ramp(rises[f], BEHIND[0], BEHIND[1]);
            }
        }
        let near = curve::envelope(&behind, 2 * early);
        Self { behind, near }
    }

    /// The parts of the turns by which it must come up in each frame that it turns ahead and back.
    pub fn sides(&self, turns_rad: &[f64]) -> [Vec<f64>; 2] {
        let back = turns_rad.iter().zip(&self.behind).map(|(turn, behind)| turn * behind);
        let back: Vec<f64> = back.collect();
        [turns_rad.iter().zip(&back).map(|(turn, back)| turn - back).collect(), back]
    }

    /// Of what a foot does in a frame where it does not pass, and where it does, as much as it passes.
    pub fn part(&self, frame: usize, stays: f64, passes: f64) -> f64 {
        stays + (passes - stays) * self.near[frame].min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// How far behind a foot is whose pitch goes from pointing ahead to so far behind and back.
    fn behind(farthest_rad: f64) -> Passing {
        let pitch = |f: i32| 0.8 - (0.8 + farthest_rad) * (PI * f64::from(f) / 240.0).sin();
        let rises: Vec<f64> = (0..=240).map(|f| pitch(f).sin()).collect();
        Passing::new(&rises, 4)
    }

    #[test]
    fn a_foot_that_comes_to_lie_behind_passes_and_one_that_swings_there_does_not() {
        let lies = behind(1.5);
        assert!(lies.behind[0] == 0.0 && (lies.behind[120] - 1.0).abs() < 1e-9);
        assert_eq!((lies.part(0, 1.0, -1.0), lies.part(120, 1.0, -1.0)), (1.0, -1.0));
        let swings = behind(0.5);
        assert!(swings.behind.iter().all(|behind| *behind == 0.0));
        assert!((0..=240).all(|f| swings.part(f, 1.0, -1.0) == 1.0));
    }

    #[test]
    fn a_foot_that_lies_a_little_farther_behind_passes_a_little_more() {
        for i in 0..100 {
            let [from, to] = [0.0, 0.01].map(|more| behind(0.4 + 0.01 * f64::from(i) + more));
            let apart = from.behind.iter().zip(&to.behind).map(|(a, b)| (a - b).abs());
            assert!(apart.fold(0.0, f64::max) < 0.12, "{i}");
        }
    }
}
