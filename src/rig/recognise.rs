//! Which joint plays which part: from what the user wrote, from names, and from the tree.
//!
//! Names are read by one vocabulary for all rigs (`names`). Where a word means different parts in
//! different rigs, the tree decides: a limb is the run of joints down one path whose names fit its
//! places best together. Hips, spine, neck and head follow from where the limbs hang. What cannot be
//! told is an error, never a guess.

mod error;
mod evidence;
mod facing;
mod family;
mod fingers;
mod limb;
mod rest;
mod shape;
mod tree;
mod trunk;

pub use error::{Problem, RecogniseError};
pub use evidence::{Evidence, Reason};

use super::names::{self, Meaning, Part};
use super::{Role, Roles, Side};
use crate::clip::Clip;
use crate::pose::{Pose, WorldPose};
use crate::skeleton::{JointId, Skeleton};
use evidence::Findings;
use limb::{Candidates, Limb, SLOTS};
use trunk::Anchors;

/// What the user says about a skeleton's roles. It goes before all other evidence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WrittenRoles {
    /// Roles that are settled. Spine and neck, where given, are given whole.
    pub roles: Roles,
    /// Joints that play no role.
    pub ignored: Vec<JointId>,
}

/// The roles of a skeleton, and how they were found.
#[derive(Clone, Debug, PartialEq)]
pub struct Recognised {
    pub roles: Roles,
    /// One a role, in the order of [`Role`].
    pub evidence: Vec<Evidence>,
    /// The rig's usual name, if it is a known one.
    pub family: Option<&'static str>,
}

/// Finds the roles of a body with two legs, each a thigh, a shin and a foot; all other parts may be
/// missing. Linear in the number of joints, apart from walks towards the root.
///
/// Fails where a leg is missing or where evidence contradicts itself or the tree.
pub fn recognise(
    skeleton: &Skeleton,
    written: &WrittenRoles,
) -> Result<Recognised, RecogniseError> {
    find(skeleton, written, || vec![WorldPose::of(skeleton, &Pose::rest(skeleton))])
}

/// As [`recognise`], with the motion as evidence where names say nothing: some poses of the clip
/// show how long bones are, that the body stands, and where it faces.
pub fn recognise_clip(clip: &Clip, written: &WrittenRoles) -> Result<Recognised, RecogniseError> {
    let skeleton = clip.skeleton();
    find(skeleton, written, || {
        const MOST: usize = 64;
        let step = clip.len().div_ceil(MOST).max(1);
        let frames = (0..clip.len()).step_by(step).map(|frame| clip.pose(frame));
        let poses = frames.chain([Pose::rest(skeleton)]);
        poses.map(|pose| WorldPose::of(skeleton, &pose)).collect()
    })
}

fn find(
    skeleton: &Skeleton,
    written: &WrittenRoles,
    poses: impl Fn() -> Vec<WorldPose>,
) -> Result<Recognised, RecogniseError> {
    let mut meanings = names::meanings(skeleton);
    settle(written, &mut meanings);
    inherit_sides(skeleton, &mut meanings);
    let mut search = Search { skeleton, meanings: &meanings, written, problems: Vec::new() };
    let mut findings = Findings::default();
    for (role, joint) in written.roles.iter() {
        findings.add(role, joint, 1.0, Reason::Written);
    }
    search.body(&mut findings);
    let mut problems = search.problems;
    if let [Problem::NoLegs | Problem::NoSides { .. }] = problems[..]
        && *written == WrittenRoles::default()
        && let Some(shape) = shape::find(skeleton, &poses())
    {
        // Names that speak of legs but of no side are worth a question; names without any meaning
        // contradict nothing.
        if problems == [Problem::NoLegs] {
            problems.clear();
        }
        findings = shape;
    }
    if problems.is_empty() {
        problems = check(skeleton, &findings);
    }
    let roles = findings.roles();
    let evidence = findings.into_evidence();
    if problems.is_empty() {
        Ok(Recognised { roles, evidence, family: family::of(skeleton) })
    } else {
        Err(RecogniseError { problems, guess: evidence, skeleton: Box::new(skeleton.clone()) })
    }
}

/// Gives written joints the meaning that the user gave them, so that what hangs below them follows.
fn settle(written: &WrittenRoles, meanings: &mut [Meaning]) {
    for &joint in &written.ignored {
        meanings[joint.index()] = Meaning { helper: true, ..Meaning::default() };
    }
    for (role, joint) in written.roles.iter() {
        let part = match role {
            Role::Clavicle(_) => Part::Collar,
            Role::UpperArm(_) => Part::UpperArm,
            Role::Forearm(_) => Part::Forearm,
            Role::Hand(_) => Part::Wrist,
            Role::Thigh(_) => Part::Thigh,
            Role::Shin(_) => Part::Shin,
            Role::Foot(_) => Part::Ankle,
            Role::Toe(_) => Part::Toe,
            Role::Hips => Part::Hips,
            Role::Spine(_) => Part::Trunk,
            Role::Neck(_) => Part::Neck,
            Role::Head => Part::Head,
            Role::Finger(..) => continue,
        };
        let number = meanings[joint.index()].number;
        meanings[joint.index()] =
            Meaning { side: role.side(), part: Some(part), helper: false, number };
    }
}

/// A limb's joint whose name has no side is on the side of the limb's joint above it.
fn inherit_sides(skeleton: &Skeleton, meanings: &mut [Meaning]) {
    let limbs = |part: Part| {
        [Limb::Arm, Limb::Leg].iter().any(|limb| limb.weights(part).iter().any(|&w| w > 0.0))
    };
    let mut side_below: Vec<Option<Side>> = Vec::with_capacity(meanings.len());
    for (joint, meaning) in skeleton.joints().iter().zip(meanings) {
        let above = joint.parent.and_then(|p| side_below[p.index()]);
        let on_limb = meaning.part.is_some_and(limbs);
        if on_limb && meaning.side.is_none() {
            meaning.side = above;
        }
        side_below.push(if on_limb { meaning.side.or(above) } else { above });
    }
}

struct Search<'a> {
    skeleton: &'a Skeleton,
    meanings: &'a [Meaning],
    written: &'a WrittenRoles,
    problems: Vec<Problem>,
}

impl Search<'_> {
    fn body(&mut self, findings: &mut Findings) {
        let [left, right] = Side::BOTH.map(|side| self.limb(Limb::Leg, side, findings));
        if !self.legs_found(left, right, findings) {
            return;
        }
        let arms = Side::BOTH.map(|side| {
            let joints = self.limb(Limb::Arm, side, findings);
            joints[0].or(joints[1])
        });
        let [Some(left), Some(right)] = [left[0], right[0]] else { return };
        let anchors = Anchors { thighs: [left, right], arms };
        match trunk::find(self.skeleton, self.meanings, anchors, findings) {
            Ok(trunk) => self.add_trunk(&trunk, findings),
            Err(problem) => self.problems.push(problem),
        }
        for side in Side::BOTH {
            if let Some(hand) = findings.joint(Role::Hand(side)) {
                fingers::find(self.skeleton, self.meanings, side, hand, findings);
            }
        }
    }

    /// The joints of a limb, by place; problems with them are noted.
    fn limb(
        &mut self,
        limb: Limb,
        side: Side,
        findings: &mut Findings,
    ) -> [Option<JointId>; SLOTS] {
        let roles = limb.roles(side);
        let mut candidates = Candidates::from_names(self.skeleton, self.meanings, limb, side);
        for (role, joint) in self.written.roles.iter() {
            candidates.write(joint, roles.iter().position(|&r| r == role));
        }
        if limb == Limb::Arm {
            // The arms of this body, not of another one in the same file, and not on a leg.
            let subtree = |joint| tree::subtree(self.skeleton, joint);
            let thighs = Side::BOTH.map(|s| findings.joint(Role::Thigh(s)));
            let body = thighs[0].map_or(0..0, |t| subtree(tree::root(self.skeleton, t)));
            let legs: Vec<_> = thighs.into_iter().flatten().map(subtree).collect();
            candidates.retain(|joint| {
                let at = joint.index();
                body.contains(&at) && !legs.iter().any(|leg| leg.contains(&at))
            });
        }
        let best = candidates.best(self.skeleton);
        let Some(mut chosen) = best.first().copied() else { return [None; SLOTS] };
        for (slot, role) in roles.into_iter().enumerate() {
            let mut joints: Vec<JointId> = best.iter().filter_map(|b| b.joints[slot]).collect();
            joints.sort();
            joints.dedup();
            if matches!(role, Role::Toe(_)) {
                // A foot with several toes turns about the big toe's joint, which has the lowest
                // number.
                let number = |j: &JointId| self.meanings[j.index()].number;
                chosen.joints[slot] = joints.into_iter().min_by_key(|j| (number(j), *j));
            } else if joints.len() > 1 {
                self.problems.push(Problem::Ambiguous { role, joints });
            }
        }
        for (slot, role) in roles.into_iter().enumerate() {
            if let Some(joint) = self.written.roles.joint(role)
                && chosen.joints[slot] != Some(joint)
            {
                let other = (0..SLOTS).rev().find_map(|s| Some((s, chosen.joints[s]?)));
                if let Some((s, above)) = other {
                    let above_role = roles[s];
                    self.problems.push(Problem::NotBelow { role, joint, above_role, above });
                }
            }
            if let Some(joint) = chosen.joints[slot] {
                let (confidence, reason) = self.sureness(limb, joint, slot, &chosen.joints);
                findings.add(role, joint, confidence, reason);
            }
        }
        // An arm may stop anywhere, but it has an upper arm.
        let needed = if limb == Limb::Arm { 1..2 } else { 0..3 };
        for slot in needed {
            if chosen.joints[slot].is_none() {
                let problem = self.missing(&roles, slot, &chosen.joints, &candidates);
                self.problems.push(problem);
            }
        }
        self.refuse_second(limb, &roles, &chosen.joints, candidates);
        chosen.joints
    }

    /// Why a place of a limb is empty: nothing speaks for it, or what does contradicts a written
    /// joint, or it hangs elsewhere.
    fn missing(
        &self,
        roles: &[Role; SLOTS],
        slot: usize,
        chosen: &[Option<JointId>; SLOTS],
        candidates: &Candidates,
    ) -> Problem {
        let role = roles[slot];
        let misplaced: Vec<JointId> = candidates.of_slot(slot).collect();
        let written = (0..SLOTS).find_map(|s| Some((s, self.written.roles.joint(roles[s])?)));
        if let (Some((s, joint)), Some(&other)) = (written, misplaced.first()) {
            let ((role, joint), (above_role, above)) = match s < slot {
                true => ((role, other), (roles[s], joint)),
                false => ((roles[s], joint), (role, other)),
            };
            return Problem::NotBelow { role, joint, above_role, above };
        }
        Problem::Missing { role, misplaced, guess: self.guess(chosen, slot) }
    }

    /// A whole second limb beside the chosen one: a second body, or a spare set of joints. The better
    /// one may still be the wrong one.
    fn refuse_second(
        &mut self,
        limb: Limb,
        roles: &[Role; SLOTS],
        chosen: &[Option<JointId>; SLOTS],
        mut candidates: Candidates,
    ) {
        let Some(top) = chosen.iter().flatten().next().copied() else { return };
        let skeleton = self.skeleton;
        let first_limb = tree::subtree(skeleton, top);
        candidates.retain(|joint| !first_limb.contains(&joint.index()));
        let main = if limb == Limb::Arm { 1..3 } else { 0..3 };
        let Some(second) = candidates.best(skeleton).first().copied() else { return };
        let whole = main.clone().all(|slot| second.joints[slot].is_some());
        if let (true, Some(first), Some(other)) =
            (whole, chosen[main.start], second.joints[main.start])
            && !self.problems.iter().any(|p| matches!(p, Problem::Ambiguous { .. }))
        {
            let role = roles[main.start];
            self.problems.push(Problem::Ambiguous { role, joints: vec![first, other] });
        }
    }

    /// How sure it is that the joint has its place in the limb. A word of two meanings is settled
    /// once other joints have its other places.
    fn sureness(
        &self,
        limb: Limb,
        joint: JointId,
        slot: usize,
        chosen: &[Option<JointId>; SLOTS],
    ) -> (f64, Reason) {
        let part = self.meanings[joint.index()].part;
        let weights = part.map_or([0.0; SLOTS], |part| limb.weights(part));
        let mut others = (0..SLOTS).filter(|&s| s != slot && weights[s] > 0.0).peekable();
        if others.peek().is_none() {
            return (0.97 * weights[slot], Reason::Name);
        }
        let taken = others.all(|s| chosen[s].is_some());
        (if taken { 0.93 } else { weights[slot] }, Reason::NameAndNeighbours)
    }

    /// A joint for an empty place: the one between its neighbours, or the only joint below the one
    /// before it.
    fn guess(&self, joints: &[Option<JointId>; SLOTS], slot: usize) -> Option<JointId> {
        let plain = |joint: &JointId| {
            let meaning = &self.meanings[joint.index()];
            !meaning.helper && meaning.part.is_none() && self.skeleton.parent(*joint).is_some()
        };
        let above = joints[..slot].iter().rev().find_map(|j| *j);
        let below = joints[slot + 1..].iter().find_map(|j| *j);
        match (above, below) {
            (Some(above), Some(below)) => {
                let path = tree::path(self.skeleton, above, below);
                path.into_iter().filter(|&j| j != below).find(plain)
            }
            (Some(above), None) => self.skeleton.children(above).find(plain),
            (None, Some(below)) => self.skeleton.parent(below).filter(plain),
            (None, None) => None,
        }
    }

    /// Whether both legs are there; if nothing speaks for any leg, that is one problem and not six.
    fn legs_found(
        &mut self,
        left: [Option<JointId>; SLOTS],
        right: [Option<JointId>; SLOTS],
        findings: &Findings,
    ) -> bool {
        let complete = |leg: [Option<JointId>; SLOTS]| leg[..3].iter().all(Option::is_some);
        if complete(left) && complete(right) {
            return true;
        }
        let none = |leg: [Option<JointId>; SLOTS]| leg.iter().all(Option::is_none);
        if none(left) && none(right) {
            let legs = |part: Part| Limb::Leg.weights(part).iter().any(|&w| w > 0.0);
            let unsided: Vec<JointId> = self
                .skeleton
                .ids()
                .filter(|j| self.meanings[j.index()].part.is_some_and(legs))
                .collect();
            self.problems.push(match unsided.is_empty() {
                true => Problem::NoLegs,
                false => Problem::NoSides { joints: unsided },
            });
        } else {
            for (side, leg) in Side::BOTH.into_iter().zip([left, right]) {
                for role in Limb::Leg.roles(side).into_iter().take(3) {
                    if none(leg) && findings.joint(role).is_none() {
                        let missing = Problem::Missing { role, misplaced: Vec::new(), guess: None };
                        self.problems.push(missing);
                    }
                }
            }
        }
        false
    }

    fn add_trunk(&self, trunk: &trunk::Trunk, findings: &mut Findings) {
        let part = |joint: JointId| self.meanings[joint.index()].part;
        let mut add = |role, joint, by_name: bool| {
            let (confidence, reason) =
                if by_name { (0.95, Reason::Name) } else { (0.8, Reason::Place) };
            findings.add(role, joint, confidence, reason);
        };
        let hips = matches!(part(trunk.hips), Some(Part::Hips | Part::Root));
        add(Role::Hips, trunk.hips, hips);
        for (n, &joint) in (1..).zip(&trunk.spine) {
            add(Role::Spine(n), joint, part(joint) == Some(Part::Trunk));
        }
        for (n, &joint) in (1..).zip(&trunk.neck) {
            add(Role::Neck(n), joint, part(joint) == Some(Part::Neck));
        }
        if let Some(head) = trunk.head {
            add(Role::Head, head, part(head) == Some(Part::Head));
        }
    }
}

/// Everything about a full set of roles that contradicts the tree or the rest pose.
fn check(skeleton: &Skeleton, findings: &Findings) -> Vec<Problem> {
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
        problems = rest::problems(skeleton, &findings.roles());
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
        for digit in super::Digit::ALL {
            let phalanges: Vec<Role> = (0..=3).map(|n| Role::Finger(side, digit, n)).collect();
            chains.push([found(&[Role::Hand(side)]), found(&phalanges)].concat());
        }
    }
    chains
}
