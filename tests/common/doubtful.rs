//! Rigs that raise doubt: names that say little or the wrong thing, worlds that lie on their side, zero
//! poses in which nobody stands, helpers that bear the names of limbs. Each is a real motion with its truth
//! known, so that a conversion can be told to be right, refused or wrong.

#![allow(dead_code)]

use crate::equivalent::{self, Original, plants_off, through_bytes};
use crate::rewrite::{Posture, Rewritten, styled, world};
use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, LoadedRig};
use retarget::internals::error::Error;
use retarget::internals::math::{Axis, Quat, Vec3, frame_from_axes, rotation_between};
use retarget::internals::pose::{Pose, WorldPose};
use retarget::internals::rig::{RigFile, Role, Side, StanceOrigin, UpAxis};
use retarget::internals::skeleton::{Channels, Joint, JointId, Skeleton};
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

/// The clip as a depth camera's software has it: 15 joints by OpenNI's names, millimetres, no toes, each bone
/// turned the shortest way from a T that faces +Z or -Z, knees that tremble by up to `noise` of a leg and stand
/// out `behind` by some of it. `None` for bodies without arms.
pub fn kinect(o: &Original, faces_back: bool, noise: f64, behind: f64, seed: u64) -> Option<Clip> {
    let mut seed = Seed::new(seed);
    let both = |role: fn(Side) -> Role| {
        Some([o.rig.joint(role(Side::Left))?, o.rig.joint(role(Side::Right))?])
    };
    let chains = [
        [both(Role::UpperArm)?, both(Role::Forearm)?, both(Role::Hand)?],
        [both(Role::Thigh)?, both(Role::Shin)?, both(Role::Foot)?],
    ];
    let head = o.rig.joint(Role::Head)?;
    let to_mm = 850.0 / o.rig.leg_len;
    let world_from_rest = Quat::from_scaled_axis(Vec3::y() * if faces_back { PI } else { 0.0 });
    let order = [Axis::Z, Axis::X, Axis::Y];
    let mut joints: Vec<Joint> = Vec::new();
    let mut add = |name: String, parent: Option<usize>, offset: Vec3, end: Option<Vec3>| {
        let channels = match parent {
            None => Channels::positions_and_rotations(order),
            Some(_) => Channels::rotations(order),
        };
        joints.push(Joint {
            name,
            parent: parent.map(JointId::new),
            offset: world_from_rest * offset,
            channels: channels.expect("three axes"),
            end_sites: end.map(|end| world_from_rest * end).into_iter().collect(),
        });
        joints.len() - 1
    };
    let torso = add("Torso".into(), None, Vec3::zeros(), None);
    let neck = add("Neck".into(), Some(torso), Vec3::new(0.0, 260.0, 0.0), None);
    add("Head".into(), Some(neck), Vec3::new(0.0, 200.0, 0.0), Some(Vec3::new(0.0, 150.0, 0.0)));
    let mut bones: Vec<(usize, [JointId; 2], Vec3)> = Vec::new();
    for side in Side::BOTH {
        let (word, sign) = if side == Side::Left { ("Left", 1.0) } else { ("Right", -1.0) };
        let limbs = [
            (["Shoulder", "Elbow", "Hand"], Vec3::new(170.0 * sign, 230.0, 0.0), Vec3::x() * sign),
            (["Hip", "Knee", "Foot"], Vec3::new(100.0 * sign, -230.0, 0.0), -Vec3::y()),
        ];
        for ((names, top, way), chain) in limbs.into_iter().zip(&chains) {
            let [upper, middle, end] = chain.map(|pair| pair[side.index()]);
            let (a, b) = if names[0] == "Hip" { (430.0, 420.0) } else { (280.0, 250.0) };
            let first = add(format!("{word}{}", names[0]), Some(torso), top, None);
            let second = add(format!("{word}{}", names[1]), Some(first), way * a, None);
            let last = add(format!("{word}{}", names[2]), Some(second), way * b, Some(way * 80.0));
            bones.push((first, [upper, middle], world_from_rest * way));
            bones.push((second, [middle, end], world_from_rest * way));
            bones.push((last, [end, end], world_from_rest * way));
        }
    }
    let skeleton = Skeleton::new(joints).expect("a tree");
    let mut clip = Clip::new(skeleton.clone(), o.clip.frame_time().clone());
    let up_turn = o.rig.up.turn_to(UpAxis::Y);
    let knees = chains[1][1];
    for frame in 0..o.clip.len() {
        let seen = world(&o.clip, frame);
        let [arms, legs] = chains.map(|chain| chain[0].map(|id| up_turn * seen.position(id)));
        let left = (arms[0] - arms[1]).normalize() + (legs[0] - legs[1]).normalize();
        let up = arms[0] + arms[1] - legs[0] - legs[1];
        let body = frame_from_axes(left, up)?;
        let mut shake = [Vec3::zeros(); 2];
        for shake in &mut shake {
            let by = Vec3::new(seed.unit() - 0.5, 0.0, seed.unit() - 0.5) * (2.0 * noise);
            *shake = body * (by - Vec3::z() * behind) * o.rig.leg_len;
        }
        let at = |id: JointId| {
            let shaken = knees.iter().position(|&knee| knee == id).map(|i| shake[i]);
            up_turn * seen.position(id) + shaken.unwrap_or_default()
        };
        let mut pose = Pose::rest(&skeleton);
        let turn = body * world_from_rest.inverse();
        pose.rotations[torso] = turn;
        pose.translations[torso] = 0.25 * (arms[0] + arms[1] + legs[0] + legs[1]) * to_mm;
        let mut turned = vec![turn; skeleton.len()];
        let aim = |from: Quat, bone: Vec3, to: Vec3| rotation_between(from * bone, to) * from;
        turned[neck] = aim(turn, Vec3::y(), at(head) - 0.5 * (arms[0] + arms[1]));
        turned[neck + 1] = turned[neck];
        for &(joint, [from, to], bone) in &bones {
            let parent = turned[skeleton.parent(JointId::new(joint)).expect("a limb").index()];
            turned[joint] = if from == to { parent } else { aim(parent, bone, at(to) - at(from)) };
        }
        for (i, rotation) in turned.iter().enumerate().skip(1) {
            let parent = skeleton.parent(JointId::new(i)).expect("below the torso").index();
            pose.rotations[i] = turned[parent].inverse() * rotation;
        }
        clip.push_pose(&pose);
    }
    Some(clip)
}

/// Directions of a body in a frame, by what they are of.
type Directions = Vec<(Bone, Vec3)>;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bone {
    Trunk,
    Hips,
    Shoulders,
    Limb(Role),
    Foot(Side),
}

impl Bone {
    /// How far one may be off and still be a likeness, degrees.
    fn most_deg(self) -> f64 {
        match self {
            Bone::Hips => 20.0,
            // Of a fighter whose zero pose shows nothing, the trunk is known by how he mostly stoops.
            Bone::Trunk => 25.0,
            Bone::Shoulders => 30.0,
            Bone::Limb(_) => 8.0,
            // A bare hierarchy does not show how its feet are pitched; what is told as assumed.
            Bone::Foot(_) => 40.0,
        }
    }
}

/// What is seen of a posture: where trunk, hips, shoulders and limbs point in the world.
pub fn directions(world: &WorldPose, joint: &dyn Fn(Role) -> Option<JointId>) -> Directions {
    let at = |role: Role| joint(role).map(|id| world.position(id));
    let both = |role: fn(Side) -> Role| Some([at(role(Side::Left))?, at(role(Side::Right))?]);
    let mut found = Vec::new();
    let mut add = |bone, way: Option<Vec3>| {
        if let Some(way) = way.and_then(|way| way.try_normalize(1e-9)) {
            found.push((bone, way));
        }
    };
    let thighs = both(Role::Thigh);
    let arms = both(Role::UpperArm);
    let middle = |pair: Option<[Vec3; 2]>| pair.map(|[a, b]| 0.5 * (a + b));
    let top = middle(arms).or(at(Role::Head));
    add(Bone::Trunk, top.zip(middle(thighs)).map(|(top, low)| top - low));
    add(Bone::Hips, thighs.map(|[l, r]| l - r));
    add(Bone::Shoulders, arms.map(|[l, r]| l - r));
    for side in Side::BOTH {
        let chains = [
            [Role::Thigh(side), Role::Shin(side)],
            [Role::Shin(side), Role::Foot(side)],
            [Role::UpperArm(side), Role::Forearm(side)],
            [Role::Forearm(side), Role::Hand(side)],
        ];
        for [from, to] in chains {
            add(Bone::Limb(from), at(from).zip(at(to)).map(|(a, b)| b - a));
        }
        let foot = at(Role::Foot(side)).zip(at(Role::Toe(side)));
        add(Bone::Foot(side), foot.map(|(a, b)| b - a));
    }
    found
}

/// Two motions held against one another, each given by its directions in some frames; the second may be
/// turned about `up` as a whole.
pub fn likeness(up: Vec3, truth: &[Directions], other: &[Directions]) -> Result<(), String> {
    let pairs = || {
        truth.iter().zip(other).flat_map(|(t, o)| {
            t.iter().filter_map(|(bone, way)| {
                let found = o.iter().find(|(b, _)| b == bone)?;
                Some((*bone, *way, found.1))
            })
        })
    };
    let (mut dot, mut cross) = (0.0, 0.0);
    for (_, a, b) in pairs() {
        let level = |v: Vec3| v - up * up.dot(&v);
        dot += level(a).dot(&level(b));
        cross += up.dot(&level(b).cross(&level(a)));
    }
    let turn = Quat::from_scaled_axis(up * cross.atan2(dot));
    let mut bones: Vec<(Bone, Vec<f64>)> = Vec::new();
    for (bone, a, b) in pairs() {
        let off = a.angle(&(turn * b)).to_degrees();
        match bones.iter_mut().find(|(other, _)| *other == bone) {
            Some((_, all)) => all.push(off),
            None => bones.push((bone, vec![off])),
        }
    }
    let mut worst: Option<(f64, String)> = None;
    for (bone, mut offs) in bones {
        offs.sort_by(f64::total_cmp);
        let median = offs[offs.len() / 2];
        let over = median / bone.most_deg();
        if (over > 1.0 || over.is_nan()) && worst.as_ref().is_none_or(|(most, _)| over > *most) {
            worst = Some((over, format!("{bone:?} {median:.0}° off")));
        }
    }
    worst.map_or(Ok(()), |(_, what)| Err(what))
}

/// Frames that are looked at.
fn looked_at(len: usize) -> impl Iterator<Item = usize> {
    (0..len).step_by(len.div_ceil(24).max(1))
}

fn seen(
    clip: &Clip,
    joint: &dyn Fn(Role) -> Option<JointId>,
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
    // A depth camera sees no feet: where they point is nobody's truth.
    let footless = other.skeleton().joints()[0].name == "Torso";
    let seen_of = |role: Role| !(footless && matches!(role, Role::Toe(_)));
    let joint = |role: Role| target.rig.joint(role).filter(|_| seen_of(role));
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

/// A motion on a doubtful target, held against the same on the original's rig. `bare` leaves the target's
/// motion out; then its world is whatever the zero pose is in, and any axis may be up.
pub fn as_target(o: &Original, other: &Rewritten, source: &Original, bare: bool) -> Outcome {
    let own = equivalent::target(&o.clip, true).unwrap_or_else(|e| panic!("{}: {e}", o.name));
    let carry = |target: &LoadedRig| {
        convert::convert(&through_bytes(&source.clip), RigFile::default(), target, &plants_off())
    };
    let truth = carry(&own).unwrap_or_else(|e| panic!("{}: {e}", o.name)).result;
    let found = equivalent::target(&other.clip, !bare).and_then(|rig| {
        let up = rig.rig.up;
        carry(&rig).map(|found| (found.result, up))
    });
    let (result, up) = match found {
        Ok(found) => found,
        Err(e) => return Outcome::Refused(first_lines(&e)),
    };
    let turn = if bare { up.turn_to(o.rig.up) } else { other.turn.inverse() };
    let joint = |role: Role| o.rig.joint(role);
    let now = |role: Role| o.rig.joint(role).map(|id| other.now(id));
    let truth = seen(&truth, &joint, Quat::identity(), 0);
    let now = seen(&result, &now, turn, 0);
    match likeness(o.rig.up.vector(), &truth, &now) {
        Ok(()) => Outcome::Right,
        Err(what) => Outcome::Wrong(what),
    }
}
