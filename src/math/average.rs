//! Weighted means and medians of rotations.

use super::Quat;
use nalgebra::{Quaternion, UnitQuaternion};

/// The weighted mean of rotations that lie near one another: the normalised sum of the quaternions,
/// each with the sign that lies nearest to the first. Identity for no rotations.
///
/// Right to second order in the spread (Gramkow 2001); exact where all are equal.
pub fn mean_rotation(weighted: impl IntoIterator<Item = (Quat, f64)>) -> Quat {
    let mut sum = Quaternion::new(0.0, 0.0, 0.0, 0.0);
    let mut first: Option<Quat> = None;
    for (rotation, weight) in weighted {
        let reference = *first.get_or_insert(rotation);
        let sign = if reference.coords.dot(&rotation.coords) < 0.0 { -1.0 } else { 1.0 };
        sum.coords += rotation.coords * (sign * weight);
    }
    UnitQuaternion::try_new(sum, 1e-12).or(first).unwrap_or_else(Quat::identity)
}

/// The weighted median of rotations: the rotation with the least sum of distances to all of them. A minority of them
/// hardly moves it. Identity for no rotations.
///
/// Weiszfeld's iteration from the mean over chords of the sphere of quaternions (after Hartley, Aftab
/// and Trumpf 2011), 16 rounds: within a thousandth of a radian where two thirds are one rotation.
pub fn median_rotation(weighted: &[(Quat, f64)]) -> Quat {
    /// A smaller distance counts as this one, so that no rotation stops the search.
    const NEAREST: f64 = 1e-4;
    let mut median = mean_rotation(weighted.iter().copied());
    for _ in 0..16 {
        let weighed = weighted.iter().map(|&(rotation, weight)| {
            let sign = if median.coords.dot(&rotation.coords) < 0.0 { -1.0 } else { 1.0 };
            let chord = (rotation.coords * sign - median.coords).norm();
            let quat = Quat::new_unchecked(Quaternion::from(rotation.coords * sign));
            (quat, weight / chord.max(NEAREST))
        });
        median = mean_rotation(weighed);
    }
    median
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    #[test]
    fn the_mean_of_two_turns_is_the_turn_between_whatever_their_signs() {
        let a = Quat::from_axis_angle(&Vec3::y_axis(), 0.2);
        let b = Quat::from_axis_angle(&Vec3::y_axis(), 0.6);
        let negative = Quat::new_unchecked(-b.into_inner());
        let middle = Quat::from_axis_angle(&Vec3::y_axis(), 0.4);
        for b in [b, negative] {
            assert!(mean_rotation([(a, 1.0), (b, 1.0)]).angle_to(&middle) < 1e-12);
        }
        assert_eq!(mean_rotation([]), Quat::identity());
    }

    #[test]
    fn the_median_stays_with_the_greater_part_whatever_the_rest_does() {
        let common = Quat::from_euler_angles(0.3, -0.2, 0.1);
        let aside = Quat::from_axis_angle(&Vec3::y_axis(), 1.4) * common;
        let mut all = vec![(aside, 1.0), (aside, 1.0)];
        all.extend([(common, 1.0), (Quat::new_unchecked(-common.into_inner()), 3.0)]);
        assert!(median_rotation(&all).angle_to(&common) < 1e-3);
        assert!(mean_rotation(all).angle_to(&common) > 0.2);
        assert_eq!(median_rotation(&[]), Quat::identity());
    }
}
