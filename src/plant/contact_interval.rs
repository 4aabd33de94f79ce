//! When a foot stands firmly, and how its sole lies while it does.

use super::body::saturated;
use super::foot::Frames;
use crate::contact::{Contact, ContactTrack, Part};
use crate::math::{Quat, Vec3, curve, median, rotation_between};
use crate::rig::{FootId, UpAxis};
use std::ops::Range;

/// As [`firm`], but only where the part stays in one place.
pub(super) fn held(
    track: &ContactTrack,
    foot: FootId,
    part: Part,
    firm_frames: usize,
) -> Vec<(Range<usize>, f64)> {
    firm_where(track, foot, part, firm_frames, |contact| !contact.slides)
}

/// Where a part is slow on its floor, without the frames at the ends in which it still comes down or lifts
/// already, with the height of their floor. What begins or ends with the clip is not cut there.
pub(super) fn firm(
    track: &ContactTrack,
    foot: FootId,
    part: Part,
    firm_frames: usize,
) -> Vec<(Range<usize>, f64)> {
    firm_where(track, foot, part, firm_frames, |_| true)
}

fn firm_where(
    track: &ContactTrack,
    foot: FootId,
    part: Part,
    firm_frames: usize,
    of: impl Fn(&Contact) -> bool,
) -> Vec<(Range<usize>, f64)> {
    let trim = |contact: &Contact| {
        let Range { start, end } = contact.slow;
        let firm_frames = firm_frames.min((end - start).saturating_sub(1) / 2);
        let start = if start == 0 { 0 } else { start + firm_frames };
        let end = if end == track.frames { end } else { end - firm_frames };
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
        let each: Vec<Vec3> = middle_half(&run).map(turn).collect();
        turns[run].fill(median_point(&each));
    }
    curve::bridge(&mut turns, known, frames.ease, frames.slope);
    turns
}

/// Feet that stand flat tilt this far at most against what the source's do, radians (3°).
const MOST_STEADIED_RAD: f64 = 0.06;

/// Turns (scaled axes) by which a foot keeps its tilt in each run of known frames, in which it stands flat: what a
/// recording has it tremble there would move its ankle, and bend the knee. About the up axis it turns as it did.
pub(super) fn steady_turns(
    known: &[bool],
    up: UpAxis,
    frames: Frames,
    rotation: impl Fn(usize) -> Quat,
) -> Vec<Vec3> {
    let mut turns = vec![Vec3::zeros(); known.len()];
    let (up, inside) = (up.vector(), tapered(known, frames.ease));
    for run in runs(0..known.len(), |f| known[f]) {
        let tilt: Vec3 = middle_half(&run).map(|f| rotation(f).inverse() * up).sum();
        let Some(tilt) = tilt.try_normalize(1e-9) else { continue };
        for f in run {
            let turn = rotation_between(rotation(f) * tilt, up).scaled_axis();
            turns[f] = match turn.norm() {
                0.0 => turn,
                size => turn * (inside.at(f) * saturated(size, MOST_STEADIED_RAD) / size),
            };
        }
    }
    turns
}

/// The middle half of a stand, since at its ends the foot still comes down or lifts already.
fn middle_half(run: &Range<usize>) -> Range<usize> {
    let quarter = run.len() / 4;
    run.start + quarter..run.end - quarter
}

/// How far each of these places is from where all of them are held: in the middle of them on the level, at `height`.
pub(super) fn to_mean_place(places: &[Vec3], height: f64, up: UpAxis) -> Vec<Vec3> {
    let mean = places.iter().sum::<Vec3>() / places.len() as f64;
    let to = |place: &Vec3| up.level(mean - place) + up.vector() * (height - up.height(*place));
    places.iter().map(to).collect()
}

/// What a limb is moved by from where it was transferred, known where it is `held`, as offsets from where the body
/// carries it, which moves by `body`; and how much it is held, 0 to 1. Both eased to nothing where it is not; between two
/// holds that are soon after each other it stays held.
pub(super) fn off_body(
    mut offsets: Vec<Vec3>,
    held: &[bool],
    body: &[Vec3],
    frames: Frames,
) -> (Vec<Vec3>, Vec<f64>) {
    offsets.iter_mut().zip(body).for_each(|(offset, body)| *offset -= body);
    curve::bridge(&mut offsets, held, frames.hand, frames.slope);
    let far = frames.hand as f64;
    let mut held = held.to_vec();
    // Over a gap as short as that the offset leads from one hold to the next.
    for gap in runs(0..held.len(), |f| !held[f]) {
        let is_between = gap.start > 0 && gap.end < held.len();
        held[gap.clone()].fill(is_between && gap.len() < 2 * frames.hand);
    }
    let holds = frames_away(&held).into_iter().map(|away| curve::ramp(away as f64, far, 0.0));
    (offsets, holds.collect())
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

/// How much something counts that is known where its `mask` is, by how long it has been and will be: 1 inside every
/// run, rising from just above 0 over `ease` frames at both ends (the clip's own ends excepted), 0 outside.
pub(super) fn tapered(mask: &[bool], ease: usize) -> ByCount {
    let number = |count: usize| curve::ramp(count as f64, 0.0, (ease + 1) as f64);
    let mut weights = ByCount::new(mask.len(), ease + 1, number);
    for run in runs(0..mask.len(), |f| mask[f]) {
        for f in run.clone() {
            let into = if run.start == 0 { ease + 1 } else { f - run.start + 1 };
            let left = if run.end == mask.len() { ease + 1 } else { run.end - f };
            weights.set(f, into.min(left));
        }
    }
    weights
}

/// A number a frame that follows from a count of frames: in two bytes, since all frames have several of these at a time
/// when most memory is in use.
pub(super) struct ByCount {
    counts: Vec<u16>,
    /// The number for each count up to the last, which is that of all more too.
    numbers: Vec<f64>,
}

impl ByCount {
    /// So many frames of count 0; from `most` on the `number` of a count is the same.
    pub fn new(frames: usize, most: usize, number: impl Fn(usize) -> f64) -> Self {
        // Where a frame takes more than some microseconds, no count is as large as that.
        let most = most.min(usize::from(u16::MAX));
        Self { counts: vec![0; frames], numbers: (0..=most).map(number).collect() }
    }

    pub fn set(&mut self, frame: usize, count: usize) {
        self.counts[frame] = count.min(self.numbers.len() - 1) as u16;
    }

    pub fn at(&self, frame: usize) -> f64 {
        self.numbers[usize::from(self.counts[frame])]
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plant::PlantSettings;

    #[test]
    fn a_flat_foot_that_trembles_keeps_its_tilt_but_turns_about_up() {
        let frames = Frames::new(&PlantSettings::default(), 1.0 / 120.0);
        let (count, stands) = (300, 60..240);
        let known: Vec<bool> = (0..count).map(|f| stands.contains(&f)).collect();
        let yaw = |f: usize| 0.002 * f as f64;
        let trembling = |f: usize| {
            let tilt = Vec3::new((0.3 * f as f64).sin(), 0.0, (0.5 * f as f64).cos()) * 0.02;
            Quat::from_scaled_axis(Vec3::y() * yaw(f)) * Quat::from_scaled_axis(tilt)
        };
        let turns = steady_turns(&known, UpAxis::Y, frames, trembling);
        let steadied = |f: usize| Quat::from_scaled_axis(turns[f]) * trembling(f);
        assert!(turns[..60].iter().chain(&turns[240..]).all(|turn| *turn == Vec3::zeros()));
        for f in 60 + frames.ease..240 - frames.ease {
            let tilt = (steadied(f) * Vec3::y()).angle(&Vec3::y());
            assert!(tilt < 0.0075, "frame {f}: {tilt} of up to 0.028");
            let ahead = steadied(f) * Vec3::z();
            assert!((ahead.x.atan2(ahead.z) - yaw(f)).abs() < 0.002, "frame {f}");
        }
    }
}
