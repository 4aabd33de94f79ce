//! The bones as a tree that the solver takes, rooted at the hips or at a foot.

use super::arm::elbow_axis;
use super::bones::Bones;
use super::transferred::Leg;
use crate::ik::{Effector, Joint, LinkId, Plan, Span, Tree};
use crate::math::Vec3;
use crate::rig::{Rig, Role, Side};
use crate::skeleton::JointId;

/// The tree with one of its roots, and what is to be reached from there.
pub(super) struct Rooted {
    pub tree: Tree,
    pub plan: Plan,
}

impl Rooted {
    pub fn new(tree: Tree, lower: impl Iterator<Item = Effector>, upper: &[Effector]) -> Self {
        let effectors: Vec<Effector> = lower.chain(upper.iter().copied()).collect();
        let plan = Plan::new(tree.clone(), &effectors).expect("effectors of this tree");
        Self { tree, plan }
    }
}

/// Distances below this share of a chain, and angles below this many radians, count as reached.
const EXACT: f64 = 1e-9;

/// The bones as a tree in which legs, arms and head move and all else is fixed. Joints are the target's.
pub(super) fn tree(
    target: &Rig,
    bones: &Bones,
    legs: &[Leg],
    arms: &[[JointId; 3]],
    head: Option<JointId>,
    limits: &[(JointId, Joint)],
) -> Tree {
    let mut tree = Tree::from_skeleton(&bones.skeleton).expect("a skeleton is a tree");
    for id in bones.skeleton.ids() {
        tree.set_joint(id.into(), Joint::fixed()).expect("a sound joint of the skeleton");
    }
    let mut set = |id: JointId, joint: Joint| {
        let link = bones.own(id).into();
        let limit = limits.iter().find(|(limited, _)| *limited == id).map(|(_, limit)| *limit);
        // A limit that the solver cannot take (a cone wider than a turn, say) leaves the joint free.
        let set = limit.is_some_and(|limit| tree.set_joint(link, limit).is_ok());
        if !set {
            tree.set_joint(link, joint).expect("a sound joint of the skeleton");
        }
    };
    for leg in legs {
        set(leg.hip(), Joint::ball());
        for &(id, axis) in &leg.bends {
            set(id, axis.map_or(Joint::ball(), |axis| Joint::ball().with_bend_axis(axis)));
        }
        set(leg.ankle, Joint::ball());
    }
    for &[upper_arm, forearm, hand] in arms {
        set(upper_arm, Joint::ball());
        let side = target.roles.role(upper_arm).and_then(Role::side).unwrap_or(Side::Right);
        set(forearm, Joint::ball().with_bend_axis(elbow_axis(target, side, forearm)));
        set(hand, Joint::ball());
    }
    if let Some(head) = head {
        set(head, Joint::ball());
    }
    tree
}

pub(super) fn exact(joint: JointId, top: LinkId) -> Effector {
    Effector::new(joint.into(), Vec3::zeros())
        .with_span(Span::UpTo(top))
        .with_tolerance_ratio(EXACT)
        .with_tolerance_rad(EXACT)
}
