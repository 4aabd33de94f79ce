//! Which joint has which role: from what the user wrote, from names, and from the tree.
//!
//! Names are read by one vocabulary for all rigs (`names`). Where a word means different parts in
//! different rigs, the tree decides: a limb is the run of joints down one path whose names fit its
//! places best together. Hips, spine, neck and head follow from where the limbs hang. Where names say
//! nothing, the shape of the tree and the motion speak (`shape`). The motion judges what was found
//! (`judge`): it must not face the other way than left and right say. What cannot be told is an
//! error, never a guess.

mod check;
mod ends;
mod error;
mod evidence;
mod facing;
mod family;
mod fingers;
mod judge;
mod limb;
mod named;
mod readings;
mod search;
mod shape;
mod tree;
mod trunk;
mod views;

pub use error::{PROPOSED, Problem, RecogniseError};
pub use evidence::{Evidence, Reason, Reasons};
pub use readings::OTHERWISE;

use super::names::{self, Meaning, Part};
use super::{Role, Roles, Side};
use crate::clip::Clip;
use crate::skeleton::{JointId, Skeleton};
use evidence::Findings;
use limb::Limb;
use search::Search;
use shape::{Hints, Unlike};
use views::Views;

/// What the user says about a skeleton's roles. It goes before all other evidence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WrittenRoles {
    /// Roles that are given; of spine and neck all joints or none.
    pub roles: Roles,
    /// joints that have no role.
    pub ignored: Vec<JointId>,
    /// Whether to go on with the likeliest reading where the evidence is weak or contradicts itself.
    pub accept_doubt: bool,
}

/// The roles of a skeleton, and how they were found.
#[derive(Clone, Debug, PartialEq)]
pub struct Recognised {
    pub roles: Roles,
    /// One a role, in the order of [`Role`].
    pub evidence: Vec<Evidence>,
    /// How sure it is that left is left, so that the body faces where its sides and up say, 0 to 1.
    pub facing_sure: f64,
    /// What was in doubt and gone on with all the same, since the user said so: sentences, and below the last the lines
    /// that settle them.
    pub doubts: Vec<String>,
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
    find(skeleton, written, &Views::of_rest(skeleton))
}

/// As [`recognise`], with the motion as evidence too: some postures of the clip show how long bones
/// are, which joints turn, that the feet stand, and where the body faces.
pub fn recognise_clip(clip: &Clip, written: &WrittenRoles) -> Result<Recognised, RecogniseError> {
    find(clip.skeleton(), written, &Views::of_clip(clip))
}

/// Roles that are less sure than this are asked for.
const ASK_BELOW: f64 = 0.5;

fn find(
    skeleton: &Skeleton,
    written: &WrittenRoles,
    views: &Views,
) -> Result<Recognised, RecogniseError> {
    if let Some(found) = named::find(skeleton, written) {
        return Ok(found);
    }
    let refused = |problems: Vec<Problem>, findings: Findings| {
        let guess = findings.into_evidence();
        Err(RecogniseError { problems, guess, skeleton: Box::new(skeleton.clone()) })
    };
    if check::has_no_size(skeleton) {
        return refused(vec![Problem::NoSize], Findings::default());
    }
    let mut user = Findings::default();
    for (role, joint) in written.roles.iter() {
        user.add(role, joint, 1.0, Reason::Written);
    }
    let mut meanings = names::meanings(skeleton);
    ends::correct(skeleton, &mut meanings);
    let (mut findings, mut problems) = by_names(skeleton, &meanings, written, user.clone());
    let shape = by_shape(skeleton, &meanings, written, views).or_else(|unlike| {
        // Names that tell all parts but their sides tell also what is none.
        let is_unsided = |problem: &Problem| matches!(problem, Problem::NoSides { .. });
        if problems.is_empty() || !problems.iter().all(is_unsided) {
            return Err(unlike);
        }
        by_shape(skeleton, &meanings, &named_alone(&meanings, written), views).map_err(|_| unlike)
    });
    match &shape {
        Ok(shape) if !problems.is_empty() || knows_more(&meanings, &findings, shape) => {
            if let Some(both) = by_both(skeleton, &meanings, written, user, &findings, shape) {
                findings = both;
                problems.clear();
            }
        }
        Err(unlike) if problems == [Problem::NoLegs] => problems = unlike.problems(),
        _ => {}
    }
    let mut facing_sure = 1.0;
    if problems.is_empty() {
        problems = check::problems(skeleton, &findings);
    }
    if problems.is_empty() {
        let agrees = |e: &&Evidence| findings.joint(e.role) == Some(e.joint);
        let same: Vec<Role> =
            shape.iter().flat_map(Findings::iter).filter(agrees).map(|e| e.role).collect();
        same.into_iter().for_each(|role| findings.support(role, Reason::Shape));
        let verdict = judge::judge(skeleton, views, &written.roles, &mut findings);
        (problems, facing_sure) = (verdict.problems, verdict.facing_sure);
    }
    if problems.is_empty() {
        let unsure = findings.iter().filter(|e| e.confidence < ASK_BELOW);
        problems.extend(unsure.map(|e| Problem::Unsure { role: e.role, joint: e.joint }));
    }
    if let Some((findings, beast)) = as_beast(skeleton, &meanings, written, views, &problems) {
        return refused(beast, findings);
    }
    let accepted = written.accept_doubt && problems.iter().all(Problem::is_doubt);
    if !problems.is_empty() && !accepted {
        return refused(problems, findings);
    }
    let doubts = match problems.is_empty() {
        true => Vec::new(),
        false => {
            let error = RecogniseError {
                problems,
                guess: findings.clone().into_evidence(),
                skeleton: Box::new(skeleton.clone()),
            };
            error.doubts()
        }
    };
    let (roles, family) = (findings.roles(), family::of(skeleton));
    Ok(Recognised { roles, evidence: findings.into_evidence(), facing_sure, doubts, family })
}

/// What is found, and the verdict on it, if a body lacks parts of its legs alone and is an animal once they are guessed.
fn as_beast(
    skeleton: &Skeleton,
    meanings: &[Meaning],
    written: &WrittenRoles,
    views: &Views,
    problems: &[Problem],
) -> Option<(Findings, Vec<Problem>)> {
    if problems.is_empty() || !written.roles.is_empty() {
        return None;
    }
    let (mut guessed, mut findings) = (written.clone(), Findings::default());
    for problem in problems {
        let &Problem::Missing { role, guess: Some(joint), .. } = problem else { return None };
        guessed.roles.insert(role, joint);
        findings.add(role, joint, ASK_BELOW, Reason::Place);
    }
    let (mut findings, problems) = by_names(skeleton, meanings, &guessed, findings);
    if !problems.is_empty() {
        return None;
    }
    let verdict = judge::judge(skeleton, views, &Roles::new(), &mut findings);
    let is_beast = matches!(verdict.problems[..], [Problem::NoPerson { .. }]);
    is_beast.then_some((findings, verdict.problems))
}

/// The roles that names and tree tell of beside those that are given.
fn by_names(
    skeleton: &Skeleton,
    meanings: &[Meaning],
    given: &WrittenRoles,
    mut findings: Findings,
) -> (Findings, Vec<Problem>) {
    let mut meanings = meanings.to_vec();
    give_meanings(given, &mut meanings);
    inherit_sides(skeleton, &mut meanings);
    let mut search = Search { skeleton, meanings: &meanings, written: given, problems: Vec::new() };
    search.body(&mut findings);
    (findings, search.problems)
}

fn by_shape(
    skeleton: &Skeleton,
    meanings: &[Meaning],
    written: &WrittenRoles,
    views: &Views,
) -> Result<Findings, Unlike> {
    let named: Vec<Option<Side>> = meanings.iter().map(|meaning| meaning.side).collect();
    let sided = written.roles.iter().filter_map(|(role, joint)| Some((joint, role.side()?)));
    let sided: Vec<(JointId, Side)> = sided.collect();
    let trunk_is_written = !written.roles.spine().is_empty();
    let hints =
        Hints { sides: &named, written: &sided, ignored: &written.ignored, trunk_is_written };
    shape::find(skeleton, views, &hints)
}

/// What is written, and that joints have no role whose names mean none.
fn named_alone(meanings: &[Meaning], written: &WrittenRoles) -> WrittenRoles {
    let mut among = written.clone();
    let means_none = |meaning: &Meaning| meaning.part.is_none() || meaning.helper;
    let none = (0..meanings.len()).filter(|&i| means_none(&meanings[i])).map(JointId::new);
    among.ignored.extend(none.filter(|joint| written.roles.role(*joint).is_none()));
    among
}

/// Whether the shape gives parts to joints whose names mean nothing.
fn knows_more(meanings: &[Meaning], named: &Findings, shape: &Findings) -> bool {
    shape.iter().any(|e| {
        let meaning = &meanings[e.joint.index()];
        let says_nothing = meaning.part.is_none() && !meaning.helper;
        says_nothing && named.joint(e.role).is_none() && !named.has_joint(e.joint)
    })
}

/// The shape's roles where names say nothing, and the names' roles in the body that is known then;
/// `None` where they contradict each other, or where that is no whole body either.
fn by_both(
    skeleton: &Skeleton,
    meanings: &[Meaning],
    written: &WrittenRoles,
    mut seed: Findings,
    named: &Findings,
    shape: &Findings,
) -> Option<Findings> {
    let contradicts = |e: &Evidence| {
        shape.joint(e.role).is_some_and(|joint| joint != e.joint) && !shape.has_joint(e.joint)
    };
    let against = |e: &Evidence| speaks_against(&meanings[e.joint.index()], e.role);
    if named.iter().any(contradicts) || shape.iter().any(against) {
        return None;
    }
    let nameless = |e: &Evidence| {
        let meaning = &meanings[e.joint.index()];
        meaning.part.is_none() || e.role.side().is_some() && meaning.side.is_none()
    };
    let is_spine = |e: &&Evidence| matches!(e.role, Role::Spine(_));
    let is_neck = |e: &&Evidence| matches!(e.role, Role::Neck(_));
    // Of spine and neck all joints are named or none: a list is settled whole.
    let spine = written.roles.spine().is_empty() && shape.iter().filter(is_spine).all(nameless);
    let neck = written.roles.neck().is_empty() && shape.iter().filter(is_neck).all(nameless);
    let mut given = written.clone();
    for e in shape.iter() {
        let settles = match e.role {
            Role::Spine(_) => spine,
            Role::Neck(_) => neck,
            Role::Thigh(_) | Role::Shin(_) | Role::Foot(_) => true,
            _ => nameless(e),
        };
        if settles && written.roles.joint(e.role).is_none() && !seed.has_joint(e.joint) {
            given.roles.insert(e.role, e.joint);
            seed.add(e.role, e.joint, e.confidence, Reason::Shape);
        }
    }
    // What neither names nor shape give a part has none.
    let idle = |joint: &JointId| {
        let meaning = &meanings[joint.index()];
        meaning.part.is_none() && !shape.has_joint(*joint) && !seed.has_joint(*joint)
    };
    given.ignored.extend(skeleton.ids().filter(idle));
    let (findings, problems) = by_names(skeleton, meanings, &given, seed);
    problems.is_empty().then_some(findings)
}

/// Whether a name means a limb, but not this part of it.
fn speaks_against(meaning: &Meaning, role: Role) -> bool {
    let Some(part) = meaning.part else { return false };
    let limbs = [Limb::Arm, Limb::Leg];
    let of_limb = limbs.iter().any(|limb| limb.weights(part).iter().any(|&w| w > 0.0));
    let fits = |side: Side| {
        limbs.iter().any(|limb| {
            limb.roles(side).iter().zip(limb.weights(part)).any(|(&r, w)| r == role && w > 0.0)
        })
    };
    match (role, role.side()) {
        (_, Some(side)) if meaning.side.is_some_and(|named| named != side) => true,
        (Role::Finger(..), _) | (_, None) => of_limb,
        (_, Some(side)) => !fits(side),
    }
}

/// Gives written joints the meaning that the user gave them, so that what hangs below them follows.
fn give_meanings(written: &WrittenRoles, meanings: &mut [Meaning]) {
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
            Meaning { side: role.side(), part: Some(part), helper: false, twist: false, number };
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
