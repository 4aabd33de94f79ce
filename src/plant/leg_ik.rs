//! Leg IK: moves a foot to its goal in closed form by hip and knee, which keeps the side to which it is bent.

use super::limb_ik::{bent, set_limb, turn_limb};
use super::reach::saturated;
use super::sole::FootGoal;
use super::transferred::{Knee, Leg};
use crate::math::rotation_between;
use crate::pose::WorldPose;
use crate::skeleton::Skeleton;

/// Moves a leg's ankle to its goal, or as near as the leg reaches, by hip and knee alone, and gives the foot its goal's
/// rotation.
///
/// The leg turns about its hip until it points at the goal. The knee keeps the direction of its bend, on the side that
/// the goal states, and bends further about its own axis. If the goal is where the foot already is, the leg stays as
/// transferred.
pub(super) fn reach_with_leg(
    skeleton: &Skeleton,
    leg: &Leg,
    foot: &FootGoal,
    world: &mut WorldPose,
) {
    let (Some(Knee { shin, thigh_axis, outwards, bones: folding, .. }), 3) =
        (leg.knee, leg.joints.len())
    else {
        aim_leg(skeleton, leg, foot, world);
        return;
    };
    let joints = [leg.hip(), shin, leg.ankle];
    let [hip, knee, ankle] = joints.map(|id| world.position(id));
    let bones = [(knee - hip).norm(), (ankle - knee).norm()];
    let way = folding.reached(ankle - hip, foot.ankle - hip);
    let Some(line) = way.try_normalize(1e-9 * leg.len) else { return };
    let swing = rotation_between(ankle - hip, line);
    let Some(ahead) =
        line.cross(&(swing * (world.rotation(leg.hip()) * thigh_axis))).try_normalize(1e-6)
    else {
        return;
    };
    let out = ahead.cross(&line);
    let apart = (bones[0] - bones[1]).abs().max(1e-9 * leg.len);
    // A leg without length cannot bend.
    if bones[0] + bones[1] <= apart {
        return;
    }
    let distance = way.norm().clamp(apart, bones[0] + bones[1]);
    let [along, beside] = bent(bones, distance);
    let thigh = swing * (knee - hip);
    let most = FARTHER_BACK_RAD * bones[0] * bones[1] / (bones[0] + bones[1]);
    let was = [thigh.dot(&ahead), outwards * thigh.dot(&out)];
    let [forwards, outward] = aside(was, beside, foot.backwards, most);
    let aside = ahead * forwards + out * (outwards * outward);
    let aside = aside.try_normalize(1e-300).unwrap_or(ahead) * beside;
    let places = [hip + line * along + aside, hip + line * distance];
    set_limb(skeleton, joints, places, foot.foot_rotation, world);
}

/// Turns a whole leg about its hip joint, so that it points at its foot's goal.
///
/// After that the solve only bends the knee, in the plane in which the leg is bent already. So the result does not
/// depend on the end of the leg from which the solve begins.
fn aim_leg(skeleton: &Skeleton, leg: &Leg, foot: &FootGoal, world: &mut WorldPose) {
    let hip = world.position(leg.hip());
    let swing = rotation_between(world.position(leg.ankle) - hip, foot.ankle - hip);
    turn_limb(skeleton, leg.hip(), swing, world);
}

/// The most that a knee is bent farther backwards than its source's, radians (1.4°). The rest of the bend goes
/// outwards.
pub(super) const FARTHER_BACK_RAD: f64 = 0.025;

/// Weight of that rest against the backward bend itself: when the bend is scaled to the leg's length, it grows outwards
/// and hardly backwards.
const OUTWARDS: f64 = 4.0;

/// The new position of a knee beside the line from hip to ankle, forwards and outwards. `was` is its old position,
/// `beside` its new distance from the line; it moves at most `most` farther backwards.
fn aside(was: [f64; 2], beside: f64, is_backwards: f64, most: f64) -> [f64; 2] {
    let [forwards, outward] = was;
    let farther = (beside - forwards.hypot(outward)).max(0.0);
    let back = (-forwards).max(0.0) + saturated(farther, most);
    let forwards = (forwards.abs() + farther) * (1.0 - is_backwards) - back * is_backwards;
    let left = (beside - forwards.hypot(outward)).max(0.0) * is_backwards;
    [forwards, outward + OUTWARDS * left]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_knee_that_is_asked_for_nothing_stays_where_it_is() {
        for (was, is_backwards) in [([0.3, 0.1], 0.0), ([-0.3, 0.1], 1.0), ([-0.3, -0.2], 1.0)] {
            let is = aside(was, was[0].hypot(was[1]), is_backwards, 0.1);
            assert!((is[0] - was[0]).abs().max((is[1] - was[1]).abs()) < 1e-12, "{was:?}: {is:?}");
        }
    }

    #[test]
    fn a_knee_is_bent_to_the_side_that_it_is_told() {
        assert_eq!(aside([-0.3, 0.1], 0.3_f64.hypot(0.1), 0.0, 0.1), [0.3, 0.1]);
        let [forwards, outward] = aside([0.0, 0.0], 0.2, 0.5, 0.01);
        assert!(outward > forwards.abs(), "in between it goes over outwards");
    }

    #[test]
    fn a_knee_goes_hardly_farther_backwards_than_it_was() {
        for beside in [0.31, 0.35, 0.4, 0.6, 1.0] {
            let [forwards, outward] = aside([-0.3, 0.0], beside, 1.0, 0.03);
            let forwards = forwards * beside / forwards.hypot(outward);
            assert!(forwards < 0.0 && forwards > -0.345, "{forwards} of {beside}");
        }
    }
}
