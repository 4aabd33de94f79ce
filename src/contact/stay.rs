//! Stays: stretches of frames in which a point rests on a floor.

use super::point::Measure;
use std::ops::Range;

/// One stay of a point.
#[derive(Clone, Debug)]
pub(super) struct Stay {
    /// Frames in which it stands, half open.
    pub frames: Range<usize>,
    /// Frames around those in which it is slow and low, half open.
    pub slow: Range<usize>,
    /// Length units.
    pub floor_height: f64,
    /// It moves on along the floor.
    pub slides: bool,
}

/// Stretches of `frames` that begin where `enter` holds and reach, both ways, to where `leave` does.
pub(super) fn with_hysteresis(
    frames: Range<usize>,
    enter: impl Fn(usize) -> bool,
    leave: impl Fn(usize) -> bool,
) -> Vec<Range<usize>> {
    let mut stays = Vec::new();
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
            stays.push(start..i);
        }
    }
    stays
}

/// Closes short gaps on one floor and drops short stays. Input in time.
pub(super) fn tidy(stays: Vec<Stay>, by: Measure, shortest_stay_s: f64) -> Vec<Stay> {
    let mut tidied: Vec<Stay> = Vec::new();
    for stay in stays {
        let joins = |last: &Stay| {
            by.seconds(stay.frames.start - last.frames.end) < by.settings.shortest_gap_s
                && last.floor_height == stay.floor_height
                && last.slides == stay.slides
        };
        match tidied.last_mut() {
            Some(last) if joins(last) => {
                last.frames.end = stay.frames.end;
                last.slow.end = stay.slow.end;
            }
            _ => tidied.push(stay),
        }
    }
    tidied.retain(|stay| by.seconds(stay.frames.len()) >= shortest_stay_s);
    tidied
}

pub(super) fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}
