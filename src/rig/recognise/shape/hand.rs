//! Fingers by their shape: five short chains side by side, the thumb nearest to the wrist.

use super::bones::Bones;
use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::rig::Digit;
use crate::skeleton::JointId;

/// A finger's joints, each with its number as in [`crate::rig::Role::Finger`].
type Numbered = Vec<(u8, JointId)>;

/// The fingers of a hand at the end of a forearm; none where they cannot be told.
pub(super) fn fingers(bones: &Bones, fore: JointId, hand: JointId) -> Vec<(Digit, Numbered)> {
    let mut chains: Vec<Vec<JointId>> = Vec::new();
    for &child in bones.children(hand) {
        collect(bones, child, &mut chains);
    }
    if chains.len() > 5 {
        // The end of the hand itself is no finger.
        chains.retain(|chain| chain.len() > 1);
    }
    match chains.len() {
        5 => five(bones, hand, chains).unwrap_or_default(),
        2 => {
            let aside = chains.iter().map(|chain| aside(bones, fore, hand, chain)).collect();
            thumb_of_two(aside, chains).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The chains below a joint that part no more.
fn collect(bones: &Bones, first: JointId, chains: &mut Vec<Vec<JointId>>) {
    /// More joints in a chain are no finger's.
    const LONGEST: usize = 6;
    let mut chain = vec![first];
    while chain.len() <= LONGEST {
        match bones.children(chain[chain.len() - 1]) {
            [] => break,
            [only] => chain.push(*only),
            several => {
                // A palm that carries several fingers.
                if chains.len() <= 16 && chain.len() == 1 {
                    several.iter().for_each(|&child| collect(bones, child, chains));
                }
                return;
            }
        }
    }
    chains.push(chain);
}

/// Which joints of a finger's chain are which: 0 the metacarpal, 1 to 3 the phalanges.
fn numbered(bones: &Bones, hand: JointId, chain: &[JointId], thumb: bool) -> Numbered {
    let world = &bones.views.shown()[0];
    let way = |a: JointId, b: JointId| (world.position(a) - world.position(b)).norm();
    let metacarpal = match chain {
        _ if thumb => false,
        // A metacarpal begins near the wrist and is the longer bone; a knuckle does not.
        [first, second, _, _] => way(hand, *first) < way(*first, *second),
        _ => chain.len() > 4,
    };
    let first = if metacarpal { 0 } else { 1 };
    (first..=3).zip(chain.iter().copied()).collect()
}

/// Where a joint is in the frame of the hand: the mean of what is shown (local, length units).
fn in_hand(bones: &Bones, hand: JointId, joint: JointId) -> Vec3 {
    let shown = bones.views.shown();
    let seen = |world: &WorldPose| {
        world.rotation(hand).inverse() * (world.position(joint) - world.position(hand))
    };
    shown.iter().map(seen).sum::<Vec3>() / shown.len() as f64
}

/// Five chains: the one that begins nearest to the wrist is the thumb, and the others follow from it
/// in the order in which their knuckles lie side by side.
fn five(bones: &Bones, hand: JointId, chains: Vec<Vec<JointId>>) -> Option<Vec<(Digit, Numbered)>> {
    let knuckle_at = |chain: &[JointId]| {
        let numbered = numbered(bones, hand, chain, false);
        let knuckle = numbered.iter().find(|(n, _)| *n == 1)?.1;
        Some(in_hand(bones, hand, knuckle))
    };
    let knuckles: Vec<Vec3> =
        chains.iter().map(|chain| knuckle_at(chain)).collect::<Option<Vec<_>>>()?;
    let mut by_nearness: Vec<usize> = (0..5).collect();
    by_nearness.sort_by(|&a, &b| knuckles[a].norm().total_cmp(&knuckles[b].norm()));
    let thumb = by_nearness[0];
    let others = &by_nearness[1..];
    if knuckles[thumb].norm() > 0.8 * knuckles[others[0]].norm() {
        return None;
    }
    // The row of knuckles, along the line between the two that are farthest apart.
    let apart = |&(a, b): &(usize, usize)| (knuckles[b] - knuckles[a]).norm();
    let all_pairs = others.iter().flat_map(|&a| others.iter().map(move |&b| (a, b)));
    let (a, b) = all_pairs.max_by(|p, q| apart(p).total_cmp(&apart(q)))?;
    let row = (knuckles[b] - knuckles[a]).try_normalize(0.1 * knuckles[others[0]].norm())?;
    let middle = others.iter().map(|&i| knuckles[i]).sum::<Vec3>() / 4.0;
    // The thumb's second joint stands out towards the index finger, wherever its first one lies.
    let thumb_joint = *chains[thumb].get(1).or(chains[thumb].first())?;
    let thumb_side = (in_hand(bones, hand, thumb_joint) - middle).dot(&row);
    let row = row * thumb_side.signum();
    let mut order = others.to_vec();
    order.sort_by(|&a, &b| knuckles[b].dot(&row).total_cmp(&knuckles[a].dot(&row)));
    let fingers = [thumb].into_iter().chain(order);
    Some(
        Digit::ALL
            .into_iter()
            .zip(fingers)
            .map(|(digit, i)| (digit, numbered(bones, hand, &chains[i], digit == Digit::Thumb)))
            .collect(),
    )
}

/// How far the end of a chain lies aside of the line that the forearm makes in the zero pose, where
/// the wrist is straight, radians.
fn aside(bones: &Bones, fore: JointId, hand: JointId, chain: &[JointId]) -> f64 {
    let Some(&last) = chain.last() else { return 0.0 };
    let end_local = bones.skeleton.joint(last).end_sites.first().copied().unwrap_or_default();
    let rest = bones.views.rest();
    let wrist = rest.position(hand);
    (wrist - rest.position(fore)).angle(&(rest.point(last, end_local) - wrist))
}

/// Of a thumb and all other fingers in one, the thumb is the one that stands aside.
fn thumb_of_two(aside: Vec<f64>, chains: Vec<Vec<JointId>>) -> Option<(Digit, Numbered)> {
    const STRAIGHT_RAD: f64 = 0.2;
    const ASIDE_RAD: f64 = 0.4;
    let [a, b] = aside[..] else { return None };
    let thumb = if a > b { 0 } else { 1 };
    let clear = a.min(b) < STRAIGHT_RAD && a.max(b) > ASIDE_RAD && chains[thumb].len() <= 4;
    clear.then(|| (Digit::Thumb, (1..=3).zip(chains[thumb].iter().copied()).collect()))
}
