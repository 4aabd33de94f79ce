//! The parts of a body, and which joint has which role.

use super::ChainName;
use crate::skeleton::JointId;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

/// The body's own left or right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Side {
    Left,
    Right,
}

impl Side {
    pub const BOTH: [Side; 2] = [Side::Left, Side::Right];

    /// Place in an array with one entry a side.
    pub fn index(self) -> usize {
        self as usize
    }

    /// What texts and files call it.
    pub fn word(self) -> &'static str {
        match self {
            Side::Left => "left",
            Side::Right => "right",
        }
    }
}

/// A finger.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Digit {
    Thumb,
    Index,
    Middle,
    Ring,
    Pinky,
}

impl Digit {
    pub const ALL: [Digit; 5] =
        [Digit::Thumb, Digit::Index, Digit::Middle, Digit::Ring, Digit::Pinky];

    fn word(self) -> &'static str {
        match self {
            Digit::Thumb => "thumb",
            Digit::Index => "index",
            Digit::Middle => "middle",
            Digit::Ring => "ring",
            Digit::Pinky => "pinky",
        }
    }
}

/// A part of a body, which a joint of a rig has as its role. It is named after the bone that starts at that joint.
///
/// Its text form is what `skeleton.toml` and every message use: `hips`, `spine.1`, `left_thigh`,
/// `right_index.2`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[deny(missing_docs)]
pub enum Role {
    /// The joint that carries both legs and the spine.
    Hips,
    /// Spine joints from the hips upwards, counted from 1; the last one carries the clavicles or arms.
    Spine(u8),
    /// Neck joints from the chest upwards, counted from 1.
    Neck(u8),
    /// The joint that turns the skull.
    Head,
    /// The joint that moves the shoulder.
    Clavicle(Side),
    /// From shoulder to elbow.
    UpperArm(Side),
    /// From elbow to wrist.
    Forearm(Side),
    /// The wrist: the hand turns about it.
    Hand(Side),
    /// From hip to knee.
    Thigh(Side),
    /// From knee to ankle.
    Shin(Side),
    /// The ankle: the foot turns about it.
    Foot(Side),
    /// The ball of the foot: the toes turn about it.
    Toe(Side),
    /// Joints of a finger: 0 is the metacarpal, 1 to 3 are the phalanges from the knuckle outwards.
    Finger(Side, Digit, u8),
    /// Joints of a leg or chain that the user named, counted from 1 from the body outwards.
    Chain(ChainName, u8),
}

impl Role {
    /// The side of the body that the part belongs to; `None` for parts of the middle and for named chains.
    pub fn side(self) -> Option<Side> {
        match self {
            Role::Clavicle(s)
            | Role::UpperArm(s)
            | Role::Forearm(s)
            | Role::Hand(s)
            | Role::Thigh(s)
            | Role::Shin(s)
            | Role::Foot(s)
            | Role::Toe(s)
            | Role::Finger(s, _, _) => Some(s),
            Role::Hips | Role::Spine(_) | Role::Neck(_) | Role::Head | Role::Chain(..) => None,
        }
    }

    /// The same part on the other side of the body; parts of the middle are their own.
    pub(crate) fn on_other_side(self) -> Self {
        let turned = |side| match side {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        };
        match self {
            Role::Clavicle(s) => Role::Clavicle(turned(s)),
            Role::UpperArm(s) => Role::UpperArm(turned(s)),
            Role::Forearm(s) => Role::Forearm(turned(s)),
            Role::Hand(s) => Role::Hand(turned(s)),
            Role::Thigh(s) => Role::Thigh(turned(s)),
            Role::Shin(s) => Role::Shin(turned(s)),
            Role::Foot(s) => Role::Foot(turned(s)),
            Role::Toe(s) => Role::Toe(turned(s)),
            Role::Finger(s, digit, n) => Role::Finger(turned(s), digit, n),
            Role::Hips | Role::Spine(_) | Role::Neck(_) | Role::Head | Role::Chain(..) => self,
        }
    }

    /// The part's name without its side; that of a chain is its own.
    fn word(&self) -> &str {
        match self {
            Role::Chain(name, _) => name.as_str(),
            Role::Hips => "hips",
            Role::Spine(_) => "spine",
            Role::Neck(_) => "neck",
            Role::Head => "head",
            Role::Clavicle(_) => "clavicle",
            Role::UpperArm(_) => "upper_arm",
            Role::Forearm(_) => "forearm",
            Role::Hand(_) => "hand",
            Role::Thigh(_) => "thigh",
            Role::Shin(_) => "shin",
            Role::Foot(_) => "foot",
            Role::Toe(_) => "toe",
            Role::Finger(_, digit, _) => digit.word(),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(side) = self.side() {
            write!(f, "{}_", side.word())?;
        }
        f.write_str(self.word())?;
        match self {
            Role::Spine(n) | Role::Neck(n) | Role::Finger(_, _, n) | Role::Chain(_, n) => {
                write!(f, ".{n}")
            }
            _ => Ok(()),
        }
    }
}

/// The text that is no role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no role")]
pub struct RoleError(pub String);

impl FromStr for Role {
    type Err = RoleError;

    fn from_str(text: &str) -> Result<Self, RoleError> {
        let error = || RoleError(text.to_owned());
        let (name, number) = match text.split_once('.') {
            Some((name, number)) => (name, Some(number.parse::<u8>().map_err(|_| error())?)),
            None => (text, None),
        };
        let (side, part) = if let Some(part) = name.strip_prefix("left_") {
            (Some(Side::Left), part)
        } else if let Some(part) = name.strip_prefix("right_") {
            (Some(Side::Right), part)
        } else {
            (None, name)
        };
        let digit = Digit::ALL.into_iter().find(|d| d.word() == part);
        let role = match (side, part, number) {
            (None, "hips", None) => Role::Hips,
            (None, "spine", Some(n)) if n >= 1 => Role::Spine(n),
            (None, "neck", Some(n)) if n >= 1 => Role::Neck(n),
            (None, "head", None) => Role::Head,
            (Some(s), "clavicle", None) => Role::Clavicle(s),
            (Some(s), "upper_arm", None) => Role::UpperArm(s),
            (Some(s), "forearm", None) => Role::Forearm(s),
            (Some(s), "hand", None) => Role::Hand(s),
            (Some(s), "thigh", None) => Role::Thigh(s),
            (Some(s), "shin", None) => Role::Shin(s),
            (Some(s), "foot", None) => Role::Foot(s),
            (Some(s), "toe", None) => Role::Toe(s),
            (Some(s), _, Some(n)) if n <= 3 => Role::Finger(s, digit.ok_or_else(error)?, n),
            _ => return Err(error()),
        };
        Ok(role)
    }
}

/// Which joint has which role: each role at most one joint, each joint at most one role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    joint_of: BTreeMap<Role, JointId>,
    role_of: BTreeMap<JointId, Role>,
    /// The named chains that stand.
    legs: BTreeSet<ChainName>,
}

impl Roles {
    /// No roles yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the role to the joint; takes it from the joint that had it, and from the joint any
    /// other role that it had.
    pub fn insert(&mut self, role: Role, joint: JointId) {
        if let Some(other) = self.role_of.insert(joint, role) {
            self.joint_of.remove(&other);
        }
        if let Some(other) = self.joint_of.insert(role, joint).filter(|other| *other != joint) {
            self.role_of.remove(&other);
        }
    }

    /// Takes a role away from whichever joint has it.
    pub fn remove(&mut self, role: Role) {
        if let Some(joint) = self.joint_of.remove(&role) {
            self.role_of.remove(&joint);
        }
    }

    /// The joint that has the role.
    pub fn joint(&self, role: Role) -> Option<JointId> {
        self.joint_of.get(&role).copied()
    }

    /// The role of the joint.
    pub fn role(&self, joint: JointId) -> Option<Role> {
        self.role_of.get(&joint).copied()
    }

    /// All roles with their joints, in the order of [`Role`].
    pub fn iter(&self) -> impl Iterator<Item = (Role, JointId)> + '_ {
        self.joint_of.iter().map(|(r, j)| (*r, *j))
    }

    /// How many roles are given.
    pub fn len(&self) -> usize {
        self.joint_of.len()
    }

    /// Whether no role is given.
    pub fn is_empty(&self) -> bool {
        self.joint_of.is_empty()
    }

    /// The spine joints from the hips upwards.
    pub fn spine(&self) -> Vec<JointId> {
        self.joint_of.range(Role::Spine(0)..=Role::Spine(u8::MAX)).map(|(_, j)| *j).collect()
    }

    /// The joints of a named leg or chain from the body outwards.
    pub fn chain(&self, name: ChainName) -> Vec<JointId> {
        let all = Role::Chain(name, 0)..=Role::Chain(name, u8::MAX);
        self.joint_of.range(all).map(|(_, j)| *j).collect()
    }

    /// The names of all legs and chains that were named, in their order.
    pub fn chain_names(&self) -> impl Iterator<Item = ChainName> + '_ {
        self.joint_of.keys().filter_map(|role| match role {
            Role::Chain(name, 1) => Some(*name),
            _ => None,
        })
    }

    /// Says that the chain of this name is a leg that stands.
    pub fn add_leg(&mut self, name: ChainName) {
        self.legs.insert(name);
    }

    /// The names of the chains that are legs, in their order; people's legs have roles of their own.
    pub fn legs(&self) -> impl Iterator<Item = ChainName> + '_ {
        self.legs.iter().copied()
    }

    /// The neck joints from the chest upwards.
    pub fn neck(&self) -> Vec<JointId> {
        self.joint_of.range(Role::Neck(0)..=Role::Neck(u8::MAX)).map(|(_, j)| *j).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_reads_back_from_its_text() {
        let mut roles = vec![Role::Hips, Role::Spine(1), Role::Spine(9), Role::Neck(2), Role::Head];
        for s in Side::BOTH {
            roles.extend([
                Role::Clavicle(s),
                Role::UpperArm(s),
                Role::Forearm(s),
                Role::Hand(s),
                Role::Thigh(s),
                Role::Shin(s),
                Role::Foot(s),
                Role::Toe(s),
            ]);
            roles.extend(Digit::ALL.map(|d| Role::Finger(s, d, 2)));
        }
        for role in roles {
            assert_eq!(role.to_string().parse(), Ok(role));
        }
        for text in ["", "hip", "left", "left_hips", "spine", "spine.x", "left_thumb.9", "thigh"] {
            assert_eq!(text.parse::<Role>(), Err(RoleError(text.to_owned())));
        }
    }
}
