//! The reach of legs: how far a body must come down for it, and where a foot in the air is brought within it.

use super::contact_interval::evenly_away;
use super::foot::{FootPlan, Stand};
use super::kneeless;
use super::reach::{STRAIGHT, lowering};
use super::sole::{FootGoal, FootGoals};
use super::transferred::{Leg, TransferredLeg};
use crate::math::{Vec3, bounded, curve};
use crate::rig::UpAxis;

/// The farthest that a leg may reach before its knee counts as locked, as a share of its length. A leg that is
/// straighter in the source may be as straight here.
const LOCK: f64 = 0.995;

/// How far a leg may reach in a frame: to just before its knee locks, or as far as in the transferred motion.
fn reach(leg: &Leg, was: &TransferredLeg) -> f64 {
    leg_reach(leg, was.ankle, was.knee_or_ball, was.thigh)
}

/// As [`reach`], for a leg whose ankle, ball and hip were transferred to these positions.
pub(crate) fn leg_reach(leg: &Leg, ankle: Vec3, ball: Vec3, hip: Vec3) -> f64 {
    let (held, len) = kneeless::held(leg, ankle, ball);
    (held - hip).norm().clamp(LOCK * len, STRAIGHT * len)
}

/// How far a person's leg reaches in the direction `way` from its hip; `None` if nothing bounds it. A thigh extends no
/// farther back than its range, or than its transferred rotation if that is beyond it; for the rest the knee bends.
fn reach_back(leg: &Leg, was: &TransferredLeg, way: Vec3) -> Option<f64> {
    let back = -way.dot(&was.before_back);
    if back <= 0.0 {
        return None;
    }
    let [thigh_len, shin_len] = leg.knee?.bones.lens;
    let was_back = (was.thigh - was.knee_or_ball).dot(&was.before_back).max(0.0);
    let sine = back / way.norm() - was_back / thigh_len;
    let (across, along) = (thigh_len * sine, thigh_len * (1.0 - sine * sine).max(0.0).sqrt());
    (sine > 0.0).then(|| along + (shin_len * shin_len - across * across).max(0.0).sqrt())
}

/// How far the top of a leg must come down until its foot's goal is within reach; negative if it may rise.
pub(super) fn leg_lowering(
    leg: &Leg,
    was: &TransferredLeg,
    body: Vec3,
    goal: &FootGoal,
    up: UpAxis,
) -> f64 {
    let (above, straight) = (above(leg, was, body, goal), reach(leg, was));
    let mut by = lowering(above, straight, up);
    // A lower hip has a foot behind it farther back.
    for _ in 0..ROUNDS {
        let way = up.vector() * by - above;
        match reach_back(leg, was, way) {
            Some(most) if most < way.norm() => by = lowering(above, most.min(straight), up),
            _ => break,
        }
    }
    by
}

/// How far the top of a leg may come down until its knee is nearly folded, or as folded as transferred. If the hip
/// passes beside the ankle, it may come down to the ankle's height.
pub(super) fn fold_room(
    leg: &Leg,
    was: &TransferredLeg,
    body: Vec3,
    goal: &FootGoal,
    up: UpAxis,
) -> f64 {
    let Some(knee) = &leg.knee else { return f64::INFINITY };
    let above = above(leg, was, body, goal);
    let folded = knee.bones.folded_lens[1].min(was.way().norm());
    lowering(above, folded, up).max(0.0)
}

/// How far the top of a leg comes down so that the leg extends less and less as it gets nearer to straight. If the body
/// moved smoothly past a straight leg, the knee would snap.
pub(super) fn soft_lowering(
    leg: &Leg,
    was: &TransferredLeg,
    body: Vec3,
    goal: &FootGoal,
    up: UpAxis,
) -> f64 {
    let above = above(leg, was, body, goal);
    let soft = bounded(above.norm(), was_reach(leg, was), reach(leg, was));
    lowering(above, soft, up)
}

/// The vector to the top of a leg from the point that its foot's goal holds in place.
pub(super) fn above(leg: &Leg, was: &TransferredLeg, body: Vec3, goal: &FootGoal) -> Vec3 {
    let (held, _) = kneeless::held(leg, goal.ankle, goal.ankle + goal.foot_rotation * leg.ball);
    was.thigh + body - held
}

/// How far the transferred leg reached.
fn was_reach(leg: &Leg, was: &TransferredLeg) -> f64 {
    let (held, _) = kneeless::held(leg, was.ankle, was.knee_or_ball);
    (held - was.thigh).norm()
}

/// Rounds in which a hip comes down until its thigh extends back far enough.
const ROUNDS: usize = 8;

/// The position of a free ankle after it is lifted by `lift`. An ankle above its hip is not lifted, and a leg that
/// leads up towards that extends less and less as it gets nearer to straight.
pub(super) fn lifted(leg: &Leg, hip: Vec3, ankle: Vec3, lift: f64, up: UpAxis) -> Vec3 {
    if lift == 0.0 {
        return ankle;
    }
    let way = ankle - hip;
    let len = way.norm();
    let lift = lift * curve::ramp(up.height(way), ABOVE * len, 0.0);
    let lifted = way + up.vector() * lift;
    let wanted = lifted.norm();
    if !leg.has_knee() || wanted <= len {
        return hip + lifted;
    }
    hip + lifted * (bounded(wanted, len, len.max(STRAIGHT * leg.len)) / wanted)
}

/// The sine of the slope above which an ankle is high enough and not lifted.
const ABOVE: f64 = 0.5;

/// Moves the goals of a foot within the reach of its leg in frames in which the foot does not stand.
///
/// In full swing a leg extends beyond its transferred reach less and less, so that its knee has no corner in time. Next
/// to a contact interval it reaches as far as a standing leg.
pub(super) fn pull_in(goals: &mut FootGoals, plan: &FootPlan, stand: &Stand, body: &[Vec3]) {
    let Stand { leg, transferred, frames, .. } = *stand;
    let away = evenly_away(&plan.stands);
    for f in (0..body.len()).filter(|&f| !plan.stands[f]) {
        let free = curve::ramp(away[f], 0.0, 0.5 * frames.ease as f64);
        let (was, goal) = (&transferred[f], goals.at(f));
        let was_reach = was_reach(leg, was);
        let (held, len) =
            kneeless::held(leg, goal.ankle, goal.ankle + goal.foot_rotation * leg.ball);
        let way = held - (was.thigh + body[f]);
        let wanted = way.norm();
        if wanted > was_reach {
            // A leg that was straighter may stay so; otherwise rounding would decide whether it is bent.
            let hard = wanted.min(reach(leg, was).max(was_reach));
            let soft = bounded(wanted, was_reach, was_reach.max(STRAIGHT * len));
            let allowed = hard + free * (soft - hard);
            goals.ankles[f] += way * (allowed / wanted - 1.0);
        }
    }
}
