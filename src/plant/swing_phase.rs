//! The swing phase: a foot's way from one contact interval to the next. The body takes the foot along, and the
//! correction at one end fades into the correction at the other.

use super::foot::{FootPlan, Stand};
use super::side;
use super::sole::FootGoals;
use crate::math::{Vec3, curve, runs};

/// Fades the correction of a foot's position between its contact intervals: horizontally in frames in which the foot
/// does not stand, vertically in frames in which it is not down.
pub(super) fn ease_places(goals: &mut FootGoals, plan: &FootPlan, stand: &Stand, body: &[Vec3]) {
    let Stand { transferred, up, frames, .. } = *stand;
    let ankles = &mut goals.ankles;
    // Within this function these are horizontal offsets, not positions.
    let apart = |(f, ankle): (usize, &mut Vec3)| {
        let by = *ankle - transferred[f].ankle - body[f];
        *ankle = up.level(by);
        up.height(by)
    };
    let mut heights: Vec<f64> = ankles.iter_mut().enumerate().map(apart).collect();
    curve::bridge(ankles, &plan.stands, frames.ease, frames.slope);
    curve::bridge(&mut heights, &plan.down, frames.ease, frames.slope);
    for (f, ankle) in ankles.iter_mut().enumerate() {
        *ankle = transferred[f].ankle + body[f] + *ankle + up.vector() * heights[f];
    }
}

/// Makes a leg in the swing phase turn and bend evenly, from its pose at the end of one contact interval to that at the
/// beginning of the next. `forwards` tells how far forwards the source's knee is bent.
pub(super) fn even_leg(
    goals: &mut FootGoals,
    plan: &FootPlan,
    stand: &Stand,
    forwards: &[f64],
    body: &[Vec3],
) {
    let Stand { leg, transferred, frames, .. } = *stand;
    let Some(bones) = leg.two_bones() else { return };
    let sides = side::shares(stand, forwards, &goals.ankles, body);
    for flight in runs(0..body.len(), |f| !plan.stands[f] && !plan.down[f]) {
        let around = flight.start.saturating_sub(2)..(flight.end + 2).min(body.len());
        let held: Vec<bool> = around.clone().map(|f| !flight.contains(&f)).collect();
        let was: Vec<Vec3> = transferred[around.clone()].iter().map(|was| was.way()).collect();
        let hip = |f: usize| transferred[f].thigh + body[f];
        let mut ways: Vec<Vec3> = around.clone().map(|f| goals.ankles[f] - hip(f)).collect();
        bones.even(&was, |i| sides[around.start + i], &mut ways, &held, frames.leg);
        for f in flight {
            goals.ankles[f] = hip(f) + ways[f - around.start];
        }
    }
}
