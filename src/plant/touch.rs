//! Hands that touch each other or the body.
//!
//! Free hands move with their shoulders, as transferred. Hands that are near each other in the source keep their
//! relative position, and a hand near the body goes to the same place on the target's body, after egocentric mapping
//! (Molla, Debarba, Boulic 2017): a place on a part of the body is given in shares of the part's size, and the parts
//! near a hand are weighted by nearness. The weights are functions of the source's pose, smoothed over time; so are the
//! offsets that keep arms out of the trunk.

mod goal;
mod look;
mod near;
mod nearness;
mod rest;
mod samples;
mod sight;
mod sights;
mod sinking;
mod trunk;

use super::HandMove;
use super::arm::Lean;
use super::contact_interval::Frames;
use super::sole::FootGoals;
use super::transferred::Leg;
use super::turning;
use crate::binding::Binding;
use crate::clip::Clip;
use crate::ik::middle_joint;
use crate::math::{Quat, Vec3, curve, runs};
use crate::pose::WorldPose;
use crate::rig::BodyProxy;
use crate::skeleton::JointId;
use goal::Counts;
use look::Found;
use nearness::Nearness;
use sight::Sight;
use sights::{Looks, Run};
use std::ops::Range;
use trunk::Aside;

/// Nearness of hands to each other and to the body over a clip.
pub(super) struct Touches<'a> {
    source: &'a Clip,
    binding: &'a Binding,
    proxy: [BodyProxy; 2],
    /// The joints of the source's body proxy, and all their ancestors.
    joints: Vec<JointId>,
    found: Found,
    /// One a frame.
    near: Vec<Nearness>,
    frames: Frames,
}

/// The planned legs, on which hands may rest.
pub(super) struct PlantedLegs<'a> {
    pub legs: &'a [Leg],
    pub goals: &'a [FootGoals],
    pub body: &'a [Vec3],
}

impl<'a> Touches<'a> {
    /// Searches the source; `None` if nothing is ever near.
    pub fn new(source: &'a Clip, binding: &'a Binding, frames: Frames) -> Option<Self> {
        let proxy = [BodyProxy::of(&binding.source)?, BodyProxy::of(&binding.target)?];
        let joints = binding.source.skeleton.with_ancestors(proxy[0].joints());
        let found = look::look(source, &proxy, &joints, 3 * frames.hand);
        if found.near.is_empty() {
            return None;
        }
        let near = nearness::over(source, &proxy, &joints, &found);
        let is_any = !found.sinking.is_empty() || near.iter().any(Nearness::is_any);
        is_any.then_some(Self { source, binding, proxy, joints, found, near, frames })
    }

    /// The moves of both hands in the frames in which they are near something; `leans` is their lean on a floor. `None`
    /// if nothing is near enough.
    pub fn goals(&self, planted: &PlantedLegs, leans: [&Lean; 2]) -> Option<[Vec<HandMove>; 2]> {
        let frames = self.frames;
        let weights = |radius: usize, near: &dyn Fn(&Nearness) -> f64| {
            let mut weights: Vec<f64> = self.near.iter().map(near).collect();
            if weights.iter().all(|weight| *weight == 0.0) {
                return weights;
            }
            for range in &self.found.near {
                let inner = self.inner(range, [2 * radius, 2 * radius + frames.touch]);
                let weights = &mut weights[range.clone()];
                weights.iter_mut().zip(inner).for_each(|(weight, inner)| *weight *= inner);
            }
            curve::envelope(&weights, radius)
        };
        let hands = weights(frames.touch, &|near| near.hands);
        let body = [0, 1].map(|side| weights(frames.hand, &|near| near.body[side]));
        let mut goals = [0, 1].map(|side| {
            let at_rest = |(near, floor): (&Nearness, &Vec3)| HandMove {
                offset: *floor,
                part: near.part[side],
                ..HandMove::default()
            };
            self.near.iter().zip(&leans[side].offsets).map(at_rest).collect::<Vec<_>>()
        });
        let sights = self.touching(planted, &hands, &body);
        let each = || sights.iter().flat_map(|(run, sights)| run.clone().zip(sights));
        let mut body_too_far = [0, 1].map(|_| vec![0.0; self.near.len()]);
        for (frame, sight) in each() {
            for side in [0, 1] {
                body_too_far[side][frame] = sight.body_too_far(side) * body[side][frame];
            }
        }
        let body_worth = body_too_far.map(|too_far| self.worth(too_far));
        let counts = |frame: usize| Counts {
            hands: hands[frame],
            hands_worth: 1.0,
            body: [0, 1].map(|side| body[side][frame]),
            body_worth: [0, 1].map(|side| body_worth[side][frame]),
            free: leans.map(|lean| 1.0 - lean.leans[frame]),
            floor: leans.map(|lean| lean.offsets[frame]),
        };
        let mut hands_too_far = vec![0.0; self.near.len()];
        for (frame, sight) in each() {
            hands_too_far[frame] = sight.hands_too_far(&counts(frame)) * hands[frame];
        }
        let hands_worth = self.worth(hands_too_far);
        for (frame, sight) in each() {
            let counts = Counts { hands_worth: hands_worth[frame], ..counts(frame) };
            let touch = sight.touch(&counts, self.near[frame].part);
            goals.iter_mut().zip(touch).for_each(|(goals, touch)| goals[frame] = touch);
        }
        let looks = self.looks();
        let offset = |side: usize, frame: usize| goals[side][frame].offset;
        let sights = looks.at_arms(sinking::narrowed(&looks, &self.found.sinking, offset));
        for side in [0, 1] {
            self.keep_out(side, &sights, &mut goals[side], leans[side]);
        }
        goals.iter().flatten().any(HandMove::is_held).then_some(goals)
    }

    fn looks(&self) -> Looks<'_> {
        let Self { source, binding, proxy, joints, .. } = self;
        Looks { source, binding, proxy, joints, sinks_below: trunk::sinks_below(proxy) }
    }

    /// The runs of frames for which `hold` is true, each within a stretch.
    fn runs(&self, hold: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
        self.found.near.iter().flat_map(|range| runs(range.clone(), &hold)).collect()
    }

    /// The sights of all frames with these weights of touches, and of the frames around those that touch the body, over
    /// which places on the body are smoothed.
    fn touching(&self, planted: &PlantedLegs, hands: &[f64], body: &[Vec<f64>; 2]) -> Vec<Run> {
        let radius = self.frames.hand / 2;
        let about = body.each_ref().map(|body| match body.iter().all(|near| *near == 0.0) {
            true => vec![0.0; body.len()],
            false => curve::highest_within(body, radius),
        });
        let on_body = |frame: usize| about.each_ref().map(|about| about[frame] > 0.0);
        let runs = self.runs(|frame| hands[frame] > 0.0 || on_body(frame) != [false; 2]);
        let mut sights = self.looks().at_body(runs, planted, &self.near, on_body);
        for (run, sights) in &mut sights {
            // Where hands meet alone there is no place on the body.
            if run.clone().all(|frame| on_body(frame) == [false; 2]) {
                continue;
            }
            let trunks = trunks(sights);
            for side in [0, 1] {
                let offsets: Vec<Vec3> =
                    sights.iter().map(|sight| sight.arms[side].offset).collect();
                let smooth = turning::smooth(&offsets, &trunks, radius);
                sights.iter_mut().zip(smooth).for_each(|(sight, s)| sight.arms[side].offset = s);
            }
        }
        sights
    }

    /// Weights of touches that would move an arm too far by so much: each touch is given up as a whole, over a long
    /// time before and after.
    fn worth(&self, mut too_far: Vec<f64>) -> Vec<f64> {
        for range in &self.found.near {
            let given_up = curve::envelope(&too_far[range.clone()], self.frames.hand);
            too_far[range.clone()].copy_from_slice(&given_up);
        }
        too_far.into_iter().map(|share| 1.0 - share).collect()
    }

    /// 0 up to `from` frames from a stretch's ends, rising to 1 at `to`, so that nothing begins there with a jump; 1 at
    /// the ends of the clip.
    fn inner(&self, range: &Range<usize>, [from, to]: [usize; 2]) -> Vec<f64> {
        let inner = |frame: usize| {
            let into = if range.start == 0 { usize::MAX } else { frame - range.start };
            let left =
                if range.end == self.near.len() { usize::MAX } else { range.end - 1 - frame };
            curve::ramp(into.min(left) as f64, from as f64, to as f64)
        };
        range.clone().map(inner).collect()
    }

    /// Moves a hand aside where its arm would sink into the trunk, as far as it reaches. `sights` are those of the
    /// frames in which an arm may sink.
    fn keep_out(&self, side: usize, sights: &[Run], goals: &mut [HandMove], lean: &Lean) {
        let mut needed = vec![Aside::default(); goals.len()];
        for (frame, sight) in sights.iter().flat_map(|(run, sights)| run.clone().zip(sights)) {
            if sight.arms[side].beside.sinks > 0.0 {
                needed[frame] = Aside::of(&sight.arms[side], &sight.trunk, goals[frame].offset);
            }
        }
        for range in &self.found.near {
            let needed = &needed[range.clone()];
            if !needed.iter().all(Aside::is_none) {
                self.move_aside(range, needed, side, goals, lean);
            }
        }
    }

    /// As [`keep_out`](Self::keep_out), for one stretch with these needs.
    fn move_aside(
        &self,
        range: &Range<usize>,
        needed: &[Aside],
        side: usize,
        goals: &mut [HandMove],
        lean: &Lean,
    ) {
        let frames = self.frames;
        let curve = |of: &dyn Fn(&Aside) -> f64| {
            let amounts: Vec<f64> = needed.iter().map(|aside| of(aside).max(0.0)).collect();
            curve::envelope(&amounts, frames.hand)
        };
        let inner = self.inner(range, [0, frames.touch]);
        let pushes = curve(&|aside| aside.push.norm());
        // About the axis, one way and the other.
        let turns = [1.0, -1.0].map(|sign| curve(&|aside| sign * aside.swivel_rad));
        for (i, frame) in range.clone().enumerate() {
            goals[frame].swivel_rad =
                (turns[0][i] - turns[1][i]) * ((1.0 - lean.leans[frame]) * inner[i]);
        }
        // The way out of the trunk is smoothed over the frames around each push.
        let about = curve::highest_within(&pushes, frames.hand);
        let pushed = runs(range.clone(), |frame| about[frame - range.start] > 0.0);
        for (run, sights) in self.looks().at_arms(pushed) {
            let way = |(frame, sight): (usize, &Sight)| {
                let aside = Aside::of(&sight.arms[side], &sight.trunk, goals[frame].offset);
                aside.push + aside.out * (1e-3 * sight.arms[side].bones[0])
            };
            let ways: Vec<Vec3> = run.clone().zip(&sights).map(way).collect();
            let ways = mean_ways(&ways, &trunks(&sights), frames.hand);
            for ((frame, sight), way) in run.zip(&sights).zip(ways) {
                let (goal, i) = (&mut goals[frame], frame - range.start);
                let free = (1.0 - lean.leans[frame]) * inner[i];
                let aside = way * pushes[i] * free;
                let arm = &sight.arms[side];
                let within = |offset: Vec3| arm.within_reach(lean.offsets[frame], offset);
                let aside = within(goal.offset + aside) - within(goal.offset);
                goal.offset += aside;
                goal.aside_len = aside.norm();
            }
        }
    }
}

/// The rotations of the trunk.
fn trunks(sights: &[Sight]) -> Vec<Quat> {
    sights.iter().map(|sight| sight.trunk.rotation()).collect()
}

/// An arm is pushed out of the trunk one way, and soon after another. From this length on, as a share of the mean length of
/// the ways, their mean is the way of the whole push; from there to 0, where the push turns round, the push fades.
const ONE_WAY: f64 = 0.5;

/// The mean way of the pushes about each frame as the trunk sees them, of unit length, and shorter where they turn round.
fn mean_ways(ways: &[Vec3], trunks: &[Quat], radius: usize) -> Vec<Vec3> {
    let lens: Vec<f64> = ways.iter().map(|way| way.norm()).collect();
    let lens = curve::smooth(&lens, radius);
    let mean = |(way, len): (Vec3, f64)| {
        let one_way = curve::ramp(way.norm() / len.max(1e-300), 0.0, ONE_WAY);
        way.try_normalize(1e-300).unwrap_or_default() * one_way
    };
    turning::smooth(ways, trunks, radius).into_iter().zip(lens).map(mean).collect()
}

impl PlantedLegs<'_> {
    /// Places thighs and shins of a transferred pose as they will be planted; the body stays as transferred.
    fn stand(&self, frame: usize, world: &mut WorldPose) {
        for (leg, goals) in self.legs.iter().zip(self.goals) {
            let [hip, knee, ankle] = leg.joints[..] else { continue };
            let goal = goals.ankles[frame] - self.body[frame];
            let [hip, was, end] = [hip, knee, ankle].map(|id| world.position(id));
            let near = was + (goal - end) / 2.0;
            let bones = [(was - hip).norm(), (end - was).norm()];
            world.positions[knee.index()] = middle_joint(hip, goal, near, bones[0], bones[1]);
            world.positions[ankle.index()] = goal;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_push_that_turns_round_fades_and_does_not_flip() {
        let way = |f: usize| Vec3::z() * if f < 30 { 0.2 } else { -0.1 };
        let ways: Vec<Vec3> = (0..60).map(way).collect();
        let mean = mean_ways(&ways, &[Quat::identity(); 60], 12);
        let most = mean.windows(2).map(|m| (m[1] - m[0]).norm()).fold(0.0, f64::max);
        assert!(most < 0.5, "it changes by {most} of itself in a frame");
        assert!((mean[10] - Vec3::z()).norm() < 1e-9 && (mean[50] + Vec3::z()).norm() < 1e-9);
    }
}
