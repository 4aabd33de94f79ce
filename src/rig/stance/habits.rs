//! What rigs' authors do: they lay joint frames along the planes of the body. A stance that was seen in
//! motion is near to how the frames were laid, and is put there; so it hardly depends on the clip.

use super::flat_feet::turn_below;
use super::geometry::to_sides;
use super::hinge::is_without_heading;
use super::straighten::{outwards, straight};
use super::{Ground, Stance, chest};
use crate::math::{Axis, Quat, Vec3, frame_from_axes, rotation_between, swing_twist};
use crate::pose::WorldPose;
use crate::rig::bone::bone_vector;
use crate::rig::{Role, Roles, Side};
use crate::skeleton::{JointId, Skeleton};
use std::f64::consts::FRAC_PI_4;

/// An axis that lies this near to a direction of the body was meant to lie along it: a little less than
/// half a right angle, where two axes would be as near.
const NEAR_RAD: f64 = 0.7;
/// A frame within this was clearly laid along the planes of the body.
const CLEAR_RAD: f64 = 0.35;
/// Frames of hips and chest in which what hangs on both sides is off a level line by this and more were not laid so.
const UNEVEN_RAD: f64 = 0.15;
/// A clavicle within this was; shoulders are seldom still.
const SHRUGGED_RAD: f64 = 0.55;
/// A trunk joint within this of the one above was turned by the actor, not by the author.
const ASIDE_RAD: f64 = 1.1;
/// An axis that lies this far from a right angle to the bone says nothing of the roll about it.
const ALONG_BONE: f64 = 0.2;
/// An axis that points ahead on both sides together is this much nearer to it than another one.
const ALIKE_RAD: f64 = 0.35;
/// An axis farther than this from pointing ahead does not, whatever the other side says.
const NOT_AHEAD_RAD: f64 = 1.0;
/// A bone that lies this near to an axis of its joint was laid along it, or its joint along the bone.
const ALONG_AXIS_RAD: f64 = 0.02;
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
                let sides = to_sides(skeleton, roles, role);
                let is_level = |laid: &Quat| {
                    sides.is_none_or(|[left, right]| {
                        (laid * (left - right)).angle(&Vec3::x()) < UNEVEN_RAD
                    })
                };
                laid(frame, Vec3::x())
                    .filter(|laid| laid.angle_to(&frame) < CLEAR_RAD && is_level(laid))
            }
            // Where a head ends says nothing of how it is laid.
            Role::Spine(_) | Role::Neck(_)
                if is_laid_along_leaning_bone(skeleton, roles, &world, id, frame) =>
            {
                None
            }
            Role::Spine(_) | Role::Neck(_) | Role::Head => {
                let above =
                    role_above(skeleton, roles, id).map(|a| stance.body_from_joint[a.index()]);
                laid_trunk(frame, above)
            }
            Role::Clavicle(side) => {
                laid(frame, outwards(side)).filter(|laid| laid.angle_to(&frame) < SHRUGGED_RAD)
            }
            _ => None,
        };
        if let Some(laid) = laid {
            stance.body_from_joint[id.index()] = laid;
        }
    }
    for part in [Role::Thigh, Role::Shin, Role::Foot, Role::UpperArm, Role::Forearm] {
        roll_pair(skeleton, roles, &world, part, stance);
    }
    untwist_hands(skeleton, roles, stance);
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

/// Rolls a part of both limbs about its bone, so that the axis that points ahead nearly does so wholly: the same one on
/// both sides. A foot is rolled about the vertical, if its bone does not show where it points.
fn roll_pair(
    skeleton: &Skeleton,
    roles: &Roles,
    world: &WorldPose,
    part: fn(Side) -> Role,
    stance: &mut Stance,
) {
    let limb = |side: Side| {
        let id = roles.joint(part(side))?;
        let frame = stance.body_from_joint[id.index()];
        if let Role::Foot(_) = part(side) {
            let turns = is_without_heading(skeleton, roles, stance, side);
            return turns.then_some(Rolled {
                id,
                frame,
                bone: Vec3::y(),
                along: frame.inverse() * Vec3::y(),
            });
        }
        let bone = straight(part(side))?;
        let shown = bone_vector(skeleton, roles, world, id)?.try_normalize(1e-12)?;
        Some(Rolled { id, frame, bone, along: world.rotation(id).inverse() * shown })
    };
    let limbs = Side::BOTH.map(limb);
    let mut ahead = limbs.each_ref().map(|limb| limb.as_ref().and_then(Rolled::ahead));
    if let [Some(left), Some(right)] = &limbs
        && ahead[0].map(|axis| axis.iamax()) != ahead[1].map(|axis| axis.iamax())
    {
        ahead = laid_alike([left, right]).map_or(ahead, |axes| axes.map(Some));
    }
    for (limb, axis) in limbs.iter().flatten().zip(ahead) {
        if let Some(axis) = axis {
            let seen = limb.frame * axis;
            let level = seen - limb.bone * limb.bone.dot(&seen);
            stance.body_from_joint[limb.id.index()] =
                rotation_between(level, Vec3::z()) * limb.frame;
        }
    }
}

/// A part of a limb that may be rolled about its bone.
struct Rolled {
    id: JointId,
    frame: Quat,
    /// In body space.
    bone: Vec3,
    /// The bone in the joint's frame (local, unit length).
    along: Vec3,
}

impl Rolled {
    fn is_across(&self, axis: &Vec3) -> bool {
        self.along.dot(axis).abs() < ALONG_BONE
    }

    /// The axis that points ahead, if one nearly does.
    fn ahead(&self) -> Option<Vec3> {
        nearest_axis(self.frame, Vec3::z(), |axis| self.is_across(axis))
    }

    /// How far an axis is from pointing ahead, radians.
    fn off(&self, axis: &Vec3) -> f64 {
        (self.frame * axis).angle(&Vec3::z())
    }
}

/// The axis of each of two limbs, the same but for its sign, that points ahead the better on both sides together;
/// nothing where that is not clear.
fn laid_alike(limbs: [&Rolled; 2]) -> Option<[Vec3; 2]> {
    let signed = |limb: &Rolled, axis: Vec3| match limb.off(&axis) > limb.off(&-axis) {
        true => -axis,
        false => axis,
    };
    let mut found: Vec<(f64, [Vec3; 2])> = [Axis::X, Axis::Y, Axis::Z]
        .map(|axis| axis.unit().into_inner())
        .into_iter()
        .filter(|axis| limbs.iter().all(|limb| limb.is_across(axis)))
        .map(|axis| limbs.map(|limb| signed(limb, axis)))
        .filter(|axes| limbs.iter().zip(axes).all(|(limb, axis)| limb.off(axis) < NOT_AHEAD_RAD))
        .map(|axes| (limbs[0].off(&axes[0]) + limbs[1].off(&axes[1]), axes))
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    match found[..] {
        [(best, axes), (next, _), ..] if best + ALIKE_RAD < next => Some(axes),
        _ => None,
    }
}

/// Actors turn their hands all the time; authors lay them as they lay the forearm, both alike.
fn untwist_hands(skeleton: &Skeleton, roles: &Roles, stance: &mut Stance) {
    let twist = |side: Side| {
        let hand = roles.joint(Role::Hand(side))?;
        let [above, own] =
            [roles.joint(Role::Forearm(side))?, hand].map(|id| stance.body_from_joint[id.index()]);
        Some((hand, swing_twist(own * above.inverse(), outwards(side)).1))
    };
    let twists = Side::BOTH.map(twist);
    let is_actors = |(_, twist): &(JointId, Quat)| twist.angle() < TWISTED_RAD;
    if !twists.iter().flatten().all(is_actors) {
        return;
    }
    for (hand, twist) in twists.into_iter().flatten() {
        turn_below(skeleton, hand, twist.inverse(), stance);
        stance.bases[hand.index()].roll = Ground::Assumed;
    }
}

/// Whether a trunk joint was laid along its bone, and the bone leans so far that the nearest planes of the body would lay
/// it level: such a frame lies in none of them.
fn is_laid_along_leaning_bone(
    skeleton: &Skeleton,
    roles: &Roles,
    world: &WorldPose,
    id: JointId,
    frame: Quat,
) -> bool {
    let Some(bone) = bone_vector(skeleton, roles, world, id) else { return false };
    let bone_local = world.rotation(id).inverse() * bone;
    let axis = Vec3::ith(bone_local.iamax(), bone_local[bone_local.iamax()].signum());
    bone_local.angle(&axis) < ALONG_AXIS_RAD && (frame * bone_local).angle(&Vec3::y()) > FRAC_PI_4
}

/// The axis of a joint, with its sign, that points nearest to a direction of the body, if near enough.
fn nearest_axis(frame: Quat, goal: Vec3, fits: impl Fn(&Vec3) -> bool) -> Option<Vec3> {
    let axes = [Axis::X, Axis::Y, Axis::Z].map(|axis| axis.unit().into_inner());
    let signed = axes.into_iter().flat_map(|axis| [axis, -axis]).filter(fits);
    let off = |axis: &Vec3| (frame * axis).angle(&goal);
    signed.min_by(|a, b| off(a).total_cmp(&off(b))).filter(|axis| off(axis) < NEAR_RAD)
}
