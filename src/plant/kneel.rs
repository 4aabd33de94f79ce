//! One frame of a knee that is held on the floor, or above it.
//!
//! A standing foot rolls about its ball so that the shin spans from the knee to it. Otherwise the shin lies from the
//! knee towards the foot's goal, raised until no sole is under the floor, but no farther than the knee folds.

use super::clearance::lifted;
use super::knees::KneeGoal;
use super::limb_ik::{set_limb, turn_limb};
use super::sole::{FootGoal, penetration};
use super::transferred::{Knee, Leg};
use crate::ik::middle_joint;
use crate::math::{Quat, Vec3, bounded, curve, rejection, rotation_between};
use crate::pose::WorldPose;
use crate::rig::UpAxis;
use crate::skeleton::{JointId, Skeleton};

/// Moves the knee of a solved leg to its goal by turning the thigh about the hip. The shin leads from there to where
/// the ankle is, raised until the foot is on the floor, or to where a standing foot rolls. A lifted knee takes the
/// ankle along. `was` are the transferred thigh and shin. Allocates nothing.
pub(super) fn kneel(
    skeleton: &Skeleton,
    leg: &Leg,
    goal: &KneeGoal,
    foot: &FootGoal,
    was: [Vec3; 2],
    up: UpAxis,
    places: &mut WorldPose,
) {
    let Some(Knee { shin, bones, .. }) = leg.knee else { return };
    let joints = [leg.hip(), shin, leg.ankle];
    let [hip, knee, ankle] = joints.map(|id| places.position(id));
    let (thigh_len, shin_len) = ((knee - hip).norm(), (ankle - knee).norm());
    let was_knee = knee;
    let wanted = knee.lerp(&goal.place, goal.hold);
    let Some(along) = (wanted - hip).try_normalize(1e-9 * leg.len) else { return };
    let free = hip + along * thigh_len;
    // A knee on its way down does not move a standing foot.
    let standing = middle_joint(hip, ankle, wanted, thigh_len, shin_len);
    let between = free.lerp(&standing, foot.lock_weight * (1.0 - goal.hold)) - hip;
    let Some(along) = between.try_normalize(1e-9 * leg.len) else { return };
    let held = hip + along * thigh_len;
    let knee = lifted(hip, held, goal.lift, up);
    let foot_rotation = places.rotation(leg.ankle);
    let Some(along) = (ankle - held).try_normalize(1e-9 * leg.len) else { return };
    let free = knee + along * shin_len;
    let arm = foot_rotation * leg.ball;
    let ball_was_off = (ankle + arm - was_knee).norm();
    let ball = foot.ankle + arm;
    let rolls = foot.lock_weight;
    let ball = within_span([knee, ball], ball_was_off, shin_len + arm.norm());
    let mut ankle = rolled_ankle([knee, free], arm.norm(), ball, rolls);
    let foot_rotation = roll(arm, ball - ankle, rolls) * foot_rotation;
    // A foot that has rolled, or is free, may be under the floor.
    for _ in 0..4 {
        let Some(along) = (ankle - knee).try_normalize(1e-9 * leg.len) else { return };
        ankle = knee + along * shin_len;
        let placed = FootGoal { ankle, foot_rotation, ..*foot };
        let tip = ankle + foot_rotation * leg.ball + foot.toe_rotation * leg.tip;
        let tip_penetration = leg.toe.map_or(f64::MIN, |_| goal.floor - up.height(tip));
        let deep = penetration(&placed, leg, goal.floor, up).max(tip_penetration).max(0.0);
        ankle += up.vector() * (deep * goal.hold);
    }
    let Some(along) = (ankle - knee).try_normalize(1e-9 * leg.len) else { return };
    let was = rotation_between(was[0], knee - hip) * was[1];
    let ankle = knee + bones.unfolded_lower(hip - knee, was, along * shin_len);
    turn_leg(skeleton, leg, joints, [knee, ankle], places);
    set_limb(skeleton, joints, [knee, ankle], foot_rotation, places);
}

/// Turns a bent leg as a whole until hip, knee and ankle lie in the plane of their goals, since a knee only bends.
fn turn_leg(
    skeleton: &Skeleton,
    leg: &Leg,
    joints: [JointId; 3],
    [knee, ankle]: [Vec3; 2],
    places: &mut WorldPose,
) {
    /// The distance of a knee from the line between hip and ankle, in leg lengths, from which on it shows the plane in
    /// which its leg bends: with a weight from 0 at the first to 1 at the second.
    const BENT: [f64; 2] = [0.05, 0.15];
    let [hip, knee_was, ankle_was] = joints.map(|id| places.position(id));
    let Some(line) = (ankle - hip).try_normalize(1e-9 * leg.len) else { return };
    let swing = rotation_between(ankle_was - hip, line);
    let aside = |way: Vec3| rejection(way, line);
    let (was, is) = (aside(swing * (knee_was - hip)), aside(knee - hip));
    let bent = curve::ramp(was.norm().min(is.norm()) / leg.len.max(1e-300), BENT[0], BENT[1]);
    let swivel = Quat::from_scaled_axis(rotation_between(was, is).scaled_axis() * bent);
    turn_limb(skeleton, leg.hip(), swivel * swing, places);
}

/// The share of the length of shin and foot from which on a ball is less and less far from a knee that leaves it behind,
/// and its most: near a straight ankle a millimetre is degrees of the foot.
const SPAN: [f64; 2] = [0.9, 0.99];

/// Where a ball that was `was_off` from its knee comes, so that shin and foot, together so long, span from the knee to it.
fn within_span([knee, ball]: [Vec3; 2], was_off: f64, len: f64) -> Vec3 {
    let way = ball - knee;
    let [from, most] = SPAN.map(|share| (share * len).max(was_off));
    way * (bounded(way.norm(), from, most) / way.norm().max(1e-300)) + knee
}

/// The position of an ankle below a knee that stays in place. The foot rolls about its ball, which is `foot_len` from
/// the ankle, until the shin spans from the knee to the ankle, as far as its lock weight.
fn rolled_ankle([knee, ankle]: [Vec3; 2], foot_len: f64, ball: Vec3, lock_weight: f64) -> Vec3 {
    let shin_len = (ankle - knee).norm();
    let spanned = middle_joint(knee, ball, ankle, shin_len, foot_len);
    let between = ankle.lerp(&spanned, lock_weight) - knee;
    match between.try_normalize(1e-9 * shin_len) {
        Some(along) => knee + along * shin_len,
        None => ankle,
    }
}

/// The rotation that moves a foot's ball from `arm` to `wanted`, both relative to the ankle, as far as its lock weight.
fn roll(arm: Vec3, wanted: Vec3, lock_weight: f64) -> Quat {
    Quat::from_scaled_axis(rotation_between(arm, wanted).scaled_axis() * lock_weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIN_LEN: f64 = 0.42;
    const FOOT_LEN: f64 = 0.15;

    #[test]
    fn a_ball_that_a_knee_leaves_where_it_was_stays() {
        for off in [0.3, 0.5, 0.565, 0.57] {
            let ball = Vec3::new(0.6, -0.8, 0.0) * off;
            let within = within_span([Vec3::zeros(), ball], off, SHIN_LEN + FOOT_LEN);
            assert!((within - ball).norm() < 1e-12, "{off} from the knee");
        }
    }

    #[test]
    fn a_foot_below_a_knee_that_rises_beyond_its_span_straightens_without_a_snap() {
        let foot = |f: usize| {
            let knee = Vec3::y() * (0.5 + 0.002 * f as f64);
            let ball = within_span([knee, Vec3::zeros()], 0.5, SHIN_LEN + FOOT_LEN);
            let ankle = knee + Vec3::new(0.2, -0.9, 0.0).normalize() * SHIN_LEN;
            let ankle = rolled_ankle([knee, ankle], FOOT_LEN, ball, 1.0);
            (ball - ankle).normalize()
        };
        let feet: Vec<Vec3> = (0..60).map(foot).collect();
        let breaks = feet.windows(3).map(|f| (f[2] - f[1] * 2.0 + f[0]).norm());
        let most = breaks.fold(0.0, f64::max);
        assert!(most < 0.02, "it breaks by {most} rad a frame²");
    }
}
