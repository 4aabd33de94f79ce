//! The course of a solve: priority by priority, each served as far as possible.

use super::plan::Level;
use super::settings::{Method, Strategy, Sweep};
use super::sweep::{Scope, is_within};
use super::turn::StepSize;
use super::two_bone;
use super::work::Work;
use std::ops::Range;

/// How the descent of a level ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Descent {
    Reached,
    Stalled,
    /// The iterations ran out.
    Moving,
}

impl Descent {
    /// The result of two descents together.
    fn and(self, other: Descent) -> Descent {
        match (self, other) {
            (Descent::Moving, _) | (_, Descent::Moving) => Descent::Moving,
            (Descent::Stalled, _) | (_, Descent::Stalled) => Descent::Stalled,
            _ => Descent::Reached,
        }
    }
}

/// A pass that gains less than this share of the tolerance has stalled.
const TRIVIAL: f64 = 1e-4;
/// The slack of a bound, in chain lengths (or kept distances, if those are larger) and radians, so that rounding does
/// not decide which result is kept.
const SLACK: f64 = 1e-10;
/// Passes that repair earlier priorities after a later one has moved joints they share.
const REPAIR_PASSES: u32 = 8;
/// Rounds of repairs over all earlier priorities.
const REPAIR_ROUNDS: u32 = 4;

impl Work<'_> {
    /// Serves all parts, each by its levels in the order of their priority.
    pub fn run(&mut self) -> Descent {
        let mut end = Descent::Reached;
        for part in &self.plan.parts {
            let of_part = match self.settings.strategy {
                Strategy::Tracking => self.track(&self.plan.levels[part.clone()]),
                Strategy::Reach => self.reach(part.clone()),
            };
            end = end.and(of_part);
        }
        end
    }

    fn reach(&mut self, part: Range<usize>) -> Descent {
        let mut end = Descent::Reached;
        for index in part.clone() {
            let level = &self.plan.levels[index];
            let budget = self.settings.max_iterations;
            let mut descent = if level.is_guarded {
                self.descend_guarded(part.start, index, budget)
            } else {
                self.descend(level, Scope::All, budget)
            };
            self.point_poles(level);
            if descent == Descent::Moving && level.all().all(|e| self.is_reached(e)) {
                descent = Descent::Reached;
            }
            if index + 1 < part.end {
                self.bind(part.start, index);
            }
            end = end.and(descent);
        }
        end
    }

    /// Records the errors of the levels of a part up to `index`: later levels may not make them worse.
    fn bind(&mut self, first_of_part: usize, index: usize) {
        // A level that shares no joints with earlier ones has left them as they were.
        let first = if self.plan.levels[index].is_guarded { first_of_part } else { index };
        for level in &self.plan.levels[first..=index] {
            if first < index {
                self.refresh(level);
            }
            for e in level.all() {
                let (position, orientation) = self.error(e);
                let tolerances = (self.plan.tolerance_len(e), self.effector(e).tolerance_rad);
                let bound = &mut self.s.effectors[e].bound;
                let kept_len = position.max(tolerances.0);
                let slack_len = SLACK * kept_len.max(self.plan.chains[e].len);
                bound.0 = bound.0.min(kept_len + slack_len);
                bound.1 = bound.1.min(orientation.max(tolerances.1) + SLACK);
            }
        }
    }

    /// Serves one level without regard to the others. Its error never grows.
    fn descend(&mut self, level: &Level, scope: Scope, budget: u32) -> Descent {
        self.refresh(level);
        if self.is_level_reached(level) {
            return Descent::Reached;
        }
        self.keep_as_best(level);
        let mut best_cost = self.cost(level);
        self.is_nudged = false;
        let end = self.approach(level, scope, budget, &mut best_cost);
        let keeps = if self.is_nudged {
            self.put_idle_back(level, scope);
            // A nudge that gained less than a tolerance is undone.
            let gain = best_cost.sqrt() - self.cost(level).sqrt();
            gain > self.finest_tolerance(level) || self.is_level_reached(level)
        } else {
            self.cost(level) <= best_cost
        };
        if !keeps {
            self.take_best_back(level);
            self.refresh(level);
        }
        end
    }

    /// Records the joints of a level, the only ones that its descent moves.
    fn keep_as_best(&mut self, level: &Level) {
        for stop in level.stops.iter().filter(|stop| stop.moves) {
            let link = stop.link as usize;
            self.s.best.rotations[link] = self.pose.rotations[link];
            self.s.best.shifts[link] = self.pose.shifts[link];
        }
    }

    fn take_best_back(&mut self, level: &Level) {
        for stop in level.stops.iter().filter(|stop| stop.moves) {
            let link = stop.link as usize;
            self.pose.rotations[link] = self.s.best.rotations[link];
            self.pose.shifts[link] = self.s.best.shifts[link];
        }
    }

    fn approach(
        &mut self,
        level: &Level,
        scope: Scope,
        budget: u32,
        best_cost: &mut f64,
    ) -> Descent {
        let mut passes = 0;
        let guesses = self.settings.method != Method::Sweeps && !self.settings.step.is_capped();
        if guesses && budget > 0 {
            let (mut guessed, mut all_final) = (0, level.balances.is_empty());
            for &e in &level.effectors {
                let e = e as usize;
                if !self.is_reached(e) {
                    let (passes, is_final) = self.guess(e, budget);
                    guessed = passes.max(guessed);
                    all_final &= is_final || self.is_reached(e);
                }
            }
            passes += guessed;
            self.iterations += guessed;
            if guessed > 0 {
                self.refresh(level);
                if self.is_level_reached(level) {
                    return Descent::Reached;
                }
                if all_final {
                    return Descent::Stalled;
                }
            }
        }
        let trivial = TRIVIAL * self.finest_tolerance(level);
        let mut nudges = 0;
        self.bounced_to = 0;
        while passes < budget {
            let before = self.cost(level).sqrt();
            let step_size = self.settings.step.step_size(before);
            self.sweep(level, scope, &step_size, passes);
            passes += 1;
            self.iterations += 1;
            let mut gain = before - self.cost(level).sqrt();
            let is_partial = matches!(
                self.settings.sweep,
                Sweep::SmartBounce { .. } | Sweep::SmartBounceForward { .. }
            );
            if is_partial && gain <= trivial && passes < budget && !self.is_level_reached(level) {
                // A smart bounce may have gone back to the tip every time, and never have reached the base.
                self.sweep_inwards(level, scope, &step_size);
                passes += 1;
                self.iterations += 1;
                gain = before - self.cost(level).sqrt();
            }
            if self.is_level_reached(level) {
                return Descent::Reached;
            }
            if gain > trivial {
                continue;
            }
            if self.release_wrists(level) {
                continue;
            }
            let hopeless = level.all().all(|e| self.is_reached(e) || self.is_out_of_reach(e));
            if !self.settings.unsticks || nudges == 2 || hopeless {
                return Descent::Stalled;
            }
            nudges += 1;
            if self.is_nudged {
                self.put_idle_back(level, scope);
            }
            let cost = self.cost(level);
            if cost < *best_cost {
                *best_cost = cost;
                self.keep_as_best(level);
            }
            self.nudge(level, scope, nudges);
        }
        Descent::Moving
    }

    /// Smallest tolerance of a level, in chain lengths.
    fn finest_tolerance(&self, level: &Level) -> f64 {
        let ratio = |e: usize| match self.effector(e).tolerance_len {
            Some(len) => len / self.plan.chains[e].len.max(1e-300),
            None => self.effector(e).tolerance_ratio,
        };
        level.all().map(ratio).fold(f64::INFINITY, f64::min)
    }

    /// Serves a level whose joints carry effectors of earlier levels. A pass that moves these beyond their bounds,
    /// after they were solved again, is undone.
    fn descend_guarded(&mut self, first: usize, index: usize, budget: u32) -> Descent {
        let level = &self.plan.levels[index];
        let mut end = self.descend(level, Scope::Undisturbing, budget);
        if end == Descent::Reached {
            return end;
        }
        let trivial = TRIVIAL * self.finest_tolerance(level);
        let (mut share, mut fails) = (1.0, 0);
        for pass in 0..budget {
            let before = self.cost(level).sqrt();
            self.s.trial.copy_from(self.pose);
            let step_size = self.settings.step.step_size(before).times(share);
            self.sweep(level, Scope::All, &step_size, pass);
            self.iterations += 1;
            let holds = self.repair(first..index);
            self.refresh(level);
            self.sweep(level, Scope::Undisturbing, &StepSize::EXACT, pass);
            let gain = before - self.cost(level).sqrt();
            if holds && (gain > trivial || self.is_level_reached(level)) {
                if self.is_level_reached(level) {
                    return Descent::Reached;
                }
                end = Descent::Moving;
                continue;
            }
            self.pose.copy_from(&self.s.trial);
            self.refresh(level);
            fails += 1;
            share *= 0.4;
            if fails == 5 {
                return Descent::Stalled;
            }
        }
        end
    }

    /// Solves earlier levels again. Returns whether all of them keep their bounds.
    fn repair(&mut self, earlier_levels: Range<usize>) -> bool {
        for _ in 0..REPAIR_ROUNDS {
            let mut holds = true;
            for earlier in earlier_levels.clone().rev() {
                let level = &self.plan.levels[earlier];
                self.refresh(level);
                if !self.is_level_bound(level) {
                    self.descend(level, Scope::All, REPAIR_PASSES);
                    holds = false;
                }
            }
            if holds {
                return true;
            }
        }
        earlier_levels.into_iter().all(|earlier| {
            let level = &self.plan.levels[earlier];
            self.refresh(level);
            self.is_level_bound(level)
        })
    }

    fn is_level_bound(&self, level: &Level) -> bool {
        level.all().all(|e| {
            let ((position, orientation), bound) = (self.error(e), self.s.effectors[e].bound);
            position <= bound.0 && orientation <= bound.1
        })
    }

    /// A first guess for an effector, by the joints that carry it alone. Returns the number of passes, and whether the
    /// guess is final, as the closed form is for a limb without limits.
    fn guess(&mut self, e: usize, budget: u32) -> (u32, bool) {
        let (plan, state) = (self.plan, &self.s.effectors[e]);
        let movers = plan.chains[e].own_movers(state.uses_wrist);
        let rests = |m: &u32| {
            let joint = &plan.tree.joints[*m as usize];
            state.held_goal.is_some_and(|goal| is_within(goal, state, joint))
        };
        if !movers.iter().any(rests) {
            return self.guess_by(e, movers, budget);
        }
        let mut awake = std::mem::take(&mut self.s.movers);
        awake.clear();
        awake.extend(movers.iter().filter(|m| !rests(m)));
        let (passes, _) = self.guess_by(e, &awake, budget);
        self.s.movers = awake;
        (passes, false)
    }

    /// [`guess`](Self::guess) with these joints.
    fn guess_by(&mut self, e: usize, movers: &[u32], budget: u32) -> (u32, bool) {
        let (chain, tree) = (&self.plan.chains[e], &self.plan.tree);
        let state = self.s.effectors[e];
        let before = self.cost_of(e);
        let relaxes_all = self.settings.method == Method::Relaxation;
        let limb = chain.limb(tree, movers).filter(|_| !relaxes_all);
        let is_free = |&m: &u32| tree.joints[m as usize].is_free_ball();
        let (passes, mut is_final) = match (state.held_goal, limb) {
            _ if state.held_orientation.is_some() => (0, false),
            (Some(goal), Some(limb)) => {
                two_bone::solve(tree, limb, state.point, goal, self.pose, &mut self.s.world);
                (1, chain.own == 0 && chain.movers.iter().all(is_free))
            }
            (Some(_), None) if movers.len() > 2 || relaxes_all => {
                (self.relax(e, movers, budget), false)
            }
            _ => (u32::from(state.uses_wrist), false),
        };
        if passes == 0 {
            return (0, false);
        }
        self.refresh_path(e);
        self.finish_wrist(e);
        if self.cost_of(e) > before {
            is_final = false;
            for &link in &chain.movers {
                let link = link as usize;
                self.pose.rotations[link] = self.s.best.rotations[link];
                self.pose.shifts[link] = self.s.best.shifts[link];
            }
            self.refresh_path(e);
        }
        (passes, is_final)
    }

    /// If a last link's limits forbid its goal's orientation, lets the whole chain serve it.
    fn release_wrists(&mut self, level: &Level) -> bool {
        let mut released = false;
        for &e in &level.effectors {
            let e = e as usize;
            let is_off = self.error(e).1 > self.effector(e).tolerance_rad;
            if self.s.effectors[e].uses_wrist && is_off {
                self.hold(e, false);
                self.place_effector(e);
                released = true;
            }
        }
        released
    }
}
