//! `skeleton.toml`: what a person writes, or edits, about a rig that its file cannot say.
//!
//! [`RigFile`] is the editable form, joints by name as written; [`RigFile::roles`] and
//! [`RigFile::hints`] check it against a skeleton and give the validated one.
//! Angles are degrees in the text alone. Every key is optional but the skeleton itself:
//!
//! | key | meaning | without it |
//! |---|---|---|
//! | `bvh` | path of the file that holds the skeleton, beside this one | `[[joints]]` |
//! | `up` | the axis that points up: `"y"`, `"z"`, `"-y"` … | found |
//! | `floor` | height of the floor along `up`, length units | found |
//! | `scale` | `"leg"`, or the ratio of target to source lengths | `"leg"` |
//! | `faces` | the axis that the body faces in its stance; not for people | from hips to head |
//! | `[roles]` | joints by part, see below | found |
//! | `[legs.NAME]` | a leg of a body that is no person's: `joints` from the body outwards, and the `sole` in the last one's frame, length units | none |
//! | `[chains.NAME]` | a tail, a trunk, any other chain: `joints` | none |
//! | `[reference]` | the stance that rigs share: `pose = "rest"`, or `frame = 0` of the bvh file, and `rotations_deg`; or to the last bit `rotations_xyzw`, `translations` and `frames_xyzw` | found |
//! | `[feet.left]`, `[feet.right]` | `heel`, `ball`, `up` and `ahead` in the foot joint's frame, `toe` and `toe_ahead` in the toe joint's; `ankle_height`, `stance_ankle_height`, `ball_height`; `bends`; `known_from` | found |
//! | `[limits.NAME]` | `axis`, `min_deg`, `max_deg` of a hinge; or `swing_deg`, `twist_deg` of a ball; or `free = true` | those of people, for corrections |
//! | `human_limits` | `false`: corrections may bring joints where people's do not go | `true` |
//! | `[weights]` | how much the goals of `hips`, `head`, `left_hand`, `left_foot` … count: 1 fully, 0 not at all, in between that part of the way | 1 |
//! | `[[joints]]` | `name`, `parent`, `offset`, `channels`, `end_sites` of each joint | `bvh` |
//!
//! Roles are `hips`, `head`, and with `left_` or `right_` before them `clavicle`, `upper_arm`,
//! `forearm`, `hand`, `thigh`, `shin`, `foot`, `toe`: one joint each. `spine` and `neck` are lists
//! from below upwards, `left_thumb`, `left_index`, `left_middle`, `left_ring`, `left_pinky` lists of
//! up to three phalanges from the knuckle outwards, `left_index_metacarpal` and so on one joint.
//! `ignore` lists joints that have no role, `worn` those above the hips that wear skin.
//!
//! Where legs are named nothing else is recognised: hips (found where all legs meet), spine, neck and head are written.
//! Legs and chains move as those of the same name in the other rig do.

mod apply;
mod describe;
mod error;
mod exact;
mod fields;
mod fit;
pub(super) mod human;
mod joints;
mod lines;
mod measure;
mod parse;
mod role_keys;
mod write;

pub(crate) use describe::stance_lines;
pub use describe::{Description, SkeletonSource, describe};
pub use error::{RigFileError, RigFileProblem};
pub use fit::Misfit;
pub use joints::FileJoint;
pub(crate) use lines::Lines;
pub(crate) use role_keys::RoleKey;
pub use write::is_shown;
pub(crate) use write::quoted;

use super::{ChainName, Role, Scale, Side, UpAxis, WrittenSole};
use crate::math::{Quat, Vec3};
use std::collections::BTreeMap;

/// The contents of a `skeleton.toml`, as written. What is `None` or empty is found, or at its default.
///
/// Lengths are in the unit of the rig's file, angles are radians (degrees in the text). Joints are named as in the
/// rig's file. Two files that say the same on other lines are equal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigFile {
    /// Path of the file that holds the skeleton; the caller resolves it against this file's folder.
    pub bvh: Option<String>,
    /// The skeleton's joints in full, in any order; empty where [`bvh`](Self::bvh) names a file.
    pub joints: Vec<FileJoint>,
    /// The world's up axis in the rig's file.
    pub up: Option<UpAxis>,
    /// Height of the floor along the up axis, length units; 0 where there is none.
    pub floor: Option<f64>,
    /// How lengths of a source become lengths of this rig; by the legs where there is none.
    pub scale: Option<Scale>,
    /// The axis that the body faces in its stance, where it is not a person's.
    pub faces: Option<UpAxis>,
    /// Joint names by role.
    pub roles: BTreeMap<Role, String>,
    /// Legs by name, of bodies that are not people's.
    pub legs: BTreeMap<ChainName, RigLeg>,
    /// Chains by name: the names of their joints from the body outwards.
    pub chains: BTreeMap<ChainName, Vec<String>>,
    /// Names of joints that have no role.
    pub ignore: Vec<String>,
    /// Names of joints above the hips that wear skin, which move with the hips where they are near them.
    pub worn: Vec<String>,
    /// The reference stance: the pose that all rigs share.
    pub reference: Option<RigReference>,
    /// The soles of the left and the right foot; each part that is missing is found.
    pub feet: [WrittenSole; 2],
    /// How far joints may turn away from the reference stance, by joint name.
    pub limits: BTreeMap<String, JointLimit>,
    /// Whether corrections keep joints without a written limit within what people's can do; they do where there is
    /// none.
    pub human_limits: Option<bool>,
    /// How much the goals of the effectors (hips, head, hands, feet) count, 0 to 1; fully where there is none.
    pub weights: BTreeMap<Role, f64>,
    /// Where in the text each key stands.
    lines: KeyLines,
}

/// The stance that two rigs share, as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigReference {
    /// A frame of the rig's file; the zero pose where there is none.
    pub frame: Option<usize>,
    /// Local rotations, radians in the joint's own channel order, by joint name; they replace those
    /// of the zero pose or of the frame.
    pub rotations_rad: BTreeMap<String, Vec<f64>>,
    /// The same as unit quaternions, for rotations that angles would round.
    pub rotations: BTreeMap<String, Quat>,
    /// Places in the parent's frame by joint name, length units; they replace those of the zero pose or of the frame.
    pub translations: BTreeMap<String, Vec3>,
    /// By joint name the rotation from the joint's frame to body space with limbs straight. Where there are any, no limb
    /// is straightened, and a joint without one goes on from the joint above as in the pose.
    pub frames: BTreeMap<String, Quat>,
}

/// A leg of a body that is not a person's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigLeg {
    /// The names of its joints from the body outwards; at least one.
    pub joints: Vec<String>,
    /// The point that it stands on, in the frame of its last joint (local, length units).
    pub sole: Option<Vec3>,
}

/// How far a joint may turn away from the reference stance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointLimit {
    /// About one axis in the joint's frame (local, unit length), within a range.
    Hinge { axis: Vec3, min_rad: f64, max_rad: f64 },
    /// The bone within an elliptic cone of half angles `swing_rad` about the two axes at a right
    /// angle to it, the turn about the bone within `twist_rad` (least, most).
    Ball { swing_rad: [f64; 2], twist_rad: [f64; 2] },
    /// It turns in any way, for corrections too.
    Free,
}

/// The effectors that `[weights]` may name.
const EFFECTORS: [Role; 6] = [
    Role::Hips,
    Role::Head,
    Role::Hand(Side::Left),
    Role::Hand(Side::Right),
    Role::Foot(Side::Left),
    Role::Foot(Side::Right),
];

/// The line of each key, by its path ("roles.left_thigh"). Two files that say the same on other lines
/// are equal.
#[derive(Clone, Debug, Default)]
struct KeyLines(BTreeMap<String, usize>);

impl PartialEq for KeyLines {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl KeyLines {
    fn add(&mut self, place: &fields::Place) {
        self.0.extend(place.line.map(|line| (place.key.clone(), line)));
    }
}

impl RigFile {
    /// Reads the text of a file and checks all that can be checked without its skeleton. The error has the line and the
    /// key of what is not TOML, unknown, or cannot be meant.
    pub fn parse(text: &str) -> Result<Self, RigFileError> {
        parse::parse(text)
    }

    /// The file as text that [`parse`](Self::parse) reads, with a comment on each section.
    pub fn to_toml(&self) -> String {
        write::write(self, &BTreeMap::new())
    }

    fn error(&self, key: &str, problem: RigFileProblem) -> RigFileError {
        RigFileError { line: self.lines.0.get(key).copied(), key: key.to_owned(), problem }
    }
}
