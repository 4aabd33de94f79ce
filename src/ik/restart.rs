//! Several starts of one job, and the one winner among them.
//!
//! Where one start gets stuck another may not: stored poses give natural starts, random ones cover
//! the rest. [`Settings::restarts`](super::Settings::restarts) tries them one after the other inside a solve. They are
//! independent jobs, though, so a caller with threads to spare runs them side by side and takes [`winner`], which
//! does not depend on who finished first:
//!
//! ```
//! # use retarget::{ik::*, Vec3};
//! # let links = [Link::base(), Link::child(LinkId::new(0), Vec3::zeros(), Joint::ball()),
//! #     Link::child(LinkId::new(1), Vec3::x(), Joint::hinge(Vec3::z(), Range::new(0.0, 2.0)))];
//! # let plan = Plan::new(Tree::new(&links)?, &[Effector::new(LinkId::new(2), Vec3::x())])?;
//! # let (goals, settings) = ([Goal::at(Vec3::new(0.5, 1.0, 0.2))], Settings::default());
//! # let given = TreePose::rest(plan.tree());
//! let starts = [Start::Given, Start::Random(1), Start::Random(2), Start::Random(3)];
//! let mut tries = starts.map(|_| (given.clone(), Scratch::new(&plan), Score::WORST));
//! std::thread::scope(|scope| {
//!     for (start, (pose, scratch, score)) in starts.iter().zip(&mut tries) {
//!         let job = Job::new(&plan, &goals, &settings);
//!         scope.spawn(move || *score = solve_from(&job, *start, pose, scratch).score);
//!     }
//! });
//! let (pose, ..) = &tries[winner(tries.iter().map(|t| t.2)).unwrap_or(0)];
//! # assert_eq!(pose.rotations.len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::angle::about;
use super::joint::JointKind;
use super::pose::TreePose;
use super::settings::Strategy;
use super::stage::Descent;
use super::work::Work;
use crate::math::Quat;
use nalgebra::Quaternion;
use std::cmp::Ordering;
use std::f64::consts::{PI, TAU};

/// The pose of the joints when a solve begins.
#[derive(Clone, Copy, Debug)]
pub enum Start<'a> {
    /// The given pose.
    Given,
    /// A stored pose of the same tree; bases stay where they are, and so do joints with a window.
    Stored(&'a TreePose),
    /// A random pose within the limits, by this seed; joints with a window and slides without both bounds stay.
    Random(u64),
}

/// The quality of a result, compared in this order: the number of priorities reached, the error of the first unreached
/// one, the rotations of the joints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// How many priorities are reached before the first that is not.
    pub reached: u32,
    /// Sum of the weighted squared errors of the effectors of the first priority not reached, in chain lengths and
    /// weighted radians; 0 where all are reached.
    pub cost: f64,
    /// Sum over all joints of sin²(half the angle) by which they turned since the given pose.
    pub turned: f64,
}

impl Score {
    /// Worse than any other.
    pub const WORST: Score = Score { reached: 0, cost: f64::INFINITY, turned: f64::INFINITY };

    /// Whether this result is the better one; equals are not better than each other.
    pub fn is_better_than(&self, other: &Score) -> bool {
        let order = other.reached.cmp(&self.reached);
        let order = order.then_with(|| self.cost.total_cmp(&other.cost));
        order.then_with(|| self.turned.total_cmp(&other.turned)) == Ordering::Less
    }
}

/// Index of the best score, the first of equals; `None` if there is no score.
pub fn winner(scores: impl IntoIterator<Item = Score>) -> Option<usize> {
    let mut best: Option<(usize, Score)> = None;
    for (place, score) in scores.into_iter().enumerate() {
        if best.is_none_or(|(_, held)| score.is_better_than(&held)) {
            best = Some((place, score));
        }
    }
    best.map(|(place, _)| place)
}

/// Sequence of pseudo-random numbers (SplitMix64, Steele et al. 2014), the same for the same seed.
struct Numbers(u64);

impl Numbers {
    /// The next number, from 0 to below 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number inside a range; infinite ends count as half a turn from the middle.
    fn inside(&mut self, range: super::Range) -> f64 {
        let middle = range.middle();
        let (min, max) = (range.min.max(middle - PI), range.max.min(middle + PI));
        min + (max - min) * self.next()
    }

    /// Any rotation, all equally likely (Shoemake 1992).
    fn rotation(&mut self) -> Quat {
        let (u, a, b) = (self.next(), TAU * self.next(), TAU * self.next());
        let (near, far) = ((1.0 - u).sqrt(), u.sqrt());
        let q = Quaternion::new(near * a.sin(), near * a.cos(), far * b.sin(), far * b.cos());
        Quat::new_normalize(q)
    }
}

impl Work<'_> {
    /// Runs from the given pose and, while that or another start gets stuck, from stored and random
    /// ones; leaves the best pose of all.
    pub fn run_from_starts(&mut self, stored: &[TreePose]) -> Descent {
        if self.settings.strategy == Strategy::Tracking {
            return self.run();
        }
        let mut end = self.run();
        let mut score = self.score();
        let mut is_recorded = false;
        let mut last = (f64::NEG_INFINITY, 0);
        for restart in 0..stored.len() as u64 + u64::from(self.settings.restarts) {
            if end == Descent::Reached || self.is_hopeless() {
                break;
            }
            if !is_recorded {
                self.s.record.copy_from(self.pose);
                is_recorded = true;
            }
            let start = match self.next_stored(stored, last) {
                Some(next) => {
                    last = next;
                    Start::Stored(&stored[next.1])
                }
                None => {
                    let random = restart - stored.len() as u64;
                    Start::Random(self.settings.seed.wrapping_add(random))
                }
            };
            self.take(start);
            let again = self.run();
            let challenger = self.score();
            if challenger.is_better_than(&score) {
                (score, end) = (challenger, again);
                self.s.record.copy_from(self.pose);
            }
        }
        if is_recorded {
            self.pose.copy_from(&self.s.record);
        }
        end
    }

    /// The stored pose after `last` (its distance, its index): the next nearest to the given pose.
    fn next_stored(&self, stored: &[TreePose], last: (f64, usize)) -> Option<(f64, usize)> {
        let distance = |pose: &TreePose| {
            let turned = pose.rotations.iter().zip(&self.s.start.rotations);
            let turned = turned.map(|(stored, start)| (start.inverse() * stored).imag());
            let distance: f64 = turned.map(|v| v.norm_squared()).sum();
            // A pose with values that are not numbers comes last.
            if distance.is_nan() { f64::INFINITY } else { distance }
        };
        let after = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        let all = stored.iter().enumerate().map(|(place, pose)| (distance(pose), place));
        all.filter(|next| after(next, &last).is_gt()).min_by(after)
    }

    /// Whether no unreached goal can be reached by any pose.
    fn is_hopeless(&self) -> bool {
        (0..self.plan.effectors.len()).all(|e| self.is_reached(e) || self.is_out_of_reach(e))
    }

    /// Sets the joints that the plan moves to a start, within limits and windows.
    pub fn take(&mut self, start: Start) {
        let mut numbers = match start {
            Start::Given => return,
            Start::Stored(_) => Numbers(0),
            Start::Random(seed) => Numbers(seed),
        };
        for level in &self.plan.levels {
            for stop in level.stops.iter().filter(|stop| stop.moves) {
                let link = stop.link as usize;
                let joint = &self.plan.tree.joints[link];
                if joint.window_rad.is_finite() {
                    continue;
                }
                let (mut rotation, mut shift) = (self.pose.rotations[link], self.pose.shifts[link]);
                if let Start::Stored(pose) = start {
                    rotation = pose.rotations.get(link).copied().unwrap_or(rotation);
                    shift = pose.shifts.get(link).copied().unwrap_or(shift);
                } else {
                    match joint.kind {
                        JointKind::Hinge { axis, range } => {
                            rotation = joint.rotation(about(axis, numbers.inside(range)));
                        }
                        JointKind::Euler { order, ranges } => {
                            let angles = ranges.map(|range| numbers.inside(range));
                            rotation = joint.rotation(order.compose(angles));
                        }
                        JointKind::Slide { axis, range }
                            if range.min.is_finite() && range.max.is_finite() =>
                        {
                            let slide = range.min + (range.max - range.min) * numbers.next();
                            shift = joint.shift_of(axis, rotation, slide);
                        }
                        JointKind::Slide { .. } | JointKind::Fixed => {}
                        JointKind::Ball | JointKind::Cone(_) => rotation = numbers.rotation(),
                    }
                }
                self.pose.rotations[link] = rotation;
                self.pose.shifts[link] = shift;
            }
        }
        self.pose.repair();
        self.confine();
        for e in 0..self.plan.effectors.len() {
            self.s.effectors[e].bound = (f64::INFINITY, f64::INFINITY);
            self.hold(e, self.takes_wrist(e));
        }
    }

    /// The score of the current pose. Places all links.
    pub fn score(&mut self) -> Score {
        self.place_all();
        let (mut reached, mut cost) = (self.plan.priorities, 0.0);
        for (e, &rank) in self.plan.ranks.iter().enumerate() {
            if rank < reached && !self.is_reached(e) {
                reached = rank;
            }
        }
        for (e, &rank) in self.plan.ranks.iter().enumerate() {
            if rank == reached {
                cost += self.cost_of(e);
            }
        }
        let mut score = Score { reached, cost, turned: 0.0 };
        for (now, start) in self.pose.rotations.iter().zip(&self.s.start.rotations) {
            score.turned += (start.inverse() * now).imag().norm_squared();
        }
        score
    }
}
