//! Computes source and target in those frames in which the hands are near something.

use super::PlantedLegs;
use super::nearness::Nearness;
use super::rest::RestLook;
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
}

impl Looks<'_> {
    /// Sights of arms and trunk alone, in these runs of frames.
    pub fn at_arms(&self, runs: Vec<Range<usize>>) -> Vec<Run> {
        if runs.is_empty() {
            return Vec::new();
        }
        let Self { source, binding, proxy, .. } = *self;
        let transfer = Transfer::of(binding, proxy[1].arm_joints());
        let transfer = transfer.with_sources(proxy[0].arm_joints());
        let buffers = || TransferScratch::new(binding);
        over(runs, buffers, |scratch, block| {
            let sight = |frame: usize| {
                transfer.frame(source, frame, scratch);
                Sight::of(binding, proxy, &scratch.source_world, &scratch.world)
            };
            block.map(sight).collect()
        })
    }

    /// Sights of the whole body, with the legs `planted`, from the nearness of the hands in every frame, and whether
    /// they could touch anything there.
    pub fn at_body(
        &self,
        runs: Vec<Range<usize>>,
        planted: &PlantedLegs,
        near: &[Nearness],
        could_touch: impl Fn(usize) -> bool + Sync + Send,
    ) -> Vec<Run> {
        if runs.is_empty() {
            return Vec::new();
        }
        let Self { source, binding, proxy, joints } = *self;
        let transfer = Transfer::of(binding, proxy[1].joints()).with_sources(proxy[0].joints());
        let buffers = || (TransferScratch::new(binding), RestLook::new(source, &proxy[0], joints));
        over(runs, buffers, |(scratch, rests), block| {
            rests.go_to_ask_all(&block);
            let sight = |frame: usize| {
                transfer.frame(source, frame, scratch);
                let TransferScratch { source_world, world, .. } = &mut *scratch;
                let mut sight = Sight::of(binding, proxy, source_world, world);
                if could_touch(frame) {
                    planted.stand(frame, world);
                    let rests = |side: Side, place: usize| rests.on(frame, side, place);
                    let near = (&near[frame], rests);
                    sight.look_at_body(binding, proxy, source_world, world, near);
                }
                sight
            };
            block.map(sight).collect()
        })
    }
}

/// The sights of runs of frames; `see` computes those of a block.
fn over<S>(
    runs: Vec<Range<usize>>,
    buffers: impl Fn() -> S + Sync + Send,
    see: impl Fn(&mut S, Range<usize>) -> Vec<Sight> + Sync + Send,
) -> Vec<Run> {
    let blocks = runs.iter().cloned().flat_map(blocks::of_range).collect();
    let mut sights = blocks::map(blocks, buffers, see).into_iter().flatten();
    let of_run = |run: Range<usize>| {
        let sights = sights.by_ref().take(run.len()).collect();
        (run, sights)
    };
    runs.into_iter().map(of_run).collect()
}
