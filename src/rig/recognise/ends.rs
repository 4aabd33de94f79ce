//! Parts of limbs that are called by another one. Of limbs of two bones the outer one may be called by where it ends: a "hand"
//! that begins at the elbow, a "foot" that begins at the knee. Rigs of few bones have them, and what tells is the bone's
//! length. A hand may be called a palm.

use super::Meaning;
use super::tree;
use crate::rig::Side;
use crate::rig::names::Part;
use crate::skeleton::{JointId, Skeleton};

/// A hand or a foot is shorter than this share of the bone above it; a forearm or a shin is longer. People's hands have
/// three fifths of an upper arm.
const LONG_SHARE: f64 = 0.75;

/// Gives such joints the part that they are, and a foot at the end of such a leg that of an ankle.
pub(super) fn correct(skeleton: &Skeleton, meanings: &mut [Meaning]) {
    for side in Side::BOTH {
        correct_leg(skeleton, meanings, side);
        correct_arm(skeleton, meanings, side);
        correct_hand(skeleton, meanings, side);
    }
}

fn correct_leg(skeleton: &Skeleton, meanings: &mut [Meaning], side: Side) {
    let is = |id: JointId, parts: &[Part]| is_part(&meanings[id.index()], side, parts);
    let upper = [Part::Thigh, Part::SidedHip, Part::Leg];
    let foot = [Part::Foot, Part::Ankle];
    let leg = skeleton.ids().find_map(|shin| {
        let thigh = skeleton.parent(shin)?;
        let is_lowest =
            skeleton.ancestors(thigh).all(|above| !is(above, &[Part::Thigh, Part::Leg]));
        let end = skeleton.children(shin).find(|end| is(*end, &foot))?;
        let len = |id: JointId| skeleton.joint(id).offset.norm();
        let is_shin = len(end) > LONG_SHARE * len(shin);
        (is(thigh, &upper) && is(shin, &foot) && is_lowest && is_shin).then_some([
            (thigh, Part::Thigh),
            (shin, Part::Shin),
            (end, Part::Ankle),
        ])
    });
    name(meanings, leg.into_iter().flatten());
}

fn correct_arm(skeleton: &Skeleton, meanings: &mut [Meaning], side: Side) {
    let is = |id: JointId, parts: &[Part]| is_part(&meanings[id.index()], side, parts);
    let upper = [Part::UpperArm, Part::Arm];
    let arm = skeleton.ids().find_map(|fore| {
        let above = skeleton.parent(fore)?;
        let is_lowest = skeleton.ancestors(above).all(|above| !is(above, &upper));
        // What it holds hangs where the hand is.
        let reach_len = tree::reach_len(skeleton, fore);
        let is_fore = reach_len > LONG_SHARE * skeleton.joint(fore).offset.norm();
        let has_hand = skeleton.at_and_below(fore).skip(1).any(|id| {
            let part = meanings[id.index()].part;
            part.is_some_and(|part| {
                matches!(part, Part::Hand | Part::Wrist | Part::Palm | Part::Finger(_))
            })
        });
        (is(above, &upper) && is(fore, &[Part::Hand]) && is_lowest && is_fore && !has_hand)
            .then_some([(above, Part::UpperArm), (fore, Part::Forearm)])
    });
    name(meanings, arm.into_iter().flatten());
}

/// The only palm of an arm that has no hand is the hand; several are the bones of one.
fn correct_hand(skeleton: &Skeleton, meanings: &mut [Meaning], side: Side) {
    let of = |parts: &[Part]| {
        let ids = skeleton.ids().filter(|id| is_part(&meanings[id.index()], side, parts));
        ids.collect::<Vec<_>>()
    };
    let palm = match of(&[Part::Palm])[..] {
        [palm] if of(&[Part::Hand, Part::Wrist]).is_empty() => palm,
        _ => return,
    };
    let hangs = |arm: &JointId| skeleton.parent(palm) == Some(*arm);
    let on_arm = of(&[Part::Forearm, Part::Arm, Part::UpperArm]).iter().any(hangs);
    name(meanings, on_arm.then_some((palm, Part::Hand)).into_iter());
}

fn is_part(meaning: &Meaning, side: Side, parts: &[Part]) -> bool {
    meaning.side == Some(side) && meaning.part.is_some_and(|part| parts.contains(&part))
}

fn name(meanings: &mut [Meaning], parts: impl Iterator<Item = (JointId, Part)>) {
    for (joint, part) in parts {
        meanings[joint.index()].part = Some(part);
    }
}
