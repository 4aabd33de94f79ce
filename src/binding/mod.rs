//! Checks a pair of rigs, and finds which source joints each target joint follows, and the scale. Once a binding is
//! made, no frame can fail.
//!
//! ```
//! use retarget::internals::binding::{Binding, BindingSettings};
//! use retarget::LoadedRig;
//!
//! let [source, target] = ["walk.bvh", "skeletons/hero.bvh"]
//!     .map(|name| LoadedRig::load(format!("samples/{name}")).map(|loaded| loaded.rig));
//! let binding = Binding::new(source?, target?, &BindingSettings::default())?;
//! assert!(binding.scale > 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod between;
mod chain;
mod feet;
mod fingers;
mod hinged_limb;
mod hip_line;
mod limits;
mod named;
mod palms;
mod pelvis_tilt;
mod shared_skeleton;
mod sole;
mod twist;

use crate::math::{Quat, Vec3};
use crate::pose::{Pose, WorldPose};
use crate::rig::{
    Assumed, BoneEnd, FootId, Rig, Role, Scale, StanceDoubt, StanceOrigin, TwistBone, bone_end,
    twist_bones,
};
use crate::skeleton::{Channel, JointId};
use feet::FeetPairs;
pub(crate) use hinged_limb::HingedLimb;
use hip_line::HipLine;
pub(crate) use limits::{Limits, limited};
use named::Followed;
use serde::{Deserialize, Serialize};
pub(crate) use sole::SoleTurn;
use std::ops::Range;
pub(crate) use twist::Twist;

/// Settings of a [`Binding`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BindingSettings {
    /// The scale method of the root path and of every goal.
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

/// One source joint that a target joint follows, and its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Share {
    pub source: JointId,
    /// The constant rotation between the two joints' frames in the reference stance.
    pub source_from_target: Quat,
    pub weight: f64,
}

/// A limb bone whose direction is matched exactly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    /// The two ends of the source's bone.
    pub source_stretch: [BoneEnd; 2],
    /// The target's bone in its joint's frame (local).
    pub target_bone: Vec3,
}

/// What a target joint does in every frame.
#[derive(Clone, Debug)]
pub(crate) enum Drive {
    /// The joint keeps its local rotation of the reference stance.
    Keep(Quat),
    /// The joint rotates as the source joints do, and then points its bone where the source's bone points. If twist
    /// joints share the bone's twist, `twist` is the bone's index in [`Binding::twists`].
    Follow { shares: Vec<Share>, aim: Option<Aim>, twist: Option<usize> },
    /// The joint rotates relative to the target's `hand` as the source's `finger` does relative to its own hand. The
    /// constant rotations are those between the two hands' frames, and between the two fingers', at rest.
    Finger {
        hand: JointId,
        source_hand: JointId,
        finger: JointId,
        hand_from_source: Quat,
        finger_from_target: Quat,
    },
    /// The joint is of a hand of several joints, of which this one has the role: it turns as that.
    Palm { hand: JointId },
    /// The joint keeps its local rotation `rest`, except for a share of its bone's twist about `axis`, which is in its
    /// parent's frame (local, unit length).
    Twist { twist: usize, share: f64, axis: Vec3, rest: Quat },
}

/// How the target's root moves.
#[derive(Clone, Debug)]
pub(crate) struct RootMotion {
    pub hips: JointId,
    /// The joint whose position channels carry the body: the hips or one above them.
    pub carrier: JointId,
    /// The indices of the carrier and of all its descendants.
    pub moved: Range<usize>,
    /// Joints of both bodies whose middles are at the same place: the tops of the legs that both have, or the hips.
    pub source_tops: Vec<JointId>,
    pub target_tops: Vec<JointId>,
}

/// Two rigs, and how one follows the other.
#[derive(Clone, Debug)]
#[deny(missing_docs)]
pub struct Binding {
    /// The rig of the source.
    pub source: Rig,
    /// The rig of the target, which the result has.
    pub target: Rig,
    /// Target length units per source length unit.
    pub scale: f64,
    /// The rotation from the source's world to the target's: the identity unless their up axes differ or the motion was
    /// turned to [`face_forward`](Self::face_forward).
    pub target_world_from_source: Quat,
    /// How much higher than the scaled path the target's hips are, because its ankles have their own height; target
    /// length units.
    pub lift: f64,
    /// The height of the target's floor over the source's scaled floor, along the target's up axis, target length
    /// units.
    pub floor_offset: f64,
    pub(crate) drives: Vec<Drive>,
    /// The bones of the target whose twist is shared.
    pub(crate) twists: Vec<Twist>,
    pub(crate) feet: FeetPairs,
    /// The sole of each foot of the target.
    pub(crate) sole_turns: Vec<SoleTurn>,
    pub(crate) root: RootMotion,
    /// How the pelvis rolls; as the source's without one.
    pub(crate) hip_line: Option<HipLine>,
    /// Whether both rigs have one skeleton, or skeletons of one family, so that a joint's frame means the same in both.
    pub(crate) shares_frames: bool,
    /// The limits of the target's joints.
    pub(crate) limits: Limits,
}

impl Binding {
    /// Checks the pair, and finds what each target joint follows. Refuses two bodies with legs of which none goes with
    /// another, a scale that is not finite and above zero, and a target in which no joint from its root to its hips has
    /// X, Y and Z position channels. [`between`](Self::between) also keeps what the rigs' files say of scale and floor.
    pub fn new(source: Rig, target: Rig, settings: &BindingSettings) -> Result<Self, BindingError> {
        let scale = settings.scale.factor(&source, &target);
        if !(scale.is_finite() && scale > 0.0) {
            return Err(BindingError::Scale(scale));
        }
        let feet = FeetPairs::new(&source, &target)?;
        let root = root_motion(&source, &target, &feet)?;
        let same_body = shared_skeleton::shared_stance(&source, &target);
        let is_same_body = same_body.is_some();
        let shared = same_body.or_else(|| shared_skeleton::family_stance(&source, &target));
        let target_bones = twist_bones(&target);
        let mut drives = drives(&source, shared.as_deref(), &target, &target_bones);
        let twists = twist::share_out(&target, &target_bones, &mut drives);
        let mut target = target;
        if let Some(shared) = &shared {
            sole::share(&source, shared, is_same_body, &mut target, &feet);
        }
        // One body has one ankle height, even if its two stances come from frames in which it stood differently.
        let lift = match is_same_body {
            true => 0.0,
            false => feet.lift(&source, &target, &drives, scale),
        };
        let sole_turns = sole::turns(&source, &target, &feet, &drives);
        let target_world_from_source = source.up.turn_to(target.up);
        Ok(Self {
            limits: Limits::new(&target, &drives),
            hip_line: if is_same_body { None } else { HipLine::new(&source, &target) },
            source,
            target,
            scale,
            target_world_from_source,
            lift,
            floor_offset: 0.0,
            drives,
            twists,
            feet,
            sole_turns,
            root,
            shares_frames: shared.is_some(),
        })
    }

    /// The doubt about the stance of one rig of the pair, if there is any and the pair depends on that stance.
    pub fn stance_doubt(&self, rig: &Rig) -> Option<StanceDoubt> {
        StanceDoubt::of(rig).filter(|_| !self.shares_frames)
    }

    /// What the stance of one rig of the pair assumes where neither a pose nor a motion shows that rig standing;
    /// nothing if the pair does not depend on that stance.
    pub fn assumed(&self, rig: &Rig) -> Assumed {
        match rig.stance.origin == StanceOrigin::Built && !self.shares_frames {
            true => rig.stance.assumed(&rig.roles),
            false => Assumed::default(),
        }
    }

    /// The target's foot that goes with a foot of the source, if any. Panics on an id that the source does not have.
    pub fn target_foot(&self, source: FootId) -> Option<FootId> {
        self.feet.target_of(source)
    }

    /// The source's foot that goes with a foot of the target, if any. Panics on an id that the target does not have.
    pub fn source_foot(&self, target: FootId) -> Option<FootId> {
        self.feet.source_of(target)
    }

    /// The other joints of the target on whose world rotations this one's rotation depends: those of a bone whose twist
    /// is shared, the hand that it is of, and those by which limits turn this one.
    pub(crate) fn sharers(&self, id: JointId) -> impl Iterator<Item = JointId> + '_ {
        let (shared, hand) = match self.drives[id.index()] {
            Drive::Keep(_) | Drive::Finger { .. } => (None, None),
            Drive::Palm { hand } => (None, Some(hand)),
            Drive::Twist { twist, .. } => (Some(twist), None),
            Drive::Follow { twist, .. } => (twist, None),
        };
        let of_twist = shared.into_iter().flat_map(move |place| {
            let is_top = move |id: &JointId| {
                let drive = &self.drives[id.index()];
                matches!(drive, Drive::Follow { twist: Some(own), .. } if *own == place)
            };
            self.target.skeleton.ids().filter(is_top).chain(self.twists[place].end)
        });
        of_twist.chain(hand).chain(self.limits.depends_on(id))
    }

    /// Puts the source's floor onto the target's; heights are along each rig's up axis, in its own length units. Unless
    /// this is called, the source's floor is scaled about the origin like everything else.
    pub fn put_floor(&mut self, source_height: f64, target_height: f64) {
        self.floor_offset = target_height - source_height * self.scale;
    }

    /// Turns the motion about the target's up axis, through the origin, so that a pose of the source faces where the
    /// target faces in its reference stance. Does nothing if one of them faces up or down. Costs forward kinematics of
    /// one pose of each rig.
    pub fn face_forward(&mut self, source: &Pose) {
        let facing = |rig: &Rig, pose: &Pose| rig.facing(&WorldPose::of(&rig.skeleton, pose));
        let forward = facing(&self.target, &self.target.stance.local);
        if let (Some(is), Some(forward)) = (facing(&self.source, source), forward) {
            let (up, is) = (self.target.up.vector(), self.target_world_from_source * is);
            let angle = up.dot(&is.cross(&forward)).atan2(is.dot(&forward));
            self.target_world_from_source =
                Quat::from_scaled_axis(up * angle) * self.target_world_from_source;
        }
    }

    /// The target's height for a height of the source, each along its rig's up axis, in its own length units: scaled,
    /// and moved by [`floor_offset`](Self::floor_offset).
    pub fn target_height(&self, source_height: f64) -> f64 {
        source_height * self.scale + self.floor_offset
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
    let moved = skeleton.subtree(carrier);
    Ok(RootMotion { hips, carrier, moved, source_tops, target_tops })
}

/// What each target joint does, before the twist joints without a counterpart are added. `shared_stance` is the
/// source's stance in the target's frames if the two have a shared skeleton.
fn drives(
    source: &Rig,
    shared_stance: Option<&[Quat]>,
    target: &Rig,
    target_bones: &[TwistBone],
) -> Vec<Drive> {
    let source_bones = twist_bones(source);
    let source_stance = shared_stance.unwrap_or(&source.stance.body_from_joint);
    let share = |source: JointId, target_joint: JointId, weight: f64| Share {
        source,
        source_from_target: source_stance[source.index()].inverse()
            * target.stance.body_from_joint[target_joint.index()],
        weight,
    };
    let chains = chain::shares(source, target);
    let mut between = between::counterparts(source, target);
    if shared_stance.is_some() {
        between.extend(twist::counterparts(&source_bones, target_bones));
    }
    let named = named::followed(source, target);
    let palms = palms::of(target);
    let rest_worlds = [source, target].map(|rig| WorldPose::of(&rig.skeleton, &rig.stance.local));
    let world = &rest_worlds[1];
    let aim = |role: Role, id: JointId| {
        let source_joint = source.joint(role)?;
        Some(Aim {
            source_stretch: [
                BoneEnd { joint: source_joint, point: Vec3::zeros() },
                bone_end(&source.skeleton, &source.roles, source_joint)?,
            ],
            target_bone: bone_local(target, world, id)?,
        })
    };
    let follow = |shares: Vec<Share>, aim| Drive::Follow { shares, aim, twist: None };
    let drive = |id: JointId| {
        let keep = Drive::Keep(target.stance.local.rotations[id.index()]);
        let Some(role) = target.roles.role(id) else {
            return match (between.get(&id), palms.get(&id)) {
                (Some(&source), _) => follow(vec![share(source, id, 1.0)], None),
                (None, Some(&hand)) => Drive::Palm { hand },
                (None, None) => keep,
            };
        };
        if let Some(Followed { shares, stretch }) = named.get(&id) {
            let aim = |source_stretch| {
                Some(Aim { source_stretch, target_bone: bone_local(target, world, id)? })
            };
            let shares = shares.iter().map(|&(source, weight)| share(source, id, weight)).collect();
            return follow(shares, stretch.and_then(aim));
        }
        if let Some(listed) = chains.get(&id) {
            let shares = listed.iter().map(|&(source, weight)| share(source, id, weight)).collect();
            return follow(shares, None);
        }
        let Some(source_joint) = source.joint(role) else { return keep };
        // Toes whose joint lies under the ankle are the whole foot, which does not bend as the source's does at the ball.
        let is_ball = |rig: &Rig, toe| rig.feet.iter().any(|foot| foot.toe == Some(toe));
        let bends = is_ball(target, id) || !is_ball(source, source_joint);
        if matches!(role, Role::Toe(_)) && shared_stance.is_none() && !bends {
            return keep;
        }
        // One body's fingers rest alike.
        let finger = || fingers::drive(source, target, &rest_worlds, role);
        if let Some(drive) = shared_stance.is_none().then(finger).flatten() {
            return drive;
        }
        let aim = match role {
            Role::Thigh(_) | Role::Shin(_) | Role::UpperArm(_) | Role::Forearm(_) => aim(role, id),
            _ => None,
        };
        let mut own = share(source_joint, id, 1.0);
        if let Some(last) = twist::last_in_bone(&source_bones, &between, role) {
            let stance = |joint: JointId| source.stance.body_from_joint[joint.index()];
            // The frame means the same in the body as that of the joint that it replaces.
            let last_from_own = stance(last).inverse() * stance(source_joint);
            own.source_from_target = last_from_own * own.source_from_target;
            own.source = last;
        }
        follow(vec![own], aim)
    };
    target.skeleton.ids().map(drive).collect()
}

/// The bone of a joint in that joint's frame (local), as the reference stance's local pose has it.
fn bone_local(rig: &Rig, world: &WorldPose, id: JointId) -> Option<Vec3> {
    let end = bone_end(&rig.skeleton, &rig.roles, id)?;
    let bone = world.rotation(id).inverse() * (end.world(world) - world.position(id));
    (bone.norm() > 1e-9 * rig.leg_len).then_some(bone)
}

/// The pose of a rig whose joints nothing drives; its bones are as long as in its stance.
pub(crate) fn resting_pose(target: &Rig) -> Pose {
    target.stance.local.clone()
}
