//! To which side each knee is bent.
//!
//! Captured legs that stand straight pass through straight now and then, and some are bent backwards by a few degrees
//! all the time. A knee keeps the side of its source where that lasts. Where it does for a moment only, it does not
//! change, since a foot that is held would make it jump; where it changes, it goes over aside, in time.

use super::foot::Stand;
use super::limb_ik::FARTHER_BACK_RAD;
use crate::math::{Vec3, curve};

/// A knee changes its side where this is less than what it would be bent to the wrong one over the time in which a
/// foot eases: an angle of a whole knee, radians (some 5°).
const CHANGE_RAD: f64 = 0.09;

/// How far a knee is bent backwards in every frame: 0 forwards, 1 backwards, in between aside while it changes.
///
/// Of all ways to choose the sides over the clip the one that costs least: what the knee is bent otherwise than
/// in the source, summed over the frames, and so much for each change (a shortest path of two states). `bent_back` is
/// where it is bent backwards there, `ankles` are where they are to be, and `body` is how far the hip moves from where
/// it was transferred.
pub(super) fn backwards(
    stand: &Stand,
    bent_back: &[bool],
    ankles: &[Vec3],
    body: &[Vec3],
) -> Vec<f64> {
    let Stand { leg, transferred, frames, .. } = *stand;
    let count = transferred.len();
    if leg.knee.is_none() || !bent_back.contains(&true) {
        return vec![0.0; count];
    }
    let costs = (0..count).map(|f| {
        let was = &transferred[f];
        let distance = (ankles[f] - was.thigh - body[f]).norm();
        let bend_rad = was.bend_rad();
        let farther = (leg.bend_rad(distance) - bend_rad - FARTHER_BACK_RAD).max(0.0);
        let [back, ahead] = if bent_back[f] { [bend_rad, 0.0] } else { [0.0, bend_rad] };
        [2.0 * back, 2.0 * (ahead + farther)]
    });
    let sides = cheapest(costs, CHANGE_RAD * frames.ease as f64);
    curve::smooth(&sides, frames.ease)
}

/// The cheapest way through two states (0 and 1), each of which costs so much in every frame, and every change from one
/// to the other `change`.
fn cheapest(costs: impl Iterator<Item = [f64; 2]>, change: f64) -> Vec<f64> {
    let mut total = [0.0; 2];
    // Whether the cheapest way to each state comes from the other one.
    let changed: Vec<[bool; 2]> = costs
        .map(|cost| {
            let is_changed = [0, 1].map(|to: usize| total[1 - to] + change < total[to]);
            total = [0, 1].map(|to| cost[to] + total[to].min(total[1 - to] + change));
            is_changed
        })
        .collect();
    let mut state = usize::from(total[1] < total[0]);
    let mut sides = vec![0.0; changed.len()];
    for (side, changed) in sides.iter_mut().zip(changed).rev() {
        *side = state as f64;
        state = if changed[state] { 1 - state } else { state };
    }
    sides
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cheapest sides of a knee that is bent by so much in each frame, where a change costs 3.
    fn sides(bends: impl Iterator<Item = f64>) -> Vec<f64> {
        cheapest(bends.map(|bend: f64| [(-bend).max(0.0), bend.max(0.0)]), 3.0)
    }

    #[test]
    fn a_knee_keeps_the_side_that_lasts_and_passes_over_a_short_while() {
        let lasting = |f: usize| if f < 40 { 1.0 } else { -1.0 };
        let wanted: Vec<f64> = (0..80).map(|f| if f < 40 { 0.0 } else { 1.0 }).collect();
        assert_eq!(sides((0..80).map(lasting)), wanted);
        let short = |f: usize| if (40..43).contains(&f) { -0.9 } else { 1.0 };
        assert_eq!(sides((0..80).map(short)), [0.0; 80]);
        assert_eq!(sides((0..80).map(|_| 0.0)), [0.0; 80], "a straight one goes forwards");
    }

    #[test]
    fn a_cut_changes_no_side_away_from_its_ends() {
        let bend = |f: usize| (0.05 * f as f64).sin() + 0.3 * (1.7 * f as f64).cos();
        let whole = sides((0..600).map(bend));
        assert!(whole.contains(&0.0) && whole.contains(&1.0));
        assert_eq!(sides((200..400).map(bend))[20..180], whole[220..380]);
    }
}
