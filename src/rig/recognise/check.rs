//! What stands against a full set of roles: contradictions to the tree and to its lengths.

use super::error::Problem;
use super::evidence::{Evidence, Findings};
use super::limb::Limb;
use super::tree;
use crate::rig::{Digit, Role, Roles, Side};
use crate::skeleton::{JointId, Skeleton};

/// Everything about a full set of roles that contradicts the tree.
pub(super) fn problems(skeleton: &Skeleton, findings: &Findings) -> Vec<Problem> {
    let mut problems = Vec::new();
    let evidence: Vec<Evidence> = findings.clone().into_evidence();
    for (i, a) in evidence.iter().enumerate() {
        if let Some(b) = evidence[i + 1..].iter().find(|b| b.joint == a.joint) {
            problems.push(Problem::TwoRoles { joint: a.joint, roles: [a.role, b.role] });
        }
    }
    for chain in chains(&findings.roles()) {
        for pair in chain.windows(2) {
            let [(above_role, above), (role, joint)] = [pair[0], pair[1]];
            if !skeleton.is_ancestor(above, joint) && above != joint {
                problems.push(Problem::NotBelow { role, joint, above_role, above });
            }
        }
    }
    if problems.is_empty() {
        let roles = findings.roles();
        problems.extend(Side::BOTH.into_iter().filter_map(|s| no_forearm(skeleton, &roles, s)));
        problems.extend(Side::BOTH.into_iter().filter_map(|s| no_length(skeleton, &roles, s)));
    }
    problems
}

/// Whether all joints lie in one place and no channel moves any but the roots.
pub(super) fn has_no_size(skeleton: &Skeleton) -> bool {
    let mut below = skeleton.joints().iter().filter(|joint| joint.parent.is_some()).peekable();
    below.peek().is_some() && below.all(|j| j.offset.norm() == 0.0 && !j.channels.has_position())
}

/// The roles that must hang below each other, each list from the hips outwards.
fn chains(roles: &Roles) -> Vec<Vec<(Role, JointId)>> {
    let numbered = |role: fn(u8) -> Role, joints: Vec<JointId>| {
        (1..).zip(joints).map(|(n, joint)| (role(n), joint)).collect::<Vec<_>>()
    };
    let found = |list: &[Role]| -> Vec<(Role, JointId)> {
        list.iter().filter_map(|&r| Some((r, roles.joint(r)?))).collect()
    };
    let hips = found(&[Role::Hips]);
    let mut neck = [hips.clone(), numbered(Role::Neck, roles.neck())].concat();
    neck.extend(found(&[Role::Head]));
    let mut chains = vec![[hips.clone(), numbered(Role::Spine, roles.spine())].concat(), neck];
    for side in Side::BOTH {
        for limb in [Limb::Arm, Limb::Leg] {
            chains.push([hips.clone(), found(&limb.roles(side))].concat());
        }
        for digit in Digit::ALL {
            let phalanges: Vec<Role> = (0..=3).map(|n| Role::Finger(side, digit, n)).collect();
            chains.push([found(&[Role::Hand(side)]), found(&phalanges)].concat());
        }
    }
    chains
}

/// An arm that goes on below its upper arm, but none of whose joints there is a forearm: it would stay straight.
fn no_forearm(skeleton: &Skeleton, roles: &Roles, side: Side) -> Option<Problem> {
    /// What is shorter than this is a helper or a finger, as a share of a leg.
    const LONG: f64 = 0.2;
    let role = Role::Forearm(side);
    let upper = roles.joint(Role::UpperArm(side))?;
    if roles.joint(role).is_some() {
        return None;
    }
    let thigh = roles.joint(Role::Thigh(side))?;
    let leg_len = tree::way_len(skeleton, thigh, roles.joint(Role::Foot(side))?);
    let long = |id: &JointId| {
        skeleton.joint(*id).offset.norm() > LONG * leg_len && skeleton.is_ancestor(upper, *id)
    };
    let guess = skeleton.ids().find(long)?;
    Some(Problem::Missing { role, misplaced: Vec::new(), guess: Some(guess) })
}

/// A leg whose thigh and shin have no length between them, and get none from position channels.
fn no_length(skeleton: &Skeleton, roles: &Roles, side: Side) -> Option<Problem> {
    let thigh = roles.joint(Role::Thigh(side))?;
    let foot = roles.joint(Role::Foot(side))?;
    let moves = |joint: &JointId| skeleton.joint(*joint).channels.has_position();
    let flat = tree::way_len(skeleton, thigh, foot) == 0.0
        && !tree::path(skeleton, thigh, foot).iter().any(moves);
    flat.then_some(Problem::NoLength { role: Role::Thigh(side), joint: thigh })
}
