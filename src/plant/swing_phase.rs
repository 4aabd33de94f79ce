//! The swing phase: the way of a foot from one stand to the next. The body takes the foot along, and the correction
//! that planting made at both ends fades from one to the other.
//!
//! A correction of the foot's place that fades evenly unbends the knee unevenly: on a nearly straight leg a millimetre
//! is degrees. So where the knee is nearly straight its angle fades, and where it is well bent the foot's place does.

use super::contact_interval::frames_away;
use super::foot::{FootPlan, Stand};
use super::sole::FootGoals;
use crate::math::{Vec3, curve};

/// Where a knee is bent by less than the first (15°), only its angle fades; where it is bent by more than the second
/// (80°), only the foot's place does; in between both count in part. Radians.
const BY_ANGLE_RAD: [f64; 2] = [0.26, 1.4];

/// The least bend to which fading brings a knee (2°), radians; a knee that was straighter stays so.
const LEAST_BEND_RAD: f64 = 0.03;

/// Fades the correction of a foot's place between its stands: horizontally in frames in which the foot does not stand,
/// vertically in frames in which it is not down.
pub(super) fn ease_places(goals: &mut FootGoals, plan: &FootPlan, stand: &Stand, body: &[Vec3]) {
    let Stand { transferred, up, frames, .. } = *stand;
    let ankles = &mut goals.ankles;
    // Until the end of this function these are horizontal offsets, not places.
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

/// Corrects the bend of a knee in flight. At both ends of the flight planting bends the knee by more or less than the
/// transferred motion did; that difference fades as evenly as it can over the flight. Far from all stands the knee
/// keeps its transferred bend.
pub(super) fn ease_knee(goals: &mut FootGoals, plan: &FootPlan, stand: &Stand, body: &[Vec3]) {
    let Stand { leg, transferred, frames, .. } = *stand;
    if leg.knee.is_none() {
        return;
    }
    let flies: Vec<bool> = plan.stands.iter().zip(&plan.down).map(|(s, d)| !s && !d).collect();
    let held: Vec<bool> = flies.iter().map(|flies| !flies).collect();
    // Only the two frames on either side of a flight say how far the knee is bent at its ends.
    let beside = frames_away(&flies);
    let way = |f: usize, ankle: &Vec3| ankle - (transferred[f].thigh + body[f]);
    let farther = |(f, ankle): (usize, &Vec3)| match beside[f] {
        away if held[f] && away <= 2 => {
            leg.bend_rad(way(f, ankle).norm()) - transferred[f].bend_rad()
        }
        _ => 0.0,
    };
    let mut farther: Vec<f64> = goals.ankles.iter().enumerate().map(farther).collect();
    curve::even_out(&mut farther, &held, frames.rest);
    let [near, far] = BY_ANGLE_RAD;
    for f in (0..flies.len()).filter(|&f| flies[f] && farther[f] != 0.0) {
        let was = transferred[f].bend_rad();
        let bend = no_straighter(was + farther[f], LEAST_BEND_RAD.min(0.5 * was));
        let by_angle = curve::ramp(bend.max(was), far, near);
        if by_angle == 0.0 {
            continue;
        }
        let ankle = &mut goals.ankles[f];
        let way = way(f, ankle);
        if let Some(along) = way.try_normalize(1e-9 * leg.len) {
            *ankle += (along * leg.span(bend) - way) * by_angle;
        }
    }
}

/// The bend, but never less than `least`. From twice `least` on it is the bend itself, and there is no corner in
/// between.
fn no_straighter(bend_rad: f64, least: f64) -> f64 {
    let over = bend_rad - 2.0 * least;
    if over < 0.0 && least > 0.0 { least + least * (over / least).exp() } else { bend_rad }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bend_stays_over_its_least_without_a_corner() {
        let bends: Vec<f64> = (-300..300).map(|i| no_straighter(0.001 * i as f64, 0.03)).collect();
        assert!(bends.iter().all(|bend| *bend >= 0.03));
        assert_eq!(no_straighter(0.07, 0.03), 0.07);
        let turns = bends.windows(3).map(|b| (b[2] - 2.0 * b[1] + b[0]).abs());
        assert!(turns.fold(0.0, f64::max) < 0.0001);
    }
}
