//! Legs brought near their feet's goals before a solve, so that all that is left to it is to bend the knee.

use super::carried::{Knee, Leg};
use super::sole::FootGoal;
use crate::math::{Vec3, rotation_between};
use crate::pose::WorldPose;
use crate::skeleton::Skeleton;

/// Swings a whole leg about its hip joint so that it points at its foot's goal.
///
/// From there the solve only has to bend the knee, in the plane in which the leg is bent: the result
/// is the same from whichever end of the leg it comes.
pub(super) fn swing_leg(skeleton: &Skeleton, leg: &Leg, foot: &FootGoal, world: &mut WorldPose) {
    let hip = world.position(leg.hip());
    let swing = rotation_between(world.position(leg.ankle) - hip, foot.ankle - hip);
    for i in skeleton.subtree(leg.hip()) {
        world.positions[i] = hip + swing * (world.positions[i] - hip);
        world.rotations[i] = swing * world.rotations[i];
    }
}

/// Knees give way backwards by less than this, as a sine (about 14°); what bends farther means it.
const GIVES_WAY: f64 = 0.25;

/// Mirrors a knee that gives way backwards to the front of its leg; hip and ankle stay.
///
/// Captured legs that stand straight pass through straight all the time. A planted leg keeps to one
/// side, so that a foot that is held does not make the knee jump from one to the other.
pub(super) fn bend_knee_forwards(skeleton: &Skeleton, leg: &Leg, world: &mut WorldPose) {
    let Some(Knee { shin: shin_id, axis }) = leg.knee else { return };
    let [hip, knee, ankle] = [leg.hip(), shin_id, leg.ankle].map(|id| world.position(id));
    let (thigh, shin) = (knee - hip, ankle - knee);
    let bend = thigh.cross(&shin).dot(&(world.rotation(shin_id) * axis));
    let most = GIVES_WAY * thigh.norm() * shin.norm();
    let Some(line) = (ankle - hip).try_normalize(1e-9 * leg.len) else { return };
    if bend >= 0.0 || bend < -most {
        return;
    }
    let mirrored = |bone: Vec3| line * (2.0 * line.dot(&bone)) - bone;
    let turns = [thigh, shin].map(|bone| rotation_between(bone, mirrored(bone)));
    let new_knee = hip + mirrored(thigh);
    let (thighs, shins, feet) =
        (skeleton.subtree(leg.hip()), skeleton.subtree(shin_id), skeleton.subtree(leg.ankle));
    for i in thighs.filter(|i| !feet.contains(i)) {
        let (turn, from, to) = match shins.contains(&i) {
            true => (turns[1], knee, new_knee),
            false => (turns[0], hip, hip),
        };
        world.positions[i] = to + turn * (world.positions[i] - from);
        world.rotations[i] = turn * world.rotations[i];
    }
}
