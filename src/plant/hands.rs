//! Goals of hands. Leaning on a floor has the highest priority, then touching something; any other hand moves with its
//! shoulder, as transferred.
//!
//! A hand with a contact on a floor is held like a foot: its wrist as high over the floor as the source's, none of its points
//! in the floor, its joint at its mean position. If the arm is too short for that, the trunk leans and the body comes down.

use super::HandMove;
use super::arm::{Arm, Lean, TransferredArm, weight};
use super::contact_interval::{Frames, lock_weights, widened};
use super::hand_plan::HandPlan;
use super::touch::{PlantedLegs, Touches};
use crate::binding::Binding;
use crate::clip::Clip;
use crate::contact::{ContactTrack, Limb};
use crate::math::{Vec3, curve};
use crate::rig::Side;

/// The plans of the hands that lean on a floor. Costs nothing for a clip without such hands.
///
/// Arms are transferred only in frames in which a hand leans, or in which the trunk leans for one.
pub(super) fn plans(
    source: &Clip,
    track: &ContactTrack,
    binding: &Binding,
    frames: Frames,
) -> Vec<HandPlan> {
    let leans = |side: &Side| track.of_limb(Limb::Hand(*side)).next().is_some();
    let arms: Vec<Arm> = Side::BOTH
        .into_iter()
        .filter(leans)
        .filter_map(|side| Arm::of(&binding.target, side))
        .collect();
    if arms.is_empty() {
        return Vec::new();
    }
    let (count, around) = (source.len(), frames.lean_radius().max(frames.lean_ease()));
    let contacts = arms.iter().flat_map(|arm| track.of_limb(Limb::Hand(arm.side)));
    let runs = widened(contacts.map(|contact| contact.frames.clone()), around, count);
    let in_runs = Arm::transferred(&arms, source, binding, &runs);
    let plan = |(arm, in_runs): (Arm, Vec<TransferredArm>)| {
        let mut transferred = vec![TransferredArm::default(); count];
        let frames = runs.iter().cloned().flatten();
        frames.zip(in_runs).for_each(|(frame, seen)| transferred[frame] = seen);
        HandPlan::new(&arm, transferred, source, track, binding)
    };
    arms.into_iter().zip(in_runs).map(plan).collect()
}

/// The moves of each hand that leans or touches something in the clip, by side, for a known `body` offset.
pub(super) fn moves(
    leaning: Vec<HandPlan>,
    touches: Option<(&Touches, &PlantedLegs)>,
    binding: &Binding,
    body: &[Vec3],
    frames: Frames,
) -> [Option<Vec<HandMove>>; 2] {
    let mut leans = [None, None];
    for mut plan in leaning {
        let side = plan.side;
        let carry: Vec<Vec3> = (0..body.len()).map(|f| body[f] + plan.leaned(f)).collect();
        plan.bring_within_reach(&carry, binding.target.up, frames);
        let offsets = plan.off_shoulder(&carry, frames);
        let mut lies_lens = plan.lies_lens;
        curve::bridge(&mut lies_lens, &plan.leans, frames.hand, frames.slope);
        let leans_by = lock_weights(plan.leans, frames);
        let given_up = plan.given_up;
        leans[side.index()] = Some(Lean { offsets, leans: leans_by, lies_lens, given_up });
    }
    let mut touched = touches.and_then(|(touches, planted)| {
        let nothing = vec![0.0; body.len()];
        let offsets = vec![Vec3::zeros(); body.len()];
        let free =
            Lean { offsets, leans: nothing.clone(), lies_lens: nothing.clone(), given_up: nothing };
        let both = leans.each_ref().map(|lean: &Option<Lean>| lean.as_ref().unwrap_or(&free));
        touches.goals(planted, both)
    });
    let of_side = |side: Side| {
        let i = side.index();
        let mut moves = match (&mut touched, &leans[i]) {
            (None, None) => return None,
            (Some(touched), _) => std::mem::take(&mut touched[i]),
            (None, Some(_)) => vec![HandMove::default(); body.len()],
        };
        if let Some(Lean { offsets, leans, lies_lens, given_up }) = &leans[i] {
            let leans = leans.iter().zip(lies_lens).zip(given_up);
            for ((hand, offset), ((floor, lies_len), given_up)) in
                moves.iter_mut().zip(offsets).zip(leans)
            {
                hand.floor = *floor;
                hand.lies_len = *lies_len;
                hand.short_len += given_up;
                // A hand that is near nothing else goes to its place on the floor.
                if !hand.is_held() {
                    hand.offset = *offset;
                }
            }
        }
        let weight = weight(binding, side);
        if weight != 1.0 {
            moves.iter_mut().for_each(|hand| hand.weigh(weight));
        }
        Some(moves)
    };
    Side::BOTH.map(of_side)
}
