//! One clip onto one rig.

use crate::clip::Clip;
use crate::contacts::Contacts;
use crate::errors::{raised, wrong};
use crate::make::warn;
use crate::report::Report;
use crate::rig::{clip_of, rig_of};
use crate::threads;
use pyo3::prelude::*;
use retarget::internals::contact::ContactTrack;
use retarget::internals::convert::{self, Conversion, LoadedRig, SourceClip};
use retarget::internals::edit::RootMotion;
use retarget::internals::error::Error;
use retarget::internals::plant::FootPlants;
use retarget::internals::rig::{Rig, RigFile, Scale};
use retarget::internals::settings::Settings;
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

/// What a result was made of.
pub struct Made {
    pub source: Arc<SourceClip>,
    pub target: Arc<LoadedRig>,
    source_rig: Rig,
    /// What the user said of the source's rig.
    pub written: RigFile,
    contacts: ContactTrack,
}

impl Made {
    pub fn contacts(&self) -> Contacts {
        let frame_time_s = self.source.clip.frame_time().seconds();
        Contacts::of(self.contacts.clone(), self.source_rig.clone(), frame_time_s)
    }
}

/// How clips are retargeted, as Python says it.
#[derive(FromPyObject)]
pub enum ScaleArg {
    Factor(f64),
    Word(String),
}

/// The options of `retarget` and `retarget_many`, by their names.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Options {
    foot_plants: String,
    scale: Option<ScaleArg>,
    in_place: bool,
    accept_doubt: bool,
    strict: bool,
    source_rig: Option<PathBuf>,
    root_motion: Option<String>,
    #[pyo3(default = 6)]
    decimals: u8,
}

/// How clips are retargeted.
#[pyclass(frozen, name = "_How", module = "retarget._retarget")]
#[derive(Clone)]
pub struct How {
    settings: Settings,
    written: RigFile,
    /// The scale was said, and goes before what the target's file says.
    has_scale: bool,
}

#[pymethods]
impl How {
    #[new]
    fn new(options: Options) -> PyResult<Self> {
        let Options { in_place, root_motion, strict, accept_doubt, .. } = options;
        if in_place && root_motion.is_some() {
            return Err(wrong(
                "in_place leaves no travel that root_motion could carry; give one of them",
            ));
        }
        let root_motion = root_motion.map(|name| match name.as_str() {
            "auto" => RootMotion::Auto,
            _ => RootMotion::Named(name),
        });
        let mut settings =
            Settings { in_place, root_motion, strict, accept_doubt, ..Settings::default() };
        settings.write.decimals = options.decimals;
        settings.plant.foot_plants = match &*options.foot_plants {
            "auto" => FootPlants::Auto,
            "ground" => FootPlants::Ground,
            "off" => FootPlants::Off,
            other => {
                return Err(wrong(format!(
                    "foot_plants is {other:?}; there are \"auto\", \"ground\" and \"off\""
                )));
            }
        };
        let has_scale = options.scale.is_some();
        settings.binding.scale = match options.scale {
            None => Scale::default(),
            Some(ScaleArg::Factor(factor)) => Scale::Factor(factor),
            Some(ScaleArg::Word(word)) => Scale::named(&word).ok_or_else(|| {
                wrong(format!(
                    "scale is {word:?}; there are \"leg\", \"height\", \"none\" and numbers"
                ))
            })?,
        };
        let written = convert::read_written(options.source_rig.as_deref()).map_err(raised)?;
        Ok(Self { settings, written, has_scale })
    }
}

/// What clips are retargeted onto, and how.
pub struct Setup {
    pub target: Arc<LoadedRig>,
    pub how: How,
}

impl Setup {
    pub fn new(rig: &Bound<'_, PyAny>, how: &How) -> PyResult<Self> {
        let target = rig_of(rig, how.settings.accept_doubt)?;
        Ok(Self { target, how: how.clone() })
    }

    pub fn settings(&self) -> &Settings {
        &self.how.settings
    }

    /// The target, with the scale that counts.
    fn target(&self) -> Cow<'_, LoadedRig> {
        if !self.how.has_scale || self.target.file.scale.is_none() {
            return Cow::Borrowed(&self.target);
        }
        Cow::Owned(convert::with_asked_scale((*self.target).clone(), true))
    }

    /// Retargets a clip and keeps the result, with what was made of the source's frames, a sentence each.
    pub fn retargeted(
        &self,
        source: &Arc<SourceClip>,
    ) -> Result<(Clip, Report, Vec<String>), Error> {
        let target = self.target();
        let done = convert::convert(source, self.how.written.clone(), &target, self.settings())?;
        let (result, done) = done.apart();
        let report = report(&done);
        let made = Made {
            source: Arc::clone(source),
            target: Arc::clone(&self.target),
            source_rig: done.binding.source,
            written: self.how.written.clone(),
            contacts: done.contacts,
        };
        let name = source.path.file_stem().unwrap_or_default();
        let target = self.target.path.file_stem().unwrap_or_default();
        let path = format!("{}.{}.bvh", name.display(), target.display());
        Ok((Clip::made(PathBuf::from(path), result, made), report, done.notes))
    }

    /// The way to a result up to its frames.
    pub fn planned<'a>(&self, source: &'a SourceClip) -> Result<convert::Planned<'a>, Error> {
        let written = self.how.written.clone();
        convert::plan(source, written, &self.target(), self.settings(), &mut |_| ())
    }
}

pub fn report<R>(done: &Conversion<R>) -> Report {
    Report::of(done.report.clone(), done.binding.scale, done.plant.misses.len())
}

/// Retargets a clip onto a rig: the result, and the report on it.
#[pyfunction(name = "_retarget")]
pub fn retarget_clip(
    py: Python<'_>,
    clip: &Bound<'_, PyAny>,
    rig: &Bound<'_, PyAny>,
    how: &How,
    contacts: Option<PathBuf>,
) -> PyResult<(Clip, Report)> {
    let setup = Setup::new(rig, how)?;
    let clip = clip_of(clip)?;
    let mut source = Arc::clone(&clip.get().source);
    if let Some(path) = contacts {
        let contacts = convert::LoadedContacts::load(&path).map_err(raised)?;
        source = Arc::new(SourceClip { contacts: Some(contacts), ..(*source).clone() });
    }
    let (clip, report, notes) =
        py.detach(|| threads::shared(|| setup.retargeted(&source))).map_err(raised)?;
    warn(py, &notes)?;
    Ok((clip, report))
}
