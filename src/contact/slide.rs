//! Slides: a foot carries weight and moves along the floor, so slowly that it seems to stand.

use super::interval::{Interval, Measure, with_hysteresis};
use super::point::Point;
use crate::math::median;
use std::ops::Range;

/// How fast the point drifts in each frame of an interval, measured over `window` frames of it, leg lengths a second;
/// empty for an interval that is shorter than the window.
fn drifts(interval: &Range<usize>, point: &Point, window: usize) -> Vec<f64> {
    if interval.len() <= window {
        return Vec::new();
    }
    let drift = |i: usize| {
        let from = i.saturating_sub(window / 2).clamp(interval.start, interval.end - 1 - window);
        let way = point.path[from + window] - point.path[from];
        way.norm() / point.by.rig.leg_len / point.by.seconds(window)
    };
    interval.clone().map(drift).collect()
}

/// What counts as a slide in a clip.
#[derive(Clone, Copy)]
pub(super) struct Slides {
    /// Leg lengths a second.
    speed: f64,
    /// Frames.
    window: usize,
}

impl Slides {
    /// Takes the limit from the intervals of all balls. Where all feet drift, they stand and the recording is poor, so a
    /// slide has to be much faster than the median drift.
    pub fn new<'a>(
        balls: impl Iterator<Item = (&'a Point<'a>, &'a [Interval])>,
        by: Measure,
    ) -> Self {
        let window = ((by.settings.slide_window_s / by.frame_time_s).round() as usize).max(1);
        let all = balls.flat_map(|(point, intervals)| {
            intervals.iter().flat_map(move |interval| drifts(&interval.frames, point, window))
        });
        let usual = median(all);
        Self { speed: by.settings.slide_speed.max(by.settings.slide_ratio * usual), window }
    }

    /// The interval in pieces: one for each slide, and what stands between them.
    pub fn cut(&self, interval: Interval, point: &Point) -> Vec<Interval> {
        let Range { start, end } = interval.frames;
        let drifts = drifts(&interval.frames, point, self.window);
        // A window that is half in the slide shows half of its speed.
        let (enter, leave) = (self.speed, 0.5 * self.speed);
        let fast = with_hysteresis(
            start..start + drifts.len(),
            |i| drifts[i - start] > enter,
            |i| drifts[i - start] < leave,
        );
        let far = |slide: &Range<usize>| {
            let way = point.path[slide.end - 1] - point.path[slide.start];
            way.norm() > point.by.settings.slide_len * point.by.rig.leg_len
        };
        let mut cut = Vec::new();
        let mut from = start;
        let mut piece = |frames: Range<usize>, slides: bool| {
            if !frames.is_empty() {
                let slow_start =
                    if frames.start == start { interval.slow.start } else { frames.start };
                let slow_end = if frames.end == end { interval.slow.end } else { frames.end };
                let slow = slow_start..slow_end;
                cut.push(Interval { frames, slow, floor_height: interval.floor_height, slides });
            }
        };
        for slide in fast.into_iter().filter(far) {
            piece(from..slide.start, false);
            from = slide.end;
            piece(slide, true);
        }
        piece(from..end, false);
        cut
    }
}
