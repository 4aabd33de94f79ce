//! Clips out of files of any format.

use super::files::{FilePieces, beginning};
use super::nodes::{Native, NodeClip, NodeFile};
use super::packing::{is_plain, most_len, unpacked_name};
use super::{SourceClip, beside, is_rig_file, read_bytes, read_raw, read_rig_file};
use crate::arrays::{self, ArrayClip, Meant};
use crate::bvh::{self, BvhFile};
use crate::error::{Error, shell_path};
use crate::formats::{self, Other, Remedy};
use crate::positions::Layout;
use crate::rig::UpAxis;
use std::path::{Path, PathBuf};

/// What a file leaves open and its reader knows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading<'a> {
    /// The animation that is meant, by its name: formats other than BVH may hold several.
    pub clip: Option<&'a str>,
    /// The name of what it was made of, where `clip` leaves open which of several animations is meant: one of this name,
    /// or of its end behind a `/`.
    pub made_of: Option<&'a str>,
    /// Of arrays: which points the places are of.
    pub layout: Option<Layout>,
    /// Of arrays: frames a second, which goes before what the file says.
    pub fps: Option<f64>,
    /// Of arrays: the axis up of the file's world.
    pub up: Option<UpAxis>,
    /// Of arrays: the file of an SMPL model, which says how long bones are.
    pub model: Option<&'a Path>,
    /// What is said of arrays is about other files too, and none of this one where it is not of arrays.
    pub is_mixed: bool,
}

impl Reading<'_> {
    /// Refuses a file that is not of arrays where something is said that is about such alone.
    pub(super) fn refuse_other(&self, path: &Path) -> Result<(), Error> {
        match self.is_of_arrays() && !self.is_mixed {
            true => Err(Error::NotArrays { path: path.to_owned() }),
            false => Ok(()),
        }
    }

    /// Whether it says what only files of arrays leave open.
    pub fn is_of_arrays(&self) -> bool {
        self.layout.is_some() || self.fps.is_some() || self.up.is_some() || self.model.is_some()
    }
}

/// Refuses a file without anything in it, and one whose bytes are of another format than its name says: a result in the
/// format of its name would be of neither. What a `skeleton.toml` lacks its own reader says.
pub(super) fn refuse_misnamed(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if is_rig_file(path) {
        return Ok(());
    }
    if bytes.trim_ascii().is_empty() {
        return Err(Error::Empty { path: path.to_owned() });
    }
    let Some(Other { named, found, remedy }) = formats::other_content(unpacked_name(path), bytes)
    else {
        return Ok(());
    };
    let way_out = match remedy {
        Remedy::Do(advice) => advice.to_owned(),
        Remedy::Rename(end) => {
            let [old, new] = [path, &renamed(path, end)].map(shell_path);
            format!("rename it: mv {old} {new}")
        }
    };
    Err(Error::Misnamed { path: path.to_owned(), named, found, way_out })
}

/// A name of this ending that no file has, for a file that is packed as it is.
fn renamed(path: &Path, end: &str) -> PathBuf {
    let plain = unpacked_name(path);
    let packed = path.as_os_str().to_string_lossy();
    let packed = &packed[plain.as_os_str().to_string_lossy().len()..];
    let with_end = |stem: &Path| PathBuf::from(format!("{}{end}{packed}", stem.display()));
    let replaced = with_end(&plain.with_extension(""));
    if replaced.exists() { with_end(plain) } else { replaced }
}

/// Whether a file may be of arrays, or a `skeleton.toml` of such a file, by its first bytes. What is read but once,
/// such as a pipe, or not at all, may.
pub fn may_be_arrays(path: &Path) -> bool {
    if is_rig_file(path) {
        let file = read_rig_file(path).ok().and_then(|file| file.bvh);
        return file.is_some_and(|named| may_be_arrays(&beside(path, &named)));
    }
    let is_file = path.metadata().is_ok_and(|data| data.is_file());
    !is_file || beginning(path).is_ok_and(|start| arrays::is_one(&start) || !is_plain(&start))
}

impl SourceClip {
    /// Reads a clip from a file of any format. A long one of BVH is never in memory as a whole, unless there is
    /// something to repair in it; time and memory grow with frames times joints. Refuses a file that cannot be read, is
    /// of another format than its name says, is broken beyond repair or holds no motion; and one that holds several
    /// animations, which [`internals::convert::load_take`](load_take) chooses from.
    ///
    /// ```
    /// let clip = retarget::SourceClip::load("samples/walk.bvh")?.clip;
    /// assert!(clip.len() > 100);
    /// # Ok::<(), retarget::Error>(())
    /// ```
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        load_as(path.as_ref(), &Reading::default())
    }

    /// As [`load`](Self::load), of the unpacked bytes of such a file; `path` is for messages, and for files beside it
    /// that it names.
    pub fn from_bytes(path: impl AsRef<Path>, bytes: &[u8]) -> Result<Self, Error> {
        read_as(path.as_ref(), bytes, &Reading::default())
    }
}

/// As [`SourceClip::load`], of the animation of a name: formats other than BVH may hold several.
pub fn load_take(path: &Path, name: Option<&str>) -> Result<SourceClip, Error> {
    load_as(path, &Reading { clip: name, ..Reading::default() })
}

/// As [`SourceClip::load`], with what the reader knows of it.
pub fn load_as(path: &Path, reading: &Reading) -> Result<SourceClip, Error> {
    if reading.clip.is_none()
        && formats::other_ending(unpacked_name(path)).is_none()
        && (!reading.is_of_arrays() || reading.is_mixed && !may_be_arrays(path))
        && let Some(BvhFile { clip, repaired }) =
            FilePieces::open(path).and_then(|file| bvh::read_pieces(&file))
    {
        return Ok(SourceClip { repaired, ..SourceClip::new(path, clip) });
    }
    read_as(path, &read_bytes(path)?, reading)
}

/// As [`SourceClip::from_bytes`], of the animation of a name.
pub fn read_take(path: &Path, bytes: &[u8], name: Option<&str>) -> Result<SourceClip, Error> {
    read_as(path, bytes, &Reading { clip: name, ..Reading::default() })
}

/// As [`SourceClip::from_bytes`], with what the reader knows of it.
pub fn read_as(path: &Path, bytes: &[u8], reading: &Reading) -> Result<SourceClip, Error> {
    refuse_misnamed(path, bytes)?;
    let nameless = |what| Error::Takes {
        path: path.to_owned(),
        why: format!("{what} holds one animation without a name; leave the name out"),
        names: Vec::new(),
    };
    if arrays::is_one(bytes) {
        return match reading.clip {
            Some(_) => Err(nameless("a file of arrays")),
            None => read_arrays(path, bytes, reading),
        };
    }
    reading.refuse_other(path)?;
    if NodeFile::is_one(bytes) {
        let NodeClip { clip, native, notes } = NodeFile::read(path, bytes)?.clip(path, reading)?;
        return Ok(SourceClip { native, notes, ..SourceClip::new(path, clip) });
    }
    let file = bvh::read(bytes).map_err(|source| match is_rig_file(path) {
        true => Error::RigForClip { path: path.to_owned() },
        false => Error::Bvh { path: path.to_owned(), source },
    })?;
    match reading.clip {
        Some(_) => Err(nameless("a BVH file")),
        None => Ok(SourceClip { repaired: file.repaired, ..SourceClip::new(path, file.clip) }),
    }
}

fn read_arrays(path: &Path, bytes: &[u8], reading: &Reading) -> Result<SourceClip, Error> {
    let model = reading.model.map(|model| Ok((model.display().to_string(), read_raw(model)?)));
    let model = model.transpose()?;
    let len = bytes.len().max(model.as_ref().map_or(0, |(_, bytes)| bytes.len()));
    let meant = Meant {
        layout: reading.layout,
        fps: reading.fps,
        up: reading.up,
        model: model.as_ref().map(|(name, bytes)| (name.as_str(), bytes.as_slice())),
        most_len: most_len(len as u64),
    };
    let read = arrays::read(bytes, &meant);
    let ArrayClip { clip, notes, shape } =
        read.map_err(|source| Error::Arrays { path: path.to_owned(), source: Box::new(source) })?;
    let native = Native { shape, ..Native::default() };
    Ok(SourceClip { notes, native, ..SourceClip::new(path, clip) })
}
