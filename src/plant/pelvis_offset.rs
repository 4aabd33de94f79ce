//! The pelvis offset: the smooth curve along which the body moves so that its legs reach their anchors and their knees
//! bend as transferred.
//!
//! If a foot moves against the body, its knee bends, the more the straighter the leg is. This is not linear, so the
//! terms are linearised about the curve of the last round. The curve minimises, over the whole clip, the sum of the
//! squares of: the movement of standing feet and kneeling knees against the body; the bend of knees that this causes;
//! the unevenness of that bend; the angle of standing legs beyond the stated limits of hips and ankles; and the
//! unevenness and the jerk of the curve itself. It is a weighted smoother after Whittaker (1923; Eilers, "A perfect
//! smoother", 2003). Where nothing stands, the curve continues and comes to rest at 0.

use super::contact_interval::{ByCount, Frames, frames_away, tapered};
use super::foot::{FootPlan, Stand};
use super::knees::KneePlan;
use super::reach::STRAIGHT;
use crate::blocks;
use crate::math::{BandSystem, Quat, Vec3, curve, runs};
use crate::rig::UpAxis;
use std::ops::Range;

/// The weight of an offset of 0 against that of standing feet: almost none between two contact intervals; far from all
/// of them enough to bring the offset to 0 soon.
const AT_REST: [f64; 2] = [0.001, 0.3];
/// How many unknowns back a third difference reaches, with three unknowns a frame.
const BELOW: usize = 11;

/// The time over which third differences of the curve are small, as a share of that of second differences: it does not
/// tremble as straight legs do, which pull it hard.
const JERK: f64 = 0.55;
/// The time from an end of the clip within which they count less, as a multiple of that of second differences.
const JERK_FADES: f64 = 2.5;

/// The time to either side over which the directions of standing legs are smoothed, as a share of that over which their
/// knees bend evenly.
const WAYS: f64 = 0.3;

/// The weight of a leg's angle beyond a stated limit, leg lengths a radian, against that of the foot's movement.
const LIMIT: f64 = 16.0;
/// The angle beyond a stated limit at which its weight is a quarter, radians. The weight falls to 0 far beyond the
/// limit (Geman and McClure 1985), where the body would be dragged far aside and still not bring the leg within its
/// limit.
const LIMIT_WORTH_RAD: f64 = 0.15;
/// The step of the numerical derivative of that angle, as a share of the leg length: at a straight leg the derivative
/// is infinite.
const LIMIT_STEP: f64 = 0.02;

/// The length of a span that is solved at once, and the margin that is solved along beyond its ends, as multiples of
/// the time over which the curve is smooth. The influence of an end falls by a factor of `e` every 2 of these times
/// where feet stand, every 3 where they seldom stand.
const SPAN: f64 = 500.0;
const MARGIN: f64 = 30.0;

/// What stands, and the legs that have to reach it.
pub(super) struct Standing<'a> {
    pub feet: &'a [FootPlan],
    pub knees: &'a [KneePlan<'a>],
    /// By foot.
    pub stands: &'a [Stand<'a>],
    pub weights: &'a [Weights; 2],
    pub up: UpAxis,
    pub frames: Frames,
}

/// The pelvis offset in each of `count` frames, linearised about that of the `last` round, or, without one, about legs
/// that move along with their feet; if joints of the legs have stated limits, about where all feet pull the body. Costs
/// some 0.3 µs a frame of two feet.
pub(super) fn offsets(standing: &Standing, last: Option<&[Vec3]>, count: usize) -> Vec<Vec3> {
    let len = (SPAN * standing.frames.body).ceil() as usize;
    let spans = (0..count).step_by(len).map(|start| start..(start + len).min(count)).collect();
    let mut offsets = Vec::with_capacity(count);
    let fit = |system: &mut BandSystem<BELOW>, span| standing.fit(span, last, count, system);
    blocks::gather(spans, BandSystem::default, fit, |fitted| offsets.extend(fitted));
    offsets
}

/// The weights of standing feet and kneeling knees in every frame, horizontally and vertically.
pub(super) fn weights(
    feet: &[FootPlan],
    knees: &[KneePlan],
    count: usize,
    frames: Frames,
) -> [Weights; 2] {
    let knees = || knees.iter().map(|knee| &knee.kneels);
    let level: Vec<_> = feet.iter().map(|foot| &foot.stands).chain(knees()).collect();
    let height: Vec<_> = feet.iter().map(|foot| &foot.down).chain(knees()).collect();
    [level, height].map(|masks| Weights::new(&masks, count, frames))
}

/// The weights of standing feet and kneeling knees in every frame, horizontally or vertically.
pub(super) struct Weights {
    /// By foot, and then by knee.
    of: Vec<ByCount>,
    /// The weight of an offset of 0.
    at_rest: ByCount,
}

impl Weights {
    fn new(masks: &[&Vec<bool>], count: usize, frames: Frames) -> Self {
        let of = blocks::each(count, masks.to_vec(), |mask| tapered(mask, frames.taper));
        let known = blocks::frames(count, |f| masks.iter().any(|mask| mask[f]));
        let ease = frames.ease as f64;
        let mut at_rest = ByCount::new(count, 3 * frames.ease, |away| {
            let far = curve::ramp(away as f64, ease, 3.0 * ease);
            AT_REST[0] + far * (AT_REST[1] - AT_REST[0])
        });
        for (frame, away) in frames_away(&known).into_iter().enumerate() {
            at_rest.set(frame, away);
        }
        Self { of, at_rest }
    }
}

/// How far a standing foot moves its knee aside, linearised about one pelvis offset: by `by_len` at `about`, and less by the
/// component along `way` of what the offset is more.
#[derive(Clone, Copy)]
struct Bend {
    weight: f64,
    way: Vec3,
    about: Vec3,
    by_len: f64,
}

impl Bend {
    /// What the component of the pelvis offset along `way` is where the knee stays.
    fn place_len(&self) -> f64 {
        self.by_len + self.way.dot(&self.about)
    }
}

/// Smooths the ways of a foot that stays down over `time` (frames) to either side.
///
/// Where a recording's hips tremble, so do the directions of its straight legs, and the slopes of their bends. Every movement
/// of the body times such a way would make it tremble too.
fn smooth_ways(run: &mut [Option<Bend>], time: f64) {
    let ways: Vec<Vec3> = run.iter().flatten().map(|bend| bend.way).collect();
    let ways = curve::smooth(&ways, time.ceil() as usize);
    for (bend, way) in run.iter_mut().flatten().zip(ways) {
        bend.way = way;
    }
}

impl Standing<'_> {
    /// The offsets of a span of frames.
    fn fit(
        &self,
        span: Range<usize>,
        last: Option<&[Vec3]>,
        count: usize,
        system: &mut BandSystem<BELOW>,
    ) -> Vec<Vec3> {
        let margin = (MARGIN * self.frames.body).ceil() as usize;
        let near = span.start.saturating_sub(margin)..(span.end + margin).min(count);
        system.restart(3 * near.len());
        for (i, frame) in near.clone().enumerate() {
            self.add_places(frame, 3 * i, system);
        }
        add_unevenness(near.len(), self.frames.body, system);
        for foot in 0..self.feet.len() {
            self.add_bends(foot, near.clone(), last, system);
            if let Some(last) = last {
                self.add_limits(foot, near.clone(), last, system);
            }
        }
        let fitted = system.solve();
        let inner = (span.start - near.start)..(span.end - near.start);
        inner.map(|i| Vec3::from_column_slice(&fitted[3 * i..3 * i + 3])).collect()
    }

    /// Adds where standing feet and kneeling knees of a frame pull the body.
    fn add_places(&self, frame: usize, first: usize, system: &mut BandSystem<BELOW>) {
        let (place, known) = self.place(frame);
        for axis in 0..3 {
            let weight = known[usize::from(axis == self.up.axis.index())];
            system.add::<1, 1>(weight, first + axis, &[1.0], place[axis]);
        }
    }

    /// Where standing feet and kneeling knees of a frame pull the body, and with which weights, horizontally and vertically.
    fn place(&self, frame: usize) -> (Vec3, [f64; 2]) {
        let up = self.up;
        let feet = self.feet.iter().map(|foot| (foot.offsets[frame], foot.rises[frame]));
        let knees = self.knees.iter().map(|knee| {
            let offset = knee.offsets[frame];
            (up.level(offset), up.height(offset))
        });
        let (mut sum, mut known) =
            (Vec3::zeros(), self.weights.each_ref().map(|w| w.at_rest.at(frame)));
        for (i, (offset, rise)) in feet.chain(knees).enumerate() {
            let [level, height] = self.weights.each_ref().map(|weights| weights.of[i].at(frame));
            sum += offset * level + up.vector() * (rise * height);
            known = [known[0] + level, known[1] + height];
        }
        (up.level(sum) / known[0] + up.vector() * (up.height(sum) / known[1]), known)
    }

    /// Adds how far a foot bends its knee, and how unevenly.
    fn add_bends(
        &self,
        foot: usize,
        near: Range<usize>,
        last_round: Option<&[Vec3]>,
        system: &mut BandSystem<BELOW>,
    ) {
        let uneven = self.frames.knee.powi(4);
        // The terms of stated limits are linearised about the first offset, which must be near the last one for them.
        let is_limited = self.stands.iter().any(|stand| !stand.turns.is_empty());
        let bend = |frame: usize| {
            let [level, height] = self.weights.each_ref().map(|weights| weights.of[foot].at(frame));
            // A foot that is down but free horizontally moves along with the body.
            let held = if level < height { level / height } else { 1.0 };
            let about = last_round.map(|last| last[frame]);
            let about = about.or_else(|| is_limited.then(|| self.place(frame).0));
            self.bend(height, held, foot, frame, about)
        };
        let mut bends: Vec<Option<Bend>> = near.clone().map(bend).collect();
        for run in runs(0..bends.len(), |i| bends[i].is_some()) {
            smooth_ways(&mut bends[run], WAYS * self.frames.knee);
        }
        for (i, bend) in bends.iter().enumerate() {
            if let Some(bend) = bend {
                system.add::<1, 3>(bend.weight, 3 * i, bend.way.as_ref(), bend.place_len());
            }
        }
        for (i, three) in bends.windows(3).enumerate() {
            if let [Some(a), Some(b), Some(c)] = three {
                let weight = uneven * a.weight.min(c.weight);
                // Against the middle frame: the same offset in all three frames costs nothing, whatever their ways. Else a
                // body would move far aside, to where the unevenness of ways that tremble cancels that of the bend.
                let mut ways = [0.0; 9];
                ways[..3].copy_from_slice(a.way.as_slice());
                ways[3..6].copy_from_slice((-a.way - c.way).as_slice());
                ways[6..].copy_from_slice(c.way.as_slice());
                let by_len = a.by_len - 2.0 * b.by_len + c.by_len;
                let about_len = [a, c].map(|side| side.way.dot(&(side.about - b.about)));
                let uneven_len = by_len + about_len[0] + about_len[1];
                system.add::<1, 9>(weight, 3 * i, &ways, uneven_len);
            }
        }
    }

    /// Adds the angles of a standing leg beyond the stated limits of its hip and ankle.
    fn add_limits(
        &self,
        foot: usize,
        near: Range<usize>,
        last: &[Vec3],
        system: &mut BandSystem<BELOW>,
    ) {
        let (stand, plan) = (&self.stands[foot], &self.feet[foot]);
        let (leg_len, step) = (stand.leg.len, LIMIT_STEP * stand.leg.len);
        for (i, frame) in near.enumerate() {
            let [level, height] = self.weights.each_ref().map(|weights| weights.of[foot].at(frame));
            let weight = LIMIT * level.min(height);
            if weight == 0.0 {
                continue;
            }
            let goal = plan.standing_goal(frame, stand.transferred[frame].ankle, self.up);
            let beyond = |body: Vec3| stand.beyond_limits_rad(frame, &goal, body, Quat::identity());
            let about = last[frame];
            let Some(is) = beyond(about).filter(|is| *is != [0.0; 2]) else { continue };
            let sides = [0, 1, 2].map(|axis| {
                let by = Vec3::ith(axis, step);
                [about - by, about + by].map(|body| beyond(body).unwrap_or(is))
            });
            for (joint, is) in is.into_iter().enumerate().filter(|(_, is)| *is > 0.0) {
                let slope = sides.map(|[less, more]| (more[joint] - less[joint]) / (2.0 * step));
                let slope = Vec3::from(slope) * leg_len;
                let value = slope.dot(&about) - is * leg_len;
                let far = is / LIMIT_WORTH_RAD;
                let worth = 1.0 / (1.0 + far * far).powi(2);
                system.add::<1, 3>(weight * worth, 3 * i, slope.as_ref(), value);
            }
        }
    }

    /// The bend, linearised about the pelvis offset `about`, or about the foot's own offset. `held` is the foot's
    /// horizontal lock weight. `None` if the foot is not down.
    fn bend(
        &self,
        weight: f64,
        held: f64,
        foot: usize,
        frame: usize,
        about: Option<Vec3>,
    ) -> Option<Bend> {
        if weight == 0.0 {
            return None;
        }
        let Stand { leg, transferred, .. } = self.stands[foot];
        let (was, leg_len, up) = (&transferred[frame], leg.len, self.up);
        let plan = &self.feet[foot];
        let moved = plan.offsets[frame] + up.vector() * plan.rises[frame];
        let about = about.unwrap_or(moved);
        let as_held = |v: Vec3| up.level(v) * held + up.vector() * up.height(v);
        let way = was.way() + as_held(moved - about);
        let lens = [was.way().norm(), way.norm()];
        // A foot whose ankle is at the hip has no knee to bend.
        if lens.iter().any(|len| *len <= 1e-9 * leg_len) {
            return None;
        }
        let along = as_held(way / lens[1]);
        let by_len = aside_by_len(lens.map(|len| (len / leg_len).min(STRAIGHT)));
        Some(Bend { weight, way: along * by_len, about, by_len: by_len * (lens[1] - lens[0]) })
    }
}

/// How far a knee moves aside for each unit by which hip and ankle come nearer, averaged between two extensions of a
/// leg of two equal bones: at an extension `e` the knee is `√(1 - e²) / 2` aside. The derivative at one extension alone
/// would be infinite for a straight leg.
fn aside_by_len(extensions: [f64; 2]) -> f64 {
    let aside = extensions.map(|e| 0.5 * (1.0 - e * e).sqrt());
    0.25 * (extensions[0] + extensions[1]) / (aside[0] + aside[1])
}

/// Adds the unevenness of the curve itself, which is smooth over `time` (frames), over so many frames. Third differences
/// count less and less near both ends: a leg there has frames to one side alone to share its pull with.
fn add_unevenness(frames: usize, time: f64, system: &mut BandSystem<BELOW>) {
    let (uneven, jerk) = (time.powi(4), (JERK * time).powi(6));
    for first in 0..(3 * frames).saturating_sub(6) {
        system.add::<3, 3>(uneven, first, &[1.0, -2.0, 1.0], 0.0);
    }
    let differences = frames.saturating_sub(3);
    for first in 0..3 * differences {
        let to_end = (first / 3).min(differences - 1 - first / 3) as f64;
        let jerk = jerk * curve::ramp(to_end, 0.0, JERK_FADES * time);
        system.add::<3, 4>(jerk, first, &[1.0, -3.0, 3.0, -1.0], 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_does_not_tremble_as_a_straight_leg_does_that_pulls_it_hard() {
        // 0.12 s of 120 frames a second.
        let (time, count) = (14.4, 80);
        let mut system = BandSystem::<BELOW>::default();
        system.restart(3 * count);
        for unknown in 0..3 * count {
            let place = if unknown / 3 % 2 == 0 { 1.0 } else { -1.0 };
            system.add::<1, 1>(1e6, unknown, &[1.0], place);
        }
        add_unevenness(count, time, &mut system);
        let most = system.solve()[60..180].iter().fold(0.0, |most, place| f64::max(most, *place));
        assert!(most < 0.45, "{most} of 1");
    }

    #[test]
    fn a_knee_moves_aside_by_what_lies_between_two_extensions() {
        let aside = |e: f64| 0.5 * (1.0 - e * e).sqrt();
        for (a, b) in [(0.2, 0.9), (0.9, 0.2), (0.7, STRAIGHT), (STRAIGHT, 0.98)] {
            let moved = aside_by_len([a, b]) * (b - a);
            assert!((moved - (aside(a) - aside(b))).abs() < 1e-12, "{a} to {b}: {moved}");
        }
        assert!(aside_by_len([STRAIGHT, STRAIGHT]) > 4.0 * aside_by_len([STRAIGHT, 0.95]));
    }
}
