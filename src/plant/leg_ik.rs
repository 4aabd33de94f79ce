//! Leg IK: moves a foot to its goal in closed form by hip and knee, which keeps the side to which it is bent.

use super::limb_ik::{bent, set_limb, turn_limb};
use super::sole::FootGoal;
use super::transferred::{Knee, Leg};
use crate::math::{Quat, Vec3, rotation_between, saturated};
use crate::pose::WorldPose;
use crate::skeleton::Skeleton;

/// Moves a leg's ankle to its goal, or as near as the leg reaches, by hip and knee alone, and gives the foot its goal's
/// rotation.
///
/// The leg turns about its hip until it points at the goal. The knee keeps the direction of its bend, on the side that
/// the goal states, and bends further about its own axis; then the leg swivels about the line from hip to goal. If the
/// goal is where the foot already is, the leg stays as transferred.
pub(super) fn reach_with_leg(
    skeleton: &Skeleton,
    leg: &Leg,
    foot: &FootGoal,
    world: &mut WorldPose,
) {
    let (Some(knee @ Knee { shin, thigh_axis, .. }), 3) = (leg.knee, leg.joints.len()) else {
        aim_leg(skeleton, leg, foot, world);
        return;
    };
    let joints = [leg.hip(), shin, leg.ankle];
    let was = joints.map(|id| world.position(id));
    let axis = world.rotation(leg.hip()) * thigh_axis;
    let Some(Reached { line, distance, along, beside }) = reached(&knee, was, axis, foot) else {
        return;
    };
    let swivel = Quat::from_scaled_axis(line * foot.swivel_rad);
    let places = [was[0] + line * along + swivel * beside, was[0] + line * distance];
    set_limb(skeleton, joints, places, foot.foot_rotation, world);
}

/// Where a leg is that reaches for its foot's goal, from its hip.
pub(super) struct Reached {
    /// The direction of the ankle, and how far it is away.
    pub line: Vec3,
    pub distance: f64,
    /// The knee along that line, and from there.
    pub along: f64,
    pub beside: Vec3,
}

impl Reached {
    /// The knee, from the hip.
    pub fn knee(&self) -> Vec3 {
        self.line * self.along + self.beside
    }
}

/// Where a leg with a knee that was at the places `was` (hip, knee, ankle) reaches for its foot's goal, before it swivels.
/// `axis` is the thigh's bend axis, world. `None` where it cannot bend or has no direction.
pub(super) fn reached(
    leg: &Knee,
    [hip, knee, ankle]: [Vec3; 3],
    axis: Vec3,
    foot: &FootGoal,
) -> Option<Reached> {
    let bones = [(knee - hip).norm(), (ankle - knee).norm()];
    let len = bones[0] + bones[1];
    let way = leg.bones.reached(ankle - hip, foot.ankle - hip);
    let line = way.try_normalize(1e-9 * len)?;
    let swing = rotation_between(ankle - hip, line);
    let ahead = line.cross(&(swing * axis)).try_normalize(1e-6)?;
    let out = ahead.cross(&line);
    let apart = (bones[0] - bones[1]).abs().max(1e-9 * len);
    // A leg without length cannot bend.
    if len <= apart {
        return None;
    }
    let distance = way.norm().clamp(apart, len);
    let [along, beside] = bent(bones, distance);
    let thigh = swing * (knee - hip);
    let most = FARTHER_BACK_RAD * bones[0] * bones[1] / len;
    let was = [thigh.dot(&ahead), leg.outwards * thigh.dot(&out)];
    let [forwards, outward] = aside(was, beside, foot.backwards, most);
    let aside = ahead * forwards + out * (leg.outwards * outward);
    let beside = aside.try_normalize(1e-300).unwrap_or(ahead) * beside;
    Some(Reached { line, distance, along, beside })
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
