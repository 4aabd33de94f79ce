//! Passes over the joints of a level (cyclic coordinate descent).

use super::joint::Joint;
use super::plan::{Carried, Level, Stop};
use super::pull::{Pull, swing};
use super::scratch::EffectorState;
use super::settings::Sweep;
use super::tree::NONE;
use super::turn::{Motion, Seat, StepSize};
use super::work::Work;
use crate::math::{Quat, Vec3};

/// Which joints a pass may move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    All,
    /// Only those that carry no effector of an earlier priority.
    Undisturbing,
}

impl Scope {
    pub fn has(self, stop: &Stop) -> bool {
        stop.moves && (self == Scope::All || !stop.disturbs)
    }
}

impl Work<'_> {
    /// One pass over a level's joints, with as many visits as there are joints (more for plain bounce). `pass` counts
    /// the passes. The level must be refreshed before, and is refreshed afterwards.
    pub fn sweep(&mut self, level: &Level, scope: Scope, step_size: &StepSize, pass: u32) {
        if !level.balances.is_empty() {
            self.sweep_balance(level, scope, step_size);
        }
        if level.effectors.is_empty() {
            return;
        }
        match self.settings.sweep {
            Sweep::TipToBase => self.tip_to_base(level, scope, step_size, 0),
            Sweep::BaseToTip => self.base_to_tip(level, scope, step_size, level.stops.len()),
            Sweep::Alternating if pass.is_multiple_of(2) => {
                self.tip_to_base(level, scope, step_size, 0)
            }
            Sweep::Alternating => self.base_to_tip(level, scope, step_size, level.stops.len()),
            Sweep::Bounce => {
                for nearest_base in (0..level.stops.len()).rev() {
                    if scope.has(&level.stops[nearest_base]) {
                        self.tip_to_base(level, scope, step_size, nearest_base);
                    }
                }
            }
            Sweep::BounceForward => {
                for farthest in 0..level.stops.len() {
                    if scope.has(&level.stops[farthest]) {
                        self.base_to_tip(level, scope, step_size, farthest + 1);
                    }
                }
            }
            Sweep::SmartBounce { .. } | Sweep::SmartBounceForward { .. } | Sweep::LargestError
                if step_size.softness.is_some() =>
            {
                self.tip_to_base(level, scope, step_size, 0);
            }
            Sweep::SmartBounce { threshold_rad } => {
                self.smart_bounce(level, scope, step_size, threshold_rad, false);
            }
            Sweep::SmartBounceForward { threshold_rad } => {
                self.smart_bounce(level, scope, step_size, threshold_rad, true);
            }
            Sweep::LargestError => self.largest_first(level, scope, step_size),
        }
        self.finish_wrists(level);
    }

    /// One pass from the tips to the base, whatever the settings' sweep is.
    pub fn sweep_inwards(&mut self, level: &Level, scope: Scope, step_size: &StepSize) {
        self.tip_to_base(level, scope, step_size, 0);
        self.finish_wrists(level);
    }

    fn tip_to_base(&mut self, level: &Level, scope: Scope, step_size: &StepSize, from: usize) {
        let is_whole = step_size.is_whole(1.0);
        let stops_within = self.stops_within(step_size);
        for stop in level.stops[from..].iter().rev() {
            if scope.has(stop) && !(is_whole && self.swing_freely(level, stop)) {
                self.visit(level, stop, step_size);
            }
            if stops_within && self.is_there(level) {
                break;
            }
        }
        self.refresh(level);
    }

    /// One pass from the base over the first `count` stops; the others move along.
    fn base_to_tip(&mut self, level: &Level, scope: Scope, step_size: &StepSize, count: usize) {
        let is_whole = step_size.is_whole(1.0);
        let stops_within = self.stops_within(step_size);
        let mut is_done = false;
        for (place, stop) in level.stops.iter().enumerate() {
            let link = stop.link as usize;
            self.plan.tree.place(link, self.pose, &mut self.s.world);
            is_done = is_done || place >= count || (stops_within && self.is_there(level));
            if !is_done && scope.has(stop) {
                if !(is_whole && self.swing_freely(level, stop)) {
                    self.visit(level, stop, step_size);
                }
                // Without this each link would triple the error of the one before.
                self.renormalise(link);
                self.plan.tree.place(link, self.pose, &mut self.s.world);
            }
        }
        self.place_level(level);
    }

    /// Whether a pass of such strides may end before its last joint.
    fn stops_within(&self, step_size: &StepSize) -> bool {
        self.settings.stops_within_pass && step_size.softness.is_none()
    }

    /// Whether all points that a level's sweeps pull are at their goals, in the middle of a pass.
    fn is_there(&self, level: &Level) -> bool {
        level.effectors.iter().all(|&e| {
            let (e, state) = (e as usize, &self.s.effectors[e as usize]);
            let near = |goal: Vec3| (goal - state.point).norm() <= self.plan.tolerance_len(e);
            let faces = |goal: Quat| {
                state.orientation.angle_to(&goal) <= self.plan.effectors[e].tolerance_rad
            };
            state.held_goal.is_none_or(near) && state.held_orientation.is_none_or(faces)
        })
    }

    /// Each joint once, the one with the largest angle left first.
    fn largest_first(&mut self, level: &Level, scope: Scope, step_size: &StepSize) {
        let mut waiting = std::mem::take(&mut self.s.waiting);
        waiting.clear();
        waiting.extend((0..level.stops.len()).filter(|&i| scope.has(&level.stops[i])));
        while !waiting.is_empty() {
            let angle = |&place: &usize| self.angle_left(level, &level.stops[place]);
            let largest = waiting.iter().map(angle).enumerate();
            let largest = largest.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(i, _)| i);
            let place = waiting.swap_remove(largest);
            self.visit(level, &level.stops[place], step_size);
            self.refresh(level);
            if self.stops_within(step_size) && self.is_there(level) {
                break;
            }
        }
        self.s.waiting = waiting;
    }

    /// The angle between the directions to a joint's effectors and to where it could turn them without limits.
    fn angle_left(&self, level: &Level, stop: &Stop) -> f64 {
        let link = stop.link as usize;
        let tree = &self.plan.tree;
        let carried = &level.carried[stop.carried.0 as usize..stop.carried.1 as usize];
        let pull = self.pull(&tree.joints[link], tree.pivot(link, &self.s.world), carried);
        let steepest = pull.and_then(|pull| pull.steepest());
        steepest.map_or(0.0, |(_, even, odd)| odd.atan2(even))
    }

    /// As many visits as there are joints, continuing where the last pass ended.
    fn smart_bounce(
        &mut self,
        level: &Level,
        scope: Scope,
        step_size: &StepSize,
        threshold: f64,
        is_forward: bool,
    ) {
        let half_sin = (0.5 * threshold.clamp(0.0, 3.0)).sin();
        let last = level.stops.len();
        let mut visits = level.stops.iter().filter(|stop| scope.has(stop)).count();
        while visits > 0 {
            // The index between two stops from which the bounce continues.
            if is_forward {
                self.bounced_to = self.bounced_to % last + 1;
            } else if self.bounced_to == 0 || self.bounced_to > last {
                self.bounced_to = last;
            }
            let stop = &level.stops[self.bounced_to - 1];
            if !is_forward {
                self.bounced_to -= 1;
            }
            if !scope.has(stop) {
                continue;
            }
            visits -= 1;
            let motion = self.visit(level, stop, step_size);
            let moved = match motion {
                Motion::Still => false,
                Motion::Turn(turn) => turn.imag().norm() > half_sin,
                Motion::Slide(way) => way.norm() > threshold * self.finest_scale(level, stop),
            };
            // On the way out each joint depends on those before it.
            if moved || (is_forward && !matches!(motion, Motion::Still)) {
                self.refresh(level);
            }
            if moved {
                self.bounced_to = if is_forward { 0 } else { last };
            }
        }
        self.refresh(level);
    }

    /// The smallest scale of the effectors that a link carries, length units.
    pub fn finest_scale(&self, level: &Level, stop: &Stop) -> f64 {
        let carried = &level.carried[stop.carried.0 as usize..stop.carried.1 as usize];
        let scales = carried.iter().map(|c| self.s.effectors[c.effector as usize].scale_len);
        scales.fold(f64::INFINITY, f64::min)
    }

    /// [`visit`](Self::visit) for the most frequent case, a free ball joint with one position goal: the effector is
    /// placed in the goal's direction without waiting for the rotation. Returns false, and does nothing, for any other
    /// joint, and if arm and aim are parallel.
    #[inline(always)]
    fn swing_freely(&mut self, level: &Level, stop: &Stop) -> bool {
        let link = stop.link as usize;
        let (first, last) = stop.carried;
        let only = level.carried[first as usize];
        if last - first != 1 || !stop.is_free_ball || !only.served {
            return false;
        }
        let state = &mut self.s.effectors[only.effector as usize];
        let (Some(goal), None) = (state.held_goal, state.held_orientation) else { return false };
        let (body, world) = (&self.plan.tree.bodies[link], self.s.world.rotations[link]);
        let mut pivot = self.s.world.positions[link];
        if body.pivot_in_self != Vec3::zeros() {
            pivot += world * body.pivot_in_self;
        }
        let (arm, aim) = (state.point - pivot, goal - pivot);
        let (arm_squared, aim_squared) = (arm.norm_squared(), aim.norm_squared());
        let least = state.least_squared;
        if arm_squared <= least || aim_squared <= least {
            return false;
        }
        let Some(turn) = swing(arm, aim) else { return false };
        state.point = pivot + aim * (arm_squared / aim_squared).sqrt();
        let turned = turn * world;
        self.pose.rotations[link] = match body.parent {
            NONE => turned,
            parent => self.s.world.rotations[parent as usize].inverse() * turned,
        };
        true
    }

    /// Moves one joint to where it serves the level best, and moves the effectors along.
    #[inline]
    pub fn visit(&mut self, level: &Level, stop: &Stop, step_size: &StepSize) -> Motion {
        let link = stop.link as usize;
        let tree = &self.plan.tree;
        let joint = &tree.joints[link];
        let pivot = tree.pivot(link, &self.s.world);
        let carried = &level.carried[stop.carried.0 as usize..stop.carried.1 as usize];

        let (pull, step_size) = if step_size.softness.is_some() {
            match self.eased_pull(joint, pivot, carried) {
                Some((pull, softness)) => (pull, &self.eased(level, stop, step_size, softness)),
                None => return Motion::Still,
            }
        } else {
            match self.pull(joint, pivot, carried) {
                Some(pull) => (pull, step_size),
                None => return Motion::Still,
            }
        };
        let parent_world = self.parent_world(link);
        let mut seat = Seat {
            joint,
            parent_world,
            world: self.s.world.rotations[link],
            start: self.s.start.rotations[link],
            local: &mut self.pose.rotations[link],
            shift: &mut self.pose.shifts[link],
        };
        let motion = seat.turn(&pull, step_size);
        if step_size.softness.is_some() {
            self.note_step(level, stop, motion);
        }
        match motion {
            Motion::Still => {}
            Motion::Turn(turn) => {
                for c in carried {
                    let state = &mut self.s.effectors[c.effector as usize];
                    state.point = pivot + turn * (state.point - pivot);
                    state.orientation = turn * state.orientation;
                }
            }
            Motion::Slide(way) => {
                for c in carried {
                    self.s.effectors[c.effector as usize].point += way;
                }
            }
        }
        motion
    }

    /// The pull of the effectors on a joint.
    #[inline(always)]
    fn pull(&self, joint: &Joint, pivot: Vec3, carried: &[Carried]) -> Option<Pull> {
        if let [only] = carried
            && only.served
        {
            let state = &self.s.effectors[only.effector as usize];
            if let (Some(goal), None) = (state.held_goal, state.held_orientation) {
                let (arm, aim) = (state.point - pivot, goal - pivot);
                let least = state.least_squared;
                let is_idle =
                    !joint.slides() && (arm.norm_squared() <= least || aim.norm_squared() <= least);
                let is_idle = is_idle || is_within(goal, state, joint);
                return (!is_idle).then_some(Pull::One { arm, aim });
            }
        }
        self.shared_pull(joint, pivot, carried)
    }

    /// The same for several pulls at once, weighted and in chain lengths.
    fn shared_pull(&self, joint: &Joint, pivot: Vec3, carried: &[Carried]) -> Option<Pull> {
        let mut pull = Pull::none();
        let mut is_idle = true;
        for c in carried.iter().filter(|c| c.served) {
            let state = &self.s.effectors[c.effector as usize];
            let effector = &self.plan.effectors[c.effector as usize];
            let arm = state.point - pivot;
            if let Some(goal) = state.held_goal
                && !is_within(goal, state, joint)
                && (joint.slides() || arm.norm_squared() > state.least_squared)
                && state.scale_len > 0.0
            {
                let weight = effector.weight / (state.scale_len * state.scale_len);
                pull.add_position(arm, goal - pivot, weight);
                is_idle = false;
            }
            if let Some(goal) = state.held_orientation {
                let missing = goal * state.orientation.inverse();
                let weight = effector.weight * effector.orientation_weight.powi(2);
                pull.add_orientation(missing, weight);
                is_idle = false;
            }
        }
        (!is_idle).then_some(pull)
    }
}

/// Whether an effector is inside the joint's comfort region around the goal.
pub(super) fn is_within(goal: Vec3, state: &EffectorState, joint: &Joint) -> bool {
    joint.comfort_len > 0.0 && (goal - state.point).norm() < joint.comfort_len
}
