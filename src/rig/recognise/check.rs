//! What stands against a full set of roles: contradictions to the tree and to the rest pose.

use super::error::Problem;
use super::evidence::{Evidence, Findings};
use super::facing::{self, Leg};
use super::limb::Limb;
use super::tree;
use crate::pose::{Pose, WorldPose};
use crate::rig::{Digit, Role, Roles, Side};
use crate::skeleton::{JointId, Skeleton};

/// Everything about a full set of roles that contradicts the tree or the rest pose.
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
        problems = rest_problems(skeleton, &findings.roles());
    }
    problems
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

/// The problems of roles that are complete and fit the tree.
fn rest_problems(skeleton: &Skeleton, roles: &Roles) -> Vec<Problem> {
    let flat: Vec<Problem> =
        Side::BOTH.into_iter().filter_map(|side| no_length(skeleton, roles, side)).collect();
    if !flat.is_empty() {
        return flat;
    }
    mirrored(skeleton, roles).into_iter().collect()
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

/// Left and right swapped: told only where the rest pose is a body that stands, since most rest
/// poses mean nothing.
fn mirrored(skeleton: &Skeleton, roles: &Roles) -> Option<Problem> {
    let world = WorldPose::of(skeleton, &Pose::rest(skeleton));
    let leg = |side: Side| {
        let [thigh, shin, foot] = [Role::Thigh(side), Role::Shin(side), Role::Foot(side)];
        let joints = [roles.joint(thigh)?, roles.joint(shin)?, roles.joint(foot)?];
        Some(Leg::new(skeleton, joints, roles.joint(Role::Toe(side))))
    };
    let legs = [leg(Side::Left)?, leg(Side::Right)?];
    let top = roles.joint(Role::Head).or_else(|| roles.spine().last().copied())?;
    let trunk = world.position(top) - world.position(roles.joint(Role::Hips)?);
    let left = facing::left(&world, legs, trunk)?;
    let [a, b] = legs.map(|leg| leg.thigh);
    let across = (world.position(a) - world.position(b)).try_normalize(1e-12)?;
    (left.dot(&across) < -0.7).then_some(Problem::Mirrored { left: a, right: b })
}
