//! Angles about one axis: the angle of a rotation, angles modulo whole turns, and angles in a range.

use super::joint::Range;
use crate::math::{Quat, Vec3};
use nalgebra::Quaternion;
use std::f64::consts::TAU;

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
