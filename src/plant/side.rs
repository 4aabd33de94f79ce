//! The side to which each knee bends.
//!
//! In captures, standing legs pass through straight now and then, and some are bent backwards by a few degrees all the
//! time. A knee keeps its source's side if the source keeps it for long. If the source bends it the other way for a
//! moment only, the knee does not change its side, since a held foot would make it jump. A knee that changes passes
//! sideways, over several frames.

use super::foot::Stand;
use super::leg_ik::FARTHER_BACK_RAD;
use crate::math::{Vec3, curve};

/// The cost of changing a knee's side, as a bend to the wrong side over the ease time of a foot: an angle of the whole
/// knee, radians (some 5°).
const CHANGE_RAD: f64 = 0.09;

/// The bend direction of a knee in every frame: 0 forwards, 1 backwards, in between aside while it changes.
///
/// The sides over the clip minimise the cost: the difference of the knee's bend from the source's, summed over the
/// frames, plus a constant for each change (a shortest path over two states). `forwards` tells how far forwards the source's
/// knee is bent, `ankles` has the goals, and `body` is the offset of the hip from its transferred position.
pub(super) fn backwards(
    stand: &Stand,
    forwards: &[f64],
    ankles: &[Vec3],
    body: &[Vec3],
) -> Vec<f64> {
    let Stand { leg, transferred, frames, .. } = *stand;
    let count = transferred.len();
    if leg.knee.is_none() || forwards.iter().all(|forwards| *forwards >= 0.0) {
        return vec![0.0; count];
    }
    let costs = (0..count).map(|f| {
        let was = &transferred[f];
        let distance = (ankles[f] - was.thigh - body[f]).norm();
        let bend_rad = was.bend_rad();
        let farther = (leg.bend_rad(distance) - bend_rad - FARTHER_BACK_RAD).max(0.0);
        let [back, ahead] = if forwards[f] < 0.0 { [bend_rad, 0.0] } else { [0.0, bend_rad] };
        [2.0 * back, 2.0 * (ahead + farther)]
    });
    let sides = cheapest(costs, CHANGE_RAD * frames.ease as f64);
    curve::smooth(&sides, frames.ease)
}

/// The share of each transferred bend that is to the side to which the knee will be bent; negative where its source bends it
/// to the other side. The arguments are those of [`backwards`].
///
/// The bend times its share is continuous where a knee passes through straight.
pub(super) fn shares(stand: &Stand, forwards: &[f64], ankles: &[Vec3], body: &[Vec3]) -> Vec<f64> {
    let backwards = backwards(stand, forwards, ankles, body);
    forwards.iter().zip(backwards).map(|(was, is)| was * (1.0 - 2.0 * is)).collect()
}

/// The cheapest way through two states (0 and 1), each of which costs so much in every frame, and every change from one
/// to the other `change`.
fn cheapest(costs: impl Iterator<Item = [f64; 2]>, change: f64) -> Vec<f64> {
    let mut total = [0.0; 2];
    // Whether the cheapest path to each state comes from the other one.
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

    /// The cheapest sides of a knee with these bends, where a change costs 3.
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
