//! One solve: it takes a job, changes a pose in place and returns an outcome.

use super::effector::Goal;
use super::plan::Plan;
use super::pose::TreePose;
use super::restart::{Score, Start};
use super::scratch::Scratch;
use super::settings::Settings;
use super::stage::Descent;
use super::work::{Tracking, Work};

/// The input of a solve: a plan with goals for its effectors.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The effectors, and the joints that move each of them.
    pub plan: &'a Plan,
    /// One for each effector of the plan; if the list is shorter, the other effectors have none.
    pub goals: &'a [Goal],
    /// The settings of the solve.
    pub settings: &'a Settings,
    /// Poses of the same tree from which the solve restarts when it gets stuck, nearest to the given pose first; before
    /// random starts, and independent of [`Settings::restarts`]. They have no effect under
    /// [`Strategy::Tracking`](super::Strategy::Tracking) and in [`solve_pose`].
    pub stored: &'a [TreePose],
}

impl<'a> Job<'a> {
    /// A job without stored poses.
    pub fn new(plan: &'a Plan, goals: &'a [Goal], settings: &'a Settings) -> Self {
        Self { plan, goals, settings, stored: &[] }
    }
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Every effector is within its tolerance.
    Reached,
    /// The iterations ran out while the pose was still getting better.
    Moving,
    /// No single joint can make the pose better.
    Stalled,
    /// The pose gets no better, and a goal is farther away than the links' lengths allow.
    OutOfReach,
}

/// The result of a solve. [`Scratch::residuals`], [`Scratch::active_limits`] and [`Scratch::world`] have the details.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Whether every goal was reached, and if not, why.
    pub status: Status,
    /// Passes over the joints of a priority, first guesses and repairs included; the sum over all priorities and
    /// starts.
    pub iterations: u32,
    /// The quality of the result, to choose among several starts.
    pub score: Score,
}

/// Moves `pose` so that the effectors of the job reach their goals, or get as near as they can.
///
/// The pose is one of the plan's tree; bases stay where it places them. A rotation in it that is not a number becomes
/// the identity, such a shift zero. Of the joints that the effectors may move, those outside their limits are first
/// moved inside by the shortest way. After that, under [`Strategy::Reach`](super::Strategy::Reach), no priority's
/// weighted error grows beyond its tolerances, unless an earlier priority gains by it. The same input gives the same
/// bits.
///
/// It costs at most [`Settings::max_iterations`] passes over the joints for each priority and start, and allocates
/// nothing. A priority that moves joints of an earlier one costs up to three times as many, and passes that repair the
/// earlier one after each.
pub fn solve(job: &Job, pose: &mut TreePose, scratch: &mut Scratch) -> Outcome {
    solve_from(job, Start::Given, pose, scratch)
}

/// As [`solve`], if only the pose is needed: it computes no outcome, residuals or active limits, and tries no other
/// start.
///
/// [`Scratch::world`] is valid afterwards, as after any other solve.
pub fn solve_pose(job: &Job, pose: &mut TreePose, scratch: &mut Scratch) {
    let mut work = begin(job, Start::Given, pose, scratch);
    work.run();
    work.plan.tree.world(work.pose, &mut work.s.world);
}

/// As [`solve`], from another start; `pose` gives the bases, and the pose from which windows and scores count.
pub fn solve_from(job: &Job, start: Start, pose: &mut TreePose, scratch: &mut Scratch) -> Outcome {
    let mut work = begin(job, start, pose, scratch);
    let end = work.run_from_starts(job.stored);
    let score = work.score();
    work.report();
    let iterations = work.iterations;
    let residuals = &scratch.residuals;
    let status = if residuals.iter().all(|r| r.reached) {
        Status::Reached
    } else if end == Descent::Moving {
        Status::Moving
    } else if residuals.iter().any(|r| r.out_of_reach) {
        Status::OutOfReach
    } else {
        Status::Stalled
    };
    Outcome { status, iterations, score }
}

/// Reads the job's input.
fn begin<'a>(
    job: &Job<'a>,
    start: Start,
    pose: &'a mut TreePose,
    scratch: &'a mut Scratch,
) -> Work<'a> {
    scratch.fit(job.plan);
    pose.fit(job.plan.tree.len());
    pose.repair();
    let (plan, settings, tracking) = (job.plan, job.settings, Tracking::default());
    let mut work = Work {
        plan,
        settings,
        pose,
        s: scratch,
        iterations: 0,
        bounced_to: 0,
        is_nudged: false,
        tracking,
    };
    work.take_goals(job.goals);
    work.confine();
    work.s.start.copy_from(work.pose);
    work.take(start);
    work
}
