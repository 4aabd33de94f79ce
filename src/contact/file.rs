//! The side file of contacts: what a person reads, and edits, of when feet stand and hands and knees carry.
//!
//! TOML, or JSON with the same keys; frames counted from 0. Every key is optional; what is not written is as it was
//! found:
//!
//! | key | meaning | without it |
//! |---|---|---|
//! | `clip`, `fps` | what the clip is called and its frames a second: for who reads it | |
//! | `half_open` | with `true`, LAST is the frame after the last one, as JSON is written | `false` |
//! | `frames` | how many frames the clip has, so that the file of another clip is refused | any |
//! | `floor_height` | height of the ground along the source's up axis, source length units | found |
//! | `[feet.NAME]` | `heel`, `ball` and `tip`: the contact intervals of that part in time, in the place of all that were found | found |
//! | `[hands]`, `[knees]` | `left` and `right`: the intervals of that limb, without `slow` | found |
//!
//! A contact interval is `{ frames = [FIRST, LAST], slow = [FIRST, LAST], floor_height = H }`. It stands from the first
//! to the last frame of `frames`. In `slow`, which is `frames` unless it says more, it may still land or leave. It
//! stands on the ground unless `floor_height` says otherwise. With `slides = true` it moves on along its floor.

mod apply;
mod json;
mod parse;
mod write;

pub use json::write_json;
pub use write::write;

use super::Limb;
use crate::rig::names::did_you_mean;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// The contents of a side file, as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactFile {
    /// How many frames the clip has.
    pub frames: Option<Stated<usize>>,
    /// Height of the ground, along the source's up axis, source length units.
    pub floor_height: Option<Stated<f64>>,
    /// What is said of each foot, by its name.
    pub feet: BTreeMap<String, Stated<StatedFoot>>,
    /// The intervals of hands and knees; those that are missing are as they are found.
    pub limbs: BTreeMap<Limb, Intervals>,
}

/// The intervals of a part, in any order.
pub type Intervals = Stated<Vec<Stated<StatedInterval>>>;

/// Something that a line says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stated<T> {
    /// Counted from 1.
    pub line: usize,
    pub value: T,
}

/// What is said of one foot, by [`Part::index`](super::Part::index): `None` leaves a part as it is found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatedFoot {
    pub parts: [Option<Intervals>; 3],
}

/// A contact interval of one part.
#[derive(Clone, Debug, PartialEq)]
pub struct StatedInterval {
    /// Frames in which it stands, half open, not empty.
    pub frames: Range<usize>,
    /// Frames around those in which it is slow and low, half open; they hold `frames`.
    pub slow: Range<usize>,
    /// Height of what it stands on; the ground where there is none.
    pub floor_height: Option<f64>,
    /// It moves on along its floor.
    pub slides: bool,
}

/// Something in a side file that cannot be meant.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactFileError {
    /// Counted from 1; `None` for the file as a whole.
    pub line: Option<usize>,
    pub problem: ContactFileProblem,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ContactFileProblem {
    #[error("{0}")]
    Syntax(String),
    #[error("the frames {first} to {last} run backwards; the first comes first")]
    Backwards { first: usize, last: usize },
    #[error("a height must be a finite number")]
    NotFinite,
    #[error("no foot is called {name:?}{}; the rig has {}", did_you_mean(nearest), known.join(", "))]
    UnknownFoot { name: String, nearest: Option<String>, known: Vec<String> },
    #[error("{foot} stands on one point alone; write its contact intervals as `ball`")]
    OnePoint { foot: String },
    #[error("the rig has no {side} {limb}")]
    NoLimb { side: &'static str, limb: &'static str },
    #[error(
        "these are contacts of a clip with {stated} frames, and this one has {frames}; take the file that \
         --contacts wrote for it"
    )]
    OtherClip { stated: usize, frames: usize },
    #[error("frame {last} is not in the clip, whose last frame is {}", frames - 1)]
    Outside { last: usize, frames: usize },
    #[error(
        "it begins in frame {first}, while the contact interval before it lasts to frame {last}; part the two or join them"
    )]
    Overlap { first: usize, last: usize },
    #[error(
        "a floor at {floor} is too far from the foot, which is at {part} in frame {frame}; a height is \
         along the up axis, in the clip's length unit"
    )]
    FarFloor { floor: f64, part: f64, frame: usize },
    #[error(
        "a ground at {floor} is too far from the one that is found, at {found}; a height is along the \
         up axis, in the clip's length unit"
    )]
    FarGround { floor: f64, found: f64 },
}

impl std::error::Error for ContactFileError {}

impl fmt::Display for ContactFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        self.problem.fmt(f)
    }
}

impl<T> Stated<T> {
    /// An error about it.
    fn error(&self, problem: ContactFileProblem) -> ContactFileError {
        ContactFileError { line: Some(self.line), problem }
    }
}
