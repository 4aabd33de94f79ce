//! Limbs brought near their goals before a solve, so that all that is left to it is to bend knees and elbows.

use super::carried::{Knee, Leg};
use super::sole::FootGoal;
use super::solve::HandGoal;
use crate::ik::middle_joint;
use crate::math::{Quat, Vec3, rotation_between};
use crate::pose::WorldPose;
use crate::skeleton::{JointId, Skeleton};

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

/// Swings a whole arm about its shoulder so that it points at its hand's goal, and bends its elbow until the wrist
/// is there, in the plane in which it is bent, turned by what the goal says; the hand keeps its turn.
///
/// So an arm that is asked for little moves little. One that is straight is left to the solve to bend.
pub(super) fn reach_with_arm(
    skeleton: &Skeleton,
    [shoulder, elbow, hand]: [JointId; 3],
    goal: &HandGoal,
    world: &mut WorldPose,
) {
    let [top, was] = [shoulder, hand].map(|id| world.position(id));
    let (wrist, hand_rotation) = (was + goal.shift, world.rotation(hand));
    let Some(line) = (wrist - top).try_normalize(1e-300) else { return };
    let swing =
        Quat::from_scaled_axis(line * goal.swivel_rad) * rotation_between(was - top, wrist - top);
    let (arm, forearm) = (skeleton.subtree(shoulder), skeleton.subtree(elbow));
    for i in arm.clone() {
        world.positions[i] = top + swing * (world.positions[i] - top);
        world.rotations[i] = swing * world.rotations[i];
    }
    let [joint, end] = [elbow, hand].map(|id| world.position(id));
    let bones = [(joint - top).norm(), (end - joint).norm()];
    let middle = middle_joint(top, wrist, joint, bones[0], bones[1]);
    if ((middle - top).norm() - bones[0]).abs() < 1e-9 * bones[0] {
        let turns = [
            rotation_between(joint - top, middle - top),
            rotation_between(end - joint, wrist - middle),
        ];
        for i in arm {
            let (turn, from, to) = match forearm.contains(&i) {
                true => (turns[1], joint, middle),
                false => (turns[0], top, top),
            };
            world.positions[i] = to + turn * (world.positions[i] - from);
            world.rotations[i] = turn * world.rotations[i];
        }
    }
    world.rotations[hand.index()] = hand_rotation;
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
