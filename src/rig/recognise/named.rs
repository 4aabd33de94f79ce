//! Bodies whose legs and chains the user named: nothing about them is left to be found but the hips.

use super::evidence::{Findings, Reason};
use super::limb::Limb;
use super::{Recognised, WrittenRoles};
use crate::rig::{Role, names};
use crate::skeleton::{JointId, Skeleton};

/// The roles as written, where they are not those of a person: where legs are named, or chains of a
/// body in which no joint is a leg by its name.
pub(super) fn find(skeleton: &Skeleton, written: &WrittenRoles) -> Option<Recognised> {
    let roles = &written.roles;
    roles.chain_names().next()?;
    if roles.legs().next().is_none() && speaks_of_legs(skeleton, written) {
        return None;
    }
    let mut roles = roles.clone();
    let mut findings = Findings::default();
    for (role, joint) in roles.iter() {
        findings.add(role, joint, 1.0, Reason::Written);
    }
    if roles.joint(Role::Hips).is_none()
        && let Some(joint) = carrier(skeleton, written)
    {
        roles.insert(Role::Hips, joint);
        findings.add(Role::Hips, joint, 0.95, Reason::Place);
    }
    Some(Recognised {
        roles,
        evidence: findings.into_evidence(),
        facing_sure: 1.0,
        doubts: Vec::new(),
        family: None,
    })
}

fn speaks_of_legs(skeleton: &Skeleton, written: &WrittenRoles) -> bool {
    let thigh = written.roles.iter().any(|(role, _)| matches!(role, Role::Thigh(_)));
    let leg = |part| Limb::Leg.weights(part).iter().any(|&weight| weight > 0.0);
    thigh || names::meanings(skeleton).iter().any(|meaning| meaning.part.is_some_and(leg))
}

/// The lowest joint without a role that all legs and chains hang on.
fn carrier(skeleton: &Skeleton, written: &WrittenRoles) -> Option<JointId> {
    let roles = &written.roles;
    let tops: Vec<JointId> = roles.chain_names().map(|name| roles.chain(name)[0]).collect();
    let carries = |joint: &JointId| tops.iter().all(|&top| skeleton.is_ancestor(*joint, top));
    let free = |joint: &JointId| roles.role(*joint).is_none();
    skeleton.ancestors(*tops.first()?).find(|joint| carries(joint) && free(joint))
}
