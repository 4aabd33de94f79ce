//! Neck and head by their shape: the chain that rises from between the shoulders.

use super::bones::Bones;
use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::rig::Role;
use crate::skeleton::JointId;

/// What the neck and head are measured by.
pub(super) struct Shoulders {
    /// The joint that carries the arms.
    pub chest: JointId,
    /// The first joints of both arms, clavicles included.
    pub arms: [JointId; 2],
    pub upper_arms: [JointId; 2],
    pub thighs: [JointId; 2],
    /// Thigh plus shin, length units.
    pub leg_len: f64,
}

/// More joints than these are no neck.
const LONGEST: usize = 6;

/// The head joint of a person lies this far above the shoulders, in leg lengths; the lowest joint of
/// the neck lies below that, and the crown of the head above.
const HEAD_ABOVE: std::ops::Range<f64> = 0.05..0.32;

/// Neck joints and head, in the order of the tree; empty where they cannot be told.
pub(super) fn neck(bones: &Bones, shoulders: &Shoulders) -> Vec<(Role, JointId)> {
    let Some(first) = root_of_neck(bones, shoulders) else { return Vec::new() };
    let mut chain = vec![first];
    // A face, eyes, hair: where the chain parts it has come to the head.
    while let [only] = bones.children(chain[chain.len() - 1])[..]
        && chain.len() <= LONGEST
    {
        chain.push(only);
    }
    while chain.len() > 1 && bones.is_tip(chain[chain.len() - 1]) {
        chain.pop();
    }
    let unclear = |&joint: &JointId| !bones.views.has_motion() && bones.length(joint) == 0.0;
    if chain.iter().any(unclear) {
        return Vec::new();
    }
    let rises: Vec<f64> = chain.iter().map(|&joint| rise(bones, shoulders, joint)).collect();
    let in_reach = |rise: &f64| HEAD_ABOVE.contains(rise);
    let Some(head) = rises.iter().rposition(in_reach) else {
        // Joints at the height of the shoulders alone are a neck that carries no head joint.
        return match chain[..] {
            [only] if rises[0] < HEAD_ABOVE.start => vec![(Role::Neck(1), only)],
            _ => Vec::new(),
        };
    };
    let last = chain[chain.len() - 1];
    if !bones.views.has_motion()
        && chain[head] == last
        && chain.len() > 2
        && bones.is_boneless(last)
    {
        // The head, or the end of a head that is short.
        return Vec::new();
    }
    // Above the head there may be its crown, but no more.
    if chain.len() - head > 2 || head + 1 > LONGEST {
        return Vec::new();
    }
    let neck = (1..).zip(&chain[..head]).map(|(n, &joint)| (Role::Neck(n), joint));
    neck.chain([(Role::Head, chain[head])]).collect()
}

/// The joint on the chest that the neck begins with: not an arm, and of several the one whose end
/// rises highest.
fn root_of_neck(bones: &Bones, shoulders: &Shoulders) -> Option<JointId> {
    let free = bones.children(shoulders.chest).iter().filter(|c| !shoulders.arms.contains(c));
    let mut rises: Vec<(f64, JointId)> = free
        .map(|&child| {
            let chain = bones.chain(child, LONGEST);
            let rise = chain.iter().map(|&j| rise(bones, shoulders, j)).fold(f64::MIN, f64::max);
            (rise, child)
        })
        .collect();
    rises.sort_by(|a, b| b.0.total_cmp(&a.0));
    match rises[..] {
        [(_, only)] => Some(only),
        [(first, joint), (second, _), ..] if first > second + 0.05 => Some(joint),
        _ => None,
    }
}

/// How far the joint is above the shoulders along the trunk, in leg lengths; the mean of what is
/// shown.
fn rise(bones: &Bones, shoulders: &Shoulders, joint: JointId) -> f64 {
    let middle = |world: &WorldPose, [a, b]: [JointId; 2]| -> Vec3 {
        0.5 * (world.position(a) + world.position(b))
    };
    let shown = bones.views.shown();
    let sum: f64 = shown
        .iter()
        .map(|world| {
            let top = middle(world, shoulders.upper_arms);
            let up = (top - middle(world, shoulders.thighs)).try_normalize(1e-12);
            (world.position(joint) - top).dot(&up.unwrap_or_default())
        })
        .sum();
    sum / shown.len() as f64 / shoulders.leg_len
}
