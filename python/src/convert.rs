//! One clip onto one rig.

use crate::clip::Clip;
use crate::contacts::Contacts;
use crate::errors::{raised, wrong};
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

/// How clips are carried over, as Python says it.
#[derive(FromPyObject)]
pub enum ScaleArg {
    Factor(f64),
    Word(String),
}

/// What clips are carried onto, and how.
pub struct Setup {
    pub target: Arc<LoadedRig>,
    pub settings: Settings,
    pub written: RigFile,
    /// The scale was said, and goes before what the target's file says.
    has_scale: bool,
}

impl Setup {
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        rig: &Bound<'_, PyAny>,
        foot_plants: &str,
        scale: Option<ScaleArg>,
        in_place: bool,
        accept_doubt: bool,
        strict: bool,
        source_rig: Option<PathBuf>,
        root_motion: Option<String>,
    ) -> PyResult<Self> {
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
        settings.plant.foot_plants = match foot_plants {
            "auto" => FootPlants::Auto,
            "ground" => FootPlants::Ground,
            "off" => FootPlants::Off,
            other => {
                return Err(wrong(format!(
                    "foot_plants is {other:?}; there are \"auto\", \"ground\" and \"off\""
                )));
            }
        };
        let has_scale = scale.is_some();
        settings.binding.scale = match scale {
            None => Scale::default(),
            Some(ScaleArg::Factor(factor)) => Scale::Factor(factor),
            Some(ScaleArg::Word(word)) => Scale::named(&word).ok_or_else(|| {
                wrong(format!(
                    "scale is {word:?}; there are \"leg\", \"height\", \"none\" and numbers"
                ))
            })?,
        };
        let written = convert::read_written(source_rig.as_deref()).map_err(raised)?;
        let target = rig_of(rig, accept_doubt)?;
        Ok(Self { target, settings, written, has_scale })
    }

    /// The target, with the scale that counts.
    fn target(&self) -> Cow<'_, LoadedRig> {
        if !self.has_scale || self.target.file.scale.is_none() {
            return Cow::Borrowed(&self.target);
        }
        let mut target = (*self.target).clone();
        target.file.scale = None;
        Cow::Owned(target)
    }

    /// Carries a clip over and keeps the result.
    pub fn carried(&self, source: &Arc<SourceClip>) -> Result<(Clip, Report), Error> {
        let target = self.target();
        let done = convert::convert(source, self.written.clone(), &target, &self.settings)?;
        let (result, done) = done.apart();
        let report = report(&done);
        let made = Made {
            source: Arc::clone(source),
            target: Arc::clone(&self.target),
            source_rig: done.binding.source,
            written: self.written.clone(),
            contacts: done.contacts,
        };
        let name = source.path.file_stem().unwrap_or_default();
        let target = self.target.path.file_stem().unwrap_or_default();
        let path = format!("{}.{}.bvh", name.display(), target.display());
        Ok((Clip::made(PathBuf::from(path), result, made), report))
    }

    /// The way to a result up to its frames.
    pub fn planned<'a>(&self, source: &'a SourceClip) -> Result<convert::Planned<'a>, Error> {
        convert::plan(source, self.written.clone(), &self.target(), &self.settings, &mut |_| ())
    }
}

pub fn report<R>(done: &Conversion<R>) -> Report {
    Report::of(done.report.clone(), done.binding.scale, done.plant.misses.len())
}

/// Carries a clip onto a rig: the result, and the report on it.
///
/// clip: a Clip or a path. rig: a Rig, or a path or Clip to make one of.
/// foot_plants: "auto", feet stand where the source's stand; "ground", kept above the ground but free; "off".
/// scale: "leg", "height", "none" or a factor, target over source; without it what the rig's file says, else "leg".
/// in_place: keep the hips from travelling, once the feet are planted.
/// accept_doubt: go on with the likeliest reading of a rig where what was found is in doubt.
/// strict: refuse files that have to be mended.
/// source_rig: a skeleton.toml with what you say of the clip's own rig. contacts: a side file of when the feet stand.
/// root_motion: the joint above the hips that the travel goes on, or "auto" for the one that they hang on.
///
/// The result has the target's joints and the source's frame rate, and is the same as the command line's. Runs without
/// the interpreter's lock, on all cores. Raises ValueError where a rig is not recognised or the two do not go
/// together, OSError where a file cannot be read.
#[pyfunction(name = "retarget")]
#[pyo3(signature = (clip, rig, *, foot_plants = "auto", scale = None, in_place = false, accept_doubt = false,
                    strict = false, source_rig = None, contacts = None, root_motion = None))]
#[allow(clippy::too_many_arguments)]
pub fn carry(
    py: Python<'_>,
    clip: &Bound<'_, PyAny>,
    rig: &Bound<'_, PyAny>,
    foot_plants: &str,
    scale: Option<ScaleArg>,
    in_place: bool,
    accept_doubt: bool,
    strict: bool,
    source_rig: Option<PathBuf>,
    contacts: Option<PathBuf>,
    root_motion: Option<String>,
) -> PyResult<(Clip, Report)> {
    let setup = Setup::new(
        rig,
        foot_plants,
        scale,
        in_place,
        accept_doubt,
        strict,
        source_rig,
        root_motion,
    )?;
    let clip = clip_of(clip)?;
    let mut source = Arc::clone(&clip.get().source);
    if let Some(path) = contacts {
        let contacts = convert::read_contacts(&path).map_err(raised)?;
        source = Arc::new(SourceClip { contacts: Some(contacts), ..(*source).clone() });
    }
    py.detach(|| threads::shared(|| setup.carried(&source))).map_err(raised)
}
