//! Angles about one axis: the angle of a rotation, angles modulo whole turns, and angles in a range; what is wrong with
//! the ranges and axes of a joint.

use crate::math::{Quat, Vec3};
use nalgebra::Quaternion;
use std::f64::consts::TAU;

/// An interval of angles (radians) or of slides (length units), ends inclusive; either end may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
}

impl Range {
    /// The interval from `min` to `max`. Joints and chains refuse it where `min` is above `max` or one is not a number.
    pub const fn new(min: f64, max: f64) -> Self {
        Self { min, max }
    }

    /// No bound at either end.
    pub const fn free() -> Self {
        Self { min: f64::NEG_INFINITY, max: f64::INFINITY }
    }

    /// The nearest value inside.
    pub fn clamp(&self, value: f64) -> f64 {
        value.max(self.min).min(self.max)
    }

    /// Whether the interval bounds nothing.
    pub fn is_free(&self) -> bool {
        self.min == f64::NEG_INFINITY && self.max == f64::INFINITY
    }

    /// The middle of the interval, or the value nearest to zero if an end is infinite.
    pub fn middle(&self) -> f64 {
        if self.min.is_finite() && self.max.is_finite() {
            0.5 * (self.min + self.max)
        } else {
            self.clamp(0.0)
        }
    }

    pub(super) fn is_valid(&self) -> bool {
        self.min <= self.max && self.min < f64::INFINITY && self.max > f64::NEG_INFINITY
    }
}

/// What is wrong with a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JointError {
    /// An axis has no direction, or the swing axis of a cone lies along its twist axis.
    #[error("an axis has no direction")]
    Axis,
    /// A range is empty or not a number.
    #[error("a range is empty or not a number")]
    Range,
    /// The opening of a cone is not between 0 and π radians.
    #[error("a cone's opening must lie between 0 and π radians")]
    Cone,
    /// A weight is not between 0 and 1, or a window or comfort is below 0 or not a number.
    #[error("weight must lie between 0 and 1, window and comfort at or above 0")]
    Weight,
    /// The rest rotation is not a unit quaternion, or not a number.
    #[error("the rest rotation is not a number")]
    Rest,
    /// An Euler joint has no axis.
    #[error("an Euler joint needs at least one axis")]
    NoAxis,
}

/// The angle moved by whole turns to within half a turn of the range's middle.
pub(crate) fn unwind(angle: f64, range: Range) -> f64 {
    let middle = range.middle();
    angle - TAU * ((angle - middle) / TAU).round()
}

/// The nearest angle inside the range, by the shorter way.
pub(super) fn confine_angle(angle: f64, range: Range) -> f64 {
    if range.is_free() { angle } else { range.clamp(unwind(angle, range)) }
}

/// Angle of the part of a rotation about `axis`.
pub(super) fn hinge_angle(motion: Quat, axis: Vec3) -> f64 {
    2.0 * motion.imag().dot(&axis).atan2(motion.w)
}

/// The rotation about a unit axis.
pub(super) fn about(axis: Vec3, angle: f64) -> Quat {
    let (sin, cos) = (0.5 * angle).sin_cos();
    let v = axis * sin;
    Quat::new_unchecked(Quaternion::new(cos, v.x, v.y, v.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_angle_beyond_its_range_returns_the_shorter_way() {
        let range = Range::new(-1.0, 2.0);
        assert_eq!(confine_angle(2.5, range), 2.0);
        assert_eq!(confine_angle(-2.0, range), -1.0);
        assert_eq!(confine_angle(-2.0 + TAU, range), -1.0);
        assert_eq!(confine_angle(-3.0, range), 2.0);
        assert!((confine_angle(1.0 - TAU, range) - 1.0).abs() < 1e-12);
    }
}
