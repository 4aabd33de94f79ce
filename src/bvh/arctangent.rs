//! Arctangents in degrees, several at once: what Euler angles take from quaternions.

use std::array;
use std::f64::consts::FRAC_1_SQRT_2;

/// Angle of each point `(x, y)` from the X axis in degrees, from -180 to 180; 0 for the origin.
///
/// Right to two units in the last place, and the same on every machine, which the standard library's
/// function need not be. Nothing branches or calls, so that the compiler computes several at once.
#[inline(always)]
pub(super) fn atan2_deg<const N: usize>(y: [f64; N], x: [f64; N]) -> [f64; N] {
    array::from_fn(|i| {
        let angle = first_quadrant(y[i].abs(), x[i].abs());
        (if x[i] < 0.0 { 180.0 - angle } else { angle }).copysign(y[i])
    })
}

/// As [`atan2_deg`] for points without a negative coordinate.
#[inline(always)]
pub(super) fn quadrant_deg<const N: usize>(y: [f64; N], x: [f64; N]) -> [f64; N] {
    array::from_fn(|i| first_quadrant(y[i], x[i]))
}

#[inline(always)]
fn first_quadrant(y: f64, x: f64) -> f64 {
    // tan 22.5°, beyond which the point is first turned back by 45°.
    const EIGHTH: f64 = 2.0 * FRAC_1_SQRT_2 - 1.0;
    let is_steep = y > x;
    let (low, high) = if is_steep { (x, y) } else { (y, x) };
    let is_far = low > EIGHTH * high;
    let (over, under) = if is_far { (low - high, low + high) } else { (low, high) };
    let turned = if is_far { 45.0 } else { 0.0 };
    let angle = turned + arctangent(over / under.max(f64::MIN_POSITIVE)).to_degrees();
    if is_steep { 90.0 - angle } else { angle }
}

/// Arctangent of at most tan 22.5°, in radians: the minimax polynomial of fdlibm's `s_atan.c`.
#[inline(always)]
fn arctangent(t: f64) -> f64 {
    let z = t * t;
    let w = z * z;
    let even = 3.333_333_333_333_293e-1
        + w * (1.428_571_427_250_346_6e-1
            + w * (9.090_887_133_436_507e-2
                + w * (6.661_073_137_387_531e-2
                    + w * (4.976_877_994_615_932e-2 + w * 1.628_582_011_536_578_2e-2))));
    let odd = -1.999_999_999_987_648_3e-1
        + w * (-1.111_111_040_546_235_6e-1
            + w * (-7.691_876_205_044_83e-2
                + w * (-5.833_570_133_790_573_5e-2 + w * -3.653_157_274_421_691_6e-2)));
    t - t * z * (even + z * odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_angle_is_right_to_two_units_in_the_last_place() {
        for i in -720_000..720_000 {
            let angle = f64::from(i) * 0.000_25 + 1e-7;
            let size = 10f64.powi(i % 40);
            let (y, x) = angle.to_radians().sin_cos();
            let (y, x) = (size * y, size * x);
            let ([found], truth) = (atan2_deg([y], [x]), y.atan2(x).to_degrees());
            assert!(
                (found - truth).abs() <= 5e-16 * truth.abs(),
                "{angle}: off by {:e}",
                found - truth
            );
            let [quadrant] = quadrant_deg([y.abs()], [x.abs()]);
            let truth = y.abs().atan2(x.abs()).to_degrees();
            assert!(
                (quadrant - truth).abs() <= 5e-16 * truth,
                "{angle}: off by {:e}",
                quadrant - truth
            );
        }
    }

    #[test]
    fn whole_eighths_of_a_turn_are_exact() {
        let eighths = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (1.0, -1.0), (0.0, -1.0), (-1.0, 0.0)];
        let found = atan2_deg(eighths.map(|(y, _)| y), eighths.map(|(_, x)| x));
        assert_eq!(found, [0.0, 45.0, 90.0, 135.0, 180.0, -90.0]);
        assert_eq!(atan2_deg([0.0, 1e-300, 0.0], [0.0, 0.0, 5e-324]), [0.0, 90.0, 0.0]);
    }
}
