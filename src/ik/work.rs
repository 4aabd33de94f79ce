//! The state of a solve: positions of effectors, their goals and errors.

use super::effector::{Effector, Goal, Subject};
use super::plan::{Level, Plan};
use super::pose::TreePose;
use super::scratch::{ActiveLimit, EffectorState, Residual, Scratch};
use super::settings::{Settings, Strategy};
use super::tree::{LinkId, NONE};
use crate::math::{Quat, Vec3};

/// What [`Work::track`] keeps between visits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tracking {
    /// The share of their step that joints make if they carry effectors of earlier priorities.
    pub later: f64,
    /// Largest step of the current pass: radians, or chain lengths for slides.
    pub largest: f64,
}

/// Borrowed inputs and buffers of one solve.
pub(super) struct Work<'a> {
    pub plan: &'a Plan,
    pub settings: &'a Settings,
    pub pose: &'a mut TreePose,
    pub s: &'a mut Scratch,
    pub iterations: u32,
    /// The stop that a smart bounce visited last.
    pub bounced_to: usize,
    /// Whether a stuck chain was bent in the current descent.
    pub is_nudged: bool,
    /// The state of a [`track`](Work::track).
    pub tracking: Tracking,
}

/// A larger goal coordinate is replaced by this: squares stay finite, directions are kept.
const FARTHEST: f64 = 1e70;

impl<'a> Work<'a> {
    /// Reads the goals; if the list is shorter, the other effectors have none.
    pub fn take_goals(&mut self, goals: &[Goal]) {
        for e in 0..self.plan.effectors.len() {
            let goal = goals.get(e).copied().unwrap_or_default();
            let mut state = EffectorState::IDLE;
            let place = |p: &Vec3| p.iter().all(|c| c.is_finite());
            let turn = |q: &Quat| (1e-100..1e100).contains(&q.coords.norm());
            state.impossible = goal.position.is_some_and(|p| !place(&p))
                || goal.orientation.is_some_and(|q| !turn(&q));
            if !state.impossible {
                state.goal.position =
                    goal.position.map(|p| p.map(|c| c.clamp(-FARTHEST, FARTHEST)));
                state.goal.orientation = goal.orientation.map(|q| Quat::new_normalize(*q));
                state.goal.pole = goal.pole.filter(place);
            }
            if self.is_balance(e) {
                state.goal.orientation = None;
            }
            (state.scale_len, state.least_squared) = self.scale(e, state.goal.position);
            self.s.effectors[e] = state;
            self.hold(e, self.takes_wrist(e));
        }
    }

    /// An effector's [`EffectorState::scale_len`] and [`EffectorState::least_squared`].
    fn scale(&self, e: usize, goal: Option<Vec3>) -> (f64, f64) {
        let chain = &self.plan.chains[e];
        let shifts = || chain.path.iter().map(|&link| self.pose.shifts[link as usize]);
        let mut len = chain.len;
        if len == 0.0 {
            let base = shifts().next().unwrap_or_default();
            let way = goal.map_or(0.0, |goal| (goal - base).norm());
            len = shifts().skip(1).map(|shift| shift.norm()).sum::<f64>() + way;
        }
        // A tiny share of the chain, or the rounding error at this distance from the origin.
        let far: f64 = shifts().map(|shift| shift.lp_norm(1)).sum();
        (len, (1e-12 * len + 1e-14 * far).powi(2))
    }

    /// Decides which point the sweeps pull: the effector's point, or with `wrist` the pivot of a last link that takes
    /// the goal's orientation alone.
    pub fn hold(&mut self, e: usize, wrist: bool) {
        let Subject::Point { link, point_local } = self.plan.effectors[e].subject else {
            self.s.effectors[e].held_goal = self.s.effectors[e].goal.position;
            return;
        };
        let pivot = self.plan.tree.bodies[link.index()].pivot_in_self;
        let state = &mut self.s.effectors[e];
        state.held_local = point_local;
        state.held_goal = state.goal.position;
        state.held_orientation = state.goal.orientation;
        let leaves_to_sweeps =
            self.settings.strategy == Strategy::Reach && self.settings.step.is_capped();
        state.uses_wrist = wrist && state.goal.orientation.is_some() && !leaves_to_sweeps;
        if let (true, Some(orientation)) = (state.uses_wrist, state.goal.orientation) {
            state.held_local = pivot;
            state.held_goal = state.goal.position.map(|p| p - orientation * (point_local - pivot));
            state.held_orientation = None;
        }
    }

    pub fn is_balance(&self, e: usize) -> bool {
        super::plan::is_balance(&self.plan.effectors[e])
    }

    pub fn effector(&self, e: usize) -> &'a Effector {
        &self.plan.effectors[e]
    }

    pub fn parent_world(&self, link: usize) -> Quat {
        match self.plan.tree.bodies[link].parent {
            NONE => Quat::identity(),
            parent => self.s.world.rotations[parent as usize],
        }
    }

    /// Forward kinematics along the paths of a level, rotations renormalised, effectors placed.
    pub fn refresh(&mut self, level: &Level) {
        for stop in &level.stops {
            let link = stop.link as usize;
            // Links that no pass moves keep their bits, for the parts that they carry as well.
            if stop.moves {
                self.renormalise(link);
            }
            self.plan.tree.place(link, self.pose, &mut self.s.world);
        }
        self.place_level(level);
    }

    /// Normalises a rotation. One Newton step corrects the rounding of a pass.
    #[inline(always)]
    pub fn renormalise(&mut self, link: usize) {
        let q = &mut self.pose.rotations[link];
        *q = Quat::new_unchecked(**q * (1.5 - 0.5 * q.coords.norm_squared()));
    }

    /// Places a level's effectors on their links.
    pub fn place_level(&mut self, level: &Level) {
        for &e in &level.effectors {
            self.place_effector(e as usize);
        }
        if !level.balances.is_empty() {
            self.weigh();
        }
    }

    /// Forward kinematics along one effector's path.
    pub fn refresh_path(&mut self, e: usize) {
        for &link in &self.plan.chains[e].path {
            self.plan.tree.place(link as usize, self.pose, &mut self.s.world);
        }
        self.place_effector(e);
    }

    pub fn place_effector(&mut self, e: usize) {
        if let Subject::Point { link, .. } = self.plan.effectors[e].subject {
            let link = link.index();
            let state = &mut self.s.effectors[e];
            state.orientation = self.s.world.rotations[link];
            state.point = self.s.world.positions[link] + state.orientation * state.held_local;
        }
    }

    /// Distance and angle between an effector, as placed, and its goal.
    pub fn error(&self, e: usize) -> (f64, f64) {
        let state = &self.s.effectors[e];
        if state.impossible {
            return (f64::INFINITY, 0.0);
        }
        let position = match (state.goal.position, self.plan.effectors[e].subject) {
            (None, _) => 0.0,
            (Some(goal), Subject::Point { link, point_local }) => {
                let link = link.index();
                let world = &self.s.world;
                (world.positions[link] + world.rotations[link] * point_local - goal).norm()
            }
            (Some(_), Subject::CenterOfMass { .. }) => self.balance_error_of(e).norm(),
        };
        let orientation = match state.goal.orientation {
            None => 0.0,
            Some(goal) => {
                let missing = goal * state.orientation.inverse();
                let half_sin = missing.imag().norm();
                // So small an angle equals its sine to the last digits.
                if half_sin < 1e-6 { 2.0 * half_sin } else { 2.0 * half_sin.atan2(missing.w.abs()) }
            }
        };
        (position, orientation)
    }

    pub fn is_reached(&self, e: usize) -> bool {
        self.is_within(e, self.error(e))
    }

    fn is_within(&self, e: usize, (position, orientation): (f64, f64)) -> bool {
        position <= self.plan.tolerance_len(e) && orientation <= self.effector(e).tolerance_rad
    }

    pub fn is_level_reached(&self, level: &Level) -> bool {
        level.all().all(|e| self.is_reached(e))
    }

    /// Weighted sum of squared errors of a level, in chain lengths, without impossible goals.
    pub fn cost(&self, level: &Level) -> f64 {
        level.all().map(|e| self.cost_of(e)).sum()
    }

    pub fn cost_of(&self, e: usize) -> f64 {
        if self.s.effectors[e].impossible {
            return 0.0;
        }
        let effector = self.effector(e);
        let (position, orientation) = self.error(e);
        let len = self.plan.chains[e].len;
        let ratio = if len > 0.0 { position / len } else { 0.0 };
        effector.weight * (ratio * ratio + (effector.orientation_weight * orientation).powi(2))
    }

    /// Turns the last links that take their goal's orientation alone.
    pub fn finish_wrists(&mut self, level: &Level) {
        for &e in &level.effectors {
            self.finish_wrist(e as usize);
        }
    }

    pub fn finish_wrist(&mut self, e: usize) {
        let state = &self.s.effectors[e];
        let (true, Some(goal)) = (state.uses_wrist, state.goal.orientation) else { return };
        let Subject::Point { link, .. } = self.plan.effectors[e].subject else { return };
        let link = link.index();
        let wanted = self.parent_world(link).inverse() * goal;
        self.pose.rotations[link] = self.plan.tree.joints[link].confine(wanted);
        self.plan.tree.place(link, self.pose, &mut self.s.world);
        self.place_effector(e);
    }

    /// Whether the distance to the goal is more, or less, than the links of an effector can span.
    pub fn is_out_of_reach(&self, e: usize) -> bool {
        let state = &self.s.effectors[e];
        if state.impossible {
            return true;
        }
        let chain = &self.plan.chains[e];
        let Some(goal) = state.held_goal else { return false };
        let tree = &self.plan.tree;
        // Rounding alone puts no goal out of reach.
        let tolerance = self.plan.tolerance_len(e) + state.least_squared.sqrt();
        let reaching = if state.uses_wrist { chain.reaching_wrist } else { chain.reaching };
        let Some((&first, rest)) = chain.movers[..reaching].split_first() else {
            return !self.is_balance(e) && (state.point - goal).norm() > tolerance;
        };
        if chain.movers.iter().any(|&m| tree.joints[m as usize].slides()) {
            return false;
        }
        let base = tree.pivot(first as usize, &self.s.world);
        let (mut at, mut total, mut longest) = (base, 0.0, 0.0_f64);
        let mut add = |next: Vec3| {
            let len = (next - at).norm();
            total += len;
            longest = longest.max(len);
            at = next;
        };
        rest.iter().for_each(|&m| add(tree.pivot(m as usize, &self.s.world)));
        add(state.point);
        let distance = (goal - base).norm();
        distance > total + tolerance || distance < 2.0 * longest - total - tolerance
    }

    /// Moves every joint that may move into its limits.
    pub fn confine(&mut self) {
        for level in &self.plan.levels {
            for stop in level.stops.iter().filter(|stop| stop.moves) {
                let link = stop.link as usize;
                let joint = &self.plan.tree.joints[link];
                let local = joint.confine(self.pose.rotations[link]);
                self.pose.rotations[link] = local;
                self.pose.shifts[link] = joint.confine_shift(local, self.pose.shifts[link]);
            }
        }
    }

    /// Places all links and effectors.
    pub fn place_all(&mut self) {
        self.plan.tree.world(self.pose, &mut self.s.world);
        for e in 0..self.plan.effectors.len() {
            self.place_effector(e);
        }
        self.weigh();
    }

    /// Writes residuals and active limits of a placed pose.
    pub fn report(&mut self) {
        for e in 0..self.plan.effectors.len() {
            let (position_len, orientation_rad) = self.error(e);
            let reached = self.is_within(e, (position_len, orientation_rad));
            let out_of_reach = !reached && self.is_out_of_reach(e);
            self.s.residuals[e] = Residual { position_len, orientation_rad, reached, out_of_reach };
        }
        self.s.active.clear();
        for (link, joint) in self.plan.tree.joints.iter().enumerate() {
            let s = &mut *self.s;
            let note = |limit| s.active.push(ActiveLimit { link: LinkId::new(link), limit });
            let rotation = self.pose.rotations[link];
            joint.active(rotation, self.pose.shifts[link], s.start.rotations[link], note);
        }
    }
}

impl Level {
    /// All effectors of the level.
    pub fn all(&self) -> impl Iterator<Item = usize> + '_ {
        self.effectors.iter().chain(&self.balances).map(|&e| e as usize)
    }
}
