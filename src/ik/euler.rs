//! The angles of a per-axis joint: which of a rotation's triples of angles its ranges allow.
//!
//! Every rotation has two triples of angles, (a, b, c) and (a + π, π − b, c + π), and at gimbal lock infinitely many,
//! of which only the sum or the difference of the outer angles is determined. A joint with fewer axes is one whose
//! missing axes have a range of zero width.

use super::angle::{Range, confine_angle, unwind};
use crate::math::{Axis, EulerOrder, Quat};
use std::f64::consts::PI;

/// If the joint is nearer to gimbal lock than this, the outer angles are searched for a pair that the ranges allow.
const LOCK_RAD: f64 = 1e-6;
/// An excess over a range that rounding alone makes.
const ROUNDING_RAD: f64 = 1e-9;

/// The angles (listed order, radians) of a rotation about a joint's axes, zero for the axes that it lacks; of all
/// triples the one that exceeds the ranges least.
pub(super) fn euler_angles(order: EulerOrder, ranges: [Range; 3], motion: Quat) -> [f64; 3] {
    let (_, mut angles) = read(order, ranges, motion);
    angles[order.axes().len()..].fill(0.0);
    angles
}

/// By how much the least exceeding angles of a rotation are outside the ranges, including the axes that the joint
/// lacks.
pub(super) fn euler_excess(order: EulerOrder, ranges: [Range; 3], motion: Quat) -> f64 {
    read(order, ranges, motion).0
}

/// The excess of the least exceeding angles, and these angles about all three axes.
fn read(order: EulerOrder, ranges: [Range; 3], motion: Quat) -> (f64, [f64; 3]) {
    let count = order.axes().len();
    if count == 1 {
        let angles = order.decompose(motion, ranges.map(|r| r.middle()));
        return (excess(&angles[..1], &ranges[..1]), angles);
    }
    let whole = whole(order);
    let range = |i: usize| if i < count { ranges[i] } else { Range::new(0.0, 0.0) };
    let ranges = [range(0), range(1), range(2)];
    let one = whole.decompose(motion, ranges.map(|r| r.middle()));
    let mut best = (excess(&one, &ranges), one);
    let mut consider = |angles: [f64; 3]| {
        for angles in [angles, [angles[0] + PI, PI - angles[1], angles[2] + PI]] {
            let excess = excess(&angles, &ranges);
            if excess < best.0 {
                best = (excess, angles);
            }
        }
    };
    consider(one);
    if one[1].cos().abs() < LOCK_RAD {
        // The last angle compensates for a change of the first, in one direction or the other.
        for end in [ranges[2].min, ranges[2].max].into_iter().filter(|end| end.is_finite()) {
            for way in [one[2] - end, end - one[2]] {
                let first = confine_angle(one[0] + way, ranges[0]);
                consider(whole.decompose(motion, [first, one[1], end]));
            }
        }
    }
    best
}

/// The order with its missing axis added at the end.
fn whole(order: EulerOrder) -> EulerOrder {
    let [a, b] = *order.axes() else { return order };
    let wholes = [Axis::X, Axis::Y, Axis::Z].map(|c| EulerOrder::new(&[a, b, c]));
    wholes.into_iter().flatten().next().unwrap_or(order)
}

/// The sum of the angles' distances from their ranges; 0 if it is rounding only.
fn excess(angles: &[f64], ranges: &[Range]) -> f64 {
    let each = angles.iter().zip(ranges).map(|(&angle, &range)| {
        if range.is_free() {
            0.0
        } else {
            (unwind(angle, range) - confine_angle(angle, range)).abs()
        }
    });
    each.filter(|e| *e > ROUNDING_RAD).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    fn allows(angles: [f64; 3], ranges: [Range; 3]) -> bool {
        excess(&angles, &ranges) == 0.0
    }

    #[test]
    fn of_two_triples_the_allowed_one_is_found() {
        let order = EulerOrder::new(&[Axis::Z, Axis::X, Axis::Y]).unwrap();
        let free = Range::free();
        for ranges in [
            [free, Range::new(-2.5, -0.8), Range::new(-1.3, 1.0)],
            [free, Range::new(-2.5, -1.7), free],
            [Range::new(0.5, 3.0), free, Range::new(2.0, 4.0)],
        ] {
            for i in 0..200 {
                let share = |k: f64| 0.5 + 0.5 * (f64::from(i) * k).sin();
                let wanted: [f64; 3] = std::array::from_fn(|a| {
                    let range = if ranges[a].is_free() { Range::new(-3.0, 3.0) } else { ranges[a] };
                    range.min + (range.max - range.min) * share(0.7 + a as f64)
                });
                let motion = order.compose(wanted);
                let found = euler_angles(order, ranges, motion);
                assert!(allows(found, ranges), "{wanted:?} read as {found:?} in {ranges:?}");
                assert!(order.compose(found).angle_to(&motion) < 1e-7);
            }
        }
    }

    #[test]
    fn at_gimbal_lock_the_outer_angles_share_within_their_ranges() {
        let outer = [Range::new(-0.2, 2.0), Range::new(0.4, 1.0)];
        for axes in [[Axis::X, Axis::Y, Axis::Z], [Axis::Z, Axis::Y, Axis::X]] {
            let order = EulerOrder::new(&axes).unwrap();
            for second in [-FRAC_PI_2, FRAC_PI_2] {
                let ranges = [outer[0], Range::new(-FRAC_PI_2, FRAC_PI_2), outer[1]];
                for (first, third) in [(-0.2, 0.4), (-0.2, 1.0), (2.0, 0.4), (2.0, 1.0), (0.3, 0.9)]
                {
                    let motion = order.compose([first, second, third]);
                    let found = euler_angles(order, ranges, motion);
                    assert!(allows(found, ranges), "{first} {second} {third} read as {found:?}");
                    assert!(order.compose(found).angle_to(&motion) < 1e-7);
                }
            }
            let two = EulerOrder::new(&axes[..2]).unwrap();
            let found = euler_angles(two, [Range::free(); 3], two.compose([0.7, FRAC_PI_2, 0.0]));
            assert!((found[0] - 0.7).abs() < 1e-7, "{found:?}");
        }
    }

    #[test]
    fn at_gimbal_lock_an_axis_that_a_joint_lacks_takes_nothing_up() {
        let two = EulerOrder::new(&[Axis::Z, Axis::Y]).unwrap();
        let window = Range::new(-1.5, -1.3);
        let ranges = [window, Range::new(-FRAC_PI_2, FRAC_PI_2), Range::free()];
        for second in [-FRAC_PI_2, FRAC_PI_2] {
            let excess = |first: f64| euler_excess(two, ranges, two.compose([first, second, 0.0]));
            assert_eq!(excess(-1.4), 0.0);
            assert!((excess(0.2) - 1.5).abs() < 1e-7, "{}", excess(0.2));
        }
    }
}
