//! The pull of effectors on a joint, and the rotation that serves them best.
//!
//! Each effector pulls an arm `a` (joint to effector) onto an aim `b` (joint to goal). The sum of weighted squared
//! distances falls exactly as Σ w b·(R a) grows, so a joint's best rotation about an axis has a closed form of dot and
//! cross products (Wang & Chen 1991). With one pair it is the classic step: the rotation that takes the direction of
//! `a` onto that of `b`. An orientation adds three pairs, the axes of the link and those of the goal.

use crate::math::{Quat, Vec3, any_perpendicular};
use nalgebra::{Matrix3, Quaternion};

/// The pairs that pull on one joint, seen from its pivot, in the world.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pull {
    One {
        arm: Vec3,
        aim: Vec3,
    },
    /// `profile` is Σ w b aᵀ; `gap` is Σ w (b − a) and `weight` Σ w over positions, for slides.
    Many {
        profile: Matrix3<f64>,
        gap: Vec3,
        weight: f64,
    },
}

/// Directions that differ by less than this, as a sine, count as parallel.
const PARALLEL: f64 = 1e-15;
/// Directions that are opposite to within this, as a sine, count as opposite: so small a difference does not determine
/// the axis.
const OPPOSITE: f64 = 1e-9;

impl Pull {
    pub fn none() -> Self {
        Pull::Many { profile: Matrix3::zeros(), gap: Vec3::zeros(), weight: 0.0 }
    }

    pub fn add_position(&mut self, arm: Vec3, aim: Vec3, w: f64) {
        if let Pull::Many { profile, gap, weight } = self {
            *profile += (aim * w) * arm.transpose();
            *gap += (aim - arm) * w;
            *weight += w;
        }
    }

    /// The three axis pairs of an orientation, from the rotation that is still missing.
    pub fn add_orientation(&mut self, missing: Quat, w: f64) {
        if let Pull::Many { profile, .. } = self {
            *profile += missing.to_rotation_matrix().matrix() * w;
        }
    }

    /// Σ w a × b: the axis of steepest gain.
    fn torque(&self) -> Vec3 {
        match self {
            Pull::One { arm, aim } => arm.cross(aim),
            Pull::Many { profile: m, .. } => {
                Vec3::new(m[(2, 1)] - m[(1, 2)], m[(0, 2)] - m[(2, 0)], m[(1, 0)] - m[(0, 1)])
            }
        }
    }

    /// The gain of a rotation by φ about a unit axis is `even · cos φ + odd · sin φ` and a constant.
    pub fn about(&self, axis: Vec3) -> (f64, f64) {
        match self {
            Pull::One { arm, aim } => {
                (arm.dot(aim) - arm.dot(&axis) * aim.dot(&axis), axis.dot(&arm.cross(aim)))
            }
            Pull::Many { profile, .. } => {
                (profile.trace() - axis.dot(&(profile * axis)), axis.dot(&self.torque()))
            }
        }
    }

    /// Σ w b·(R a) after a turn.
    pub fn value(&self, turn: Quat) -> f64 {
        match self {
            Pull::One { arm, aim } => aim.dot(&(turn * arm)),
            Pull::Many { profile, .. } => turn.to_rotation_matrix().matrix().dot(profile),
        }
    }

    /// The same pull on rotations, and only this share of it on slides.
    pub fn fade_slides(&mut self, share: f64) {
        if let Pull::Many { gap, .. } = self {
            *gap *= share;
        }
    }

    /// The same pull after the arms have turned.
    pub fn turned(&self, turn: Quat) -> Self {
        match *self {
            Pull::One { arm, aim } => Pull::One { arm: turn * arm, aim },
            Pull::Many { profile, gap, weight } => {
                let profile = profile * turn.to_rotation_matrix().matrix().transpose();
                Pull::Many { profile, gap, weight }
            }
        }
    }

    /// The slide along a unit axis that serves best.
    pub fn slide(&self, axis: Vec3) -> f64 {
        match self {
            Pull::One { arm, aim } => axis.dot(&(aim - arm)),
            Pull::Many { gap, weight, .. } if *weight > 0.0 => axis.dot(gap) / weight,
            Pull::Many { .. } => 0.0,
        }
    }

    /// The best rotation of a ball joint about the axis of steepest gain; `None` if no rotation gains.
    ///
    /// If arm and aim are opposite, the axis is chosen in the link's own frame (`world` is its rotation), so that the
    /// choice turns with the world.
    #[inline]
    pub fn best_turn(&self, world: Quat) -> Option<Quat> {
        if let Pull::One { arm, aim } = self {
            let (arm, aim) = (*arm, *aim);
            return swing(arm, aim).or_else(|| {
                let axis = world * any_perpendicular(world.inverse() * arm);
                (arm.dot(&aim) < 0.0).then(|| quaternion(0.0, axis))
            });
        }
        let torque = self.torque();
        let odd = torque.norm();
        let size = self.size();
        if odd > PARALLEL * size {
            let axis = torque / odd;
            let (even, odd) = self.about(axis);
            return half_turn_free(even, odd, axis);
        }
        // At a balance only a half turn can gain, about the link's own axis with the largest gain.
        let axes = [Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| world * axis);
        let mut best = (-1e-9 * size, None);
        for axis in axes {
            let (even, _) = self.about(axis);
            if even < best.0 {
                best = (even, Some(axis));
            }
        }
        best.1.map(|axis| quaternion(0.0, axis))
    }

    /// The axis of steepest gain and the gain of rotations about it, as [`about`](Self::about) returns it; `None` at a
    /// balance.
    pub fn steepest(&self) -> Option<(Vec3, f64, f64)> {
        let torque = self.torque();
        let odd = torque.norm();
        let axis = torque / odd;
        // A torque that is too small to have a direction counts as none.
        (odd > PARALLEL * self.size()).then(|| (axis, self.about(axis).0, odd))
    }

    /// The scale of [`value`](Self::value).
    pub fn size(&self) -> f64 {
        match self {
            Pull::One { arm, aim } => arm.norm() * aim.norm(),
            Pull::Many { profile, .. } => profile.norm(),
        }
    }
}

/// The turn that takes the direction of `arm` onto that of `aim`; `None` where they are parallel.
#[inline(always)]
pub(super) fn swing(arm: Vec3, aim: Vec3) -> Option<Quat> {
    let torque = arm.cross(&aim);
    let (odd_squared, even) = (torque.norm_squared(), arm.dot(&aim));
    let both_squared = odd_squared + even * even;
    let least = if even > 0.0 { PARALLEL } else { OPPOSITE };
    (odd_squared > least * least * both_squared)
        .then(|| quaternion(both_squared.sqrt() + even, torque))
}

/// The turn about a unit axis that makes `even · cos + odd · sin` largest.
fn half_turn_free(even: f64, odd: f64, axis: Vec3) -> Option<Quat> {
    let both = even.hypot_fast(odd);
    if both == 0.0 {
        return None;
    }
    if both + even > 1e-14 * both {
        Some(quaternion(both + even, axis * odd))
    } else {
        Some(quaternion(0.0, axis))
    }
}

/// As [`half_turn_free`], as cosine and sine of the half angle.
pub(super) fn half_angle(even: f64, odd: f64) -> Option<(f64, f64)> {
    let both = even.hypot_fast(odd);
    if both == 0.0 {
        return None;
    }
    let w = both + even;
    if w <= 1e-14 * both {
        return Some((0.0, 1.0));
    }
    let norm = w.hypot_fast(odd);
    Some((w / norm, odd / norm))
}

#[inline(always)]
fn quaternion(w: f64, v: Vec3) -> Quat {
    let inverse = 1.0 / (w * w + v.norm_squared()).sqrt();
    Quat::new_unchecked(Quaternion::new(w * inverse, v.x * inverse, v.y * inverse, v.z * inverse))
}

/// `hypot` without protection against overflow and underflow, which bounded lengths do not need.
trait Hypot {
    fn hypot_fast(self, other: f64) -> f64;
}

impl Hypot for f64 {
    #[inline(always)]
    fn hypot_fast(self, other: f64) -> f64 {
        (self * self + other * other).sqrt()
    }
}
