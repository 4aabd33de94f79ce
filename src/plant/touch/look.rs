//! A quick look at the source: when hands could touch anything, or arms sink into a target's trunk.
//!
//! Clips in which nothing is near, which are most, pay for this alone: some ten poses a second.

use super::near;
use super::trunk::{clearance, sinks_below};
use crate::binding::Binding;
use crate::blocks;
use crate::clip::Clip;
use crate::pose::{Pose, WorldPose};
use crate::rig::{Flesh, Side};
use crate::skeleton::JointId;
use std::ops::Range;

/// Time between two looks, seconds.
const STEP_S: f64 = 0.1;

/// What a hand may come nearer beside what it moves from one look to the next, arm lengths.
const SLACK: f64 = 0.05;

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
    let sinks_below = sinks_below(flesh);
    let arm_len = (own.arms[0].len() + own.arms[1].len()) / 2.0;
    let is_near = |world: &WorldPose, slack: f64| {
        let trunk = own.trunk.shape(world);
        let on_body = |side: Side| near::body(own, side, &trunk, world, slack) > 0.0;
        let touches =
            near::hands(&own.arms, world, slack) > 0.0 || Side::BOTH.into_iter().any(on_body);
        touches
            || sinks_below.is_some_and(|most| {
                let least = own.arms.iter().map(|arm| clearance(arm, world, &trunk));
                least.fold(f64::INFINITY, f64::min) < most + slack * arm_len
            })
    };
    let last = source.len() - 1;
    let is_looked_at = |frame: &usize| frame.is_multiple_of(step) || *frame == last;
    let found = blocks::map(
        blocks::of_frames(source.len()),
        || (Pose::rest(skeleton), WorldPose::new(skeleton.len())),
        |(pose, world), block| {
            let mut near = Vec::new();
            let mut place = |frame: usize, world: &mut WorldPose| {
                source.read_pose(frame, pose);
                world.set_joints(skeleton, pose, &joints);
                own.ends(world)
            };
            let mut before = place(block.start.saturating_sub(step), world);
            for frame in block.filter(is_looked_at) {
                let ends = place(frame, world);
                let moved = ends.iter().zip(&before).map(|(is, was)| (is - was).norm());
                let moved = moved.fold(0.0, f64::max);
                if is_near(world, SLACK + moved / arm_len) {
                    near.push(frame);
                }
                before = ends;
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
