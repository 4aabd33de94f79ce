//! Hands of several joints: the bones of a palm that begin at one wrist, each with its own fingers, where none holds the
//! others. One of them has the hand's role.

use crate::skeleton::{JointId, Skeleton};

/// Joints within this of the wrist are at its place, as a share of the forearm.
const AT_WRIST: f64 = 0.02;

/// How far from the wrist a thumb of such a hand may begin, as a share of the forearm.
const THUMB: f64 = 0.25;

/// The joints beside that of a hand that are of the same hand, and turn as it does. They come after it in the skeleton.
pub(crate) fn beside(skeleton: &Skeleton, hand: JointId) -> Vec<JointId> {
    let Some(forearm) = skeleton.parent(hand) else { return Vec::new() };
    let wrist = skeleton.joint(hand).offset;
    let off = |id: &JointId| (skeleton.joint(*id).offset - wrist).norm();
    let holds = |id: &JointId| *id > hand && skeleton.children(*id).next().is_some();
    let mut others: Vec<JointId> = skeleton.children(forearm).filter(holds).collect();
    others.retain(|id| off(id) <= THUMB * wrist.norm());
    match others.iter().any(|id| off(id) <= AT_WRIST * wrist.norm()) {
        true => others,
        false => Vec::new(),
    }
}

/// All joints of a hand: its own, those beside it, and all below these.
pub(crate) fn joints(skeleton: &Skeleton, hand: JointId) -> impl Iterator<Item = JointId> + '_ {
    let palms = [hand].into_iter().chain(beside(skeleton, hand));
    palms.flat_map(|palm| skeleton.at_and_below(palm))
}
