//! Rotations from directions, and the split of a rotation into swing and twist.

use super::{Quat, Vec3};
use nalgebra::{Matrix3, Quaternion, Rotation3};

/// A unit vector at a right angle to `v`, chosen the same way every time; +X for a zero vector.
pub fn any_perpendicular(v: Vec3) -> Vec3 {
    let abs = v.abs();
    let helper = if abs.x <= abs.y && abs.x <= abs.z {
        Vec3::x()
    } else if abs.y <= abs.z {
        Vec3::y()
    } else {
        Vec3::z()
    };
    v.cross(&helper).try_normalize(1e-300).unwrap_or(Vec3::x())
}

/// The rejection of a vector from a line: its part that is square to it. The line is a unit vector, or zero for all of `v`.
pub fn rejection(v: Vec3, line: Vec3) -> Vec3 {
    v - line * line.dot(&v)
}

/// The smallest rotation that takes the direction of `from` onto the direction of `to`.
///
/// Identity where either has no direction (shorter than 1e-12, or not finite). For opposite
/// directions the axis is [`any_perpendicular`] to `from`.
pub fn rotation_between(from: Vec3, to: Vec3) -> Quat {
    let (from_len, to_len) = (from.norm(), to.norm());
    if from_len <= 1e-12 || to_len <= 1e-12 {
        return Quat::identity();
    }
    let len = from_len * to_len;
    let w = len + from.dot(&to);
    if !w.is_finite() {
        return Quat::identity();
    }
    // Of what is longer the squares would overflow.
    if len > 1e150 {
        return rotation_between(from / from_len, to / to_len);
    }
    if w < NEARLY_OPPOSITE * len {
        return half_turn_between(from / from_len, to / to_len);
    }
    let axis = from.cross(&to);
    let q = Quaternion::new(w, axis.x, axis.y, axis.z);
    // One division instead of four.
    Quat::new_unchecked(q * (1.0 / q.norm()))
}

/// Two directions are nearly opposite where the cosine of their angle is above -1 by less than this. From there on its
/// rounding errors show in the rotation.
const NEARLY_OPPOSITE: f64 = 0.01;

/// The smallest rotation that takes the unit vector `from` onto the nearly opposite unit vector `to`. Their sum is as exact
/// as they are, however short it is, and half its length is the cosine of half the angle.
fn half_turn_between(from: Vec3, to: Vec3) -> Quat {
    let sum = from + to;
    let axis = from.cross(&sum).try_normalize(1e-15).unwrap_or_else(|| any_perpendicular(from));
    let half_cos = 0.5 * sum.norm();
    let imag = axis * (1.0 - half_cos * half_cos).sqrt();
    Quat::new_unchecked(Quaternion::new(half_cos, imag.x, imag.y, imag.z))
}

/// Splits `q` into `(swing, twist)` with `q = swing * twist`, the twist about the unit `axis`.
///
/// A half turn across the axis has no twist of its own; it is all swing.
pub fn swing_twist(q: Quat, axis: Vec3) -> (Quat, Quat) {
    let along = q.imag().dot(&axis);
    let norm = (q.w * q.w + along * along).sqrt();
    if norm < 1e-12 {
        return (q, Quat::identity());
    }
    let v = axis * (along / norm);
    let twist = Quat::new_unchecked(Quaternion::new(q.w / norm, v.x, v.y, v.z));
    (q * twist.inverse(), twist)
}

/// The right-handed frame whose Y lies along `up` and whose X lies as near to `x_hint` as that
/// allows, as the rotation that takes the canonical axes onto it.
///
/// `None` where the two are parallel or one of them has no length.
pub fn frame_from_axes(x_hint: Vec3, up: Vec3) -> Option<Quat> {
    let y = up.try_normalize(1e-12)?;
    let x = rejection(x_hint, y).try_normalize(1e-9 * x_hint.norm().max(1e-300))?;
    let z = x.cross(&y);
    let matrix = Rotation3::from_matrix_unchecked(Matrix3::from_columns(&[x, y, z]));
    let q = Quat::from_rotation_matrix(&matrix);
    q.coords.iter().all(|c| c.is_finite()).then_some(q)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    prop_compose! {
        /// Of any direction, from a length that still has one to one whose square overflows.
        fn long_or_short()(x in -1.0..1.0, y in -1.0..1.0, z in -1.0..1.0, digits in -11.9..140.0) -> Vec3 {
            Vec3::new(x, y, z + 1e-3).normalize() * 10f64.powf(digits)
        }
    }

    proptest! {
        #[test]
        fn the_rotation_between_two_directions_takes_one_onto_the_other(from in long_or_short(), to in long_or_short()) {
            let q = rotation_between(from, to);
            prop_assert!((q.norm() - 1.0).abs() < 1e-15, "{}", q.norm());
            let (from, to) = (from.normalize(), to.normalize());
            prop_assert!((q * from - to).norm() < 1e-14, "{}", (q * from - to).norm());
            // The smallest one has no part about the middle between the two.
            prop_assert!(q.imag().dot(&(from + to)).abs() < 1e-14);
        }

        #[test]
        fn the_rotation_between_nearly_opposite_directions_is_as_exact(
            from in long_or_short(), aside in long_or_short(), digits in -18.0..-1.0
        ) {
            let from = from.normalize();
            let to = -from + aside.normalize() * 10f64.powf(digits);
            let q = rotation_between(from, to);
            prop_assert!((q.norm() - 1.0).abs() < 1e-15, "{}", q.norm());
            let off = (q * from - to.normalize()).norm();
            prop_assert!(off < 1e-14, "{off}");
        }
    }

    #[test]
    fn what_has_no_direction_is_not_turned() {
        let nan = Vec3::new(f64::NAN, 0.0, 1.0);
        for none in [Vec3::zeros(), Vec3::repeat(1e-13), nan, Vec3::repeat(f64::INFINITY)] {
            assert_eq!(rotation_between(none, Vec3::x()), Quat::identity(), "{none}");
            assert_eq!(rotation_between(Vec3::x(), none), Quat::identity(), "{none}");
        }
    }

    #[test]
    fn opposite_directions_are_half_a_turn_apart() {
        for from in [Vec3::x(), Vec3::new(1e-9, 2.0, 3.0), Vec3::new(4e5, 0.0, -1e6)] {
            let q = rotation_between(from, -from);
            assert!((q * from + from).norm() < 1e-14 * from.norm(), "{from}");
        }
    }
}
