//! Parts of one body that have nothing to do with each other, to be solved on several threads.
//!
//! Two effectors are of one part where a joint that may move for one carries the other, or where others link them so. A
//! solve serves one part after the other, so parts that are solved beside each other come to the same bits:
//!
//! ```
//! # use retarget::{ik::*, Quat, Vec3};
//! # let mut body = TreeBuilder::new();
//! # let trunk = body.base("trunk");
//! # let mut effectors = Vec::new();
//! # for arm in 0..8 {
//! #     let mut last = body.link(format!("{arm}"), trunk, Vec3::new(f64::from(arm), 0.0, 0.0), Joint::ball());
//! #     for bone in 0..20 {
//! #         last = body.link(format!("{arm}.{bone}"), last, Vec3::y(), Joint::ball());
//! #     }
//! #     effectors.push(Effector::new(last, Vec3::y()));
//! # }
//! # let plan = Plan::new(body.build()?, &effectors)?;
//! # let (mut pose, settings) = (TreePose::rest(plan.tree()), Settings::default());
//! # let goals: Vec<Goal> = (0..8).map(|arm| Goal::at(Vec3::new(f64::from(arm) + 3.0, 10.0, 1.0))).collect();
//! let mut arms = plan.parts();
//! std::thread::scope(|scope| {
//!     for arm in &mut arms {
//!         scope.spawn(|| arm.solve(&goals, &settings, &pose));
//!     }
//! });
//! arms.iter().for_each(|arm| arm.write(&mut pose));
//! # let mut alone = TreePose::rest(plan.tree());
//! # solve(&Job::new(&plan, &goals, &settings), &mut alone, &mut Scratch::new(&plan));
//! # assert_eq!((arms.len(), pose), (8, alone));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A thread costs some 10 µs to begin, an arm of two bones 1 µs to solve: `docs/IK.md` says from where on it pays.

use super::effector::{Effector, Goal, Subject};
use super::plan::{Plan, independent, is_balance};
use super::pose::TreePose;
use super::scratch::{Residual, Scratch};
use super::settings::Settings;
use super::solve::{Job, Outcome, solve};
use super::tree::LinkId;

/// An independent part of a plan's effectors, with buffers of its own. [`Plan::parts`] gives them; they may be solved
/// on several threads.
#[derive(Clone, Debug)]
pub struct Part {
    /// The plan of the links on the paths to its effectors, with these effectors alone.
    plan: Plan,
    /// The indices of those links in the whole tree.
    links: Vec<usize>,
    /// Their indices in the list of the whole plan.
    effectors: Vec<usize>,
    goals: Vec<Goal>,
    pose: TreePose,
    scratch: Scratch,
}

impl Plan {
    /// The independent parts, each with a plan and buffers of its own; at least one for a plan with effectors.
    /// Allocates: call it once for a plan.
    pub fn parts(&self) -> Vec<Part> {
        let parts = independent(&self.effectors, &self.chains).into_iter();
        parts.map(|effectors| Part::new(self, effectors)).collect()
    }
}

impl Part {
    fn new(whole: &Plan, effectors: Vec<usize>) -> Self {
        let has_balance = effectors.iter().any(|&e| is_balance(&whole.effectors[e]));
        let on_way = |link: &usize| {
            effectors.iter().any(|&e| whole.chains[e].path.contains(&(*link as u32)))
        };
        // The centre of mass depends on all links.
        let links: Vec<usize> =
            (0..whole.tree.len()).filter(|link| has_balance || on_way(link)).collect();
        let place = |link: u32| links.partition_point(|&kept| kept < link as usize) as u32;
        let own = |mut effector: Effector| {
            if let Subject::Point { link, .. } = &mut effector.subject {
                *link = LinkId::new(place(link.index() as u32) as usize);
            }
            effector
        };
        let own = effectors.iter().map(|&e| own(whole.effectors[e]));
        let chains = effectors.iter().map(|&e| {
            let mut chain = whole.chains[e].clone();
            let places = chain.path.iter_mut().chain(&mut chain.movers);
            places.for_each(|link| *link = place(*link));
            chain
        });
        let goals = vec![Goal::none(); effectors.len()];
        let plan = Plan::indexed(whole.tree.part(&links), own.collect(), chains.collect());
        let (pose, scratch) = (TreePose::rest(&plan.tree), Scratch::new(&plan));
        Self { plan, links, effectors, goals, pose, scratch }
    }

    /// The indices of its effectors in the plan's list.
    pub fn effectors(&self) -> &[usize] {
        &self.effectors
    }

    /// Solves this part alone. `goals` are those of the whole plan, of which it uses its own; `pose` is the body's
    /// pose, which does not change: [`write`](Self::write) has the result. Restarts are the part's own. No allocation.
    pub fn solve(&mut self, goals: &[Goal], settings: &Settings, pose: &TreePose) -> Outcome {
        for (own, &e) in self.goals.iter_mut().zip(&self.effectors) {
            *own = goals.get(e).copied().unwrap_or_default();
        }
        for (own, &link) in self.links.iter().enumerate() {
            self.pose.rotations[own] = pose.rotations.get(link).copied().unwrap_or_default();
            self.pose.shifts[own] = pose.shifts.get(link).copied().unwrap_or_default();
        }
        let job = Job::new(&self.plan, &self.goals, settings);
        solve(&job, &mut self.pose, &mut self.scratch)
    }

    /// The residuals of its effectors after the last solve, in the order of [`effectors`](Self::effectors).
    pub fn residuals(&self) -> &[Residual] {
        self.scratch.residuals()
    }

    /// Writes the joints that the part moves, as the last solve left them, into a pose of the whole body. No
    /// allocation.
    pub fn write(&self, pose: &mut TreePose) {
        for stop in self.plan.levels.iter().flat_map(|level| &level.stops) {
            let (own, link) = (stop.link as usize, self.links[stop.link as usize]);
            if stop.moves
                && let (Some(rotation), Some(shift)) =
                    (pose.rotations.get_mut(link), pose.shifts.get_mut(link))
            {
                (*rotation, *shift) = (self.pose.rotations[own], self.pose.shifts[own]);
            }
        }
    }
}
