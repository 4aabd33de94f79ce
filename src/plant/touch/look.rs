//! A quick look at the source that finds when hands could touch anything, or arms could sink into a target's trunk.
//!
//! Clips in which nothing is near, which are most, cost no more than this: some ten poses a second. Of arms that could sink
//! by what the source shows [`sinking`](super::sinking) looks at the target, as often.

use super::super::contact_interval::widened;
use super::near;
use super::samples::Samples;
use super::trunk::{clearance, sinks_below};
use crate::blocks;
use crate::clip::Clip;
use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::rig::{BodyProxy, Shape, Side};
use crate::skeleton::JointId;
use std::ops::Range;

/// How much nearer a hand may come between two looks than its movement between them shows, arm lengths.
const SLACK: f64 = 0.05;

/// How much nearer a hand may come between two looks to what moves with these ends, arm lengths.
pub(super) fn slack(is: &[Vec3], was: &[Vec3], arm_len: f64) -> f64 {
    let moved = is.iter().zip(was).map(|(is, was)| (is - was).norm()).fold(0.0, f64::max);
    SLACK + moved / arm_len
}

/// How much nearer to the trunk an arm may come between two looks than its movement between them shows, arm lengths.
const SINK_SLACK: f64 = 0.015;

/// Whether an arm of this length may come nearer to the trunk than `most` between two looks, of which `is` is its distance at
/// the later one and `was` at the one before; length units. Between them it comes nearer than at both by at most an eighth of
/// the second difference, if it moves as evenly as from look to look.
pub(super) fn comes_near([is, was, before]: [f64; 3], most: f64, arm_len: f64) -> bool {
    let nearest = is.min(was) - (is - 2.0 * was + before).abs() / 8.0;
    nearest < most + SINK_SLACK * arm_len
}

/// What a look found.
pub(super) struct Found {
    /// Frames in which a hand could touch something, up to the next look to either side.
    pub touching: Vec<Range<usize>>,
    /// Frames in which an arm could sink into the trunk, up to the next look to either side.
    pub sinking: Vec<Range<usize>>,
    /// Both, with all frames around them that they influence.
    pub near: Vec<Range<usize>>,
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
    let samples = Samples::quick(source);
    let sinks_below = sinks_below(proxy);
    let arm_len = own.mean_arm_len();
    let can_touch = |world: &WorldPose, trunk: &Shape, slack: f64| {
        let on_body = |side: Side| near::parts(own, side, trunk, world, slack).next().is_some();
        near::hands(&own.arms, world, slack) > 0.0 || Side::BOTH.into_iter().any(on_body)
    };
    // The distance of the arms from the trunk, if it matters.
    let off_trunk = |world: &WorldPose, trunk: &Shape| match sinks_below {
        Some(_) => own.arms.each_ref().map(|arm| clearance(arm, world, trunk)),
        None => [f64::INFINITY; 2],
    };
    let sinks = |seen| sinks_below.is_some_and(|most| comes_near(seen, most, arm_len));
    let found = blocks::map(
        blocks::of_frames(source.len()),
        || WorldPose::new(source.skeleton().len()),
        |world, block| {
            let mut near = Vec::new();
            let place = |frame: usize, world: &mut WorldPose| {
                source.place_joints(frame, joints, world);
                let trunk = own.trunk.shape(world);
                (trunk, own.ends(world), off_trunk(world, &trunk))
            };
            let (_, mut before, mut was_off) =
                place(block.start.saturating_sub(samples.step), world);
            let mut before_off = was_off;
            for frame in block.filter(|frame| samples.holds(*frame)) {
                let (trunk, ends, off) = place(frame, world);
                let touches = can_touch(world, &trunk, slack(&ends, &before, arm_len));
                let offs = [0, 1].map(|i| [off[i], was_off[i], before_off[i]]);
                near.push((frame, touches, offs.into_iter().any(sinks)));
                (before, before_off, was_off) = (ends, was_off, off);
            }
            near
        },
    );
    let ranges = |around: usize, of: &dyn Fn(bool, bool) -> bool| {
        let found = found.iter().flatten().filter(|(_, touches, sinks)| of(*touches, *sinks));
        widened(found.map(|(frame, ..)| *frame..frame + 1), around, source.len())
    };
    Found {
        touching: ranges(samples.step - 1, &|touches, _| touches),
        sinking: ranges(samples.step - 1, &|_, sinks| sinks),
        near: ranges(around + samples.step, &|touches, sinks| touches || sinks),
    }
}
