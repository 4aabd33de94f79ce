//! Nearness of a source's hands to each other and to the body, as weights from 0 to 1 that depend on one pose alone.

use crate::math::{Vec3, curve};
use crate::pose::WorldPose;
use crate::rig::{Arm, BodyPart, BodyProxy, Shape, Side};

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

/// The weight of a `distance` between the two that are given, arm lengths; a quick look adds its `slack` to the second.
fn weight([near, far]: [f64; 2], distance: f64, slack: f64) -> f64 {
    curve::ramp(distance, far + slack, near)
}

/// How near two hands are.
pub(super) fn hands(arms: &[Arm; 2], world: &WorldPose, slack: f64) -> f64 {
    let [left, right] = arms.each_ref().map(|arm| arm.hand(world));
    let len = (arms[0].len() + arms[1].len()) / 2.0;
    weight(HANDS, apart(left, right) / len, slack)
}

/// The distance of two hands, from axis to axis.
fn apart(a: [Vec3; 2], b: [Vec3; 2]) -> f64 {
    let off = |point: &Vec3, [from, to]: [Vec3; 2]| {
        let way = to - from;
        let share = (point - from).dot(&way) / way.norm_squared().max(1e-300);
        (point - from - way * share.clamp(0.0, 1.0)).norm()
    };
    let of = |hand: [Vec3; 2], other| points(hand).map(|p| off(&p, other));
    of(a, b).into_iter().chain(of(b, a)).fold(f64::INFINITY, f64::min)
}

/// How near a place is to a part's surface, `distance` off it in arm lengths.
pub(super) fn surface(distance: f64, slack: f64) -> f64 {
    weight(BODY, distance, slack)
}

/// How far an arm is from hanging beside the trunk and a part of it, or a leg: a hand that swings past a thigh does
/// not touch it.
pub(super) fn lifted(
    arm: &Arm,
    part: BodyPart,
    shape: &Shape,
    trunk: &Shape,
    world: &WorldPose,
) -> f64 {
    let way = world.position(arm.joints[2]) - world.position(arm.joints[0]);
    let straight = curve::ramp(way.norm() / arm.len(), STRAIGHT_ARM[0], STRAIGHT_ARM[1]);
    let down = -trunk.axis();
    let along =
        curve::ramp(way.dot(&down) / way.norm().max(1e-300), ALONG_TRUNK[0], ALONG_TRUNK[1]);
    let hangs = match part {
        BodyPart::Trunk => straight * along,
        // The legs of a body that sits point elsewhere.
        BodyPart::Thigh(_) | BodyPart::Shin(_) => {
            straight * along * curve::ramp(shape.axis().dot(&down), LEG[0], LEG[1])
        }
        _ => 0.0,
    };
    1.0 - hangs
}

/// Ways of a hand over a part within [`REST_S`], arm lengths: below the first the hand rests (weight 1), from the
/// second on it does not (weight 0).
const RESTS: [f64; 2] = [0.06, 0.12];

/// The time before and after a frame over which a hand must rest on the body, seconds.
pub(super) const REST_S: f64 = 0.2;

/// Where the middles of both hands are on every part of a body, in the order of its parts.
pub(super) type Ways = [[Vec3; BodyPart::COUNT]; 2];

/// Those of a pose of the source.
pub(super) fn ways(proxy: &BodyProxy, world: &WorldPose) -> Ways {
    let middles = proxy.arms.each_ref().map(|arm| {
        let [wrist, tips] = arm.hand(world);
        (wrist + tips) / 2.0
    });
    let mut ways = [[Vec3::zeros(); BodyPart::COUNT]; 2];
    for (i, (part, shape)) in proxy.shapes(world).enumerate() {
        for side in Side::BOTH.into_iter().filter(|side| concerns(part, *side)) {
            let middle = middles[side.index()];
            ways[side.index()][i] = shape.way(&shape.place(middle));
        }
    }
    ways
}

/// How much a hand rests on a part, from 0 to 1, by where it is on it before, in, and after a frame. A hand that passes
/// a part by does not touch it.
pub(super) fn rests(arm: &Arm, [before, is, after]: [Vec3; 3]) -> f64 {
    let moved = (before - is).norm().max((after - is).norm()) / arm.len();
    curve::ramp(moved, RESTS[1], RESTS[0])
}

/// Whether a side's hand can touch a part: any but its own arm.
pub(super) fn concerns(part: BodyPart, side: Side) -> bool {
    part.arm() != Some(side)
}

/// How near a hand is to any part of the body.
pub(super) fn body(
    proxy: &BodyProxy,
    side: Side,
    trunk: &Shape,
    world: &WorldPose,
    slack: f64,
) -> f64 {
    let arm = &proxy.arms[side.index()];
    let hand = arm.hand(world);
    let points = points(hand);
    let around = (hand[1] - hand[0]).norm() + (BODY[1] + slack) * arm.len();
    let near = |part: BodyPart| {
        // A part that is too far off, and an arm that hangs, need no closer look.
        if !proxy.is_about(part, world, hand[0], around) {
            return None;
        }
        let shape = proxy.shape(part, world)?;
        let lifted = lifted(arm, part, &shape, trunk, world);
        if lifted == 0.0 {
            return None;
        }
        let of_point = |point: &Vec3| shape.distance(&shape.place(*point)) / arm.len();
        let distance = points.iter().map(of_point).fold(f64::INFINITY, f64::min);
        Some(surface(distance, slack) * lifted)
    };
    let parts = proxy.parts().filter(|part| concerns(*part, side));
    parts.filter_map(near).fold(0.0, f64::max)
}
