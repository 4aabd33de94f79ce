//! Roles without names: a body is a tree with a pair of legs at one end of a trunk and a pair of
//! arms at the other. Conservative: whatever does not look like just one human body is `None`.
//!
//! Which of a pair is the left one is told by poses in which the body stands and shows where it
//! faces. Fingers are left out.

use super::evidence::{Findings, Reason};
use super::facing::{self, Leg};
use super::tree;
use crate::pose::WorldPose;
use crate::rig::{Role, Side};
use crate::skeleton::{JointId, Skeleton};

/// How sure a role is that only the shape speaks for.
const CONFIDENCE: f64 = 0.7;

/// Finds the roles of a body from its shape; lengths are those of the first of `poses`, which must
/// not be empty.
pub(super) fn find(skeleton: &Skeleton, poses: &[WorldPose]) -> Option<Findings> {
    if poses.is_empty() {
        return None;
    }
    let shape = Shape::new(skeleton, poses);
    let (mut legs, mut arms) = shape.limbs()?;
    let trunk = |world: &WorldPose| {
        let mid = |[a, b]: [&Limb; 2]| world.position(a.upper) + world.position(b.upper);
        mid(arms.each_ref()) - mid(legs.each_ref())
    };
    let joints = legs
        .each_ref()
        .map(|leg| Some(Leg::new(skeleton, [leg.upper, leg.lower, leg.end?], leg.beyond)));
    let [Some(a), Some(b)] = joints else { return None };
    // Sums over the poses, of legs and of arms: how far the first of the pair is on the left.
    let mut votes = [0.0; 2];
    let mut seen = 0.0;
    for world in poses {
        let Some(left) = facing::left(world, [a, b], trunk(world)) else { continue };
        seen += 1.0;
        for (vote, [a, b]) in votes.iter_mut().zip([legs.each_ref(), arms.each_ref()]) {
            let across = world.position(a.upper) - world.position(b.upper);
            *vote += across.try_normalize(1e-12).unwrap_or_default().dot(&left);
        }
    }
    // Most poses must agree, clearly, about legs and arms.
    for (vote, pair) in votes.iter().zip([&mut legs, &mut arms]) {
        let mean = vote / f64::max(seen, 1.0);
        if mean.abs() < 0.5 {
            return None;
        }
        if mean < 0.0 {
            pair.swap(0, 1);
        }
    }
    shape.findings(legs, arms)
}

/// One arm or leg.
#[derive(Clone, Copy, Debug)]
struct Limb {
    /// The joint before the limb's long bones: a clavicle.
    before: Option<JointId>,
    upper: JointId,
    lower: JointId,
    /// Hand or foot.
    end: Option<JointId>,
    /// The joint after it, where there is just one: a toe.
    beyond: Option<JointId>,
    /// Length of the two long bones.
    length: f64,
}

/// Two like chains that hang from one joint.
struct Pair {
    from: JointId,
    limbs: [Limb; 2],
    length: f64,
}

struct Shape<'a> {
    skeleton: &'a Skeleton,
    poses: &'a [WorldPose],
    /// Children by joint, without leaves that lie at their parent's place.
    children: Vec<Vec<JointId>>,
    /// Distance from the parent.
    lengths: Vec<f64>,
    /// Joints of the subtree, the joint itself included.
    sizes: Vec<usize>,
}

impl<'a> Shape<'a> {
    fn new(skeleton: &'a Skeleton, poses: &'a [WorldPose]) -> Self {
        let world = &poses[0];
        let lengths: Vec<f64> = skeleton
            .ids()
            .map(|id| {
                let parent = skeleton.parent(id);
                parent.map_or(0.0, |p| (world.position(id) - world.position(p)).norm())
            })
            .collect();
        let largest = lengths.iter().copied().fold(0.0, f64::max);
        let mut children: Vec<Vec<JointId>> = vec![Vec::new(); skeleton.len()];
        let mut sizes = vec![1; skeleton.len()];
        for id in skeleton.ids().rev() {
            let leaf = children[id.index()].is_empty();
            if let Some(parent) = skeleton.parent(id)
                && !(leaf && lengths[id.index()] <= 1e-6 * largest)
            {
                children[parent.index()].push(id);
                sizes[parent.index()] += sizes[id.index()];
            }
        }
        children.iter_mut().for_each(|list| list.reverse());
        Self { skeleton, poses, children, lengths, sizes }
    }

    /// The legs and the arms: the two longest pairs, the legs nearer to the trunk's lower end.
    fn limbs(&self) -> Option<([Limb; 2], [Limb; 2])> {
        let mut pairs: Vec<Pair> = self.skeleton.ids().filter_map(|id| self.pair(id)).collect();
        pairs.sort_by(|a, b| b.length.total_cmp(&a.length));
        let mut pairs = pairs.into_iter();
        let (legs, arms) = (pairs.next()?, pairs.next()?);
        // A third pair as long as arms: an animal, a costume, a second body.
        if pairs.next().is_some_and(|third| third.length > 0.6 * arms.length) {
            return None;
        }
        let hips = tree::common_ancestor(self.skeleton, legs.from, arms.from)?;
        let to = |joint| tree::path(self.skeleton, hips, joint).len();
        let human = legs.length > 1.1 * arms.length && legs.length < 2.5 * arms.length;
        let upright = to(legs.from) < to(arms.from) && to(legs.from) <= 1;
        let feet = legs.limbs.iter().all(|l| l.end.is_some());
        (human && upright && feet).then_some((legs.limbs, arms.limbs))
    }

    /// The only two chains from this joint that are like each other, if they are limbs.
    fn pair(&self, from: JointId) -> Option<Pair> {
        let limbs: Vec<(JointId, Limb)> = self.children[from.index()]
            .iter()
            .filter_map(|&child| Some((child, self.limb(child)?)))
            .collect();
        // Dozens of like chains are a skirt or a beast.
        if limbs.len() > 16 {
            return None;
        }
        let mut pairs = Vec::new();
        for (i, (a, limb_a)) in limbs.iter().enumerate() {
            for (b, limb_b) in &limbs[i + 1..] {
                let like = self.sizes[a.index()] == self.sizes[b.index()]
                    && limb_a.before.is_some() == limb_b.before.is_some()
                    && limb_a.end.is_some() == limb_b.end.is_some()
                    && limb_a.beyond.is_some() == limb_b.beyond.is_some()
                    && (limb_a.length / limb_b.length - 1.0).abs() < 0.1;
                if like {
                    let length = limb_a.length + limb_b.length;
                    pairs.push(Pair { from, limbs: [*limb_a, *limb_b], length });
                }
            }
        }
        match pairs.len() {
            1 => pairs.pop(),
            _ => None,
        }
    }

    /// The joint that goes on from here: the only child, or the only one that is no leaf.
    fn next(&self, joint: JointId) -> Option<JointId> {
        let children = &self.children[joint.index()];
        if let [only] = children[..] {
            return Some(only);
        }
        let mut inner = children.iter().filter(|c| !self.children[c.index()].is_empty());
        match (inner.next(), inner.next()) {
            (Some(&only), None) => Some(only),
            _ => None,
        }
    }

    /// A limb that begins with this joint: two long bones of about one length, with shorter ones
    /// before and after.
    fn limb(&self, first: JointId) -> Option<Limb> {
        let mut chain = vec![first];
        while let Some(next) = self.next(chain[chain.len() - 1]) {
            chain.push(next);
            if chain.len() > 8 {
                return None;
            }
        }
        let last = chain[chain.len() - 1];
        let mut bones: Vec<f64> = chain[1..].iter().map(|j| self.lengths[j.index()]).collect();
        // A forearm without a hand joint ends in its End Site.
        if self.children[last.index()].is_empty() {
            let ends = self.skeleton.joint(last).end_sites.iter().map(|e| e.norm());
            bones.push(ends.fold(0.0, f64::max));
        }
        let fits = |i: &usize| {
            let (upper, lower) = (bones[*i], bones[i + 1]);
            let short = upper.min(lower);
            (0.6..1.6).contains(&(upper / lower))
                && bones[..*i].iter().all(|b| *b < 1.1 * short)
                && bones[i + 2..].iter().all(|b| *b < 0.85 * short)
        };
        let mut fitting = (0..bones.len().saturating_sub(1)).filter(fits);
        let (i, None) = (fitting.next()?, fitting.next()) else { return None };
        // One joint before the long bones is a clavicle; of several it could be any.
        let before = (i == 1).then_some(chain[0]);
        Some(Limb {
            before,
            upper: chain[i],
            lower: *chain.get(i + 1)?,
            end: chain.get(i + 2).copied(),
            beyond: chain.get(i + 3).copied(),
            length: bones[i] + bones[i + 1],
        })
    }

    /// The roles of limbs in the order left, right, and of the trunk between them.
    fn findings(&self, legs: [Limb; 2], arms: [Limb; 2]) -> Option<Findings> {
        let skeleton = self.skeleton;
        let pelvis = tree::common_ancestor(skeleton, legs[0].upper, legs[1].upper)?;
        let chest = tree::common_ancestor(skeleton, arms[0].upper, arms[1].upper)?;
        let hips = tree::common_ancestor(skeleton, pelvis, chest)?;
        let mut findings = Findings::default();
        let mut add = |role, joint| findings.add(role, joint, CONFIDENCE, Reason::Shape);
        add(Role::Hips, hips);
        let mut spine = tree::path(skeleton, hips, chest);
        // Only motion tells a dummy from a joint that happens to lie where its parent does.
        let moves = self.poses.len() > 2;
        if !moves && spine.iter().any(|joint| self.lengths[joint.index()] == 0.0) {
            return None;
        }
        spine.retain(|&joint| joint == chest || !self.is_dummy(joint));
        for (n, joint) in (1..).zip(spine) {
            add(Role::Spine(n), joint);
        }
        for ((side, leg), arm) in Side::BOTH.into_iter().zip(legs).zip(arms) {
            let joints = [
                (Role::Thigh(side), Some(leg.upper)),
                (Role::Shin(side), Some(leg.lower)),
                (Role::Foot(side), leg.end),
                (Role::Toe(side), leg.beyond),
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
        let arm_tops = arms.map(|arm| arm.before.unwrap_or(arm.upper));
        let mut neck = self.neck(chest, arm_tops);
        if let Some(head) = neck.pop() {
            add(Role::Head, head);
        }
        for (n, joint) in (1..).zip(neck) {
            add(Role::Neck(n), joint);
        }
        Some(findings)
    }

    /// The joints above the chest up to the head; empty where one joint alone could be either, or
    /// where more than one chain goes up.
    fn neck(&self, chest: JointId, arms: [JointId; 2]) -> Vec<JointId> {
        let holds_arm = |joint: JointId| {
            let below = tree::subtree(self.skeleton, joint);
            arms.iter().any(|arm| below.contains(&arm.index()))
        };
        let others: Vec<JointId> = self.children[chest.index()]
            .iter()
            .copied()
            .filter(|&child| !holds_arm(child))
            .collect();
        let [first] = others[..] else { return Vec::new() };
        let mut chain = vec![first];
        while let [only] = self.children[chain[chain.len() - 1].index()][..] {
            chain.push(only);
        }
        // A leaf without a bone of its own can be the head or the end of it.
        let last = chain[chain.len() - 1];
        let leaf = self.children[last.index()].is_empty();
        let boneless = self.skeleton.joint(last).end_sites.iter().all(|e| e.norm() == 0.0);
        if leaf && boneless {
            return Vec::new();
        }
        let whole = chain.len();
        chain.retain(|&joint| !self.is_dummy(joint));
        if self.poses.len() <= 2 && chain.len() < whole {
            return Vec::new();
        }
        if chain.len() >= 2 && chain.len() <= 5 { chain } else { Vec::new() }
    }

    /// A joint at the place of its parent that never turns.
    fn is_dummy(&self, joint: JointId) -> bool {
        let Some(parent) = self.skeleton.parent(joint) else { return false };
        let turns =
            |world: &WorldPose| world.rotation(parent).angle_to(&world.rotation(joint)) > 1e-6;
        self.lengths[joint.index()] == 0.0 && !self.poses.iter().any(turns)
    }
}
