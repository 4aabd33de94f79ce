//! The flesh around a person's bones: what a hand touches when it touches the body.
//!
//! A file shows joints alone. Each part is a simple [`Shape`] about its bone, as thick as people are for bones of
//! that length: girths, breadths and depths are means of men and women of the survey ANSUR (Gordon et al. 1988),
//! lengths of bones those of Winter (Biomechanics and Motor Control of Human Movement, 4.1). What two bodies share is
//! a place on such a part, whatever their build.

mod shape;

pub(crate) use shape::Shape;

use super::{Rig, Role, Side};
use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::skeleton::JointId;
use std::fmt;

/// A part of the body that a hand may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyPart {
    /// From the hips to the shoulders.
    Trunk,
    Head,
    Thigh(Side),
    Shin(Side),
    UpperArm(Side),
    Forearm(Side),
}

impl BodyPart {
    const ALL: [BodyPart; 10] = {
        use Side::{Left, Right};
        [
            BodyPart::Trunk,
            BodyPart::Head,
            BodyPart::Thigh(Left),
            BodyPart::Thigh(Right),
            BodyPart::Shin(Left),
            BodyPart::Shin(Right),
            BodyPart::UpperArm(Left),
            BodyPart::UpperArm(Right),
            BodyPart::Forearm(Left),
            BodyPart::Forearm(Right),
        ]
    };

    /// Whose arm it is of, if of one.
    pub fn arm(self) -> Option<Side> {
        match self {
            BodyPart::UpperArm(side) | BodyPart::Forearm(side) => Some(side),
            _ => None,
        }
    }
}

impl fmt::Display for BodyPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (side, word) = match self {
            BodyPart::Trunk => return f.write_str("trunk"),
            BodyPart::Head => return f.write_str("head"),
            BodyPart::Thigh(side) => (side, "thigh"),
            BodyPart::Shin(side) => (side, "shin"),
            BodyPart::UpperArm(side) => (side, "upper arm"),
            BodyPart::Forearm(side) => (side, "forearm"),
        };
        write!(f, "{} {word}", side.word())
    }
}

/// How thick a limb is at its two ends, as shares of its bone's length.
fn thickness(part: BodyPart) -> [f64; 2] {
    match part {
        BodyPart::Thigh(_) => [0.22, 0.145],
        BodyPart::Shin(_) => [0.14, 0.09],
        BodyPart::UpperArm(_) => [0.165, 0.15],
        _ => [0.18, 0.11],
    }
}

/// How high the joint of a knee lies that rests on a floor, for a shin of this length; in its unit.
pub(crate) fn knee_radius(shin_len: f64) -> f64 {
    thickness(BodyPart::Shin(Side::Left))[0] * shin_len
}

/// What flesh adds to half the way between the hip joints, and takes from half of that between the shoulder joints
/// down to the chest, for each length from hips to shoulders.
const HIPS_FLESH: f64 = 0.16;
const CHEST_INSET: f64 = 0.08;
/// What half a breadth is at least, of the same: rigs put joints anywhere.
const LEAST_BREADTH: f64 = 0.2;
/// Half the trunk's depth, and what the head measures, for each length from hips to shoulders.
const TRUNK_DEPTH: f64 = 0.23;
const HEAD_RADIUS: f64 = 0.19;
const HEAD_LEN: f64 = 0.2;
/// From the wrist to the finger tips, for each length of a forearm.
const HAND_OF_FOREARM: f64 = 0.74;

/// The flesh of a person's body, all lengths known.
#[derive(Clone, Debug)]
pub(crate) struct Flesh {
    parts: Vec<(BodyPart, Bone)>,
    pub arms: [Arm; 2],
    pub trunk: Trunk,
}

/// What a trunk measures, length units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trunk {
    /// Half its breadth at hips and chest.
    pub breadths: [f64; 2],
    /// Half its depth.
    pub depth: f64,
    /// Half the way between the shoulder joints.
    pub shoulders: f64,
}

/// What carries a part, and how thick it is, length units.
#[derive(Clone, Copy, Debug)]
enum Bone {
    Trunk { thighs: [JointId; 2], shoulders: [JointId; 2], trunk: Trunk },
    Head { head: JointId, up: Vec3, left: Vec3, len: f64, radius: f64 },
    Limb { joints: [JointId; 2], radii: [f64; 2] },
}

/// An arm down to the finger tips.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arm {
    /// Shoulder, elbow and wrist.
    pub joints: [JointId; 3],
    /// Of upper arm and forearm, length units.
    pub bones: [f64; 2],
    /// From the wrist to the finger tips, in the hand joint's frame (local).
    hand: Vec3,
}

impl Arm {
    fn of(rig: &Rig, stance: &WorldPose, side: Side) -> Option<Self> {
        let joints = [Role::UpperArm(side), Role::Forearm(side), Role::Hand(side)];
        let [Some(shoulder), Some(elbow), Some(wrist)] = joints.map(|role| rig.joint(role)) else {
            return None;
        };
        let len = |a: JointId, b: JointId| (stance.position(b) - stance.position(a)).norm();
        let bones = [len(shoulder, elbow), len(elbow, wrist)];
        let out = if side == Side::Left { Vec3::x() } else { -Vec3::x() };
        let hand = rig.stance.body_from_joint[wrist.index()].inverse() * out;
        let is_long = bones.iter().all(|bone| *bone > 1e-6 * rig.leg_len);
        let hand = hand * (HAND_OF_FOREARM * bones[1]);
        is_long.then_some(Self { joints: [shoulder, elbow, wrist], bones, hand })
    }

    /// From the shoulder to the wrist along the bones, length units.
    pub fn len(&self) -> f64 {
        self.bones[0] + self.bones[1]
    }

    /// Wrist and finger tips in the world.
    pub fn hand(&self, world: &WorldPose) -> [Vec3; 2] {
        [world.position(self.joints[2]), world.point(self.joints[2], self.hand)]
    }
}

impl Flesh {
    /// That of a person; `None` for a body that lacks a trunk, a leg or an arm with its hand.
    pub fn of(rig: &Rig) -> Option<Self> {
        let stance = WorldPose::of(&rig.skeleton, &rig.stance.local);
        let arms = [Arm::of(rig, &stance, Side::Left)?, Arm::of(rig, &stance, Side::Right)?];
        let at = |id: JointId| stance.position(id);
        let both = |role: fn(Side) -> Role| {
            Some([rig.joint(role(Side::Left))?, rig.joint(role(Side::Right))?])
        };
        let (thighs, shoulders) = (both(Role::Thigh)?, both(Role::UpperArm)?);
        let apart = |[a, b]: [JointId; 2]| (at(a) - at(b)).norm();
        let middle = |[a, b]: [JointId; 2]| (at(a) + at(b)) / 2.0;
        let len = (middle(shoulders) - middle(thighs)).norm();
        if len < 1e-6 * rig.leg_len {
            return None;
        }
        let hips = (apart(thighs) / 2.0 + HIPS_FLESH * len).max(LEAST_BREADTH * len);
        let chest = (apart(shoulders) / 2.0 - CHEST_INSET * len).max(LEAST_BREADTH * len);
        let trunk = Trunk {
            breadths: [hips, chest],
            depth: TRUNK_DEPTH * len,
            shoulders: apart(shoulders) / 2.0,
        };
        let limb = |part: BodyPart| {
            let [from, to] = match part {
                BodyPart::Thigh(side) => [Role::Thigh(side), Role::Shin(side)],
                BodyPart::Shin(side) => [Role::Shin(side), Role::Foot(side)],
                BodyPart::UpperArm(side) => [Role::UpperArm(side), Role::Forearm(side)],
                BodyPart::Forearm(side) => [Role::Forearm(side), Role::Hand(side)],
                BodyPart::Trunk | BodyPart::Head => return None,
            };
            let joints = [rig.joint(from)?, rig.joint(to)?];
            let radii = thickness(part).map(|share| share * apart(joints));
            Some(Bone::Limb { joints, radii })
        };
        let bone = |part: BodyPart| match part {
            BodyPart::Trunk => Some(Bone::Trunk { thighs, shoulders, trunk }),
            BodyPart::Head => {
                let head = rig.joint(Role::Head)?;
                let joint_from_body = rig.stance.body_from_joint[head.index()].inverse();
                let [up, left] = [Vec3::y(), Vec3::x()].map(|axis| joint_from_body * axis);
                let [len, radius] = [HEAD_LEN, HEAD_RADIUS].map(|share| share * len);
                Some(Bone::Head { head, up, left, len, radius })
            }
            _ => limb(part),
        };
        let parts = BodyPart::ALL.into_iter().filter_map(|part| Some((part, bone(part)?)));
        Some(Self { parts: parts.collect(), arms, trunk })
    }

    /// All joints that say where it is.
    pub fn joints(&self) -> impl Iterator<Item = JointId> + '_ {
        let of_bone = |bone: &Bone| match *bone {
            Bone::Trunk { thighs, shoulders, .. } => [thighs, shoulders].concat(),
            Bone::Head { head, .. } => vec![head],
            Bone::Limb { joints, .. } => joints.to_vec(),
        };
        let of_arms = self.arms.iter().flat_map(|arm| arm.joints);
        self.parts.iter().flat_map(move |(_, bone)| of_bone(bone)).chain(of_arms)
    }

    /// The parts that there are.
    pub fn parts(&self) -> impl Iterator<Item = BodyPart> + '_ {
        self.parts.iter().map(|(part, _)| *part)
    }

    /// Both wrists and both knees, as the hips see them but for their turn: where what moves fastest is.
    pub fn ends(&self, world: &WorldPose) -> [Vec3; 4] {
        let at = |id: JointId| world.position(id);
        let wrists = self.arms.map(|arm| at(arm.joints[2]));
        let knees = Side::BOTH.map(|side| {
            self.parts.iter().find_map(|(part, bone)| match *bone {
                Bone::Limb { joints, .. } if *part == BodyPart::Thigh(side) => Some(at(joints[1])),
                _ => None,
            })
        });
        let hips = self.trunk_from(world);
        [Some(wrists[0]), Some(wrists[1]), knees[0], knees[1]].map(|end| end.unwrap_or(hips) - hips)
    }

    /// Whether a point may be so near to a part, from what is known without its shape.
    pub fn is_about(&self, part: BodyPart, world: &WorldPose, point: Vec3, distance: f64) -> bool {
        let Some((_, bone)) = self.parts.iter().find(|(of, _)| *of == part) else { return false };
        let at = |id: JointId| world.position(id);
        let (from, reach) = match *bone {
            Bone::Trunk { .. } => return true,
            Bone::Head { head, len, radius, .. } => (at(head), len + radius),
            Bone::Limb { joints: [from, to], radii: [first, second] } => {
                (at(from), (at(to) - at(from)).norm() + first.max(second))
            }
        };
        (point - from).norm_squared() < (reach + distance).powi(2)
    }

    /// Midway between the hip joints.
    fn trunk_from(&self, world: &WorldPose) -> Vec3 {
        let thighs = self.parts.iter().find_map(|(_, bone)| match bone {
            Bone::Trunk { thighs: [l, r], .. } => {
                Some((world.position(*l) + world.position(*r)) / 2.0)
            }
            _ => None,
        });
        thighs.expect("no flesh without a trunk")
    }

    /// The trunk in a world pose.
    pub fn trunk_shape(&self, world: &WorldPose) -> Shape {
        self.shape(BodyPart::Trunk, world).expect("no flesh without a trunk")
    }

    /// A part in a world pose; `None` where the body has none such.
    pub fn shape(&self, part: BodyPart, world: &WorldPose) -> Option<Shape> {
        let (_, bone) = self.parts.iter().find(|(of, _)| *of == part)?;
        let at = |id: JointId| world.position(id);
        Some(match *bone {
            Bone::Trunk { thighs, shoulders, trunk } => {
                let [low, high] = [thighs, shoulders].map(|[l, r]| (at(l) + at(r)) / 2.0);
                let across = [thighs, shoulders].map(|[l, r]| at(l) - at(r));
                Shape::new([low, high], across, trunk.breadths, [trunk.depth; 2])
            }
            Bone::Head { head, up, left, len, radius } => {
                let (place, turn) = (at(head), world.rotation(head));
                let ends = [place, place + turn * up * len];
                Shape::new(ends, [turn * left; 2], [radius; 2], [radius; 2])
            }
            Bone::Limb { joints, radii } => {
                let ends = joints.map(at);
                let across = crate::math::any_perpendicular(ends[1] - ends[0]);
                Shape::new(ends, [across; 2], radii, radii)
            }
        })
    }
}
