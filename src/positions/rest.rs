//! The zero pose of a tracked body: it stands with its arms to the sides, with its own bone lengths and trunk shape.

use super::{Bone, Tracked};
use crate::math::{Quat, Vec3, frame_from_axes, median};
use crate::rig::{Role, Roles, Side, UpAxis};
use crate::skeleton::JointId;

/// The zero pose, all of whose joints have the world's axes.
pub struct Rest {
    /// One a joint; those of hands, fingers and what has no role come as their parents are turned.
    pub offsets: Vec<Vec3>,
    /// From a body that faces +Z with Y up to the world.
    pub world_from_body: Quat,
    /// Of each frame, world: pelvis and chest, with the trunk's line up and the hips' or shoulders' line to the left.
    trunk: Option<[Vec<Quat>; 2]>,
}

impl Rest {
    pub fn new(
        tracked: &Tracked,
        bones: &[Bone],
        roles: Option<&Roles>,
        up: Option<UpAxis>,
    ) -> Self {
        let joints = Trunk::new(roles);
        let up = up.unwrap_or_else(|| joints.as_ref().map_or(UpAxis::Y, |it| it.up(tracked)));
        let mut rest = Self {
            offsets: vec![Vec3::zeros(); tracked.joints()],
            world_from_body: UpAxis::Y.turn_to(up),
            trunk: joints.map(|joints| joints.frames(tracked)),
        };
        let total: f64 = bones.iter().map(|bone| bone.len).sum();
        if let Some(roles) = roles {
            for joint in 0..tracked.joints() {
                let Some(mut parent) = tracked.parent(joint) else { continue };
                // A parent without a role in the place of its own parent is passed over.
                while roles.role(JointId::new(parent)).is_none() && bones[parent].len < 1e-9 * total
                {
                    let Some(above) = tracked.parent(parent) else { break };
                    parent = above;
                }
                if let Some(along) = rest.of_role(tracked, roles, parent, joint) {
                    rest.offsets[joint] = rest.world_from_body * along * bones[joint].len;
                }
            }
        }
        rest
    }

    /// Where the bone from `parent` to `joint` points in a body that faces +Z with Y up, if roles say it.
    fn of_role(
        &self,
        tracked: &Tracked,
        roles: &Roles,
        parent: usize,
        joint: usize,
    ) -> Option<Vec3> {
        let role = roles.role(JointId::new(parent))?;
        let towards = |end: Role| {
            let end = roles.joint(end)?.index();
            let mut at = Some(end);
            while at.is_some_and(|it| it > joint) {
                at = at.and_then(|it| tracked.parent(it));
            }
            (at == Some(joint)).then_some(())
        };
        let aside = |side| if side == Side::Left { Vec3::x() } else { -Vec3::x() };
        match role {
            Role::Thigh(side) => towards(Role::Shin(side)).map(|()| -Vec3::y()),
            Role::Shin(side) => towards(Role::Foot(side)).map(|()| -Vec3::y()),
            Role::UpperArm(side) => towards(Role::Forearm(side)).map(|()| aside(side)),
            Role::Forearm(side) => towards(Role::Hand(side)).map(|()| aside(side)),
            Role::Foot(side) => {
                let shin = roles.joint(Role::Shin(side))?.index();
                let angle = |frame| {
                    tracked.way(frame, shin, parent).angle(&tracked.way(frame, parent, joint))
                };
                let angle = median((0..tracked.frames()).map(angle)).clamp(0.0, 2.0);
                Some(Vec3::new(0.0, -angle.cos(), angle.sin()))
            }
            Role::Hips | Role::Spine(_) | Role::Neck(_) | Role::Head | Role::Clavicle(_) => {
                let [pelvis, chest] = self.trunk.as_ref()?;
                let carries_legs = [Side::Left, Side::Right]
                    .into_iter()
                    .any(|side| towards(Role::Thigh(side)).is_some());
                let frames = if role == Role::Hips || carries_legs { pelvis } else { chest };
                let mean = in_frames(tracked, frames, parent, joint)?;
                // Feet and shoulders keep their distance to the middle; joints of the middle lean to no side.
                let is_middle = |role: Role| role.side().is_none();
                let child = roles.role(JointId::new(joint));
                match is_middle(role) && child.is_some_and(is_middle) {
                    true => Vec3::new(0.0, mean.y, mean.z).try_normalize(1e-9),
                    false => Some(mean),
                }
            }
            _ => None,
        }
    }

    /// Gives the bone from `parent` to `joint` its median direction in the parent's `frames`.
    pub fn set_bone(
        &mut self,
        tracked: &Tracked,
        frames: &[Quat],
        parent: usize,
        joint: usize,
        len: f64,
    ) {
        let along = in_frames(tracked, frames, parent, joint).unwrap_or_else(Vec3::zeros);
        self.offsets[joint] = along * len;
    }
}

/// The median direction of a bone in coordinate frames that move with the body, one for each frame of the clip.
fn in_frames(tracked: &Tracked, frames: &[Quat], parent: usize, joint: usize) -> Option<Vec3> {
    let local = |frame: usize| frames[frame].inverse() * tracked.way(frame, parent, joint);
    let ways: Vec<Vec3> = (0..tracked.frames()).map(local).collect();
    let axis = |axis: usize| median(ways.iter().map(|way| way[axis]));
    Vec3::new(axis(0), axis(1), axis(2)).try_normalize(1e-12)
}

/// The joints that show how the trunk lies.
struct Trunk {
    thighs: [usize; 2],
    arms: [usize; 2],
}

impl Trunk {
    fn new(roles: Option<&Roles>) -> Option<Self> {
        let joint = |role: Role| Some(roles?.joint(role)?.index());
        let both =
            |role: fn(Side) -> Role| Some([joint(role(Side::Left))?, joint(role(Side::Right))?]);
        Some(Self { thighs: both(Role::Thigh)?, arms: both(Role::UpperArm)? })
    }

    /// From the middle of the hips to the middle of the shoulders.
    fn line(&self, tracked: &Tracked, frame: usize) -> Vec3 {
        let middle = |[a, b]: [usize; 2]| (tracked.at(frame, a) + tracked.at(frame, b)) / 2.0;
        middle(self.arms) - middle(self.thighs)
    }

    /// The median direction of the trunk.
    fn up(&self, tracked: &Tracked) -> UpAxis {
        let unit = |frame| self.line(tracked, frame).try_normalize(1e-12).unwrap_or_default();
        UpAxis::nearest((0..tracked.frames()).map(unit).sum())
    }

    fn frames(&self, tracked: &Tracked) -> [Vec<Quat>; 2] {
        let of = |[left, right]: [usize; 2]| {
            let mut last = Quat::identity();
            let frame = |frame| {
                let across = tracked.way(frame, right, left);
                last = frame_from_axes(across, self.line(tracked, frame)).unwrap_or(last);
                last
            };
            (0..tracked.frames()).map(frame).collect()
        };
        [of(self.thighs), of(self.arms)]
    }
}
