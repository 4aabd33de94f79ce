//! How the body moves over the clip. Its path follows what stands, then rises and comes down for what that leaves out of
//! reach or in the floor. Nothing else writes it.

use crate::binding::Binding;
use crate::blocks;
use crate::math::Vec3;
use crate::plant::contact_interval::Frames;
use crate::plant::foot::{FootPlan, Stand};
use crate::plant::knees::KneePlan;
use crate::plant::pelvis_offset::{self, Standing};
use crate::rig::UpAxis;

/// The path of the body, one entry a frame.
pub(super) struct BodyPath {
    /// How the body moves from where it is transferred, target world.
    pub offsets: Vec<Vec3>,
    /// How far of that it comes down for feet and hands, target length units.
    pub drops: Vec<f64>,
    up: UpAxis,
    /// Of the goals of the hips, from 0 to 1.
    pub weight: f64,
}

impl BodyPath {
    /// The path that standing feet and kneeling knees pull the body along. Feet that stand are rolled for it, and knees
    /// held where their feet then let them be.
    ///
    /// Costs two fits of the pelvis offset, and two more on a rig that states limits of its legs: their terms are far from
    /// linear.
    pub fn of_standing(
        stands: &[Stand],
        plans: Vec<FootPlan>,
        knees: &mut [KneePlan],
        binding: &Binding,
        count: usize,
        frames: Frames,
    ) -> (Self, Vec<FootPlan>) {
        let up = binding.target.up;
        let weights = pelvis_offset::weights(&plans, knees, count, frames);
        let fit = |plans: &[FootPlan], knees: &mut [KneePlan], last: Option<&[Vec3]>| {
            knees.iter_mut().for_each(|knee| knee.stand_by(plans));
            let standing = Standing { feet: plans, knees, stands, weights: &weights, up, frames };
            pelvis_offset::offsets(&standing, last, count)
        };
        let near = fit(&plans, knees, None);
        let parts = stands.iter().zip(plans).collect();
        let plans = blocks::each(count, parts, |(stand, mut plan): (&Stand, FootPlan)| {
            plan.roll(stand, &near);
            plan
        });
        let is_limited = stands.iter().any(|stand| !stand.turns.is_empty());
        let rounds = if is_limited { 3 } else { 1 };
        let mut offsets = (0..rounds).fold(near, |last, _| fit(&plans, knees, Some(&last)));
        let weight = binding.target.weight(binding.root.hips);
        offsets.iter_mut().for_each(|offset| *offset *= weight);
        (Self { offsets, drops: vec![0.0; count], up, weight }, plans)
    }

    /// Rises by `rises`, target length units; `None` for nothing.
    pub fn rise(&mut self, rises: Option<Vec<f64>>) {
        for (offset, rise) in self.offsets.iter_mut().zip(rises.into_iter().flatten()) {
            *offset += self.up.vector() * rise * self.weight;
        }
    }

    /// Comes down by `drops`, target length units.
    pub fn come_down(&mut self, drops: Vec<f64>) {
        for (offset, drop) in self.offsets.iter_mut().zip(&drops) {
            *offset -= self.up.vector() * *drop * self.weight;
        }
        self.drops = drops;
    }

    /// Comes down by as much less as it rises by `rises`, and rises by the rest.
    pub fn take_back(&mut self, rises: Option<Vec<f64>>) {
        for (drop, rise) in self.drops.iter_mut().zip(rises.iter().flatten()) {
            *drop = f64::max(*drop - rise, 0.0);
        }
        self.rise(rises);
    }

    /// Moves by `moves`, target world; `None` for nothing.
    pub fn follow(&mut self, moves: Option<Vec<Vec3>>) {
        let moves = moves.into_iter().flatten();
        self.offsets.iter_mut().zip(moves).for_each(|(offset, by)| *offset += by * self.weight);
    }
}
