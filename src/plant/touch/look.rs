//! A quick look at the source: when hands could touch anything, or arms sink into a target's trunk.
//!
//! Clips in which nothing is near, which are most, pay for this alone: some twenty poses a second.

use super::near;
use super::trunk;
use crate::binding::Binding;
use crate::blocks;
use crate::clip::Clip;
use crate::pose::{Pose, WorldPose};
use crate::rig::{Flesh, Side};
use crate::skeleton::JointId;
use std::ops::Range;

/// Time between two looks, seconds.
const STEP_S: f64 = 0.05;

/// What hands may come nearer between two looks, arm lengths.
const SLACK: f64 = 0.12;

/// Frames in which a hand could touch something, or an arm sink into the trunk, with `around` frames to either side.
pub(super) fn near(
    source: &Clip,
    binding: &Binding,
    flesh: &[Flesh; 2],
    around: usize,
) -> Vec<Range<usize>> {
    let [own, _] = flesh;
    let skeleton = &binding.source.skeleton;
    let hands = own.arms.iter().map(|arm| arm.joints[2]);
    let joints: Vec<JointId> = skeleton.with_ancestors(own.joints().chain(hands));
    let step = ((STEP_S / source.frame_time().seconds()).round() as usize).max(1);
    let sinks_below = trunk::sinks_below(flesh);
    let is_near = |world: &WorldPose| {
        let touches = near::hands(&own.arms, world, SLACK) > 0.0
            || Side::BOTH.into_iter().any(|side| near::body(own, side, world, SLACK) > 0.0);
        touches
            || sinks_below.is_some_and(|most| {
                let shape = own.trunk_shape(world);
                let least = own.arms.iter().flat_map(|arm| trunk::points(arm, world));
                least.map(|p| shape.distance(&shape.place(p))).fold(f64::INFINITY, f64::min) < most
            })
    };
    let looks = |block: Range<usize>| block.filter(|frame| frame.is_multiple_of(step));
    let found = blocks::map(
        blocks::of_frames(source.len()),
        || (Pose::rest(skeleton), WorldPose::new(skeleton.len())),
        |(pose, world), block| {
            let mut near = Vec::new();
            for frame in looks(block) {
                source.read_pose(frame, pose);
                world.set_joints(skeleton, pose, &joints);
                if is_near(world) {
                    near.push(frame);
                }
            }
            near
        },
    );
    let around = around + step;
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for frame in found.into_iter().flatten() {
        let range = frame.saturating_sub(around)..(frame + around + 1).min(source.len());
        match ranges.last_mut() {
            Some(last) if last.end >= range.start => last.end = range.end,
            _ => ranges.push(range),
        }
    }
    ranges
}
