//! How much larger one body is than another.

use super::{Rig, Role};
use crate::pose::WorldPose;
use crate::skeleton::JointId;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// How lengths of a source become lengths of a target: by one factor for the whole clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[deny(missing_docs)]
pub enum Scale {
    /// By the ratio of the legs (thigh plus shin), so that a step takes as many legs.
    #[default]
    Leg,
    /// By the ratio of the heights, from the sole to the head; where not both bodies have a head, to the first joint of
    /// the neck, else of the spine.
    Height,
    /// By this factor, target length units for each source length unit.
    Factor(f64),
}

impl Scale {
    /// The factors that files and users may give: between lengths in nanometres and in metres.
    pub const BOUNDS: RangeInclusive<f64> = 1e-9..=1e9;

    /// Lengths keep their numbers, whatever the bodies' sizes.
    pub const NONE: Scale = Scale::Factor(1.0);

    /// The scale of a word: `leg`, `height` or `none`; of any other `None`.
    pub fn named(text: &str) -> Option<Self> {
        match text {
            "leg" => Some(Scale::Leg),
            "height" => Some(Scale::Height),
            "none" => Some(Scale::NONE),
            _ => None,
        }
    }

    /// As it is typed: a word that [`named`](Self::named) takes, or the factor.
    pub fn word(self) -> String {
        match self {
            Scale::Leg => "leg".to_owned(),
            Scale::Height => "height".to_owned(),
            Scale::NONE => "none".to_owned(),
            Scale::Factor(factor) => factor.to_string(),
        }
    }

    /// Target length units for each source length unit. A scale by heights costs forward kinematics of one pose of each
    /// rig.
    pub fn factor(self, source: &Rig, target: &Rig) -> f64 {
        match self {
            Scale::Leg => target.leg_len / source.leg_len,
            Scale::Height => {
                let [from, to] = [source, target].map(|rig| height(rig, head_of(source, target)));
                to / from
            }
            Scale::Factor(factor) => factor,
        }
    }
}

/// The highest part of the trunk that both bodies have.
fn head_of(source: &Rig, target: &Rig) -> Option<Role> {
    let both = |role: &Role| source.joint(*role).is_some() && target.joint(*role).is_some();
    [Role::Head, Role::Neck(1), Role::Spine(1)].into_iter().find(both)
}

/// How high a joint is over the sole while the body stands with straight legs; without it, the
/// legs' length. Length units.
fn height(rig: &Rig, top: Option<Role>) -> f64 {
    let (Some(top), Some(hips)) = (top.and_then(|top| rig.joint(top)), rig.joint(Role::Hips))
    else {
        return rig.leg_len;
    };
    let world = WorldPose::of(&rig.skeleton, &rig.stance.local);
    let up = world.rotation(hips)
        * rig.stance.body_from_joint[hips.index()].inverse()
        * crate::math::Vec3::y();
    let hip_joints: Vec<JointId> = rig.feet.iter().map(|foot| foot.leg[0]).collect();
    let count = hip_joints.len().max(1) as f64;
    let legs_top = hip_joints.iter().map(|&id| up.dot(&world.position(id))).sum::<f64>() / count;
    let ankle = rig.feet.iter().map(|foot| foot.stance_ankle_height).sum::<f64>() / count;
    up.dot(&world.position(top)) - legs_top + rig.leg_len + ankle
}
