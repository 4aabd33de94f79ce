//! The reach of legs, and the drop of the body that keeps feet and hands in reach: a curve over the clip, smooth in
//! time.

use super::contact_interval::frames_away;
use super::foot::{FootPlan, Frames, Stand};
use super::hands::HandPlan;
use super::kneeless;
use super::sole::{FootGoal, FootGoals};
use super::transferred::{Leg, TransferredLeg};
use super::trunk_lean::TrunkLeans;
use crate::blocks;
use crate::ik::Approach;
use crate::math::{Quat, Vec3, curve};
use crate::rig::UpAxis;

/// The farthest that a leg may reach before its knee counts as locked, as a share of its length. A leg that is
/// straighter in the source may be as straight here.
const LOCK: f64 = 0.995;
/// A leg is never fully straight, so that the side to which the knee bends stays defined.
pub(super) const STRAIGHT: f64 = 0.9995;

/// How far a leg may reach in a frame: to just before its knee locks, or as far as in the transferred motion.
fn reach(leg: &Leg, was: &TransferredLeg) -> f64 {
    leg_reach(leg, was.ankle, was.knee_or_ball, was.thigh)
}

/// As [`reach`], for a leg whose ankle, ball and hip were transferred to these positions.
pub(crate) fn leg_reach(leg: &Leg, ankle: Vec3, ball: Vec3, hip: Vec3) -> f64 {
    let (held, len) = kneeless::held(leg, ankle, ball);
    (held - hip).norm().clamp(LOCK * len, STRAIGHT * len)
}

/// Approximately `value` while it is small; approaches `most` smoothly and never exceeds it.
pub(super) fn saturated(value: f64, most: f64) -> f64 {
    if most > 0.0 { most * (1.0 - (-value / most).exp()) } else { 0.0 }
}

/// The distance between the ends of a limb for a `wanted` distance. Below `soft` it decreases less and less; it never
/// reaches `least`.
pub(super) fn unfolded(wanted: f64, least: f64, soft: f64) -> f64 {
    if wanted < soft { soft - saturated(soft - wanted, soft - least) } else { wanted }
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

/// How far the top of a limb must come down until its held end is within `reach`; `above` is the vector from the held
/// end to the top. If the end is too far aside, the top comes down to its height, the best that is possible.
pub(crate) fn drop_to_reach(above: Vec3, reach: f64, up: UpAxis) -> f64 {
    lowering(above, reach, up).max(0.0)
}

/// As [`drop_to_reach`]; negative if the top may rise.
fn lowering(above: Vec3, reach: f64, up: UpAxis) -> f64 {
    let height = up.height(above);
    let level_squared = (above.norm_squared() - height * height).max(0.0);
    height - (reach * reach - level_squared).max(0.0).sqrt()
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
fn fold_room(leg: &Leg, was: &TransferredLeg, body: Vec3, goal: &FootGoal, up: UpAxis) -> f64 {
    let Some(knee) = &leg.knee else { return f64::INFINITY };
    let above = above(leg, was, body, goal);
    let folded = knee.bones.folded_lens[1].min(was.way().norm());
    lowering(above, folded, up).max(0.0)
}

/// How far the body may move along one way, at most `most`, until a leg reaches a stated limit of its hip or ankle.
/// `beyond` returns how far both are beyond their limits there.
pub(super) fn limit_room(most: f64, beyond: impl Fn(f64) -> Option<[f64; 2]>) -> f64 {
    let is_within = |way: f64| {
        let at_limit = Approach::EARLY.at_limit_rad();
        beyond(way).is_none_or(|beyond| beyond.iter().all(|by| *by <= at_limit))
    };
    if is_within(most) {
        return most;
    }
    let (mut within, mut outside) = (0.0, most);
    for _ in 0..LIMIT_ROUNDS {
        let middle = 0.5 * (within + outside);
        *(if is_within(middle) { &mut within } else { &mut outside }) = middle;
    }
    within
}

/// Rounds of the bisection that finds a limit: to a thousandth of the way.
const LIMIT_ROUNDS: usize = 10;

/// How far the top of a leg comes down so that the leg extends less and less as it gets nearer to straight. If the body
/// moved smoothly past a straight leg, the knee would snap.
fn soft_lowering(leg: &Leg, was: &TransferredLeg, body: Vec3, goal: &FootGoal, up: UpAxis) -> f64 {
    let above = above(leg, was, body, goal);
    let soft = stretched(above.norm(), was_reach(leg, was), reach(leg, was));
    lowering(above, soft, up)
}

/// The vector to the top of a leg from the point that its foot's goal holds in place.
fn above(leg: &Leg, was: &TransferredLeg, body: Vec3, goal: &FootGoal) -> Vec3 {
    let (held, _) = kneeless::held(leg, goal.ankle, goal.ankle + goal.foot_rotation * leg.ball);
    was.thigh + body - held
}

/// How far the transferred leg reached.
fn was_reach(leg: &Leg, was: &TransferredLeg) -> f64 {
    let (held, _) = kneeless::held(leg, was.ankle, was.knee_or_ball);
    (held - was.thigh).norm()
}

/// How far a leg reaches for a `wanted` reach. Beyond its transferred reach `was` it extends less and less, and never
/// beyond `most`.
pub(super) fn stretched(wanted: f64, was: f64, most: f64) -> f64 {
    let was = was.min(most);
    if wanted > was { was + saturated(wanted - was, most - was) } else { wanted }
}

/// Rounds in which a hip comes down until its thigh extends back far enough.
const ROUNDS: usize = 8;

/// The plans of feet that stand and of hands that lean.
pub(super) struct Held<'a> {
    pub feet: &'a [FootPlan],
    pub hands: &'a [HandPlan],
}

/// How far the body must come down in every frame so that all feet that are down and all leaning hands are within
/// reach. Feet before and after their contact intervals count less, the farther in time.
pub(super) fn drops(
    stands: &[Stand],
    body: &[Vec3],
    goals: &[FootGoals],
    held: &Held,
    leans: Option<&TrunkLeans>,
    up: UpAxis,
    frames: Frames,
) -> Vec<f64> {
    let Held { feet: plans, hands } = held;
    let away: Vec<Vec<usize>> = plans.iter().map(|plan| frames_away(&plan.down)).collect();
    let of_hands: Vec<Vec<f64>> = hands.iter().map(|hand| hand.drops(body, up, frames)).collect();
    let needed = |f: usize| {
        let of_leg = |i: usize| {
            // Far from its contact intervals a foot does not count.
            if away[i][f] > frames.ease {
                return 0.0;
            }
            let Stand { leg, transferred, .. } = stands[i];
            let (was, goal) = (&transferred[f], goals[i].at(f));
            let hard = leg_lowering(leg, was, body[f], &goal, up);
            let needed = hard.max(soft_lowering(leg, was, body[f], &goal, up));
            let near = curve::ramp(away[i][f] as f64, (frames.ease + 1) as f64, 0.0);
            needed.max(0.0) * near
        };
        let room = |i: usize| {
            let Stand { leg, transferred, .. } = stands[i];
            let near = curve::ramp(away[i][f] as f64, 0.0, (frames.ease + 1) as f64);
            let goal = goals[i].at(f);
            let folds = fold_room(leg, &transferred[f], body[f], &goal, up);
            let lean = leans.map_or(Quat::identity(), |leans| leans.turn(f));
            let limited = limit_room(folds.min(leg.len), |drop| {
                let body = body[f] - up.vector() * drop;
                stands[i].beyond_limits_rad(f, &goal, body, lean)
            });
            limited + near * leg.len
        };
        let for_hands = of_hands.iter().map(|drops| drops[f]).fold(0.0, f64::max);
        // Leaning hands lower the body no farther than standing legs can fold.
        let for_hands = match for_hands > 0.0 {
            true => {
                let room = (0..stands.len()).map(room).fold(f64::INFINITY, f64::min);
                stretched(for_hands, room / 2.0, room)
            }
            false => 0.0,
        };
        (0..stands.len()).map(of_leg).fold(for_hands, f64::max)
    };
    curve::envelope(&blocks::frames(body.len(), needed), frames.envelope)
}

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
    hip + lifted * (stretched(wanted, len, len.max(STRAIGHT * leg.len)) / wanted)
}

/// The sine of the slope above which an ankle is high enough and not lifted.
const ABOVE: f64 = 0.5;

/// Moves the goals of a foot within the reach of its leg in frames in which the foot does not stand.
///
/// In full swing a leg extends beyond its transferred reach less and less, so that its knee has no corner in time. Next
/// to a contact interval it reaches as far as a standing leg.
pub(super) fn pull_in(goals: &mut FootGoals, plan: &FootPlan, stand: &Stand, body: &[Vec3]) {
    let Stand { leg, transferred, frames, .. } = *stand;
    let away = frames_away(&plan.stands);
    for f in (0..body.len()).filter(|&f| !plan.stands[f]) {
        let free = curve::ramp(away[f] as f64, 0.0, 0.5 * frames.ease as f64);
        let (was, goal) = (&transferred[f], goals.at(f));
        let was_reach = was_reach(leg, was);
        let (held, len) =
            kneeless::held(leg, goal.ankle, goal.ankle + goal.foot_rotation * leg.ball);
        let way = held - (was.thigh + body[f]);
        let wanted = way.norm();
        if wanted > was_reach {
            // A leg that was straighter may stay so; otherwise rounding would decide whether it is bent.
            let hard = wanted.min(reach(leg, was).max(was_reach));
            let soft = stretched(wanted, was_reach, was_reach.max(STRAIGHT * len));
            let allowed = hard + free * (soft - hard);
            goals.ankles[f] += way * (allowed / wanted - 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leg_stretches_ever_less_and_never_beyond_its_most() {
        assert_eq!(stretched(0.9, 0.95, 0.995), 0.9, "what it need not stretch for it does not");
        assert_eq!(stretched(0.95, 0.95, 0.995), 0.95);
        let reaches: Vec<f64> =
            (0..100).map(|i| stretched(0.95 + 0.001 * f64::from(i), 0.95, 0.995)).collect();
        assert!(reaches.windows(3).all(|r| 0.0 < r[2] - r[1] && r[2] - r[1] < r[1] - r[0]));
        assert!(reaches.iter().all(|reach| *reach < 0.995));
        assert_eq!(stretched(1.2, 0.998, 0.995), 0.995, "one that was straighter as well");
    }
}
