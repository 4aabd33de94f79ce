//! A rig's stated limits: for joints that IK solves, and for the motion that is transferred.
//!
//! The transfer brings a joint into its limit, from the body outwards; so every later stage sees a motion that the rig
//! can make. All of this is continuous in the pose.

use super::pelvis_tilt::PelvisTilt;
use super::{Drive, HingedLimb};
use crate::ik::{Cone, Joint, Range};
use crate::math::{Quat, Vec3};
use crate::rig::{JointLimit, Rig, Role, Side, bone_end};
use crate::skeleton::JointId;

/// The joint with the rig's limit, counted from the reference stance; `None` if it rotates freely.
///
/// A joint whose channels cannot express every rotation is limited to those that they express.
pub(crate) fn limited(rig: &Rig, id: JointId) -> Option<Joint> {
    let limit = rig.limits.iter().find(|(joint, _)| *joint == id).map(|(_, limit)| *limit);
    let joint = match limit {
        None | Some(JointLimit::Free) => {
            let order = rig.skeleton.joint(id).channels.euler_order();
            return match order.axes().len() {
                0 => Some(Joint::fixed()),
                1 | 2 => Some(Joint::euler(order, [Range::free(); 3])),
                _ => None,
            };
        }
        Some(JointLimit::Hinge { axis, min_rad, max_rad }) => {
            Joint::hinge(axis, Range::new(min_rad, max_rad))
        }
        Some(JointLimit::Ball { swing_rad, twist_rad: [least, most] }) => {
            let twist_axis = bone_axis(rig, id);
            Joint::cone(Cone {
                twist_axis,
                swing_axis: crate::math::any_perpendicular(twist_axis),
                swing_rad,
                twist: Range::new(least, most),
            })
        }
    };
    Some(joint.with_rest(stance_rotation(rig, id)))
}

/// The limits of the target's joints, by joint; empty if the rig states none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    joints: Vec<Option<Joint>>,
    hinged: Vec<HingedLimb>,
    /// Which of the limbs begins at a joint, by joint.
    hinged_below: Vec<Option<usize>>,
    pelvis_tilt: Option<PelvisTilt>,
}

impl Limits {
    pub fn new(rig: &Rig, drives: &[Drive]) -> Self {
        let joints: Vec<Option<Joint>> = rig.skeleton.ids().map(|id| limited(rig, id)).collect();
        if joints.iter().all(Option::is_none) {
            return Self::default();
        }
        let limbs = Side::BOTH.into_iter().flat_map(|side| {
            [
                [Role::Thigh(side), Role::Shin(side), Role::Foot(side)],
                [Role::UpperArm(side), Role::Forearm(side), Role::Hand(side)],
            ]
        });
        let hinged = limbs.filter_map(|roles| {
            let [upper, lower, end] = roles.map(|role| rig.joint(role));
            let (upper, lower) = (upper?, lower?);
            HingedLimb::new(rig, &joints[lower.index()]?, [upper, lower], end)
        });
        let hinged: Vec<HingedLimb> = hinged.collect();
        let mut hinged_below = vec![None; joints.len()];
        hinged.iter().enumerate().for_each(|(i, limb)| hinged_below[limb.upper.index()] = Some(i));
        let pelvis_tilt = PelvisTilt::new(rig, &joints, drives);
        Self { joints, hinged, hinged_below, pelvis_tilt }
    }

    /// The limit of a joint.
    pub fn of(&self, joint: JointId) -> Option<&Joint> {
        self.joints.get(joint.index())?.as_ref()
    }

    /// The limb whose middle joint is a hinge, by its first joint.
    pub fn hinged_below(&self, upper: JointId) -> Option<&HingedLimb> {
        let place = (*self.hinged_below.get(upper.index())?)?;
        self.hinged.get(place)
    }

    /// How the pelvis tilts for the limits of both hip joints, if they have such limits.
    pub fn pelvis_tilt(&self) -> Option<&PelvisTilt> {
        self.pelvis_tilt.as_ref()
    }

    /// The other joints by whose rotations the limits turn this one: the hinge for which it is rolled, and the thighs for
    /// which it tilts.
    pub fn depends_on(&self, joint: JointId) -> impl Iterator<Item = JointId> + '_ {
        let tilt = self.pelvis_tilt.iter().filter(move |tilt| tilt.turns(joint));
        let hinge = self.hinged_below(joint).map(|limb| limb.lower);
        tilt.flat_map(PelvisTilt::depends_on).chain(hinge)
    }

    /// The limb whose middle joint is a hinge, by that joint.
    pub fn hinged_at(&self, lower: JointId) -> Option<&HingedLimb> {
        self.hinged.iter().find(|limb| limb.lower == lower)
    }
}

/// The joint's bone in its own frame: to the next role joint, or to the farthest child.
pub(super) fn bone_axis(rig: &Rig, id: JointId) -> Vec3 {
    let named = bone_end(&rig.skeleton, &rig.roles, id)
        .map(|end| if end.joint == id { end.point } else { rig.skeleton.joint(end.joint).offset });
    let children = rig.skeleton.children(id).map(|child| rig.skeleton.joint(child).offset);
    let ends = rig.skeleton.joint(id).end_sites.iter().copied();
    let longest = children.chain(ends).max_by(|a, b| a.norm().total_cmp(&b.norm()));
    named.or(longest).and_then(|bone| bone.try_normalize(1e-12)).unwrap_or(Vec3::y())
}

/// The joint's local rotation in the straightened reference stance.
fn stance_rotation(rig: &Rig, id: JointId) -> Quat {
    let frame = |joint: JointId| rig.stance.body_from_joint[joint.index()];
    match rig.skeleton.parent(id) {
        Some(parent) => frame(parent).inverse() * frame(id),
        None => frame(id),
    }
}
