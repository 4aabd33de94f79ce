//! How near a source's hands are to each other and to the body, as weights from 0 to 1: functions of one pose.

use crate::math::{Vec3, curve};
use crate::pose::WorldPose;
use crate::rig::{Arm, BodyPart, BodyProxy, Shape, Side};

/// From here a hand touches another, or nearly so, and up to there it has to do with it; from axis to axis, arm
/// lengths. Two palms that meet are some 4 cm apart, in arms of 55 cm.
const HANDS: [f64; 2] = [0.12, 0.25];
/// The same off the surface of a part of the body, which is but a model of some centimetres.
const BODY: [f64; 2] = [0.06, 0.14];
/// An arm hangs the more, the straighter it is, the more it leads down the trunk, and the more a leg does: a share of
/// its length, and cosines.
const STRAIGHT_ARM: [f64; 2] = [0.8, 0.9];
const ALONG_TRUNK: [f64; 2] = [0.7, 0.87];
const LEG: [f64; 2] = [0.2, 0.5];

/// Where along a hand it is held against the body, from the wrist to the finger tips.
pub(super) const POINTS: [f64; 4] = [0.0, 0.35, 0.7, 1.0];

/// Points of a hand from its wrist to its finger tips.
pub(super) fn points([wrist, tips]: [Vec3; 2]) -> [Vec3; POINTS.len()] {
    POINTS.map(|share| wrist.lerp(&tips, share))
}

/// How near a body is to something, past what counts: `slack` of a quick look is on top, arm lengths.
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
        // Of one who sits the legs point elsewhere.
        BodyPart::Thigh(_) | BodyPart::Shin(_) => {
            straight * along * curve::ramp(shape.axis().dot(&down), LEG[0], LEG[1])
        }
        _ => 0.0,
    };
    1.0 - hangs
}

/// A hand rests on a part that moves less than the one over [`REST_S`], and less the more up to the other; arm lengths.
const RESTS: [f64; 2] = [0.06, 0.12];

/// How long a hand that rests on the body has done so, and will, seconds.
pub(super) const REST_S: f64 = 0.2;

/// How far a hand rests on a part, in the source's poses some time before, in, and after a frame: one that passes it
/// by does not touch it.
pub(super) fn rests(proxy: &BodyProxy, part: BodyPart, arm: &Arm, worlds: [&WorldPose; 3]) -> f64 {
    let way = |world: &WorldPose| {
        let [wrist, tips] = arm.hand(world);
        let shape = proxy.shape(part, world)?;
        Some(shape.way(&shape.place((wrist + tips) / 2.0)))
    };
    let [Some(before), Some(is), Some(after)] = worlds.map(way) else { return 0.0 };
    let moved = (before - is).norm().max((after - is).norm()) / arm.len();
    curve::ramp(moved, RESTS[1], RESTS[0])
}

/// Whether a side's hand has to do with a part at all: not with the own arm.
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
        // What is too far off, or hangs, is not looked at closely.
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
