//! What rigs' authors do: they lay joint frames along the planes of the body. A stance that was seen in
//! motion is near to how the frames were laid, and is put there; so it hardly depends on the clip.

use super::straighten::{outwards, straight};
use super::{Ground, Stance, chest};
use crate::math::{Axis, Quat, Vec3, frame_from_axes, rotation_between, swing_twist};
use crate::pose::WorldPose;
use crate::rig::bone::bone_vector;
use crate::rig::{Role, Roles};
use crate::skeleton::{JointId, Skeleton};

/// An axis that lies this near to a direction of the body was meant to lie along it: a little less than
/// half a right angle, where two axes would be as near.
const NEAR_RAD: f64 = 0.7;
/// A frame within this was clearly laid along the planes of the body.
const CLEAR_RAD: f64 = 0.35;
/// A clavicle within this was; shoulders are seldom still.
const SHRUGGED_RAD: f64 = 0.55;
/// A trunk joint within this of the one above was turned by the actor, not by the author.
const ASIDE_RAD: f64 = 1.1;
/// An axis that lies this far from a right angle to the bone says nothing of the roll about it.
const ALONG_BONE: f64 = 0.2;
/// Hands that seem to be twisted by less than this against their forearms were turned by the actor.
const TWISTED_RAD: f64 = 2.0;

/// Lays trunk and clavicles along the planes of the body, and rolls limbs about their bones so that one
/// of their axes points ahead.
pub(super) fn apply(skeleton: &Skeleton, roles: &Roles, stance: &mut Stance) {
    let world = WorldPose::of(skeleton, &stance.local);
    for (role, id) in roles.iter() {
        let frame = stance.body_from_joint[id.index()];
        let laid = match role {
            // Bones to both sides show these as they are.
            role if role == Role::Hips || role == chest(roles) => {
                laid(frame, Vec3::x()).filter(|laid| laid.angle_to(&frame) < CLEAR_RAD)
            }
            Role::Spine(_) | Role::Neck(_) | Role::Head => {
                let above =
                    role_above(skeleton, roles, id).map(|a| stance.body_from_joint[a.index()]);
                laid_trunk(frame, above)
            }
            Role::Clavicle(side) => {
                laid(frame, outwards(side)).filter(|laid| laid.angle_to(&frame) < SHRUGGED_RAD)
            }
            Role::Thigh(_) | Role::Shin(_) | Role::UpperArm(_) | Role::Forearm(_) => {
                bone_vector(skeleton, roles, &world, id)
                    .and_then(|bone| bone.try_normalize(1e-12))
                    .map(|bone| world.rotation(id).inverse() * bone)
                    .zip(straight(role))
                    .and_then(|(bone_local, bone)| rolled(frame, bone_local, bone))
            }
            _ => None,
        };
        if let Some(laid) = laid {
            stance.body_from_joint[id.index()] = laid;
        }
    }
    for (role, hand) in roles.iter() {
        if let Role::Hand(side) = role
            && let Some(forearm) = roles.joint(Role::Forearm(side))
        {
            untwist_hand(skeleton, stance, forearm, hand, outwards(side));
        }
    }
}

/// The role joint above another one.
fn role_above(skeleton: &Skeleton, roles: &Roles, id: JointId) -> Option<JointId> {
    skeleton.ancestors(id).find(|&above| roles.role(above).is_some())
}

/// A trunk joint's frame along the planes of the body: laid as the one above if that is not far off,
/// since actors look aside all the time; else as is nearest. Where no such frame is near, nothing but
/// the nearest left axis is taken.
fn laid_trunk(frame: Quat, above: Option<Quat>) -> Option<Quat> {
    if let Some(above) = above.filter(|above| above.angle_to(&frame) < ASIDE_RAD) {
        let same = laid(above, Vec3::x()).filter(|laid| laid.angle_to(&above) < 1e-6);
        if same.is_some() {
            return same;
        }
    }
    let left = nearest_axis(frame, Vec3::x(), |_| true)?;
    let level = rotation_between(frame * left, Vec3::x()) * frame;
    laid(frame, Vec3::x()).filter(|laid| laid.angle_to(&frame) < CLEAR_RAD).or(Some(level))
}

/// The frame whose axes lie along the body's, the one along `main` chosen first.
fn laid(frame: Quat, main: Vec3) -> Option<Quat> {
    let axis = nearest_axis(frame, main, |_| true)?;
    let level = rotation_between(frame * axis, main) * frame;
    let up = nearest_axis(level, Vec3::y(), |up| up.dot(&axis).abs() < 0.5)?;
    let (body, joint) = (frame_from_axes(main, Vec3::y())?, frame_from_axes(axis, up)?);
    Some(body * joint.inverse())
}

/// The frame rolled about its bone, so that the axis that points ahead nearly does so wholly.
fn rolled(frame: Quat, bone_local: Vec3, bone: Vec3) -> Option<Quat> {
    let axis = nearest_axis(frame, Vec3::z(), |axis| bone_local.dot(axis).abs() < ALONG_BONE)?;
    let seen = frame * axis;
    Some(rotation_between(seen - bone * bone.dot(&seen), Vec3::z()) * frame)
}

/// Actors turn their hands all the time; authors lay them as they lay the forearm.
fn untwist_hand(
    skeleton: &Skeleton,
    stance: &mut Stance,
    forearm: JointId,
    hand: JointId,
    out: Vec3,
) {
    let [above, own] = [forearm, hand].map(|id| stance.body_from_joint[id.index()]);
    let (_, twist) = swing_twist(own * above.inverse(), out);
    if twist.angle() > TWISTED_RAD {
        return;
    }
    for id in skeleton.at_and_below(hand) {
        let frame = &mut stance.body_from_joint[id.index()];
        *frame = twist.inverse() * *frame;
    }
    stance.bases[hand.index()].roll = Ground::Assumed;
}

/// The axis of a joint, with its sign, that points nearest to a direction of the body, if near enough.
fn nearest_axis(frame: Quat, goal: Vec3, fits: impl Fn(&Vec3) -> bool) -> Option<Vec3> {
    let axes = [Axis::X, Axis::Y, Axis::Z].map(|axis| axis.unit().into_inner());
    let signed = axes.into_iter().flat_map(|axis| [axis, -axis]).filter(fits);
    let off = |axis: &Vec3| (frame * axis).angle(&goal);
    signed.min_by(|a, b| off(a).total_cmp(&off(b))).filter(|axis| off(axis) < NEAR_RAD)
}
