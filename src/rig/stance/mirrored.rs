//! Limbs whose joints an author mirrored from the other side's, where no pose shows either.
//!
//! Programs of animation offer to mirror a limb so that equal angles move both sides alike. Each axis of a mirrored joint
//! then points the opposite way of where a mirror would show it, and so every bone of one side lies opposite in its joint's
//! frame to that of the other. A hierarchy with such bones shows how the frames of both sides go together.

use super::flat_feet::turn_below;
use super::{Ground, Stance};
use crate::math::{Quat, Vec3};
use crate::rig::bone::{bone_end, first_piece};
use crate::rig::{Role, Roles, Side};
use crate::skeleton::{JointId, Skeleton};
use nalgebra::Quaternion;
use std::f64::consts::PI;

/// The parts of a limb, from the body outwards.
type Limb = [fn(Side) -> Role; 4];
const ARM: Limb = [Role::Clavicle, Role::UpperArm, Role::Forearm, Role::Hand];
const LEG: Limb = [Role::Thigh, Role::Shin, Role::Foot, Role::Toe];

/// Two bones within this of opposite ways are opposite, radians.
const OPPOSITE_RAD: f64 = 0.02;

/// Lays the mirrored one of two arms and of two legs as the other one, where nothing shows how its joints are rolled. The
/// one whose bones lie along positive axes is the author's own.
pub(super) fn lay(skeleton: &Skeleton, roles: &Roles, stance: &mut Stance) {
    for limb in [ARM, LEG] {
        let Some([own, other]) = sides(skeleton, roles, &limb) else { continue };
        for part in limb {
            let Some([from, to]) = joints(roles, part, [own, other]) else { continue };
            if [from, to].iter().all(|id| stance.bases[id.index()].roll == Ground::Assumed) {
                let frame = mirrored(stance.body_from_joint[from.index()]);
                let turn = frame * stance.body_from_joint[to.index()].inverse();
                turn_below(skeleton, to, turn, stance);
            }
        }
    }
}

/// The author's own side and the one that was mirrored, if one was.
fn sides(skeleton: &Skeleton, roles: &Roles, limb: &Limb) -> Option<[Side; 2]> {
    // The last joint's bone ends in whatever an exporter put there.
    let end = |id: JointId| bone_end(skeleton, roles, id).filter(|end| end.joint != id);
    let bone = |id: JointId| first_piece(skeleton, id, end(id)?);
    let bones: Vec<[Vec3; 2]> = limb
        .iter()
        .filter_map(|part| {
            let [left, right] = joints(roles, *part, Side::BOTH)?;
            Some([bone(left)?, bone(right)?])
        })
        .collect();
    let are_opposite = bones.iter().all(|[left, right]| left.angle(&-right) < OPPOSITE_RAD);
    let [left, _] = bones.first().filter(|_| are_opposite && bones.len() > 1)?;
    match left[left.iamax()] > 0.0 {
        true => Some([Side::Left, Side::Right]),
        false => Some([Side::Right, Side::Left]),
    }
}

fn joints(roles: &Roles, part: fn(Side) -> Role, sides: [Side; 2]) -> Option<[JointId; 2]> {
    Some([roles.joint(part(sides[0]))?, roles.joint(part(sides[1]))?])
}

/// The frame whose axes point the opposite way of where a mirror between left and right shows those of a frame.
fn mirrored(frame: Quat) -> Quat {
    let seen = Quaternion::new(frame.w, frame.i, -frame.j, -frame.k);
    Quat::new_unchecked(seen) * Quat::from_axis_angle(&Vec3::x_axis(), PI)
}
