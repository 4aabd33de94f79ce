//! Buffers of a solve, and its results.

use super::effector::Goal;
use super::limit::Limit;
use super::plan::Plan;
use super::pose::TreePose;
use super::tree::LinkId;
use crate::math::{Quat, Vec3};
use crate::pose::WorldPose;
use nalgebra::Quaternion;

/// Buffers of a solve, owned by the caller and used again.
#[derive(Clone, Debug)]
pub struct Scratch {
    pub(super) world: WorldPose,
    pub(super) effectors: Vec<EffectorState>,
    /// The pose when the solve began, from which windows and the nearest result count.
    pub(super) start: TreePose,
    /// The joints of a level to fall back to if its descent made nothing better; entries of other joints are stale.
    pub(super) best: TreePose,
    /// The pose to fall back to when a level disturbed an earlier one.
    pub(super) trial: TreePose,
    /// The best pose of all starts.
    pub(super) record: TreePose,
    pub(super) points: Vec<Vec3>,
    pub(super) lengths: Vec<f64>,
    pub(super) arms: Vec<Vec3>,
    pub(super) moments: Vec<(f64, Vec3)>,
    /// The joints of a first guess, if some of an effector's joints do not move.
    pub(super) movers: Vec<u32>,
    /// The stops of a level that a pass has yet to visit.
    pub(super) waiting: Vec<usize>,
    pub(super) residuals: Vec<Residual>,
    pub(super) active: Vec<ActiveLimit>,
}

/// The distance of an effector from its goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// Distance from the goal's position, length units; infinite for a goal that is no number.
    pub position_len: f64,
    /// Angle to the goal's orientation, radians.
    pub orientation_rad: f64,
    /// Whether both are within the effector's tolerance.
    pub reached: bool,
    /// Whether the goal is not reached, and is no number, or farther away or nearer than the lengths of its links
    /// allow. Links that slide have no such lengths.
    pub out_of_reach: bool,
}

/// A joint that is at one of its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActiveLimit {
    /// The link that the joint moves.
    pub link: LinkId,
    /// Which of its limits.
    pub limit: Limit,
}

/// The state of one effector during a solve.
#[derive(Clone, Copy, Debug)]
pub(super) struct EffectorState {
    /// Whether its goal is no number.
    pub impossible: bool,
    /// The given goal, with bounded numbers.
    pub goal: Goal,
    /// The point that the sweeps pull: the last link's pivot while that link serves the orientation alone.
    pub held_local: Vec3,
    pub held_goal: Option<Vec3>,
    pub held_orientation: Option<Quat>,
    pub uses_wrist: bool,
    /// Where the held point and the link are now, world.
    pub point: Vec3,
    pub orientation: Quat,
    /// The length by which its distances are divided, length units: its chain's length, or, if only the pose's shifts
    /// give the chain a length, these and the distance to the goal.
    pub scale_len: f64,
    /// Arms and aims whose squared length is below this have no direction.
    pub least_squared: f64,
    /// Distances that this effector must keep once its level is done.
    pub bound: (f64, f64),
}

impl EffectorState {
    pub const IDLE: EffectorState = EffectorState {
        impossible: false,
        goal: Goal { position: None, orientation: None, pole: None },
        held_local: Vec3::new(0.0, 0.0, 0.0),
        held_goal: None,
        held_orientation: None,
        uses_wrist: false,
        point: Vec3::new(0.0, 0.0, 0.0),
        orientation: Quat::new_unchecked(Quaternion::new(1.0, 0.0, 0.0, 0.0)),
        scale_len: 0.0,
        least_squared: 0.0,
        bound: (f64::INFINITY, f64::INFINITY),
    };
}

impl Scratch {
    /// Buffers for solves of `plan`. They fit any other plan too, at the cost of growing once.
    pub fn new(plan: &Plan) -> Self {
        let mut scratch = Self {
            world: WorldPose::new(0),
            effectors: Vec::new(),
            start: TreePose::new(0),
            best: TreePose::new(0),
            trial: TreePose::new(0),
            record: TreePose::new(0),
            points: Vec::new(),
            lengths: Vec::new(),
            arms: Vec::new(),
            moments: Vec::new(),
            movers: Vec::new(),
            waiting: Vec::new(),
            residuals: Vec::new(),
            active: Vec::new(),
        };
        scratch.fit(plan);
        scratch
    }

    pub(super) fn fit(&mut self, plan: &Plan) {
        let links = plan.tree.len();
        self.world.rotations.resize(links, Quat::identity());
        self.world.positions.resize(links, Vec3::zeros());
        for pose in [&mut self.start, &mut self.best, &mut self.trial, &mut self.record] {
            pose.fit(links);
        }
        let effectors = plan.effectors.len();
        self.effectors.resize(effectors, EffectorState::IDLE);
        let idle = Residual {
            position_len: 0.0,
            orientation_rad: 0.0,
            reached: true,
            out_of_reach: false,
        };
        self.residuals.resize(effectors, idle);
        self.points.resize(links + 1, Vec3::zeros());
        self.lengths.resize(links + 1, 0.0);
        self.arms.resize(links + 1, Vec3::zeros());
        self.moments.resize(links, (0.0, Vec3::zeros()));
        self.movers.reserve(links.saturating_sub(self.movers.len()));
        self.waiting.reserve(links.saturating_sub(self.waiting.len()));
        // A joint has at most three axes and a window, or swing, twist and a window.
        self.active.reserve((4 * links).saturating_sub(self.active.len()));
    }

    /// The residual of each effector after the last solve, in the order of the plan's effectors (not after
    /// [`solve_pose`](super::solve_pose)).
    pub fn residuals(&self) -> &[Residual] {
        &self.residuals
    }

    /// The limits at which joints are after the last solve, in link order (not after
    /// [`solve_pose`](super::solve_pose)).
    pub fn active_limits(&self) -> &[ActiveLimit] {
        &self.active
    }

    /// World rotations and positions (length units) of all links after the last solve, in the tree's list order.
    pub fn world(&self) -> &WorldPose {
        &self.world
    }
}
