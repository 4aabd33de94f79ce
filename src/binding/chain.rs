//! How the joints of a spine or a neck share the rotation of one with another number of joints.

use crate::rig::{Rig, Role, Side};
use crate::skeleton::JointId;
use std::collections::BTreeMap;

/// For each spine and neck joint of the target, the source joints whose rotation it takes, with weights that sum to 1.
pub(crate) fn shares(source: &Rig, target: &Rig) -> BTreeMap<JointId, Vec<(JointId, f64)>> {
    let mut all = BTreeMap::new();
    let (source_spine, target_spine) = (source.roles.spine(), target.roles.spine());
    if source_spine.len() == target_spine.len() {
        all.extend(pairwise(&source_spine, &target_spine));
    } else {
        let from = Segments::spine(source);
        let mut shared = from.spread(&Segments::spine(target));
        // The chest carries the arms, so it follows the source's chest whatever is below it.
        if let (Some(&chest), Some(&source_chest)) = (target_spine.last(), source_spine.last()) {
            shared.insert(chest, vec![(source_chest, 1.0)]);
        }
        all.extend(shared);
    }
    let (source_neck, target_neck) = (source.roles.neck(), target.roles.neck());
    if source_neck.len() == target_neck.len() {
        all.extend(pairwise(&source_neck, &target_neck));
    } else if source_neck.is_empty() {
        all.extend(between_chest_and_head(source, &target_neck));
    } else {
        all.extend(Segments::neck(source).spread(&Segments::neck(target)));
    }
    all
}

fn pairwise(
    source: &[JointId],
    target: &[JointId],
) -> impl Iterator<Item = (JointId, Vec<(JointId, f64)>)> {
    source.iter().zip(target).map(|(&s, &t)| (t, vec![(s, 1.0)]))
}

/// The joints of a neck that the source lacks rotate in even steps from the chest to the head.
fn between_chest_and_head(
    source: &Rig,
    target_neck: &[JointId],
) -> Vec<(JointId, Vec<(JointId, f64)>)> {
    let hips = source.joint(Role::Hips).expect("every rig has hips");
    let chest = source.roles.spine().last().copied().unwrap_or(hips);
    let head = source.joint(Role::Head).unwrap_or(chest);
    let steps = (target_neck.len() + 1) as f64;
    let step = |(i, &joint): (usize, &JointId)| {
        let weight = (i + 1) as f64 / steps;
        (joint, vec![(chest, 1.0 - weight), (head, weight)])
    };
    target_neck.iter().enumerate().map(step).collect()
}

/// A joint and the stretch of its chain that its bone covers, as shares of the chain's length.
pub(super) type Piece = (JointId, f64, f64);

/// The joints of the pieces that a stretch covers, each with its share of the stretch.
pub(super) fn overlaps(pieces: &[Piece], from: f64, to: f64) -> Vec<(JointId, f64)> {
    let mut overlaps: Vec<(JointId, f64)> = pieces
        .iter()
        .map(|&(source, start, end)| (source, to.min(end) - from.max(start)))
        .filter(|(_, len)| *len > 1e-6)
        .collect();
    if overlaps.is_empty() {
        let middle = 0.5 * (from + to);
        let nearest = pieces.iter().rev().find(|(_, start, _)| *start <= middle);
        overlaps.extend(nearest.or(pieces.first()).map(|(source, ..)| (*source, 1.0)));
    }
    let total: f64 = overlaps.iter().map(|(_, len)| len).sum();
    overlaps.iter_mut().for_each(|(_, len)| *len /= total);
    overlaps
}

/// A chain as rigid pieces: the joint at the lower end of each piece, and the stretch that the piece covers, as shares
/// of the chain's length.
struct Segments {
    pieces: Vec<Piece>,
    /// Whether the first piece belongs to the joint below the chain.
    has_base: bool,
}

impl Segments {
    fn spine(rig: &Rig) -> Self {
        let hips = rig.joint(Role::Hips).expect("every rig has hips");
        let spine = rig.roles.spine();
        let joints: Vec<JointId> = std::iter::once(hips).chain(spine).collect();
        let above = [Role::Neck(1), Role::Neck(2), Role::Head, Role::UpperArm(Side::Left)];
        Self::new(rig, &joints, &above, true)
    }

    fn neck(rig: &Rig) -> Self {
        Self::new(rig, &rig.roles.neck(), &[Role::Head], false)
    }

    /// Pieces between neighbouring joints, and one from the last joint to the first of `above` at another place. If
    /// there is none, the last piece is as long as the mean of the others.
    fn new(rig: &Rig, joints: &[JointId], above: &[Role], has_base: bool) -> Self {
        let mut lengths: Vec<f64> =
            joints.windows(2).map(|pair| path_len(rig, pair[0], pair[1])).collect();
        let last = joints.last().copied();
        let to_end = above
            .iter()
            .filter_map(|&role| Some(path_len(rig, last?, rig.joint(role)?)))
            .find(|len| *len > 1e-3 * rig.leg_len);
        let mean = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
        lengths.push(to_end.unwrap_or(mean).max(1e-9 * rig.leg_len));
        let total: f64 = lengths.iter().sum();
        let mut start = 0.0;
        let pieces = joints
            .iter()
            .zip(&lengths)
            .map(|(&joint, len)| {
                let from = start;
                start += len / total;
                (joint, from, start)
            })
            .collect();
        Self { pieces, has_base }
    }

    /// For each joint of `target` without its base, the joints of this chain over the stretch of the joint's piece.
    fn spread(&self, target: &Segments) -> BTreeMap<JointId, Vec<(JointId, f64)>> {
        let skip = usize::from(target.has_base);
        let share = |&(joint, from, to): &Piece| (joint, overlaps(&self.pieces, from, to));
        target.pieces.iter().skip(skip).map(share).collect()
    }
}

/// The length of the bones from `ancestor` down to `joint`.
fn path_len(rig: &Rig, ancestor: JointId, joint: JointId) -> f64 {
    let skeleton = &rig.skeleton;
    std::iter::once(joint)
        .chain(skeleton.ancestors(joint))
        .take_while(|&id| id != ancestor)
        .map(|id| rig.stance.local.translations[id.index()].norm())
        .sum()
}
