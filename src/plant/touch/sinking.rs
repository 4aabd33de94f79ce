//! A quick look at the target that finds when its arms could sink into its trunk, with their hands where they touch or
//! lean: most arms that could by what the source shows stay off it.

use super::super::contact_interval::widened;
use super::look::comes_near;
use super::samples::Samples;
use super::sights::Looks;
use crate::blocks;
use crate::math::Vec3;
use crate::transfer::TransferScratch;
use std::ops::Range;

/// Of these `ranges` of frames those in which an arm could sink, up to the next look to either side. `offsets` are those of
/// the hands from where they are transferred, by side and frame.
pub(super) fn narrowed(
    looks: &Looks,
    ranges: &[Range<usize>],
    offsets: impl Fn(usize, usize) -> Vec3 + Sync + Send,
) -> Vec<Range<usize>> {
    let samples = Samples::quick(looks.source);
    if samples.step == 1 {
        return ranges.to_vec();
    }
    let arm_len = looks.proxy[1].arms.each_ref().map(|arm| arm.len());
    let transfer = looks.arms();
    let clear = |frame: usize, scratch: &mut TransferScratch| {
        let sight = looks.arms_in(frame, &transfer, scratch);
        [0, 1].map(|side| sight.arms[side].clear_len(&sight.trunk, offsets(side, frame)))
    };
    let in_blocks = |range: &Range<usize>| {
        let first = range.start;
        blocks::of_range(range.clone()).map(move |block| (first, block))
    };
    let found = blocks::map(
        ranges.iter().flat_map(in_blocks).collect(),
        || TransferScratch::new(looks.binding),
        |scratch, (first, block): (usize, Range<usize>)| {
            let mut was = clear(block.start.saturating_sub(samples.step).max(first), scratch);
            let mut before = was;
            let mut near = Vec::new();
            for frame in block.filter(|frame| samples.holds(*frame)) {
                let is = clear(frame, scratch);
                let comes = |i: usize| comes_near([is[i], was[i], before[i]], 0.0, arm_len[i]);
                if comes(0) || comes(1) {
                    near.push(frame);
                }
                (before, was) = (was, is);
            }
            near
        },
    );
    let found = found.into_iter().flatten().map(|frame| frame..frame + 1);
    widened(found, samples.step - 1, looks.source.len())
}
