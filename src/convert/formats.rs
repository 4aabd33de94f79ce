//! Which formats of files there are: their names and endings, and what reads those of nodes.

use super::packing::ends_in;
use crate::error::Error;
#[cfg(feature = "fbx")]
use crate::fbx;
use crate::gltf;
use crate::scene::{FormatError, Reader};
use std::path::Path;

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
    Nodes(Nodes),
}

/// How files of nodes of a format are known and read.
pub(super) struct Nodes {
    pub name: &'static str,
    /// The word for all failures of its files, by which a library's failures are counted.
    broken: &'static str,
    /// Whether bytes begin as such a file does.
    is_one: fn(&[u8]) -> bool,
    /// What reads it, or the feature that it is built with.
    reader: Result<Reader, &'static str>,
}

/// All formats, in the order in which endings are listed.
static FORMATS: [Format; 4] = [
    Format {
        names: &["BVH (packed or not)"],
        read: &[".bvh", ".bvh.gz", ".bvh.zst"],
        written: &[".bvh", ".bvh.gz", ".bvh.zst"],
        holds: Holds::Hierarchy,
    },
    Format {
        names: &["glTF", "VRM", "VRMA"],
        read: &[".glb", ".gltf", ".vrm", ".vrma"],
        written: &[".glb", ".gltf", ".vrm", ".vrma"],
        holds: Holds::Nodes(Nodes {
            name: "glTF",
            broken: "broken_gltf",
            is_one: is_gltf,
            reader: Ok(gltf::READER),
        }),
    },
    Format {
        names: &["FBX"],
        read: &[".fbx"],
        written: &[".fbx"],
        holds: Holds::Nodes(Nodes {
            name: "FBX",
            broken: "broken_fbx",
            is_one: is_fbx,
            #[cfg(feature = "fbx")]
            reader: Ok(fbx::READER),
            #[cfg(not(feature = "fbx"))]
            reader: Err("fbx"),
        }),
    },
    Format {
        names: &[".npz", ".npy"],
        read: &[".npz", ".npy"],
        written: &[".npz", ".npy"],
        holds: Holds::Arrays,
    },
];

fn those(is_it: impl Fn(&Holds) -> bool) -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().filter(move |format| is_it(&format.holds))
}

/// The endings of the names that results are written under.
pub fn result_endings() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().flat_map(|format| format.written).copied()
}

/// The endings of the names of results that need no character, without those that say how a file is packed.
pub(super) fn plain_endings() -> impl Iterator<Item = &'static str> {
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
    for format in &FORMATS {
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
pub(super) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.split_last() {
        Some((end, [])) => (*end).to_owned(),
        Some((end, before)) => format!("{} or {end}", before.join(", ")),
        None => String::new(),
    }
}

impl Nodes {
    /// The format that bytes begin as.
    pub fn of(bytes: &[u8]) -> Option<&'static Self> {
        FORMATS.iter().find_map(|format| match &format.holds {
            Holds::Nodes(nodes) if (nodes.is_one)(bytes) => Some(nodes),
            _ => None,
        })
    }

    /// The format of a file's bytes, with what reads it.
    pub fn reader(path: &Path, bytes: &[u8]) -> Result<(&'static Self, Reader), Error> {
        let path = path.to_owned();
        let Some(format) = Self::of(bytes) else {
            let source = "the file is of no format of nodes".into();
            return Err(Error::Nodes { path, format: "none", reason: "broken_nodes", source });
        };
        match format.reader {
            Ok(reader) => Ok((format, reader)),
            Err(feature) => Err(Error::Feature { path, format: format.name, feature }),
        }
    }

    pub fn wrong(&self, path: &Path, source: FormatError) -> Error {
        let Self { name: format, broken: reason, .. } = *self;
        Error::Nodes { path: path.to_owned(), format, reason, source }
    }
}

/// Whether bytes begin as glTF does, binary or as JSON.
fn is_gltf(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.starts_with(b"glTF") || text.trim_ascii_start().starts_with(b"{")
}

/// Whether bytes begin as FBX does, binary or as the text that its exporters write.
fn is_fbx(bytes: &[u8]) -> bool {
    bytes.starts_with(b"Kaydara FBX Binary") || bytes.starts_with(b"; FBX")
}
