//! A point of the body over a clip, in legs: how high it is and how fast.

use super::interval::{Interval, Measure, with_hysteresis};
use super::noise::{Smoothing, tremble};
use crate::math::Vec3;
use std::borrow::Cow;
use std::ops::Range;

/// One point over time.
pub(super) struct Point<'a> {
    /// Source world, length units; a path with noise is smoothed a little.
    pub path: Cow<'a, [Vec3]>,
    /// The noise of that path along each axis, a standard deviation, leg lengths.
    pub tremble: f64,
    /// By how many frames smoothing may have moved the ends of a slow stretch; 0 for a path that is not smoothed.
    pub vague: usize,
    /// The point's height in each frame, less its height over the floor while it stands, leg lengths.
    pub heights: Vec<f64>,
    /// Leg lengths a second.
    pub speeds: Vec<f64>,
    pub by: Measure<'a>,
}

impl<'a> Point<'a> {
    /// `own` is the point's height over the floor while it stands, length units.
    pub fn new(path: &'a [Vec3], own: f64, by: Measure<'a>) -> Self {
        let Measure { rig, frame_time_s, settings } = by;
        let tremble = tremble(path) / rig.leg_len;
        let reach = ((settings.speed_window_s / frame_time_s) as usize).max(1);
        let smoothing = Smoothing::new(tremble, reach, settings.seeming_speed, frame_time_s);
        let smoothed = smoothing.apply(path);
        let heights = smoothed.iter().map(|p| (rig.up.height(*p) - own) / rig.leg_len).collect();
        let mut speeds = speeds(&smoothed, frame_time_s, smoothing.reach);
        speeds.iter_mut().for_each(|speed| *speed /= rig.leg_len);
        if smoothing.radius == 0 {
            return Self { path: path.into(), tremble, vague: 0, heights, speeds, by };
        }
        let little = (settings.edge_window_s / frame_time_s / 2.0).round() as usize;
        let little = Smoothing { radius: little.min(smoothing.radius), ..smoothing };
        let tremble = tremble / little.averaged().sqrt();
        let path = little.apply(path).into();
        Self { path, tremble, vague: smoothing.reach, heights, speeds, by }
    }

    /// Stretches of slow frames, with hysteresis, whatever the height.
    pub fn slow(&self) -> Vec<Range<usize>> {
        let settings = self.by.settings;
        let enter = |i: usize| self.speeds[i] < settings.enter_speed;
        let leave = |i: usize| self.speeds[i] > settings.leave_speed;
        with_hysteresis(0..self.speeds.len(), enter, leave)
    }

    /// The frames of a slow stretch near a floor of the given height (length units); `enter` and `leave` are
    /// how far from it, leg lengths.
    pub fn near(&self, slow: &Range<usize>, floor: f64, [enter, leave]: [f64; 2]) -> Vec<Interval> {
        let over = |i: usize| (self.heights[i] - floor / self.by.rig.leg_len).abs();
        with_hysteresis(slow.clone(), |i| over(i) < enter, |i| over(i) > leave)
            .into_iter()
            .map(|slow| Interval { frames: slow.clone(), slow, floor_height: floor, slides: false })
            .collect()
    }

    /// Whether the point hardly leaves its place in a gap between two frames in which it stands.
    pub fn stays(&self, gap: Range<usize>) -> bool {
        let Measure { rig, settings, .. } = self.by;
        let ends = [self.path[gap.start.saturating_sub(1)], self.path[gap.end]];
        let is_near = |f: usize| {
            ends.iter().all(|end| (self.path[f] - end).norm() < settings.jerk_len * rig.leg_len)
        };
        self.by.seconds(gap.len()) < settings.longest_jerk_s && gap.clone().all(is_near)
    }

    /// The median height over some frames, leg lengths.
    pub fn level(&self, frames: &Range<usize>) -> f64 {
        let mut heights = self.heights[frames.clone()].to_vec();
        let middle = heights.len() / 2;
        *heights.select_nth_unstable_by(middle, f64::total_cmp).1
    }
}

/// Speed in every frame, length units a second: the lower one of the mean speeds over the `reach` frames before and
/// after it. So the first and the last frame of a rest count as still.
fn speeds(path: &[Vec3], frame_time_s: f64, reach: usize) -> Vec<f64> {
    let speed = |i: usize| {
        let to = |j: usize| {
            let moved = (path[j] - path[i]).norm();
            moved / (j.abs_diff(i) as f64 * frame_time_s)
        };
        let before = i.checked_sub(reach).map(to);
        let after = (i + reach < path.len()).then(|| to(i + reach));
        match (before, after) {
            (Some(before), Some(after)) => before.min(after),
            (Some(one), None) | (None, Some(one)) => one,
            // A path that is shorter than the window: the speed between its ends.
            (None, None) if path.len() > 1 => to(if i == 0 { path.len() - 1 } else { 0 }),
            (None, None) => 0.0,
        }
    };
    (0..path.len()).map(speed).collect()
}
