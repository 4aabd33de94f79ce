//! One posture of a tree.

use super::tree::{NONE, Tree, is_sane};
use crate::math::{Quat, Vec3};
use crate::pose::WorldPose;

/// Rotation and shift of every link, in the tree's list order.
///
/// A base has its world rotation and world position. Any other link has its `parent_from_link` rotation. Its shift is
/// the vector (parent's frame, length units) from the pivot that the tree states to the position of the joint: zero
/// except for slides and for skeletons that stretch.
#[derive(Clone, Debug, PartialEq)]
pub struct TreePose {
    /// One for each link: of a base `world_from_link`, of others `parent_from_link`.
    pub rotations: Vec<Quat>,
    /// One for each link, length units: of a base its position in the world, of others the vector said above, in the
    /// parent's frame.
    pub shifts: Vec<Vec3>,
}

impl TreePose {
    /// The pose of this many links with all rotations the identity and all shifts zero, so bases at the origin.
    pub fn new(links: usize) -> Self {
        Self { rotations: vec![Quat::identity(); links], shifts: vec![Vec3::zeros(); links] }
    }

    /// Every joint at its rest rotation and without a slide, the bases at the origin.
    pub fn rest(tree: &Tree) -> Self {
        let mut pose = Self::new(tree.len());
        for (link, joint) in tree.joints.iter().enumerate() {
            if tree.bodies[link].parent != NONE {
                let rest = joint.rest;
                pose.rotations[link] = if joint.reversed { rest.inverse() } else { rest };
            }
        }
        pose
    }

    /// Places the tree's base, the first of several, in the world: its position (length units) and its
    /// `world_from_link` rotation. The links below it move along.
    pub fn set_base(&mut self, tree: &Tree, position: Vec3, rotation: Quat) {
        if let Some(&base) = tree.order.first() {
            self.shifts[base as usize] = position;
            self.rotations[base as usize] = rotation;
        }
    }

    /// Sets the pose that lies `share` of the way from `one` to `other`, both of the same tree: rotations at a constant
    /// rate along the shorter arc (slerp), shifts along the line. No allocation.
    pub fn set_slerp(&mut self, one: &TreePose, other: &TreePose, share: f64) {
        self.blend(one, other, share, |a, b| {
            // A half turn has no shorter arc; either will do.
            a.try_slerp(&b, share, 1e-9).unwrap_or(if share < 0.5 { a } else { b })
        });
    }

    /// As [`set_slerp`](Self::set_slerp) by the normalised mean of quaternions (nlerp): without trigonometry, a little
    /// slower at the ends of the arc and faster in its middle.
    pub fn set_nlerp(&mut self, one: &TreePose, other: &TreePose, share: f64) {
        self.blend(one, other, share, |a, b| {
            let near = if a.coords.dot(&b.coords) < 0.0 { -*b } else { *b };
            Quat::new_normalize(*a * (1.0 - share) + near * share)
        });
    }

    fn blend(
        &mut self,
        one: &TreePose,
        other: &TreePose,
        share: f64,
        turn: impl Fn(Quat, Quat) -> Quat,
    ) {
        self.fit(one.rotations.len());
        for (link, (a, b)) in one.rotations.iter().zip(&other.rotations).enumerate() {
            self.rotations[link] = turn(*a, *b);
        }
        for (link, (a, b)) in one.shifts.iter().zip(&other.shifts).enumerate() {
            self.shifts[link] = a.lerp(b, share);
        }
    }

    /// Copies another pose of the same tree without allocating.
    pub fn copy_from(&mut self, other: &TreePose) {
        self.rotations.clone_from(&other.rotations);
        self.shifts.clone_from(&other.shifts);
    }

    /// Sets the pose of `tree` that gives every link its place in `world`. One pass, no allocation. Panics where
    /// `world` has fewer entries than the tree has links.
    pub fn set_from_world(&mut self, tree: &Tree, world: &WorldPose) {
        self.fit(tree.len());
        for link in 0..tree.len() {
            let parent = tree.bodies[link].parent;
            if parent == NONE {
                self.rotations[link] = world.rotations[link];
                self.shifts[link] = world.positions[link];
                continue;
            }
            let parent = parent as usize;
            let parent_from_world = world.rotations[parent].inverse();
            let way = tree.pivot(link, world) - world.positions[parent];
            self.rotations[link] = parent_from_world * world.rotations[link];
            self.shifts[link] = parent_from_world * way - tree.bodies[link].pivot_in_parent;
        }
    }

    /// Resizes the pose to a tree of `links` links; new entries are zero.
    pub(super) fn fit(&mut self, links: usize) {
        self.rotations.resize(links, Quat::identity());
        self.shifts.resize(links, Vec3::zeros());
    }

    /// Replaces values that are not a number or not a rotation, and renormalises the others.
    pub(super) fn repair(&mut self) {
        for q in &mut self.rotations {
            let norm = q.coords.norm();
            *q = if norm > 1e-100 && norm < 1e100 {
                // Dividing by a norm of 1 changes no bit, so a valid pose stays as it is.
                Quat::new_unchecked(**q / norm)
            } else {
                Quat::identity()
            };
        }
        for shift in &mut self.shifts {
            if !is_sane(shift) {
                *shift = Vec3::zeros();
            }
        }
    }
}

impl Tree {
    /// Forward kinematics of every link, into `world`. One pass, no allocation. Panics where pose or `world` have fewer
    /// entries than the tree has links.
    pub fn world(&self, pose: &TreePose, world: &mut WorldPose) {
        for &link in &self.order {
            self.place(link as usize, pose, world);
        }
    }

    /// Forward kinematics of one link whose parent is placed already.
    #[inline(always)]
    pub(super) fn place(&self, link: usize, pose: &TreePose, world: &mut WorldPose) {
        let body = &self.bodies[link];
        let (local, shift) = (pose.rotations[link], pose.shifts[link]);
        if body.parent == NONE {
            world.rotations[link] = local;
            world.positions[link] = shift;
            return;
        }
        let parent = body.parent as usize;
        let parent_rotation = world.rotations[parent];
        let rotation = parent_rotation * local;
        let pivot = world.positions[parent] + parent_rotation * (body.pivot_in_parent + shift);
        world.rotations[link] = rotation;
        // Most links have their frame at their joint.
        world.positions[link] = if body.pivot_in_self == Vec3::zeros() {
            pivot
        } else {
            pivot - rotation * body.pivot_in_self
        };
    }
}
