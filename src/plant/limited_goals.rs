//! Goals within limits: turns a foot to where its ankle can be, and gives up the part of a goal of a foot or hand for which
//! its thigh or upper arm would have to leave the limit that the rig states. Brought back into its limit after the move, a
//! limb would be somewhere else, and it would turn quickly where its end is near its top.
//!
//! What is given up is a curve over the clip. Arms are transferred in those frames alone in which a hand moves.

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
use crate::math::{Quat, Vec3, curve, runs};

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

/// Shortens the moves of the hand of an arm with a stated limit.
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
    let mut given_up = vec![0.0; moves.len()];
    for (f, arm) in moving.iter().cloned().flatten().zip(&arms) {
        let HandMove { offset, swivel_rad, .. } = moves[f];
        let limited = LimitedArm { arm, bend: &bend, limit, above: turn(leans, f) * arm.above };
        let beyond = |share: f64| Some([limited.beyond_rad(offset * share, swivel_rad * share)]);
        given_up[f] = 1.0 - limited_share(beyond);
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
        let local = self.above.inverse() * self.bend.upper(self.arm, way, swivel_rad);
        self.limit.approach(local, Approach::EARLY).angle_to(&local)
    }
}
