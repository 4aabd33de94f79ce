//! The frames of a contact interval in which a foot stands firmly, and how its sole lies in them; how many frames the
//! times of the settings are.

use super::PlantSettings;
use crate::contact::{Contact, ContactTrack, Part};
use crate::math::{
    Quat, Vec3, curve, mean_rotation, median, rotation_between, runs, saturated, swing_twist,
};
use crate::rig::{FootId, UpAxis};
use std::ops::Range;

/// The most frames over which a curve is smoothed (0.12 s at 1,250 frames a second). Over more, 64-bit numbers could
/// not distinguish the curve from a straight line.
const MOST_FRAMES: f64 = 150.0;

/// How many times as long as arms legs take to turn and bend evenly: where a foot comes down, rolls and leaves, and between
/// two places at which it is held, is where results are roughest.
const LEGS: f64 = 1.5;

/// The settings' times in frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frames {
    pub ease: usize,
    /// Not rounded.
    pub limb: f64,
    /// Not rounded.
    pub leg: f64,
    pub hand: usize,
    pub touch: usize,
    pub slope: usize,
    pub free: usize,
    /// Not rounded.
    pub body: f64,
    /// Not rounded.
    pub knee: f64,
    pub taper: usize,
    pub envelope: usize,
    pub firm: usize,
    /// In which a foot goes by one leg length farther than its source's from one place to the next. Not rounded.
    pub step: f64,
}

/// How long a foot takes at least to go by one leg length farther than its source's from one place to the next, seconds.
/// Other lengths take as long as their square root, so that all steps set off and brake equally hard: on legs that are
/// taken from the source at 30 frames a second by some 2° a frame².
const STEP_S: f64 = 0.6;

impl Frames {
    pub fn new(settings: &PlantSettings, frame_time_s: f64) -> Self {
        let frames = |seconds: f64| ((seconds / frame_time_s).round() as usize).max(1);
        Self {
            ease: frames(settings.ease_s),
            limb: (settings.limb_s / frame_time_s).min(MOST_FRAMES),
            leg: (LEGS * settings.limb_s / frame_time_s).min(MOST_FRAMES),
            hand: frames(settings.hand_s),
            touch: frames(settings.touch_s),
            slope: frames(settings.slope_s),
            free: frames(settings.free_s),
            body: (settings.body_s / frame_time_s).min(MOST_FRAMES),
            knee: (settings.knee_s / frame_time_s).min(MOST_FRAMES),
            taper: frames(settings.taper_s),
            envelope: frames(settings.envelope_s),
            firm: frames(settings.firm_s),
            step: STEP_S / frame_time_s,
        }
    }

    /// The largest number of frames before and after a hand's lean on the floor in which the trunk may lean for it: the
    /// radius of two envelopes, each the maximum within so many frames, smoothed over as many.
    pub fn lean_radius(&self) -> usize {
        2 * (self.hand / 2) + 2 * self.envelope
    }

    /// The number of frames in which an arm becomes as long as transferred after its hand leaned on the floor: as many as it
    /// turns back in, and a quarter more, since it sets off softly.
    pub fn lean_ease(&self) -> usize {
        self.hand + self.hand / 4
    }
}

/// As [`firm`], but only of contacts in which the part stays in one place.
pub(super) fn held(
    track: &ContactTrack,
    foot: FootId,
    part: Part,
    firm_frames: usize,
) -> Vec<(Range<usize>, f64)> {
    firm_where(track, foot, part, firm_frames, |contact| !contact.slides)
}

/// The frames in which a part is slow on its floor, and the height of that floor. The frames at both ends of a contact
/// interval, in which the part still comes down or already lifts, are left out, except at the ends of the clip.
pub(super) fn firm(
    track: &ContactTrack,
    foot: FootId,
    part: Part,
    firm_frames: usize,
) -> Vec<(Range<usize>, f64)> {
    firm_where(track, foot, part, firm_frames, |_| true)
}

/// The frames of one contact of a clip of `count` frames without those at its ends.
pub(super) fn firm_frames(contact: &Contact, count: usize, firm_frames: usize) -> Range<usize> {
    let Range { start, end } = contact.slow;
    let firm_frames = firm_frames.min((end - start).saturating_sub(1) / 2);
    let start = if start == 0 { 0 } else { start + firm_frames };
    let end = if end == count { end } else { end - firm_frames };
    start..end
}

fn firm_where(
    track: &ContactTrack,
    foot: FootId,
    part: Part,
    firm_frames: usize,
    of: impl Fn(&Contact) -> bool,
) -> Vec<(Range<usize>, f64)> {
    let trim = |contact: &Contact| {
        (self::firm_frames(contact, track.frames, firm_frames), contact.floor_height)
    };
    track.of(foot, part).filter(|contact| of(contact)).map(trim).collect()
}

/// Rotations (scaled axes) that make the direction `ahead` level in the middle of each run of known frames.
///
/// Each run has one rotation, so the foot keeps the roll that it has in the source. A foot that leans to its side keeps
/// that lean, since heel and ball on a floor do not determine it.
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

/// The largest change of tilt or heading for a foot that stands flat, against its source's foot, radians (3°).
const MOST_STEADIED_RAD: f64 = 0.06;

/// A standing foot whose heading is off its middle one by less than the first, radians, trembles; by more than the second it
/// pivots.
const PIVOTS_RAD: [f64; 2] = [0.01, 0.03];

/// Rotations (scaled axes) that keep a foot's tilt constant in each run of known frames, in which it stands flat, and its
/// heading too unless it pivots. Noise in a recording would move the ankle, the farther the longer the foot is, and bend the
/// knee.
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
        let upright = |f| rotation_between(rotation(f) * tilt, up);
        let upright: Vec<Quat> = run.clone().map(upright).collect();
        let level = |f: usize| upright[f - run.start] * rotation(f);
        let middle = mean_rotation(middle_half(&run).map(|f| (level(f), 1.0)));
        let back = |f| swing_twist(middle * level(f).inverse(), up).1.scaled_axis();
        let back: Vec<Vec3> = run.clone().map(back).collect();
        let off_rad = median(middle_half(&run).map(|f| back[f - run.start].norm()));
        let trembles = curve::ramp(off_rad, PIVOTS_RAD[1], PIVOTS_RAD[0]);
        for (f, (upright, back)) in run.zip(upright.iter().zip(back)) {
            let heading = saturated_turn(back) * trembles;
            turns[f] = (saturated_turn(upright.scaled_axis()) + heading) * inside.at(f);
        }
    }
    turns
}

/// A turn (scaled axis) by [`MOST_STEADIED_RAD`] at most.
fn saturated_turn(turn: Vec3) -> Vec3 {
    match turn.norm() {
        0.0 => turn,
        size => turn * (saturated(size, MOST_STEADIED_RAD) / size),
    }
}

/// The middle half of a run, since at its ends the foot still comes down or already lifts.
fn middle_half(run: &Range<usize>) -> Range<usize> {
    let quarter = run.len() / 4;
    run.start + quarter..run.end - quarter
}

/// The offset from each of these positions to the one at which all are held: horizontally their mean, vertically
/// `height`.
pub(super) fn to_mean_place(places: &[Vec3], height: f64, up: UpAxis) -> Vec<Vec3> {
    let mean = places.iter().sum::<Vec3>() / places.len() as f64;
    let to = |place: &Vec3| up.level(mean - place) + up.vector() * (height - up.height(*place));
    places.iter().map(to).collect()
}

/// The lock weight of a limb that is `held` in some frames, from 0 to 1. Outside of these frames it eases to 0; in a short
/// gap between two holds it stays 1, since there the limb's offset leads from one to the other.
pub(super) fn lock_weights(mut held: Vec<bool>, frames: Frames) -> Vec<f64> {
    let far = frames.hand as f64;
    for gap in runs(0..held.len(), |f| !held[f]) {
        let is_between = gap.start > 0 && gap.end < held.len();
        held[gap.clone()].fill(is_between && gap.len() < 2 * frames.hand);
    }
    frames_away(&held).into_iter().map(|away| curve::ramp(away as f64, far, 0.0)).collect()
}

/// The median of each coordinate.
fn median_point(points: &[Vec3]) -> Vec3 {
    Vec3::from_fn(|axis, _| median(points.iter().map(|p| p[axis])))
}

/// Maximal runs of those frames, of `count`, that are in one of `frames` or at most `by` before or after it.
pub(super) fn widened(
    frames: impl IntoIterator<Item = Range<usize>>,
    by: usize,
    count: usize,
) -> Vec<Range<usize>> {
    let mut near = vec![false; count];
    for Range { start, end } in frames {
        near[start.saturating_sub(by)..(end + by).min(count)].fill(true);
    }
    runs(0..count, |f| near[f])
}

/// The weight of something that is known in the frames of `mask`: 1 inside every run, rising from just above 0 over
/// `ease` frames at its start and falling at its end (but not at the ends of the clip), 0 outside.
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

/// One number for each frame, computed from a count of frames. A frame takes two bytes, since several of these lists
/// exist when memory use is at its peak.
pub(super) struct ByCount {
    counts: Vec<u16>,
    /// The number for each count; higher counts have the last number.
    numbers: Vec<f64>,
}

impl ByCount {
    /// `frames` frames with count 0. From count `most` on, `number` is constant.
    pub fn new(frames: usize, most: usize, number: impl Fn(usize) -> f64) -> Self {
        // With a frame time of more than some microseconds no count is as large as this.
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

/// The distance in frames of each frame from the nearest frame of the mask.
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

/// As [`frames_away`], for what comes and goes evenly: between two runs of the mask the distance has no corner in the middle,
/// where it is the nearer a quarter less. 0 in the frames of the mask alone.
pub(super) fn evenly_away(mask: &[bool]) -> Vec<f64> {
    let mut away: Vec<f64> = frames_away(mask).into_iter().map(|away| away as f64).collect();
    for gap in runs(0..mask.len(), |f| !mask[f]) {
        if gap.start == 0 || gap.end == mask.len() {
            continue;
        }
        // Where the distances from both ends differ by less than half of the gap (Quilez 2013, polynomial smooth minimum).
        let half = 0.5 * (gap.len() + 1) as f64;
        for f in gap.clone() {
            let apart = (gap.end + gap.start - 1).abs_diff(2 * f) as f64;
            away[f] -= (half - apart).max(0.0).powi(2) / (4.0 * half);
        }
    }
    away
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plant::PlantSettings;

    /// What becomes of the tilt and the heading of a foot that stands flat from frame 60 to 240 of 300 and trembles in both,
    /// by a heading of `yaw`: the tilt and the heading of each frame in which it stands firmly, steadied.
    fn steadied(yaw: impl Fn(usize) -> f64) -> Vec<(usize, f64, f64)> {
        let frames = Frames::new(&PlantSettings::default(), 1.0 / 120.0);
        let (count, stands) = (300, 60..240);
        let known: Vec<bool> = (0..count).map(|f| stands.contains(&f)).collect();
        let trembling = |f: usize| {
            let tilt = Vec3::new((0.3 * f as f64).sin(), 0.0, (0.5 * f as f64).cos()) * 0.02;
            Quat::from_scaled_axis(Vec3::y() * yaw(f)) * Quat::from_scaled_axis(tilt)
        };
        let turns = steady_turns(&known, UpAxis::Y, frames, trembling);
        assert!(turns[..60].iter().chain(&turns[240..]).all(|turn| *turn == Vec3::zeros()));
        let of_frame = |f: usize| {
            let steadied = Quat::from_scaled_axis(turns[f]) * trembling(f);
            let ahead = steadied * Vec3::z();
            (f, (steadied * Vec3::y()).angle(&Vec3::y()), ahead.x.atan2(ahead.z))
        };
        (60 + frames.ease..240 - frames.ease).map(of_frame).collect()
    }

    #[test]
    fn a_flat_foot_that_trembles_keeps_its_tilt_but_pivots() {
        let yaw = |f: usize| 0.002 * f as f64;
        for (f, tilt, heading) in steadied(yaw) {
            assert!(tilt < 0.0075, "frame {f}: {tilt} of up to 0.028");
            assert!((heading - yaw(f)).abs() < 0.002, "frame {f}");
        }
    }

    #[test]
    fn a_flat_foot_whose_heading_trembles_keeps_it() {
        let yaw = |f: usize| 0.5 + 0.01 * (0.7 * f as f64).sin();
        for (f, tilt, heading) in steadied(yaw) {
            assert!(tilt < 0.0075, "frame {f}: {tilt} of up to 0.028");
            assert!((heading - 0.5).abs() < 0.002, "frame {f}: {heading}");
        }
    }

    #[test]
    fn what_comes_and_goes_evenly_has_no_corner_between_two_runs() {
        for gap in 1..30 {
            let mask: Vec<bool> = (0..60).map(|f| !(20..20 + gap).contains(&f)).collect();
            let [exact, even] = [
                frames_away(&mask).into_iter().map(|away| away as f64).collect(),
                evenly_away(&mask),
            ];
            let broken = |away: &[f64]| {
                let inside = away[20..20 + gap].windows(3);
                inside.map(|a| (a[2] - 2.0 * a[1] + a[0]).abs()).fold(0.0, f64::max)
            };
            assert!(gap < 6 || broken(&even) < 6.0 / gap as f64, "{even:?}");
            assert!(gap < 3 || broken(&exact) >= 1.0);
            for f in 0..60 {
                assert_eq!(even[f] == 0.0, mask[f]);
                assert!((0.75 * exact[f]..=exact[f]).contains(&even[f]), "{f}: {even:?}");
            }
        }
        let at_ends = evenly_away(&[false, false, true, false, false, false]);
        assert_eq!(at_ends, [2.0, 1.0, 0.0, 1.0, 2.0, 3.0]);
    }
}
