//! Moves the two bones of a limb, and all that hangs on them, to places that are known.

use crate::math::{Quat, Vec3, rotation_between};
use crate::pose::WorldPose;
use crate::skeleton::{JointId, Skeleton};

/// Rotates a joint in place, with all joints below it.
pub(super) fn turn_limb(skeleton: &Skeleton, joint: JointId, turn: Quat, world: &mut WorldPose) {
    let pivot = world.position(joint);
    for i in skeleton.subtree(joint) {
        world.positions[i] = pivot + turn * (world.positions[i] - pivot);
        world.rotations[i] = turn * world.rotations[i];
    }
}

/// Moves the middle and the last joint of a limb to these positions, each bone by its shortest rotation, and gives the
/// last joint this rotation; the joints below it move along.
pub(super) fn set_limb(
    skeleton: &Skeleton,
    joints: [JointId; 3],
    places: [Vec3; 2],
    end_rotation: Quat,
    world: &mut WorldPose,
) {
    let [top, middle, end] = joints.map(|id| world.position(id));
    let of_end = end_rotation.quaternion() * world.rotation(joints[2]).inverse().quaternion();
    let turns = [
        rotation_between(middle - top, places[0] - top),
        rotation_between(end - middle, places[1] - places[0]),
        // Without normalising, errors of the quaternion's length would double from call to call.
        Quat::new_normalize(of_end),
    ];
    turn_bones(skeleton, joints, turns, places, world);
}

/// Rotates both bones of a limb and all joints below its last joint, and puts its middle and last joint at these
/// positions.
pub(super) fn turn_bones(
    skeleton: &Skeleton,
    joints: [JointId; 3],
    turns: [Quat; 3],
    places: [Vec3; 2],
    world: &mut WorldPose,
) {
    let [top, middle, end] = joints.map(|id| world.position(id));
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

/// The position of the joint between two bones whose outer ends are this far apart: along the line between the ends,
/// and beside it.
pub(super) fn bent(bones: [f64; 2], distance: f64) -> [f64; 2] {
    let along =
        (distance * distance + bones[0] * bones[0] - bones[1] * bones[1]) / (2.0 * distance);
    [along, (bones[0] * bones[0] - along * along).max(0.0).sqrt()]
}
