//! The rotation that best maps some directions onto others.

use super::{Quat, Vec3, rejection, rotation_between};
use nalgebra::{Matrix3, Rotation3};

/// The rotation that brings the first vector of each pair nearest to the second, by least squares, so that long
/// vectors count most (Wahba's problem; solved after Kabsch 1976).
///
/// Vectors within `spread` of one line show no roll about it; for these the result is the smallest rotation that takes
/// the longest vector onto its partner. Identity for no vectors, or none with length.
pub fn fit_directions(pairs: &[(Vec3, Vec3)], spread: f64) -> Quat {
    let Some(&(main, main_goal)) =
        pairs.iter().max_by(|a, b| a.0.norm_squared().total_cmp(&b.0.norm_squared()))
    else {
        return Quat::identity();
    };
    let aside = |v: Vec3, line: Vec3| {
        line.try_normalize(1e-12).map_or(0.0, |line| rejection(v, line).norm())
    };
    let widest = |f: &dyn Fn(&(Vec3, Vec3)) -> f64| pairs.iter().map(f).fold(0.0, f64::max);
    let shown = widest(&|pair| aside(pair.0, main)).min(widest(&|pair| aside(pair.1, main_goal)));
    if shown.is_nan() || shown <= spread {
        return rotation_between(main, main_goal);
    }
    let covariance: Matrix3<f64> = pairs.iter().map(|(from, to)| to * from.transpose()).sum();
    let Some(svd) = covariance.try_svd(true, true, 1e-15, 100) else {
        return rotation_between(main, main_goal);
    };
    let (Some(u), Some(v_t)) = (svd.u, svd.v_t) else { return rotation_between(main, main_goal) };
    // Singular values come sorted: a mirror would be cheapest along the last.
    let sign = (u.determinant() * v_t.determinant()).signum();
    let proper = u * Matrix3::from_diagonal(&Vec3::new(1.0, 1.0, sign)) * v_t;
    let mut fit = Quat::from_rotation_matrix(&Rotation3::from_matrix_unchecked(proper));
    fit.renormalize();
    if fit.coords.iter().all(|c| c.is_finite()) { fit } else { rotation_between(main, main_goal) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(turn: Quat, vectors: &[Vec3]) -> Vec<(Vec3, Vec3)> {
        vectors.iter().map(|v| (*v, turn * v)).collect()
    }

    #[test]
    fn two_directions_show_the_whole_turn() {
        for turn in
            [Quat::from_euler_angles(0.3, -2.0, 1.1), Quat::from_euler_angles(3.0, 0.0, 0.1)]
        {
            let vectors = [Vec3::new(0.2, 1.0, 0.0), Vec3::new(-0.3, -0.1, 0.4)];
            assert!(fit_directions(&pairs(turn, &vectors), 1e-3).angle_to(&turn) < 1e-9);
        }
    }

    #[test]
    fn one_line_is_turned_the_short_way() {
        let turn = Quat::from_axis_angle(&Vec3::z_axis(), 0.7);
        let twisted = turn * Quat::from_axis_angle(&Vec3::x_axis(), 1.0);
        let vectors = [Vec3::x(), -0.5 * Vec3::x()];
        assert!(fit_directions(&pairs(twisted, &vectors), 1e-3).angle_to(&turn) < 1e-9);
        assert_eq!(fit_directions(&[], 1e-3), Quat::identity());
    }

    #[test]
    fn a_mirrored_body_is_not_mirrored_back() {
        let vectors = [Vec3::x(), 2.0 * Vec3::y(), 3.0 * Vec3::z()];
        let mirrored: Vec<_> = vectors.iter().map(|v| (*v, Vec3::new(-v.x, v.y, v.z))).collect();
        let fit = fit_directions(&mirrored, 1e-3);
        assert!((fit.to_rotation_matrix().matrix().determinant() - 1.0).abs() < 1e-9);
    }
}
