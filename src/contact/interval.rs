//! Contact intervals: stretches of frames in which a point rests on a floor.

use super::ContactSettings;
use crate::rig::Rig;
use std::ops::Range;

/// What all points of a clip are measured by.
#[derive(Clone, Copy)]
pub(super) struct Measure<'a> {
    pub rig: &'a Rig,
    pub frame_time_s: f64,
    pub settings: &'a ContactSettings,
}

impl Measure<'_> {
    pub fn seconds(&self, frames: usize) -> f64 {
        frames as f64 * self.frame_time_s
    }
}

/// One contact interval of a point.
#[derive(Clone, Debug)]
pub(super) struct Interval {
    /// Frames in which it stands, half open.
    pub frames: Range<usize>,
    /// Frames around those in which it is slow and low, half open.
    pub slow: Range<usize>,
    /// Length units.
    pub floor_height: f64,
    /// Whether the point slides along the floor.
    pub slides: bool,
}

/// Runs of frames in which `leave` never holds and `enter` holds at least once.
pub(super) fn with_hysteresis(
    frames: Range<usize>,
    enter: impl Fn(usize) -> bool,
    leave: impl Fn(usize) -> bool,
) -> Vec<Range<usize>> {
    let mut intervals = Vec::new();
    let mut i = frames.start;
    while i < frames.end {
        if leave(i) {
            i += 1;
            continue;
        }
        let start = i;
        let mut entered = false;
        while i < frames.end && !leave(i) {
            entered |= enter(i);
            i += 1;
        }
        if entered {
            intervals.push(start..i);
        }
    }
    intervals
}

/// Joins intervals on one floor with a short gap between them, or one in which the point `stays`, and drops short intervals.
/// They come in order of time.
pub(super) fn tidy(
    intervals: Vec<Interval>,
    by: Measure,
    shortest_interval_s: f64,
    stays: impl Fn(Range<usize>) -> bool,
) -> Vec<Interval> {
    let mut tidied: Vec<Interval> = Vec::new();
    for interval in intervals {
        let joins = |last: &Interval| {
            let gap = last.frames.end..interval.frames.start;
            last.floor_height == interval.floor_height
                && last.slides == interval.slides
                && (by.seconds(gap.len()) < by.settings.shortest_gap_s || stays(gap))
        };
        match tidied.last_mut() {
            Some(last) if joins(last) => {
                last.frames.end = interval.frames.end;
                last.slow.end = interval.slow.end;
            }
            _ => tidied.push(interval),
        }
    }
    tidied.retain(|interval| by.seconds(interval.frames.len()) >= shortest_interval_s);
    tidied
}

pub(super) fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}
