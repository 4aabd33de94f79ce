//! What is wrong with a `skeleton.toml`, where, and what would be right.

use crate::rig::names::{JointNameError, did_you_mean};
use crate::rig::{ChainName, Role};
use std::fmt;

/// Something in a `skeleton.toml` that cannot be meant.
#[derive(Clone, Debug, PartialEq)]
pub struct RigFileError {
    /// Counted from 1; `None` where a key is missing or the contents were not read from a text.
    pub line: Option<usize>,
    /// Path of the key, as in `feet.left.heel`; empty for the file as a whole.
    pub key: String,
    pub problem: RigFileProblem,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RigFileProblem {
    #[error("{0}")]
    Syntax(String),
    #[error("unknown key{}; known are {}", did_you_mean(nearest), known.join(", "))]
    UnknownKey { nearest: Option<String>, known: Vec<String> },
    #[error("this is {found}; it must be {wanted}")]
    Wrong { found: String, wanted: String },
    #[error("it must be given")]
    Missing,
    #[error(transparent)]
    Joint(#[from] JointNameError),
    #[error("joint {joint:?} has a role already: {role}")]
    SecondRole { joint: String, role: Box<Role> },
    #[error("joint {joint:?} does not hang below {above:?}, which stands before it in the list")]
    NotBelow { joint: String, above: String },
    #[error("{0} is a leg already; one name is one leg or one chain")]
    SecondChain(Box<ChainName>),
    #[error("{joint:?} would be its own ancestor")]
    Loop { joint: String },
    #[error("give the skeleton as `bvh` or as `[[joints]]`, not as both")]
    TwoSkeletons,
    #[error("the skeleton is missing: name a file with `bvh = \"…\"`, or list its `[[joints]]`")]
    NoSkeleton,
    #[error("the rig's file has {frames} frames; the first is frame 0")]
    NoFrame { frames: usize },
    #[error("joint {joint:?} has {axes} rotation channels, so it takes that many angles")]
    Angles { joint: String, axes: usize },
    #[error("give `pose` or `frame`, not both: the stance is the zero pose or that of a frame")]
    TwoPoses,
    #[error(
        "it lies {times:.0} leg lengths away, and at most {most} can be meant; lengths are in the unit of the rig's own \
         file"
    )]
    FarAway { times: f64, most: f64 },
    #[error("the skeleton has more than {most} joints")]
    TooManyJoints { most: usize },
    #[error("no number in it may be infinite or not a number")]
    NotFinite,
}

impl std::error::Error for RigFileError {}

impl fmt::Display for RigFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.key.is_empty() {
            write!(f, "`{}`: ", self.key)?;
        }
        self.problem.fmt(f)
    }
}
