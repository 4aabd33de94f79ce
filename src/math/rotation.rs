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
    let (Some(from), Some(to)) = (from.try_normalize(1e-12), to.try_normalize(1e-12)) else {
        return Quat::identity();
    };
    let w = 1.0 + from.dot(&to);
    if !w.is_finite() {
        return Quat::identity();
    }
    if w < 1e-14 {
        let axis = any_perpendicular(from);
        return Quat::new_unchecked(Quaternion::new(0.0, axis.x, axis.y, axis.z));
    }
    let axis = from.cross(&to);
    Quat::new_normalize(Quaternion::new(w, axis.x, axis.y, axis.z))
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
