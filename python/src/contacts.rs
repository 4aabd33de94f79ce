//! When feet, hands and knees carry weight.

use crate::arrays::array;
use crate::errors::{raised, wrong};
use numpy::PyArrayMethods;
use pyo3::prelude::*;
use retarget::internals::clip::Clip;
use retarget::internals::contact::{self, ContactSettings, ContactTrack, Limb};
use retarget::internals::convert;
use retarget::internals::rig::Rig;
use std::path::PathBuf;

/// One contact interval of a part of a foot, a hand or a knee in one place.
#[pyclass(frozen, get_all, module = "retarget")]
#[derive(Clone)]
pub struct Contact {
    /// What stands or leans: "left_ball", "right_heel", "left_hand", "right_knee".
    pub part: String,
    /// The first frame in which it does.
    pub start: usize,
    /// The first frame in which it does no longer.
    pub end: usize,
    /// Height of what it rests on, along the source's up axis, source length units.
    pub floor_height: f64,
    /// Whether it keeps to the floor and moves on along it.
    pub slides: bool,
}

#[pymethods]
impl Contact {
    fn __repr__(&self) -> String {
        let Self { part, start, end, floor_height, slides } = self;
        format!("Contact({part:?}, {start}, {end}, floor_height={floor_height:?}, slides={slides})")
    }
}

/// All contacts of a clip: intervals as a list, or masks of T frames by part.
#[pyclass(frozen, module = "retarget")]
pub struct Contacts {
    track: ContactTrack,
    rig: Rig,
    frame_time_s: f64,
}

impl Contacts {
    /// The masks of all parts, by their names.
    pub fn by_name(&self) -> Vec<(String, Vec<bool>)> {
        self.track.masks(&self.rig)
    }

    pub fn of(track: ContactTrack, rig: Rig, frame_time_s: f64) -> Self {
        Self { track, rig, frame_time_s }
    }

    /// Those of a clip of this rig.
    pub fn detected(clip: &Clip, rig: &Rig) -> Self {
        let frame_time_s = clip.frame_time().seconds();
        let paths = contact::foot_paths(clip, rig);
        let track = contact::detect(&paths, rig, frame_time_s, &ContactSettings::default());
        Self::of(track, rig.clone(), frame_time_s)
    }

    /// The contact intervals by the name of what stands.
    fn intervals(&self) -> Vec<Contact> {
        let feet = contact::foot_parts(&self.rig).into_iter().flat_map(|(foot, part, name)| {
            self.track.of(foot, part).map(move |contact| Contact {
                part: name.clone(),
                start: contact.frames.start,
                end: contact.frames.end,
                floor_height: contact.floor_height,
                slides: contact.slides,
            })
        });
        let limbs = Limb::ALL.into_iter().flat_map(|limb| {
            self.track.of_limb(limb).map(move |contact| Contact {
                part: limb.name(),
                start: contact.frames.start,
                end: contact.frames.end,
                floor_height: contact.floor_height,
                slides: false,
            })
        });
        feet.chain(limbs).collect()
    }
}

#[pymethods]
impl Contacts {
    /// What can stay: heel, ball and tip of each foot, then hands and knees; the columns of `masks`.
    #[getter]
    fn parts(&self) -> Vec<String> {
        let feet = contact::foot_parts(&self.rig).into_iter().map(|(_, _, name)| name);
        feet.chain(Limb::ALL.map(Limb::name)).collect()
    }

    /// Height of the ground, along the source's up axis, source length units.
    #[getter]
    fn floor_height(&self) -> f64 {
        self.track.floor_height
    }

    /// For each frame and each of `parts` whether it stays in one place: (T, P), bool, a new array. What slides does
    /// not stay.
    fn masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let parts = self.parts();
        let mut masks = vec![false; self.track.frames * parts.len()];
        for interval in self.intervals().into_iter().filter(|interval| !interval.slides) {
            let place = parts.iter().position(|part| *part == interval.part).unwrap_or_default();
            (interval.start..interval.end)
                .for_each(|frame| masks[frame * parts.len() + place] = true);
        }
        array(py, masks, &[self.track.frames, parts.len()])
    }

    /// For each frame whether this part stays in one place: (T,), bool, a new array. Raises ValueError for a part that
    /// is none of `parts`.
    fn mask<'py>(&self, py: Python<'py>, part: &str) -> PyResult<Bound<'py, PyAny>> {
        let parts = self.parts();
        if !parts.iter().any(|known| known == part) {
            return Err(wrong(format!(
                "nothing is called {part:?}; there are {}",
                parts.join(", ")
            )));
        }
        let mut mask = vec![false; self.track.frames];
        for interval in self
            .intervals()
            .into_iter()
            .filter(|interval| !interval.slides && interval.part == part)
        {
            mask[interval.start..interval.end].fill(true);
        }
        Ok(numpy::PyArray1::from_vec(py, mask).reshape([self.track.frames])?.into_any())
    }

    /// Writes the side file that `retarget --contacts` writes, as TOML or, where the name ends in .json, JSON; edited,
    /// it goes back in as `contacts=`.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let text = self.track.to_text(&path, &self.rig, "", self.frame_time_s);
        convert::write_whole(&path, text.as_bytes(), &[]).map_err(raised)
    }

    fn __len__(&self) -> usize {
        self.intervals().len()
    }

    fn __getitem__(&self, place: isize) -> PyResult<Contact> {
        let mut intervals = self.intervals();
        let count = intervals.len() as isize;
        let at = if place < 0 { place + count } else { place };
        match (0..count).contains(&at) {
            true => Ok(intervals.swap_remove(at as usize)),
            false => Err(pyo3::exceptions::PyIndexError::new_err(format!(
                "there are {count} contact intervals"
            ))),
        }
    }

    fn __repr__(&self) -> String {
        format!(
            "<retarget.Contacts: {} intervals in {} frames>",
            self.intervals().len(),
            self.track.frames
        )
    }
}
