//! Where the body goes so that its legs can stand on their anchors: a shift that follows the feet,
//! and a drop that keeps every foot within reach. Both are curves over the clip, smooth in time.

use super::carried::{CarriedLeg, Leg};
use super::foot::{FootGoal, FootPlan, Frames, runs};
use crate::math::{Vec3, curve};
use crate::rig::UpAxis;

/// The body's shift in every frame: the mean shift of the feet that stand, eased from one to the
/// other, bridged in flight.
pub(super) fn shifts(plans: &[FootPlan; 2], frames: Frames) -> Vec<Vec3> {
    let count = plans[0].stands.len();
    let weights = [0, 1].map(|i| tapered(&plans[i].stands, frames.ease));
    let mut known = vec![false; count];
    let mut shifts: Vec<Vec3> = (0..count)
        .map(|f| {
            let total = weights[0][f] + weights[1][f];
            known[f] = total > 0.0;
            if !known[f] {
                return Vec3::zeros();
            }
            (plans[0].shifts[f] * weights[0][f] + plans[1].shifts[f] * weights[1][f]) / total
        })
        .collect();
    curve::bridge(&mut shifts, &known, 2 * frames.ease, frames.slope);
    curve::smooth(&shifts, frames.body)
}

/// 1 inside every run of `mask`, rising from just above 0 over `ease` frames at both ends (the clip's
/// own ends excepted), 0 outside.
fn tapered(mask: &[bool], ease: usize) -> Vec<f64> {
    let mut weights = vec![0.0; mask.len()];
    for run in runs(0..mask.len(), |f| mask[f]) {
        for f in run.clone() {
            let into = if run.start == 0 { ease } else { f - run.start + 1 };
            let left = if run.end == mask.len() { ease } else { run.end - f };
            weights[f] = curve::ramp(into.min(left) as f64, 0.0, (ease + 1) as f64).max(1e-6);
        }
    }
    weights
}

/// The farthest a leg may reach before its knee counts as locked, as a share of its length; a leg
/// that is straighter in the source may be as straight here.
const LOCK: f64 = 0.99;
/// Never quite straight, so that the knee keeps a side to bend to.
const STRAIGHT: f64 = 0.9995;

/// How far a leg may reach in a frame: as far as before its knee would lock, or as it did.
fn reach(leg: &Leg, was: &CarriedLeg) -> f64 {
    (was.ankle - was.thigh).norm().clamp(LOCK * leg.len, STRAIGHT * leg.len)
}

/// How far the body must come down in every frame for all standing feet to be within reach.
pub(super) fn drops(
    legs: &[Leg; 2],
    carried: &[[CarriedLeg; 2]],
    body: &[Vec3],
    goals: &[[FootGoal; 2]],
    plans: &[FootPlan; 2],
    up: UpAxis,
    frames: Frames,
) -> Vec<f64> {
    let needed = |i: usize| {
        let of_frame = move |f: usize| {
            let was = &carried[f][i];
            let reach = reach(&legs[i], was);
            let down = (was.thigh + body[f]) - goals[f][i].ankle;
            let height = up.height(down);
            let level_squared = (down.norm_squared() - height * height).max(0.0);
            // Where the foot is too far aside, coming down to its height is the best there is.
            let needed = height - (reach * reach - level_squared).max(0.0).sqrt();
            if plans[i].stands[f] { needed.max(0.0) } else { 0.0 }
        };
        (0..goals.len()).map(of_frame).collect::<Vec<f64>>()
    };
    let [left, right] = [needed(0), needed(1)];
    let needed: Vec<f64> = left.iter().zip(&right).map(|(l, r)| l.max(*r)).collect();
    curve::envelope(&needed, frames.envelope)
}

/// Brings the goals of feet that do not stand within the reach of their legs.
pub(super) fn pull_in(
    goals: &mut [[FootGoal; 2]],
    legs: &[Leg; 2],
    carried: &[[CarriedLeg; 2]],
    body: &[Vec3],
    plans: &[FootPlan; 2],
) {
    for (f, goals) in goals.iter_mut().enumerate() {
        for i in (0..2).filter(|&i| !plans[i].stands[f]) {
            let hip = carried[f][i].thigh + body[f];
            let way = goals[i].ankle - hip;
            let reach = reach(&legs[i], &carried[f][i]);
            if way.norm() > reach {
                goals[i].ankle = hip + way * (reach / way.norm());
            }
        }
    }
}
