//! Where the body goes so that its legs can stand on their anchors: a shift that follows the feet,
//! and a drop that keeps every foot within reach. Both are curves over the clip, smooth in time.

use super::carried::{CarriedLeg, Leg};
use super::foot::{FootGoal, FootPlan, Frames, runs};
use super::short;
use crate::math::{Vec3, curve};
use crate::rig::UpAxis;

/// The body's shift in every frame: the mean shift of the feet that stand, eased from one to the
/// other, bridged in flight.
pub(super) fn shifts(plans: &[FootPlan], count: usize, frames: Frames) -> Vec<Vec3> {
    let weights: Vec<Vec<f64>> =
        plans.iter().map(|plan| tapered(&plan.stands, frames.ease)).collect();
    let mut known = vec![false; count];
    let mut shifts: Vec<Vec3> = (0..count)
        .map(|f| {
            let total: f64 = weights.iter().map(|weights| weights[f]).sum();
            known[f] = total > 0.0;
            if !known[f] {
                return Vec3::zeros();
            }
            let shifts = plans.iter().zip(&weights).map(|(plan, w)| plan.shifts[f] * w[f]);
            shifts.sum::<Vec3>() / total
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
    let (held, len) = short::held(leg, was.ankle, was.foot_rotation);
    (held - was.thigh).norm().clamp(LOCK * len, STRAIGHT * len)
}

/// How far the body must come down in every frame for all standing feet to be within reach.
pub(super) fn drops(
    legs: &[Leg],
    carried: &[Vec<CarriedLeg>],
    body: &[Vec3],
    goals: &[Vec<FootGoal>],
    plans: &[FootPlan],
    up: UpAxis,
    frames: Frames,
) -> Vec<f64> {
    let needed = |f: usize| {
        let of_leg = |i: usize| {
            let was = &carried[i][f];
            let reach = reach(&legs[i], was);
            let goal = &goals[i][f];
            let (held, _) = short::held(&legs[i], goal.ankle, goal.foot_rotation);
            let down = (was.thigh + body[f]) - held;
            let height = up.height(down);
            let level_squared = (down.norm_squared() - height * height).max(0.0);
            // Where the foot is too far aside, coming down to its height is the best there is.
            let needed = height - (reach * reach - level_squared).max(0.0).sqrt();
            if plans[i].stands[f] { needed.max(0.0) } else { 0.0 }
        };
        (0..legs.len()).map(of_leg).fold(0.0, f64::max)
    };
    let needed: Vec<f64> = (0..body.len()).map(needed).collect();
    curve::envelope(&needed, frames.envelope)
}

/// Brings the goals of feet that do not stand within the reach of their legs.
pub(super) fn pull_in(
    goals: &mut [Vec<FootGoal>],
    legs: &[Leg],
    carried: &[Vec<CarriedLeg>],
    body: &[Vec3],
    plans: &[FootPlan],
) {
    for (i, goals) in goals.iter_mut().enumerate() {
        for f in (0..body.len()).filter(|&f| !plans[i].stands[f]) {
            let hip = carried[i][f].thigh + body[f];
            let (held, _) = short::held(&legs[i], goals[f].ankle, goals[f].foot_rotation);
            let way = held - hip;
            let reach = reach(&legs[i], &carried[i][f]);
            if way.norm() > reach {
                goals[f].ankle += way * (reach / way.norm() - 1.0);
            }
        }
    }
}
