//! What some clips of one rig are by themselves, and what the rig is by all of them.

use crate::batch::{Hash, Job};
use crate::convert::{self, LoadedRig, Reading};
use crate::error::shell_word;
use crate::rig::{Certainty, Rig, Role, Roles, SoleOrigin, StanceOrigin, UpAxis};
use crate::skeleton::{JointId, Skeleton};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The share of all clips that were looked at, each by how sure it is, from which on a reading holds for all.
const BOUND: f64 = 0.6;

/// What one clip is by itself.
pub(super) struct Vote {
    /// Its place in the library.
    pub clip: String,
    /// The body that it shares with another clip.
    body: Option<Hash>,
    /// Its likeliest reading; nothing where it is no body at all.
    reading: Option<Box<Readings>>,
}

struct Readings {
    loaded: LoadedRig,
    sure: Certainty,
    /// Whether it is not refused by itself.
    is_sure: bool,
}

/// What a rig is by its clips.
pub(super) enum Verdict {
    /// The clips do not settle it; each is what it is by itself.
    Alone,
    /// The text of a file that says what the rig is, and those of locks of bodies that several clips share.
    Surest { text: String, bodies: Vec<(Hash, String)> },
    /// Clips of which each is sure contradict each other: the sentence.
    Doubt(String),
}

impl Vote {
    /// Of a clip; `None` where it cannot be read.
    pub fn of(job: &Job, body: Option<Hash>, reading: &Reading) -> Option<Self> {
        let clip = job.input.display().to_string();
        let read = || {
            let bytes = convert::read_bytes(&job.input).ok()?;
            let source = convert::read_as(&job.input, &bytes, reading).ok()?;
            drop(bytes);
            Some(convert::likeliest_rig(&source).ok().map(Readings::of).map(Box::new))
        };
        let reading = catch_unwind(AssertUnwindSafe(read)).ok().flatten()?;
        Some(Self { clip, body, reading })
    }
}

impl Readings {
    fn of(loaded: LoadedRig) -> Self {
        let sure = Certainty::of(&loaded.recognised, &loaded.rig);
        let is_sure = convert::doubts(&loaded.recognised, &loaded.rig).is_empty();
        Self { loaded, sure, is_sure }
    }

    fn roles(&self) -> &Roles {
        &self.loaded.rig.roles
    }

    /// Whether a pose shows the stance, and the motion both soles.
    fn shows_body(&self) -> bool {
        let rig = &self.loaded.rig;
        let mut soles = rig.feet.iter().map(|foot| foot.origin);
        rig.stance.origin != StanceOrigin::Built && soles.all(|sole| sole == SoleOrigin::Motion)
    }

    /// By how much stance and soles differ from those of another reading of the body with the same roles: the sum of
    /// angles, radians.
    fn off_rad(&self, other: &Self) -> f64 {
        let (rig, other) = (&self.loaded.rig, &other.loaded.rig);
        let frame = |rig: &Rig, id: JointId| rig.stance.body_from_joint[id.index()];
        let frames = rig.roles.iter().map(|(_, id)| frame(rig, id).angle_to(&frame(other, id)));
        let soles = rig.feet.iter().zip(&other.feet).map(|(foot, other)| foot.up.angle(&other.up));
        frames.chain(soles).sum()
    }
}

/// Weighs what clips of one rig are by themselves, in the order of their names.
///
/// Each clip has one vote on the roles, of which the part goes to its reading that it is sure of where the body faces;
/// what is no body votes for none. Those that read the roles as most do vote on the axis up. Of those that read both so
/// and would not be refused by themselves, the surest is written down, and of each body the one that stands most as the
/// others do.
pub(super) fn verdict(votes: &[Vote]) -> Verdict {
    let read: Vec<(&Vote, &Readings)> =
        votes.iter().filter_map(|vote| Some((vote, &**vote.reading.as_ref()?))).collect();
    let for_roles = |roles: &Roles| -> f64 {
        let same = read.iter().filter(|(_, reading)| reading.roles() == roles);
        same.map(|(_, reading)| reading.sure.facing).sum()
    };
    let Some(roles) = most(read.iter().map(|(_, r)| (r.roles(), for_roles(r.roles())))) else {
        return Verdict::Alone;
    };
    if for_roles(roles) < BOUND * votes.len() as f64 {
        return contradiction(&read).map_or(Verdict::Alone, Verdict::Doubt);
    }
    let same: Vec<(&Vote, &Readings)> =
        read.iter().copied().filter(|(_, reading)| reading.roles() == roles).collect();
    let Some(up) = up_of(&same) else { return Verdict::Alone };
    let is_taken =
        |(_, reading): &(&Vote, &Readings)| reading.is_sure && reading.loaded.rig.up == up;
    let taken: Vec<(&Vote, &Readings)> = same.into_iter().filter(is_taken).collect();
    let sure = |reading: &Readings| reading.sure.facing + reading.sure.up;
    let Some(surest) = most(taken.iter().map(|(_, reading)| (*reading, sure(reading)))) else {
        return Verdict::Alone;
    };
    let mut bodies: BTreeMap<Hash, Vec<&Readings>> = BTreeMap::new();
    for (vote, reading) in taken {
        if let Some(body) = vote.body.filter(|_| reading.shows_body()) {
            bodies.entry(body).or_default().push(reading);
        }
    }
    let lock = |(body, readings): (Hash, Vec<&Readings>)| {
        Some((body, convert::lock_text(&most_alike(&readings)?.loaded)))
    };
    let bodies = bodies.into_iter().filter_map(lock).collect();
    Verdict::Surest { text: convert::meaning_text(&surest.loaded), bodies }
}

/// Of readings of one body whose stances are the surest, the one whose stance and soles are the most like those of all
/// of them.
fn most_alike<'a>(readings: &[&'a Readings]) -> Option<&'a Readings> {
    let surest = readings.iter().map(|reading| reading.sure.stance).reduce(f64::max)?;
    let surest: Vec<&Readings> =
        readings.iter().copied().filter(|reading| reading.sure.stance == surest).collect();
    let likeness = |a: &Readings| -surest.iter().map(|b| a.off_rad(b)).sum::<f64>();
    most(surest.iter().map(|reading| (*reading, likeness(reading))))
}

/// That for which most speaks, the first of equals.
fn most<T>(each: impl Iterator<Item = (T, f64)>) -> Option<T> {
    let most = each.reduce(|best, next| if next.1 > best.1 { next } else { best });
    most.map(|(what, _)| what)
}

/// The axis up by readings that show any, which is that of all where none does.
fn up_of(same: &[(&Vote, &Readings)]) -> Option<UpAxis> {
    let rigs = || same.iter().map(|(_, reading)| &reading.loaded.rig);
    let seen: Vec<_> = rigs().map(|rig| rig.up_found).filter(|up| up.seen).collect();
    if seen.is_empty() {
        let first = rigs().next()?.up;
        return rigs().all(|rig| rig.up == first).then_some(first);
    }
    let speaks = |up: UpAxis| -> f64 {
        let part = seen.iter().map(|found| match up {
            up if up == found.up => found.sure,
            up if up == found.other => 1.0 - found.sure,
            _ => 0.0,
        });
        part.sum()
    };
    let up = most(seen.iter().map(|found| (found.up, speaks(found.up))))?;
    (speaks(up) >= BOUND * seen.len() as f64).then_some(up)
}

/// Two readings, each of a clip that is sure of it, that put one joint on both sides.
fn contradiction(read: &[(&Vote, &Readings)]) -> Option<String> {
    let sure: Vec<(&str, &Readings)> = read
        .iter()
        .filter(|(_, reading)| reading.is_sure)
        .map(|(vote, reading)| (&*vote.clip, *reading))
        .collect();
    let (clip, first) = sure.first()?;
    let skeleton: &Skeleton = &first.loaded.rig.skeleton;
    let side = |roles: &Roles, joint: JointId| roles.role(joint).and_then(Role::side);
    let on_both = |joint: JointId, other: &Roles| {
        let sides = [side(first.roles(), joint)?, side(other, joint)?];
        (sides[0] != sides[1]).then_some(sides)
    };
    sure.iter().find_map(|(other, second)| {
        let (joint, [side, other_side]) =
            skeleton.ids().find_map(|joint| Some((joint, on_both(joint, second.roles())?)))?;
        let name = skeleton.name(joint);
        Some(format!(
            "clips of this rig contradict each other: {name:?} is on the {} in {clip} and on the {} in {other}; write down \
             the one that is right with retarget skeleton {} --lock -o rig.toml, and give it with --from rig.toml",
            side.word(), other_side.word(), shell_word(clip)
        ))
    })
}
