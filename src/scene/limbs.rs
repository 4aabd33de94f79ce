//! Feet that hang on the root: rigs that animators pose by their feet have legs that are no chain of nodes. As a skeleton
//! they are one; the nodes stay as they are.

use crate::rig::Side;
use crate::rig::names::{Part, meanings};
use crate::skeleton::{JointId, Skeleton};

/// Feet with the shins that they belong under, by their names: where a side has one of each, and the foot hangs
/// elsewhere.
pub(super) fn loose_feet(skeleton: &Skeleton) -> Vec<(JointId, JointId)> {
    let meanings = meanings(skeleton);
    let of = |side: Side, parts: &[Part]| {
        let is_it = |id: &JointId| {
            let meaning = &meanings[id.index()];
            let is_part = meaning.part.is_some_and(|part| parts.contains(&part));
            is_part && meaning.side == Some(side) && !meaning.helper
        };
        skeleton.ids().filter(is_it).collect::<Vec<_>>()
    };
    let loose = |side: Side| {
        let (feet, shins) = (of(side, &[Part::Foot, Part::Ankle]), of(side, &[Part::Shin]));
        let ([foot, ..], [shin]) = (&feet[..], &shins[..]) else { return None };
        let stands_apart =
            !skeleton.is_ancestor(*shin, *foot) && !skeleton.is_ancestor(*foot, *shin);
        stands_apart.then_some((*foot, *shin))
    };
    Side::BOTH.into_iter().filter_map(loose).collect()
}
