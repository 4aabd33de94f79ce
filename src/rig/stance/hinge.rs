//! Rolls of limbs from the axes about which knees and elbows bend in motion.
//!
//! However a limb hangs, its hinge tells how it is rolled: while a body stands in the reference
//! stance, knees bend backwards and elbows forwards.

use super::straighten::{outwards, straight};
use super::{Ground, Stance};
use crate::clip::Clip;
use crate::math::{Vec3, rotation_between};
use crate::pose::{Pose, WorldPose};
use crate::rig::bone::bone_vector;
use crate::rig::{Role, Roles, Side, standing};

/// Hinges that bend less than this do not count: the sine of the angle between the bones.
const BENT: f64 = 0.25;
/// How much of all that bending must be about one axis: 1 were all of it.
const ONE_AXIS: f64 = 0.9;
/// Frames in which the limb must be bent, at least.
const FRAMES: usize = 8;

/// Rolls thighs, shins, upper arms and forearms about their bones until their hinges lie as they must,
/// where the motion shows a hinge.
pub(super) fn roll_limbs(clip: &Clip, roles: &Roles, stance: &mut Stance) {
    let limbs = Side::BOTH.into_iter().flat_map(|side| {
        // From the bone's direction to the way that the lower bone bends.
        let elbow = outwards(side).cross(&Vec3::z());
        [
            (Role::Thigh(side), Role::Shin(side), Vec3::x()),
            (Role::UpperArm(side), Role::Forearm(side), elbow),
        ]
    });
    let limbs: Vec<_> = limbs.collect();
    let mut bends = vec![[Bends::default(); 2]; limbs.len()];
    let skeleton = clip.skeleton();
    let mut pose = Pose::rest(skeleton);
    let mut world = WorldPose::new(skeleton.len());
    for frame in standing::sampled_frames(clip) {
        clip.read_pose(frame, &mut pose);
        world.set(skeleton, &pose);
        for ((upper, lower, _), bends) in limbs.iter().zip(&mut bends) {
            let (Some(upper), Some(lower)) = (roles.joint(*upper), roles.joint(*lower)) else {
                continue;
            };
            let bone = |id| bone_vector(skeleton, roles, &world, id).map(|v| v.normalize());
            let (Some(above), Some(below)) = (bone(upper), bone(lower)) else { continue };
            let axis = above.cross(&below);
            if axis.norm() > BENT {
                bends[0].add(world.rotation(upper).inverse() * axis);
                bends[1].add(world.rotation(lower).inverse() * axis);
            }
        }
    }
    for ((upper, lower, goal), bends) in limbs.into_iter().zip(bends) {
        for (role, bends) in [upper, lower].into_iter().zip(bends) {
            let (Some(id), Some(axis), Some(bone)) =
                (roles.joint(role), bends.axis(), straight(role))
            else {
                continue;
            };
            let seen = stance.body_from_joint[id.index()] * axis;
            let level = seen - bone * bone.dot(&seen);
            let roll = rotation_between(level, goal);
            stance.body_from_joint[id.index()] = roll * stance.body_from_joint[id.index()];
            stance.bases[id.index()].roll = Ground::Motion;
            // A hand has no hinge of its own; it turns with the forearm.
            if let Role::Forearm(_) = role {
                for below in skeleton.ids().filter(|&below| skeleton.is_ancestor(id, below)) {
                    let frame = &mut stance.body_from_joint[below.index()];
                    *frame = roll * *frame;
                }
            }
        }
    }
}

/// Bending about some axes, all in one joint's frame.
#[derive(Clone, Copy, Default)]
struct Bends {
    sum: Vec3,
    total: f64,
    count: usize,
}

impl Bends {
    fn add(&mut self, axis_local: Vec3) {
        self.sum += axis_local;
        self.total += axis_local.norm();
        self.count += 1;
    }

    /// The hinge's axis, if it is one.
    fn axis(&self) -> Option<Vec3> {
        let one = self.sum.norm() > ONE_AXIS * self.total && self.count >= FRAMES;
        one.then(|| self.sum.normalize())
    }
}
