//! Side files of contacts, from their files and back.

use super::read_text;
use crate::contact::{self, ContactFile, ContactTrack};
use crate::error::Error;
use crate::rig::Rig;
use std::path::{Path, PathBuf};

/// A side file of contacts that was read.
#[derive(Clone, Debug)]
pub struct LoadedContacts {
    pub path: PathBuf,
    pub file: ContactFile,
}

/// Reads a side file of contacts, for [`SourceClip::contacts`](super::SourceClip::contacts): JSON where its name ends
/// in that, else TOML.
pub fn read_contacts(path: &Path) -> Result<LoadedContacts, Error> {
    parse_contacts(path, &read_text(path)?)
}

/// As [`read_contacts`], of the text of such a file; `path` says by its ending which format it is, and is for messages.
pub fn parse_contacts(path: &Path, text: &str) -> Result<LoadedContacts, Error> {
    let parsed =
        if is_json(path) { ContactFile::parse_json(text) } else { ContactFile::parse(text) };
    let file = parsed
        .map_err(|source| Error::Contacts { path: path.to_owned(), source: Box::new(source) })?;
    Ok(LoadedContacts { path: path.to_owned(), file })
}

/// The text of a side file of contacts of a clip of `rig`, which [`read_contacts`] reads under that name. `clip` is
/// what the clip is called, if anything.
pub fn contacts_text(
    path: &Path,
    track: &ContactTrack,
    rig: &Rig,
    clip: &str,
    frame_time_s: f64,
) -> String {
    if is_json(path) {
        contact::file::write_json(track, rig, clip, frame_time_s)
    } else {
        contact::file::write(track, rig, frame_time_s)
    }
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"))
}
