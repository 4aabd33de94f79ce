//! Hands that touch each other or the body.
//!
//! Free hands go with their shoulders, as they were transferred. Hands that are near each other in the source come to
//! the same place relative to each other, and one that is near the body to the same place on the target's, after
//! egocentric mapping (Molla, Debarba, Boulic 2017): a place on a part is told in shares of the part's sizes, and the
//! parts near a hand are weighed by how near they are. The weights are functions of the source's pose, made smooth
//! over time; so are the ways of the arms out of the trunk.

mod goal;
mod look;
mod near;
mod sight;
mod trunk;

use super::HandMove;
use super::foot::Frames;
use super::hands::Lean;
use super::sole::FootGoals;
use super::transferred::Leg;
use crate::binding::Binding;
use crate::blocks;
use crate::clip::Clip;
use crate::ik::middle_joint;
use crate::math::{Vec3, curve};
use crate::pose::{Pose, WorldPose};
use crate::rig::BodyProxy;
use crate::transfer::{Transfer, TransferScratch};
use goal::Counts;
use sight::Sight;
use std::ops::Range;
use trunk::Aside;

/// What hands are near over a clip, in those stretches in which they could be.
pub(super) struct Touches {
    frames: usize,
    stretches: Vec<(Range<usize>, Vec<Sight>)>,
}

/// Where the legs are to be, which hands may rest on.
pub(super) struct PlantedLegs<'a> {
    pub legs: &'a [Leg],
    pub goals: &'a [FootGoals],
    pub body: &'a [Vec3],
}

impl Touches {
    /// Looks for them; `None` where nothing is ever near.
    pub fn new(
        source: &Clip,
        binding: &Binding,
        planted: &PlantedLegs,
        frames: Frames,
    ) -> Option<Self> {
        let proxy = [BodyProxy::of(&binding.source)?, BodyProxy::of(&binding.target)?];
        let found = look::look(source, binding, &proxy, 3 * frames.hand);
        let near = &found.near;
        if near.is_empty() {
            return None;
        }
        let transfer = Transfer::of(binding, proxy[1].joints()).with_sources(proxy[0].joints());
        let (skeleton, last) = (&binding.source.skeleton, source.len() - 1);
        let joints = skeleton.with_ancestors(proxy[0].joints());
        let rest = (near::REST_S / source.frame_time().seconds()).round() as usize;
        let cut = |range: &Range<usize>| {
            let Range { start, end } = *range;
            let blocks = blocks::of_frames(end - start).into_iter();
            blocks.map(move |block| start + block.start..start + block.end).collect::<Vec<_>>()
        };
        let sights = blocks::map(
            near.iter().flat_map(cut).collect(),
            || {
                let (pose, world) = (Pose::rest(skeleton), WorldPose::new(skeleton.len()));
                (TransferScratch::new(binding), pose, world, Vec::new())
            },
            |(scratch, pose, around, ways), block: Range<usize>| {
                let touching = found.touching_in(&block).unwrap_or_default();
                let first = touching.start.saturating_sub(rest);
                let of_frame = |frame: usize| {
                    source.read_pose(frame, pose);
                    around.set_joints(skeleton, pose, &joints);
                    near::ways(&proxy[0], around)
                };
                ways.clear();
                if !touching.is_empty() {
                    ways.extend((first..(touching.end + rest).min(source.len())).map(of_frame));
                }
                let sight = |frame: usize| {
                    transfer.frame(source, frame, scratch);
                    let TransferScratch { source_world, world, .. } = scratch;
                    let frames = [frame.saturating_sub(rest), frame, (frame + rest).min(last)];
                    let ways =
                        found.could_touch(frame).then(|| frames.map(|frame| &ways[frame - first]));
                    planted.stand(frame, world);
                    Sight::of(binding, &proxy, source_world, world, ways)
                };
                block.map(sight).collect::<Vec<_>>()
            },
        );
        let mut sights = sights.into_iter().flatten();
        let stretch = |range: Range<usize>| {
            let mut sights: Vec<Sight> = sights.by_ref().take(range.len()).collect();
            for side in [0, 1] {
                let offsets: Vec<Vec3> =
                    sights.iter().map(|sight| sight.arms[side].offset).collect();
                let smooth = curve::smooth(&offsets, frames.hand / 2);
                sights.iter_mut().zip(smooth).for_each(|(sight, s)| sight.arms[side].offset = s);
            }
            (range, sights)
        };
        Some(Self { frames: source.len(), stretches: near.iter().cloned().map(stretch).collect() })
    }

    /// What both hands, which lean on a floor at times, do in the frames in which they are near something; `None` where
    /// nothing is near enough after all.
    pub fn goals(&self, leans: [&Lean; 2], frames: Frames) -> Option<[Vec<HandMove>; 2]> {
        let weights = |radius: usize, near: &dyn Fn(&Sight) -> f64| {
            let mut weights = vec![0.0; self.frames];
            for (range, sights) in &self.stretches {
                let inner = self.inner(range, [2 * radius, 2 * radius + frames.touch]);
                let of = inner.iter().zip(sights).map(|(inner, sight)| inner * near(sight));
                weights[range.clone()].iter_mut().zip(of).for_each(|(weight, near)| *weight = near);
            }
            curve::envelope(&weights, radius)
        };
        let hands = weights(frames.touch, &|sight| sight.hands);
        let body = [0, 1].map(|side| weights(frames.hand, &|sight| sight.arms[side].body));
        let mut goals = [0, 1].map(|_| vec![HandMove::default(); self.frames]);
        for (range, sights) in &self.stretches {
            // A touch that would take an arm too far is given up as a whole, long before and after.
            let worth = |too_far: &[f64]| -> Vec<f64> {
                let given_up = curve::envelope(too_far, frames.hand);
                given_up.into_iter().map(|share| 1.0 - share).collect()
            };
            let body_worth = [0, 1].map(|side| {
                let too_far =
                    |(frame, sight): (usize, &Sight)| sight.body_too_far(side) * body[side][frame];
                worth(&range.clone().zip(sights).map(too_far).collect::<Vec<_>>())
            });
            let counts = |i: usize| {
                let frame = range.start + i;
                Counts {
                    hands: hands[frame],
                    hands_worth: 1.0,
                    body: [0, 1].map(|side| body[side][frame]),
                    body_worth: [0, 1].map(|side| body_worth[side][i]),
                    free: leans.map(|lean| 1.0 - lean.leans[frame]),
                    floor: leans.map(|lean| lean.offsets[frame]),
                }
            };
            let too_far = |(i, sight): (usize, &Sight)| {
                let counts = counts(i);
                sight.hands_too_far(&counts) * counts.hands
            };
            let hands_worth = worth(&sights.iter().enumerate().map(too_far).collect::<Vec<_>>());
            for (i, sight) in sights.iter().enumerate() {
                let frame = range.start + i;
                let touch = sight.touch(&Counts { hands_worth: hands_worth[i], ..counts(i) });
                goals.iter_mut().zip(touch).for_each(|(goals, touch)| goals[frame] = touch);
            }
            for side in [0, 1] {
                self.keep_out(range.clone(), sights, side, &mut goals[side], leans[side], frames);
            }
        }
        goals.iter().flatten().any(HandMove::is_held).then_some(goals)
    }

    /// 0 up to `from` frames from a stretch's ends where the clip goes on, rising to 1 at `to`: nothing begins there
    /// with a jump.
    fn inner(&self, range: &Range<usize>, [from, to]: [usize; 2]) -> Vec<f64> {
        let inner = |frame: usize| {
            let into = if range.start == 0 { usize::MAX } else { frame - range.start };
            let left = if range.end == self.frames { usize::MAX } else { range.end - 1 - frame };
            curve::ramp(into.min(left) as f64, from as f64, to as f64)
        };
        range.clone().map(inner).collect()
    }

    /// Moves a hand aside where its arm would sink into the trunk, as far as it reaches.
    fn keep_out(
        &self,
        range: Range<usize>,
        sights: &[Sight],
        side: usize,
        goals: &mut [HandMove],
        lean: &Lean,
        frames: Frames,
    ) {
        let goals = &mut goals[range.clone()];
        let needed: Vec<Aside> = sights
            .iter()
            .zip(&*goals)
            .map(|(sight, goal)| Aside::of(sight, side, goal.offset))
            .collect();
        if needed.iter().all(|aside| aside.push == Vec3::zeros() && aside.swivel_rad == 0.0) {
            return;
        }
        let curve = |of: &dyn Fn(&Aside) -> f64| {
            let amounts: Vec<f64> = needed.iter().map(|aside| of(aside).max(0.0)).collect();
            curve::envelope(&amounts, frames.hand)
        };
        let inner = self.inner(&range, [0, frames.touch]);
        let pushes = curve(&|aside| aside.push.norm());
        // About the axis one way, and the other.
        let turns = [1.0, -1.0].map(|sign| curve(&|aside| sign * aside.swivel_rad));
        let size = sights[0].arms[side].bones[0];
        let ways: Vec<Vec3> =
            needed.iter().map(|aside| aside.push + aside.out * (1e-3 * size)).collect();
        let ways = curve::smooth(&ways, frames.hand);
        for (i, goal) in goals.iter_mut().enumerate() {
            let frame = range.start + i;
            let free = (1.0 - lean.leans[frame]) * inner[i];
            let aside = ways[i].try_normalize(1e-300).unwrap_or_default() * pushes[i] * free;
            let arm = &sights[i].arms[side];
            let within = |offset: Vec3| arm.within_reach(lean.offsets[frame], offset);
            let aside = within(goal.offset + aside) - within(goal.offset);
            goal.offset += aside;
            goal.aside_len = aside.norm();
            goal.swivel_rad = (turns[0][i] - turns[1][i]) * free;
        }
    }
}

impl PlantedLegs<'_> {
    /// Lays thighs and shins of a transferred pose as they will be planted, the body staying where it was transferred.
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
