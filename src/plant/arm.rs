//! Arms of the target, how a transferred clip holds them, and what is asked of their hands.

use super::hanging::forwards;
use super::seen::Seen;
use super::transferred::transfer_limbs;
use crate::binding::Binding;
use crate::clip::Clip;
use crate::contact::{Limb, LimbPoints};
use crate::math::{Quat, Vec3};
use crate::pose::WorldPose;
use crate::rig::{Rig, Role, Side, UpAxis};
use crate::skeleton::JointId;
use std::ops::Range;
use std::slice;

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
    /// From the wrist to the hand's lowest point.
    pub lowest: Vec3,
    /// How far its lowest point would be under the wrist if the hand turned up about that until its middle is level.
    pub under_lying: f64,
    /// From the wrist to the middle of the hand.
    pub hand: Vec3,
    /// The level direction in which the front of the body is; no longer than 1.
    pub ahead: Vec3,
    /// The rotation of the upper arm.
    pub upper: Quat,
    /// The rotation of the joint above it.
    pub above: Quat,
}

/// The goal of a hand, relative to where the body carries it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct HandGoal {
    pub offset: Vec3,
    /// How far its elbow turns about the line from shoulder to wrist, radians.
    pub swivel_rad: f64,
    /// The turn of the hand about its wrist, a scaled axis.
    pub tilt: Vec3,
}

/// The effect of leaning on a floor on a hand, by frame.
pub(super) struct Lean {
    /// Offset from where the body carries the hand, target length units.
    pub offsets: Vec<Vec3>,
    /// How much the hand leans, from 0 to 1.
    pub leans: Vec<f64>,
    /// How far its lowest point comes up under its wrist as it lies down, target length units.
    pub lies_lens: Vec<f64>,
    /// The part of the offset that was given up, target length units.
    pub given_up: Vec<f64>,
}

/// An arm for the solve.
pub(super) struct SolvedArm {
    pub side: Side,
    /// Upper arm, forearm and hand.
    pub joints: [JointId; 3],
    /// The axis about which elbows bend, in the frame of the upper arm (local).
    pub axis: Vec3,
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
        let hips = binding.root.hips;
        let see = |arm: &Arm, world: &WorldPose| {
            let [shoulder, elbow, wrist] = arm.joints.map(|joint| world.position(joint));
            let upper = world.rotation(arm.joints[0]);
            let above = target.skeleton.parent(arm.joints[0]);
            let above = above.map_or(Quat::identity(), |above| world.rotation(above));
            let lowest = arm.hand.lowest(world, target);
            let under_lying = arm.hand.under_lying(world, target);
            let hand = arm.hand.middle(world) - wrist;
            let ahead = forwards(target, hips, world);
            TransferredArm {
                shoulder,
                elbow,
                wrist,
                lowest,
                under_lying,
                hand,
                ahead,
                upper,
                above,
            }
        };
        let mut all = vec![Vec::new(); arms.len()];
        let take = |arm: usize, mut seen: Vec<TransferredArm>| all[arm].append(&mut seen);
        transfer_limbs(source, binding, runs.iter().cloned(), needed, arms, see, take);
        all
    }

    /// From the wrist to the farthest point of the hand in the rig's stance, length units.
    pub fn hand_len(&self, rig: &Rig) -> f64 {
        self.hand.farthest_len(&WorldPose::of(&rig.skeleton, &rig.stance.local))
    }

    /// As [`arm_len`].
    pub fn len(&self, rig: &Rig) -> f64 {
        len(rig, [self.joints[0], self.joints[1]], &self.hand)
    }
}

/// From the shoulder along the bones to the farthest point of the hand, or to the end of a forearm without one, in the
/// rig's stance, length units. `None` where a rig lacks the arm.
pub(super) fn arm_len(rig: &Rig, side: Side) -> Option<f64> {
    let bones = [rig.joint(Role::UpperArm(side))?, rig.joint(Role::Forearm(side))?];
    Some(len(rig, bones, &LimbPoints::of(rig, Limb::Hand(side))?))
}

fn len(rig: &Rig, bones: [JointId; 2], hand: &LimbPoints) -> f64 {
    let world = WorldPose::of(&rig.skeleton, &rig.stance.local);
    let [shoulder, elbow] = bones.map(|joint| world.position(joint));
    let wrist = hand.place(&world);
    (elbow - shoulder).norm() + (wrist - elbow).norm() + hand.farthest_len(&world)
}

/// One arm over a clip, transferred in those frames that are asked for.
pub(super) struct ArmFrames<'a> {
    pub arm: Arm,
    source: &'a Clip,
    binding: &'a Binding,
    seen: Seen<TransferredArm>,
}

impl<'a> ArmFrames<'a> {
    /// Transfers nothing yet. `None` where a joint of the arm has no role.
    pub fn of(side: Side, source: &'a Clip, binding: &'a Binding) -> Option<Self> {
        let arm = Arm::of(&binding.target, side)?;
        Some(Self { arm, source, binding, seen: Seen::new(source.len()) })
    }

    /// The arm in these runs of frames, one after the other. Transfers those in which nobody asked for it before.
    pub fn in_runs(&mut self, wanted: &[Range<usize>]) -> Vec<TransferredArm> {
        let missing = self.seen.missing(wanted);
        let arms = slice::from_ref(&self.arm);
        let found = Arm::transferred(arms, self.source, self.binding, &missing);
        self.seen.add(missing, found.into_iter().flatten());
        wanted.iter().cloned().flatten().map(|f| *self.seen.at(f)).collect()
    }
}

impl TransferredArm {
    /// The place under the wrist at the height of the hand's lowest point.
    pub fn bottom(&self, up: UpAxis) -> Vec3 {
        self.wrist - up.vector() * self.under(up)
    }

    /// How far the hand's lowest point is under the wrist.
    pub fn under(&self, up: UpAxis) -> f64 {
        -up.height(self.lowest)
    }

    /// From the shoulder to the wrist.
    pub fn way(&self) -> Vec3 {
        self.wrist - self.shoulder
    }

    /// The lengths of both bones.
    pub fn bones(&self) -> [f64; 2] {
        [(self.elbow - self.shoulder).norm(), (self.wrist - self.elbow).norm()]
    }
}
