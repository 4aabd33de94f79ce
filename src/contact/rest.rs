//! The ends of intervals: from when a point rests, and until when.

use super::interval::Interval;
use super::point::Point;
use crate::math::{Vec3, median};

/// While a foot rolls on its heel, the heel's point moves by about the same share of the ball's step in each frame. In
/// a frame whose share is larger than the next frame's by more than this factor, the heel is still falling.
const SHARE_GROWS: f64 = 1.5;

/// All intervals of a point, in time, each from when it rests until it rests no more. `ball` is given for a heel.
pub(super) fn resting(
    intervals: Vec<Interval>,
    point: &Point,
    ball: Option<&Point>,
) -> Vec<Interval> {
    let mut all: Vec<Interval> = Vec::with_capacity(intervals.len());
    for mut interval in intervals.into_iter().map(|interval| trimmed(interval, point, ball)) {
        // Smoothing can widen an interval, but not into the one before it.
        if let Some(before) = all.last_mut() {
            interval.frames.start = interval.frames.start.max(before.frames.end);
            before.slow.end = before.slow.end.min(interval.frames.start);
            interval.slow.start = interval.slow.start.max(before.slow.end);
        }
        if !interval.frames.is_empty() {
            all.push(interval);
        }
    }
    all
}

/// The interval without the frames at its ends in which the point is still moving to or from its resting place. A point
/// is still moving where it is farther from that place than it strays while it rests, trembles, or gives way.
///
/// A foot lands on the back of its heel and rolls until it is flat. No skeleton says where exactly the heel ends, so
/// the heel's point turns a little about the true end meanwhile: it moves by a constant share of the ball's step.
/// While the heel is still falling, that share is larger.
fn trimmed(mut interval: Interval, point: &Point, ball: Option<&Point>) -> Interval {
    if interval.slides {
        return interval;
    }
    let (settings, leg_len) = (point.by.settings, point.by.rig.leg_len);
    let still = &point.path[interval.frames.clone()];
    let place = Vec3::from_fn(|axis, _| median(still.iter().map(|p| p[axis])));
    let away = |p: &Vec3| (p - place).norm() / leg_len;
    let limit = if point.vague == 0 {
        let stray = settings.stray_ratio * median(still.iter().map(away));
        stray.max(settings.give_len)
    } else {
        settings.tremble_ratio * point.tremble
    };
    let start = interval.frames.start.saturating_sub(point.vague);
    let end = (interval.frames.end + point.vague).min(point.path.len());
    let path = &point.path[start..end];
    let mut first = path.iter().position(|p| away(p) <= limit);
    let last = path.iter().rposition(|p| away(p) <= limit);
    if let (Some(first), Some(ball)) = (&mut first, ball) {
        let ball = &ball.path[start..end];
        let step = |path: &[Vec3], i: usize| (path[i] - path[i - 1]).norm() / leg_len;
        let speed = |path: &[Vec3], i: usize| step(path, i) / point.by.frame_time_s;
        let share = |i: usize| step(path, i) / step(ball, i);
        let rolls = |i: usize| {
            let slow =
                speed(path, i) < settings.roll_speed && step(path, i) < settings.roll_step_len;
            // Once the ball has come down there is no roll to compare with.
            let on = i + 1 < path.len() && speed(ball, i + 1) > settings.leave_speed;
            slow && (!on || share(i) <= SHARE_GROWS * share(i + 1))
        };
        while *first > 0 && rolls(*first) {
            *first -= 1;
        }
    }
    if let (Some(mut first), Some(mut last)) = (first, last) {
        // What is slow where the file begins or ends was not seen to land or to lift there.
        if interval.frames.start == 0 {
            first = 0;
        }
        if interval.frames.end == point.path.len() {
            last = path.len() - 1;
        }
        interval.frames = start + first..start + last + 1;
        interval.slow.start = interval.slow.start.min(interval.frames.start);
        interval.slow.end = interval.slow.end.max(interval.frames.end);
    }
    interval
}
