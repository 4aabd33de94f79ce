//! Weighted means of rotations.

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
}
