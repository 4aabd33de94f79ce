//! Leaps onto hands: a body that its hands carry, feet in the air, stands on them as high as its arms and trunk are long,
//! not as its legs are. Where that is much higher, it leaves the ground before its source's feet do and comes down after
//! them, so that it rises no faster than people jump; its feet let go of the floor for it. Lower rises are those of
//! [`handstand`](super::handstand). A curve over the clip.

use super::contact_interval::{Frames, frames_away};
use super::hand_plan::HandPlan;
use super::transferred::TransferredLeg;
use crate::contact::ContactTrack;
use crate::math::{Vec3, curve, runs};
use crate::rig::UpAxis;

/// How far the hips are above a shoulder from where on hands carry the body, and where they carry it all, as shares of the
/// distance between them.
const UPSIDE_DOWN: [f64; 2] = [0.15, 0.6];

/// How far the higher ankle is above its hip from where on legs are up, and where they are up wholly, as shares of the
/// distance between them. On hands and feet, as in a crawl, a body is carried by both.
const LEGS_UP: [f64; 2] = [0.0, 0.3];

/// A foot lets go of the floor where the body rises by more than this, leg lengths; legs that bend reach so far.
const LETS_GO: f64 = 0.12;

/// How high a body must rise on its hands to leap at all, and to leap wholly, leg lengths.
const WORTH: [f64; 2] = [0.3, 0.5];

/// How far the body rises in every frame, target length units. `None` if it rises nowhere.
pub(super) fn rises(
    hands: &[HandPlan],
    legs: &[Vec<TransferredLeg>],
    track: &ContactTrack,
    ground: f64,
    leg_len: f64,
    up: UpAxis,
    frames: Frames,
) -> Option<Vec<f64>> {
    if hands.is_empty() || legs.is_empty() {
        return None;
    }
    let stands = track.frames_of(track.contacts.iter());
    let hips = |f: usize| legs.iter().map(|leg| leg[f].thigh).sum::<Vec3>() / legs.len() as f64;
    let legs_up = |f: usize| {
        let height = |leg: &Vec<TransferredLeg>| {
            let way = leg[f].way();
            up.height(way) / way.norm().max(1e-300)
        };
        let highest = legs.iter().map(height).fold(-1.0, f64::max);
        curve::ramp(highest, LEGS_UP[0], LEGS_UP[1])
    };
    let is_carried = |f: usize| !stands[f] && hands.iter().any(|hand| hand.leans[f]);
    let carried: Vec<bool> = (0..track.frames).map(is_carried).collect();
    let away = frames_away(&carried);
    // A whole stand on hands counts as much as its legs come up.
    let mut counts = vec![0.0; track.frames];
    for run in runs(0..track.frames, |f| carried[f]) {
        let most = run.clone().map(legs_up).fold(0.0, f64::max);
        counts[run].fill(most);
    }
    let asked = |f: usize| {
        if away[f] > frames.hand {
            return 0.0;
        }
        let before = f.checked_sub(away[f]).filter(|&near| carried[near]);
        let counts = counts[before.unwrap_or(f + away[f])];
        if counts == 0.0 {
            return 0.0;
        }
        let of_hand = |hand: &HandPlan| {
            let trunk = hips(f) - hand.shoulder(f);
            let over = up.height(trunk) / trunk.norm().max(1e-300);
            let carries = curve::ramp(over, UPSIDE_DOWN[0], UPSIDE_DOWN[1]);
            hand.leap_len(f, ground, up) * carries
        };
        let leaning = hands.iter().filter(|hand| hand.leans[f]).map(of_hand).reduce(f64::min);
        counts * leaning.unwrap_or_else(|| hands.iter().map(of_hand).fold(0.0, f64::max))
    };
    let mut asked: Vec<f64> = (0..track.frames).map(asked).collect();
    for run in runs(0..track.frames, |f| away[f] <= frames.hand) {
        let most = run.clone().map(|f| asked[f]).fold(0.0, f64::max);
        let worth = curve::ramp(most / leg_len, WORTH[0], WORTH[1]);
        asked[run].iter_mut().for_each(|rise| *rise *= worth);
    }
    let is_asked = asked.iter().any(|rise| *rise > 0.0);
    is_asked.then(|| curve::envelope(&asked, frames.hand / 2))
}

/// The frames in which the feet of a body that rises so let go of the floor: while it does, and before and after it.
pub(super) fn lets_go(rises: &[f64], leg_len: f64, frames: Frames) -> Vec<bool> {
    let rises = curve::highest_within(rises, frames.ease);
    rises.into_iter().map(|rise| rise > LETS_GO * leg_len).collect()
}
