//! Bends a chain that is stuck in a straight line, and undoes the bend if it did not help.

use super::angle::{about, hinge_angle};
use super::joint::JointKind;
use super::plan::Level;
use super::sweep::Scope;
use super::work::Work;
use crate::math::{Vec3, any_perpendicular};

impl Work<'_> {
    /// Undoes rotations since the best pose of joints that do not serve the level.
    pub fn put_idle_back(&mut self, level: &Level, scope: Scope) {
        let cost = self.cost(level);
        for stop in level.stops.iter().rev().filter(|stop| scope.has(stop)) {
            let link = stop.link as usize;
            let (turned, before) = (self.pose.rotations[link], self.s.best.rotations[link]);
            if turned == before {
                continue;
            }
            self.pose.rotations[link] = before;
            self.refresh(level);
            // A difference by rounding alone is ignored. Undoing a rotation that changes the error would move the other
            // joints again.
            if (self.cost(level) - cost).abs() > 1e-12 * cost {
                self.pose.rotations[link] = turned;
            }
        }
        self.refresh(level);
    }

    /// Bends a level's joints a little, off the straight line in which all of them are stuck.
    pub fn nudge(&mut self, level: &Level, scope: Scope, size: u32) {
        self.is_nudged = true;
        let mut sign = 1.0;
        for stop in level.stops.iter().filter(|stop| scope.has(stop)) {
            let link = stop.link as usize;
            let joint = &self.plan.tree.joints[link];
            let angle = 0.15 * size as f64 * sign * joint.weight;
            let local = self.pose.rotations[link];
            let bone = self.bone_local(level, stop.link);
            let turned = match (joint.kind, joint.bend_axis) {
                (JointKind::Slide { .. }, _) => continue,
                (JointKind::Hinge { axis, range }, _) => {
                    let motion = joint.motion(local);
                    let now = hinge_angle(motion, axis);
                    let towards_middle = (range.middle() - now).signum();
                    joint.rotation(motion * about(axis, angle.abs() * towards_middle))
                }
                (_, Some(axis)) => local * about(axis, angle.abs()),
                (_, None) => local * about(any_perpendicular(bone), angle),
            };
            let confined = joint.confine(turned);
            let start = self.s.start.rotations[link];
            if joint.is_within_window(start, confined) {
                self.pose.rotations[link] = confined;
            }
            sign = -sign;
        }
        self.refresh(level);
        self.finish_wrists(level);
    }

    /// The vector from a link's pivot to the next pivot or effector below it, in its own frame.
    fn bone_local(&self, level: &Level, link: u32) -> Vec3 {
        let tree = &self.plan.tree;
        let own = tree.bodies[link as usize].pivot_in_self;
        let child = level.stops.iter().find(|stop| tree.bodies[stop.link as usize].parent == link);
        let bone = child.map(|stop| tree.bodies[stop.link as usize].pivot_in_parent - own);
        bone.unwrap_or_else(|| {
            let held = level.effectors.iter().map(|&e| &self.s.effectors[e as usize].held_local);
            held.map(|p| p - own).next().unwrap_or_default()
        })
    }
}
