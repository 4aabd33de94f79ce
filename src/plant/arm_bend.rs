//! How an arm bends when its hand is moved, as the solve will bend it.

use super::arm::{HandGoal, TransferredArm, elbow_axis};
use super::even::TwoBones;
use super::limb_ik::{arm_bones, arm_places, bending_turn, reached};
use crate::binding::{Binding, HingedLimb};
use crate::math::{Quat, Vec3};
use crate::rig::Side;
use crate::skeleton::JointId;

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
