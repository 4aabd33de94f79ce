//! Fingers, which turn against their hands: about axes of their own, however far apart they rest.
//!
//! A finger that curls turns about an axis across its own bone. On a hand whose fingers rest in another spread
//! the same turn of the body would bend them aside.

use super::{Drive, bone_local};
use crate::math::{Quat, Vec3, frame_from_axes};
use crate::pose::WorldPose;
use crate::rig::{Digit, Rig, Role, Side};

/// What a joint of the target's fingers does. `worlds` has the places of both rigs' joints in their stances. `None` for
/// any other role, and where a finger does not hang on its hand.
pub(super) fn drive(
    source: &Rig,
    target: &Rig,
    worlds: &[WorldPose; 2],
    role: Role,
) -> Option<Drive> {
    let Role::Finger(side, digit, _) = role else { return None };
    let hand_role = Role::Hand(side);
    let (hand, source_hand) = (target.joint(hand_role)?, source.joint(hand_role)?);
    let (own, finger) = (target.joint(role)?, source.joint(role)?);
    if !target.skeleton.is_ancestor(hand, own) {
        return None;
    }
    let target_from_source = match rests([source, target], worlds, side, digit) {
        Some([of_source, of_target]) => of_target * of_source.inverse(),
        None => Quat::identity(),
    };
    let [of_source, of_target] = [source, target].map(|rig| &rig.stance.body_from_joint);
    Some(Drive::Finger {
        hand,
        source_hand,
        finger,
        hand_from_source: of_target[hand.index()].inverse()
            * target_from_source
            * of_source[source_hand.index()],
        finger_from_target: of_source[finger.index()].inverse()
            * target_from_source.inverse()
            * of_target[own.index()],
    })
}

/// How the first bone that both rigs have of a finger rests in each of them, in body space: a frame along the bone,
/// and upright as far as it can be.
fn rests(rigs: [&Rig; 2], worlds: &[WorldPose; 2], side: Side, digit: Digit) -> Option<[Quat; 2]> {
    let frame = |of: usize, role: Role| {
        let (rig, id) = (rigs[of], rigs[of].joint(role)?);
        let bone = rig.stance.body_from_joint[id.index()] * bone_local(rig, &worlds[of], id)?;
        frame_from_axes(Vec3::y(), bone)
    };
    [1, 2, 3, 0].into_iter().find_map(|number| {
        let role = Role::Finger(side, digit, number);
        Some([frame(0, role)?, frame(1, role)?])
    })
}
