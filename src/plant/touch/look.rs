//! A quick look at the source that finds when hands could touch anything, or arms could sink into a target's trunk.
//!
//! Clips in which nothing is near, which are most, cost no more than this: some ten poses a second.

use super::near;
use super::trunk::{clearance, sinks_below};
use crate::blocks;
use crate::clip::Clip;
use crate::pose::{Pose, WorldPose};
use crate::rig::{BodyProxy, Shape, Side};
use crate::skeleton::JointId;
use std::ops::Range;

/// Time between two looks, seconds.
const STEP_S: f64 = 0.1;

/// How much nearer a hand may come between two looks than its movement between them shows, arm lengths.
const SLACK: f64 = 0.05;

/// How much nearer to the trunk an arm may come between two looks than its movement between them shows, arm lengths.
const SINK_SLACK: f64 = 0.015;

/// What a look found.
pub(super) struct Found {
    /// Frames in which a hand could touch something or an arm sink into the trunk, up to the next look to either side.
    pub nearest: Vec<Range<usize>>,
    /// The same with all frames around them that they influence.
    pub near: Vec<Range<usize>>,
    /// Those of `near` in which a hand could touch something.
    touching: Vec<Range<usize>>,
}

impl Found {
    /// Whether a hand could touch something near a frame.
    pub fn could_touch(&self, frame: usize) -> bool {
        let next = self.touching.partition_point(|range| range.end <= frame);
        self.touching.get(next).is_some_and(|range| range.contains(&frame))
    }
}

/// Searches the source, with `around` frames added to either side. `joints` are those of the source's body proxy and
/// all their ancestors.
pub(super) fn look(
    source: &Clip,
    proxy: &[BodyProxy; 2],
    joints: &[JointId],
    around: usize,
) -> Found {
    let [own, _] = proxy;
    let skeleton = source.skeleton();
    let step = ((STEP_S / source.frame_time().seconds()).round() as usize).max(1);
    let sinks_below = sinks_below(proxy);
    let arm_len = (own.arms[0].len() + own.arms[1].len()) / 2.0;
    let can_touch = |world: &WorldPose, trunk: &Shape, slack: f64| {
        let on_body = |side: Side| near::parts(own, side, trunk, world, slack).next().is_some();
        near::hands(&own.arms, world, slack) > 0.0 || Side::BOTH.into_iter().any(on_body)
    };
    // The distance of the arms from the trunk, if it matters.
    let off_trunk = |world: &WorldPose, trunk: &Shape| match sinks_below {
        Some(_) => own.arms.each_ref().map(|arm| clearance(arm, world, trunk)),
        None => [f64::INFINITY; 2],
    };
    // Between two looks an arm comes nearer than at both by at most an eighth of the second difference, if it moves as
    // evenly as from look to look.
    let sinks = |[is, was, before]: [f64; 3]| {
        let nearest = is.min(was) - (is - 2.0 * was + before).abs() / 8.0;
        sinks_below.is_some_and(|most| nearest < most + SINK_SLACK * arm_len)
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
                world.set_joints(skeleton, pose, joints);
                let trunk = own.trunk.shape(world);
                (trunk, own.ends(world), off_trunk(world, &trunk))
            };
            let (_, mut before, mut was_off) = place(block.start.saturating_sub(step), world);
            let mut before_off = was_off;
            for frame in block.filter(is_looked_at) {
                let (trunk, ends, off) = place(frame, world);
                let moved = ends.iter().zip(&before).map(|(is, was)| (is - was).norm());
                let moved = moved.fold(0.0, f64::max);
                let touches = can_touch(world, &trunk, SLACK + moved / arm_len);
                if touches
                    || [0, 1].map(|i| [off[i], was_off[i], before_off[i]]).into_iter().any(sinks)
                {
                    near.push((frame, touches));
                }
                (before, before_off, was_off) = (ends, was_off, off);
            }
            near
        },
    );
    let ranges = |around: usize, of: &dyn Fn(bool) -> bool| {
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
    Found {
        nearest: ranges(step - 1, &|_| true),
        near: ranges(around + step, &|_| true),
        touching: ranges(around + step, &|touches| touches),
    }
}
