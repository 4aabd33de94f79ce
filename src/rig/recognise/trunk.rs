//! Hips, spine, neck and head: the path through the tree that the limbs hang from.

use super::error::Problem;
use super::evidence::Findings;
use super::tree;
use crate::rig::names::{Meaning, Part};
use crate::rig::{Role, Side};
use crate::skeleton::{JointId, Skeleton};
use std::ops::Range;

/// Where the trunk is anchored: the joints that the limbs begin with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anchors {
    pub thighs: [JointId; 2],
    /// Clavicle or upper arm of each side.
    pub arms: [Option<JointId>; 2],
}

/// The trunk, from the hips upwards.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Trunk {
    pub hips: JointId,
    pub spine: Vec<JointId>,
    pub neck: Vec<JointId>,
    pub head: Option<JointId>,
}

/// More joints than this in a spine or neck are no body's; it keeps role numbers small.
const LONGEST: usize = 200;

/// Finds the trunk by topology, names only deciding where the neck begins and which joint is the
/// head. `written` holds what the user settled.
pub(super) fn find(
    skeleton: &Skeleton,
    meanings: &[Meaning],
    anchors: Anchors,
    written: &Findings,
) -> Result<Trunk, Problem> {
    let [left, right] = anchors.thighs;
    let Some(pelvis) = tree::common_ancestor(skeleton, left, right) else {
        return Err(Problem::Apart { a: Role::Thigh(Side::Left), b: Role::Thigh(Side::Right) });
    };
    let head = find_head(skeleton, meanings, anchors, written)?;
    let chest = find_chest(skeleton, meanings, anchors, head)?;
    let top = chest.or(head);
    let hips = match (written.joint(Role::Hips), top) {
        (Some(hips), _) => hips,
        (None, None) => pelvis,
        (None, Some(top)) => tree::common_ancestor(skeleton, pelvis, top)
            .ok_or(Problem::Apart { a: Role::Thigh(Side::Left), b: Role::Spine(1) })?,
    };
    let mut up = match top {
        Some(top) => tree::path(skeleton, hips, top),
        None => Vec::new(),
    };
    if chest.is_none() {
        // Only the head is known; it is no spine joint.
        up.pop();
    }
    let counts = |joint: &JointId| carries_trunk(skeleton, meanings, *joint);
    let neck_start = up.iter().position(|j| meanings[j.index()].part == Some(Part::Neck));
    // Some rigs hang the clavicles from the neck's first joint; it is a neck all the same.
    let low_neck = up.split_off(neck_start.unwrap_or(up.len()));
    let mut spine: Vec<JointId> = up.into_iter().filter(counts).collect();
    let mut neck: Vec<JointId> = low_neck;
    let mut head = head;
    if let Some(head) = head {
        let from = chest.and_then(|c| tree::common_ancestor(skeleton, c, head)).unwrap_or(head);
        let mut path = tree::path(skeleton, from, head);
        path.pop();
        neck.extend(path);
    } else {
        let from = chest.or(neck.last().copied()).unwrap_or(hips);
        let mut chain = unnamed_head_chain(skeleton, meanings, anchors, from);
        if chest.is_none() && neck.is_empty() {
            // Without arms and head only names tell spine from neck.
            let start = chain.iter().position(|j| meanings[j.index()].part == Some(Part::Neck));
            let upper = chain.split_off(start.unwrap_or(chain.len()));
            spine.extend(chain);
            chain = upper;
        }
        if chain.len() >= 2 {
            head = chain.pop();
        }
        neck.extend(chain);
    }
    neck.retain(counts);
    let roles = written.roles();
    for (joints, list, role) in
        [(&mut spine, roles.spine(), Role::Spine(1)), (&mut neck, roles.neck(), Role::Neck(1))]
    {
        joints.retain(|&joint| roles.role(joint).is_none());
        if !list.is_empty() {
            *joints = list;
        }
        if joints.len() > LONGEST {
            return Err(Problem::TooLong { role, joints: joints.len() });
        }
    }
    Ok(Trunk { hips, spine, neck, head })
}

/// Whether a joint on the trunk's path takes a part of the trunk's turn.
fn carries_trunk(skeleton: &Skeleton, meanings: &[Meaning], joint: JointId) -> bool {
    let turns = !skeleton.joint(joint).channels.euler_order().axes().is_empty();
    turns && !meanings[joint.index()].helper
}

/// The head by name: on no limb, and of several below each other the first.
fn find_head(
    skeleton: &Skeleton,
    meanings: &[Meaning],
    anchors: Anchors,
    written: &Findings,
) -> Result<Option<JointId>, Problem> {
    if let Some(head) = written.joint(Role::Head) {
        return Ok(Some(head));
    }
    let root = tree::root(skeleton, anchors.thighs[0]);
    let limbs = limbs(skeleton, anchors);
    let mut heads: Vec<JointId> = Vec::new();
    let mut below_head = 0..0;
    for joint in skeleton.subtree(root).map(JointId::new) {
        let named = meanings[joint.index()].part == Some(Part::Head);
        if named && !is_in(&limbs, joint) && !below_head.contains(&joint.index()) {
            below_head = skeleton.subtree(joint);
            heads.push(joint);
        }
    }
    match heads[..] {
        [] => Ok(None),
        [head] => Ok(Some(head)),
        _ => Err(Problem::Ambiguous { role: Role::Head, joints: heads }),
    }
}

/// The joint that the arms hang from.
fn find_chest(
    skeleton: &Skeleton,
    meanings: &[Meaning],
    anchors: Anchors,
    head: Option<JointId>,
) -> Result<Option<JointId>, Problem> {
    match anchors.arms {
        [Some(left), Some(right)] => {
            let apart =
                Problem::Apart { a: Role::UpperArm(Side::Left), b: Role::UpperArm(Side::Right) };
            tree::common_ancestor(skeleton, left, right).map(Some).ok_or(apart)
        }
        [Some(arm), None] | [None, Some(arm)] => {
            let by_head = head.and_then(|head| tree::common_ancestor(skeleton, arm, head));
            let parent = || skeleton.ancestors(arm).find(|a| !meanings[a.index()].helper);
            Ok(by_head.or_else(parent))
        }
        [None, None] => Ok(None),
    }
}

/// The places of all joints of legs and arms.
fn limbs(skeleton: &Skeleton, anchors: Anchors) -> Vec<Range<usize>> {
    let tops = anchors.thighs.into_iter().chain(anchors.arms.into_iter().flatten());
    tops.map(|top| skeleton.subtree(top)).collect()
}

fn is_in(limbs: &[Range<usize>], joint: JointId) -> bool {
    limbs.iter().any(|limb| limb.contains(&joint.index()))
}

/// The joints above the chest that names place on neck or trunk, as long as there is just one.
fn unnamed_head_chain(
    skeleton: &Skeleton,
    meanings: &[Meaning],
    anchors: Anchors,
    from: JointId,
) -> Vec<JointId> {
    let mut chain: Vec<JointId> = Vec::new();
    let mut at = from;
    let limbs = limbs(skeleton, anchors);
    while chain.len() <= LONGEST {
        let axial = |joint: &JointId| {
            matches!(meanings[joint.index()].part, Some(Part::Neck | Part::Trunk))
                && !is_in(&limbs, *joint)
        };
        let mut next = skeleton.children(at).filter(axial);
        match (next.next(), next.next()) {
            (Some(only), None) => at = only,
            _ => break,
        }
        chain.push(at);
    }
    chain
}
