//! Arms of the target, and how a transferred clip holds them.

use super::even::TwoBones;
use super::limb_ik::{arm_bones, arm_places, bending_turn, reached};
use super::solve::HandGoal;
use super::transferred::carry_limbs;
use crate::binding::{Binding, HingedLimb};
use crate::clip::Clip;
use crate::contact::{Limb, LimbPoints};
use crate::math::{Quat, Vec3};
use crate::pose::WorldPose;
use crate::rig::{Rig, Role, Side};
use crate::skeleton::JointId;
use std::ops::Range;

/// Upper arm, forearm and hand, where a rig has all three.
pub(super) fn arm_joints(target: &Rig, side: Side) -> Option<[JointId; 3]> {
    let joint = |role| target.joint(role);
    Some([joint(Role::UpperArm(side))?, joint(Role::Forearm(side))?, joint(Role::Hand(side))?])
}

/// The axis about which the elbow of a side bends, in the frame of a joint of its arm (local): in the stance an elbow bends
/// its forearm forwards, about the vertical.
pub(super) fn elbow_axis(target: &Rig, side: Side, joint: JointId) -> Vec3 {
    let outwards = if side == Side::Left { -Vec3::y() } else { Vec3::y() };
    target.stance.body_from_joint[joint.index()].inverse() * outwards
}

/// The weight of a hand's goals.
pub(super) fn weight(binding: &Binding, side: Side) -> f64 {
    binding.target.joint(Role::Hand(side)).map_or(1.0, |hand| binding.target.weight(hand))
}

/// The joints of an arm of the target, and the points of its hand that may touch a floor.
pub(super) struct Arm {
    pub side: Side,
    pub joints: [JointId; 3],
    hand: LimbPoints,
}

/// An arm in one frame of the transferred clip, target world.
#[derive(Clone, Copy, Default)]
pub(super) struct TransferredArm {
    pub shoulder: Vec3,
    pub elbow: Vec3,
    pub wrist: Vec3,
    /// The place under the wrist at the height of the hand's lowest point.
    pub bottom: Vec3,
    /// The rotation of the upper arm.
    pub upper: Quat,
    /// The rotation of the joint above it.
    pub above: Quat,
}

impl Arm {
    /// `None` where a joint of the arm has no role.
    pub fn of(target: &Rig, side: Side) -> Option<Self> {
        let hand = LimbPoints::of(target, Limb::Hand(side))?;
        Some(Self { side, joints: arm_joints(target, side)?, hand })
    }

    /// Each of these arms in these runs of frames of the source, one after the other. Transfers nothing else.
    pub fn transferred(
        arms: &[Arm],
        source: &Clip,
        binding: &Binding,
        runs: &[Range<usize>],
    ) -> Vec<Vec<TransferredArm>> {
        let target = &binding.target;
        let needed: Vec<JointId> =
            arms.iter().flat_map(|arm| arm.hand.joints().chain(arm.joints)).collect();
        let see = |arm: &Arm, world: &WorldPose| {
            let [shoulder, elbow, wrist] = arm.joints.map(|joint| world.position(joint));
            let upper = world.rotation(arm.joints[0]);
            let above = target.skeleton.parent(arm.joints[0]);
            let above = above.map_or(Quat::identity(), |above| world.rotation(above));
            let bottom = arm.hand.at(world, target);
            TransferredArm { shoulder, elbow, wrist, bottom, upper, above }
        };
        let mut all = vec![Vec::new(); arms.len()];
        let take = |arm: usize, mut seen: Vec<TransferredArm>| all[arm].append(&mut seen);
        carry_limbs(source, binding, runs.iter().cloned(), needed, arms, see, take);
        all
    }

    /// From the shoulder along the bones to the farthest point of the hand, in the rig's stance, length units.
    pub fn len(&self, rig: &Rig) -> f64 {
        let world = WorldPose::of(&rig.skeleton, &rig.stance.local);
        let [shoulder, elbow, wrist] = self.joints.map(|joint| world.position(joint));
        (elbow - shoulder).norm() + (wrist - elbow).norm() + self.hand.farthest_len(&world)
    }
}

/// How the arm of a side bends when its hand is moved.
pub(super) struct ArmBend {
    /// About which the elbow bends, in the frame of the upper arm (local).
    axis: Vec3,
    hinge: Option<HingedLimb>,
}

impl ArmBend {
    pub fn of(binding: &Binding, side: Side, upper: JointId) -> Self {
        let axis = elbow_axis(&binding.target, side, upper);
        Self { axis, hinge: binding.limits.hinged_below(upper).copied() }
    }

    pub fn bones(&self, arm: &TransferredArm) -> TwoBones {
        match &self.hinge {
            Some(hinge) => TwoBones::of_hinge(hinge),
            None => arm_bones(arm.bones(), f64::INFINITY),
        }
    }

    /// The way from shoulder to wrist of an arm whose wrist is to be moved by `offset`.
    pub fn reached(&self, arm: &TransferredArm, offset: Vec3) -> Vec3 {
        let way = arm.way();
        match &self.hinge {
            Some(_) => self.bones(arm).reached(way, way + offset),
            None => reached(Vec3::zeros(), way, way + offset, arm.bones()).unwrap_or(way),
        }
    }

    /// Where the elbow comes, from the shoulder, of an arm whose wrist comes to `way` from there.
    pub fn elbow(&self, arm: &TransferredArm, way: Vec3) -> Vec3 {
        match &self.hinge {
            Some(hinge) => {
                let (swing, _) = hinge.reaching(arm.upper, way);
                swing * (arm.elbow - arm.shoulder)
            }
            None => {
                let goal = HandGoal { offset: way - arm.way(), swivel_rad: 0.0 };
                let was = [arm.shoulder, arm.elbow, arm.wrist];
                let places = arm_places(was, arm.upper * self.axis, &goal);
                places.map_or(arm.elbow, |[elbow, _]| elbow) - arm.shoulder
            }
        }
    }

    /// The rotation of the upper arm whose wrist comes to `way` from the shoulder and whose elbow then turns by `swivel_rad`
    /// about that line.
    pub fn upper(&self, arm: &TransferredArm, way: Vec3, swivel_rad: f64) -> Quat {
        let line = way.try_normalize(1e-300).unwrap_or_default();
        let swivel = Quat::from_scaled_axis(line * swivel_rad);
        let turn = match &self.hinge {
            Some(hinge) => hinge.reaching(arm.upper, way).0,
            None => {
                let elbow = self.elbow(arm, way);
                let was = [arm.elbow - arm.shoulder, arm.wrist - arm.elbow];
                bending_turn(was, [elbow, way - elbow], arm.upper * self.axis)
            }
        };
        swivel * turn * arm.upper
    }

    /// An arm without a hinge.
    #[cfg(test)]
    pub fn free(axis: Vec3) -> Self {
        Self { axis, hinge: None }
    }
}

impl TransferredArm {
    /// From the shoulder to the wrist.
    pub fn way(&self) -> Vec3 {
        self.wrist - self.shoulder
    }

    /// The lengths of both bones.
    pub fn bones(&self) -> [f64; 2] {
        [(self.elbow - self.shoulder).norm(), (self.wrist - self.elbow).norm()]
    }
}
