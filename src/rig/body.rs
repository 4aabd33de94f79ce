//! Directions of a body in a pose, read from where its role joints are.

use super::{Role, Roles, Side};
use crate::math::{Quat, Vec3, frame_from_axes};
use crate::pose::WorldPose;
use crate::skeleton::JointId;

/// The joints that show how a body is turned, looked up once.
///
/// *Body space* is what all rigs share: X to the body's left, Y up, Z forward.
#[derive(Clone, Debug)]
pub(crate) struct Landmarks {
    pub thighs: [JointId; 2],
    pub shins: [JointId; 2],
    pub ankles: [JointId; 2],
    /// Upper arms where both exist; else the upmost of spine, neck and head, twice.
    pub top: [JointId; 2],
}

impl Landmarks {
    /// `None` where a leg or the whole trunk is missing.
    pub fn new(roles: &Roles) -> Option<Self> {
        let pair = |role: fn(Side) -> Role| {
            Some([roles.joint(role(Side::Left))?, roles.joint(role(Side::Right))?])
        };
        let top = pair(Role::UpperArm).or_else(|| {
            let spine = roles.spine();
            let upmost = roles.neck().first().or(spine.last()).copied();
            upmost.or(roles.joint(Role::Head)).map(|joint| [joint; 2])
        })?;
        Some(Self {
            thighs: pair(Role::Thigh)?,
            shins: pair(Role::Shin)?,
            ankles: pair(Role::Foot)?,
            top,
        })
    }

    /// Midway between the two hip joints.
    pub fn mid_thigh(&self, world: &WorldPose) -> Vec3 {
        middle(world, self.thighs)
    }

    /// From the middle of the hips to the shoulders, world, not normalised.
    pub fn trunk(&self, world: &WorldPose) -> Vec3 {
        middle(world, self.top) - self.mid_thigh(world)
    }

    /// Towards the body's left, from hips and shoulders alike, world, not normalised. Pairs of joints that lie nearly in
    /// one place, as hip joints do that nothing lays apart, count the less the nearer they are: the way between them is
    /// the digits of the file.
    pub fn left(&self, world: &WorldPose) -> Vec3 {
        /// Pairs this far apart count fully, legs; people's hips are twice as broad.
        const CLEAR: f64 = 0.1;
        let clear_len = CLEAR * self.leg_len(world);
        let across = |[left, right]: [JointId; 2]| {
            let v = world.position(left) - world.position(right);
            v / v.norm().max(clear_len).max(1e-12)
        };
        across(self.thighs) + across(self.top)
    }

    /// The rotation from body space to the world of a body whose up is `up_world`.
    pub fn world_from_body(&self, world: &WorldPose, up_world: Vec3) -> Option<Quat> {
        frame_from_axes(self.left(world), up_world)
    }

    /// Thigh plus shin, mean of both legs, clip length units.
    pub fn leg_len(&self, world: &WorldPose) -> f64 {
        let leg = |i: usize| {
            let [thigh, shin, ankle] =
                [self.thighs[i], self.shins[i], self.ankles[i]].map(|j| world.position(j));
            (shin - thigh).norm() + (ankle - shin).norm()
        };
        0.5 * (leg(0) + leg(1))
    }
}

fn middle(world: &WorldPose, [a, b]: [JointId; 2]) -> Vec3 {
    0.5 * (world.position(a) + world.position(b))
}
