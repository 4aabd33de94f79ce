//! Questions about the joint tree that the other files of this folder share.

use crate::skeleton::{JointId, Skeleton};

/// The lowest joint that is or lies above both; `None` if they have different roots.
pub(super) fn common_ancestor(skeleton: &Skeleton, a: JointId, b: JointId) -> Option<JointId> {
    let (mut a, mut b) = (a, b);
    while a != b {
        // Parents stand before their children, so the later of the two cannot be above the other.
        let later = if a > b { &mut a } else { &mut b };
        *later = skeleton.parent(*later)?;
    }
    Some(a)
}

/// The joint, its parent, and so on up to the root.
pub(super) fn at_or_above(
    skeleton: &Skeleton,
    joint: JointId,
) -> impl Iterator<Item = JointId> + '_ {
    std::iter::once(joint).chain(skeleton.ancestors(joint))
}

/// The joints below `from` down to `to`, `to` included; empty if `to` is not below `from`.
pub(super) fn path(skeleton: &Skeleton, from: JointId, to: JointId) -> Vec<JointId> {
    if !skeleton.is_ancestor(from, to) {
        return Vec::new();
    }
    let mut path: Vec<JointId> =
        at_or_above(skeleton, to).take_while(|&joint| joint != from).collect();
    path.reverse();
    path
}

/// Length of the way from `from` down to `to` by the OFFSETs of the joints between; 0 if `to` is
/// not below.
pub(super) fn way_len(skeleton: &Skeleton, from: JointId, to: JointId) -> f64 {
    path(skeleton, from, to).iter().map(|&joint| skeleton.joint(joint).offset.norm()).sum()
}

/// How far from a joint its children and End Sites lie, the farthest of them; 0 without any.
pub(super) fn reach_len(skeleton: &Skeleton, joint: JointId) -> f64 {
    let children = skeleton.children(joint).map(|child| skeleton.joint(child).offset.norm());
    let ends = skeleton.joint(joint).end_sites.iter().map(|end| end.norm());
    children.chain(ends).fold(0.0, f64::max)
}

/// The root that the joint hangs from.
pub(super) fn root(skeleton: &Skeleton, joint: JointId) -> JointId {
    skeleton.ancestors(joint).last().unwrap_or(joint)
}

/// Whether nothing hangs below the joint.
pub(super) fn is_leaf(skeleton: &Skeleton, joint: JointId) -> bool {
    skeleton.joints().get(joint.index() + 1).is_none_or(|next| next.parent != Some(joint))
}
