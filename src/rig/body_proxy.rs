//! The body proxy: shapes around a person's bones, for what a hand touches when it touches the body.
//!
//! A file shows joints alone. Each part is a simple [`Shape`] about its bone, as thick as people are for bones of
//! that length. What two bodies share is a place on such a part, whatever their build.

mod arm;
mod build;
mod capsule;
mod part;
mod shape;

pub(crate) use arm::Arm;
pub(crate) use build::knee_radius;
pub(crate) use capsule::off_segment;
pub use part::BodyPart;
pub(crate) use shape::{Place, Shape};

use super::{Rig, Role, Side};
use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::skeleton::JointId;
use capsule::{Capsule, Trunk};

/// The proxy of a person's body, all lengths known.
#[derive(Clone, Debug)]
pub(crate) struct BodyProxy {
    parts: Vec<(BodyPart, Capsule)>,
    pub arms: [Arm; 2],
    pub trunk: Trunk,
    /// Wrists and knees; a leg without a knee has its hip joint here.
    ends: [JointId; 4],
}

impl BodyProxy {
    /// That of a person; `None` for a body that lacks a trunk, a leg or an arm with its hand.
    pub fn of(rig: &Rig) -> Option<Self> {
        let stance = WorldPose::of(&rig.skeleton, &rig.stance.local);
        let arms = [Arm::of(rig, &stance, Side::Left)?, Arm::of(rig, &stance, Side::Right)?];
        let trunk = Trunk::of(rig, &stance)?;
        let capsule = |part: BodyPart| Some((part, Capsule::of(part, rig, &stance, trunk)?));
        let parts = BodyPart::ALL.into_iter().filter_map(capsule).collect();
        let knee = |side: Side| rig.joint(Role::Shin(side)).or(rig.joint(Role::Thigh(side)));
        let wrists = arms.map(|arm| arm.joints[2]);
        let ends = [wrists[0], wrists[1], knee(Side::Left)?, knee(Side::Right)?];
        Some(Self { parts, arms, trunk, ends })
    }

    /// All joints that say where it is.
    pub fn joints(&self) -> impl Iterator<Item = JointId> + '_ {
        self.parts.iter().flat_map(|(_, capsule)| capsule.joints()).chain(self.arm_joints())
    }

    /// Those that say where arms and trunk are.
    pub fn arm_joints(&self) -> impl Iterator<Item = JointId> + '_ {
        self.arms.iter().flat_map(|arm| arm.joints).chain(self.trunk.joints())
    }

    /// The mean length of both arms, without their hands.
    pub fn mean_arm_len(&self) -> f64 {
        (self.arms[0].len() + self.arms[1].len()) / 2.0
    }

    /// The parts that there are.
    pub fn parts(&self) -> impl Iterator<Item = BodyPart> + '_ {
        self.parts.iter().map(|(part, _)| *part)
    }

    /// Both wrists and both knees, as the hips see them but for their turn: where what moves fastest is.
    pub fn ends(&self, world: &WorldPose) -> [Vec3; 4] {
        let hips = self.trunk.from(world);
        self.ends.map(|end| world.position(end) - hips)
    }

    /// Whether a point may be so near to the part in this place of their order, from what is known without its shape.
    pub fn is_about(&self, place: usize, world: &WorldPose, point: Vec3, distance: f64) -> bool {
        self.parts[place].1.is_about(world, point, distance)
    }

    /// All parts in a world pose.
    pub fn shapes(&self, world: &WorldPose) -> impl Iterator<Item = (BodyPart, Shape)> {
        self.parts.iter().map(|(part, capsule)| (*part, capsule.shape(world)))
    }

    /// The part in this place of their order, in a world pose.
    pub fn shape_at(&self, place: usize, world: &WorldPose) -> Shape {
        self.parts[place].1.shape(world)
    }

    /// A part in a world pose; `None` where the body has none such.
    pub fn shape(&self, part: BodyPart, world: &WorldPose) -> Option<Shape> {
        let capsule = self.parts.iter().find_map(|(of, capsule)| (*of == part).then_some(capsule));
        Some(capsule?.shape(world))
    }
}

/// Whether a bone has a length, so that shapes about it can be sized by it.
fn is_long(bone_len: f64, rig: &Rig) -> bool {
    bone_len > 1e-6 * rig.leg_len
}
