//! Fingers: chains below a hand, counted from the knuckle.

use super::evidence::{Findings, Reason};
use super::tree;
use crate::rig::names::{DigitName, FingerName, Meaning, Part};
use crate::rig::{Digit, Role, Side};
use crate::skeleton::{JointId, Skeleton};

/// A finger joint that a name tells of.
#[derive(Clone, Copy)]
struct Named {
    joint: JointId,
    name: FingerName,
}

/// Finds the fingers of one hand by their names. Joints that no name counts as a phalanx of one
/// finger get no role.
pub(super) fn find(
    skeleton: &Skeleton,
    meanings: &[Meaning],
    side: Side,
    hand: JointId,
    findings: &mut Findings,
) {
    let below: Vec<Named> = skeleton
        .subtree(hand)
        .map(JointId::new)
        .filter(|&joint| !findings.has_joint(joint))
        .filter_map(|joint| match meanings[joint.index()] {
            Meaning { side: Some(s), part: Some(Part::Finger(name)), .. } if s == side => {
                Some(Named { joint, name })
            }
            _ => None,
        })
        .collect();
    let thumb_number = thumb_number(&below);
    let chains: Vec<(Digit, Vec<Named>)> = Digit::ALL
        .into_iter()
        .map(|digit| {
            let of_digit = below.iter().filter(|n| digit_of(n.name, thumb_number) == Some(digit));
            (digit, chain(skeleton, of_digit.copied()))
        })
        .collect();
    let thumb_len = chains[0].1.len();
    for (digit, chain) in &chains {
        let places = places(skeleton, hand, *digit, chain, thumb_len);
        for &(place, joint) in &places {
            findings.add(Role::Finger(side, *digit, place), joint, 0.95, Reason::Name);
        }
        if *digit != Digit::Thumb
            && places.first().is_some_and(|&(place, _)| place == 1)
            && let Some(palm) = palm_of(skeleton, meanings, hand, chain[0].joint, &chains)
        {
            findings.add(Role::Finger(side, *digit, 0), palm, 0.8, Reason::NameAndNeighbours);
        }
    }
}

/// The number that stands for the thumb where fingers are numbered: 0 where there is a finger 0 or
/// a thumb with a name, so that 1 is the index finger; else 1.
fn thumb_number(below: &[Named]) -> u8 {
    let zero = below
        .iter()
        .any(|n| matches!(n.name.digit, DigitName::Numbered(0) | DigitName::Named(Digit::Thumb)));
    if zero { 0 } else { 1 }
}

fn digit_of(name: FingerName, thumb_number: u8) -> Option<Digit> {
    match name.digit {
        DigitName::Named(digit) => Some(digit),
        DigitName::Numbered(n) => {
            Digit::ALL.get(usize::from(n.checked_sub(thumb_number)?)).copied()
        }
    }
}

/// The joints that follow each other down one path, from the hand outwards. Tips at the end of the
/// tree are no joints of their own.
fn chain(skeleton: &Skeleton, joints: impl Iterator<Item = Named>) -> Vec<Named> {
    let mut chain: Vec<Named> = Vec::new();
    let mut below = 0..skeleton.len();
    for named in joints {
        let tip = named.name.tip && tree::is_leaf(skeleton, named.joint);
        if below.contains(&named.joint.index()) && !tip {
            below = skeleton.subtree(named.joint);
            chain.push(named);
        }
    }
    chain
}

/// The role number of each joint of a chain that has one: 0 the metacarpal, 1 to 3 the phalanges.
fn places(
    skeleton: &Skeleton,
    hand: JointId,
    digit: Digit,
    chain: &[Named],
    thumb_len: usize,
) -> Vec<(u8, JointId)> {
    let metacarpal_first = match chain {
        // Rigs name the thumb's three bones differently but mean the same three.
        _ if digit == Digit::Thumb && chain.len() <= 3 => false,
        [] => false,
        [first, ..] if first.name.metacarpal => true,
        [first, second, ..] if chain.len() == 4 && !first.name.counted && second.name.counted => {
            true
        }
        _ if chain.len() > 4 => true,
        [first, second, _, _] if digit != Digit::Thumb => {
            // A metacarpal begins near the wrist and is the longer bone; a knuckle does not.
            let to_first = tree::way_len(skeleton, hand, first.joint);
            let to_second = tree::way_len(skeleton, first.joint, second.joint);
            let named = chain.iter().any(|n| n.name.root);
            named || to_first < to_second || (to_first == to_second && thumb_len == 3)
        }
        _ => false,
    };
    let first = if metacarpal_first { 0 } else { 1 };
    (first..=3).zip(chain.iter().map(|n| n.joint)).collect()
}

/// The joint between hand and finger that is named a palm or metacarpal and leads to this finger
/// alone (a thumb beside it does not count).
fn palm_of(
    skeleton: &Skeleton,
    meanings: &[Meaning],
    hand: JointId,
    knuckle: JointId,
    chains: &[(Digit, Vec<Named>)],
) -> Option<JointId> {
    let palm = skeleton
        .ancestors(knuckle)
        .take_while(|&joint| joint != hand)
        .find(|joint| meanings[joint.index()].part == Some(Part::Palm))?;
    let fingers = chains.iter().filter(|(digit, chain)| {
        *digit != Digit::Thumb && chain.first().is_some_and(|n| skeleton.is_ancestor(palm, n.joint))
    });
    (fingers.count() == 1).then_some(palm)
}
