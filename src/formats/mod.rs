//! Which formats of files there are. A folder for each of those of nodes, which only the list of all formats names.
//!
//! ```
//! use retarget::internals::formats;
//!
//! assert!(formats::is_clip_name("walk.bvh.gz".as_ref()));
//! assert!(formats::is_result_name("walk.vrma".as_ref()));
//! assert!(!formats::is_result_name("walk.toml".as_ref()));
//! ```

mod content;
mod made;

pub use content::{Other, Remedy, is_bvh, other_content};
pub use made::{Made, NewFile};
pub(crate) use made::{made, made_as};

use crate::arrays;
use crate::scene::{FormatError, Reader, WayOut};
use content::{Kind, holds, is_zip};
use std::iter::once;
use std::path::Path;

/// Names the formats that have a folder, as a module each and in a list, so that a line names one.
macro_rules! folders {
    ($($format:ident,)*) => {
        $(pub mod $format;)*

        /// The formats that have a folder, in the order in which endings are listed and kinds of files tried.
        static FOLDERS: &[&Format] = &[$(&$format::FORMAT),*];
    };
}

folders! {
    gltf,
    fbx,
}

/// BVH, which `bvh` reads and writes.
static HIERARCHIES: Format = Format {
    names: &["BVH (packed or not)"],
    read: &[".bvh", ".bvh.gz", ".bvh.zst"],
    written: &[".bvh", ".bvh.gz", ".bvh.zst"],
    kinds: &[Kind::read("BVH", &[".bvh"], is_bvh)],
    nodes: None,
    made: &[],
    way_out: |_| None,
};

/// What numpy saves, which `arrays` reads and writes.
static ARRAYS: Format = Format {
    names: &[".npz", ".npy"],
    read: &[".npz", ".npy"],
    written: &[".npz", ".npy"],
    kinds: &[
        Kind::read("an array of numpy", &[".npy"], arrays::is_array),
        Kind::read("an archive of numpy", &[".npz"], |bytes| {
            is_zip(bytes) && holds(bytes, b".npy")
        }),
    ],
    nodes: None,
    made: &[],
    way_out: |_| None,
};

/// A format of files.
struct Format {
    /// What lists of the formats that are read call it and its kin.
    names: &'static [&'static str],
    /// How the names of its files end that are read.
    read: &'static [&'static str],
    /// How the names of results end that are written in it.
    written: &'static [&'static str],
    /// What its files that are read are by their bytes.
    kinds: &'static [Kind],
    /// How its files are read, if they are files of nodes.
    nodes: Option<NodeFormat>,
    /// Its files that are made anew of a result, whatever its target is.
    made: &'static [Made],
    /// What leads out of an error of its own.
    way_out: fn(&FormatError) -> Option<WayOut>,
}

/// How files of nodes of a format are known and read.
#[derive(Debug)]
pub struct NodeFormat {
    /// What messages call it.
    pub name: &'static str,
    /// The word for all failures of its files, by which a library's failures are counted.
    pub broken: &'static str,
    /// Whether bytes begin as such a file does.
    is_one: fn(&[u8]) -> bool,
    /// What reads it, or the feature that the program must be built with for it.
    pub reader: Result<Reader, &'static str>,
    /// The Python module that opens such a file in Blender. Its `open_file` takes what the job says of a clip, and
    /// returns the objects that it made; of each of the clip's nodes its object and its bone there, or no bone; and the
    /// object of each of its meshes.
    pub blender: &'static str,
}

impl NodeFormat {
    /// All of them.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        FOLDERS.iter().filter_map(|format| format.nodes.as_ref())
    }

    /// The format that bytes begin as.
    pub fn of(bytes: &[u8]) -> Option<&'static Self> {
        Self::all().find(|nodes| (nodes.is_one)(bytes))
    }
}

/// All formats, in the order in which endings are listed and kinds of files tried.
fn all() -> impl Iterator<Item = &'static Format> {
    once(&HIERARCHIES).chain(others())
}

/// All formats but BVH.
fn others() -> impl Iterator<Item = &'static Format> {
    FOLDERS.iter().copied().chain(once(&ARRAYS))
}

/// The endings of the names that results are written under.
pub fn result_endings() -> impl Iterator<Item = &'static str> {
    all().flat_map(|format| format.written).copied()
}

/// The endings of the names of results that need no character, without those that say how a file is packed.
pub(crate) fn plain_endings() -> impl Iterator<Item = &'static str> {
    let endings = [&HIERARCHIES, &ARRAYS].into_iter().flat_map(|format| format.written).copied();
    endings.filter(|end| Path::new(&end[1..]).extension().is_none())
}

/// Whether a result can be written under this name, by its ending.
pub fn is_result_name(path: &Path) -> bool {
    ending_of(path, result_endings()).is_some()
}

/// Whether a file in a folder is a clip, by its name's ending.
pub fn is_clip_name(path: &Path) -> bool {
    ending_of(path, all().flat_map(|format| format.read).copied()).is_some()
}

/// The endings of the names of clips of other formats than BVH.
pub fn other_endings() -> impl Iterator<Item = &'static str> {
    others().flat_map(|format| format.read).copied()
}

/// The ending of a file's name that says another format than BVH; `None` of any other name.
pub fn other_ending(path: &Path) -> Option<&'static str> {
    ending_of(path, other_endings())
}

/// Whether a result of this name is of another format than BVH.
pub fn is_other_result(path: &Path) -> bool {
    ending_of(path, others().flat_map(|format| format.written).copied()).is_some()
}

/// What leads out of an error, as its format says.
pub fn way_out(error: &FormatError) -> Option<WayOut> {
    FOLDERS.iter().find_map(|format| (format.way_out)(error))
}

/// The ending of a character's file by its name, which its results share, without the dot; `None` of any other
/// target's.
pub fn character_ending(target: &Path) -> Option<&'static str> {
    let of_nodes = FOLDERS.iter().filter(|format| format.nodes.is_some());
    let mut own = of_nodes.flat_map(|format| format.written);
    own.find(|end| ends_in(target, end)).map(|end| &end[1..])
}

/// Whether a file of this name is of arrays.
pub fn is_arrays_name(path: &Path) -> bool {
    ARRAYS.read.iter().any(|end| ends_in(path, end))
}

/// That a file is of none of the formats of clips, for people.
pub fn none_of_formats() -> String {
    let mut others: Vec<&str> = FOLDERS.iter().flat_map(|format| format.names).copied().collect();
    others.sort_by_key(|name| name.to_ascii_lowercase());
    others.extend(ARRAYS.names);
    let (bvh, others) = (listed(HIERARCHIES.names.iter().copied()), listed(others.into_iter()));
    format!("neither {bvh} nor {others}")
}

/// Which of these a file's name ends in, in letters of any size.
fn ending_of(path: &Path, mut known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    known.find(|end| name.ends_with(end))
}

/// `a, b or c`.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.split_last() {
        Some((end, [])) => (*end).to_owned(),
        Some((end, before)) => format!("{} or {end}", before.join(", ")),
        None => String::new(),
    }
}

/// Whether a file's name has this extension, with or without its dot, in letters of any size.
pub(crate) fn ends_in(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case(wanted.trim_start_matches('.')))
}
