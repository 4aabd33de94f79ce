//! The tree of joints: names, parents, offsets and channels, as a file lists them.
//!
//! ```
//! use retarget::{Joint, JointId, Skeleton, Vec3};
//!
//! let hips = Joint::new("Hips", None, Vec3::y());
//! let spine = Joint::new("Spine", Some(JointId::new(0)), 0.2 * Vec3::y());
//! let skeleton = Skeleton::new(vec![hips, spine])?;
//! let spine = skeleton.find("Spine").expect("a joint of that name");
//! assert_eq!(skeleton.parent(spine), Some(JointId::new(0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(missing_docs)]

mod channels;

pub use channels::{Channel, Channels};

use crate::math::Vec3;
use std::ops::Range;

/// Place of a joint in its skeleton's list, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct JointId(u32);

impl JointId {
    /// The id of the joint at place `index`. Panics from 2^32 on.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 joints"))
    }

    /// Place of the joint in its skeleton's list.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One joint of a [`Skeleton`].
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Name as in the file; may be empty, and need not be unique.
    pub name: String,
    /// The joint that it hangs on; `None` for a root.
    pub parent: Option<JointId>,
    /// Place in the parent's frame (local, clip length units) where no position channel says otherwise.
    pub offset: Vec3,
    /// Which numbers a file has of it in each frame.
    pub channels: Channels,
    /// Ends of the bone (local, clip length units); BVH calls them End Sites.
    pub end_sites: Vec<Vec3>,
}

impl Joint {
    /// A joint with the channels of most BVH files: three rotations, and before them three positions if it has no
    /// parent. It has no end sites. `offset` is its place in the parent's frame (local, clip length units).
    pub fn new(name: impl Into<String>, parent: Option<JointId>, offset: Vec3) -> Self {
        let channels = Channels::usual(parent.is_none());
        Self { name: name.into(), parent, offset, channels, end_sites: Vec::new() }
    }
}

/// The most joints that a file may have. Those of people with fingers and faces have some hundred.
pub const MOST_JOINTS: usize = 10_000;

/// The most that a number of a skeleton's lengths may be, either way: what a person measures in nanometres.
pub const MOST_LEN: f64 = 1e9;

/// The least that all bones of a skeleton may be together, unless they are nothing: no motion is written so finely.
pub const LEAST_REACH_LEN: f64 = 1e-6;

/// How far from the origin a position may lie, in lengths of all bones together. Beyond it numbers are so coarse that
/// a body falls to pieces.
pub const MOST_AWAY: f64 = 1e8;

/// Joints in depth-first order, as BVH lists them: a joint's whole subtree directly follows it. There may be several
/// roots.
///
/// Ids must be of this skeleton: methods may panic on one of a larger skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
    /// By joint, the place after the last one that hangs on it.
    ends: Vec<usize>,
}

/// Why a list of joints is no skeleton.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
// Each variant's sentence says what it is.
#[allow(missing_docs)]
pub enum SkeletonError {
    #[error("the skeleton has no joint")]
    Empty,
    #[error("joint {joint} ({name:?}) does not directly follow its parent's other descendants")]
    Order { joint: usize, name: String },
    #[error("joint {joint} ({name:?}) has an offset or end site that is not a finite number")]
    NotFinite { joint: usize, name: String },
}

/// Why parents make no tree that a skeleton can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
// Each variant's sentence says what it is.
#[allow(missing_docs)]
pub enum ParentsError {
    #[error(
        "joint {joint} has the parent {parent}, and there are {count} joints, counted from 0; a root has -1"
    )]
    Range { joint: usize, parent: isize, count: usize },
    #[error(
        "joint {joint} hangs on joints that are each other's parents in a circle; a root has -1"
    )]
    Circle { joint: usize },
}

/// The places of joints in depth-first order, as a [`Skeleton`] wants them, by their parents in any order (negative
/// for a root). Siblings keep their order.
pub fn depth_first(parents: &[isize]) -> Result<Vec<usize>, ParentsError> {
    let count = parents.len();
    let mut children = vec![Vec::new(); count];
    let mut stack = Vec::new();
    for (joint, &parent) in parents.iter().enumerate().rev() {
        match usize::try_from(parent) {
            Err(_) => stack.push(joint),
            Ok(parent) if parent < count => children[parent].push(joint),
            Ok(_) => return Err(ParentsError::Range { joint, parent, count }),
        }
    }
    let mut order = Vec::with_capacity(count);
    while let Some(joint) = stack.pop() {
        order.push(joint);
        stack.append(&mut children[joint]);
    }
    if order.len() < count {
        let mut seen = vec![false; count];
        order.iter().for_each(|&joint| seen[joint] = true);
        let joint = seen.iter().position(|seen| !seen).unwrap_or_default();
        return Err(ParentsError::Circle { joint });
    }
    Ok(order)
}

impl Skeleton {
    /// A skeleton of these joints. Refuses an empty list, a joint that does not directly follow its parent's other
    /// descendants, and an offset or end site that is not finite. Costs one pass over the joints.
    pub fn new(joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        if joints.is_empty() {
            return Err(SkeletonError::Empty);
        }
        // The path from the root to the joint before: the next parent must be on it.
        let mut path: Vec<usize> = Vec::new();
        let mut ends = vec![joints.len(); joints.len()];
        for (index, joint) in joints.iter().enumerate() {
            let name = || joint.name.clone();
            let parent = joint.parent.map(JointId::index);
            while let Some(&last) = path.last().filter(|&&last| Some(last) != parent) {
                ends[last] = index;
                path.pop();
            }
            if parent.is_some() && path.is_empty() {
                return Err(SkeletonError::Order { joint: index, name: name() });
            }
            path.push(index);
            let mut vectors = joint.end_sites.iter().chain([&joint.offset]);
            if !vectors.all(|v| v.iter().all(|c| c.is_finite())) {
                return Err(SkeletonError::NotFinite { joint: index, name: name() });
            }
        }
        Ok(Self { joints, ends })
    }

    /// The joints in skeleton order.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// How many joints there are; at least one.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// The ids of all joints in skeleton order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = JointId> + ExactSizeIterator + use<> {
        (0..self.joints.len()).map(JointId::new)
    }

    /// The joint's data.
    pub fn joint(&self, id: JointId) -> &Joint {
        &self.joints[id.index()]
    }

    /// The joint's name as in the file.
    pub fn name(&self, id: JointId) -> &str {
        &self.joint(id).name
    }

    /// The joint's parent; `None` for a root.
    pub fn parent(&self, id: JointId) -> Option<JointId> {
        self.joint(id).parent
    }

    /// The joint's direct children in skeleton order.
    pub fn children(&self, id: JointId) -> impl Iterator<Item = JointId> + '_ {
        let all = self.subtree(id);
        // The next child follows all that hangs on the one before.
        let from = move |place: usize| (place < all.end).then(|| JointId::new(place));
        std::iter::successors(from(all.start + 1), move |child| from(self.ends[child.index()]))
    }

    /// The joint's ancestors, from its parent up to the root.
    pub fn ancestors(&self, id: JointId) -> impl Iterator<Item = JointId> + '_ {
        std::iter::successors(self.parent(id), |&a| self.parent(a))
    }

    /// Whether `ancestor` lies above `id` (a joint is not its own ancestor). Costs the same in any tree.
    pub fn is_ancestor(&self, ancestor: JointId, id: JointId) -> bool {
        ancestor != id && self.subtree(ancestor).contains(&id.index())
    }

    /// The places of a joint and of all that hangs on it, which follow it directly. Costs the same in any tree.
    pub fn subtree(&self, id: JointId) -> Range<usize> {
        id.index()..self.ends[id.index()]
    }

    /// The joint and all that hangs on it, each after its parent.
    pub fn at_and_below(&self, id: JointId) -> impl Iterator<Item = JointId> + use<> {
        self.subtree(id).map(JointId::new)
    }

    /// These joints and all their ancestors, each once, in skeleton order: after its parent.
    pub fn with_ancestors(&self, joints: impl IntoIterator<Item = JointId>) -> Vec<JointId> {
        let mut is_on_way = vec![false; self.len()];
        for id in joints {
            let mut way = std::iter::once(id).chain(self.ancestors(id));
            // What is above a joint on the way is so too.
            while let Some(id) = way.next().filter(|id| !is_on_way[id.index()]) {
                is_on_way[id.index()] = true;
            }
        }
        self.ids().filter(|id| is_on_way[id.index()]).collect()
    }

    /// The first joint of that name. Costs one pass over the joints.
    pub fn find(&self, name: &str) -> Option<JointId> {
        self.ids().find(|&id| self.name(id) == name)
    }

    /// The length of all bones together, length units: of offsets, but for the roots', and of end sites.
    pub fn reach_len(&self) -> f64 {
        let bones =
            self.joints.iter().filter(|joint| joint.parent.is_some()).map(|joint| joint.offset);
        let ends = self.joints.iter().flat_map(|joint| &joint.end_sites).copied();
        bones.chain(ends).map(|bone| bone.norm()).sum()
    }

    /// The most that a coordinate of a position may be, either way, length units: [`MOST_AWAY`] times
    /// [the length of all bones](Self::reach_len), or times [`MOST_LEN`] where the skeleton gives them no length.
    pub fn most_away_len(&self) -> f64 {
        let reach_len = self.reach_len();
        MOST_AWAY * if reach_len > 0.0 { reach_len } else { MOST_LEN }
    }

    /// How many numbers a file's motion row holds: the channels of all joints.
    pub fn channel_count(&self) -> usize {
        self.joints.iter().map(|j| j.channels.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of so many joints, each on one of the way to the joint before it, as the numbers choose.
    fn tree(seed: usize, joints: usize) -> Skeleton {
        let mut path: Vec<usize> = Vec::new();
        let joint = |i: usize| {
            let chosen = (seed.wrapping_mul(31) + i.wrapping_mul(i) + i * seed) % 7;
            path.truncate(path.len().saturating_sub(chosen.saturating_sub(2)));
            let parent = path.last().copied().map(JointId::new);
            path.push(i);
            let (offset, channels) = (Vec3::zeros(), Channels::none());
            Joint { name: format!("x{i}"), parent, offset, channels, end_sites: Vec::new() }
        };
        Skeleton::new((0..joints).map(joint).collect()).expect("in order")
    }

    #[test]
    fn what_hangs_on_what_is_as_the_parents_say() {
        for seed in 0..40 {
            let tree = tree(seed, 60);
            for id in tree.ids() {
                let by_parents = |other: &JointId| tree.ancestors(*other).any(|above| above == id);
                let below: Vec<JointId> = tree.ids().filter(by_parents).collect();
                assert_eq!(tree.at_and_below(id).skip(1).collect::<Vec<_>>(), below);
                assert!(tree.ids().all(|other| tree.is_ancestor(id, other) == by_parents(&other)));
                let children = tree.ids().filter(|child| tree.parent(*child) == Some(id));
                assert!(tree.children(id).eq(children), "seed {seed}, {id:?}");
            }
            let [a, b] = [17, 53].map(JointId::new);
            let way = |of: JointId| std::iter::once(of).chain(tree.ancestors(of));
            let on_way = |id: &JointId| way(a).chain(way(b)).any(|other| other == *id);
            let wanted: Vec<JointId> = tree.ids().filter(on_way).collect();
            assert_eq!(tree.with_ancestors([a, b]), wanted, "seed {seed}");
        }
    }
}
