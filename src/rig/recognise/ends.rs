//! Parts of limbs that are called by another one. Of limbs of two bones the outer one may be called by where it ends: a
//! "hand" that begins at the elbow, a "foot" that begins at the knee. Rigs of few bones have them, and what tells is
//! the bone's length. A hand may be called a palm, and may be several that begin at one wrist.

use super::Meaning;
use super::tree;
use crate::rig::names::Part;
use crate::rig::{Side, palms_beside};
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
    let uppers = [Part::Thigh, Part::SidedHip, Part::Leg];
    let feet = [Part::Foot, Part::Ankle];
    let Some([thigh, shin]) = first(skeleton, |upper| is(upper, &uppers), |end| is(end, &feet))
    else {
        return;
    };
    let Some(end) = skeleton.children(shin).find(|end| is(*end, &feet)) else { return };
    let len = |id: JointId| skeleton.joint(id).offset.norm();
    let is_second = skeleton.ancestors(thigh).any(|above| is(above, &uppers));
    if len(end) > LONG_SHARE * len(shin) && !is_second {
        name(meanings, &[(thigh, Part::Thigh), (shin, Part::Shin), (end, Part::Ankle)]);
    }
}

fn correct_arm(skeleton: &Skeleton, meanings: &mut [Meaning], side: Side) {
    let is = |id: JointId, parts: &[Part]| is_part(&meanings[id.index()], side, parts);
    let uppers = [Part::UpperArm, Part::Arm];
    let Some([above, fore]) =
        first(skeleton, |upper| is(upper, &uppers), |end| is(end, &[Part::Hand]))
    else {
        return;
    };
    let is_second = skeleton.ancestors(above).any(|above| is(above, &uppers));
    let is_of_hand =
        |part: Part| matches!(part, Part::Hand | Part::Wrist | Part::Palm | Part::Finger(_));
    let below = skeleton.at_and_below(fore).skip(1);
    let has_hand = below.filter_map(|id| meanings[id.index()].part).any(is_of_hand);
    // What it holds hangs where the hand is.
    let reach_len = tree::reach_len(skeleton, fore);
    let is_fore = reach_len > LONG_SHARE * skeleton.joint(fore).offset.norm();
    if is_fore && !is_second && !has_hand {
        name(meanings, &[(above, Part::UpperArm), (fore, Part::Forearm)]);
    }
}

/// The first joint that is an `end` and hangs on an `upper` one, behind that.
fn first(
    skeleton: &Skeleton,
    upper: impl Fn(JointId) -> bool,
    end: impl Fn(JointId) -> bool,
) -> Option<[JointId; 2]> {
    skeleton.ids().find_map(|id| {
        let above = skeleton.parent(id)?;
        (end(id) && upper(above)).then_some([above, id])
    })
}

/// The only palm of an arm that has no hand is the hand. Several are the bones of one; where they begin at one place the
/// first stands for all.
fn correct_hand(skeleton: &Skeleton, meanings: &mut [Meaning], side: Side) {
    let of = |parts: &[Part]| {
        let ids = skeleton.ids().filter(|id| is_part(&meanings[id.index()], side, parts));
        ids.collect::<Vec<_>>()
    };
    let palm = match of(&[Part::Palm])[..] {
        [first, ref others @ ..] => {
            let beside = palms_beside(skeleton, first);
            let is_one_hand = others.iter().all(|other| beside.contains(other));
            if !is_one_hand || !of(&[Part::Hand, Part::Wrist]).is_empty() {
                return;
            }
            first
        }
        [] => return,
    };
    let hangs = |arm: &JointId| skeleton.parent(palm) == Some(*arm);
    if of(&[Part::Forearm, Part::Arm, Part::UpperArm]).iter().any(hangs) {
        name(meanings, &[(palm, Part::Hand)]);
    }
}

fn is_part(meaning: &Meaning, side: Side, parts: &[Part]) -> bool {
    meaning.side == Some(side) && meaning.part.is_some_and(|part| parts.contains(&part))
}

fn name(meanings: &mut [Meaning], parts: &[(JointId, Part)]) {
    for &(joint, part) in parts {
        meanings[joint.index()].part = Some(part);
    }
}
