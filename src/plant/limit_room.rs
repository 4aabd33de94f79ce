//! How far a movement may go until it asks too much of a limb.

use crate::blocks;
use crate::ik::Approach;
use crate::math::curve;

/// How far something may move along one way, at most `most`, while `is_within` holds.
pub(super) fn room(most: f64, is_within: impl Fn(f64) -> bool) -> f64 {
    if is_within(most) {
        return most;
    }
    let (mut within, mut outside) = (0.0, most);
    for _ in 0..ROUNDS {
        let middle = 0.5 * (within + outside);
        *(if is_within(middle) { &mut within } else { &mut outside }) = middle;
    }
    within
}

/// Rounds of the bisection: to a thousandth of the way.
const ROUNDS: usize = 10;

/// How far something may move along one way, at most `most`, until a joint reaches the limit that its rig states. `beyond`
/// returns how far the joints are beyond their limits there, as [`Approach::EARLY`] sees it, radians.
pub(super) fn limit_room<const JOINTS: usize>(
    most: f64,
    beyond: impl Fn(f64) -> Option<[f64; JOINTS]>,
) -> f64 {
    room(most, |way| all_within(beyond(way), 0.0))
}

/// The share of a move that a limb makes without leaving its stated limits by much.
pub(super) fn limited_share<const JOINTS: usize>(
    beyond: impl Fn(f64) -> Option<[f64; JOINTS]>,
) -> f64 {
    room(1.0, |share| all_within(beyond(share), TAKEN_BACK_RAD))
}

/// The share of its move that a limb gives up in each of so many frames so that it does not leave its stated limits by much;
/// as a curve, over `radius` frames. `beyond` is that of [`limited_share`], by frame and share.
pub(super) fn given_up<const JOINTS: usize>(
    count: usize,
    radius: usize,
    beyond: impl Fn(usize, f64) -> Option<[f64; JOINTS]> + Sync,
) -> Vec<f64> {
    let given_up = blocks::frames(count, |frame| 1.0 - limited_share(|share| beyond(frame, share)));
    curve::envelope(&given_up, radius)
}

/// How far a joint may be asked beyond its limit, radians (4°): so much the solve takes back.
const TAKEN_BACK_RAD: f64 = 0.07;

fn all_within<const JOINTS: usize>(beyond: Option<[f64; JOINTS]>, by_rad: f64) -> bool {
    let allowed_rad = Approach::EARLY.at_limit_rad() + by_rad;
    beyond.is_none_or(|beyond| beyond.iter().all(|by| *by <= allowed_rad))
}
