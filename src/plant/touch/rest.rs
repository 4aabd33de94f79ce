//! How much a hand rests on a part of the source's body: a hand that passes a part by does not touch it.

use super::near::{concerns, middle};
use crate::clip::Clip;
use crate::math::{Vec3, curve};
use crate::pose::WorldPose;
use crate::rig::{BodyPart, BodyProxy, Side};
use crate::skeleton::JointId;
use std::ops::Range;

/// Ways of a hand over a part within [`REST_S`], arm lengths: below the first the hand rests (weight 1), from the
/// second on it does not (weight 0).
const RESTS: [f64; 2] = [0.06, 0.12];

/// The time before and after a frame over which a hand must rest on the body, seconds.
const REST_S: f64 = 0.2;

/// Computes where the hands are on parts of the body, for the frames of a block, and around them, for which it is
/// asked.
pub(super) struct RestLook<'a> {
    source: &'a Clip,
    proxy: &'a BodyProxy,
    joints: &'a [JointId],
    /// The number of frames before and after a frame over which a hand must rest.
    radius: usize,
    world: WorldPose,
    /// The frames of the block and around it.
    frames: Range<usize>,
    /// Places in each of these frames; empty until something is asked for.
    seen: Vec<Seen>,
    /// The pairs of hand and part that were asked for in the block. A pose computed for one pair shows all of them.
    asked: Pairs,
}

/// The places of the middles of both hands on the parts of a body, in the order of its parts; only for pairs that are
/// known.
#[derive(Clone, Copy, Default)]
struct Seen {
    known: Pairs,
    ways: [[Vec3; BodyPart::COUNT]; 2],
}

/// Pairs of a hand and a part.
#[derive(Clone, Copy, Default)]
struct Pairs([[bool; BodyPart::COUNT]; 2]);

impl<'a> RestLook<'a> {
    /// Without a block yet. `joints` are those of the source's body proxy and all their ancestors.
    pub fn new(source: &'a Clip, proxy: &'a BodyProxy, joints: &'a [JointId]) -> Self {
        let skeleton = source.skeleton();
        Self {
            source,
            proxy,
            joints,
            radius: (REST_S / source.frame_time().seconds()).round() as usize,
            world: WorldPose::new(skeleton.len()),
            frames: 0..0,
            seen: Vec::new(),
            asked: Pairs::default(),
        }
    }

    /// Goes on to a block of frames.
    pub fn go_to(&mut self, block: &Range<usize>) {
        let end = (block.end + self.radius).min(self.source.len());
        self.frames = block.start.saturating_sub(self.radius)..end;
        self.seen.clear();
        self.asked = Pairs::default();
    }

    /// Announces that a side's hand will be asked for on all parts.
    pub fn ask_all(&mut self, side: Side) {
        self.asked.0[side.index()] = [true; BodyPart::COUNT];
    }

    /// Announces that a side's hand will be asked for on the part with this index.
    pub fn ask(&mut self, side: Side, place: usize) {
        self.asked.0[side.index()][place] = true;
        self.seen.resize(self.frames.len(), Seen::default());
    }

    /// Reads what will be asked for from a frame's pose that is computed anyway.
    pub fn note(&mut self, frame: usize, world: &WorldPose) {
        if let Some(seen) = self.seen.get_mut(frame - self.frames.start) {
            seen.see(self.proxy, world, &self.asked);
        }
    }

    /// How much a side's hand rests on the part with this index in a frame of the block, from 0 to 1.
    pub fn on(&mut self, frame: usize, side: Side, place: usize) -> f64 {
        self.ask(side, place);
        let hand = side.index();
        let (radius, last) = (self.radius, self.frames.end - 1);
        let about = [frame.saturating_sub(radius), frame, (frame + radius).min(last)];
        let [before, is, after] = about.map(|frame| {
            let i = frame - self.frames.start;
            if !self.seen[i].known.0[hand][place] {
                self.see(frame);
            }
            self.seen[i].ways[hand][place]
        });
        let moved = (before - is).norm().max((after - is).norm());
        curve::ramp(moved / self.proxy.arms[hand].len(), RESTS[1], RESTS[0])
    }

    /// Computes all pairs that were asked for in a frame that is not known yet.
    fn see(&mut self, frame: usize) {
        let Self { source, proxy, joints, world, asked, .. } = self;
        source.place_joints(frame, joints, world);
        self.seen[frame - self.frames.start].see(proxy, world, asked);
    }
}

impl Seen {
    fn see(&mut self, proxy: &BodyProxy, world: &WorldPose, asked: &Pairs) {
        let middles = proxy.arms.each_ref().map(|arm| middle(arm.hand(world)).0);
        for (place, part) in proxy.parts().enumerate() {
            let is_new = |side: Side| {
                let hand = side.index();
                asked.0[hand][place] && !self.known.0[hand][place] && concerns(part, side)
            };
            let new = Side::BOTH.map(is_new);
            if new == [false; 2] {
                continue;
            }
            let shape = proxy.shape_at(place, world);
            for hand in [0, 1].into_iter().filter(|hand| new[*hand]) {
                self.ways[hand][place] = shape.way(&shape.place(middles[hand]));
                self.known.0[hand][place] = true;
            }
        }
    }
}
