//! Arctangents in degrees, several at once: what Euler angles take from quaternions.

use std::f64::consts::FRAC_1_SQRT_2;

/// Angle of each point `(x, y)` from the X axis in degrees, from -180 to 180; 0 for the origin.
///
/// Right to two units in the last place, and the same on every machine, which the standard library's
/// function need not be. The loop has no branch and no call, so that the compiler computes several angles at
/// once.
pub(super) fn atan2_deg(y: &[f64], x: &[f64], angles: &mut [f64]) {
    for ((angle, &y), &x) in angles.iter_mut().zip(y).zip(x) {
        let acute = first_quadrant(y.abs(), x.abs());
        *angle = (if x < 0.0 { 180.0 - acute } else { acute }).copysign(y);
    }
}

/// As [`atan2_deg`] for points without a negative coordinate.
pub(super) fn quadrant_deg(y: &[f64], x: &[f64], angles: &mut [f64]) {
    for ((angle, &y), &x) in angles.iter_mut().zip(y).zip(x) {
        *angle = first_quadrant(y, x);
    }
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
            let mut found = [0.0; 2];
            atan2_deg(&[y], &[x], &mut found[..1]);
            quadrant_deg(&[y.abs()], &[x.abs()], &mut found[1..]);
            let truth = [y.atan2(x), y.abs().atan2(x.abs())].map(f64::to_degrees);
            for (found, truth) in found.into_iter().zip(truth) {
                let error = found - truth;
                assert!(error.abs() <= 5e-16 * truth.abs(), "{angle}: off by {error:e}");
            }
        }
    }

    #[test]
    fn whole_eighths_of_a_turn_are_exact() {
        let (y, x) = ([0.0, 1.0, 1.0, 1.0, 0.0, -1.0], [1.0, 1.0, 0.0, -1.0, -1.0, 0.0]);
        let mut found = [0.0; 6];
        atan2_deg(&y, &x, &mut found);
        assert_eq!(found, [0.0, 45.0, 90.0, 135.0, 180.0, -90.0]);
        let mut found = [7.0; 3];
        atan2_deg(&[0.0, 1e-300, 0.0], &[0.0, 0.0, 5e-324], &mut found);
        assert_eq!(found, [0.0, 90.0, 0.0]);
    }
}
