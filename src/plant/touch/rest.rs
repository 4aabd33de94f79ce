//! How much a hand rests on a part of the source's body: a hand that passes a part by does not touch it.

use super::near::{concerns, middle};
use crate::clip::Clip;
use crate::math::{Vec3, curve};
use crate::pose::{Pose, WorldPose};
use crate::rig::{Arm, BodyPart, BodyProxy, Side};
use crate::skeleton::JointId;
use std::ops::Range;

/// Ways of a hand over a part within [`REST_S`], arm lengths: below the first the hand rests (weight 1), from the
/// second on it does not (weight 0).
const RESTS: [f64; 2] = [0.06, 0.12];

/// The time before and after a frame over which a hand must rest on the body, seconds.
const REST_S: f64 = 0.2;

/// Where the middles of both hands are on every part of a body, in the order of its parts.
type Ways = [[Vec3; BodyPart::COUNT]; 2];

/// Where the hands are on the source's body before, in, and after a frame.
#[derive(Clone, Copy)]
pub(super) struct Rests<'a>([&'a Ways; 3]);

impl Rests<'_> {
    /// How much a side's hand rests on the part in this place of their order, from 0 to 1.
    pub fn on(&self, arm: &Arm, side: Side, place: usize) -> f64 {
        let [before, is, after] = self.0.map(|ways| ways[side.index()][place]);
        let moved = (before - is).norm().max((after - is).norm()) / arm.len();
        curve::ramp(moved, RESTS[1], RESTS[0])
    }
}

/// Looks where the hands are, in those frames of a block, and about them, in which it is asked for.
pub(super) struct RestLook<'a> {
    source: &'a Clip,
    proxy: &'a BodyProxy,
    joints: &'a [JointId],
    /// How many frames before and after one a hand must rest.
    radius: usize,
    pose: Pose,
    world: WorldPose,
    /// The frames of the block and about it.
    frames: Range<usize>,
    /// Of these frames, and whether it was looked at them; empty until then.
    ways: Vec<Ways>,
    known: Vec<bool>,
}

impl<'a> RestLook<'a> {
    /// Of no block yet. The `joints` of the source are those of its proxy and all above them.
    pub fn new(source: &'a Clip, proxy: &'a BodyProxy, joints: &'a [JointId]) -> Self {
        let skeleton = source.skeleton();
        Self {
            source,
            proxy,
            joints,
            radius: (REST_S / source.frame_time().seconds()).round() as usize,
            pose: Pose::rest(skeleton),
            world: WorldPose::new(skeleton.len()),
            frames: 0..0,
            ways: Vec::new(),
            known: Vec::new(),
        }
    }

    /// Goes on to a block of frames.
    pub fn go_to(&mut self, block: &Range<usize>) {
        let end = (block.end + self.radius).min(self.source.len());
        self.frames = block.start.saturating_sub(self.radius)..end;
        self.known.clear();
    }

    /// Where the hands are about a frame of the block.
    pub fn about(&mut self, frame: usize) -> Rests<'_> {
        let Self { source, proxy, joints, radius, pose, world, frames, ways, known } = self;
        if known.is_empty() {
            known.resize(frames.len(), false);
            ways.resize(frames.len(), Ways::default());
        }
        let about = [frame.saturating_sub(*radius), frame, (frame + *radius).min(frames.end - 1)];
        let places = about.map(|frame| frame - frames.start);
        for place in places {
            if known[place] {
                continue;
            }
            source.read_pose(frames.start + place, pose);
            world.set_joints(source.skeleton(), pose, joints);
            (ways[place], known[place]) = (ways_of(proxy, world), true);
        }
        Rests(places.map(|place| &ways[place]))
    }
}

/// Where the hands are in a pose of the source.
fn ways_of(proxy: &BodyProxy, world: &WorldPose) -> Ways {
    let middles = proxy.arms.each_ref().map(|arm| middle(arm.hand(world)).0);
    let mut ways = Ways::default();
    for (i, (part, shape)) in proxy.shapes(world).enumerate() {
        for side in Side::BOTH.into_iter().filter(|side| concerns(part, *side)) {
            ways[side.index()][i] = shape.way(&shape.place(middles[side.index()]));
        }
    }
    ways
}
