//! Passes over the joints of a level (cyclic coordinate descent).

use super::plan::{Level, Stop};
use super::pull::Pull;
use super::settings::Sweep;
use super::turn::{Motion, Seat, Stride};
use super::work::Work;

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
    /// One pass over a level's joints, so many visits as there are joints (more for plain bounce).
    /// `pass` counts the passes; the level must be refreshed, and is again afterwards.
    pub fn sweep(&mut self, level: &Level, scope: Scope, stride: &Stride, pass: u32) {
        if !level.balances.is_empty() {
            self.sweep_balance(level, scope, stride);
        }
        if level.effectors.is_empty() {
            return;
        }
        match self.settings.sweep {
            Sweep::TipToBase => self.tip_to_base(level, scope, stride, 0),
            Sweep::BaseToTip => self.base_to_tip(level, scope, stride),
            Sweep::Alternating if pass.is_multiple_of(2) => self.tip_to_base(level, scope, stride, 0),
            Sweep::Alternating => self.base_to_tip(level, scope, stride),
            Sweep::Bounce => {
                for nearest_base in (0..level.stops.len()).rev() {
                    if scope.has(&level.stops[nearest_base]) {
                        self.tip_to_base(level, scope, stride, nearest_base);
                    }
                }
            }
            Sweep::SmartBounce { threshold_rad } => {
                self.smart_bounce(level, scope, stride, threshold_rad);
            }
        }
        self.finish_wrists(level);
    }

    fn tip_to_base(&mut self, level: &Level, scope: Scope, stride: &Stride, from: usize) {
        for stop in level.stops[from..].iter().rev() {
            if scope.has(stop) {
                self.visit(level, stop, stride);
            }
        }
        self.refresh(level);
    }

    fn base_to_tip(&mut self, level: &Level, scope: Scope, stride: &Stride) {
        for stop in &level.stops {
            let link = stop.link as usize;
            self.plan.tree.place(link, self.pose, &mut self.s.world);
            if scope.has(stop) {
                self.visit(level, stop, stride);
                self.plan.tree.place(link, self.pose, &mut self.s.world);
            }
        }
        self.refresh(level);
    }

    fn smart_bounce(&mut self, level: &Level, scope: Scope, stride: &Stride, threshold: f64) {
        let half_sin = (0.5 * threshold.clamp(0.0, 3.0)).sin();
        let last = level.stops.len();
        let mut visits = level.stops.iter().filter(|stop| scope.has(stop)).count();
        let mut next = last;
        while visits > 0 && next > 0 {
            next -= 1;
            let stop = &level.stops[next];
            if !scope.has(stop) {
                continue;
            }
            visits -= 1;
            let moved = match self.visit(level, stop, stride) {
                Motion::Still => false,
                Motion::Turn(turn) => turn.imag().norm() > half_sin,
                Motion::Slide(_) => true,
            };
            if moved {
                self.refresh(level);
                next = last;
            }
        }
        self.refresh(level);
    }

    /// Moves one joint to where it serves the level best, and carries the effectors along.
    #[inline]
    pub fn visit(&mut self, level: &Level, stop: &Stop, stride: &Stride) -> Motion {
        let link = stop.link as usize;
        let tree = &self.plan.tree;
        let joint = &tree.joints[link];
        let pivot = tree.pivot(link, &self.s.world);
        let carried = &level.carried[stop.carried.0 as usize..stop.carried.1 as usize];

        let mut pull = Pull::none();
        let mut pulls = 0;
        for c in carried.iter().filter(|c| c.served) {
            let grip = &self.s.grips[c.effector as usize];
            let effector = &self.plan.effectors[c.effector as usize];
            let inverse_len = match self.plan.chains[c.effector as usize].len {
                len if len > 0.0 => 1.0 / len,
                _ => 1.0,
            };
            if let Some(goal) = grip.held_goal {
                let is_comfortable =
                    joint.comfort_len > 0.0 && (goal - grip.point).norm() < joint.comfort_len;
                if !is_comfortable {
                    let (arm, aim) = (grip.point - pivot, goal - pivot);
                    if carried.len() == 1 && grip.held_orientation.is_none() {
                        pull = Pull::One { arm, aim };
                    } else {
                        pull.add_position(arm, aim, effector.weight * inverse_len * inverse_len);
                    }
                    pulls += 1;
                }
            }
            if let Some(goal) = grip.held_orientation {
                let missing = goal * grip.orientation.inverse();
                let weight = effector.weight * effector.orientation_weight.powi(2);
                pull.add_orientation(missing, weight);
                pulls += 1;
            }
        }
        if pulls == 0 {
            return Motion::Still;
        }

        let parent_world = self.parent_world(link);
        let mut seat = Seat {
            joint,
            parent_world,
            world: self.s.world.rotations[link],
            start: self.s.start.rotations[link],
            local: &mut self.pose.rotations[link],
            shift: &mut self.pose.shifts[link],
        };
        let motion = seat.turn(&pull, stride);
        match motion {
            Motion::Still => {}
            Motion::Turn(turn) => {
                for c in carried {
                    let grip = &mut self.s.grips[c.effector as usize];
                    grip.point = pivot + turn * (grip.point - pivot);
                    grip.orientation = turn * grip.orientation;
                }
            }
            Motion::Slide(way) => {
                for c in carried {
                    self.s.grips[c.effector as usize].point += way;
                }
            }
        }
        motion
    }
}
