//! Computes source and target in those frames in which the hands are near something.

use super::PlantedLegs;
use super::nearness::Nearness;
use super::rest::RestLook;
use super::samples::Samples;
use super::sight::Sight;
use crate::binding::Binding;
use crate::blocks;
use crate::clip::Clip;
use crate::rig::{BodyProxy, Side};
use crate::skeleton::JointId;
use crate::transfer::{Transfer, TransferScratch};
use std::ops::Range;

/// The sights of a run of frames, one a frame.
pub(super) type Run = (Range<usize>, Vec<Sight>);

/// The input to the sights.
pub(super) struct Looks<'a> {
    pub source: &'a Clip,
    pub binding: &'a Binding,
    pub proxy: &'a [BodyProxy; 2],
    /// The joints of the source's body proxy, and all their ancestors.
    pub joints: &'a [JointId],
    /// How near to its trunk a source's arm is where the target's may sink into its own.
    pub sinks_below: Option<f64>,
}

impl Looks<'_> {
    /// Sights of arms and trunk alone, in these runs of frames.
    pub fn at_arms(&self, runs: Vec<Range<usize>>) -> Vec<Run> {
        if runs.is_empty() {
            return Vec::new();
        }
        let transfer = self.arms();
        let buffers = || TransferScratch::new(self.binding);
        over(runs, buffers, |scratch, block| {
            block.map(|frame| self.arms_in(frame, &transfer, scratch)).collect()
        })
    }

    /// The sight of arms and trunk in one frame, by [`arms`](Self::arms).
    pub fn arms_in(
        &self,
        frame: usize,
        transfer: &Transfer<&Binding>,
        scratch: &mut TransferScratch,
    ) -> Sight {
        let Self { source, binding, proxy, sinks_below, .. } = *self;
        transfer.frame(source, frame, scratch);
        let mut sight = Sight::of(binding, proxy, &scratch.source_world, &scratch.world);
        sight.look_beside(proxy, &scratch.source_world, sinks_below);
        sight
    }

    /// Sights of arms and trunk; of frames in which a hand may be `on_body`, by side, of the whole body too, with the legs
    /// `planted`. Where a hand is on the body is computed in some of them, and interpolated between these. `near` is the
    /// nearness of the hands in every frame.
    pub fn at_body(
        &self,
        runs: Vec<Range<usize>>,
        planted: &PlantedLegs,
        near: &[Nearness],
        on_body: impl Fn(usize) -> [bool; 2] + Sync + Send,
    ) -> Vec<Run> {
        if runs.is_empty() {
            return Vec::new();
        }
        let Self { source, binding, proxy, joints, .. } = *self;
        let looked_at = Samples::places(source).with_changes(&runs, &on_body);
        let arms = self.arms();
        let whole = Transfer::of(binding, proxy[1].joints()).with_sources(proxy[0].joints());
        let buffers = || (TransferScratch::new(binding), RestLook::new(source, &proxy[0], joints));
        let mut seen = over(runs, buffers, |(scratch, rests), block| {
            rests.go_to(&block);
            for side in Side::BOTH {
                if block.clone().any(|frame| on_body(frame)[side.index()]) {
                    rests.ask_all(side);
                }
            }
            let sight = |frame: usize| {
                let transfer = if looked_at[frame] { &whole } else { &arms };
                transfer.frame(source, frame, scratch);
                let TransferScratch { source_world, world, .. } = &mut *scratch;
                let mut sight = Sight::of(binding, proxy, source_world, world);
                if looked_at[frame] {
                    let sides = on_body(frame);
                    planted.stand(frame, world);
                    let rests = |side: Side, place: usize| rests.on(frame, side, place);
                    let near = (&near[frame], rests);
                    sight.look_at_body(binding, proxy, source_world, world, sides, near);
                }
                sight
            };
            block.map(sight).collect()
        });
        for (run, sights) in &mut seen {
            let looks: Vec<usize> =
                (0..run.len()).filter(|place| looked_at[run.start + place]).collect();
            let is_on_body = |two: &&[usize]| on_body(run.start + two[0] + 1) != [false; 2];
            for two in looks.windows(2).filter(is_on_body) {
                interpolate(&mut sights[two[0]..=two[1]]);
            }
        }
        seen
    }

    /// The transfer of arms and trunk alone.
    pub fn arms(&self) -> Transfer<&Binding> {
        let Self { binding, proxy, .. } = *self;
        let transfer = Transfer::of(binding, proxy[1].arm_joints());
        transfer.with_sources(proxy[0].arm_joints())
    }
}

/// Sets where the hands are on the body in the frames between the first and the last of these.
fn interpolate(sights: &mut [Sight]) {
    let [first, between @ .., last] = sights else { return };
    let steps = (between.len() + 1) as f64;
    for (step, sight) in (1..).zip(between) {
        for (arm, (from, to)) in sight.arms.iter_mut().zip(first.arms.iter().zip(&last.arms)) {
            arm.offset = from.offset.lerp(&to.offset, f64::from(step) / steps);
        }
    }
}

/// The sights of runs of frames; `see` computes those of a block.
fn over<S>(
    runs: Vec<Range<usize>>,
    buffers: impl Fn() -> S + Sync + Send,
    see: impl Fn(&mut S, Range<usize>) -> Vec<Sight> + Sync + Send,
) -> Vec<Run> {
    let of_run = |(place, run)| blocks::of_range(run).map(move |block| (place, block));
    let blocks = runs.iter().cloned().enumerate().flat_map(of_run).collect();
    let empty = |run: Range<usize>| {
        let sights = Vec::with_capacity(run.len());
        (run, sights)
    };
    let mut seen: Vec<Run> = runs.into_iter().map(empty).collect();
    let see = |buffers: &mut S, (place, block)| (place, see(buffers, block));
    blocks::gather(blocks, buffers, see, |(place, mut sights): (usize, Vec<Sight>)| {
        seen[place].1.append(&mut sights);
    });
    seen
}
