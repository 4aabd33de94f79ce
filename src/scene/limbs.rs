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
        let foot = *of(side, &[Part::Foot, Part::Ankle]).first()?;
        let legs = of(side, &[Part::Thigh, Part::SidedHip, Part::Leg, Part::Shin]);
        // The joints of the leg are one row, of which the shin is the last.
        let is_row = legs.windows(2).all(|pair| skeleton.is_ancestor(pair[0], pair[1]));
        let &[.., _, shin] = &legs[..] else { return None };
        let is_apart = !skeleton.is_ancestor(shin, foot) && !skeleton.is_ancestor(foot, shin);
        (is_row && is_apart).then_some((foot, shin))
    };
    Side::BOTH.into_iter().filter_map(loose).collect()
}
