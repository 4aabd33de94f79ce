//! Rolls of limbs from the axes about which knees and elbows bend in motion.
//!
//! However a limb hangs, its hinge tells how it is rolled: while a body stands in the reference
//! stance, knees bend backwards and elbows forwards.

use super::straighten::{outwards, shows_heading, straight};
use super::{Ground, Stance};
use crate::clip::Clip;
use crate::math::{Quat, Vec3, rejection, rotation_between};
use crate::pose::WorldPose;
use crate::rig::bone::bone_vector;
use crate::rig::{Role, Roles, Side, standing};
use crate::skeleton::{JointId, Skeleton};

/// Hinges that bend less than this do not count: the sine of the angle between the bones.
const BENT: f64 = 0.25;
/// How much of all that bending must be about one axis: 1 were all of it.
const ONE_AXIS: f64 = 0.9;
/// Frames in which the limb must be bent, at least.
const FRAMES: usize = 8;

/// The hinges of thighs, shins, upper arms and forearms as a clip's motion shows them.
pub(super) struct Hinges {
    /// For each joint the axis about which the limb bends, in the joint's frame (local, unit length).
    axes_local: Vec<Option<Vec3>>,
}

impl Hinges {
    /// None, for a rig without motion.
    pub fn unseen(skeleton: &Skeleton) -> Self {
        Self { axes_local: vec![None; skeleton.len()] }
    }

    /// What the clip shows.
    pub fn seen(clip: &Clip, roles: &Roles) -> Self {
        let skeleton = clip.skeleton();
        let limbs = Side::BOTH.into_iter().flat_map(|side| {
            [[Role::Thigh(side), Role::Shin(side)], [Role::UpperArm(side), Role::Forearm(side)]]
        });
        let joints =
            limbs.filter_map(|[upper, lower]| Some([roles.joint(upper)?, roles.joint(lower)?]));
        let limbs: Vec<[JointId; 2]> = joints.collect();
        let mut bends = vec![[Bends::default(); 2]; limbs.len()];
        clip.each_world(standing::sampled_frames(clip), |_, world| {
            for (limb, bends) in limbs.iter().zip(&mut bends) {
                let bone = |id| bone_vector(skeleton, roles, world, id).map(|v| v.normalize());
                let (Some(above), Some(below)) = (bone(limb[0]), bone(limb[1])) else { continue };
                let axis = above.cross(&below);
                if axis.norm() > BENT {
                    for (id, bends) in limb.iter().zip(bends) {
                        bends.add(world.rotation(*id).inverse() * axis);
                    }
                }
            }
        });
        let mut hinges = Self::unseen(skeleton);
        for (id, bends) in limbs.iter().flatten().zip(bends.iter().flatten()) {
            hinges.axes_local[id.index()] = bends.axis();
        }
        hinges
    }

    /// The roll about a limb's bone, in body space, that puts its hinge where it belongs: for a joint
    /// whose frame in the stance is `frame` but for that roll. `None` where no hinge was seen.
    pub fn roll(&self, role: Role, id: JointId, frame: Quat) -> Option<Quat> {
        let goal = match role {
            Role::Thigh(_) | Role::Shin(_) => Vec3::x(),
            // From the bone's direction to the way that the lower bone bends.
            Role::UpperArm(side) | Role::Forearm(side) => outwards(side).cross(&Vec3::z()),
            _ => return None,
        };
        let bone = straight(role)?;
        let seen = frame * self.axes_local[id.index()]?;
        Some(rotation_between(rejection(seen, bone), goal))
    }
}

/// Rolls limbs about their bones until their hinges lie as they must, where the motion shows a hinge.
pub(super) fn roll_limbs(skeleton: &Skeleton, roles: &Roles, hinges: &Hinges, stance: &mut Stance) {
    for (role, id) in roles.iter() {
        let Some(roll) = hinges.roll(role, id, stance.body_from_joint[id.index()]) else {
            continue;
        };
        stance.body_from_joint[id.index()] = roll * stance.body_from_joint[id.index()];
        stance.bases[id.index()].roll = Ground::Motion;
        // A hand has no hinge of its own; it turns with the forearm, and with the shin a foot whose bone does not show
        // where it points.
        let carries = match role {
            Role::Forearm(_) => true,
            Role::Shin(side) => is_without_heading(skeleton, roles, stance, side),
            _ => false,
        };
        if carries {
            for below in skeleton.at_and_below(id).skip(1) {
                let frame = &mut stance.body_from_joint[below.index()];
                *frame = roll * *frame;
            }
        }
    }
}

/// Whether a foot has a bone that points up or down alone in the stance, or none.
pub(super) fn is_without_heading(
    skeleton: &Skeleton,
    roles: &Roles,
    stance: &Stance,
    side: Side,
) -> bool {
    let Some(foot) = roles.joint(Role::Foot(side)) else { return false };
    let world = WorldPose::of(skeleton, &stance.local);
    let own = stance.body_from_joint[foot.index()] * world.rotation(foot).inverse();
    let bone = bone_vector(skeleton, roles, &world, foot).map(|bone| own * bone);
    !bone.is_some_and(shows_heading)
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
