//! Rigs that raise doubt: names that say little or the wrong thing, worlds that lie on their side, zero
//! poses in which nobody stands, helpers that bear the names of limbs. Each is a real motion with its truth
//! known, so that a conversion can be told to be right, refused or wrong.

#![allow(dead_code)]

#[path = "doubtful/kinect.rs"]
mod kinect;
#[path = "doubtful/likeness.rs"]
mod likeness;

pub use kinect::kinect;
pub use likeness::{Directions, Seen, directions, likeness};

use crate::equivalent::{self, Original, plants_off, through_bytes};
use crate::rewrite::{Posture, Rewritten, styled, world};
use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, LoadedRig};
use retarget::internals::error::Error;
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::pose::{Pose, WorldPose};
use retarget::internals::rig::{Ground, RigFile, Role, Side, StanceOrigin, UpAxis};
use retarget::internals::skeleton::JointId;
use std::f64::consts::{FRAC_PI_2, PI};

/// What became of a conversion.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Right,
    /// The program asked, with the first lines of what it said.
    Refused(String),
    /// It answered, and the answer is no likeness of the motion: what is worst, and by how much.
    Wrong(String),
}

/// Deterministic numbers for one seed.
pub struct Seed(u64);

impl Seed {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0x1234_5678_9ABC_DEF1))
    }

    /// The next number from 0 up to, but not including, 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, count: usize) -> usize {
        ((self.unit() * count as f64) as usize).min(count - 1)
    }

    /// A rotation by up to `most_rad` about any axis.
    pub fn turn(&mut self, most_rad: f64) -> Quat {
        let mut axis = Vec3::new(self.unit() - 0.5, self.unit() - 0.5, self.unit() - 0.5);
        while axis.norm() < 0.05 {
            axis = Vec3::new(self.unit() - 0.5, self.unit() - 0.5, self.unit() - 0.5);
        }
        Quat::from_scaled_axis(axis.normalize() * (self.unit() * most_rad))
    }
}

/// What names may say.
pub const NAMES: usize = 5;

/// Names: as they are, without sides, with sides mirrored, with those of the arms alone mirrored, or
/// meaning nothing at all.
pub fn named(o: &Original, rewritten: Rewritten, kind: usize) -> (&'static str, Rewritten) {
    let role_of = {
        let roles: Vec<Option<Role>> = (0..rewritten.clip.skeleton().len())
            .map(|i| {
                let at = rewritten.place.iter().position(|now| now.index() == i)?;
                o.rig.roles.role(JointId::new(at))
            })
            .collect();
        move |i: usize| roles[i]
    };
    let flip = |role: Role| mirrored(role);
    match kind {
        0 => ("named", rewritten),
        1 => (
            "names without sides",
            rewritten.renamed(|i, name| match role_of(i) {
                Some(role) if role.side().is_some() => {
                    styled(role, false).replace("Left", "").replace("Right", "")
                }
                Some(role) => styled(role, false),
                None => format!("x{}", name.len()),
            }),
        ),
        2 => (
            "names mirrored",
            rewritten.renamed(|i, name| match role_of(i) {
                Some(role) => styled(flip(role), false),
                None => name.to_owned(),
            }),
        ),
        3 => (
            "arms' names mirrored",
            rewritten.renamed(|i, name| match role_of(i) {
                Some(role) if is_arm(role) => styled(flip(role), false),
                Some(role) => styled(role, false),
                None => name.to_owned(),
            }),
        ),
        _ => ("nameless", rewritten.renamed(|i, _| format!("b{i:02}"))),
    }
}

fn is_arm(role: Role) -> bool {
    matches!(
        role,
        Role::Clavicle(_) | Role::UpperArm(_) | Role::Forearm(_) | Role::Hand(_) | Role::Finger(..)
    )
}

/// The same part on the other side.
pub fn mirrored(role: Role) -> Role {
    let text = role.to_string();
    let other = match text.split_once('_') {
        Some(("left", part)) => format!("right_{part}"),
        Some(("right", part)) => format!("left_{part}"),
        _ => text,
    };
    other.parse().expect("a role")
}

/// What the zero pose may be.
pub const ZERO_POSES: usize = 9;

/// The zero pose: as it is, lying on the back, on the face or on a side, sitting, bones along an axis of
/// their own frames, hanging head down, or with its joints turned anyhow.
pub fn zero_pose(
    o: &Original,
    rewritten: Rewritten,
    kind: usize,
    seed: &mut Seed,
) -> (&'static str, Rewritten) {
    let posture = || Posture::standing(&o.rig);
    let about = |axis: fn(&Posture<'_>) -> Vec3, angle: f64| {
        let mut posture = posture();
        let turn = Quat::from_scaled_axis(axis(&posture) * angle);
        posture.rotations.iter_mut().for_each(|r| *r = turn * *r);
        posture.rotations
    };
    match kind {
        0 => ("zero pose as it is", rewritten),
        1 => ("zero pose on its back", rewritten.with_rest(&about(|p| p.left(), -FRAC_PI_2))),
        2 => ("zero pose on its face", rewritten.with_rest(&about(|p| p.left(), FRAC_PI_2))),
        3 => ("zero pose on its side", rewritten.with_rest(&about(|p| p.ahead(), FRAC_PI_2))),
        4 => {
            let rest = posture().sitting();
            ("zero pose sits", rewritten.with_rest(&rest.rotations))
        }
        5 => ("bones along X", rewritten.along(Vec3::x())),
        6 => ("bones along Y", rewritten.along(Vec3::y())),
        7 => ("zero pose head down", rewritten.with_rest(&about(|p| p.ahead(), PI))),
        _ => {
            let frames: Vec<Quat> =
                (0..rewritten.clip.skeleton().len()).map(|_| seed.turn(PI)).collect();
            ("zero pose at random", rewritten.reframed(&frames))
        }
    }
}

/// How the world may be turned.
pub const WORLDS: usize = 10;

/// The world: as it is, turned about up by 90° and 180° with the zero pose or without, or with another
/// axis up.
pub fn in_world(o: &Original, rewritten: Rewritten, kind: usize) -> (String, Rewritten) {
    let about_up = |angle: f64| Quat::from_scaled_axis(o.rig.up.vector() * angle);
    let to = |text: &str| {
        let up: UpAxis = text.parse().expect("an axis");
        o.rig.up.turn_to(up)
    };
    match kind {
        0 => ("as it is".into(), rewritten),
        1 => ("turned by 90°".into(), rewritten.turned(about_up(FRAC_PI_2))),
        2 => ("turned by 180°".into(), rewritten.turned(about_up(PI))),
        3 => (
            "turned by 90° with its zero pose".into(),
            rewritten.turned_with_rest(about_up(FRAC_PI_2)),
        ),
        4 => ("turned by 180° with its zero pose".into(), rewritten.turned_with_rest(about_up(PI))),
        5 => ("Y up, zero pose left".into(), rewritten.turned(to("y"))),
        6 => ("Z up".into(), rewritten.turned_with_rest(to("z"))),
        7 => ("Z up, zero pose left".into(), rewritten.turned(to("z"))),
        8 => ("-Y up".into(), rewritten.turned_with_rest(to("-y"))),
        _ => ("X up".into(), rewritten.turned_with_rest(to("x"))),
    }
}

/// What may be in the way.
pub const HELPERS: usize = 5;

/// Helpers that bear the names of limbs: none; a joint of no length above each limb's joint; one beside it
/// and behind it in the file, which moves with it; a whole second set of legs; a root above the hips that
/// never moves.
pub fn with_helpers(o: &Original, rewritten: Rewritten, kind: usize) -> (&'static str, Rewritten) {
    let limbs: Vec<JointId> = o
        .rig
        .roles
        .iter()
        .filter(|(role, _)| {
            matches!(role, Role::Thigh(_) | Role::Shin(_) | Role::UpperArm(_) | Role::Forearm(_))
        })
        .map(|(_, id)| id)
        .collect();
    match kind {
        0 => ("no helpers", rewritten),
        1 => {
            let mut with = rewritten;
            for id in limbs {
                let to = with.now(id);
                let name = format!("__{}", with.clip.skeleton().name(to));
                with = with.with_above(to, &name);
            }
            ("helpers above", with)
        }
        2 => {
            let mut with = rewritten;
            for id in limbs {
                let to = with.now(id);
                let name = format!("__{}", with.clip.skeleton().name(to));
                with = with.with_copy_beside(&[to], |_| name.clone());
            }
            ("helpers beside", with)
        }
        3 => {
            let mut with = rewritten;
            for side in Side::BOTH {
                let legs = [Role::Thigh(side), Role::Shin(side), Role::Foot(side)];
                let legs = legs.map(|role| o.rig.joint(role).expect("a leg"));
                let ids = legs.map(|id| with.now(id));
                with = with.with_copy_beside(&ids, |name| format!("IK_{name}"));
            }
            ("a second pair of legs", with)
        }
        _ => {
            let turn = Quat::from_scaled_axis(Vec3::new(0.0, FRAC_PI_2, 0.0));
            ("a root above", rewritten.under_root("Armature", Vec3::zeros(), turn))
        }
    }
}

/// One doubtful rig of a clip, by seed. What is doubtful about it is told in words. Last, whether nobody could
/// know it without its motion: its joints turned anyhow, or no front to be seen, and sides named the wrong way round.
pub fn doubtful(o: &Original, seed: u64) -> (String, Rewritten, bool) {
    let mut seed = Seed::new(seed);
    let mut words = Vec::new();
    let rewritten = Rewritten::of(&o.clip);
    let (helpers, names) = ([0, 0, 1, 2, 3, 4][seed.below(6)], seed.below(NAMES));
    let zero = seed.below(ZERO_POSES);
    let (word, rewritten) = zero_pose(o, rewritten, zero, &mut seed);
    words.push(word.to_owned());
    let (word, rewritten) = with_helpers(o, rewritten, helpers);
    words.push(word.to_owned());
    let (word, rewritten) = in_world(o, rewritten, seed.below(WORLDS));
    words.push(word);
    let (word, rewritten) = named(o, rewritten, names);
    words.push(word.to_owned());
    let shows_front =
        o.rig.stance.origin == StanceOrigin::Rest && shows_toes(o) && !matches!(zero, 5 | 6 | 8);
    let unknowable = zero == 8 || !shows_front && matches!(names, 2 | 3);
    (words.join(", "), rewritten, unknowable)
}

/// Whether the left toe stands off the line of the shin in the zero pose.
fn shows_toes(o: &Original) -> bool {
    let rest = WorldPose::of(&o.rig.skeleton, &Pose::rest(&o.rig.skeleton));
    let at = |role: Role| o.rig.joint(role).map(|id| rest.position(id));
    let [shin, foot] =
        [Role::Shin(Side::Left), Role::Foot(Side::Left)].map(|role| at(role).expect("a leg"));
    at(Role::Toe(Side::Left)).is_some_and(|toe| (toe - foot).angle(&(foot - shin)) > 0.5)
}

/// Frames that are looked at.
fn looked_at(len: usize) -> impl Iterator<Item = usize> {
    (0..len).step_by(len.div_ceil(24).max(1))
}

fn seen(
    clip: &Clip,
    joint: &dyn Fn(Role) -> Option<Seen>,
    turn: Quat,
    lead: usize,
) -> Vec<Directions> {
    looked_at(clip.len() - lead)
        .map(|frame| {
            let found = directions(&world(clip, frame + lead), joint);
            found.into_iter().map(|(bone, way)| (bone, turn * way)).collect()
        })
        .collect()
}

fn first_lines(error: &Error) -> String {
    error.to_string().lines().take(2).map(str::trim).collect::<Vec<_>>().join(" ")
}

/// The motion of a doubtful source on a target, held against that of the original.
pub fn as_source(o: &Original, other: &Clip, lead: usize, target: &LoadedRig) -> Outcome {
    let found = convert::convert(&through_bytes(other), RigFile::default(), target, &plants_off());
    match found {
        Ok(found) => result_of(o, other, &found.result, lead, target),
        Err(e) => Outcome::Refused(first_lines(&e)),
    }
}

/// What a doubtful source became on a target, held against what the original becomes.
pub fn result_of(
    o: &Original,
    other: &Clip,
    result: &Clip,
    lead: usize,
    target: &LoadedRig,
) -> Outcome {
    // A depth camera sees joints alone: where feet point and how parts are rolled is nobody's truth.
    let footless = other.skeleton().joints()[0].name == "Torso";
    let seen_of = |role: Role| !(footless && matches!(role, Role::Toe(_)));
    let own = (!footless).then(Quat::identity);
    let joint = |role: Role| Some((target.rig.joint(role).filter(|_| seen_of(role))?, own));
    let truth =
        convert::convert(&through_bytes(&o.clip), RigFile::default(), target, &plants_off());
    let truth = truth.unwrap_or_else(|e| panic!("{}: {e}", o.name)).result;
    let none = Quat::identity();
    let (truth, now) = (seen(&truth, &joint, none, 0), seen(result, &joint, none, lead));
    match likeness(target.rig.up.vector(), &truth, &now) {
        Ok(()) => Outcome::Right,
        Err(what) => Outcome::Wrong(what),
    }
}

/// Whether a motion alone shows how a joint is rolled, against a zero pose that stands.
fn roll_is_held(o: &Original, id: JointId) -> bool {
    let stance = &o.rig.stance;
    stance.origin == StanceOrigin::Rest && stance.bases[id.index()].roll == Ground::Motion
}

/// A motion on a doubtful target, held against the same on the original's rig. `bare` leaves the target's
/// motion out; then its world is whatever the zero pose is in, and any axis may be up.
pub fn as_target(o: &Original, other: &Rewritten, source: &Original, bare: bool) -> Outcome {
    let own = equivalent::target(&o.clip, true).unwrap_or_else(|e| panic!("{}: {e}", o.name));
    let retargeted = |target: &LoadedRig| {
        convert::convert(&through_bytes(&source.clip), RigFile::default(), target, &plants_off())
    };
    let truth = retargeted(&own).unwrap_or_else(|e| panic!("{}: {e}", o.name)).result;
    let found = equivalent::target(&other.clip, !bare)
        .and_then(|rig| retargeted(&rig).map(|found| (found, rig.rig)));
    let (found, rig) = match found {
        Ok(found) => found,
        Err(e) => return Outcome::Refused(first_lines(&e)),
    };
    // What is said to be a guess deceives nobody.
    let assumed = found.binding.assumed(&found.binding.target);
    let is_said = found.notes.iter().any(|note| note.starts_with("no pose, motion or bone of "));
    let guessed = |role: Role| {
        is_said && [&assumed.rolls, &assumed.directions].iter().any(|roles| roles.contains(&role))
    };
    let turn = if bare { rig.up.turn_to(o.rig.up) } else { other.turn.inverse() };
    let joint = |role: Role| Some((o.rig.joint(role)?, Some(Quat::identity())));
    let [first, other_first] = [world(&o.clip, 0), world(&other.clip, other.lead)];
    let now = |role: Role| {
        let id = o.rig.joint(role)?;
        let now = other.now(id);
        // A motion may show clavicles turned otherwise than in a zero pose that stands; this alone is bare.
        let is_held = bare && roll_is_held(o, id);
        let own = (other.turn.inverse() * other_first.rotation(now)).inverse() * first.rotation(id);
        Some((now, (!is_held && !guessed(role)).then_some(own)))
    };
    let truth = seen(&truth, &joint, Quat::identity(), 0);
    let now = seen(&found.result, &now, turn, 0);
    match likeness(o.rig.up.vector(), &truth, &now) {
        Ok(()) => Outcome::Right,
        Err(what) => Outcome::Wrong(what),
    }
}
