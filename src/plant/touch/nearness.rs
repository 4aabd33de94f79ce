//! Nearness of hands in the source alone: when and with which weight a target's hands touch what the source's do. In
//! frames without nearness, which are most, the target is not computed.

use super::look::Found;
use super::near::{self, NearPart};
use super::rest::RestLook;
use super::trunk;
use crate::blocks;
use crate::clip::Clip;
use crate::math::curve;
use crate::pose::{Pose, WorldPose};
use crate::rig::{BodyPart, BodyProxy, Side};
use crate::skeleton::JointId;
use std::ops::Range;

/// A hand touches the body only where it rests on it for this long before some frame and after it, seconds: a hand that
/// swings past a thigh is at rest there for a frame or two.
const LASTS_S: f64 = 0.025;

/// Nearness of the hands in one pose of the source, from 0 to 1 each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Nearness {
    /// Nearness of the hands to each other.
    pub hands: f64,
    /// Nearness of each hand to the body, and the part that it is near.
    pub body: [f64; 2],
    pub part: [Option<BodyPart>; 2],
    /// The weight with which each arm is kept out of the trunk.
    pub sinks: [f64; 2],
}

impl Nearness {
    /// Whether anything is near that may move a hand.
    pub fn is_any(&self) -> bool {
        let Self { hands, body, sinks, .. } = self;
        *hands > 0.0 || body.iter().chain(sinks).any(|near| *near > 0.0)
    }
}

/// The nearness in every frame; 0 outside of the frames that the quick look found. `joints` are those of the source's
/// body proxy and all their ancestors.
pub(super) fn over(
    source: &Clip,
    proxy: &[BodyProxy; 2],
    joints: &[JointId],
    found: &Found,
) -> Vec<Nearness> {
    let [own, other] = proxy;
    let (skeleton, sinks_below) = (source.skeleton(), trunk::sinks_below(proxy));
    let arm_joints = skeleton.with_ancestors(own.arm_joints());
    let blocks: Vec<Range<usize>> =
        found.nearest.iter().cloned().flat_map(blocks::of_range).collect();
    let near = blocks::map(
        blocks.clone(),
        || {
            let (pose, world) = (Pose::rest(skeleton), WorldPose::new(skeleton.len()));
            (pose, world, RestLook::new(source, own, joints), Vec::new())
        },
        |(pose, world, rests, touching), block: Range<usize>| {
            rests.go_to(&block);
            touching.clear();
            let of_frame = |frame: usize| {
                let could_touch = found.could_touch(frame);
                source.read_pose(frame, pose);
                world.set_joints(skeleton, pose, if could_touch { joints } else { &arm_joints });
                let trunk = own.trunk.shape(world);
                let sinks =
                    |arm| sinks_below.map_or(0.0, |most| trunk::sinks(most, arm, world, &trunk));
                let sinks = own.arms.each_ref().map(sinks);
                let hands = near::hands(&own.arms, world, 0.0);
                if could_touch {
                    for side in Side::BOTH {
                        let parts = near::parts(own, side, &trunk, world, 0.0);
                        // Parts that the target lacks cannot be touched.
                        let parts = parts.filter(|near| other.parts().any(|of| of == near.part));
                        touching.extend(parts.map(|part| (frame, side, part)));
                    }
                    let asked = touching.iter().rev().take_while(|(of, ..)| *of == frame);
                    asked.for_each(|(_, side, part)| rests.ask(*side, part.place));
                    rests.note(frame, world);
                }
                Nearness { hands, sinks, ..Nearness::default() }
            };
            let mut near: Vec<Nearness> = block.clone().map(of_frame).collect();
            // Now the poses of most frames before and after are known.
            for (frame, side, NearPart { part, place, surface, lifted }) in touching.drain(..) {
                let (near, i) = (&mut near[frame - block.start], side.index());
                let rests = rests.on(frame, side, place);
                let is_near = surface * near::free(part, lifted, near.hands, rests);
                if is_near > near.body[i] {
                    (near.body[i], near.part[i]) = (is_near, Some(part));
                }
            }
            near
        },
    );
    let mut over = vec![Nearness::default(); source.len()];
    blocks.into_iter().zip(near).for_each(|(block, near)| over[block].copy_from_slice(&near));
    let radius = ((LASTS_S / source.frame_time().seconds()).round() as usize).max(1);
    for side in Side::BOTH.map(Side::index) {
        let body: Vec<f64> = over.iter().map(|near| near.body[side]).collect();
        let lasting = curve::lasting(&body, radius);
        over.iter_mut().zip(lasting).for_each(|(near, lasting)| near.body[side] = lasting);
    }
    over
}
