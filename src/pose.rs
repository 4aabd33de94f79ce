//! One body posture, local and in the world, and the step from one to the other.
//!
//! ```
//! use retarget::{Joint, JointId, Pose, Skeleton, Vec3, WorldPose};
//!
//! let hips = Joint::new("Hips", None, Vec3::y());
//! let spine = Joint::new("Spine", Some(JointId::new(0)), 0.2 * Vec3::y());
//! let skeleton = Skeleton::new(vec![hips, spine])?;
//! let world = WorldPose::of(&skeleton, &Pose::rest(&skeleton));
//! assert_eq!(world.position(JointId::new(1)), 1.2 * Vec3::y());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(missing_docs)]

use crate::math::{Quat, Vec3};
use crate::skeleton::{JointId, Skeleton};

/// Local rotation and translation of every joint of a skeleton, in skeleton order.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// For each joint its `parent_from_joint` rotation; of a root its rotation in the world.
    pub rotations: Vec<Quat>,
    /// For each joint its place in the parent's frame, clip length units; of a root its place in the world.
    pub translations: Vec<Vec3>,
}

impl Pose {
    /// The pose that the file's OFFSETs alone give, called the zero pose: no joint is rotated. It proves nothing about
    /// how the body stands.
    pub fn rest(skeleton: &Skeleton) -> Self {
        Self {
            rotations: vec![Quat::identity(); skeleton.len()],
            translations: skeleton.joints().iter().map(|j| j.offset).collect(),
        }
    }

    /// Copies another pose of the same skeleton without allocating. Panics on another number of joints.
    pub fn copy_from(&mut self, other: &Pose) {
        self.rotations.copy_from_slice(&other.rotations);
        self.translations.copy_from_slice(&other.translations);
    }
}

/// World rotation and position of every joint, in skeleton order. The world is that of the skeleton's file, with its
/// axes and its length unit.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldPose {
    /// For each joint its `world_from_joint` rotation.
    pub rotations: Vec<Quat>,
    /// For each joint its place in the world, clip length units.
    pub positions: Vec<Vec3>,
}

impl WorldPose {
    /// A buffer for a skeleton of `joints` joints, all at the origin and without rotation.
    pub fn new(joints: usize) -> Self {
        Self { rotations: vec![Quat::identity(); joints], positions: vec![Vec3::zeros(); joints] }
    }

    /// Copies another pose of the same skeleton without allocating. Panics on another number of joints.
    pub fn copy_from(&mut self, other: &WorldPose) {
        self.rotations.copy_from_slice(&other.rotations);
        self.positions.copy_from_slice(&other.positions);
    }

    /// The world pose of `local`: a new buffer filled by [`WorldPose::set`].
    pub fn of(skeleton: &Skeleton, local: &Pose) -> Self {
        let mut world = Self::new(skeleton.len());
        world.set(skeleton, local);
        world
    }

    /// Forward kinematics: fills in every joint from its parent. One pass, no allocation. Panics where one of the poses
    /// has fewer joints than the skeleton.
    pub fn set(&mut self, skeleton: &Skeleton, local: &Pose) {
        self.set_from(skeleton, local, 0);
    }

    /// As [`set`](Self::set), of the joints from place `first` on; those before must be right already.
    pub fn set_from(&mut self, skeleton: &Skeleton, local: &Pose, first: usize) {
        for (i, joint) in skeleton.joints().iter().enumerate().skip(first) {
            self.set_joint(joint.parent, i, local.rotations[i], local.translations[i]);
        }
    }

    /// As [`set`](Self::set), of these joints alone; each must come after its parent, which must be one of them.
    pub fn set_joints(&mut self, skeleton: &Skeleton, local: &Pose, joints: &[JointId]) {
        for id in joints {
            let i = id.index();
            self.set_joint(skeleton.parent(*id), i, local.rotations[i], local.translations[i]);
        }
    }

    /// Fills in the joint at place `i` from its parent, which must be right already, and its local rotation and
    /// translation.
    #[inline(always)]
    pub(crate) fn set_joint(
        &mut self,
        parent: Option<JointId>,
        i: usize,
        rotation: Quat,
        translation: Vec3,
    ) {
        (self.rotations[i], self.positions[i]) = match parent {
            None => (rotation, translation),
            Some(parent) => {
                let (above, at) = (self.rotation(parent), self.position(parent));
                (above * rotation, at + above * translation)
            }
        };
    }

    /// As [`set_joints`](Self::set_joints), of the positions alone; the rotations must be right already.
    pub fn set_positions(&mut self, skeleton: &Skeleton, local: &Pose, joints: &[JointId]) {
        for id in joints {
            let translation = local.translations[id.index()];
            self.positions[id.index()] = match skeleton.parent(*id) {
                None => translation,
                Some(parent) => self.point(parent, translation),
            };
        }
    }

    /// World position of a joint, clip length units.
    #[inline]
    pub fn position(&self, id: JointId) -> Vec3 {
        self.positions[id.index()]
    }

    /// `world_from_joint` rotation.
    #[inline]
    pub fn rotation(&self, id: JointId) -> Quat {
        self.rotations[id.index()]
    }

    /// The world position of a point that is given in a joint's frame (local, length units).
    #[inline]
    pub fn point(&self, id: JointId, point_local: Vec3) -> Vec3 {
        self.position(id) + self.rotation(id) * point_local
    }
}
