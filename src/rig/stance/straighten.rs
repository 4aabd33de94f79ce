//! From a posture that a rig shows to the reference stance: limbs straight, feet ahead.

use super::{Basis, Ground, Shown, Stance, StanceOrigin};
use crate::math::{Quat, Vec3, rotation_between};
use crate::pose::WorldPose;
use crate::rig::bone::bone_vector;
use crate::rig::{Role, Roles, Side};
use crate::skeleton::{JointId, Skeleton};

/// Swings every limb bone into its place in the reference stance; what hangs on it is carried along. Feet whose bones
/// are known to lead down (left, right) are not turned ahead by them.
pub(super) fn straighten(
    skeleton: &Skeleton,
    roles: &Roles,
    shown: Shown,
    leads_down: [bool; 2],
) -> Stance {
    let mut swings = vec![Quat::identity(); skeleton.len()];
    let in_motion = matches!(shown.origin, StanceOrigin::Frames(_));
    let mut body_from_joint = shown.world.rotations.clone();
    let feet_carried = !in_motion && feet_were_carried(skeleton, roles, &shown.world);
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
            (Some(Role::Foot(side)), bone) => {
                let base = if feet_carried { carried } else { Quat::identity() };
                let bone = bone.filter(|_| !leads_down[side.index()]);
                point_ahead(bone.map(|b| base * b)) * base
            }
            _ => carried,
        };
        swings[id.index()] = swing;
        body_from_joint[id.index()] = swing * shown.world.rotation(id);
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
pub(crate) fn point_ahead(bone_body: Option<Vec3>) -> Quat {
    match bone_body.filter(|bone| shows_heading(*bone)) {
        Some(bone) => rotation_between(Vec3::new(bone.x, 0.0, bone.z), Vec3::z()),
        None => Quat::identity(),
    }
}

/// Whether a foot's bone shows where the foot points, rather than up or down, where its sole is.
pub(crate) fn shows_heading(bone_body: Vec3) -> bool {
    Vec3::new(bone_body.x, 0.0, bone_body.z).norm() >= 0.2 * bone_body.norm()
}

/// Whether the feet of a splayed rest pose were splayed with their legs (as in CMU files) rather than set
/// flat: then straightening the legs brings both feet nearer to the plane of walking.
fn feet_were_carried(skeleton: &Skeleton, roles: &Roles, shown: &WorldPose) -> bool {
    Side::BOTH.into_iter().all(|side| {
        let bone = |role| bone_vector(skeleton, roles, shown, roles.joint(role)?);
        let swing = |carried: Quat, role| match bone(role) {
            Some(bone) => rotation_between(carried * bone, -Vec3::y()) * carried,
            None => carried,
        };
        let carried = swing(swing(Quat::identity(), Role::Thigh(side)), Role::Shin(side));
        bone(Role::Foot(side))
            .is_none_or(|foot| (carried * foot).x.abs() + 0.02 * foot.norm() < foot.x.abs())
    })
}
