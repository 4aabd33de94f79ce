//! Handstands: while its hands carry a body, feet in the air, it rises as far as its arms are longer than its source's, so
//! that they bend no farther than transferred. A curve over the clip.

use super::contact_interval::{Frames, frames_away};
use super::foot::{FootPlan, Stand};
use super::hand_plan::HandPlan;
use crate::math::{Vec3, curve};
use crate::rig::UpAxis;

/// How far the hips are above the shoulders from where on hands carry the body, and where they carry it all, leg lengths.
const UPSIDE_DOWN: [f64; 2] = [0.1, 0.4];

/// How long before and after it stands a foot begins to let the body rise, and lets it rise fully, in ease times. A body
/// that still rises as its foot lands would pop the knee.
const IN_AIR: [f64; 2] = [0.5, 1.25];

/// How far the body, moved by `body`, rises in every frame, target length units. `None` if it rises nowhere.
pub(super) fn rises(
    hands: &[HandPlan],
    stands: &[Stand],
    feet: &[FootPlan],
    body: &[Vec3],
    up: UpAxis,
    frames: Frames,
) -> Option<Vec<f64>> {
    if hands.is_empty() || stands.is_empty() {
        return None;
    }
    let leg_len = stands.iter().map(|stand| stand.leg.len).fold(1e-300, f64::max);
    let feet_away: Vec<Vec<usize>> = feet.iter().map(|foot| frames_away(&foot.down)).collect();
    let [lands, flies] = IN_AIR.map(|times| times * frames.ease as f64);
    let in_air = |f: usize| {
        let of_foot = |away: &Vec<usize>| curve::ramp(away[f] as f64, lands, flies);
        feet_away.iter().map(of_foot).fold(1.0, f64::min)
    };
    let hips = |f: usize| {
        stands.iter().map(|stand| stand.transferred[f].thigh).sum::<Vec3>() / stands.len() as f64
    };
    let hands_away: Vec<Vec<usize>> = hands.iter().map(|hand| frames_away(&hand.leans)).collect();
    let of_hand = |f: usize, (hand, away): (&HandPlan, &Vec<usize>)| {
        let counts = curve::ramp(away[f] as f64, frames.hand as f64, 0.0);
        if counts == 0.0 {
            return None;
        }
        let over_len = up.height(hips(f) - hand.shoulder(f));
        let carries = curve::ramp(over_len / leg_len, UPSIDE_DOWN[0], UPSIDE_DOWN[1]);
        // Before and after it leans, a hand asks for what it asks for in the nearest frame in which it does.
        let before = f.checked_sub(away[f]).filter(|&near| hand.leans[near]);
        let near = before.unwrap_or(f + away[f]);
        Some(hand.rise_len(near, body[near], up) * counts * carries)
    };
    let asked = |f: usize| {
        let in_air = in_air(f);
        if in_air == 0.0 {
            return 0.0;
        }
        let each = hands.iter().zip(&hands_away).filter_map(|hand| of_hand(f, hand));
        in_air * each.reduce(f64::min).unwrap_or(0.0)
    };
    let asked: Vec<f64> = (0..body.len()).map(asked).collect();
    let is_asked = asked.iter().any(|rise| *rise > 0.0);
    is_asked.then(|| curve::smooth(&asked, frames.envelope))
}
