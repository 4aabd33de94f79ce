//! Arms and legs: the best run of a limb's named joints down one path of the tree.

use crate::rig::names::{Meaning, Part};
use crate::rig::{Role, Side};
use crate::skeleton::{Joint, JointId, Skeleton};

/// The four joints of an arm or a leg, from the body outwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Limb {
    Arm,
    Leg,
}

/// Joints of a limb.
pub(super) const SLOTS: usize = 4;

impl Limb {
    /// The role of each place, from the body outwards.
    pub fn roles(self, side: Side) -> [Role; SLOTS] {
        match self {
            Limb::Arm => {
                [Role::Clavicle(side), Role::UpperArm(side), Role::Forearm(side), Role::Hand(side)]
            }
            Limb::Leg => [Role::Thigh(side), Role::Shin(side), Role::Foot(side), Role::Toe(side)],
        }
    }

    /// How well a name's part fits each place, 0 (not at all) to 1. Where a word has two meanings
    /// the weights say which one it has when nothing else decides.
    pub fn weights(self, part: Part) -> [f64; SLOTS] {
        match (self, part) {
            (Limb::Arm, Part::Collar) => [1.0, 0.0, 0.0, 0.0],
            (Limb::Arm, Part::Scapula) => [0.9, 0.0, 0.0, 0.0],
            (Limb::Arm, Part::Shoulder) => [0.8, 0.85, 0.0, 0.0],
            (Limb::Arm, Part::UpperArm) => [0.0, 1.0, 0.0, 0.0],
            (Limb::Arm, Part::Arm) => [0.0, 0.9, 0.4, 0.0],
            (Limb::Arm, Part::Forearm) => [0.0, 0.0, 1.0, 0.0],
            (Limb::Arm, Part::Wrist) => [0.0, 0.0, 0.0, 1.0],
            (Limb::Arm, Part::Hand) => [0.0, 0.0, 0.0, 0.95],
            (Limb::Leg, Part::Thigh) => [1.0, 0.0, 0.0, 0.0],
            (Limb::Leg, Part::SidedHip) => [0.9, 0.0, 0.0, 0.0],
            (Limb::Leg, Part::Leg) => [0.6, 0.9, 0.0, 0.0],
            (Limb::Leg, Part::Shin) => [0.0, 1.0, 0.0, 0.0],
            (Limb::Leg, Part::Ankle) => [0.0, 0.0, 1.0, 0.0],
            (Limb::Leg, Part::Foot) => [0.0, 0.0, 0.9, 0.5],
            (Limb::Leg, Part::Ball) => [0.0, 0.0, 0.0, 0.9],
            (Limb::Leg, Part::Toe) => [0.0, 0.0, 0.0, 1.0],
            _ => [0.0; SLOTS],
        }
    }
}

/// A limb's joints by place; `None` where no joint fits.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct LimbJoints {
    pub joints: [Option<JointId>; SLOTS],
    pub score: f64,
}

/// What each joint of a skeleton could be: its weight in each place of one limb.
pub(super) struct Candidates {
    weights: Vec<[f64; SLOTS]>,
}

/// A place that follows from a joint's place in a row of joints of one name.
const COUNTED: f64 = 0.8;

/// The places of a limb whose joints have one name for all of it, and only numbers tell them apart: they are counted
/// from the body outwards. An arm of three has no clavicle.
fn counted(
    skeleton: &Skeleton,
    meanings: &[Meaning],
    limb: Limb,
    side: Side,
) -> Vec<(JointId, usize)> {
    let whole = match limb {
        Limb::Arm => Part::Arm,
        Limb::Leg => Part::Leg,
    };
    let fits = |id: &JointId| {
        let meaning = &meanings[id.index()];
        let part = meaning.part.filter(|_| meaning.side == Some(side));
        part.is_some_and(|part| limb.weights(part).iter().any(|weight| *weight > 0.0))
    };
    let joints: Vec<JointId> = skeleton.ids().filter(fits).collect();
    let is_row = joints.windows(2).all(|pair| skeleton.is_ancestor(pair[0], pair[1]));
    let have_one_name = joints.iter().all(|id| meanings[id.index()].part == Some(whole));
    let first = match (joints.len(), limb) {
        (3, Limb::Arm) => 1,
        (SLOTS, _) | (3, Limb::Leg) => 0,
        _ => return Vec::new(),
    };
    match is_row && have_one_name {
        true => joints.into_iter().zip(first..).collect(),
        false => Vec::new(),
    }
}

/// A place that the user has settled: this joint and no other.
const WRITTEN: f64 = 10.0;

impl Candidates {
    /// The weights that names give. A joint at the very place of its parent is likelier to be a
    /// dummy (`LHipJoint`) than one that is not.
    pub fn from_names(skeleton: &Skeleton, meanings: &[Meaning], limb: Limb, side: Side) -> Self {
        let weights = skeleton.joints().iter().zip(meanings).map(|(joint, meaning)| {
            let Some(part) = meaning.part.filter(|_| meaning.side == Some(side)) else {
                return [0.0; SLOTS];
            };
            let dummy = lies_on_a_part(skeleton, meanings, joint);
            limb.weights(part).map(|w| if dummy { 0.8 * w } else { w })
        });
        let mut weights: Vec<_> = weights.collect();
        for (joint, slot) in counted(skeleton, meanings, limb, side) {
            weights[joint.index()] = [0.0; SLOTS];
            weights[joint.index()][slot] = COUNTED;
        }
        Self { weights }
    }

    /// Settles what the user wrote: `joint` has place `slot`, or no place at all.
    pub fn write(&mut self, joint: JointId, slot: Option<usize>) {
        self.weights[joint.index()] = [0.0; SLOTS];
        if let Some(slot) = slot {
            for weights in &mut self.weights {
                weights[slot] = 0.0;
            }
            self.weights[joint.index()][slot] = WRITTEN;
        }
    }

    /// Takes away the joints for which `keep` is false.
    pub fn retain(&mut self, keep: impl Fn(JointId) -> bool) {
        for (i, weights) in self.weights.iter_mut().enumerate() {
            if !keep(JointId::new(i)) {
                *weights = [0.0; SLOTS];
            }
        }
    }

    /// All joints that could have a place.
    pub fn of_slot(&self, slot: usize) -> impl Iterator<Item = JointId> + '_ {
        let fits = move |(i, w): (usize, &[f64; SLOTS])| (w[slot] > 0.0).then(|| JointId::new(i));
        self.weights.iter().enumerate().filter_map(fits)
    }

    /// The best assignment of places along one path from the root outwards, and the equally good
    /// ones. Of joints on one path that fit equally well the one nearer the body is taken. Time
    /// linear in the number of joints.
    pub fn best(&self, skeleton: &Skeleton) -> Vec<LimbJoints> {
        // For each joint and place, the best run that ends at or above the joint, before that place.
        let mut reach: Vec<[Option<usize>; SLOTS + 1]> = Vec::with_capacity(skeleton.len());
        let mut runs: Vec<Run> = Vec::new();
        for (i, joint) in skeleton.joints().iter().enumerate() {
            let above = joint.parent.map_or([None; SLOTS + 1], |p| reach[p.index()]);
            let mut here = above;
            for slot in 0..SLOTS {
                let weight = self.weights[i][slot];
                if weight <= 0.0 {
                    continue;
                }
                let before = above[slot];
                let score = weight + before.map_or(0.0, |run: usize| runs[run].score);
                runs.push(Run { joint: JointId::new(i), slot, before, score });
                let run = runs.len() - 1;
                for later in &mut here[slot + 1..] {
                    if later.is_none_or(|other: usize| runs[other].score < score - 1e-9) {
                        *later = Some(run);
                    }
                }
            }
            reach.push(here);
        }
        let best = runs.iter().map(|r| r.score).fold(0.0, f64::max);
        runs.iter()
            .filter(|run| run.score > best - 1e-9)
            .map(|run| LimbJoints { joints: run.joints(&runs), score: run.score })
            .collect()
    }
}

/// Whether a joint lies where the next one above it lies that means a part of the body, as the dummies between
/// hips and legs do. One that lies where a helper lies is none.
fn lies_on_a_part(skeleton: &Skeleton, meanings: &[Meaning], joint: &Joint) -> bool {
    let mut below = joint;
    while below.offset.norm() == 0.0 {
        let Some(above) = below.parent else { return false };
        if meanings[above.index()].part.is_some() {
            return true;
        }
        below = skeleton.joint(above);
    }
    false
}

struct Run {
    joint: JointId,
    slot: usize,
    before: Option<usize>,
    score: f64,
}

impl Run {
    fn joints(&self, runs: &[Run]) -> [Option<JointId>; SLOTS] {
        let mut joints = [None; SLOTS];
        let mut run = Some(self);
        while let Some(Run { joint, slot, before, .. }) = run {
            joints[*slot] = Some(*joint);
            run = before.map(|b| &runs[b]);
        }
        joints
    }
}
