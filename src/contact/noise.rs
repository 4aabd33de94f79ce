//! How much noise the path of a point has, and over how many frames it is smoothed for that.

use crate::math::{Vec3, curve, median};

/// For white noise with a standard deviation of 1 along each of three axes, the product of neighbouring third
/// differences has the mean -45, 15 for each axis. Its median is nearer to 0, by this factor.
const MEDIAN_OF_WHITE: f64 = 0.757;

/// The noise of a path along each axis: a standard deviation, length units, with every frame off independently of the
/// others. Such noise makes neighbouring third differences point against each other. A smooth motion makes them point
/// the same way, so it counts as 0.
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
    /// Over how many frames to either side positions are averaged; 0 leaves the path as it is.
    pub radius: usize,
    /// Over how many frames speeds are measured.
    pub reach: usize,
}

impl Smoothing {
    /// The least smoothing with which a resting point whose noise is `tremble` (leg lengths) seems to move no faster than
    /// `speed` (leg lengths a second). Speeds are measured over at least `reach` frames.
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

    /// How fast a resting point seems to move, the root of the mean square, leg lengths a second.
    fn seeming_speed(&self, tremble: f64, frame_time_s: f64) -> f64 {
        tremble * (6.0 / self.averaged()).sqrt() / (self.reach as f64 * frame_time_s)
    }

    /// Over how many frames a plain mean would leave as little noise.
    pub fn averaged(&self) -> f64 {
        // 1.4 for each frame under the bell of `curve::smooth`.
        if self.radius == 0 { 1.0 } else { 1.4 * (self.radius + 1) as f64 }
    }

    pub fn apply(&self, path: &[Vec3]) -> Vec<Vec3> {
        curve::smooth(path, self.radius)
    }
}

/// The most that a path is smoothed. One with so much noise that it needs more is no recording of a body.
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
