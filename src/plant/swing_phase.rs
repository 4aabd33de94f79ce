//! How a foot goes from one stand to the next: taken along with the body, and what it is moved against that eased.
//!
//! A place that is eased to nothing unbends a knee unevenly: next to straight a millimetre of it is degrees. So what
//! counts there is the knee's angle, and the place alone where the knee is well bent.

use super::contact_interval::frames_away;
use super::foot::{FootPlan, Stand};
use super::sole::FootGoals;
use crate::math::{Vec3, curve};

/// A knee that is bent by less than the first is eased by its angle alone, by more than the second by its foot's place
/// alone (15° and 80°).
const BY_ANGLE_RAD: [f64; 2] = [0.26, 1.4];

/// No knee is brought nearer to straight than this (2°), unless it was.
const LEAST_BEND_RAD: f64 = 0.03;

/// Eases between its stands what a foot is moved against the body: on the level where it does not stand, in height
/// where it is not down.
pub(super) fn ease_places(goals: &mut FootGoals, plan: &FootPlan, stand: &Stand, body: &[Vec3]) {
    let Stand { transferred, up, frames, .. } = *stand;
    let ankles = &mut goals.ankles;
    // They are offsets on the level for a while.
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

/// Lets a foot's knee bend in flight as evenly as it can from how much farther than it was it is bent at the ends,
/// where that is not far; far from all stands it is bent as it was.
pub(super) fn ease_knee(goals: &mut FootGoals, plan: &FootPlan, stand: &Stand, body: &[Vec3]) {
    let Stand { leg, transferred, frames, .. } = *stand;
    if leg.knee.is_none() {
        return;
    }
    let flies: Vec<bool> = plan.stands.iter().zip(&plan.down).map(|(s, d)| !s && !d).collect();
    let held: Vec<bool> = flies.iter().map(|flies| !flies).collect();
    // Of what is held the two frames beside a flight count alone.
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

/// A bend that is nowhere below `least`, and itself from twice as much on, with no corner in between.
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
