//! What the hands are near, as far as the source alone says it: when and how much a target's hands are to touch what the
//! source's do. Frames in which they are near nothing, which are most, need no look at the target.

use super::look::Found;
use super::near::{self, NearPart};
use super::rest::RestLook;
use super::trunk;
use crate::blocks;
use crate::clip::Clip;
use crate::pose::{Pose, WorldPose};
use crate::rig::{BodyPart, BodyProxy, Side};
use crate::skeleton::JointId;
use std::ops::Range;

/// What the hands are near in one pose of the source, from 0 to 1 each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Nearness {
    /// How near the hands are to each other.
    pub hands: f64,
    /// How near each is to the body, and to what of it.
    pub body: [f64; 2],
    pub part: [Option<BodyPart>; 2],
    /// How much each arm has to be kept out of the trunk.
    pub sinks: [f64; 2],
}

impl Nearness {
    /// Whether anything moves a hand for it.
    pub fn is_any(&self) -> bool {
        let Self { hands, body, sinks, .. } = self;
        *hands > 0.0 || body.iter().chain(sinks).any(|near| *near > 0.0)
    }
}

/// The nearness in every frame; none but where it was found near. The `joints` of the source are those of its proxy and
/// all above them.
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
                        // What the target's body lacks nothing touches.
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
            // By now the poses of most frames before and after are known.
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
    over
}
