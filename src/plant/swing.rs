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
    turn_limb(skeleton, leg.hip(), swing, world);
}

/// Turns a joint in place, with all that hangs on it.
pub(super) fn turn_limb(skeleton: &Skeleton, joint: JointId, turn: Quat, world: &mut WorldPose) {
    let pivot = world.position(joint);
    for i in skeleton.subtree(joint) {
        world.positions[i] = pivot + turn * (world.positions[i] - pivot);
        world.rotations[i] = turn * world.rotations[i];
    }
}

/// Brings the hand of an arm to its goal, its turn kept: the elbow stays in the plane in which it is bent, turned by
/// what the goal says.
///
/// So an arm that is asked for little moves little. One that is straight is left to the solve to bend.
pub(super) fn reach_with_arm(
    skeleton: &Skeleton,
    arm: [JointId; 3],
    goal: &HandGoal,
    world: &mut WorldPose,
) {
    let [top, elbow, was] = arm.map(|id| world.position(id));
    let wrist = was + goal.shift;
    let Some(line) = (wrist - top).try_normalize(1e-300) else { return };
    let swivel = Quat::from_scaled_axis(line * goal.swivel_rad);
    let near = swivel * rotation_between(was - top, wrist - top) * (elbow - top);
    let bones = [(elbow - top).norm(), (was - elbow).norm()];
    let middle = middle_joint(top, wrist, top + near, bones[0], bones[1]);
    if ((middle - top).norm() - bones[0]).abs() < 1e-9 * bones[0] {
        set_limb(skeleton, arm, [middle, wrist], world.rotation(arm[2]), world);
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
    let knee = hip + line * (2.0 * line.dot(&thigh)) - thigh;
    let foot_rotation = world.rotation(leg.ankle);
    set_limb(skeleton, [leg.hip(), shin_id, leg.ankle], [knee, ankle], foot_rotation, world);
}

/// Brings the middle and the last joint of a limb to these places, each bone by the shortest way, and turns what
/// hangs on the last joint as it is turned.
pub(super) fn set_limb(
    skeleton: &Skeleton,
    joints: [JointId; 3],
    places: [Vec3; 2],
    end_rotation: Quat,
    world: &mut WorldPose,
) {
    let [top, middle, end] = joints.map(|id| world.position(id));
    let turns = [
        rotation_between(middle - top, places[0] - top),
        rotation_between(end - middle, places[1] - places[0]),
        end_rotation * world.rotation(joints[2]).inverse(),
    ];
    let [_, lower, ends] = joints.map(|id| skeleton.subtree(id));
    for i in skeleton.subtree(joints[0]) {
        let (turn, from, to) = match (ends.contains(&i), lower.contains(&i)) {
            (true, _) => (turns[2], end, places[1]),
            (false, true) => (turns[1], middle, places[0]),
            (false, false) => (turns[0], top, top),
        };
        world.positions[i] = to + turn * (world.positions[i] - from);
        world.rotations[i] = turn * world.rotations[i];
    }
}
