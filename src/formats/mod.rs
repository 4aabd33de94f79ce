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
pub mod fbx;
pub mod gltf;

pub use content::{Other, Remedy, is_bvh, other_content};

use crate::scene::Reader;
use std::path::Path;

/// All formats, in the order in which endings are listed.
static FORMATS: [&Format; 4] = [&HIERARCHIES, &gltf::FORMAT, &fbx::FORMAT, &ARRAYS];

/// BVH, which `bvh` reads and writes.
const HIERARCHIES: Format = Format {
    names: &["BVH (packed or not)"],
    read: &[".bvh", ".bvh.gz", ".bvh.zst"],
    written: &[".bvh", ".bvh.gz", ".bvh.zst"],
    holds: Holds::Hierarchy,
};

/// What numpy saves, which `arrays` reads and writes.
const ARRAYS: Format = Format {
    names: &[".npz", ".npy"],
    read: &[".npz", ".npy"],
    written: &[".npz", ".npy"],
    holds: Holds::Arrays,
};

/// A format of files.
struct Format {
    /// What lists of formats call it and its kin.
    names: &'static [&'static str],
    /// How the names of its files end that are read.
    read: &'static [&'static str],
    /// How the names of results end that are written in it.
    written: &'static [&'static str],
    holds: Holds,
}

/// What the files of a format hold.
enum Holds {
    Hierarchy,
    Arrays,
    Nodes(NodeFormat),
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
}

impl NodeFormat {
    /// The format that bytes begin as.
    pub fn of(bytes: &[u8]) -> Option<&'static Self> {
        FORMATS.iter().find_map(|format| match &format.holds {
            Holds::Nodes(nodes) if (nodes.is_one)(bytes) => Some(nodes),
            _ => None,
        })
    }
}

fn those(is_it: impl Fn(&Holds) -> bool) -> impl Iterator<Item = &'static Format> {
    FORMATS.into_iter().filter(move |format| is_it(&format.holds))
}

/// The endings of the names that results are written under.
pub fn result_endings() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().flat_map(|format| format.written).copied()
}

/// The endings of the names of results that need no character, without those that say how a file is packed.
pub(crate) fn plain_endings() -> impl Iterator<Item = &'static str> {
    let endings =
        those(|holds| !matches!(holds, Holds::Nodes(_))).flat_map(|format| format.written).copied();
    endings.filter(|end| Path::new(&end[1..]).extension().is_none())
}

/// Whether a result can be written under this name, by its ending.
pub fn is_result_name(path: &Path) -> bool {
    ending_of(path, result_endings()).is_some()
}

/// Whether a file in a folder is a clip, by its name's ending.
pub fn is_clip_name(path: &Path) -> bool {
    ending_of(path, FORMATS.iter().flat_map(|format| format.read).copied()).is_some()
}

/// The ending of a file's name that says another format than BVH; `None` of any other name.
pub fn other_ending(path: &Path) -> Option<&'static str> {
    let others = those(|holds| !matches!(holds, Holds::Hierarchy));
    ending_of(path, others.flat_map(|format| format.read).copied())
}

/// The ending of a character's file by its name, which its results share, without the dot; `None` of any other
/// target's.
pub fn character_ending(target: &Path) -> Option<&'static str> {
    let mut own = those(|holds| matches!(holds, Holds::Nodes(_))).flat_map(|format| format.written);
    own.find(|end| ends_in(target, end)).map(|end| &end[1..])
}

/// Whether a file of this name is of arrays.
pub fn is_arrays_name(path: &Path) -> bool {
    let mut own = those(|holds| matches!(holds, Holds::Arrays)).flat_map(|format| format.read);
    own.any(|end| ends_in(path, end))
}

/// That a file is of none of the formats of clips, for people.
pub fn none_of_formats() -> String {
    let (mut bvh, mut of_nodes, mut arrays) = (Vec::<&str>::new(), Vec::<&str>::new(), Vec::new());
    for format in FORMATS {
        let names = match format.holds {
            Holds::Hierarchy => &mut bvh,
            Holds::Nodes(_) => &mut of_nodes,
            Holds::Arrays => &mut arrays,
        };
        names.extend(format.names);
    }
    of_nodes.sort_by_key(|name| name.to_ascii_lowercase());
    let (bvh, others) = (listed(bvh.into_iter()), listed(of_nodes.into_iter().chain(arrays)));
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
