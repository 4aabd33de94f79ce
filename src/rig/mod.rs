//! What a skeleton means: which joint has which role of a body, how the body stands, where its
//! soles are.
//!
//! ```
//! use retarget::{LoadedRig, Role};
//! use retarget::internals::rig::Side;
//!
//! let rig = LoadedRig::load("samples/skeletons/hero.bvh")?.rig;
//! let thigh = rig.joint(Role::Thigh(Side::Left)).expect("people have thighs");
//! assert_eq!(rig.skeleton.name(thigh), "LeftUpLeg");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod body_proxy;
mod bone;
mod certainty;
mod chain;
mod creature;
mod feet;
mod file;
mod foot_rest;
pub(crate) mod names;
mod palms;
mod range;
mod recognise;
mod role;
mod scale;
mod stance;
mod standing;
mod steady;
mod tiptoe;
mod twist;
mod up;
mod world_up;

pub use body_proxy::BodyPart;
pub use certainty::{Certainty, StanceDoubt, UpDoubt, sure_up};
pub use chain::{ChainName, ChainNameError};
pub use feet::{Foot, FootId, SoleOrigin, WrittenSole};
pub use file::{
    Description, FileJoint, JointLimit, Misfit, RigFile, RigFileError, RigFileProblem, RigLeg,
    RigReference, SkeletonSource, describe, is_shown,
};
pub use names::JointNameError;
#[cfg(feature = "cli")]
pub(crate) use names::nearest as nearest_word;
pub use recognise::{
    Evidence, OTHERWISE, PROPOSED, Problem, Reason, Reasons, RecogniseError, Recognised,
    WrittenRoles, recognise, recognise_clip,
};
pub use role::{Digit, Role, RoleError, Roles, Side};
pub use scale::Scale;
pub use stance::{Assumed, Basis, Ground, Stance, StanceOrigin};
pub use up::{UpAxis, UpAxisError};
pub use world_up::{Speaks, UpFound};

pub(crate) use body::Landmarks;
pub(crate) use body_proxy::{Arm, BodyProxy, Place, Shape, knee_radius, off_segment};
pub(crate) use bone::{BoneEnd, bone_end, own_piece};
pub(crate) use file::Lines;
pub(crate) use palms::{beside as palms_beside, joints as hand_joints};
pub(crate) use range::JointRange;
pub(crate) use steady::steadied;
pub(crate) use twist::{TwistBone, TwistJoint, twist_bones};

use crate::clip::Clip;
use crate::math::{Quat, Vec3};
use crate::pose::{Pose, WorldPose};
use crate::skeleton::{JointId, Skeleton};
use feet::{Flat, KnownSole};
use foot_rest::FootRest;
use std::collections::BTreeMap;

/// A skeleton with everything that retargeting needs to know of it.
#[derive(Clone, Debug)]
#[deny(missing_docs)]
pub struct Rig {
    /// The joints.
    pub skeleton: Skeleton,
    /// Which joint has which role.
    pub roles: Roles,
    /// The world's up axis in the rig's file.
    pub up: UpAxis,
    /// How sure that is, and what else it might be.
    pub up_found: UpFound,
    /// The pose that every rig shares: upright, soles flat, legs straight down, arms to the sides.
    pub stance: Stance,
    /// The feet that can stand; of people the left one, then the right one.
    pub feet: Vec<Foot>,
    /// What all lengths are compared by, length units: thigh plus shin, mean of both legs; of other
    /// bodies the mean of the legs down to their soles, without legs the longest chain.
    pub leg_len: f64,
    /// How far joints may turn away from the reference stance, in skeleton order, radians; those that are not listed
    /// turn freely.
    pub limits: Vec<(JointId, JointLimit)>,
    /// Whether corrections keep the other joints within what people's can do. They do of people alone: other bodies
    /// have no such joints.
    pub human_limits: bool,
    /// How much the goals of effectors count: 1 fully, 0 not at all, and in between that part of
    /// the way; those that are not listed count fully.
    pub weights: BTreeMap<Role, f64>,
    /// Joints above the hips that wear skin: those near the hips are part of the pelvis and move with it.
    pub worn: Vec<JointId>,
}

/// What a user wrote of a rig; all else is found.
#[derive(Clone, Debug)]
pub struct RigHints {
    pub up: Option<UpAxis>,
    /// The axis that the body faces in its stance; people's is always found.
    pub faces: Option<UpAxis>,
    /// The reference stance as a local pose.
    pub stance: Option<Pose>,
    /// With a written stance the rotation from each joint's frame to body space, for a stance that is straight already.
    pub frames: Option<Vec<Quat>>,
    /// Whether the zero pose is the one that a body was modelled in, which stands in some way.
    pub modelled: bool,
    /// The soles of the left and the right foot.
    pub soles: [WrittenSole; 2],
    /// Sole points of named legs, in the frame of the leg's last joint (local, length units).
    pub leg_soles: BTreeMap<ChainName, Vec3>,
    /// How far joints may turn away from the reference stance, in skeleton order.
    pub limits: Vec<(JointId, JointLimit)>,
    /// Whether corrections keep the other joints within what people's can do.
    pub human_limits: bool,
    /// How much the goals of effectors count, 0 to 1.
    pub weights: BTreeMap<Role, f64>,
    /// Joints above the hips that wear skin.
    pub worn: Vec<JointId>,
}

impl Default for RigHints {
    fn default() -> Self {
        Self {
            up: None,
            faces: None,
            stance: None,
            frames: None,
            modelled: false,
            soles: Default::default(),
            leg_soles: BTreeMap::new(),
            limits: Vec::new(),
            human_limits: true,
            weights: BTreeMap::new(),
            worn: Vec::new(),
        }
    }
}

/// Why joints with roles make no rig.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RigError {
    #[error("the skeleton lacks a {0}; name its joint under [roles] in skeleton.toml")]
    Missing(Role),
    #[error("the skeleton has neither spine, neck, head nor arms, so nothing says where up is")]
    NoTrunk,
    #[error("the legs have no length: all of their joints lie in one place")]
    NoLegs,
    #[error("`faces` is for bodies of named legs and chains; which way a person faces is found")]
    FacesOfPerson,
    #[error("the body has no length: the joints of all of its legs or chains lie in one place")]
    NoLength,
    #[error("a body without legs does not show where up is; write `up` into skeleton.toml")]
    NoUp,
    #[error(
        "neither head, neck nor spine show which way the body faces in its stance; write `faces` \
         into skeleton.toml"
    )]
    NoFront,
    #[error(
        "leg {leg} does not stand in the stance: its end must be below its first joint and level \
         with those of the other legs; write a pose that stands under [reference] in skeleton.toml"
    )]
    NotStanding { leg: ChainName },
}

impl Rig {
    /// Builds the rig of a skeleton whose roles are known, from its zero pose and, where there is one, a clip of the
    /// same skeleton. `hints` say what a user wrote; all else is found. Refuses a body that lacks what a transfer
    /// needs, such as a thigh or any length. Costs forward kinematics of at most some 500 frames.
    pub fn new(
        skeleton: Skeleton,
        roles: Roles,
        clip: Option<&Clip>,
        hints: &RigHints,
    ) -> Result<Self, RigError> {
        if creature::is_creature(&roles) {
            return creature::rig(skeleton, roles, hints);
        }
        if hints.faces.is_some() {
            return Err(RigError::FacesOfPerson);
        }
        let needed = Side::BOTH
            .into_iter()
            .flat_map(|s| [Role::Thigh(s), Role::Shin(s), Role::Foot(s)])
            .chain([Role::Hips]);
        for role in needed {
            if roles.joint(role).is_none() {
                return Err(RigError::Missing(role));
            }
        }
        let landmarks = Landmarks::new(&roles).ok_or(RigError::NoTrunk)?;
        let found = || world_up::find(&skeleton, &roles, &landmarks, clip);
        let up_found = hints.up.map_or_else(found, UpFound::written);
        let up = up_found.up;
        let mut rests = clip.map_or([None, None], |clip| FootRest::seen(clip, &roles, up));
        tiptoe::lay_flat(&skeleton, &roles, &mut rests);
        let stance =
            Stance::find(&skeleton, &roles, up, clip, hints, &rests).ok_or(RigError::NoTrunk)?;
        let leg_len = landmarks.leg_len(&WorldPose::of(&skeleton, &stance.local));
        if leg_len.is_nan() || leg_len < 1e-9 {
            return Err(RigError::NoLegs);
        }
        let written = hints.soles.iter().any(|sole| !sole.is_empty());
        let rests = rests.each_ref().map(|rest| rest.as_ref().filter(|_| !written));
        let zero = WorldPose::of(&skeleton, &Pose::rest(&skeleton));
        let flat = Flat::of(&skeleton, &roles, &stance, &hints.soles, rests);
        let feet = |left_deeper: f64| {
            Side::BOTH.map(|side| {
                let deeper_len = if side == Side::Left { left_deeper } else { -left_deeper };
                let modelled_len = roles
                    .joint(Role::Foot(side))
                    .filter(|_| hints.modelled && stance.origin == StanceOrigin::Rest)
                    .map(|ankle| up.height(zero.position(ankle)));
                let written = hints.soles[side.index()];
                let known = KnownSole { written, flat: &flat, deeper_len, modelled_len };
                Foot::find(&skeleton, &roles, &stance, side, leg_len, &known)
                    .expect("feet were checked")
            })
        };
        let left_deeper = feet::left_deeper(&feet(0.0), rests, leg_len);
        let feet = feet(left_deeper).to_vec();
        let (limits, weights) = (hints.limits.clone(), hints.weights.clone());
        let human_limits = hints.human_limits;
        Ok(Self {
            skeleton,
            roles,
            up,
            up_found,
            stance,
            feet,
            leg_len,
            limits,
            human_limits,
            weights,
            worn: hints.worn.clone(),
        })
    }

    /// The joint that has a role; `None` where the rig lacks it.
    pub fn joint(&self, role: Role) -> Option<JointId> {
        self.roles.joint(role)
    }

    /// Whether an arm ends at its forearm.
    pub(crate) fn lacks_hands(&self) -> bool {
        let lacks = |side: Side| {
            self.joint(Role::Forearm(side)).is_some() && self.joint(Role::Hand(side)).is_none()
        };
        Side::BOTH.into_iter().any(lacks)
    }

    /// A foot. Panics on an id that the rig does not have.
    pub fn foot(&self, id: FootId) -> &Foot {
        &self.feet[id.index()]
    }

    /// The ids of all feet, in the order of [`feet`](Self::feet).
    pub fn foot_ids(&self) -> impl Iterator<Item = FootId> + use<> {
        (0..self.feet.len()).map(FootId::new)
    }

    /// How much the goal of an effector counts, 0 to 1: what [`weights`](Self::weights) say of its role, else 1.
    pub fn weight(&self, effector: JointId) -> f64 {
        let role = self.roles.role(effector);
        role.and_then(|role| self.weights.get(&role).copied()).unwrap_or(1.0)
    }

    /// Where the body faces in a pose of the rig: horizontal, world, unit length. `None` where it faces up or down, and
    /// of a body without hips.
    pub fn facing(&self, world: &WorldPose) -> Option<Vec3> {
        let hips = self.joint(Role::Hips)?;
        let hips_from_body = self.stance.body_from_joint[hips.index()].inverse();
        let ahead = world.rotation(hips) * hips_from_body * Vec3::z();
        self.up.level(ahead).try_normalize(0.1)
    }

    /// What [`leg_len`](Self::leg_len) is in a pose, length units: position channels may have changed it. Costs forward
    /// kinematics of that pose.
    pub fn leg_len_in(&self, pose: &Pose) -> f64 {
        let Some(landmarks) = Landmarks::new(&self.roles) else {
            return chain::measure(&self.skeleton, &self.roles, pose);
        };
        landmarks.leg_len(&WorldPose::of(&self.skeleton, pose))
    }
}
