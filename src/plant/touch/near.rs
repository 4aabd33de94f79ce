//! Nearness of a source's hands to each other and to the body, as weights from 0 to 1 that depend on one pose alone.

use crate::math::{Vec3, curve};
use crate::pose::WorldPose;
use crate::rig::{Arm, BodyPart, BodyProxy, Shape, Side, off_segment};

/// Distances between the axes of two hands, arm lengths: up to the first the hands touch (weight 1), from the second on
/// they do not (weight 0). The axes of two palms that meet are some 4 cm apart, on arms of 55 cm.
const HANDS: [f64; 2] = [0.12, 0.25];
/// Distances of a hand from the surface of a part of the body, arm lengths, in the same order. The body proxy is exact
/// to some centimetres only.
const BODY: [f64; 2] = [0.06, 0.14];
/// An arm hangs where it is straight (the share of its length that it spans), points down the trunk (a cosine), and a
/// leg points down the trunk too (a cosine). Below the first value it does not hang, above the second it does.
const STRAIGHT_ARM: [f64; 2] = [0.8, 0.9];
const ALONG_TRUNK: [f64; 2] = [0.7, 0.87];
const LEG: [f64; 2] = [0.2, 0.5];

/// The places along a hand at which its nearness to the body is measured, from 0 at the wrist to 1 at the finger tips.
pub(super) const POINTS: [f64; 4] = [0.0, 0.35, 0.7, 1.0];

/// Points of a hand from its wrist to its finger tips.
pub(super) fn points([wrist, tips]: [Vec3; 2]) -> [Vec3; POINTS.len()] {
    POINTS.map(|share| wrist.lerp(&tips, share))
}

/// The weight of a `distance`, arm lengths: 1 up to `near`, 0 from `far` on. A quick look adds its `slack` to `far`.
fn weight([near, far]: [f64; 2], distance: f64, slack: f64) -> f64 {
    curve::ramp(distance, far + slack, near)
}

/// The nearness of two hands.
pub(super) fn hands(arms: &[Arm; 2], world: &WorldPose, slack: f64) -> f64 {
    let [left, right] = arms.each_ref().map(|arm| arm.hand(world));
    let len = (arms[0].len() + arms[1].len()) / 2.0;
    // No two points are nearer than the middles of both hands minus half of each length.
    let [(a, a_half), (b, b_half)] = [middle(left), middle(right)];
    if (a - b).norm() - a_half - b_half > (HANDS[1] + slack) * len {
        return 0.0;
    }
    weight(HANDS, apart(left, right) / len, slack)
}

/// The middle of a hand, and half its length.
pub(super) fn middle([wrist, tips]: [Vec3; 2]) -> (Vec3, f64) {
    ((wrist + tips) / 2.0, (tips - wrist).norm() / 2.0)
}

/// The distance of two hands, from axis to axis.
fn apart(a: [Vec3; 2], b: [Vec3; 2]) -> f64 {
    let of = |hand: [Vec3; 2], other| points(hand).map(|p| off_segment(p, other).norm());
    of(a, b).into_iter().chain(of(b, a)).fold(f64::INFINITY, f64::min)
}

/// The nearness of a point to a part's surface, `distance` from it in arm lengths.
pub(super) fn surface(distance: f64, slack: f64) -> f64 {
    weight(BODY, distance, slack)
}

/// How much an arm hangs down the trunk, from 0 to 1.
pub(super) fn hangs(arm: &Arm, trunk: &Shape, world: &WorldPose) -> f64 {
    let way = world.position(arm.joints[2]) - world.position(arm.joints[0]);
    let straight = curve::ramp(way.norm() / arm.len(), STRAIGHT_ARM[0], STRAIGHT_ARM[1]);
    let cosine = way.dot(&-trunk.axis()) / way.norm().max(1e-300);
    straight * curve::ramp(cosine, ALONG_TRUNK[0], ALONG_TRUNK[1])
}

/// How far an arm is from hanging beside a part, from 0 to 1: the trunk, or a leg that points down the trunk. A hand
/// that swings past a thigh does not touch it.
pub(super) fn lifted(hangs: f64, part: BodyPart, shape: &Shape, trunk: &Shape) -> f64 {
    1.0 - match part {
        BodyPart::Trunk => hangs,
        // The thighs of a seated body do not point down the trunk.
        BodyPart::Thigh(_) | BodyPart::Shin(_) => {
            hangs * curve::ramp(shape.axis().dot(&-trunk.axis()), LEG[0], LEG[1])
        }
        _ => 0.0,
    }
}

/// How much a hand can touch a part, apart from the distance. Hands that meet, with the nearness `hands`, hold each
/// other and touch no arm.
pub(super) fn free(part: BodyPart, lifted: f64, hands: f64, rests: f64) -> f64 {
    let apart = if part.arm().is_some() { 1.0 - hands } else { 1.0 };
    lifted * apart * rests
}

/// Whether a side's hand can touch a part: any but its own arm.
pub(super) fn concerns(part: BodyPart, side: Side) -> bool {
    part.arm() != Some(side)
}

/// A part that a hand is near.
pub(super) struct NearPart {
    pub part: BodyPart,
    /// Its index in the order of a body's parts.
    pub place: usize,
    /// The nearness of its surface, above 0.
    pub surface: f64,
    /// How far the arm is from hanging beside it, above 0.
    pub lifted: f64,
}

/// The parts of the body that a hand is near.
pub(super) fn parts<'a>(
    proxy: &'a BodyProxy,
    side: Side,
    trunk: &'a Shape,
    world: &'a WorldPose,
    slack: f64,
) -> impl Iterator<Item = NearPart> + 'a {
    let arm = &proxy.arms[side.index()];
    let hand = arm.hand(world);
    let (points, (middle, half_len)) = (points(hand), middle(hand));
    let near_len = (BODY[1] + slack) * arm.len();
    let hangs = hangs(arm, trunk, world);
    let near = move |(place, part): (usize, BodyPart)| {
        // A part that is too far away, and an arm that hangs, need no exact distance.
        let is_about = || match part {
            BodyPart::Trunk => trunk.is_about(middle, half_len, near_len),
            _ => proxy.is_about(place, world, middle, half_len + near_len),
        };
        if !concerns(part, side) || !is_about() {
            return None;
        }
        let shape = match part {
            BodyPart::Trunk => *trunk,
            _ => proxy.shape_at(place, world),
        };
        let lifted = lifted(hangs, part, &shape, trunk);
        if lifted == 0.0 {
            return None;
        }
        let of_point =
            |point: &Vec3| surface(shape.distance(&shape.place(*point)) / arm.len(), slack);
        let surface = points.iter().map(of_point).fold(0.0, f64::max);
        (surface > 0.0).then_some(NearPart { part, place, surface, lifted })
    };
    proxy.parts().enumerate().filter_map(near)
}
