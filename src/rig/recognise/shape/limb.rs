//! Arms and legs by their shape: like chains, two of a kind, of two long bones each.

use super::bones::{Bones, MOST_CHILDREN};
use crate::pose::WorldPose;
use crate::skeleton::JointId;

/// One arm or leg.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limb {
    /// The first joint of the chain.
    pub first: JointId,
    /// The joint before the limb's long bones: a clavicle.
    pub before: Option<JointId>,
    pub upper: JointId,
    pub lower: JointId,
    /// Hand or foot.
    pub end: Option<JointId>,
    /// Length of the two long bones.
    pub lengths: [f64; 2],
}

impl Limb {
    pub fn length(&self) -> f64 {
        self.lengths.iter().sum()
    }
}

/// Two like limbs that hang from one joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub from: JointId,
    pub limbs: [Limb; 2],
}

impl Pair {
    pub fn length(&self) -> f64 {
        self.limbs.iter().map(Limb::length).sum()
    }
}

/// All pairs of limbs, the longest first.
pub(super) fn pairs(bones: &Bones) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = bones.skeleton.ids().filter_map(|id| pair(bones, id)).collect();
    pairs.sort_by(|a, b| b.length().total_cmp(&a.length()));
    pairs
}

/// The only two chains from this joint that are like each other, if they are limbs.
fn pair(bones: &Bones, from: JointId) -> Option<Pair> {
    let children = bones.children(from);
    if children.len() < 2 || children.len() > MOST_CHILDREN {
        return None;
    }
    let limbs: Vec<Limb> = children.iter().filter_map(|&child| limb(bones, child)).collect();
    if limbs.len() > 16 {
        return None;
    }
    let mut pairs = Vec::new();
    for (i, a) in limbs.iter().enumerate() {
        for b in &limbs[i + 1..] {
            let bones_alike =
                a.lengths.iter().zip(b.lengths).all(|(a, b)| (a / b - 1.0).abs() < 0.15);
            let like = a.before.is_some() == b.before.is_some()
                && a.end.is_some() == b.end.is_some()
                && bones_alike;
            if like {
                pairs.push(Pair { from, limbs: [*a, *b] });
            }
        }
    }
    if pairs.len() > 1 {
        // What hangs from the limbs tells twins from strangers.
        pairs.retain(|p| {
            let [a, b] = p.limbs.map(|limb| bones.size(limb.first));
            a == b
        });
    }
    match pairs.len() {
        1 => pairs.pop(),
        _ => None,
    }
}

/// More joints than this are no limb's.
const LONGEST: usize = 12;

/// A limb that begins with this joint.
fn limb(bones: &Bones, first: JointId) -> Option<Limb> {
    let chain = bones.chain(first, LONGEST + 1);
    if chain.len() > LONGEST {
        return None;
    }
    split(bones, &chain).or_else(|| split(bones, &without_inserted(bones, &chain)))
}

/// The chain's two long bones of about one length, with shorter ones before and after; `None` if
/// there is no such place or more than one.
fn split(bones: &Bones, chain: &[JointId]) -> Option<Limb> {
    let world = &bones.views.shown()[0];
    let between = |pair: &[JointId]| (world.position(pair[1]) - world.position(pair[0])).norm();
    let mut lengths: Vec<f64> = chain.windows(2).map(between).collect();
    // A forearm without a hand joint ends in its End Site.
    let last = *chain.last()?;
    if bones.is_leaf(last) {
        lengths.push(bones.end_len(last));
    }
    let fits = |i: &usize| {
        let (upper, lower) = (lengths[*i], lengths[i + 1]);
        let short = upper.min(lower);
        (0.6..1.6).contains(&(upper / lower))
            && lengths[..*i].iter().all(|b| *b < f64::min(0.95 * upper, 1.2 * short))
            && lengths[i + 2..].iter().all(|b| *b < 0.85 * short)
    };
    let mut fitting = (0..lengths.len().saturating_sub(1)).filter(fits);
    let (i, None) = (fitting.next()?, fitting.next()) else { return None };
    let first = chain[0];
    Some(Limb {
        first,
        // One joint before the long bones is a clavicle, even one that never turns in this motion;
        // of several it could be any.
        before: match i {
            0 => bones.skeleton.parent(first).filter(|&above| bones.is_unmoved(above)),
            1 => Some(first),
            _ => None,
        },
        upper: chain[i],
        lower: *chain.get(i + 1)?,
        end: chain.get(i + 2).copied(),
        lengths: [lengths[i], lengths[i + 1]],
    })
}

/// The chain without joints at which it is straight in all postures: a bone cut in two, or a joint that only twists. Of
/// joints in one place the last one moves the bone, unless no motion tells which of them turn.
fn without_inserted(bones: &Bones, chain: &[JointId]) -> Vec<JointId> {
    const STRAIGHT_RAD: f64 = 0.01;
    // Between joints that lie in one place there is no bone, and the digits of a file are no direction.
    let mut kept: Vec<JointId> = Vec::with_capacity(chain.len());
    for (i, &joint) in chain.iter().enumerate() {
        let (Some(&above), Some(&below)) = (kept.last(), chain.get(i + 1)) else {
            kept.push(joint);
            continue;
        };
        let places = |world: &WorldPose| [above, joint, below].map(|j| world.position(j));
        let is_in_one_place =
            bones.views.all().map(places).all(|[a, b, _]| bones.are_one_place(a, b));
        if is_in_one_place && bones.views.has_motion() {
            kept.pop();
            kept.push(joint);
            continue;
        }
        let straight = bones.views.all().map(places).all(|[above, here, below]| {
            bones.are_one_place(above, here) || (here - above).angle(&(below - here)) < STRAIGHT_RAD
        });
        if !straight {
            kept.push(joint);
        }
    }
    kept
}
