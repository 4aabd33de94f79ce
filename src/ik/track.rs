//! The course of a solve under [`Strategy::Tracking`](super::Strategy::Tracking): the same passes for every goal.
//!
//! A pass is a continuous function of pose and goals. So is a sequence of passes, if no threshold decides their number
//! or which result is kept.

use super::joint::Joint;
use super::plan::{Carried, Level, Limb, Stop};
use super::pull::Pull;
use super::settings::Method;
use super::stage::Descent;
use super::sweep::Scope;
use super::turn::{Motion, StepSize};
use super::two_bone;
use super::work::Work;
use crate::math::Vec3;

/// Arms and aims shorter than this share of a chain turn their joint less; those without length do not turn it.
const SHORT: f64 = 0.2;
/// The same for the centre of mass, whose arms carry only a share of the body.
const SHORT_BALANCE: f64 = 0.02;
/// A solve ends when a pass moves no joint by more than this (radians, or chain lengths for slides).
const STILL: f64 = 1e-10;
/// The weight of an effector's pull on a shared joint, against an effector of the priority before it.
const LATER: f64 = 0.5;
/// Later priorities do not move shared joints in this share of the passes, the last ones. Over as many passes before
/// that their pull falls to 0.
const LATER_LEFT: f64 = 0.3;

impl Work<'_> {
    /// Whether a solve leaves an effector's orientation to its last link.
    pub fn takes_wrist(&self, e: usize) -> bool {
        let is_tracking = self.settings.strategy == super::Strategy::Tracking;
        self.plan.chains[e].has_wrist && (!is_tracking || self.plain_limb(e, true).is_some())
    }

    /// The two free joints of an effector that carry no other effector, if the settings ask for the closed form.
    fn plain_limb(&self, e: usize, uses_wrist: bool) -> Option<Limb> {
        let (chain, tree) = (&self.plan.chains[e], &self.plan.tree);
        let is_free = |&m: &u32| {
            let joint = &tree.joints[m as usize];
            joint.is_free_ball() && joint.comfort_len == 0.0
        };
        let is_plain = self.settings.method == Method::Auto
            && chain.own == 0
            && chain.movers.iter().all(is_free);
        is_plain.then(|| chain.limb(tree, chain.own_movers(uses_wrist))).flatten()
    }

    /// Follows the goals of a part from the given pose.
    pub fn track(&mut self, levels: &[Level]) -> Descent {
        let mut all_plain = true;
        for level in levels {
            self.refresh(level);
            all_plain &= level.balances.is_empty();
            for &e in &level.effectors {
                all_plain &= self.close(e as usize);
            }
        }
        let mut is_still = all_plain;
        let mut pass = 0;
        while !is_still && pass < self.settings.max_iterations {
            self.tracking.largest = 0.0;
            let left = 1.0 - f64::from(pass) / f64::from(self.settings.max_iterations);
            let pull = (left / LATER_LEFT - 1.0).clamp(0.0, 1.0);
            for (rank, level) in levels.iter().enumerate().rev() {
                self.tracking.later = pull * LATER.powi(rank as i32);
                self.refresh(level);
                let step_size = self.settings.step.step_size(self.cost(level).sqrt()).easing();
                self.sweep(level, Scope::All, &step_size, pass);
            }
            pass += 1;
            is_still = self.tracking.largest <= STILL;
        }
        self.iterations += pass;
        for level in levels {
            self.refresh(level);
            self.point_poles(level);
        }
        let is_reached = levels.iter().all(|level| self.is_level_reached(level));
        match (is_reached, is_still) {
            (true, _) => Descent::Reached,
            (false, true) => Descent::Stalled,
            (false, false) => Descent::Moving,
        }
    }

    /// Solves an effector in closed form if it can. Returns whether it needs no passes.
    fn close(&mut self, e: usize) -> bool {
        let state = self.s.effectors[e];
        if state.goal.position.is_none() && state.goal.orientation.is_none() {
            return true;
        }
        let (Some(goal), None) = (state.held_goal, state.held_orientation) else { return false };
        let Some(limb) = self.plain_limb(e, state.uses_wrist) else { return false };
        let tree = &self.plan.tree;
        two_bone::solve(tree, limb, state.point, goal, self.pose, &mut self.s.world);
        self.refresh_path(e);
        self.finish_wrist(e);
        true
    }

    /// A step size for one visit: joints that carry effectors of earlier priorities make smaller steps.
    pub fn eased(
        &self,
        level: &Level,
        stop: &Stop,
        step_size: &StepSize,
        softness: f64,
    ) -> StepSize {
        let share = if stop.disturbs { self.tracking.later } else { 1.0 };
        let max_len = if self.plan.tree.joints[stop.link as usize].slides() {
            step_size.max * self.slide_scale(level, stop)
        } else {
            f64::INFINITY
        };
        step_size.times(share).eased(softness, max_len)
    }

    /// Records the size of a step.
    pub fn note_step(&mut self, level: &Level, stop: &Stop, motion: Motion) {
        let size = match motion {
            Motion::Still => 0.0,
            Motion::Turn(turn) => 2.0 * turn.imag().norm(),
            Motion::Slide(way) => way.norm() / self.slide_scale(level, stop),
        };
        self.tracking.largest = self.tracking.largest.max(size);
    }

    /// The smallest scale of the effectors that a link moves, length units.
    fn slide_scale(&self, level: &Level, stop: &Stop) -> f64 {
        let sizes = level.balances.iter().map(|&e| self.plan.chains[e as usize].len);
        sizes.fold(self.finest_scale(level, stop), f64::min).max(1e-300)
    }

    /// The softness of the pull of a level's centres of mass.
    pub fn balance_softness(&self, level: &Level) -> f64 {
        let of = |&e: &u32| {
            let short = SHORT_BALANCE * self.plan.chains[e as usize].len;
            self.plan.effectors[e as usize].weight * short * short
        };
        level.balances.iter().map(of).sum()
    }

    /// The pull of the effectors on a joint, and its softness. A pull fades out towards a comfort region instead of
    /// ending at its edge.
    pub fn eased_pull(
        &self,
        joint: &Joint,
        pivot: Vec3,
        carried: &[Carried],
    ) -> Option<(Pull, f64)> {
        if let [only] = carried
            && only.served
            && !joint.slides()
        {
            let state = &self.s.effectors[only.effector as usize];
            if let (Some(goal), None) = (state.held_goal, state.held_orientation) {
                let share = comfort_share(joint, (goal - state.point).norm());
                let short = SHORT * state.scale_len;
                let is_idle = share == 0.0 || short == 0.0;
                return (!is_idle).then(|| {
                    let (arm, aim) = (state.point - pivot, goal - pivot);
                    (Pull::One { arm, aim }, stiffness(arm, aim, short) / share)
                });
            }
        }
        let (mut pull, mut softness, mut shares) = (Pull::none(), 0.0, (0.0, 0.0));
        for c in carried.iter().filter(|c| c.served) {
            let state = &self.s.effectors[c.effector as usize];
            let effector = &self.plan.effectors[c.effector as usize];
            if let Some(goal) = state.held_goal
                && state.scale_len > 0.0
            {
                let share = comfort_share(joint, (goal - state.point).norm());
                let weight = effector.weight / (state.scale_len * state.scale_len);
                let (arm, aim) = (state.point - pivot, goal - pivot);
                pull.add_position(arm, aim, weight * share);
                softness += weight * stiffness(arm, aim, SHORT * state.scale_len);
                shares = (shares.0 + weight * share, shares.1 + weight);
            }
            if let Some(goal) = state.held_orientation {
                let missing = goal * state.orientation.inverse();
                let weight = effector.weight * effector.orientation_weight.powi(2);
                pull.add_orientation(missing, weight);
                softness += 2.0 * weight;
            }
        }
        // A slide moves by the mean of the remaining distances.
        if shares.1 > 0.0 {
            pull.fade_slides(shares.0 / shares.1);
        }
        (softness > 0.0).then_some((pull, softness))
    }
}

/// The largest rate at which the torque of a pull grows as its joint turns, squared length units.
fn stiffness(arm: Vec3, aim: Vec3, short: f64) -> f64 {
    let arm_squared = arm.norm_squared();
    arm_squared.max((arm_squared * aim.norm_squared()).sqrt()).max(short * short)
}

/// The share of a pull on a joint: 0 inside its comfort region, 1 from twice its size on.
fn comfort_share(joint: &Joint, distance: f64) -> f64 {
    if joint.comfort_len == 0.0 {
        return 1.0;
    }
    (distance / joint.comfort_len - 1.0).clamp(0.0, 1.0)
}
