//! What the hands are near, as far as the source alone says it: when and how much a target's hands are to touch what the
//! source's do. Frames in which they are near nothing, which are most, need no look at the target.

use super::look::Found;
use super::near;
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

/// The nearness in every frame; none outside what was found near. The `joints` of the source are those of its proxy and
/// all above them.
pub(super) fn over(
    source: &Clip,
    proxy: &[BodyProxy; 2],
    joints: &[JointId],
    found: &Found,
) -> Vec<Nearness> {
    let [own, other] = proxy;
    let (skeleton, sinks_below) = (source.skeleton(), trunk::sinks_below(proxy));
    let of_pose = |frame: usize, world: &WorldPose, rests: &mut RestLook| {
        let trunk = own.trunk.shape(world);
        let sinks = |arm| sinks_below.map_or(0.0, |most| trunk::sinks(most, arm, world, &trunk));
        let hands = near::hands(&own.arms, world, 0.0);
        let sinks = own.arms.each_ref().map(sinks);
        let mut nearness = Nearness { hands, sinks, ..Nearness::default() };
        if !found.could_touch(frame) {
            return nearness;
        }
        for side in Side::BOTH {
            let (arm, i) = (&own.arms[side.index()], side.index());
            let near = near::parts(own, side, &trunk, world, 0.0);
            // What the target's body lacks nothing touches.
            for near in near.filter(|near| other.parts().any(|part| part == near.part)) {
                let rests = rests.about(frame).on(arm, side, near.place);
                let is_near = near.surface * near::free(near.part, near.lifted, hands, rests);
                if is_near > nearness.body[i] {
                    (nearness.body[i], nearness.part[i]) = (is_near, Some(near.part));
                }
            }
        }
        nearness
    };
    let blocks: Vec<Range<usize>> = found.near.iter().flat_map(cut).collect();
    let near = blocks::map(
        blocks.clone(),
        || {
            let (pose, world) = (Pose::rest(skeleton), WorldPose::new(skeleton.len()));
            (pose, world, RestLook::new(source, own, joints))
        },
        |(pose, world, rests), block: Range<usize>| {
            rests.go_to(&block);
            let of_frame = |frame: usize| {
                source.read_pose(frame, pose);
                world.set_joints(skeleton, pose, joints);
                of_pose(frame, world, rests)
            };
            block.map(of_frame).collect::<Vec<_>>()
        },
    );
    let mut over = vec![Nearness::default(); source.len()];
    blocks.into_iter().zip(near).for_each(|(block, near)| over[block].copy_from_slice(&near));
    over
}

/// A stretch of a clip in blocks.
pub(super) fn cut(stretch: &Range<usize>) -> Vec<Range<usize>> {
    let blocks = blocks::of_frames(stretch.len()).into_iter();
    blocks.map(|block| stretch.start + block.start..stretch.start + block.end).collect()
}
