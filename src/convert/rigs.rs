//! Rigs out of files, and what users say of them.

use super::body::{ReadBody, parse_body, read_body};
use super::files::{is_rig_file, open, read_bytes, read_text, unpacked};
use super::nodes::NodeFile;
use super::{LoadedRig, Reading, packing};
use crate::arrays;
use crate::error::Error;
use crate::formats::is_bvh;
use crate::rig::RigFile;
use std::io;
use std::path::{Path, PathBuf};

/// Reads a `skeleton.toml`.
pub fn read_rig_file(path: &Path) -> Result<RigFile, Error> {
    let text = read_text(path)?;
    RigFile::parse(&text).map_err(|source| Error::RigFile { path: path.to_owned(), source })
}

/// Reads what a user says of a clip's rig. A `skeleton.toml` with `[[joints]]` is a rig in full, to which
/// clips are held; another one must name no file, since the clip has the skeleton, and nothing that
/// only a target needs.
pub fn read_source_file(path: &Path) -> Result<RigFile, Error> {
    if is_clip(path) {
        return Err(Error::ClipForRig { path: path.to_owned() });
    }
    let file = read_rig_file(path)?;
    if !file.joints.is_empty() && file.bvh.is_none() {
        return Ok(file);
    }
    let keys = [
        ("bvh", file.bvh.is_some()),
        ("scale", file.scale.is_some()),
        ("floor", file.floor.is_some()),
        ("[limits]", !file.limits.is_empty()),
        ("human_limits", file.human_limits.is_some()),
        ("[weights]", !file.weights.is_empty()),
    ];
    match keys.into_iter().find(|(_, given)| *given) {
        Some((key, _)) => Err(Error::NotOfSource { path: path.to_owned(), key }),
        None => Ok(file),
    }
}

/// Reads what a user says of a clip's rig, if anything.
pub fn read_written(path: Option<&Path>) -> Result<RigFile, Error> {
    path.map_or(Ok(RigFile::default()), read_source_file)
}

/// Whether a file is of a format that holds joints, by its first bytes.
fn is_clip(path: &Path) -> bool {
    const ENOUGH: u64 = 256;
    let start = open(path).and_then(|(file, _)| packing::beginning(file, ENOUGH));
    start.is_ok_and(|it| is_bvh(&it) || NodeFile::is_one(&it) || arrays::is_one(&it))
}

impl LoadedRig {
    /// Loads a rig from a `skeleton.toml`, or from a clip or a character of any format. Refuses a file that cannot be
    /// read or is broken, and a skeleton that makes no rig. Refuses joints that are not surely recognised, and proposes
    /// the lines that settle them. Whether its up axis or its stance is in doubt is checked at the conversion.
    ///
    /// ```
    /// let rig = retarget::LoadedRig::load("samples/skeletons/hero.toml")?.rig;
    /// assert!(rig.leg_len > 0.0);
    /// # Ok::<(), retarget::Error>(())
    /// ```
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        load_rig_with(path.as_ref(), false)
    }

    /// As [`load`](Self::load), of the unpacked bytes of a clip or a character; `path` is for messages, and for files
    /// beside it that it names.
    pub fn from_bytes(path: impl AsRef<Path>, bytes: &[u8]) -> Result<Self, Error> {
        let path = path.as_ref();
        parse_body(path, bytes, &Reading::default())?.rig(path, RigFile::default(), false)
    }

    /// As [`load`](Self::load), of the text of a `skeleton.toml`. `path` is for messages; `read` gives the bytes of the
    /// file that the text names as `bvh`, by its path from the folder of `path`, and is not called where it names none.
    /// Packed bytes are unpacked.
    pub fn from_toml(
        path: impl AsRef<Path>,
        text: &str,
        read: impl FnOnce(&Path) -> io::Result<Vec<u8>>,
    ) -> Result<Self, Error> {
        let unpacked = |named: &Path| {
            let bytes =
                read(named).map_err(|source| Error::Read { path: named.to_owned(), source })?;
            unpacked(named, bytes)
        };
        rig_of_text(path.as_ref(), text, unpacked, &Reading::default(), false)
    }
}

/// As [`LoadedRig::load`]; with `accept_doubt` it goes on with the likeliest reading where the evidence for its roles
/// is weak or contradicts itself.
pub fn load_rig_with(path: &Path, accept_doubt: bool) -> Result<LoadedRig, Error> {
    load_rig_as(path, &Reading::default(), accept_doubt)
}

/// As [`load_rig_with`], with what the reader knows of a file of arrays.
pub fn load_rig_as(path: &Path, reading: &Reading, accept_doubt: bool) -> Result<LoadedRig, Error> {
    if !is_rig_file(path) {
        return read_body(path, reading)?.rig(path, RigFile::default(), accept_doubt);
    }
    rig_of_text(path, &read_text(path)?, read_bytes, reading, accept_doubt)
}

fn rig_of_text(
    path: &Path,
    text: &str,
    read: impl FnOnce(&Path) -> Result<Vec<u8>, Error>,
    reading: &Reading,
    accept_doubt: bool,
) -> Result<LoadedRig, Error> {
    let wrong = |source| Error::RigFile { path: path.to_owned(), source };
    let file = RigFile::parse(text).map_err(wrong)?;
    if let Some(skeleton) = file.skeleton().map_err(wrong)? {
        return ReadBody::of(skeleton).rig(path, file, accept_doubt);
    }
    let named = beside(path, file.bvh.as_deref().unwrap_or_default());
    let body =
        read(&named).and_then(|bytes| parse_body(&named, &bytes, reading)).map_err(|error| {
            match error {
                // An FBX file begins as no other does, so that its errors quote nothing else.
                error @ Error::Nodes { format: "FBX", .. } => error,
                Error::Empty { .. }
                | Error::Misnamed { .. }
                | Error::Bvh { .. }
                | Error::Nodes { .. }
                | Error::Scene { .. } => Error::NotRig { path: path.to_owned(), named },
                Error::Read { path: unread, source } if unread == named => {
                    Error::NamedUnreadable { path: path.to_owned(), named, source }
                }
                error => error,
            }
        })?;
    body.rig(path, file, accept_doubt)
}

/// A target whose own scale method gives way where another one is asked for.
#[must_use]
pub fn with_asked_scale(mut target: LoadedRig, is_asked: bool) -> LoadedRig {
    if is_asked {
        target.file.scale = None;
    }
    target
}

/// A path that a file names, which counts from the file's own folder.
pub(super) fn beside(path: &Path, named: &str) -> PathBuf {
    path.parent().map_or(PathBuf::from(named), |folder| folder.join(named))
}

/// Once the target is loaded, what is wrong in a rig's file is wrong in what the user wrote of the
/// source in the file `from`, not in the clip that it is about.
pub fn in_written(error: Error, from: Option<&Path>) -> Error {
    match (error, from) {
        (Error::RigFile { source, .. }, Some(from)) => {
            Error::RigFile { path: from.to_owned(), source }
        }
        (error, _) => error,
    }
}
