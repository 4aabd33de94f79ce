//! A quick look at the source: when hands could touch anything, or arms sink into a target's trunk.
//!
//! Clips in which nothing is near, which are most, pay for this alone: some ten poses a second.

use super::near;
use super::trunk::{clearance, sinks_below};
use crate::binding::Binding;
use crate::blocks;
use crate::clip::Clip;
use crate::pose::{Pose, WorldPose};
use crate::rig::{BodyProxy, Side};
use crate::skeleton::JointId;
use std::ops::Range;

/// Time between two looks, seconds.
const STEP_S: f64 = 0.1;

/// What a hand may come nearer beside what it moves from one look to the next, arm lengths.
const SLACK: f64 = 0.05;

/// What a look found: frames in which a hand could touch something or an arm sink into the trunk, and those of them in
/// which a hand could touch something, each with some frames to either side.
pub(super) struct Found {
    pub near: Vec<Range<usize>>,
    touching: Vec<Range<usize>>,
}

impl Found {
    /// Whether a hand could touch something about a frame.
    pub fn could_touch(&self, frame: usize) -> bool {
        let next = self.touching.partition_point(|range| range.end <= frame);
        self.touching.get(next).is_some_and(|range| range.contains(&frame))
    }
}

/// Looks for them, with `around` frames to either side.
pub(super) fn look(
    source: &Clip,
    binding: &Binding,
    proxy: &[BodyProxy; 2],
    around: usize,
) -> Found {
    let [own, _] = proxy;
    let skeleton = &binding.source.skeleton;
    let hands = own.arms.iter().map(|arm| arm.joints[2]);
    let joints: Vec<JointId> = skeleton.with_ancestors(own.joints().chain(hands));
    let step = ((STEP_S / source.frame_time().seconds()).round() as usize).max(1);
    let sinks_below = sinks_below(proxy);
    let arm_len = (own.arms[0].len() + own.arms[1].len()) / 2.0;
    // Whether a hand could touch something, if one could or an arm could sink.
    let seen = |world: &WorldPose, slack: f64| {
        let trunk = own.trunk.shape(world);
        let on_body = |side: Side| near::body(own, side, &trunk, world, slack) > 0.0;
        let touches =
            near::hands(&own.arms, world, slack) > 0.0 || Side::BOTH.into_iter().any(on_body);
        let sinks = || {
            sinks_below.is_some_and(|most| {
                let least = own.arms.iter().map(|arm| clearance(arm, world, &trunk));
                least.fold(f64::INFINITY, f64::min) < most + slack * arm_len
            })
        };
        (touches || sinks()).then_some(touches)
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
                if let Some(touches) = seen(world, SLACK + moved / arm_len) {
                    near.push((frame, touches));
                }
                before = ends;
            }
            near
        },
    );
    let around = around + step;
    let ranges = |of: &dyn Fn(bool) -> bool| {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for &(frame, _) in found.iter().flatten().filter(|(_, touches)| of(*touches)) {
            let range = frame.saturating_sub(around)..(frame + around + 1).min(source.len());
            match ranges.last_mut() {
                Some(last) if last.end >= range.start => last.end = range.end,
                _ => ranges.push(range),
            }
        }
        ranges
    };
    Found { near: ranges(&|_| true), touching: ranges(&|touches| touches) }
}
