//! How much a recording trembles, and how far its points are smoothed for it.

use crate::math::{Vec3, curve, median};

/// The median of minus the product of neighbouring third differences of a point that trembles by 1 along each of
/// three axes, over 45: white noise takes the product to -15 on each axis, and its median lies nearer to 0.
const MEDIAN_OF_WHITE: f64 = 0.757;

/// By how much a point trembles along each axis (standard deviation, length units), as if every frame were off
/// on its own: white noise makes neighbouring third differences point against each other, whatever moves smoothly
/// makes them point the same way and counts as 0.
pub(super) fn tremble(path: &[Vec3]) -> f64 {
    if path.len() < 5 {
        return 0.0;
    }
    let third = |p: &[Vec3]| p[3] - p[2] * 3.0 + p[1] * 3.0 - p[0];
    let against = path.windows(5).map(|p| -third(&p[..4]).dot(&third(&p[1..])));
    (median(against) / 45.0 / MEDIAN_OF_WHITE).max(0.0).sqrt()
}

/// How a point is smoothed.
pub(super) struct Smoothing {
    /// Frames to either side that its places are averaged over; 0 leaves it as it is.
    pub radius: usize,
    /// Frames that its speed is taken over.
    pub reach: usize,
}

impl Smoothing {
    /// The least under which a point that trembles by `tremble` (legs) seems to move at most by `speed` (legs a
    /// second), with speeds taken over `reach` frames at least.
    pub fn new(tremble: f64, reach: usize, speed: f64, frame_time_s: f64) -> Self {
        let mut smoothing = Self { radius: 0, reach };
        while smoothing.seeming_speed(tremble, frame_time_s) > speed
            && smoothing.radius < MOST_RADIUS
        {
            smoothing.radius += 1;
            smoothing.reach = reach.max(2 * smoothing.radius + 1);
        }
        smoothing
    }

    /// Of a point that rests, root of the mean square.
    fn seeming_speed(&self, tremble: f64, frame_time_s: f64) -> f64 {
        tremble * (6.0 / self.averaged()).sqrt() / (self.reach as f64 * frame_time_s)
    }

    /// How many frames' plain mean is as steady.
    pub fn averaged(&self) -> f64 {
        // So many under the bell of `curve::smooth`.
        if self.radius == 0 { 1.0 } else { 1.4 * (self.radius + 1) as f64 }
    }

    pub fn apply(&self, path: &[Vec3]) -> Vec<Vec3> {
        curve::smooth(path, self.radius)
    }
}

/// What trembles so much that more is needed is not a recording of a body.
const MOST_RADIUS: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_smoothly_does_not_tremble() {
        let path = |i: usize| Vec3::new((0.1 * i as f64).sin(), (0.07 * i as f64).cos(), 0.3);
        assert_eq!(tremble(&(0..200).map(path).collect::<Vec<_>>()), 0.0);
        assert_eq!(tremble(&[]), 0.0);
    }
}
