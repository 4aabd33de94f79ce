//! The reference stance: the one posture that every rig can be brought into, whatever its zero pose.
//!
//! In body space (X to the body's left, Y up, Z forward) the legs point straight down, the arms
//! straight to the sides, the feet ahead; trunk, neck, head and clavicles keep the rig's own shape.
//! What a joint's frame is in that stance says what each of its axes means, and that is all that two
//! rigs need to share.

mod alike;
mod clavicle;
mod fingers;
mod flat_feet;
mod geometry;
mod habits;
mod hinge;
mod laid;
mod mirrored;
mod motion;
mod straighten;
mod turned;

pub(super) use alike::lay_feet_alike;
pub(super) use flat_feet::turn_below;
pub(crate) use straighten::{point_ahead, shows_heading};

use super::body::Landmarks;
use super::bone::bone_vector;
use super::foot_rest::FootRest;
use super::standing::Standing;
use super::{RigHints, Role, Roles, Side, UpAxis};
use crate::clip::Clip;
use crate::math::{Quat, Vec3, frame_from_axes};
use crate::pose::{Pose, WorldPose};
use crate::skeleton::{JointId, Skeleton};
use flat_feet::axis_across;
use geometry::Held;
use hinge::Hinges;
use serde::Serialize;
use std::fmt;

/// What the reference stance was taken from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StanceOrigin {
    /// Rotations or a frame that the user wrote.
    Written,
    /// The zero pose looks like a body standing.
    Rest,
    /// One frame of the rig's file that shows a bind pose.
    Frame(usize),
    /// What this many frames have in common in which the body stands most upright.
    Frames(usize),
    /// No pose shows it: built from the bones alone.
    Built,
}

impl fmt::Display for StanceOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StanceOrigin::Written => write!(f, "as written"),
            StanceOrigin::Rest => write!(f, "zero pose"),
            StanceOrigin::Frame(frame) => write!(f, "frame {frame}"),
            StanceOrigin::Frames(count) => write!(f, "as {count} standing frames have it"),
            StanceOrigin::Built => write!(f, "built from the bones, since no pose shows it"),
        }
    }
}

/// What a direction or a roll in the stance rests on, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ground {
    /// Nothing: the choice that leaves the bone untwisted.
    Assumed,
    /// What the body does in motion.
    Motion,
    /// The bones: straight limbs by their own bone, pelvis and chest by several.
    Bones,
    /// A pose that shows the body standing.
    Shown,
}

/// How well a joint's frame in the stance is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Basis {
    /// Where the joint's bone points.
    pub direction: Ground,
    /// How the joint is rolled about its bone.
    pub roll: Ground,
}

/// The roles of which a stance assumes something, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assumed {
    /// Where their bones point.
    pub directions: Vec<Role>,
    /// How they are rolled about their bones.
    pub rolls: Vec<Role>,
}

/// A rig's reference stance.
#[derive(Clone, Debug)]
pub struct Stance {
    /// Local pose as the rig showed it, before limbs were straightened: what joints that take no
    /// part in a transfer keep.
    pub local: Pose,
    /// For each joint the rotation from its frame to body space in the straightened stance.
    pub body_from_joint: Vec<Quat>,
    /// For each joint how well that is known; joints without a role move as those above them.
    pub bases: Vec<Basis>,
    pub origin: StanceOrigin,
}

/// A posture in body space, before the limbs are straightened.
struct Shown {
    local: Pose,
    world: WorldPose,
    origin: StanceOrigin,
}

impl Stance {
    /// Finds the stance in this order: `written`; the zero pose where it looks like a body standing;
    /// the first frame where it is a bind pose; what the frames in which the body stands have in
    /// common; else it is built from the bones alone, with the rolls that knees and elbows show. An actor's
    /// feet are laid as they rest (left and right), and clavicles rolled as a motion holds them.
    ///
    /// `None` where legs, hips or trunk have no joints, or the written pose has no trunk or no left.
    pub(crate) fn find(
        skeleton: &Skeleton,
        roles: &Roles,
        up: UpAxis,
        clip: Option<&Clip>,
        hints: &RigHints,
        rests: &[Option<FootRest>; 2],
    ) -> Option<Self> {
        let mut stance = Self::shown_or_built(skeleton, roles, up, clip, hints, rests)?;
        if let Some(clip) = clip.filter(|_| hints.stance.is_none()) {
            clavicle::roll_as_held(skeleton, roles, clip, &mut stance);
        }
        Some(stance)
    }

    /// The stance but for what clavicles do in motion.
    fn shown_or_built(
        skeleton: &Skeleton,
        roles: &Roles,
        up: UpAxis,
        clip: Option<&Clip>,
        hints: &RigHints,
        rests: &[Option<FootRest>; 2],
    ) -> Option<Self> {
        let landmarks = Landmarks::new(roles)?;
        let hips = roles.joint(Role::Hips)?;
        if let Some(pose) = &hints.stance {
            if let Some(frames) = &hints.frames {
                return Some(Self::stated(pose, frames));
            }
            let shown = shown_pose(skeleton, &landmarks, hips, pose, StanceOrigin::Written)?;
            return Some(straighten::straighten(skeleton, roles, shown, [false; 2]));
        }
        let clip = clip.filter(|clip| !clip.is_empty());
        let straightened = |shown: Shown| {
            let mut stance = straighten::straighten(skeleton, roles, shown, [false; 2]);
            fingers::face_palms_down(skeleton, roles, &mut stance);
            stance
        };
        if let Some(shown) = shown_by_rest(skeleton, roles, &landmarks, hips, hints.modelled) {
            return Some(straightened(shown));
        }
        let shown = clip.and_then(|clip| motion::shown(clip, roles, &landmarks, hips, up));
        let hinges = || clip.map_or(Hinges::unseen(skeleton), |clip| Hinges::seen(clip, roles));
        let Some(shown) = shown else {
            let seen = clip.map(|clip| Held::seen(clip, roles, &landmarks)).unwrap_or_default();
            let mut stance = geometry::build(skeleton, roles, hips, &hinges(), &seen);
            mirrored::lay(skeleton, roles, &mut stance);
            fingers::lay(skeleton, roles, clip, &mut stance);
            return Some(stance);
        };
        let in_frame = matches!(shown.origin, StanceOrigin::Frame(_));
        let modelled = in_frame && feet_agree(skeleton, roles, &shown.world);
        if modelled {
            let mut stance = straightened(shown);
            lay_feet_alike(skeleton, roles, &mut stance);
            return Some(stance);
        }
        let leads_down = Side::BOTH.map(|side| {
            let rest = rests[side.index()].as_ref();
            rest.is_some_and(|rest| rest.leads_down(skeleton, roles, side, &shown.world))
        });
        let mut stance = straighten::straighten(skeleton, roles, shown, leads_down);
        // An actor, whose T is less exact than a modeller's.
        for side in Side::BOTH {
            if let (Some(rest), Some(foot)) = (&rests[side.index()], roles.joint(Role::Foot(side)))
            {
                let leads_down = leads_down[side.index()];
                rest.lay(skeleton, roles, side, None, leads_down, &mut stance);
                // Which axis lies across a foot is known once the flat foot shows where it points.
                if !hinge::is_without_heading(skeleton, roles, &stance, side) {
                    let across_local = axis_across(stance.body_from_joint[foot.index()]);
                    rest.lay(skeleton, roles, side, Some(across_local), leads_down, &mut stance);
                }
            }
        }
        lay_feet_alike(skeleton, roles, &mut stance);
        hinge::roll_limbs(skeleton, roles, &hinges(), &mut stance);
        if !in_frame && laid::are_frames_laid(skeleton, roles) {
            habits::apply(skeleton, roles, &mut stance);
        }
        fingers::face_palms_down(skeleton, roles, &mut stance);
        if !in_frame {
            fingers::lay(skeleton, roles, clip, &mut stance);
        }
        Some(stance)
    }

    /// A pose with the frames that it has once it is straight, as somebody wrote both.
    pub(crate) fn stated(pose: &Pose, frames: &[Quat]) -> Self {
        let shown = Basis { direction: Ground::Shown, roll: Ground::Shown };
        Self {
            local: pose.clone(),
            body_from_joint: frames.to_vec(),
            bases: vec![shown; frames.len()],
            origin: StanceOrigin::Written,
        }
    }

    /// What neither pose, motion nor bones show.
    pub fn assumed(&self, roles: &Roles) -> Assumed {
        let of = |ground: fn(&Basis) -> Ground| {
            let basis = |id: JointId| &self.bases[id.index()];
            let assumed = roles.iter().filter(|(_, id)| ground(basis(*id)) == Ground::Assumed);
            assumed.map(|(role, _)| role).collect()
        };
        Assumed { directions: of(|basis| basis.direction), rolls: of(|basis| basis.roll) }
    }
}

/// Whether both feet slope alike, as a modeller's do; of an actor's one is mostly lifted a little.
fn feet_agree(skeleton: &Skeleton, roles: &Roles, body: &WorldPose) -> bool {
    const ALIKE_RAD: f64 = 0.05;
    let slope = |side: Side| {
        let foot = bone_vector(skeleton, roles, body, roles.joint(Role::Foot(side))?)?;
        Some(foot.angle(&Vec3::y()))
    };
    match Side::BOTH.map(slope) {
        [Some(left), Some(right)] => (left - right).abs() < ALIKE_RAD,
        _ => true,
    }
}

/// The role of the joint that carries neck and arms: the last of the spine, or the hips without one.
fn chest(roles: &Roles) -> Role {
    let count = roles.spine().len();
    u8::try_from(count).ok().filter(|n| *n > 0).map_or(Role::Hips, Role::Spine)
}

/// World-free forward kinematics: the hips at the origin with the given rotation to body space, all
/// joints below them posed, joints beside them left at the origin.
pub(super) fn in_body_space(
    skeleton: &Skeleton,
    hips: JointId,
    hips_rotation: Quat,
    local: &Pose,
) -> WorldPose {
    let mut world = WorldPose::new(skeleton.len());
    world.rotations[hips.index()] = hips_rotation;
    for id in skeleton.at_and_below(hips).skip(1) {
        let (i, p) = (id.index(), skeleton.parent(id).expect("below the hips").index());
        world.rotations[i] = world.rotations[p] * local.rotations[i];
        world.positions[i] = world.positions[p] + world.rotations[p] * local.translations[i];
    }
    world
}

/// A pose that somebody says is the stance: its own trunk is up, its own hips are left and right.
fn shown_pose(
    skeleton: &Skeleton,
    landmarks: &Landmarks,
    hips: JointId,
    pose: &Pose,
    origin: StanceOrigin,
) -> Option<Shown> {
    let world = WorldPose::of(skeleton, pose);
    let up = UpAxis::nearest(landmarks.trunk(&world)).vector();
    let left = landmarks.left(&world);
    // Rest poses are modelled along the axes; a slightly uneven pair of hips must not turn the body.
    let axis = UpAxis::nearest(left).vector();
    let left = if left.angle(&axis) < SNAP_RAD { axis } else { left };
    let body_from_world = frame_from_axes(left, up)?.inverse();
    let hips_rotation = body_from_world * world.rotation(hips);
    let world = in_body_space(skeleton, hips, hips_rotation, pose);
    Some(Shown { local: pose.clone(), world, origin })
}

const SNAP_RAD: f64 = 0.1;

/// Whether the zero pose looks like a body standing.
pub(super) fn stands_at_rest(skeleton: &Skeleton, roles: &Roles) -> bool {
    let (landmarks, hips) = (Landmarks::new(roles), roles.joint(Role::Hips));
    landmarks.zip(hips).is_some_and(|(landmarks, hips)| {
        shown_by_rest(skeleton, roles, &landmarks, hips, false).is_some()
    })
}

fn shown_by_rest(
    skeleton: &Skeleton,
    roles: &Roles,
    landmarks: &Landmarks,
    hips: JointId,
    modelled: bool,
) -> Option<Shown> {
    let rest = Pose::rest(skeleton);
    let shown = shown_pose(skeleton, landmarks, hips, &rest, StanceOrigin::Rest)?;
    let standing = Standing::of(skeleton, roles, landmarks, &shown.world);
    let stands = match modelled {
        true => standing.is_modelled(),
        false => standing.is_rest_stance(),
    };
    stands.then_some(shown)
}
