//! Joints that share out the twist of a limb's bone, so that its skin turns little by little: they lie
//! in the bone ("ForeArmRoll") or hang beside it ("lowerarm_twist_01").

use super::{Rig, Role, Side, names};
use crate::math::{Vec3, rejection};
use crate::pose::WorldPose;
use crate::skeleton::JointId;

/// A limb's bone with the joints that may share its twist.
#[derive(Clone, Debug)]
pub(crate) struct TwistBone {
    /// The role of the joint that it begins with.
    pub role: Role,
    /// The joint that it begins with.
    pub top: JointId,
    /// The next joint with a role.
    pub end: JointId,
    /// From the top to the end, in the top joint's frame (local, unit length).
    pub axis_local: Vec3,
    /// In skeleton order.
    pub joints: Vec<TwistJoint>,
}

/// A joint that may share a bone's twist.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TwistJoint {
    pub joint: JointId,
    /// Where along the bone it lies: 0 at its beginning, 1 at its end.
    pub along_ratio: f64,
    /// Whether the bone's end hangs below it; the others are beside the bone.
    pub inline: bool,
}

/// A joint in a bone counts where it lies no farther off the bone's line, as a share of its length:
/// only then does its turn move nothing.
const ON_LINE: f64 = 0.01;

/// The bones of arms and legs that have such joints. A joint in the bone counts by its place, one
/// beside it by its name. One pass over the joints a bone.
pub(crate) fn twist_bones(rig: &Rig) -> Vec<TwistBone> {
    let parts = |side| {
        [
            (Role::UpperArm(side), Role::Forearm(side)),
            (Role::Forearm(side), Role::Hand(side)),
            (Role::Thigh(side), Role::Shin(side)),
            (Role::Shin(side), Role::Foot(side)),
        ]
    };
    let world = WorldPose::of(&rig.skeleton, &rig.stance.local);
    let sides = Side::BOTH.into_iter().flat_map(parts);
    let bones = sides.filter_map(|(role, end)| bone(rig, &world, role, end));
    bones.filter(|bone| !bone.joints.is_empty()).collect()
}

fn bone(rig: &Rig, world: &WorldPose, role: Role, end_role: Role) -> Option<TwistBone> {
    let (top, end) = (rig.joint(role)?, rig.joint(end_role)?);
    let skeleton = &rig.skeleton;
    if !skeleton.is_ancestor(top, end) {
        return None;
    }
    let bone = world.position(end) - world.position(top);
    let axis = bone.try_normalize(1e-9 * rig.leg_len)?;
    let mut joints: Vec<TwistJoint> = Vec::new();
    // By joint from the top on.
    let mut is_of_bone = vec![true];
    for joint in skeleton.at_and_below(top).skip(1) {
        is_of_bone.push(false);
        let parent = skeleton.parent(joint);
        let hangs_on = |p: JointId| is_of_bone[p.index() - top.index()];
        let turns = !skeleton.joint(joint).channels.euler_order().axes().is_empty();
        if !parent.is_some_and(hangs_on) || !turns || rig.roles.role(joint).is_some() {
            continue;
        }
        let from_top = world.position(joint) - world.position(top);
        let along_ratio = from_top.dot(&axis) / bone.norm();
        let off_ratio = rejection(from_top, axis).norm() / bone.norm();
        let inline = skeleton.is_ancestor(joint, end);
        let counts = match inline {
            true => off_ratio < ON_LINE && (-ON_LINE..1.0 - ON_LINE).contains(&along_ratio),
            // What carries a part of the body is no mere twist joint.
            false => {
                let carries = |(_, id): (Role, JointId)| skeleton.is_ancestor(joint, id);
                names::says_twist(skeleton.name(joint)) && !rig.roles.iter().any(carries)
            }
        };
        if counts {
            let along_ratio = along_ratio.clamp(0.0, 1.0);
            joints.push(TwistJoint { joint, along_ratio, inline });
            is_of_bone[joint.index() - top.index()] = true;
        }
    }
    // Where one joint on the way from top to end is off the line, a twist above it would swing it.
    let mut way = skeleton.ancestors(end).take_while(|&id| id != top);
    if !way.all(|id| is_of_bone[id.index() - top.index()]) {
        joints.retain(|joint| !joint.inline);
    }
    let axis_local = world.rotation(top).inverse() * axis;
    Some(TwistBone { role, top, end, axis_local, joints })
}
