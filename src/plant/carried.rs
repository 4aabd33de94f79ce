//! What planting needs to know of the carried clip, frame by frame.

use crate::binding::Binding;
use crate::clip::Clip;
use crate::math::{Quat, Vec3};
use crate::pose::{Pose, WorldPose};
use crate::rig::Foot;
use crate::skeleton::JointId;

/// One leg of the target, looked up once.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    pub thigh: JointId,
    pub shin: JointId,
    pub ankle: JointId,
    pub toe: Option<JointId>,
    /// Heel and ball in the ankle's frame (local).
    pub heel: Vec3,
    pub ball: Vec3,
    /// In the toe joint's frame (local), or the ankle's without one.
    pub tip: Vec3,
    pub ball_height: f64,
    /// The axis about which the knee bends the shin backwards, in the shin's frame (local).
    pub knee_axis: Vec3,
    /// The sole's normal in the frames of ankle and toe joint (local).
    pub foot_up: Vec3,
    pub toe_up: Vec3,
    /// Thigh plus shin, length units.
    pub len: f64,
}

impl Leg {
    /// All legs of the target, in the order of its feet.
    pub fn all(binding: &Binding) -> Vec<Leg> {
        let leg = |foot: &Foot| {
            let target = &binding.target;
            let (thigh, shin) = (foot.leg[0], foot.leg[1]);
            let world = WorldPose::of(&target.skeleton, &target.stance.local);
            let between = |a: JointId, b: JointId| (world.position(a) - world.position(b)).norm();
            let up_local =
                |id: JointId| target.stance.body_from_joint[id.index()].inverse() * Vec3::y();
            Leg {
                thigh,
                shin,
                ankle: foot.ankle,
                toe: foot.toe,
                heel: foot.heel,
                ball: foot.ball,
                tip: foot.tip,
                ball_height: foot.ball_height,
                // It points to the body's left in the stance.
                knee_axis: target.stance.body_from_joint[shin.index()].inverse() * Vec3::x(),
                foot_up: up_local(foot.ankle),
                toe_up: up_local(foot.toe.unwrap_or(foot.ankle)),
                len: between(thigh, shin) + between(shin, foot.ankle),
            }
        };
        binding.target.feet.iter().map(leg).collect()
    }
}

/// A leg in one frame of the carried clip, target world.
#[derive(Clone, Copy, Debug)]
pub(super) struct CarriedLeg {
    pub thigh: Vec3,
    pub ankle: Vec3,
    pub foot_rotation: Quat,
    /// The toe joint's, or the ankle's without one.
    pub toe_rotation: Quat,
}

/// All legs in every frame of the carried clip, by leg and frame.
pub(super) fn carried_legs(clip: &Clip, legs: &[Leg]) -> Vec<Vec<CarriedLeg>> {
    let skeleton = clip.skeleton();
    let mut pose = Pose::rest(skeleton);
    let mut world = WorldPose::new(skeleton.len());
    let mut carried = vec![Vec::with_capacity(clip.len()); legs.len()];
    for frame in 0..clip.len() {
        clip.read_pose(frame, &mut pose);
        world.set(skeleton, &pose);
        for (carried, leg) in carried.iter_mut().zip(legs) {
            carried.push(CarriedLeg {
                thigh: world.position(leg.thigh),
                ankle: world.position(leg.ankle),
                foot_rotation: world.rotation(leg.ankle),
                toe_rotation: world.rotation(leg.toe.unwrap_or(leg.ankle)),
            });
        }
    }
    carried
}
