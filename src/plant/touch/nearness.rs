//! Nearness of hands in the source alone: when and with which weight a target's hands touch what the source's do. In
//! frames without nearness, which are most, the target is not computed.

use super::look::{self, Found};
use super::near::{self, NearPart};
use super::rest::RestLook;
use super::samples::Samples;
use crate::blocks;
use crate::clip::Clip;
use crate::math::curve;
use crate::pose::WorldPose;
use crate::rig::{BodyPart, BodyProxy, Shape, Side};
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
}

impl Nearness {
    /// Whether anything is near that may move a hand.
    pub fn is_any(&self) -> bool {
        let Self { hands, body, .. } = self;
        *hands > 0.0 || body.iter().any(|near| *near > 0.0)
    }
}

/// The nearness in every frame; 0 outside of the frames in which the quick look `found` that a hand could touch something.
/// `joints` are those of the source's body proxy and all their ancestors.
pub(super) fn over(
    source: &Clip,
    proxy: &[BodyProxy; 2],
    joints: &[JointId],
    found: &Found,
) -> Vec<Nearness> {
    let [own, _] = proxy;
    let radius = ((LASTS_S / source.frame_time().seconds()).round() as usize).max(1);
    let samples = Samples::new(2 * radius + 1, source);
    let (skeleton, arm_len) = (source.skeleton(), own.mean_arm_len());
    let arm_joints = skeleton.with_ancestors(own.arm_joints());
    let blocks: Vec<Range<usize>> =
        found.touching.iter().cloned().flat_map(blocks::of_range).collect();
    let near = blocks::map(
        blocks.clone(),
        || (WorldPose::new(skeleton.len()), BodyLook::new(source, proxy, joints)),
        |(world, body), block: Range<usize>| {
            // A touch that lasts is in at least one sample, so that a frame needs a look only if one beside it has a touch.
            let about = samples.about(&block);
            body.rests.go_to(&about);
            let (mut before, mut meeting) = (None, Vec::new());
            for frame in about.filter(|frame| samples.holds(*frame)) {
                source.place_joints(frame, joints, world);
                let [left, right, ..] = own.ends(world);
                let wrists = [left, right];
                let slack = look::slack(&wrists, &before.unwrap_or(wrists), arm_len);
                if near::hands(&own.arms, world, slack) > 0.0 {
                    meeting.push(frame);
                }
                before = Some(wrists);
                body.see(frame, &own.trunk.shape(world), near::hands(&own.arms, world, 0.0), world);
            }
            let touched: Vec<usize> = body.drain().map(|touch| touch.frame).collect();
            let of_frame = |frame: usize| {
                let is_asked = samples.ask(frame, &touched);
                if !is_asked && !samples.ask(frame, &meeting) {
                    return Nearness::default();
                }
                let looked_at = if is_asked { joints } else { &arm_joints };
                source.place_joints(frame, looked_at, world);
                let hands = near::hands(&own.arms, world, 0.0);
                if is_asked {
                    body.see(frame, &own.trunk.shape(world), hands, world);
                }
                Nearness { hands, ..Nearness::default() }
            };
            let mut near: Vec<Nearness> = block.clone().map(of_frame).collect();
            for Touch { frame, side, part, near: is_near } in body.drain() {
                let (near, i) = (&mut near[frame - block.start], side.index());
                if is_near > near.body[i] {
                    (near.body[i], near.part[i]) = (is_near, Some(part));
                }
            }
            near
        },
    );
    let mut over = vec![Nearness::default(); source.len()];
    blocks.into_iter().zip(near).for_each(|(block, near)| over[block].copy_from_slice(&near));
    for side in Side::BOTH.map(Side::index) {
        let body: Vec<f64> = over.iter().map(|near| near.body[side]).collect();
        if body.iter().all(|near| *near == 0.0) {
            continue;
        }
        let lasting = curve::lasting(&body, radius);
        over.iter_mut().zip(lasting).for_each(|(near, lasting)| near.body[side] = lasting);
    }
    over
}

/// The nearness of a hand to a part of the body in one frame, above 0.
struct Touch {
    frame: usize,
    side: Side,
    part: BodyPart,
    near: f64,
}

/// Looks at hands on the body, first at where they are, then at how they rest there: by then the poses of most frames
/// before and after are known.
struct BodyLook<'a> {
    proxy: &'a [BodyProxy; 2],
    rests: RestLook<'a>,
    /// The parts that are near in the frames seen, with the nearness of the hands to each other.
    seen: Vec<(usize, Side, f64, NearPart)>,
}

impl<'a> BodyLook<'a> {
    fn new(source: &'a Clip, proxy: &'a [BodyProxy; 2], joints: &'a [JointId]) -> Self {
        Self { proxy, rests: RestLook::new(source, &proxy[0], joints), seen: Vec::new() }
    }

    /// Notes what is near in a frame.
    fn see(&mut self, frame: usize, trunk: &Shape, hands: f64, world: &WorldPose) {
        let [own, other] = self.proxy;
        for side in Side::BOTH {
            let parts = near::parts(own, side, trunk, world, 0.0);
            // Parts that the target lacks cannot be touched.
            for near in parts.filter(|near| other.parts().any(|of| of == near.part)) {
                self.rests.ask(side, near.place);
                self.seen.push((frame, side, hands, near));
            }
        }
        self.rests.note(frame, world);
    }

    /// What the hands touch in the frames seen since the last call.
    fn drain(&mut self) -> impl Iterator<Item = Touch> {
        let Self { rests, seen, .. } = self;
        seen.drain(..).filter_map(|(frame, side, hands, near)| {
            let NearPart { part, place, surface, lifted } = near;
            let rests = rests.on(frame, side, place);
            let near = surface * near::free(part, lifted, hands, rests);
            (near > 0.0).then_some(Touch { frame, side, part, near })
        })
    }
}
