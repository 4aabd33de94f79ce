//! One solve: a job in, a pose changed in place, an outcome out.

use super::effector::Goal;
use super::plan::Plan;
use super::pose::TreePose;
use super::restart::{Score, Start};
use super::scratch::Scratch;
use super::settings::Settings;
use super::stage::Descent;
use super::track::Tracking;
use super::work::Work;

/// A plan with goals for its effectors.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The effectors, and the joints that serve each.
    pub plan: &'a Plan,
    /// One for each effector of the plan; those missing at the end are none.
    pub goals: &'a [Goal],
    /// How the solve goes about it.
    pub settings: &'a Settings,
    /// Poses of the same tree to restart from when a solve gets stuck, the nearest to the given pose first; before
    /// random ones, and whatever [`Settings::restarts`] is.
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
    /// No joint can make it better on its own.
    Stalled,
    /// The pose gets no better, and the links' lengths rule a goal out.
    OutOfReach,
}

/// What a solve came to. [`Scratch::residuals`], [`Scratch::active_limits`] and [`Scratch::world`] tell the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Whether every goal was reached, and if not, why.
    pub status: Status,
    /// Passes over the joints of a level, all levels and starts together.
    pub iterations: u32,
    /// How good the result is, to choose among several starts.
    pub score: Score,
}

/// Moves `pose` so that the effectors of the job come to their goals, or as near as they can.
///
/// The pose is in the frame of the plan's tree; bases never move. What is no number in it is replaced
/// (unturned, unshifted), and joints outside their limits are first brought in by the shortest way.
/// Each effector's weighted error is no larger afterwards than before, counted priority by
/// priority. The same input gives the same output to the bit.
pub fn solve(job: &Job, pose: &mut TreePose, scratch: &mut Scratch) -> Outcome {
    solve_from(job, Start::Given, pose, scratch)
}

/// As [`solve`], for who needs no more than the pose: nothing is worked out about how it ended, and no other
/// start is tried.
///
/// [`Scratch::world`] is right afterwards, as after any other solve.
pub fn solve_pose(job: &Job, pose: &mut TreePose, scratch: &mut Scratch) {
    let mut work = begin(job, Start::Given, pose, scratch);
    work.run();
    work.plan.tree.world(work.pose, &mut work.s.world);
}

/// [`solve`] from another start; `pose` gives the bases, and what windows and scores count from.
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

/// Takes the job's input in.
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
    work.grip(job.goals);
    work.confine();
    work.s.start.copy_from(work.pose);
    work.take(start);
    work
}
