//! Goals within limits: turns a foot to where its ankle can be, and an elbow to where its upper arm can be, and gives up the
//! part of a goal of a foot or hand for which its thigh or upper arm would have to leave the limit that the rig states. Brought
//! back into its limit after the move, a limb would be somewhere else, and it would turn quickly where its end is near its top.
//!
//! The turns and what is given up are curves over the clip. Arms are transferred in those frames alone in which a hand moves.

use super::HandMove;
use super::arm::{ArmFrames, TransferredArm};
use super::arm_ik::ArmBend;
use super::contact_interval::Frames;
use super::foot::{FootPlan, Stand};
use super::limit_room::{given_up, limited_share};
use super::sole::{FootGoal, FootGoals, penetration};
use super::trunk_lean::{TrunkLeans, turn};
use crate::binding::Binding;
use crate::ik::{Approach, Joint};
use crate::math::{Quat, Vec3, curve, runs, saturated};

/// Up to the first a foot turns by all that the movement of the body since has left beyond the limit of its ankle, from the
/// second on not at all, radians: one that lacks more could not be brought within its limit before either.
const LEFT_RAD: [f64; 2] = [0.03, 0.06];

/// Turns a foot evenly to about within the limit of its ankle on the shin that follows if the pelvis moves by `body`, which
/// stands lower by now than when the foot was planned. Its held ball stays in place, and its sole on the floor; the solve
/// would turn it about its ankle, into the floor.
pub(super) fn turn_foot(goals: &mut FootGoals, plan: &FootPlan, stand: &Stand, body: &[Vec3]) {
    let Stand { leg, transferred, up, .. } = *stand;
    if stand.binding.limits.of(leg.ankle).is_none() || !leg.has_knee() || leg.is_point {
        return;
    }
    let shin = |f: usize| {
        let [_, shin] = stand.turned(f, transferred[f].thigh + body[f], &goals.at(f))?;
        Some([shin, goals.rotations[f][0]])
    };
    let turns = stand.limiting_turns(body.len(), shin, LEFT_RAD);
    let mut rises = vec![0.0; body.len()];
    for (f, turn) in turns.into_iter().enumerate() {
        let was = goals.at(f);
        let [foot, toe] = &mut goals.rotations[f];
        *foot = Quat::from_scaled_axis(turn) * *foot;
        if leg.toe.is_none() {
            *toe = *foot;
        }
        goals.ankles[f] += plan.about_held_ball(f, [was.foot_rotation, *foot], stand);
        if plan.down[f] {
            let turned = FootGoal { foot_rotation: *foot, toe_rotation: *toe, ..was };
            let [was, is] = [was, turned].map(|goal| penetration(&goal, leg, 0.0, up));
            rises[f] = is - was;
        }
    }
    // The lowest point of a sole changes from heel to ball with a corner.
    curve::smooth_above(&mut rises, &plan.down, stand.frames.firm);
    for (ankle, rise) in goals.ankles.iter_mut().zip(rises) {
        *ankle += up.vector() * rise;
    }
}

/// Brings the goals of a foot nearer to where the body, moved by `body`, carries it.
pub(super) fn foot(
    goals: &mut FootGoals,
    stand: &Stand,
    body: &[Vec3],
    leans: Option<&TrunkLeans>,
) {
    if stand.binding.limits.of(stand.leg.hip()).is_none() {
        return;
    }
    let carried = |f: usize| stand.transferred[f].ankle + body[f];
    let beyond = |f: usize, share: f64| {
        let goal = goals.at(f);
        let goal = FootGoal { ankle: carried(f).lerp(&goal.ankle, share), ..goal };
        let [hip, _] = stand.beyond_limits_rad(f, &goal, body[f], turn(leans, f))?;
        Some([hip])
    };
    let given_up = given_up(body.len(), stand.frames.ease / 2, beyond);
    let mut give_up = |f: usize, given_up: f64| {
        let by = (carried(f) - goals.ankles[f]) * given_up;
        goals.ankles[f] += by;
        by.norm()
    };
    if given_up.iter().any(|given_up| *given_up > 0.0) {
        let each = given_up.into_iter().enumerate();
        goals.given_up_lens = each.map(|(f, given_up)| give_up(f, given_up)).collect();
    }
}

/// Turns the elbow of an arm with a stated limit about the line from its shoulder to its hand, so that its upper arm comes
/// within that limit, and shortens the moves of the hand by what is beyond it even so.
pub(super) fn hand(
    moves: &mut [HandMove],
    arm: &mut ArmFrames,
    binding: &Binding,
    leans: Option<&TrunkLeans>,
    frames: Frames,
) {
    let upper = arm.arm.joints[0];
    let Some(limit) = binding.limits.of(upper) else { return };
    let bend = ArmBend::of(binding, arm.arm.side, upper);
    let moves_arm = |hand: &HandMove| hand.offset != Vec3::zeros() || hand.swivel_rad != 0.0;
    let moving = runs(0..moves.len(), |f| moves_arm(&moves[f]));
    let arms = arm.in_runs(&moving);
    let limited = moving.iter().cloned().flatten().zip(&arms).map(|(f, arm)| {
        let above = turn(leans, f) * arm.above;
        (f, LimitedArm { arm, bend: &bend, limit, above })
    });
    let arms: Vec<(usize, LimitedArm)> = limited.collect();
    let mut turns_rad = vec![0.0; moves.len()];
    for (f, arm) in &arms {
        turns_rad[*f] = arm.turn_rad(moves[*f].offset, moves[*f].swivel_rad);
    }
    // A turn one way takes nothing from one the other way nearby.
    let turns_rad = curve::envelope_to_sides(&turns_rad, frames.hand / 2);
    for (hand, turn_rad) in moves.iter_mut().zip(turns_rad) {
        hand.swivel_rad += turn_rad;
    }
    let mut given_up = vec![0.0; moves.len()];
    for (f, arm) in &arms {
        let HandMove { offset, swivel_rad, .. } = moves[*f];
        let beyond = |share: f64| Some([arm.beyond_rad(offset * share, swivel_rad * share)]);
        given_up[*f] = 1.0 - limited_share(beyond);
    }
    let given_up = curve::envelope(&given_up, frames.hand / 2);
    for (hand, given_up) in moves.iter_mut().zip(given_up) {
        hand.limited_len = hand.offset.norm() * given_up;
        hand.offset *= 1.0 - given_up;
        hand.swivel_rad *= 1.0 - given_up;
    }
}

/// An arm in one frame whose upper arm has a limit.
struct LimitedArm<'a> {
    arm: &'a TransferredArm,
    bend: &'a ArmBend,
    limit: &'a Joint,
    /// The rotation of the joint above it.
    above: Quat,
}

impl LimitedArm<'_> {
    /// How far the upper arm is beyond its limit after such a move, radians.
    fn beyond_rad(&self, offset: Vec3, swivel_rad: f64) -> f64 {
        let way = self.bend.reached(self.arm, offset);
        self.back(self.bend.upper(self.arm, way, swivel_rad)).norm()
    }

    /// By how much the elbow has to turn about the line from shoulder to wrist, beside `swivel_rad`, so that the upper arm
    /// comes within its limit after such a move, as far as turning does that. Newton's steps: each turns by the part of the
    /// way back that is about that line.
    fn turn_rad(&self, offset: Vec3, swivel_rad: f64) -> f64 {
        let way = self.bend.reached(self.arm, offset);
        let line = way.try_normalize(1e-300).unwrap_or_default();
        let upper = self.bend.upper(self.arm, way, swivel_rad);
        let mut turn_rad = 0.0;
        for _ in 0..ROUNDS {
            let back = self.back(Quat::from_scaled_axis(line * turn_rad) * upper);
            let beyond = back.norm() - Approach::EARLY.at_limit_rad();
            if beyond <= 0.0 {
                break;
            }
            turn_rad += back.dot(&line) * beyond / back.norm();
        }
        saturated(turn_rad.abs(), MOST_TURN_RAD).copysign(turn_rad)
    }

    /// The turn (world, a scaled axis) that brings an `upper` arm of this rotation (world) back within its limit.
    fn back(&self, upper: Quat) -> Vec3 {
        let allowed = self.limit.approach(self.above.inverse() * upper, Approach::EARLY);
        (self.above * allowed * upper.inverse()).scaled_axis()
    }
}

/// Rounds in which an elbow turns to where its upper arm is within its limit.
const ROUNDS: usize = 12;

/// The most that an elbow turns for the limit of its upper arm, which it comes ever less near to, radians: hands matter more than
/// elbows, but one that is turned to the other side shows.
const MOST_TURN_RAD: f64 = 1.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ik::{Cone, Range};

    /// An arm that hangs down, nearly straight, whose upper arm twists by 0.3 to either side.
    #[test]
    fn an_elbow_turns_back_evenly_until_its_upper_arm_is_within_its_limit() {
        let arm = TransferredArm {
            elbow: -Vec3::y() * 4.0,
            wrist: Vec3::new(0.0, -7.8, 1.0),
            ..Default::default()
        };
        let cone = Cone {
            twist_axis: -Vec3::y(),
            swing_axis: Vec3::x(),
            swing_rad: [2.0; 2],
            twist: Range::new(-0.3, 0.3),
        };
        let (limit, bend) = (Joint::cone(cone), ArmBend::free(Vec3::x()));
        let limited = LimitedArm { arm: &arm, bend: &bend, limit: &limit, above: Quat::identity() };
        let offset = Vec3::new(0.0, 1.0, 0.5);
        assert_eq!(limited.turn_rad(offset, 0.0), 0.0, "an arm within its limit stays");
        let turns = |f: i32| {
            let swivel_rad = 0.01 * f64::from(f);
            let turn_rad = limited.turn_rad(offset, swivel_rad);
            let [was, is] =
                [0.0, turn_rad].map(|turn_rad| limited.beyond_rad(offset, swivel_rad + turn_rad));
            assert!(is <= was && (was < 0.1 || is < 0.7 * was), "{swivel_rad}: {was} to {is}");
            turn_rad
        };
        let turns: Vec<f64> = (-120..=120).map(turns).collect();
        assert!(turns[0] > 0.5 && turns[240] < -0.5, "{turns:?}");
        let steepest =
            turns.windows(2).map(|turns| (turns[1] - turns[0]).abs()).fold(0.0, f64::max);
        assert!(steepest < 0.02, "{steepest} for 0.01 of the elbow");
    }
}
