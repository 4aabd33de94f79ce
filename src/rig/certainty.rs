//! How sure what was found of a rig is, as numbers, and what is too doubtful to go on with unasked.

use super::file::stance_lines;
use super::recognise::Recognised;
use super::{
    Foot, Ground, OTHERWISE, PROPOSED, Rig, Role, Roles, SoleOrigin, StanceOrigin, UpAxis, UpFound,
};
use crate::clip::Clip;
use crate::math::Vec3;
use crate::skeleton::JointId;
use serde::Serialize;
use std::fmt;

/// How sure each part of what was found of a rig is, 0 (a guess) to 1 (the user said so).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Certainty {
    /// The least sure of all but fingers.
    pub roles: f64,
    /// Which axis is up.
    pub up: f64,
    /// Which side is left, and so where the body faces.
    pub facing: f64,
    /// What the joints' frames mean, by what shows it.
    pub stance: f64,
    /// How head, limbs and feet are rolled about their bones in it, the least of all.
    pub rolls: f64,
    /// Where the soles are, by what shows them.
    pub soles: f64,
}

impl Certainty {
    /// Of a rig and how it was recognised.
    pub fn of(recognised: &Recognised, rig: &Rig) -> Self {
        let counts = |role: Role| !matches!(role, Role::Finger(..));
        let roles = recognised.evidence.iter().filter(|e| counts(e.role)).map(|e| e.confidence);
        let stance: f64 = match rig.stance.origin {
            StanceOrigin::Written => 1.0,
            StanceOrigin::Rest => 0.95,
            StanceOrigin::Frame(_) => 0.9,
            StanceOrigin::Frames(_) => 0.8,
            StanceOrigin::Built => match trunk_is_shown(rig) {
                true => 0.6,
                false => 0.4,
            },
        };
        let roll = |id: JointId| match rig.stance.bases[id.index()].roll {
            Ground::Shown | Ground::Bones => stance,
            Ground::Motion => stance.min(0.8),
            Ground::Assumed => 0.3,
        };
        let rolled = rig.roles.iter().filter(|(role, _)| {
            // Those of the trunk show in nothing, and hands that nothing rolls turn with their forearms.
            !matches!(role, Role::Finger(..) | Role::Hand(_) | Role::Spine(_) | Role::Neck(_))
        });
        let sole = |foot: &Foot| match foot.origin {
            SoleOrigin::Written => 1.0,
            SoleOrigin::Motion => 0.9,
            SoleOrigin::Bones | SoleOrigin::Assumed => roll(foot.ankle).min(stance - 0.1),
        };
        Self {
            roles: roles.fold(1.0, f64::min),
            up: rig.up_found.sure,
            facing: recognised.facing_sure,
            stance,
            rolls: rolled.map(|(_, id)| roll(id)).fold(1.0, f64::min),
            soles: rig.feet.iter().map(sole).fold(1.0, f64::min),
        }
    }
}

/// Whether bones show how the hips' frame lies in the body.
fn trunk_is_shown(rig: &Rig) -> bool {
    let hips = rig.joint(Role::Hips);
    hips.is_some_and(|hips| rig.stance.bases[hips.index()].direction != Ground::Assumed)
}

/// Less sure than this of an axis that a motion shows, the user is asked.
const UP_BOUND: f64 = 0.8;

/// An up axis that two readings compete for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UpDoubt(UpFound);

impl UpDoubt {
    /// The doubt about a rig's up axis, where there is any that counts. A hierarchy that shows no axis at all
    /// is taken by the habit of files: what is wrong then is the world it lies in alone.
    pub fn of(rig: &Rig) -> Option<Self> {
        let found = rig.up_found;
        (found.seen && found.sure < UP_BOUND).then_some(Self(found))
    }
}

/// A body whose stance nothing shows: no pose in which it stands, and no bones that say how its pelvis is turned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StanceDoubt {
    /// The stance that is taken unless the user knows better, and the one that comes next.
    readings: [StanceReading; 2],
}

/// One way in which a body may stand.
#[derive(Clone, Debug, PartialEq, Eq)]
struct StanceReading {
    /// The axis of the hips' own frame that points ahead.
    ahead: UpAxis,
    /// Of `skeleton.toml`, where lines can say it.
    lines: Option<String>,
}

impl StanceDoubt {
    /// The doubt about a rig's stance, where there is one.
    pub fn of(rig: &Rig) -> Option<Self> {
        let is_built = rig.stance.origin == StanceOrigin::Built;
        let hips = rig.joint(Role::Hips).filter(|_| is_built && !trunk_is_shown(rig))?;
        let reading = |rig: &Rig| {
            let ahead = rig.stance.body_from_joint[hips.index()].inverse() * Vec3::z();
            StanceReading { ahead: UpAxis::nearest(ahead), lines: stance_lines(rig) }
        };
        let other = Rig { stance: rig.stance.turned_on(&rig.skeleton, &rig.roles), ..rig.clone() };
        Some(Self { readings: [reading(rig), reading(&other)] })
    }
}

impl fmt::Display for StanceDoubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "how its trunk is turned is in doubt: no pose shows the body standing, and its bones do not say it; give \
             a file that shows it standing, or write rotations_deg of a pose that stands under [reference] in \
             skeleton.toml",
        )?;
        let [first, other] = &self.readings;
        let Some(lines) = &first.lines else { return Ok(()) };
        let write = |f: &mut fmt::Formatter<'_>, lines: &str| {
            lines.lines().try_for_each(|line| write!(f, "\n  {line}"))
        };
        let ahead = first.ahead;
        write!(
            f,
            "; the {ahead} axis of its hips points ahead by the least turn that lays its bones as people stand, but they \
             may want another turn; to settle it, {PROPOSED}:"
        )?;
        write(f, lines)?;
        let Some(lines) = &other.lines else { return Ok(()) };
        let ahead = other.ahead;
        write!(
            f,
            "\nor, where their {ahead} axis points ahead, as some programs lay it, {OTHERWISE}:"
        )?;
        write(f, lines)
    }
}

/// The up axis that a clip of known roles shows by itself, where that is not in doubt. Costs forward kinematics of at
/// most 128 frames.
pub fn sure_up(clip: &Clip, roles: &Roles) -> Option<UpFound> {
    let found = UpFound::in_clip(clip, roles)?;
    (found.seen && found.sure >= UP_BOUND).then_some(found)
}

impl fmt::Display for UpDoubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UpFound { up, other, sure, speaks, .. } = self.0;
        let for_it = |up: UpAxis, speaks: super::Speaks| format!("{up} ({speaks})");
        write!(
            f,
            "which axis is up is in doubt, {:.0} % sure: {} or {}; to settle it, {PROPOSED}:\n  \
             up = \"{up}\"\nor, where {other} is up, {OTHERWISE}:\n  up = \"{other}\"",
            100.0 * sure,
            for_it(up, speaks[0]),
            for_it(other, speaks[1]),
        )
    }
}
