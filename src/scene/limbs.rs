//! Joins feet that are children of the root to their legs. Rigs that animators pose by the feet have such feet, so that
//! a leg is no chain of nodes. The skeleton makes it a chain; the nodes stay as they are.

use crate::pose::{Pose, WorldPose};
use crate::rig::Side;
use crate::rig::names::{Part, meanings};
use crate::skeleton::{JointId, Skeleton};

/// The last joint of such a leg may also be called a foot. It is the shin, named after its lower end, if its distance
/// from the real foot is at least this share of the bone above it.
const SHIN_SHARE: f64 = 0.5;

/// The most joints of one part of a leg. A rig with more has no plain legs.
const MOST: usize = 16;

/// Pairs of a foot and its shin, found by their names: for each side with one foot and one shin where the foot is no
/// descendant of the shin.
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
        // A node that is named after the leg but is not part of it, such as the target of a knee, is left out.
        let is_leg = |id: &&JointId| match on_leg {
            Some(end) => skeleton.is_ancestor(**id, end),
            None => true,
        };
        let row: Vec<JointId> = legs.iter().filter(is_leg).copied().chain(on_leg).collect();
        // The joints of the leg must be one chain that ends in the shin.
        let is_row = row.windows(2).all(|pair| skeleton.is_ancestor(pair[0], pair[1]));
        let &[.., above, shin] = &row[..] else { return None };
        let is_long = || apart_len(shin, foot) > SHIN_SHARE * apart_len(above, shin);
        let is_shin = on_leg.is_none() || row.len() == 2 && is_long();
        let is_apart = !skeleton.is_ancestor(foot, shin);
        (is_row && is_shin && is_apart).then_some((foot, shin))
    };
    Side::BOTH.into_iter().filter_map(loose).collect()
}
