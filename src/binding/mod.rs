//! A pair of rigs, checked and put in step: what each target joint follows, and by how much lengths
//! grow. After a binding is made, no frame can fail.

mod between;
mod chain;
mod feet;
mod kinship;
mod named;

use crate::math::{Quat, Vec3};
use crate::pose::{Pose, WorldPose};
use crate::rig::{BoneEnd, FootId, Rig, Role, bone_end};
use crate::skeleton::{Channel, JointId};
use feet::FeetPairs;
use named::Followed;

/// How lengths of the source become lengths of the target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Scale {
    /// By the ratio of the legs (thigh plus shin).
    #[default]
    Leg,
    /// By this factor, target units a source unit.
    Factor(f64),
}

/// Settings of a [`Binding`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BindingSettings {
    /// How the root path and every goal scale.
    pub scale: Scale,
}

/// Why a pair of rigs cannot be bound.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BindingError {
    #[error(
        "no joint from the target's root to its hips {hips:?} has X, Y and Z position channels, so \
         the result could not travel; give one of them position channels"
    )]
    NoRootMotion { hips: String },
    #[error(
        "the two bodies have no leg in common: the source has {of_source}, the target {of_target}; give legs \
         that move alike the same names under [legs] in skeleton.toml"
    )]
    NoLegInCommon { of_source: String, of_target: String },
    #[error("the scale is {0}; it must be a finite number above zero")]
    Scale(f64),
}

/// One source joint that a target joint follows, and its share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Share {
    pub source: JointId,
    /// The constant turn between the two joints' frames in the reference stance.
    pub source_from_target: Quat,
    pub weight: f64,
}

/// A limb bone whose direction is matched exactly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    /// From where to where the source's bone reaches.
    pub source_stretch: [BoneEnd; 2],
    /// The target's bone in its joint's frame (local).
    pub target_bone: Vec3,
}

/// What a target joint does in every frame.
#[derive(Clone, Debug)]
pub(crate) enum Drive {
    /// It keeps its local rotation of the reference stance.
    Keep(Quat),
    /// It turns as the source joints do, and then points its bone where the source's points.
    Follow { shares: Vec<Share>, aim: Option<Aim> },
}

/// How the target's root moves.
#[derive(Clone, Debug)]
pub(crate) struct RootMotion {
    pub hips: JointId,
    /// The joint whose position channels carry the body: the hips or one above them.
    pub carrier: JointId,
    /// Joints of both bodies whose middles belong in one place: the tops of the legs that both have,
    /// or the hips.
    pub source_tops: Vec<JointId>,
    pub target_tops: Vec<JointId>,
}

/// Two rigs bound to one another.
#[derive(Clone, Debug)]
pub struct Binding {
    pub source: Rig,
    pub target: Rig,
    /// Target length units a source length unit.
    pub scale: f64,
    /// The turn from the source's world to the target's: the identity unless their up axes differ.
    pub target_world_from_source: Quat,
    /// How much higher the target's hips stand than scaling alone says, since its ankles have their
    /// own height; target length units.
    pub lift: f64,
    /// Height of the target's floor over the source's scaled one, target length units.
    pub floor_shift: f64,
    pub(crate) drives: Vec<Drive>,
    pub(crate) feet: FeetPairs,
    pub(crate) root: RootMotion,
}

impl Binding {
    /// Checks the pair and works out what each target joint follows.
    pub fn new(source: Rig, target: Rig, settings: &BindingSettings) -> Result<Self, BindingError> {
        let scale = match settings.scale {
            Scale::Leg => target.leg_len / source.leg_len,
            Scale::Factor(factor) => factor,
        };
        if !(scale.is_finite() && scale > 0.0) {
            return Err(BindingError::Scale(scale));
        }
        let feet = FeetPairs::new(&source, &target)?;
        let root = root_motion(&source, &target, &feet)?;
        let shared = kinship::shared_stance(&source, &target);
        let source_stance = shared.as_ref().unwrap_or(&source.stance.body_from_joint);
        let drives = drives(&source, source_stance, &target);
        // One body has one ankle height, however it stood in the frames that each stance came from.
        let lift = match &shared {
            Some(_) => 0.0,
            None => feet.lift(&source, &target, &drives, scale),
        };
        let target_world_from_source = source.up.turn_to(target.up);
        Ok(Self {
            source,
            target,
            scale,
            target_world_from_source,
            lift,
            floor_shift: 0.0,
            drives,
            feet,
            root,
        })
    }

    /// The target's foot that goes with a foot of the source.
    pub fn target_foot(&self, source: FootId) -> Option<FootId> {
        self.feet.target_of(source)
    }

    /// The source's foot that goes with a foot of the target.
    pub fn source_foot(&self, target: FootId) -> Option<FootId> {
        self.feet.source_of(target)
    }

    /// Lays the source's floor on the target's: heights along each rig's up axis, in its own length
    /// units. Without it the source's floor is scaled about the origin like all else.
    pub fn put_floor(&mut self, source_height: f64, target_height: f64) {
        self.floor_shift = target_height - source_height * self.scale;
    }

    /// The target's height for a height of the source.
    pub fn target_height(&self, source_height: f64) -> f64 {
        source_height * self.scale + self.floor_shift
    }
}

fn root_motion(source: &Rig, target: &Rig, feet: &FeetPairs) -> Result<RootMotion, BindingError> {
    let hips_of = |rig: &Rig| rig.joint(Role::Hips).expect("every rig has hips");
    let hips = hips_of(target);
    let skeleton = &target.skeleton;
    let positions = |id: &JointId| {
        let channels = skeleton.joint(*id).channels;
        channels.as_slice().iter().filter(|c| matches!(c, Channel::Position(_))).count() == 3
    };
    let carrier = std::iter::once(hips)
        .chain(skeleton.ancestors(hips))
        .find(positions)
        .ok_or_else(|| BindingError::NoRootMotion { hips: skeleton.name(hips).to_owned() })?;
    let [source_tops, target_tops] = feet.tops(source, target, [hips_of(source), hips]);
    Ok(RootMotion { hips, carrier, source_tops, target_tops })
}

fn drives(source: &Rig, source_stance: &[Quat], target: &Rig) -> Vec<Drive> {
    let share = |source: JointId, target_joint: JointId, weight: f64| Share {
        source,
        source_from_target: source_stance[source.index()].inverse()
            * target.stance.body_from_joint[target_joint.index()],
        weight,
    };
    let chains = chain::shares(source, target);
    let between = between::counterparts(source, target);
    let named = named::followed(source, target);
    let world = WorldPose::of(&target.skeleton, &target.stance.local);
    let aim = |role: Role, id: JointId| {
        let source_joint = source.joint(role)?;
        Some(Aim {
            source_stretch: [
                BoneEnd { joint: source_joint, point: Vec3::zeros() },
                bone_end(&source.skeleton, &source.roles, source_joint)?,
            ],
            target_bone: target_bone(target, &world, id)?,
        })
    };
    let drive = |id: JointId| {
        let keep = Drive::Keep(target.stance.local.rotations[id.index()]);
        let Some(role) = target.roles.role(id) else {
            return match between.get(&id) {
                Some(&source) => Drive::Follow { shares: vec![share(source, id, 1.0)], aim: None },
                None => keep,
            };
        };
        if let Some(Followed { shares, stretch }) = named.get(&id) {
            let aim = |source_stretch| {
                Some(Aim { source_stretch, target_bone: target_bone(target, &world, id)? })
            };
            let shares = shares.iter().map(|&(source, weight)| share(source, id, weight)).collect();
            return Drive::Follow { shares, aim: stretch.and_then(aim) };
        }
        if let Some(listed) = chains.get(&id) {
            let shares = listed.iter().map(|&(source, weight)| share(source, id, weight)).collect();
            return Drive::Follow { shares, aim: None };
        }
        let Some(source_joint) = source.joint(role) else { return keep };
        let aim = match role {
            Role::Thigh(_) | Role::Shin(_) | Role::UpperArm(_) | Role::Forearm(_) => aim(role, id),
            _ => None,
        };
        Drive::Follow { shares: vec![share(source_joint, id, 1.0)], aim }
    };
    target.skeleton.ids().map(drive).collect()
}

/// The bone of a target joint in that joint's frame, as the reference stance's local pose has it.
fn target_bone(target: &Rig, world: &WorldPose, id: JointId) -> Option<Vec3> {
    let end = bone_end(&target.skeleton, &target.roles, id)?;
    let bone = world.rotation(id).inverse() * (end.world(world) - world.position(id));
    (bone.norm() > 1e-9 * target.leg_len).then_some(bone)
}

/// The pose that a rig rests in where nothing drives it: bones as long as its stance has them.
pub(crate) fn resting_pose(target: &Rig) -> Pose {
    target.stance.local.clone()
}
