//! Side files of contacts, from their files and back.

use super::read_text;
use crate::contact::{self, ContactFile, ContactTrack};
use crate::error::Error;
use crate::formats::ends_in;
use crate::rig::Rig;
use std::path::{Path, PathBuf};

/// A side file of contacts that was read, for [`SourceClip::contacts`](super::SourceClip::contacts).
///
/// ```
/// use retarget::{LoadedContacts, LoadedRig, RigFile, Settings, SourceClip, convert};
///
/// let mut source = SourceClip::load("samples/walk.bvh")?;
/// let target = LoadedRig::load("samples/skeletons/hero.toml")?;
/// let done = convert(&source, RigFile::default(), &target, &Settings::default())?;
/// let text = done.contacts.to_text("walk.toml", &done.binding.source, "walk", 1.0 / 60.0);
/// // Edit the text, and convert again.
/// source.contacts = Some(LoadedContacts::parse("walk.toml", &text)?);
/// let again = convert(&source, RigFile::default(), &target, &Settings::default())?;
/// assert_eq!(again.contacts.contacts, done.contacts.contacts);
/// # Ok::<(), retarget::Error>(())
/// ```
#[derive(Clone, Debug)]
#[deny(missing_docs)]
pub struct LoadedContacts {
    /// The file, for messages.
    pub path: PathBuf,
    /// What it says, in frames counted from 0 and source length units.
    pub file: ContactFile,
}

impl LoadedContacts {
    /// Reads a side file of contacts: JSON where its name ends in `.json`, else TOML. Refuses a file that cannot be
    /// read, is not UTF-8, or says what cannot be meant. Whether it fits the clip and its rig is checked at the
    /// conversion.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        Self::parse(path, &read_text(path)?)
    }

    /// As [`load`](Self::load), of the text of such a file; `path` says by its ending which format it is, and is for
    /// messages.
    pub fn parse(path: impl AsRef<Path>, text: &str) -> Result<Self, Error> {
        let path = path.as_ref().to_owned();
        let parsed =
            if is_json(&path) { ContactFile::parse_json(text) } else { ContactFile::parse(text) };
        match parsed {
            Ok(file) => Ok(Self { path, file }),
            Err(source) => Err(Error::Contacts { path, source: Box::new(source) }),
        }
    }
}

impl ContactTrack {
    /// The text of a side file of contacts, which [`LoadedContacts::load`] reads under the name `path`: JSON where that
    /// ends in `.json`, else TOML. Nothing is written to `path`.
    ///
    /// `rig` is that of the clip in which the contacts were found, and `frame_time_s` its seconds from frame to frame,
    /// for who reads the text. JSON has `clip`, what the clip is called, too; it may be empty.
    pub fn to_text(
        &self,
        path: impl AsRef<Path>,
        rig: &Rig,
        clip: &str,
        frame_time_s: f64,
    ) -> String {
        if is_json(path.as_ref()) {
            contact::file::write_json(self, rig, clip, frame_time_s)
        } else {
            contact::file::write(self, rig, frame_time_s)
        }
    }
}

fn is_json(path: &Path) -> bool {
    ends_in(path, "json")
}
