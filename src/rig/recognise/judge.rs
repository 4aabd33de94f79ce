//! The motion as the judge of roles that are found: left must be left of the way the body faces, and
//! feet stand where hands do not.

use super::error::Problem;
use super::evidence::{Findings, Reason};
use super::facing::{Arm, Leg, Limbs, Witnesses};
use super::views::Views;
use crate::rig::{Role, Roles, Side};
use crate::skeleton::{JointId, Skeleton};

/// From here on geometry speaks for the sides that were found.
const FOR: f64 = 0.3;
/// Arms that are so often on the side of the other leg are named the wrong way round.
const AGAINST: f64 = 0.5;
/// Less sure than this of where a body faces, the user is asked.
const FACING_BOUND: f64 = 0.6;

/// How much names count that say which side is left; with up they say where the body faces.
const NAMES: f64 = 1.0;
/// Toes nearly always point ahead.
const TOES: f64 = 2.0;
/// Knees bend to the front, but those that are hardly bent tremble.
const KNEES: f64 = 2.0;
/// Knees that stand out by this share of a leg on the mean are told from ones that tremble.
const BENT: f64 = 0.1;
/// Elbows turn with the shoulders, people walk backwards too, and End Sites are put anywhere.
const ELBOWS: f64 = 1.0;
const TRAVEL: f64 = 0.5;
const ENDS: f64 = 0.25;

/// How sure it is that the body faces where names and up say, 0 to 1.
fn facing_sure(seen: &Witnesses) -> f64 {
    let bent = seen.knees.total / (seen.legs.max(1) as f64 * BENT);
    let steps = (seen.travel.total / 10.0).min(1.0);
    let says = NAMES
        + TOES * seen.toes.says()
        + KNEES * bent.min(1.0) * seen.knees.says()
        + ELBOWS * seen.elbows.says()
        + TRAVEL * steps * seen.travel.says()
        + ENDS * seen.ends.says();
    1.0 / (1.0 + (-2.0 * says).exp())
}

/// What the judge says of a full set of roles.
pub(super) struct Verdict {
    pub problems: Vec<Problem>,
    /// How sure it is which side is left, 0 to 1.
    pub facing_sure: f64,
}

/// Adds the motion's word to a full set of roles, and tells what it contradicts. `written` are the
/// roles that the user settled: they are not judged.
pub(super) fn judge(
    skeleton: &Skeleton,
    views: &Views,
    written: &Roles,
    findings: &mut Findings,
) -> Verdict {
    let verdict = |problems, facing_sure| Verdict { problems, facing_sure };
    let Some(limbs) = limbs(&findings.roles()) else { return verdict(Vec::new(), 1.0) };
    if limbs.is_on_all_fours(views) && written.is_empty() {
        let legs = limbs.legs.map(|leg| leg.thigh).into_iter();
        let arms = limbs.arms.into_iter().flatten().map(|arm| arm.upper);
        return verdict(vec![Problem::NoPerson { limbs: legs.chain(arms).collect() }], 0.0);
    }
    let settled =
        |role: fn(Side) -> Role| Side::BOTH.map(role).iter().all(|r| written.joint(*r).is_some());
    let mirrored = |pair: [JointId; 2]| Problem::Mirrored { left: pair[0], right: pair[1] };
    let sure = match settled(Role::Thigh) {
        true => 1.0,
        false => facing_sure(&limbs.witnesses(skeleton, views)),
    };
    if sure < FACING_BOUND {
        return verdict(vec![mirrored(limbs.legs.map(|leg| leg.thigh))], sure);
    }
    if let Some(arms) = limbs.arms
        && limbs.arms_beside_legs(views) < -AGAINST
        && !settled(Role::UpperArm)
    {
        return verdict(vec![mirrored(arms.map(|arm| arm.upper))], sure);
    }
    let seen = limbs.handedness(skeleton, views);
    let mut supported: Vec<Role> = Vec::new();
    let arm_roles = |s: Side| vec![Role::UpperArm(s), Role::Forearm(s), Role::Hand(s)];
    let leg_roles = |s: Side| vec![Role::Thigh(s), Role::Shin(s), Role::Foot(s)];
    if seen.weight >= 1.0 && seen.score > FOR {
        supported
            .extend(Side::BOTH.into_iter().flat_map(|s| [leg_roles(s), arm_roles(s)].concat()));
    } else if feet_stay(skeleton, views, &limbs) {
        supported.extend(Side::BOTH.map(Role::Foot));
    }
    if views.has_motion() {
        supported.into_iter().for_each(|role| findings.support(role, Reason::Motion));
    }
    verdict(Vec::new(), sure)
}

fn limbs(roles: &Roles) -> Option<Limbs> {
    let leg = |s: Side| {
        let [thigh, shin, foot] = [Role::Thigh(s), Role::Shin(s), Role::Foot(s)];
        let toe = roles.joint(Role::Toe(s));
        Some(Leg {
            thigh: roles.joint(thigh)?,
            shin: roles.joint(shin)?,
            foot: roles.joint(foot)?,
            toe,
        })
    };
    let arm = |s: Side| {
        let (upper, fore) = (roles.joint(Role::UpperArm(s))?, roles.joint(Role::Forearm(s))?);
        Some(Arm { upper, fore, hand: roles.joint(Role::Hand(s)) })
    };
    let arms = match Side::BOTH.map(arm) {
        [Some(left), Some(right)] => Some([left, right]),
        _ => None,
    };
    let top = roles.joint(Role::Head).or_else(|| roles.spine().last().copied());
    Some(Limbs { legs: [leg(Side::Left)?, leg(Side::Right)?], arms, top })
}

/// Whether the feet stay in place far more often than the hands.
fn feet_stay(skeleton: &Skeleton, views: &Views, limbs: &Limbs) -> bool {
    let leg_len: f64 = limbs
        .legs
        .iter()
        .flat_map(|leg| [leg.shin, leg.foot])
        .map(|joint| skeleton.joint(joint).offset.norm())
        .sum::<f64>()
        / 2.0;
    let share = |joints: Vec<JointId>| {
        let stays = joints.iter().map(|&joint| views.stays(joint, 0.2 * leg_len));
        stays.sum::<f64>() / joints.len().max(1) as f64
    };
    let hands = limbs.arms.iter().flatten().filter_map(|arm| arm.hand).collect();
    share(limbs.legs.iter().map(|leg| leg.foot).collect()) - share(hands) > 0.2
}
