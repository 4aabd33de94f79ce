//! When which part of which foot stands, and on what, and when hands and knees carry weight: found on the
//! source clip, never on a result.
//!
//! [`ContactTrack::of`] gives the intervals of a part of a foot, [`ContactTrack::of_limb`] those of a hand or a
//! knee, each with its frames and the height of what it rests on.
//!
//! ```
//! use retarget::internals::contact::Part;
//! use retarget::{LoadedRig, RigFile, Settings, SourceClip, convert};
//!
//! let source = SourceClip::load("samples/walk.bvh")?;
//! let target = LoadedRig::load("samples/skeletons/hero.toml")?;
//! let done = convert(&source, RigFile::default(), &target, &Settings::default())?;
//! let foot = done.binding.source.foot_ids().next().expect("people have feet");
//! assert!(done.contacts.of(foot, Part::Ball).all(|contact| !contact.frames.is_empty()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod detect;
pub mod file;
mod interval;
mod lean;
mod level;
mod limb;
mod noise;
mod path;
mod point;
mod rest;
mod slide;

pub use detect::{ContactSettings, detect};
pub use file::{ContactFile, ContactFileError};
pub use limb::Limb;
pub(crate) use limb::LimbPoints;
pub use path::{FootPaths, LowestHeights, foot_paths};

use crate::clip::Clip;
use crate::math::median;
use crate::pose::WorldPose;
use crate::rig::{FootId, Rig};
use serde::Serialize;
use std::ops::Range;

/// A part of a foot that can stand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Heel,
    Ball,
    /// The tip of the toes.
    Tip,
}

impl Part {
    /// From the back to the front.
    pub const ALL: [Part; 3] = [Part::Heel, Part::Ball, Part::Tip];
    /// The parts that planting holds in their places; the tip follows from the ball.
    pub const HELD: [Part; 2] = [Part::Heel, Part::Ball];

    /// Place in an array with one entry a part.
    pub fn index(self) -> usize {
        self as usize
    }

    /// What texts and files call it.
    pub fn word(self) -> &'static str {
        match self {
            Part::Heel => "heel",
            Part::Ball => "ball",
            Part::Tip => "tip",
        }
    }
}

/// One contact interval of a foot's part in one place.
#[derive(Clone, Debug, PartialEq)]
#[deny(missing_docs)]
pub struct Contact {
    /// The foot of the source that stands.
    pub foot: FootId,
    /// Which part of it.
    pub part: Part,
    /// Frames in which it stands, counted from 0, half open.
    pub frames: Range<usize>,
    /// Frames in which it is slow and near the floor, half open; they hold `frames`. Outside `frames` it still lands or
    /// already leaves.
    pub slow: Range<usize>,
    /// Height of the surface it stands on, along the source's up axis, source length units.
    pub floor_height: f64,
    /// Whether the part slides: it carries weight but moves along the floor, so it is not held in a place.
    pub slides: bool,
}

/// One contact interval of a hand or a knee that carries weight.
#[derive(Clone, Debug, PartialEq)]
pub struct LimbContact {
    pub limb: Limb,
    /// Frames in which it stays in its place, half open.
    pub frames: Range<usize>,
    /// Height of the surface under it, along the source's up axis, source length units. The joint is higher by what is
    /// around it.
    pub floor_height: f64,
}

impl LimbContact {
    /// How high the limb's place, its wrist or knee, and its lowest point are over the floor on which it carries weight, source
    /// length units: the medians of some of its frames in `source`. 0 for a limb that `rig` lacks.
    pub(crate) fn heights(&self, source: &Clip, rig: &Rig) -> [f64; 2] {
        const SAMPLES: usize = 25;
        let Some(points) = LimbPoints::of(rig, self.limb) else { return [0.0; 2] };
        let step = self.frames.len().div_ceil(SAMPLES).max(1);
        let heights = self.frames.clone().step_by(step).map(|frame| {
            let world = WorldPose::of(source.skeleton(), &source.pose(frame));
            [points.place(&world), points.at(&world, rig)]
                .map(|point| rig.up.height(point) - self.floor_height)
        });
        let heights: Vec<[f64; 2]> = heights.collect();
        [0, 1].map(|i| median(heights.iter().map(|both| both[i])).max(0.0))
    }
}

/// All contacts of a source clip.
#[derive(Clone, Debug, PartialEq)]
#[deny(missing_docs)]
pub struct ContactTrack {
    /// How many frames the clip has.
    pub frames: usize,
    /// Height of the ground, along the source's up axis, source length units.
    pub floor_height: f64,
    /// In order of foot, part and time; contacts of one part never overlap.
    pub contacts: Vec<Contact>,
    /// Hands and knees, in order of limb and time; contacts of one limb never overlap.
    pub limbs: Vec<LimbContact>,
}

/// The parts of a rig's feet that can stand, with their names: `left_heel`, `right_ball`.
pub fn foot_parts(rig: &Rig) -> Vec<(FootId, Part, String)> {
    let parts = |foot: FootId| {
        let parts = if rig.foot(foot).is_point() { &[Part::Ball][..] } else { &Part::ALL };
        let named = move |&part: &Part| format!("{}_{}", rig.foot(foot).name, part.word());
        parts.iter().map(move |part| (foot, *part, named(part)))
    };
    rig.foot_ids().flat_map(parts).collect()
}

impl ContactTrack {
    /// The contacts of one part of one foot, in order of time.
    pub fn of(&self, foot: FootId, part: Part) -> impl Iterator<Item = &Contact> {
        self.contacts.iter().filter(move |c| c.foot == foot && c.part == part)
    }

    /// The contacts of a hand or a knee, in order of time.
    pub fn of_limb(&self, limb: Limb) -> impl Iterator<Item = &LimbContact> {
        self.limbs.iter().filter(move |c| c.limb == limb)
    }

    /// The same contacts with other feet, such as the target's: `foot` gives the new foot of each, or `None` for a
    /// contact that is left out. Hands and knees stay.
    pub fn with_feet(&self, foot: impl Fn(FootId) -> Option<FootId>) -> Self {
        let on = |contact: &Contact| Some(Contact { foot: foot(contact.foot)?, ..contact.clone() });
        let contacts = self.contacts.iter().filter_map(on).collect();
        Self { contacts, limbs: self.limbs.clone(), ..*self }
    }

    /// The track of the same clip, with its floor, without any contact.
    pub fn without_intervals(&self) -> Self {
        Self { contacts: Vec::new(), limbs: Vec::new(), ..*self }
    }

    /// Whether every contact lies within the clip and has frames. What a conversion returns always does.
    pub fn fits(&self) -> bool {
        let fits = |r: &Range<usize>| r.start < r.end && r.end <= self.frames;
        self.contacts.iter().all(|c| fits(&c.frames) && fits(&c.slow))
            && self.limbs.iter().all(|c| fits(&c.frames))
    }

    /// For each frame of the clip whether the part stands in one place, and so does not slide. Panics where the track
    /// does not [fit](Self::fits) its clip.
    pub fn mask(&self, foot: FootId, part: Part) -> Vec<bool> {
        self.frames_of(self.of(foot, part).filter(|contact| !contact.slides))
    }

    /// For each frame of the clip whether it is in one of these contacts. Panics as `mask` does.
    pub(crate) fn frames_of<'a>(&self, contacts: impl Iterator<Item = &'a Contact>) -> Vec<bool> {
        self.marked(contacts.map(|contact| &contact.frames))
    }

    /// For each frame of the clip whether it is in one of these ranges. Panics where one is not within the clip.
    pub(crate) fn marked<'a>(&self, ranges: impl Iterator<Item = &'a Range<usize>>) -> Vec<bool> {
        let mut mask = vec![false; self.frames];
        ranges.for_each(|range| mask[range.clone()].fill(true));
        mask
    }

    /// For each frame whether a hand or a knee carries weight. Panics as `mask` does.
    pub(crate) fn limb_mask(&self, limb: Limb) -> Vec<bool> {
        self.marked(self.of_limb(limb).map(|contact| &contact.frames))
    }

    /// The [mask](Self::mask) of each part of each foot of `rig`, the rig of the source, and the like of each hand and
    /// knee: for each frame whether it carries weight. Each has its name, such as `left_ball`. Panics as `mask` does.
    pub fn masks(&self, rig: &Rig) -> Vec<(String, Vec<bool>)> {
        let feet = foot_parts(rig).into_iter();
        let feet = feet.map(|(foot, part, name)| (name, self.mask(foot, part)));
        let limbs = Limb::ALL.into_iter().map(|limb| (limb.name(), self.limb_mask(limb)));
        feet.chain(limbs).collect()
    }
}
