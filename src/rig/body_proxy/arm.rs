//! An arm with its hand, as far as touching goes.

use super::build::HAND_OF_FOREARM;
use super::is_long;
use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::rig::{Rig, Role, Side};
use crate::skeleton::JointId;

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
    pub(super) fn of(rig: &Rig, stance: &WorldPose, side: Side) -> Option<Self> {
        let joints = [Role::UpperArm(side), Role::Forearm(side), Role::Hand(side)];
        let [Some(shoulder), Some(elbow), Some(wrist)] = joints.map(|role| rig.joint(role)) else {
            return None;
        };
        let len = |a: JointId, b: JointId| (stance.position(b) - stance.position(a)).norm();
        let bones = [len(shoulder, elbow), len(elbow, wrist)];
        let out = if side == Side::Left { Vec3::x() } else { -Vec3::x() };
        let hand = rig.stance.body_from_joint[wrist.index()].inverse() * out;
        let hand = hand * (HAND_OF_FOREARM * bones[1]);
        let is_there = bones.iter().all(|bone| is_long(*bone, rig));
        is_there.then_some(Self { joints: [shoulder, elbow, wrist], bones, hand })
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
