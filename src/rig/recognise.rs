//! Which joint plays which part: from what the user wrote, from names, and from the tree.
//!
//! Names are read by one vocabulary for all rigs (`names`). Where a word means different parts in
//! different rigs, the tree decides: a limb is the run of joints down one path whose names fit its
//! places best together. Hips, spine, neck and head follow from where the limbs hang. Where no name
//! means anything, the shape of the tree and the motion speak (`shape`). What cannot be
//! told is an error, never a guess.

mod check;
mod error;
mod evidence;
mod facing;
mod family;
mod fingers;
mod limb;
mod named;
mod search;
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
use limb::Limb;
use search::Search;

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
    if let Some(found) = named::find(skeleton, written) {
        return Ok(found);
    }
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
        problems = check::problems(skeleton, &findings);
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
            Role::Chain(..) => {
                meanings[joint.index()] = Meaning { helper: true, ..Meaning::default() };
                continue;
            }
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
