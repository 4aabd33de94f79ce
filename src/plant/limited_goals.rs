//! Goals within limits: gives up the part of a goal of a foot or hand for which its thigh or upper arm would have to leave
//! the limit that the rig states. Brought back into its limit after the move, a limb would be somewhere else, and it would
//! turn quickly where its end is near its top.
//!
//! What is given up is a curve over the clip. Arms are transferred in those frames alone in which a hand moves.

use super::HandMove;
use super::arm::{ArmFrames, TransferredArm};
use super::arm_ik::ArmBend;
use super::contact_interval::Frames;
use super::foot::Stand;
use super::limit_room::{given_up, limited_share};
use super::sole::{FootGoal, FootGoals};
use super::trunk_lean::{TrunkLeans, turn};
use crate::binding::Binding;
use crate::ik::{Approach, Joint};
use crate::math::{Quat, Vec3, curve, runs};

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
