//! Chains in the plane: angles instead of rotations, for 2D games and planar linkages.
//!
//! The steps are those of the tree solver with the plane's simpler algebra: a joint turns by the angle between arm and
//! aim, computed as sine and cosine (Juckett 2009) and clamped into its range; chains of two bones have the closed
//! form.

use super::angle::{Range, confine_angle, unwind};
use super::settings::Sweep;
use super::solve::Status;
use nalgebra::{Rotation2, Vector2};
use std::f64::consts::{PI, TAU};

/// A point of the plane.
pub type Vec2 = Vector2<f64>;

/// Bones in a row in the plane, the first one hinged at the base.
///
/// Angles are radians, counter-clockwise: the first bone's against the X axis, each later one's against the bone
/// before.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanarChain {
    base: Vec2,
    lengths: Vec<f64>,
    ranges: Vec<Range>,
}

/// Why bones do not make a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
// Fields are places in the lists that the caller gave.
#[allow(missing_docs)]
pub enum PlanarError {
    /// There is no bone.
    #[error("the chain has no bone")]
    Empty,
    /// The length of a bone is below 0, beyond 1e60, or not a number.
    #[error("bone {bone} has a length that is negative, beyond 1e60, or not a number")]
    Length { bone: usize },
    /// The range of a bone is empty or not a number.
    #[error("the range of bone {bone} is empty or not a number")]
    Range { bone: usize },
    /// The base is not finite.
    #[error("the base is not a point")]
    Base,
}

/// Buffers of a planar solve, owned by the caller and used again.
#[derive(Clone, Debug, Default)]
pub struct PlanarScratch {
    points: Vec<Vec2>,
    /// The best angles before a stuck chain was bent.
    held: Vec<f64>,
}

impl PlanarScratch {
    /// Buffers for a chain; they fit any other, at the cost of growing once.
    pub fn new(chain: &PlanarChain) -> Self {
        let mut scratch = Self::default();
        scratch.fit(chain.len());
        scratch
    }

    fn fit(&mut self, bones: usize) {
        self.points.resize(bones + 1, Vec2::zeros());
        self.held.resize(bones, 0.0);
    }
}

/// The settings of a planar solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarSettings {
    /// Bounces are replaced by [`Sweep::TipToBase`], forward ones by [`Sweep::BaseToTip`], and the order of the largest
    /// error by the former.
    pub sweep: Sweep,
    /// Share of the best rotation that each joint takes, from 0 to 1.9; above 1 overshoots.
    pub factor: f64,
    /// Largest rotation of a joint in one step (radians); infinite for no cap.
    pub max_turn_rad: f64,
    /// The largest number of passes.
    pub max_iterations: u32,
    /// Tolerance of the tip's place as a share of the length of all bones.
    pub tolerance_ratio: f64,
    /// Whether two bones are solved in closed form, and a chain that is stuck is bent.
    pub helps: bool,
}

impl Default for PlanarSettings {
    fn default() -> Self {
        Self {
            sweep: Sweep::Alternating,
            factor: 1.0,
            max_turn_rad: f64::INFINITY,
            max_iterations: 100,
            tolerance_ratio: 1e-3,
            helps: true,
        }
    }
}

/// The result of a planar solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarOutcome {
    /// Whether the tip reached the goal, and if not, why.
    pub status: Status,
    /// Passes over the chain.
    pub iterations: u32,
    /// Distance between tip and goal, length units; infinite for a goal that is not a number.
    pub residual_len: f64,
}

impl PlanarChain {
    /// Bones of these lengths, each angle (radians, against the bone before) inside its range; bones without a range
    /// are free, surplus ranges are ignored. `base` is in the same length unit. Refuses an empty list, a length below
    /// 0, an empty range, and what is not a number or beyond 1e60.
    pub fn new(base: Vec2, lengths: &[f64], ranges: &[Range]) -> Result<Self, PlanarError> {
        if lengths.is_empty() {
            return Err(PlanarError::Empty);
        }
        if !base.iter().all(|c| c.abs() <= 1e60) {
            return Err(PlanarError::Base);
        }
        if let Some(bone) = lengths.iter().position(|len| !(0.0..=1e60).contains(len)) {
            return Err(PlanarError::Length { bone });
        }
        let mut all = ranges.to_vec();
        all.resize(lengths.len(), Range::free());
        if let Some(bone) = all.iter().position(|r| !r.is_valid()) {
            return Err(PlanarError::Range { bone });
        }
        Ok(Self { base, lengths: lengths.to_vec(), ranges: all })
    }

    /// The number of bones.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// The ends of all bones, base first, so one more than there are bones; missing angles are zero.
    pub fn points<'a>(&'a self, angles: &'a [f64]) -> impl Iterator<Item = Vec2> + 'a {
        let mut at = self.base;
        let mut heading = 0.0;
        let ends = self.lengths.iter().enumerate().map(move |(i, len)| {
            heading += angles.get(i).copied().unwrap_or(0.0);
            at += Vec2::new(heading.cos(), heading.sin()) * *len;
            at
        });
        std::iter::once(self.base).chain(ends)
    }

    /// Where the last bone ends; missing angles are zero.
    pub fn tip(&self, angles: &[f64]) -> Vec2 {
        self.points(angles).last().unwrap_or(self.base)
    }

    /// Turns the bones so that the tip reaches `goal`, or gets as near as it can; it is never farther than before.
    ///
    /// `angles` has one entry for each bone (radians, against the bone before). An entry that is not a number counts as
    /// zero, and one outside its range is first moved inside; the tip's distance counts from there. Surplus angles are
    /// ignored. With fewer angles than bones, or a goal that is not a number or beyond 1e70, no more is done and the
    /// goal is [out of reach](Status::OutOfReach). It costs at most [`PlanarSettings::max_iterations`] passes over the
    /// bones, and allocates nothing.
    pub fn solve(
        &self,
        angles: &mut [f64],
        goal: Vec2,
        settings: &PlanarSettings,
        scratch: &mut PlanarScratch,
    ) -> PlanarOutcome {
        for (angle, range) in angles.iter_mut().zip(&self.ranges) {
            let finite = if angle.is_finite() { *angle % TAU } else { 0.0 };
            *angle = confine_angle(finite, *range);
        }
        if angles.len() < self.len() || !goal.iter().all(|c| c.abs() <= 1e70) {
            let status = Status::OutOfReach;
            return PlanarOutcome { status, iterations: 0, residual_len: f64::INFINITY };
        }
        scratch.fit(self.len());
        let angles = &mut angles[..self.len()];
        let (stopped, iterations) = self.descend(angles, goal, settings, scratch);
        let residual_len = (self.tip(angles) - goal).norm();
        let status = if residual_len <= self.tolerance_len(settings) {
            Status::Reached
        } else if !stopped {
            Status::Moving
        } else if self.is_out_of_reach(goal, settings) {
            Status::OutOfReach
        } else {
            Status::Stalled
        };
        PlanarOutcome { status, iterations, residual_len }
    }

    fn tolerance_len(&self, settings: &PlanarSettings) -> f64 {
        settings.tolerance_ratio * self.lengths.iter().sum::<f64>()
    }

    fn is_out_of_reach(&self, goal: Vec2, settings: &PlanarSettings) -> bool {
        let total: f64 = self.lengths.iter().sum();
        let longest = self.lengths.iter().copied().fold(0.0, f64::max);
        let (distance, tolerance) = ((goal - self.base).norm(), self.tolerance_len(settings));
        distance > total + tolerance || distance < 2.0 * longest - total - tolerance
    }

    /// Passes until the goal is reached or nothing gains (true) or the iterations run out (false).
    fn descend(
        &self,
        angles: &mut [f64],
        goal: Vec2,
        settings: &PlanarSettings,
        scratch: &mut PlanarScratch,
    ) -> (bool, u32) {
        let tolerance = self.tolerance_len(settings);
        let mut error = (self.tip(angles) - goal).norm();
        let mut held_error = f64::INFINITY;
        let mut iterations = 0;
        let mut stopped = true;
        if settings.helps && self.len() == 2 && error > tolerance && settings.max_iterations > 0 {
            iterations = 1;
            error = self.two_bones(angles, goal, error);
        }
        while error > tolerance {
            stopped = iterations < settings.max_iterations;
            if !stopped {
                break;
            }
            let inwards = match settings.sweep {
                Sweep::BaseToTip | Sweep::BounceForward | Sweep::SmartBounceForward { .. } => false,
                Sweep::Alternating => iterations.is_multiple_of(2),
                Sweep::TipToBase
                | Sweep::Bounce
                | Sweep::SmartBounce { .. }
                | Sweep::LargestError => true,
            };
            let after = if inwards {
                self.tip_to_base(angles, goal, settings, &mut scratch.points)
            } else {
                self.base_to_tip(angles, goal, settings)
            };
            iterations += 1;
            let gain = error - after;
            error = after;
            if error <= tolerance || gain > 1e-4 * tolerance {
                continue;
            }
            let is_nudged = held_error < f64::INFINITY;
            if is_nudged || !settings.helps || self.is_out_of_reach(goal, settings) {
                break;
            }
            (held_error, error) = (error, f64::INFINITY);
            scratch.held.copy_from_slice(angles);
            for (i, (angle, range)) in angles.iter_mut().zip(&self.ranges).enumerate() {
                let sign = if i.is_multiple_of(2) { 1.0 } else { -1.0 };
                *angle = confine_angle(*angle + 0.15 * sign, *range);
            }
        }
        if error > held_error {
            angles.copy_from_slice(&scratch.held);
        }
        (stopped, iterations)
    }

    /// One pass from the tip; returns the remaining distance. The pivots stay until the pass is over.
    fn tip_to_base(
        &self,
        angles: &mut [f64],
        goal: Vec2,
        settings: &PlanarSettings,
        points: &mut [Vec2],
    ) -> f64 {
        for (place, point) in points.iter_mut().zip(self.points(angles)) {
            *place = point;
        }
        let mut tip = points[self.len()];
        for joint in (0..self.len()).rev() {
            let by = self.turn(angles, joint, tip - points[joint], goal - points[joint], settings);
            tip = points[joint] + Rotation2::new(by) * (tip - points[joint]);
        }
        (self.tip(angles) - goal).norm()
    }

    /// One pass from the base; returns the remaining distance. The bones beyond a joint turn with it.
    fn base_to_tip(&self, angles: &mut [f64], goal: Vec2, settings: &PlanarSettings) -> f64 {
        let (mut pivot, mut heading, mut tip) = (self.base, 0.0_f64, self.tip(angles));
        for joint in 0..self.len() {
            let by = self.turn(angles, joint, tip - pivot, goal - pivot, settings);
            tip = pivot + Rotation2::new(by) * (tip - pivot);
            heading += angles[joint];
            pivot += Vec2::new(heading.cos(), heading.sin()) * self.lengths[joint];
        }
        (self.tip(angles) - goal).norm()
    }

    /// One joint's step, which turns its arm onto its aim; returns the rotation.
    fn turn(
        &self,
        angles: &mut [f64],
        joint: usize,
        arm: Vec2,
        aim: Vec2,
        settings: &PlanarSettings,
    ) -> f64 {
        let (even, odd) = (arm.dot(&aim), arm.perp(&aim));
        if even == 0.0 && odd == 0.0 {
            return 0.0;
        }
        let best = odd.atan2(even);
        let range = self.ranges[joint];
        let factor =
            if settings.factor.is_finite() { settings.factor.clamp(0.0, 1.9) } else { 1.0 };
        let cap = if settings.max_turn_rad >= 0.0 { settings.max_turn_rad.min(PI) } else { PI };
        let by = (factor * best).clamp(-cap, cap);
        let angle = unwind(angles[joint], range);
        let gain = |to: f64| even * (to - angle).cos() + odd * (to - angle).sin();
        // The joint turns to its best angle, by the longer way too; otherwise to the end of the range that it meets
        // first.
        let round = unwind(angle + by, range);
        let is_free = range.clamp(round) == round && (round - angle).abs() <= cap;
        let to = if is_free { round } else { range.clamp(angle + by) };
        if gain(to) <= even {
            return 0.0;
        }
        angles[joint] = to;
        to - angle
    }

    /// The closed form, bent to its current side unless only the other side is allowed.
    fn two_bones(&self, angles: &mut [f64], goal: Vec2, error: f64) -> f64 {
        let (a, b) = (self.lengths[0], self.lengths[1]);
        let aim = goal - self.base;
        let cosine = (aim.norm_squared() - a * a - b * b) / (2.0 * a * b);
        if !cosine.is_finite() {
            return error;
        }
        let bend = cosine.clamp(-1.0, 1.0).acos();
        let side = if angles[1] < 0.0 { -1.0 } else { 1.0 };
        let given = [angles[0], angles[1]];
        for elbow in [side * bend, -side * bend] {
            let heading = aim.y.atan2(aim.x);
            let inside = (b * elbow.sin()).atan2(a + b * elbow.cos());
            angles[0] = confine_angle(heading - inside, self.ranges[0]);
            angles[1] = confine_angle(elbow, self.ranges[1]);
            let found = (self.tip(angles) - goal).norm();
            let is_whole = (angles[1] - elbow).abs() < 1e-9;
            if is_whole && found < error {
                return found;
            }
        }
        angles[..2].copy_from_slice(&given);
        error
    }
}
