//! The centre of mass as an effector.
//!
//! A joint carries the mass beyond it. If that is the share μ of the whole, rotating the joint moves the centre of mass
//! by μ times the movement of the carried part's centre. So the joint serves balance best if it turns μ times that
//! part's arm onto itself plus what the whole lacks to its goal (after Kulpa & Multon 2005). If only the plane
//! perpendicular to `up` counts, the goal is taken at the current height of the centre; the error in the plane can then
//! only fall.

use super::effector::Subject;
use super::plan::Level;
use super::pull::Pull;
use super::sweep::Scope;
use super::tree::{NONE, Tree};
use super::turn::{Motion, Seat, StepSize};
use super::work::Work;
use crate::math::{Vec3, rejection};
use crate::pose::WorldPose;

impl Tree {
    /// World position of the centre of mass, length units; `None` if no link has a mass. One pass over the links;
    /// panics where `world` has fewer entries than the tree has links.
    pub fn center_of_mass(&self, world: &WorldPose) -> Option<Vec3> {
        let (mut mass, mut moment) = (0.0, Vec3::zeros());
        for (link, &m) in self.masses.iter().enumerate() {
            mass += m;
            moment += (world.positions[link] + world.rotations[link] * self.mass_centers[link]) * m;
        }
        (mass > 0.0).then(|| moment / mass)
    }
}

impl Work<'_> {
    /// Places the effectors that are the centre of mass; all links must be placed.
    pub fn weigh(&mut self) {
        if !self.plan.effectors.iter().any(super::plan::is_balance) {
            return;
        }
        let Some(center) = self.plan.tree.center_of_mass(&self.s.world) else { return };
        for e in 0..self.plan.effectors.len() {
            if self.is_balance(e) {
                self.s.effectors[e].point = center;
            }
        }
    }

    /// The vector from the centre of mass to its goal.
    pub fn balance_error_of(&self, e: usize) -> Vec3 {
        match (self.s.effectors[e].goal.position, self.plan.effectors[e].subject) {
            (Some(goal), Subject::CenterOfMass { up }) => {
                across(goal - self.s.effectors[e].point, up)
            }
            _ => Vec3::zeros(),
        }
    }

    /// One pass over all joints from the tips to the base.
    pub fn sweep_balance(&mut self, level: &Level, scope: Scope, step_size: &StepSize) {
        let tree = &self.plan.tree;
        let whole: f64 = tree.masses.iter().sum();
        self.s.moments.fill((0.0, Vec3::zeros()));
        for stop in level.stops.iter().rev() {
            let link = stop.link as usize;
            let (mut mass, mut moment) = self.s.moments[link];
            let world = self.s.world.rotations[link];
            mass += tree.masses[link];
            moment += (self.s.world.positions[link] + world * tree.mass_centers[link])
                * tree.masses[link];
            if scope.has(stop) && mass > 0.0 {
                let pivot = tree.pivot(link, &self.s.world);
                let share = mass / whole;
                let arm = (moment / mass - pivot) * share;
                let mut pull = Pull::none();
                for &e in &level.balances {
                    let lack = self.balance_error_of(e as usize);
                    let weight = self.plan.effectors[e as usize].weight;
                    pull.add_position(arm, arm + lack, weight);
                }
                let step_size = match step_size.softness {
                    Some(_) => &self.eased(level, stop, step_size, self.balance_softness(level)),
                    None => step_size,
                };
                let mut seat = Seat {
                    joint: &tree.joints[link],
                    parent_world: self.parent_world(link),
                    world,
                    start: self.s.start.rotations[link],
                    local: &mut self.pose.rotations[link],
                    shift: &mut self.pose.shifts[link],
                };
                let motion = seat.turn(&pull, step_size);
                if step_size.softness.is_some() {
                    self.note_step(level, stop, motion);
                }
                let way = match motion {
                    Motion::Still => Vec3::zeros(),
                    Motion::Turn(turn) => turn * arm - arm,
                    Motion::Slide(way) => way * share,
                };
                moment += way * whole;
                for &e in &level.balances {
                    self.s.effectors[e as usize].point += way;
                }
            }
            let parent = tree.bodies[link].parent;
            if parent != NONE {
                let sum = &mut self.s.moments[parent as usize];
                sum.0 += mass;
                sum.1 += moment;
            }
        }
        self.refresh(level);
    }
}

/// The part of a vector that counts: all of it, or the part across `up`.
fn across(v: Vec3, up: Option<Vec3>) -> Vec3 {
    match up.and_then(|up| up.try_normalize(1e-12)) {
        Some(up) => rejection(v, up),
        None => v,
    }
}
