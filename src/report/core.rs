//! Contact cores: frames in which any reasonable detector would say that a foot stands.

use crate::contact::{ContactTrack, FootPaths, Part};
use crate::rig::{FootId, Rig};
use std::ops::Range;

/// A stretch of frames in which the source's ball is slow and low.
pub(super) struct Core {
    pub foot: FootId,
    pub frames: Range<usize>,
}

/// In a core the ball is slower than this, leg lengths a second.
const SLOW: f64 = 0.15;
/// In a core the ball is nearer to the floor than this, leg lengths.
const LOW: f64 = 0.06;
const SHORTEST_S: f64 = 0.1;
/// How many frames a core leaves out at each end of its stretch.
const MARGIN_S: f64 = 0.03;

pub(super) fn contact_cores(
    rig: &Rig,
    paths: &FootPaths,
    track: &ContactTrack,
    frame_time_s: f64,
) -> Vec<Core> {
    let margin = (MARGIN_S / frame_time_s).ceil() as usize;
    let mut cores = Vec::new();
    for foot in rig.foot_ids() {
        let path = paths.of(foot, Part::Ball);
        let own = rig.foot(foot).ball_height;
        let slides = track.frames_of(track.of(foot, Part::Ball).filter(|contact| contact.slides));
        let stands = |i: usize| {
            let (before, after) = (i.saturating_sub(1), (i + 1).min(path.len() - 1));
            let span_s = (after - before).max(1) as f64 * frame_time_s;
            let speed = (path[after] - path[before]).norm() / span_s / rig.leg_len;
            let height = (rig.up.height(path[i]) - own - track.floor_height) / rig.leg_len;
            speed < SLOW && height < LOW && !slides[i]
        };
        let mut start = 0;
        while start < path.len() {
            let end = (start..path.len()).find(|&i| !stands(i)).unwrap_or(path.len());
            let long = (end - start) as f64 * frame_time_s >= SHORTEST_S;
            if long && end - start > 2 * margin {
                cores.push(Core { foot, frames: start + margin..end - margin });
            }
            start = end + 1;
        }
    }
    cores
}
