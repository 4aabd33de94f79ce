//! Constraint relaxation, the second solver: joints as points, bones as distances.
//!
//! Each pass puts the end on the goal and corrects every bone to its length, from the tip to the base, and then from
//! the base, which stays, to the tip (after Juckett 2009; if the end that comes next takes the whole correction, it is
//! FABRIK by Aristidou & Lasenby 2011). It bends a chain evenly and needs about five passes where turning joints one by
//! one needs dozens, but it does not know joints; [`Work::relax`] converts the points into the joint rotations that
//! change least.

use super::pull::Pull;
use super::turn::{Seat, StepSize};
use super::work::Work;
use crate::math::{Vec3, any_perpendicular, rejection};

/// How a bone's correction is shared between its two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shares<'a> {
    /// The end that comes next in the pass takes all of it.
    Onward,
    /// Each end takes its share by the weights of the points, one for each point (1 where the list is shorter); a point
    /// of weight 0 stays.
    Weighted(&'a [f64]),
}

impl Shares<'_> {
    /// Whether a point stays wherever it is.
    fn holds(&self, point: usize) -> bool {
        matches!(self, Shares::Weighted(weights) if weights.get(point).is_some_and(|w| *w <= 0.0))
    }
}

/// How a relaxation ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relaxed {
    /// Distance between the last point and the goal, length units.
    pub residual_len: f64,
    /// Passes made, each once to the base and once to the tip.
    pub passes: u32,
    /// Largest difference of a bone's length from the one that it should have, length units.
    pub stretch_len: f64,
}

/// Pulls a chain of points to `goal`: `points` has one more entry than `lengths`, the first one stays. All are in one
/// frame and length unit.
///
/// Ends when the last point is within `tolerance_len` and no bone is stretched by more, when a pass with
/// [`Shares::Onward`] gains next to nothing, or after `max_passes`. With [`Shares::Onward`] bones have their lengths at
/// the end, and a chain that is too short points straight at the goal; with weights bones may be stretched. Coincident
/// ends and pairs of weight 0 are skipped. Points on one line with the goal are first pulled off it along `aside` (any
/// length). A pass is linear in the points; no allocation. Surplus points or lengths are ignored.
pub fn relax(
    points: &mut [Vec3],
    lengths: &[f64],
    shares: Shares,
    goal: Vec3,
    aside: Vec3,
    tolerance_len: f64,
    max_passes: u32,
) -> Relaxed {
    let bones = lengths.len().min(points.len().saturating_sub(1));
    let Some(&base) = points.first() else {
        return Relaxed { residual_len: 0.0, passes: 0, stretch_len: 0.0 };
    };
    let (points, lengths) = (&mut points[..=bones], &lengths[..bones]);
    let total: f64 = lengths.iter().sum();
    let is_straight = off_line(points, goal) <= 1e-6 * total;
    let distance = (goal - base).norm();
    if distance >= total && shares == Shares::Onward {
        // Nothing bends: the chain points at the goal.
        let way = (goal - base) / distance.max(1e-300);
        let mut along = 0.0;
        for (point, length) in points[1..].iter_mut().zip(lengths) {
            along += length;
            *point = base + way * along;
        }
        return ended(points, lengths, goal, 1);
    }
    if is_straight {
        let back = points[bones] - base;
        let way = (goal - base).try_normalize(1e-9 * total.max(1e-300));
        let way = way.or(back.try_normalize(1e-300)).unwrap_or(Vec3::x());
        arch(points, lengths, shares, way, aside, total);
    }
    let mut before = f64::INFINITY;
    let mut passes = 0;
    while passes < max_passes {
        passes += 1;
        if !shares.holds(bones) {
            points[bones] = goal;
        }
        // The near end of the first bone is the base, which the pass to the tip restores.
        for (i, &length) in lengths.iter().enumerate().rev() {
            let given = share(shares, i + 1, i);
            correct(
                points,
                i + 1,
                i,
                length,
                if i + 1 == bones { 0.0 } else { 1.0 - given },
                given,
            );
        }
        points[0] = base;
        for (i, &length) in lengths.iter().enumerate() {
            let given = share(shares, i, i + 1);
            correct(points, i, i + 1, length, if i == 0 { 0.0 } else { 1.0 - given }, given);
        }
        let residual = (points[bones] - goal).norm();
        let converged = shares == Shares::Onward && before - residual <= 1e-6 * tolerance_len;
        if converged || (residual <= tolerance_len && stretch(points, lengths) <= tolerance_len) {
            break;
        }
        before = residual;
    }
    ended(points, lengths, goal, passes)
}

fn ended(points: &[Vec3], lengths: &[f64], goal: Vec3, passes: u32) -> Relaxed {
    let residual_len = points.last().map_or(0.0, |p| (p - goal).norm());
    Relaxed { residual_len, passes, stretch_len: stretch(points, lengths) }
}

/// The share of a correction that the point `to` takes, `from` being the bone's other end.
#[inline(always)]
fn share(shares: Shares, from: usize, to: usize) -> f64 {
    match shares {
        Shares::Onward => 1.0,
        Shares::Weighted(weights) => {
            let weight = |i: usize| weights.get(i).copied().unwrap_or(1.0).max(0.0);
            let sum = weight(from) + weight(to);
            if sum > 0.0 { weight(to) / sum } else { f64::NAN }
        }
    }
}

/// Brings the bone from point `a` to point `b` to its length, the ends moving by their shares.
#[inline(always)]
fn correct(points: &mut [Vec3], a: usize, b: usize, length: f64, a_share: f64, b_share: f64) {
    let bone = points[b] - points[a];
    let norm = bone.norm_squared().sqrt();
    if norm < 1e-12 * length || norm == 0.0 || b_share.is_nan() {
        return;
    }
    let off = bone * (length / norm) - bone;
    if a_share > 0.0 {
        points[a] -= off * a_share;
    }
    points[b] += off * b_share;
}

fn stretch(points: &[Vec3], lengths: &[f64]) -> f64 {
    let bones = points.windows(2).zip(lengths);
    bones.map(|(p, length)| ((p[1] - p[0]).norm() - length).abs()).fold(0.0, f64::max)
}

/// Largest distance of a point from the line through base and goal.
fn off_line(points: &[Vec3], goal: Vec3) -> f64 {
    let base = points[0];
    let Some(way) = (goal - base).try_normalize(1e-300) else {
        return if points.len() > 2 {
            (points[2] - base).cross(&(points[1] - base)).norm()
        } else {
            0.0
        };
    };
    points.iter().map(|p| (p - base).cross(&way).norm()).fold(0.0, f64::max)
}

/// Lays the points along `way` in a flat arc towards `aside`.
fn arch(points: &mut [Vec3], lengths: &[f64], shares: Shares, way: Vec3, aside: Vec3, total: f64) {
    let across = rejection(aside, way)
        .try_normalize(1e-6 * aside.norm().max(1e-300))
        .unwrap_or_else(|| any_perpendicular(way));
    let base = points[0];
    let mut along = 0.0;
    for (i, (point, length)) in points[1..].iter_mut().zip(lengths).enumerate() {
        along += length;
        if shares.holds(i + 1) {
            continue;
        }
        let t = if total > 0.0 { along / total } else { 1.0 };
        *point = base + way * along + across * (0.5 * total * t * (1.0 - t));
    }
}

impl Work<'_> {
    /// Relaxes one effector's chain towards its goal and turns `movers`, joints of the chain, after the points, within
    /// their limits. Returns the number of passes. The path must be placed, and is placed afterwards.
    pub fn relax(&mut self, e: usize, movers: &[u32], max_passes: u32) -> u32 {
        let state = self.s.effectors[e];
        let tree = &self.plan.tree;
        let (Some(goal), Some(&first)) = (state.held_goal, movers.first()) else { return 0 };
        let (first, reaching) = (first as usize, movers.len());
        for (i, &link) in movers.iter().enumerate() {
            self.s.points[i] = tree.pivot(link as usize, &self.s.world);
        }
        self.s.points[reaching] = state.point;
        for (i, &link) in movers.iter().enumerate() {
            let bone = self.s.points[i + 1] - self.s.points[i];
            self.s.lengths[i] = bone.norm();
            self.s.arms[i] = self.s.world.rotations[link as usize].inverse() * bone;
        }
        let arm = self.s.arms[0];
        let bend = tree.joints[first].bend_axis.map(|axis| axis.cross(&arm));
        let aside = self.s.world.rotations[first] * bend.unwrap_or_else(|| any_perpendicular(arm));
        let relaxed = relax(
            &mut self.s.points[..=reaching],
            &self.s.lengths[..reaching],
            Shares::Onward,
            goal,
            aside,
            self.plan.tolerance_len(e),
            max_passes,
        );
        self.follow(e, movers);
        relaxed.passes
    }

    /// Turns a chain's joints from the base on, each by the shortest rotation that points its bone at the next relaxed
    /// point.
    fn follow(&mut self, e: usize, movers: &[u32]) {
        let chain = &self.plan.chains[e];
        let tree = &self.plan.tree;
        let mut next = 0;
        for &link in &chain.path {
            let place = link as usize;
            tree.place(place, self.pose, &mut self.s.world);
            if movers.get(next) != Some(&link) {
                continue;
            }
            let pivot = tree.pivot(place, &self.s.world);
            let world = self.s.world.rotations[place];
            let aim = self.s.points[next + 1] - pivot;
            let mut seat = Seat {
                joint: &tree.joints[place],
                parent_world: self.parent_world(place),
                world,
                start: self.s.start.rotations[place],
                local: &mut self.pose.rotations[place],
                shift: &mut self.pose.shifts[place],
            };
            seat.turn(&Pull::One { arm: world * self.s.arms[next], aim }, &StepSize::EXACT);
            // Without this each link would triple the error of the one before.
            self.renormalise(place);
            tree.place(place, self.pose, &mut self.s.world);
            next += 1;
        }
        self.place_effector(e);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn straight(bones: usize) -> (Vec<Vec3>, Vec<f64>) {
        ((0..=bones).map(|i| Vec3::x() * i as f64).collect(), vec![1.0; bones])
    }

    #[test]
    fn the_end_comes_to_the_goal_at_true_lengths() {
        let (mut points, lengths) = straight(8);
        let goal = Vec3::new(2.0, 3.0, -1.0);
        let end = relax(&mut points, &lengths, Shares::Onward, goal, Vec3::y(), 1e-9, 200);
        assert!(end.residual_len <= 1e-9 && end.stretch_len < 1e-12, "{end:?}");
        assert_eq!(points[0], Vec3::zeros());
    }

    #[test]
    fn a_straight_chain_with_the_goal_behind_its_tip_bends() {
        for goal in [3.0, 0.5, -4.0] {
            let (mut points, lengths) = straight(8);
            let goal = Vec3::x() * goal;
            let end = relax(&mut points, &lengths, Shares::Onward, goal, Vec3::z(), 1e-6, 200);
            assert!(end.residual_len <= 1e-6, "{goal:?}: {end:?}");
        }
    }

    #[test]
    fn weights_say_which_ends_move_and_out_of_reach_is_stretched() {
        let (mut points, lengths) = straight(4);
        let goal = Vec3::new(0.0, 6.0, 0.0);
        let weights = [0.0, 1.0, 1.0, 1.0, 1.0];
        let end =
            relax(&mut points, &lengths, Shares::Weighted(&weights), goal, Vec3::y(), 1e-6, 50);
        assert!(end.stretch_len > 0.05 && points[0] == Vec3::zeros(), "{end:?}");
        let (mut points, lengths) = straight(4);
        let goal = Vec3::new(1.0, 2.0, 0.0);
        let end =
            relax(&mut points, &lengths, Shares::Weighted(&weights), goal, Vec3::y(), 1e-6, 900);
        assert!(end.residual_len <= 1e-6 && end.stretch_len <= 1e-6, "{end:?}");
    }

    #[test]
    fn points_of_no_weight_stay_where_they_are() {
        let weights = [1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0];
        for goal in [Vec3::new(1.0, 2.0, 0.0), Vec3::x() * 3.0] {
            let (mut points, lengths) = straight(6);
            let before = points.clone();
            relax(&mut points, &lengths, Shares::Weighted(&weights), goal, Vec3::y(), 1e-6, 20);
            for held in [0, 2, 6] {
                assert_eq!(points[held], before[held], "{held}, {goal:?}");
            }
        }
    }

    #[test]
    fn degenerate_chains_are_left_alone() {
        let goal = Vec3::new(1.0, 0.0, 0.0);
        for points in [vec![], vec![Vec3::zeros()], vec![Vec3::zeros(); 4]] {
            let mut moved = points.clone();
            let end = relax(&mut moved, &[0.0; 3], Shares::Onward, goal, Vec3::y(), 1e-6, 9);
            assert!(end.residual_len.is_finite());
            assert!(moved.iter().all(|p| p.iter().all(|c| c.is_finite())));
        }
    }
}
