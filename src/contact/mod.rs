//! When which part of which foot stands, and on what: found on the source clip, never on a result.

mod detect;
pub mod file;
mod level;
mod path;

pub use detect::{ContactSettings, detect};
pub use file::{ContactFile, ContactFileError};
pub use path::{FootPaths, foot_paths};

use crate::rig::FootId;
use serde::Serialize;
use std::ops::Range;

/// A part of a foot that can stand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Heel,
    Ball,
}

impl Part {
    pub const BOTH: [Part; 2] = [Part::Heel, Part::Ball];

    /// Place in an array with one entry a part.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// One stay of a foot's part in one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    pub foot: FootId,
    pub part: Part,
    /// Frames in which it stands, half open.
    pub frames: Range<usize>,
    /// Frames around those in which it is slow and low, half open: it may still settle or give way.
    pub slow: Range<usize>,
    /// Height of the surface it stands on, along the source's up axis, source length units.
    pub floor_height: f64,
}

/// All contacts of a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactTrack {
    /// How many frames the clip has.
    pub frames: usize,
    /// Height of the ground, along the source's up axis, source length units.
    pub floor_height: f64,
    /// In order of foot, part and time; contacts of one part never overlap.
    pub contacts: Vec<Contact>,
}

impl ContactTrack {
    /// The contacts of one part of one foot, in time.
    pub fn of(&self, foot: FootId, part: Part) -> impl Iterator<Item = &Contact> {
        self.contacts.iter().filter(move |c| c.foot == foot && c.part == part)
    }

    /// The same contacts of other feet: those for which `foot` gives one.
    pub fn with_feet(&self, foot: impl Fn(FootId) -> Option<FootId>) -> Self {
        let on = |contact: &Contact| Some(Contact { foot: foot(contact.foot)?, ..contact.clone() });
        Self { contacts: self.contacts.iter().filter_map(on).collect(), ..*self }
    }

    /// Whether every contact lies within the clip and has frames.
    pub fn fits(&self) -> bool {
        let fits = |r: &Range<usize>| r.start < r.end && r.end <= self.frames;
        self.contacts.iter().all(|c| fits(&c.frames) && fits(&c.slow))
    }

    /// For each frame whether the part stands. Panics where the track does not [fit](Self::fits).
    pub fn mask(&self, foot: FootId, part: Part) -> Vec<bool> {
        let mut mask = vec![false; self.frames];
        for contact in self.of(foot, part) {
            mask[contact.frames.clone()].fill(true);
        }
        mask
    }
}
