//! The search by names: both legs, then the arms of that body, the trunk between, and the fingers.

use super::WrittenRoles;
use super::error::Problem;
use super::evidence::{Findings, Reason};
use super::limb::{Candidates, Limb, SLOTS};
use super::trunk::{self, Anchors};
use super::{fingers, tree};
use crate::rig::names::{Meaning, Part};
use crate::rig::{Role, Side, palms_beside};
use crate::skeleton::{JointId, Skeleton};

pub(super) struct Search<'a> {
    pub skeleton: &'a Skeleton,
    pub meanings: &'a [Meaning],
    pub written: &'a WrittenRoles,
    /// What went wrong so far.
    pub problems: Vec<Problem>,
}

impl Search<'_> {
    /// Adds all roles that names and tree tell of.
    pub fn body(&mut self, findings: &mut Findings) {
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
            let hand = findings.joint(Role::Hand(side));
            if let Some(hand) = hand.filter(|hand| !self.has_fingers_beside(*hand)) {
                fingers::find(self.skeleton, self.meanings, side, hand, findings);
            }
        }
    }

    /// Whether a hand is one of several palms with fingers each. Those of one palm would curl without the others.
    fn has_fingers_beside(&self, hand: JointId) -> bool {
        let is_finger =
            |id: &JointId| matches!(self.meanings[id.index()].part, Some(Part::Finger(_)));
        let palms = palms_beside(self.skeleton, hand);
        palms.into_iter().any(|palm| self.skeleton.at_and_below(palm).any(|id| is_finger(&id)))
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
            let subtree = |joint| self.skeleton.subtree(joint);
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
        let first_limb = skeleton.subtree(top);
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

    /// A joint for an empty place, as many steps from its nearest neighbours as there are places:
    /// between two, else below the one before it, else above the one after it.
    fn guess(&self, joints: &[Option<JointId>; SLOTS], slot: usize) -> Option<JointId> {
        let plain = |joint: &JointId| {
            let meaning = &self.meanings[joint.index()];
            !meaning.helper && meaning.part.is_none() && self.skeleton.parent(*joint).is_some()
        };
        let place = |s: usize| joints[s].map(|joint| (joint, s.abs_diff(slot)));
        let above = (0..slot).rev().find_map(place);
        let below = (slot + 1..SLOTS).find_map(place);
        let skeleton = self.skeleton;
        match (above, below) {
            (Some((above, steps)), Some((below, _))) => {
                let path = tree::path(skeleton, above, below);
                path.into_iter().filter(|j| *j != below && plain(j)).nth(steps - 1)
            }
            (Some((above, steps)), None) => {
                (0..steps).try_fold(above, |joint, _| skeleton.children(joint).find(plain))
            }
            (None, Some((below, steps))) => {
                (0..steps).try_fold(below, |joint, _| skeleton.parent(joint).filter(plain))
            }
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
