//! Roles without names: a body is a tree with a pair of legs at one end of a trunk and a pair of
//! arms at the other. Conservative: whatever does not look like just one human body is refused.
//!
//! Which of a pair is the left one is told by names that have a side and nothing else, or by
//! postures in which the body is upright and shows where it faces.

mod bones;
mod hand;
mod limb;
mod trunk;

use super::error::Problem;
use super::evidence::{Findings, Reason};
use super::facing::{self, Limbs};
use super::tree;
use super::views::Views;
use crate::rig::{Role, Side};
use crate::skeleton::{JointId, Skeleton};
use bones::Bones;
use limb::{Limb, Pair};
use trunk::Shoulders;

/// How sure a role is that only the shape speaks for.
const CONFIDENCE: f64 = 0.7;

/// How sure a finger is by its shape.
const FINGER_CONFIDENCE: f64 = 0.6;

/// The least that must speak for a left side.
const CLEAR: f64 = 0.3;

/// What the names and the user tell beside the shape.
pub(super) struct Hints<'a> {
    /// The side of each joint by its name, in skeleton order.
    pub sides: &'a [Option<Side>],
    /// The side of joints by the user's word.
    pub written: &'a [(JointId, Side)],
    /// Joints that have no role by the user's word.
    pub ignored: &'a [JointId],
    /// The user listed the spine.
    pub trunk_is_written: bool,
}

/// Why a shape gives no roles.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Unlike {
    /// No two pairs of limbs.
    Limbless,
    /// Pairs of limbs that are not a person's: the first joint of each.
    OtherLimbs(Vec<JointId>),
    /// A person some of whose spine joints may be dummies.
    UnclearSpine(Vec<JointId>),
    /// A person whose left cannot be told from the right: both thighs.
    UnclearSides([JointId; 2]),
}

impl Unlike {
    pub fn problems(&self) -> Vec<Problem> {
        vec![match self {
            Unlike::Limbless => Problem::NoLegs,
            Unlike::OtherLimbs(limbs) => Problem::NoPerson { limbs: limbs.clone() },
            Unlike::UnclearSpine(joints) => {
                Problem::Ambiguous { role: Role::Spine(1), joints: joints.clone() }
            }
            Unlike::UnclearSides(thighs) => Problem::LeftOrRight { thighs: *thighs },
        }]
    }
}

/// Finds the roles of a body from its shape and, as far as it is seen, its motion.
pub(super) fn find(skeleton: &Skeleton, views: &Views, hints: &Hints) -> Result<Findings, Unlike> {
    let bones = Bones::new(skeleton, views, |joint| hints.ignored.contains(&joint));
    let (mut legs, mut arms) = legs_and_arms(&bones)?;
    let thighs = legs.map(|leg| leg.upper);
    let limbs = limbs(&bones, &legs, &arms).ok_or(Unlike::Limbless)?;
    if limbs.is_on_all_fours(views) {
        let all = legs.iter().chain(&arms).map(|limb| limb.first);
        return Err(Unlike::OtherLimbs(all.collect()));
    }
    let seen = limbs.handedness(skeleton, views);
    let by_motion = (seen.weight >= 1.0 && seen.score.abs() >= CLEAR).then_some(seen.score > 0.0);
    let first_is_left =
        said_left(&bones, hints, &legs).or(by_motion).ok_or(Unlike::UnclearSides(thighs))?;
    let beside = limbs.arms_beside_legs(views);
    let arms_beside = (beside.abs() >= CLEAR).then_some((beside > 0.0) == first_is_left);
    let first_arm_is_left =
        said_left(&bones, hints, &arms).or(arms_beside).ok_or(Unlike::UnclearSides(thighs))?;
    if !first_is_left {
        legs.swap(0, 1);
    }
    if !first_arm_is_left {
        arms.swap(0, 1);
    }
    findings(&bones, legs, arms, hints.trunk_is_written)
}

/// The legs and the arms: the two longest pairs, the legs nearer to the trunk's lower end.
fn legs_and_arms(bones: &Bones) -> Result<([Limb; 2], [Limb; 2]), Unlike> {
    let pairs = limb::pairs(bones);
    let [first, second, rest @ ..] = &pairs[..] else { return Err(Unlike::Limbless) };
    let no_person = || {
        let big = pairs.iter().filter(|pair| pair.length() > 0.5 * first.length());
        Unlike::OtherLimbs(big.flat_map(|pair| pair.limbs.map(|limb| limb.first)).collect())
    };
    // A third pair as long as arms: an animal, a costume, a second body.
    if rest.first().is_some_and(|third| third.length() > 0.6 * second.length()) {
        return Err(no_person());
    }
    let hips = tree::common_ancestor(bones.skeleton, first.from, second.from);
    let hips = hips.ok_or(Unlike::Limbless)?;
    let to = |pair: &Pair| tree::path(bones.skeleton, hips, pair.from).len();
    let (legs, arms) = if to(first) < to(second) { (first, second) } else { (second, first) };
    let ratio = legs.length() / arms.length();
    // Arms as long as legs are legs, unless the motion shows that only one pair stands.
    let human =
        (1.1..2.5).contains(&ratio) || (0.7..1.1).contains(&ratio) && stands(bones, legs, arms);
    let upright = to(legs) < to(arms) && to(legs) <= 1;
    let feet = legs.limbs.iter().all(|l| l.end.is_some());
    match human && upright && feet {
        true => Ok((legs.limbs, arms.limbs)),
        false => Err(no_person()),
    }
}

/// Whether the motion shows the ends of one pair staying in place far more often than those of the
/// other.
fn stands(bones: &Bones, legs: &Pair, arms: &Pair) -> bool {
    let slow = 0.2 * legs.length() / 2.0;
    let stays = |pair: &Pair| {
        let end = |limb: &Limb| bones.views.stays(limb.end.unwrap_or(limb.lower), slow);
        pair.limbs.iter().map(end).sum::<f64>() / 2.0
    };
    stays(legs) - stays(arms) > 0.2
}

fn limbs(bones: &Bones, legs: &[Limb; 2], arms: &[Limb; 2]) -> Option<Limbs> {
    let leg = |limb: &Limb| {
        let (thigh, shin, foot) = (limb.upper, limb.lower, limb.end?);
        Some(facing::Leg { thigh, shin, foot, toe: toe(bones, foot) })
    };
    let arm = |limb: &Limb| facing::Arm { upper: limb.upper, fore: limb.lower, hand: limb.end };
    let legs = [leg(&legs[0])?, leg(&legs[1])?];
    Some(Limbs { legs, arms: Some([arm(&arms[0]), arm(&arms[1])]), top: None })
}

/// Whether the first limb of a pair is the left one by the user's word or by names that have a side.
fn said_left(bones: &Bones, hints: &Hints, pair: &[Limb; 2]) -> Option<bool> {
    let below = pair.map(|limb| bones.skeleton.subtree(limb.first));
    let sign = |side| if side == Side::Left { 1 } else { -1 };
    // Left joints on the first limb and right ones on the second count for it.
    let sum = |said: &mut dyn Iterator<Item = (usize, Side)>| -> i64 {
        said.map(|(joint, side)| match () {
            () if below[0].contains(&joint) => sign(side),
            () if below[1].contains(&joint) => -sign(side),
            () => 0,
        })
        .sum()
    };
    let written = sum(&mut hints.written.iter().map(|&(joint, side)| (joint.index(), side)));
    let named = || {
        let named = hints.sides.iter().enumerate();
        sum(&mut named.filter_map(|(joint, side)| Some((joint, (*side)?))))
    };
    let said = if written == 0 { named() } else { written };
    (said != 0).then_some(said > 0)
}

/// The joint that the toes turn about: the one that goes on from the foot, or of several toes the
/// innermost. Joints between that never turn are passed over.
fn toe(bones: &Bones, foot: JointId) -> Option<JointId> {
    let first = bones.next(foot)?;
    let chain = bones.chain(first, 3);
    let turns = |joint: &&JointId| bones.views.turns(bones.skeleton, **joint);
    Some(chain.iter().find(turns).copied().unwrap_or(first))
}

/// The roles of limbs in the order left, right, and of the trunk between them.
fn findings(
    bones: &Bones,
    legs: [Limb; 2],
    arms: [Limb; 2],
    spine_is_written: bool,
) -> Result<Findings, Unlike> {
    let skeleton = bones.skeleton;
    let [thighs, upper_arms] = [legs, arms].map(|pair| pair.map(|limb| limb.upper));
    let pelvis = tree::common_ancestor(skeleton, thighs[0], thighs[1]);
    let chest = tree::common_ancestor(skeleton, upper_arms[0], upper_arms[1]);
    let (Some(pelvis), Some(chest)) = (pelvis, chest) else { return Err(Unlike::Limbless) };
    let hips = tree::common_ancestor(skeleton, pelvis, chest).ok_or(Unlike::Limbless)?;
    let mut findings = Findings::default();
    let mut add = |role, joint| findings.add(role, joint, CONFIDENCE, Reason::Shape);
    add(Role::Hips, hips);
    let up = tree::path(skeleton, hips, chest);
    let spine: Vec<JointId> =
        up.into_iter().filter(|&joint| joint == chest || !bones.is_dummy(joint)).collect();
    if !spine_is_written {
        // Only motion tells a dummy from a joint that happens to lie where its parent does.
        let unclear = |&joint: &JointId| !bones.views.has_motion() && bones.length(joint) == 0.0;
        if spine.iter().any(unclear) {
            return Err(Unlike::UnclearSpine(spine));
        }
        for (n, joint) in (1..).zip(spine) {
            add(Role::Spine(n), joint);
        }
    }
    for ((side, leg), arm) in Side::BOTH.into_iter().zip(&legs).zip(&arms) {
        let joints = [
            (Role::Thigh(side), Some(leg.upper)),
            (Role::Shin(side), Some(leg.lower)),
            (Role::Foot(side), leg.end),
            (Role::Toe(side), leg.end.and_then(|foot| toe(bones, foot))),
            (Role::Clavicle(side), arm.before),
            (Role::UpperArm(side), Some(arm.upper)),
            (Role::Forearm(side), Some(arm.lower)),
            (Role::Hand(side), arm.end),
        ];
        for (role, joint) in joints {
            if let Some(joint) = joint {
                add(role, joint);
            }
        }
    }
    let leg_len = legs.iter().map(Limb::length).sum::<f64>() / 2.0;
    let arms_from = arms.map(|arm| arm.first);
    let shoulders = Shoulders { chest, arms: arms_from, upper_arms, thighs, leg_len };
    for (role, joint) in trunk::neck(bones, &shoulders) {
        add(role, joint);
    }
    for (side, arm) in Side::BOTH.into_iter().zip(&arms) {
        let Some(hand) = arm.end else { continue };
        for (digit, joints) in hand::fingers(bones, arm.lower, hand) {
            for (n, joint) in joints {
                let role = Role::Finger(side, digit, n);
                findings.add(role, joint, FINGER_CONFIDENCE, Reason::Shape);
            }
        }
    }
    Ok(findings)
}
