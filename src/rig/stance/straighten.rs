//! From a posture that a rig shows to the reference stance: limbs straight, feet ahead.

use super::{Basis, Ground, Shown, Stance, StanceOrigin};
use crate::math::{Quat, Vec3, rotation_between};
use crate::rig::bone::bone_vector;
use crate::rig::{Role, Roles, Side};
use crate::skeleton::{JointId, Skeleton};

/// What a foot says of itself while it stands flat: the direction of up in the foot joint's frame,
/// and the toe joint's local rotation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlatFoot {
    pub up_local: Vec3,
    pub toe_rotation: Option<Quat>,
}

/// Swings every limb bone into its place in the reference stance; what hangs on it is carried along.
pub(super) fn straighten(
    skeleton: &Skeleton,
    roles: &Roles,
    shown: Shown,
    flat: [Option<FlatFoot>; 2],
) -> Stance {
    let mut swings = vec![Quat::identity(); skeleton.len()];
    let in_motion = matches!(shown.origin, StanceOrigin::Frames(_));
    let mut body_from_joint = shown.world.rotations.clone();
    for id in skeleton.ids() {
        let carried = skeleton.parent(id).map_or(Quat::identity(), |p| swings[p.index()]);
        let bone = bone_vector(skeleton, roles, &shown.world, id);
        let swing = match (roles.role(id), bone) {
            (Some(Role::Thigh(_) | Role::Shin(_)), Some(bone)) => {
                rotation_between(carried * bone, -Vec3::y()) * carried
            }
            (Some(Role::UpperArm(side) | Role::Forearm(side) | Role::Hand(side)), Some(bone)) => {
                raise_arm(carried * bone, side) * carried
            }
            (Some(Role::Foot(side)), bone) => match flat[side.index()] {
                Some(flat) => {
                    let up = shown.world.rotation(id) * flat.up_local;
                    let level = rotation_between(up, Vec3::y());
                    point_ahead(bone.map(|b| level * b)) * level
                }
                None => {
                    let kept = !in_motion && foot_was_carried(bone, carried);
                    let base = if kept { carried } else { Quat::identity() };
                    point_ahead(bone.map(|b| base * b)) * base
                }
            },
            _ => carried,
        };
        swings[id.index()] = swing;
        body_from_joint[id.index()] = swing * shown.world.rotation(id);
        if let Some(Role::Toe(side)) = roles.role(id)
            && let Some(rotation) = flat[side.index()].and_then(|flat| flat.toe_rotation)
        {
            let parent = skeleton.parent(id).expect("a toe hangs on a foot");
            let straight = body_from_joint[parent.index()] * rotation;
            swings[id.index()] = straight * shown.world.rotation(id).inverse();
            body_from_joint[id.index()] = straight;
        }
    }
    let basis = |id: JointId| match roles.role(id) {
        _ if !in_motion => Basis { direction: Ground::Shown, roll: Ground::Shown },
        Some(role) if straight(role).is_some() => {
            Basis { direction: Ground::Bones, roll: Ground::Motion }
        }
        _ => Basis { direction: Ground::Motion, roll: Ground::Motion },
    };
    let bases = skeleton.ids().map(basis).collect();
    Stance { local: shown.local, body_from_joint, bases, origin: shown.origin }
}

/// Where a bone points in every reference stance, in body space; `None` for bones that keep the rig's
/// own shape.
pub(super) fn straight(role: Role) -> Option<Vec3> {
    match role {
        Role::Thigh(_) | Role::Shin(_) => Some(-Vec3::y()),
        Role::UpperArm(side) | Role::Forearm(side) | Role::Hand(side) => Some(outwards(side)),
        _ => None,
    }
}

/// Away from the body's middle to one side, body space.
pub(super) fn outwards(side: Side) -> Vec3 {
    match side {
        Side::Left => Vec3::x(),
        Side::Right => -Vec3::x(),
    }
}

/// The turn that raises an arm bone to its side: first level with the body's side plane, then up in
/// that plane, so that an arm that hangs comes up without a twist.
fn raise_arm(bone_body: Vec3, side: Side) -> Quat {
    let in_plane = Vec3::new(bone_body.x, bone_body.y, 0.0);
    let middle = rotation_between(bone_body, in_plane);
    rotation_between(in_plane, outwards(side)) * middle
}

/// The turn about the vertical that lets a foot point straight ahead; none for a foot that points
/// up or down, or has no direction.
fn point_ahead(bone_body: Option<Vec3>) -> Quat {
    let Some(bone) = bone_body else { return Quat::identity() };
    let level = Vec3::new(bone.x, 0.0, bone.z);
    if level.norm() < 0.2 * bone.norm() {
        return Quat::identity();
    }
    rotation_between(level, Vec3::z())
}

/// Whether the foot of a splayed rest pose was splayed with its leg (as in CMU files) rather than
/// set flat: then straightening the leg brings the foot nearer to the plane of walking.
fn foot_was_carried(bone_body: Option<Vec3>, carried: Quat) -> bool {
    let Some(bone) = bone_body else { return true };
    (carried * bone).x.abs() + 0.02 * bone.norm() < bone.x.abs()
}
