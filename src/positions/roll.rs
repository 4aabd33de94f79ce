//! The roll of thighs and upper arms about their own axis, from the plane in which knee and elbow bend.

use super::rest::Rest;
use super::{Bone, Tracked};
use crate::math::curve::{ramp, smooth};
use crate::math::{Quat, Vec3, frame_from_axes};
use std::f64::consts::{PI, TAU};

/// A limb whose bend determines the roll of its first bone.
pub struct Limb {
    /// The joints of thigh, shin and foot, or of upper arm, forearm and hand.
    pub joints: [usize; 3],
    /// The axis that it bends about in the zero pose of a body that faces +Z with Y up.
    pub hinge: Vec3,
}

/// A limb that bends by less than the first angle shows no plane; one that bends by more than the second surely shows
/// one; radians.
const BENDS_RAD: [f64; 2] = [0.105, 0.262];

/// A plane is known where knee or elbow is off the straight line by so many times the noise of its position.
const OVER_NOISE: f64 = 8.0;

/// So many frames are too few for a limb to roll by as much as this, radians.
const AT_ONCE: usize = 10;
const TURNED_ROUND_RAD: f64 = 2.1;

/// The same angle in the turn nearest to another one.
fn nearest(angle: f64, to: f64) -> f64 {
    angle - ((angle - to) / TAU).round() * TAU
}

/// Rolls `turned`, the limb's first joint with the least twist, into the plane in which the limb bends. Where it bends
/// little the roll goes evenly from where it last was known to where it is known again.
pub fn roll_limb(tracked: &Tracked, limb: &Limb, rest: &Rest, bones: &[Bone], turned: &mut [Quat]) {
    let [top, middle, end] = limb.joints;
    let hinge = rest.world_from_body * limb.hinge;
    let Some(rest_frame) = frame_from_axes(hinge, rest.offsets[middle]) else { return };
    let noise = bones[middle].spread.max(bones[end].spread);
    let (mut rolls, mut weights) = (vec![0.0; turned.len()], vec![0.0; turned.len()]);
    // A limb that is bent beyond straight bends to the other side of the same plane: then the plane seems turned round
    // from one frame to the next.
    let (mut last, mut last_seen, mut turned_round) = (0.0, None::<usize>, 0.0);
    for (frame, swung) in turned.iter().enumerate() {
        let (upper, lower) = (tracked.way(frame, top, middle), tracked.way(frame, middle, end));
        let across = upper.cross(&lower);
        let bend = across.norm().atan2(upper.dot(&lower));
        let Some(plane) = frame_from_axes(across, upper) else { continue };
        let twist = plane * rest_frame.inverse() * swung.inverse();
        let roll = 2.0 * twist.imag().dot(&upper.normalize()).atan2(twist.w);
        let gone_on = last_seen.is_some_and(|last| frame - last <= AT_ONCE);
        if !gone_on {
            turned_round = 0.0;
        }
        let mut roll = nearest(roll + turned_round, last);
        if gone_on && (roll - last).abs() > TURNED_ROUND_RAD {
            turned_round = PI - turned_round;
            roll = nearest(roll + PI, last);
        }
        rolls[frame] = roll;
        let off_line = across.norm() / (upper + lower).norm().max(1e-12);
        let seen =
            if noise > 0.0 { ramp(off_line / noise, OVER_NOISE / 2.0, OVER_NOISE) } else { 1.0 };
        weights[frame] = ramp(bend, BENDS_RAD[0], BENDS_RAD[1]) * seen;
        if weights[frame] >= 0.5 {
            (last, last_seen) = (rolls[frame], Some(frame));
        }
    }
    fill(&mut rolls, &weights);
    let shown = rolls.iter().zip(&weights).any(|(_, weight)| *weight > 0.0);
    if !shown {
        return;
    }
    let is_noisy = noise > 0.002 * bones[middle].len;
    let rolls = if is_noisy { smooth(&rolls, 2) } else { rolls };
    for (frame, (swung, roll)) in turned.iter_mut().zip(rolls).enumerate() {
        let along = tracked.way(frame, top, middle);
        let Some(axis) = along.try_normalize(1e-12) else { continue };
        *swung = Quat::from_scaled_axis(axis * roll) * *swung;
    }
}

/// Interpolates values by their weights: a value of full weight stays; one of less weight moves towards the straight
/// line between the nearest values of full weight.
fn fill(values: &mut [f64], weights: &[f64]) {
    let sure: Vec<usize> = (0..values.len()).filter(|&i| weights[i] >= 1.0).collect();
    let mean = || {
        let total: f64 = weights.iter().sum();
        let sum: f64 = values.iter().zip(weights).map(|(value, weight)| value * weight).sum();
        if total > 0.0 { sum / total } else { 0.0 }
    };
    let mean = if sure.is_empty() { mean() } else { 0.0 };
    let known: Vec<f64> = values.to_vec();
    let mut next = 0;
    for (i, value) in values.iter_mut().enumerate() {
        while next < sure.len() && sure[next] < i {
            next += 1;
        }
        let led = match (next.checked_sub(1).map(|n| sure[n]), sure.get(next)) {
            (Some(a), Some(&b)) => {
                let share = (i - a) as f64 / (b - a).max(1) as f64;
                known[a] + (known[b] - known[a]) * share
            }
            (Some(a), None) => known[a],
            (None, Some(&b)) => known[b],
            (None, None) => mean,
        };
        *value = led + (known[i] - led) * weights[i];
    }
}
