//! Conversion between skeletons and their poses and trees.
//!
//! Link *i* is joint *i* and has its frame, so a [`WorldPose`] of the skeleton is one of the tree.

use super::joint::Joint;
use super::pose::TreePose;
use super::tree::{Link, LinkId, NONE, Tree, TreeError};
use crate::math::Vec3;
use crate::pose::{Pose, WorldPose};
use crate::skeleton::{JointId, Skeleton};

impl From<JointId> for LinkId {
    fn from(joint: JointId) -> Self {
        LinkId::new(joint.index())
    }
}

impl Tree {
    /// The skeleton's joints as links with ball joints, with the same root and names: link *i* is joint *i* and has its
    /// frame. Refuses OFFSETs beyond ±1e60.
    pub fn from_skeleton(skeleton: &Skeleton) -> Result<Self, TreeError> {
        let links: Vec<Link> = skeleton
            .joints()
            .iter()
            .map(|joint| match joint.parent {
                Some(parent) => Link::child(parent.into(), joint.offset, Joint::ball()),
                None => Link::base(),
            })
            .collect();
        let names = skeleton.joints().iter().map(|joint| joint.name.clone()).collect();
        Ok(Tree { names, ..Tree::new(&links)? })
    }
}

impl TreePose {
    /// Sets this to a local pose of the skeleton from which `tree` was made; `tree` must have the same root still.
    /// Panics on a pose of another number of joints.
    pub fn set_from_skeleton(&mut self, tree: &Tree, pose: &Pose) {
        self.fit(tree.len());
        self.rotations.copy_from_slice(&pose.rotations);
        for (link, shift) in self.shifts.iter_mut().enumerate() {
            let rest = if tree.bodies[link].parent == NONE {
                Vec3::zeros()
            } else {
                tree.bodies[link].pivot_in_parent
            };
            *shift = pose.translations[link] - rest;
        }
    }

    /// Writes this as a local pose of the skeleton from which `tree` was made; `tree` must have the same root still.
    /// Panics on a pose of another number of joints.
    pub fn write_skeleton(&self, tree: &Tree, pose: &mut Pose) {
        pose.rotations.copy_from_slice(&self.rotations);
        for (link, translation) in pose.translations.iter_mut().enumerate() {
            *translation = tree.bodies[link].pivot_in_parent + self.shifts[link];
        }
    }
}

/// Writes the local pose of the skeleton that gives its joints their rotations in `world`. The translations in `pose`
/// stay, except the roots', which are their positions in `world`. One pass over the joints, no allocation.
pub fn write_rotations(skeleton: &Skeleton, world: &WorldPose, pose: &mut Pose) {
    for (i, joint) in skeleton.joints().iter().enumerate() {
        match joint.parent {
            None => {
                pose.rotations[i] = world.rotations[i];
                pose.translations[i] = world.positions[i];
            }
            Some(parent) => {
                pose.rotations[i] = world.rotations[parent.index()].inverse() * world.rotations[i];
            }
        }
    }
}
