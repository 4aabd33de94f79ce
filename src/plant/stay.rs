//! When a foot stands firmly, and how its sole lies while it does.

use super::foot::Frames;
use crate::contact::{Contact, ContactTrack, Part};
use crate::math::{Vec3, curve, median, rotation_between};
use crate::rig::{FootId, UpAxis};
use std::ops::Range;

/// As [`firm`], but only where the part stays in one place.
pub(super) fn held(
    track: &ContactTrack,
    foot: FootId,
    part: Part,
    settle: usize,
) -> Vec<(Range<usize>, f64)> {
    firm_where(track, foot, part, settle, |contact| !contact.slides)
}

/// Where a part is slow on its floor, without the frames at the ends in which it still comes down or lifts
/// already, with the height of their floor. What begins or ends with the clip is not cut there.
pub(super) fn firm(
    track: &ContactTrack,
    foot: FootId,
    part: Part,
    settle: usize,
) -> Vec<(Range<usize>, f64)> {
    firm_where(track, foot, part, settle, |_| true)
}

fn firm_where(
    track: &ContactTrack,
    foot: FootId,
    part: Part,
    settle: usize,
    of: impl Fn(&Contact) -> bool,
) -> Vec<(Range<usize>, f64)> {
    let trim = |contact: &Contact| {
        let Range { start, end } = contact.slow;
        let settle = settle.min((end - start).saturating_sub(1) / 2);
        let start = if start == 0 { 0 } else { start + settle };
        let end = if end == track.frames { end } else { end - settle };
        (start..end, contact.floor_height)
    };
    track.of(foot, part).filter(|contact| of(contact)).map(trim).collect()
}

/// Turns (scaled axes) of what points `ahead`, by which that is level in the middle of each run of known frames.
/// One turn a run: what the foot rolls in the source, it rolls here. A foot that leans to its side still
/// does, since heel and ball on a floor say nothing of that.
pub(super) fn level_turns(
    known: &[bool],
    up: UpAxis,
    frames: Frames,
    ahead: impl Fn(usize) -> Vec3,
) -> Vec<Vec3> {
    let mut turns = vec![Vec3::zeros(); known.len()];
    for run in runs(0..known.len(), |f| known[f]) {
        let turn = |f: usize| {
            let ahead = ahead(f);
            rotation_between(ahead, up.level(ahead)).scaled_axis()
        };
        // The middle half, since at its ends the foot still comes down or lifts already.
        let quarter = run.len() / 4;
        let each: Vec<Vec3> = (run.start + quarter..run.end - quarter).map(turn).collect();
        turns[run].fill(median_point(&each));
    }
    curve::bridge(&mut turns, known, frames.ease, frames.slope);
    turns
}

/// How far each of these places is from where all of them are held: in the middle of them on the level, at `height`.
pub(super) fn to_mean_place(places: &[Vec3], height: f64, up: UpAxis) -> Vec<Vec3> {
    let mean = places.iter().sum::<Vec3>() / places.len() as f64;
    let to = |place: &Vec3| up.level(mean - place) + up.vector() * (height - up.height(*place));
    places.iter().map(to).collect()
}

/// What a limb is shifted by from where it was carried, known where it is `held`, as shifts from where the body carries
/// it, which moves by `body`; and how much it is held, 0 to 1. Both eased to nothing where it is not.
pub(super) fn off_body(
    mut shifts: Vec<Vec3>,
    held: &[bool],
    body: &[Vec3],
    frames: Frames,
) -> (Vec<Vec3>, Vec<f64>) {
    shifts.iter_mut().zip(body).for_each(|(shift, body)| *shift -= body);
    curve::bridge(&mut shifts, held, frames.hand, frames.slope);
    let far = frames.hand as f64;
    let holds = frames_away(held).into_iter().map(|away| curve::ramp(away as f64, far, 0.0));
    (shifts, holds.collect())
}

/// The median of each coordinate.
fn median_point(points: &[Vec3]) -> Vec3 {
    Vec3::from_fn(|axis, _| median(points.iter().map(|p| p[axis])))
}

/// Maximal runs of frames for which `holds`.
pub(super) fn runs(frames: Range<usize>, holds: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for f in frames.filter(|&f| holds(f)) {
        match found.last_mut() {
            Some(last) if last.end == f => last.end = f + 1,
            _ => found.push(f..f + 1),
        }
    }
    found
}

/// How many frames each frame is away from the nearest one of the mask.
pub(super) fn frames_away(mask: &[bool]) -> Vec<usize> {
    let mut away = vec![usize::MAX; mask.len()];
    let mut last = None;
    for f in (0..mask.len()).chain((0..mask.len()).rev()) {
        if mask[f] {
            last = Some(f);
        }
        away[f] = away[f].min(last.map_or(usize::MAX, |last: usize| last.abs_diff(f)));
    }
    away
}
