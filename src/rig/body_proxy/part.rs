//! The parts of a body that hands touch.

use crate::rig::Side;
use std::fmt;

/// A part of the body that a hand may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyPart {
    /// From the hips to the shoulders.
    Trunk,
    Head,
    Thigh(Side),
    Shin(Side),
    UpperArm(Side),
    Forearm(Side),
}

impl BodyPart {
    /// How many there are.
    pub const COUNT: usize = 10;

    pub(super) const ALL: [BodyPart; Self::COUNT] = {
        use Side::{Left, Right};
        [
            BodyPart::Trunk,
            BodyPart::Head,
            BodyPart::Thigh(Left),
            BodyPart::Thigh(Right),
            BodyPart::Shin(Left),
            BodyPart::Shin(Right),
            BodyPart::UpperArm(Left),
            BodyPart::UpperArm(Right),
            BodyPart::Forearm(Left),
            BodyPart::Forearm(Right),
        ]
    };

    /// Whose arm it is of, if of one.
    pub fn arm(self) -> Option<Side> {
        match self {
            BodyPart::UpperArm(side) | BodyPart::Forearm(side) => Some(side),
            _ => None,
        }
    }
}

impl fmt::Display for BodyPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (side, word) = match self {
            BodyPart::Trunk => return f.write_str("trunk"),
            BodyPart::Head => return f.write_str("head"),
            BodyPart::Thigh(side) => (side, "thigh"),
            BodyPart::Shin(side) => (side, "shin"),
            BodyPart::UpperArm(side) => (side, "upper arm"),
            BodyPart::Forearm(side) => (side, "forearm"),
        };
        write!(f, "{} {word}", side.word())
    }
}
