//! Feet that hang on the root: rigs that animators pose by their feet have legs that are no chain of nodes. As a
//! skeleton they are one; the nodes stay as they are.

use crate::pose::{Pose, WorldPose};
use crate::rig::Side;
use crate::rig::names::{Part, meanings};
use crate::skeleton::{JointId, Skeleton};

/// A foot that hangs apart belongs to a leg whose last joint is called a foot too, but lies this share of the bone
/// above it or farther away: that joint is where the shin begins, and is called by where it ends.
const SHIN_SHARE: f64 = 0.5;

/// More joints of one part are no leg's.
const MOST: usize = 16;

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
    let rest = WorldPose::of(skeleton, &Pose::rest(skeleton));
    let apart_len = |a: JointId, b: JointId| (rest.position(a) - rest.position(b)).norm();
    let loose = |side: Side| {
        let feet = of(side, &[Part::Foot, Part::Ankle]);
        let legs = of(side, &[Part::Thigh, Part::SidedHip, Part::Leg, Part::Shin]);
        if feet.len() > MOST || legs.len() > MOST {
            return None;
        }
        let hangs = |foot: &JointId| legs.iter().any(|leg| skeleton.is_ancestor(*leg, *foot));
        let foot = *feet.iter().find(|foot| !hangs(foot))?;
        let on_leg = feet.iter().copied().find(hangs);
        // What is called after the leg and hangs beside it, as the aim of a knee does, is none of its joints.
        let is_leg = |id: &&JointId| match on_leg {
            Some(end) => skeleton.is_ancestor(**id, end),
            None => true,
        };
        let row: Vec<JointId> = legs.iter().filter(is_leg).copied().chain(on_leg).collect();
        // The joints of the leg are one row, of which the shin is the last.
        let is_row = row.windows(2).all(|pair| skeleton.is_ancestor(pair[0], pair[1]));
        let &[.., above, shin] = &row[..] else { return None };
        let is_long = || apart_len(shin, foot) > SHIN_SHARE * apart_len(above, shin);
        let is_shin = on_leg.is_none() || row.len() == 2 && is_long();
        let is_apart = !skeleton.is_ancestor(foot, shin);
        (is_row && is_shin && is_apart).then_some((foot, shin))
    };
    Side::BOTH.into_iter().filter_map(loose).collect()
}
