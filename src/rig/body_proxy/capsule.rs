//! What carries a part of the body, and how thick it is there.

use super::build::{
    CHEST_INSET, HEAD_LEN, HEAD_RADIUS, HIPS_FLESH, LEAST_BREADTH, TRUNK_DEPTH, thickness,
};
use super::{BodyPart, Shape, is_long};
use crate::math::{Vec3, any_perpendicular};
use crate::pose::WorldPose;
use crate::rig::{Rig, Role, Side};
use crate::skeleton::JointId;

/// A part on its joints, length units.
#[derive(Clone, Copy, Debug)]
pub(super) enum Capsule {
    Trunk(Trunk),
    Head { head: JointId, up: Vec3, left: Vec3, len: f64, radius: f64 },
    Limb { joints: [JointId; 2], radii: [f64; 2] },
}

/// From the hips to the shoulders.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trunk {
    hip_joints: [JointId; 2],
    shoulder_joints: [JointId; 2],
    /// From midway between the hip joints to midway between the shoulder joints.
    len: f64,
    /// Half its breadth at hips and chest.
    pub breadths: [f64; 2],
    /// Half its depth.
    pub depth: f64,
    /// Half the way between the shoulder joints.
    pub shoulders: f64,
}

impl Trunk {
    pub(super) fn of(rig: &Rig, stance: &WorldPose) -> Option<Self> {
        let both = |role: fn(Side) -> Role| {
            Some([rig.joint(role(Side::Left))?, rig.joint(role(Side::Right))?])
        };
        let (hip_joints, shoulder_joints) = (both(Role::Thigh)?, both(Role::UpperArm)?);
        let [hips, shoulders] = [hip_joints, shoulder_joints].map(|pair| way(stance, pair) / 2.0);
        let len = (middle(stance, shoulder_joints) - middle(stance, hip_joints)).norm();
        let breadths = [hips + HIPS_FLESH * len, shoulders - CHEST_INSET * len];
        let breadths = breadths.map(|breadth| breadth.max(LEAST_BREADTH * len));
        let depth = TRUNK_DEPTH * len;
        is_long(len, rig).then_some(Self {
            hip_joints,
            shoulder_joints,
            len,
            breadths,
            depth,
            shoulders,
        })
    }

    /// The joints that say where it is.
    pub fn joints(&self) -> impl Iterator<Item = JointId> + use<> {
        self.hip_joints.into_iter().chain(self.shoulder_joints)
    }

    /// Midway between the hip joints.
    pub fn from(&self, world: &WorldPose) -> Vec3 {
        middle(world, self.hip_joints)
    }

    /// In a world pose.
    pub fn shape(&self, world: &WorldPose) -> Shape {
        let pairs = [self.hip_joints, self.shoulder_joints];
        let across = pairs.map(|[left, right]| world.position(left) - world.position(right));
        let ends = pairs.map(|pair| middle(world, pair));
        Shape::new(ends, across, self.breadths, [self.depth; 2])
    }
}

impl Capsule {
    /// `None` where the rig has not all the joints, or they lie on each other.
    pub fn of(part: BodyPart, rig: &Rig, stance: &WorldPose, trunk: Trunk) -> Option<Self> {
        let [from, to] = match part {
            BodyPart::Trunk => return Some(Capsule::Trunk(trunk)),
            BodyPart::Head => {
                let head = rig.joint(Role::Head)?;
                let joint_from_body = rig.stance.body_from_joint[head.index()].inverse();
                let [up, left] = [Vec3::y(), Vec3::x()].map(|axis| joint_from_body * axis);
                let [len, radius] = [HEAD_LEN, HEAD_RADIUS].map(|share| share * trunk.len);
                return Some(Capsule::Head { head, up, left, len, radius });
            }
            BodyPart::Thigh(side) => [Role::Thigh(side), Role::Shin(side)],
            BodyPart::Shin(side) => [Role::Shin(side), Role::Foot(side)],
            BodyPart::UpperArm(side) => [Role::UpperArm(side), Role::Forearm(side)],
            BodyPart::Forearm(side) => [Role::Forearm(side), Role::Hand(side)],
        };
        let joints = [rig.joint(from)?, rig.joint(to)?];
        let len = way(stance, joints);
        let radii = thickness(part).map(|share| share * len);
        is_long(len, rig).then_some(Capsule::Limb { joints, radii })
    }

    /// The joints that say where it is.
    pub fn joints(&self) -> impl Iterator<Item = JointId> {
        let (some, more) = match *self {
            Capsule::Trunk(trunk) => (trunk.hip_joints, Some(trunk.shoulder_joints)),
            Capsule::Head { head, .. } => ([head; 2], None),
            Capsule::Limb { joints, .. } => (joints, None),
        };
        some.into_iter().chain(more.into_iter().flatten())
    }

    /// Whether a point may be so near, from what is known without its shape.
    pub fn is_about(&self, world: &WorldPose, point: Vec3, distance: f64) -> bool {
        let (off, radius) = match *self {
            Capsule::Trunk(_) => return true,
            Capsule::Head { head, len, radius, .. } => (point - world.position(head), len + radius),
            Capsule::Limb { joints, radii: [first, second] } => {
                let ends = joints.map(|id| world.position(id));
                (off_segment(point, ends), first.max(second))
            }
        };
        off.norm_squared() < (radius + distance).powi(2)
    }

    /// In a world pose.
    pub fn shape(&self, world: &WorldPose) -> Shape {
        match *self {
            Capsule::Trunk(trunk) => trunk.shape(world),
            Capsule::Head { head, up, left, len, radius } => {
                let (place, turn) = (world.position(head), world.rotation(head));
                let ends = [place, place + turn * up * len];
                Shape::new(ends, [turn * left; 2], [radius; 2], [radius; 2])
            }
            Capsule::Limb { joints, radii } => {
                let ends = joints.map(|id| world.position(id));
                let across = any_perpendicular(ends[1] - ends[0]);
                Shape::new(ends, [across; 2], radii, radii)
            }
        }
    }
}

fn way(world: &WorldPose, [from, to]: [JointId; 2]) -> f64 {
    (world.position(to) - world.position(from)).norm()
}

/// To a point from the nearest one between two others.
pub(crate) fn off_segment(point: Vec3, [from, to]: [Vec3; 2]) -> Vec3 {
    let (off, way) = (point - from, to - from);
    let share = off.dot(&way) / way.norm_squared().max(1e-300);
    off - way * share.clamp(0.0, 1.0)
}

fn middle(world: &WorldPose, [left, right]: [JointId; 2]) -> Vec3 {
    (world.position(left) + world.position(right)) / 2.0
}
