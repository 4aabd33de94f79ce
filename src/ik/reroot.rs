//! Rooting a tree at another of its links.
//!
//! Each joint between the old base and the new one is seen from its other side: link and parent exchange their roles,
//! the two pivots swap, the rotation is inverted, and the joint keeps its limits but applies them to the inverse. All
//! other joints stay as they are, so no link moves in the world (Kenwright 2012, §13).

use super::joint::Joint;
use super::pose::TreePose;
use super::tree::{LinkId, NONE, Tree, TreeError, topological};
use crate::math::{Quat, Vec3};

impl Tree {
    /// The same bodies and joints, rooted at `base`; link ids stay the same. Build one tree for each support, once;
    /// [`TreePose::set_rerooted`] converts poses. Refuses a link that the tree does not have. Allocates a whole tree.
    pub fn rerooted(&self, base: LinkId) -> Result<Tree, TreeError> {
        let mut at = self.check(base)?;
        let mut tree = self.clone();
        let mut came_from = NONE;
        loop {
            let parent = self.bodies[at].parent;
            tree.bodies[at].parent = came_from;
            if came_from == NONE {
                tree.bodies[at].pivot_in_parent = Vec3::zeros();
                tree.bodies[at].pivot_in_self = Vec3::zeros();
                tree.joints[at] = Joint::fixed();
            } else {
                let edge = came_from as usize;
                tree.bodies[at].pivot_in_parent = self.bodies[edge].pivot_in_self;
                tree.bodies[at].pivot_in_self = self.bodies[edge].pivot_in_parent;
                tree.joints[at] = self.joints[edge].flipped();
            }
            if parent == NONE {
                break;
            }
            came_from = at as u32;
            at = parent as usize;
        }
        tree.order = topological(&tree.bodies).map_err(|link| TreeError::Cycle { link })?;
        Ok(tree)
    }
}

impl TreePose {
    /// Converts `pose` of the tree `from` to the tree `to`, the same tree rooted elsewhere; no link moves in the world.
    /// Costs one pass over the links, allocates nothing.
    pub fn set_rerooted(&mut self, to: &Tree, from: &Tree, pose: &TreePose) {
        self.fit(to.len());
        for link in 0..to.len() {
            let parent = to.bodies[link].parent;
            if parent == from.bodies[link].parent {
                self.rotations[link] = pose.rotations[link];
                self.shifts[link] = pose.shifts[link];
            } else if parent == NONE {
                let (rotation, position) = world_of(from, pose, link);
                self.rotations[link] = rotation;
                self.shifts[link] = position;
            } else {
                let inverse = pose.rotations[parent as usize].inverse();
                self.rotations[link] = inverse;
                self.shifts[link] = -(inverse * pose.shifts[parent as usize]);
            }
        }
    }
}

/// World rotation and position of one link, computed from its ancestors.
fn world_of(tree: &Tree, pose: &TreePose, link: usize) -> (Quat, Vec3) {
    let (mut rotation, mut position) = (Quat::identity(), Vec3::zeros());
    let mut at = link;
    loop {
        let q = pose.rotations[at];
        position = pose.shifts[at]
            + tree.bodies[at].pivot_in_parent
            + q * (position - tree.bodies[at].pivot_in_self);
        rotation = q * rotation;
        match tree.bodies[at].parent {
            NONE => return (rotation, position),
            parent => at = parent as usize,
        }
    }
}
