//! What the bytes of a file are, beside what its name says that they are.

use super::{all, ending_of, other_ending};
use crate::arrays;
use std::path::Path;

/// What bytes are that no reader of the format of their file's name reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Other {
    /// What the name says that the file is.
    pub named: &'static str,
    /// What the file is.
    pub found: &'static str,
    pub remedy: Remedy,
}

/// What to do about such a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Give it a name of this ending, under which it is read.
    Rename(&'static str),
    /// What the sentence says.
    Do(&'static str),
}

/// A kind of file by its bytes.
pub(super) struct Kind {
    found: &'static str,
    /// The endings of the names of such files, where they are read; the first is proposed.
    ends: &'static [&'static str],
    /// What to do about one that is not read.
    advice: &'static str,
    is_one: fn(&[u8]) -> bool,
}

impl Kind {
    /// One that is read.
    pub(super) const fn read(
        found: &'static str,
        ends: &'static [&'static str],
        is_one: fn(&[u8]) -> bool,
    ) -> Self {
        Self { found, ends, advice: "", is_one }
    }

    /// One that is not read.
    const fn other(found: &'static str, advice: &'static str, is_one: fn(&[u8]) -> bool) -> Self {
        Self { found, ends: &[], advice, is_one }
    }
}

const UNPACK: &str = "unpack it, and name a file that was in it";
const EXPORT: &str = "export the motion as BVH, FBX or glTF";
const DOWNLOAD: &str = "download the file itself";

/// The kinds that are not read.
static NOT_READ: &[Kind] = &[
    Kind::other("a zip archive", UNPACK, is_zip),
    Kind::other("an archive of 7-Zip", UNPACK, |bytes| bytes.starts_with(b"7z\xbc\xaf\x27\x1c")),
    Kind::other("a RAR archive", UNPACK, |bytes| bytes.starts_with(b"Rar!\x1a\x07")),
    Kind::other("a web page", DOWNLOAD, |bytes| begins(bytes, &["<!doctype html", "<html"])),
    Kind::other("a pointer of Git LFS", "get the file itself with git lfs pull", |bytes| {
        begins(bytes, &["version https://git-lfs"])
    }),
    Kind::other("XML", EXPORT, |bytes| begins(bytes, &["<?xml", "<collada"])),
    Kind::other("JSON", EXPORT, |bytes| begins(bytes, &["{", "["])),
    Kind::other(
        "a file of Blender",
        "open it in Blender, and export the motion as BVH, FBX or glTF",
        |bytes| bytes.starts_with(b"BLENDER"),
    ),
    Kind::other("USD", EXPORT, |bytes| bytes.starts_with(b"PXR-USDC") || begins(bytes, &["#usda"])),
    Kind::other("a scene of Maya", EXPORT, |bytes| begins(bytes, &["//maya"])),
    Kind::other(
        "C3D, which holds markers",
        "solve a skeleton from it, and export that as BVH or FBX",
        |bytes| matches!(bytes, [2..=8, 0x50, ..]),
    ),
];

/// All kinds; the first that fits is what a file is.
fn kinds() -> impl Iterator<Item = &'static Kind> {
    all().flat_map(|format| format.kinds).chain(NOT_READ)
}

/// What a file is whose bytes are not of the format that its name says; `None` where they are, and where its name says
/// no format. Bytes of no known kind under a name of BVH are BVH with a mistake, of which the reader tells the place.
/// `path` is without the ending that says how the file is packed.
pub fn other_content(path: &Path, bytes: &[u8]) -> Option<Other> {
    let end = ending_of(path, all().flat_map(|format| format.read).copied())?;
    let named = kinds().find(|kind| kind.ends.contains(&end))?.found;
    match kinds().find(|kind| (kind.is_one)(bytes)) {
        Some(kind) if kind.ends.contains(&end) => None,
        // The reader of arrays says what an archive lacks, and what is wrong with a pickle.
        Some(_) if end == ".npz" && is_zip(bytes) => None,
        None if other_ending(path).is_none() || arrays::is_one(bytes) => None,
        Some(Kind { found, ends: [first, ..], .. }) => {
            Some(Other { named, found, remedy: Remedy::Rename(first) })
        }
        Some(&Kind { found, advice, .. }) => {
            Some(Other { named, found, remedy: Remedy::Do(advice) })
        }
        None => {
            let found = "of no format that is known";
            Some(Other { named, found, remedy: Remedy::Do("export it again") })
        }
    }
}

/// The text without a mark of its encoding and without blanks before it.
fn text(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start()
}

/// Whether a text begins with one of these words, in letters of any size.
fn begins(bytes: &[u8], words: &[&str]) -> bool {
    let text = text(bytes);
    let is_it = |word: &&str| {
        text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
    };
    words.iter().any(is_it)
}

/// Whether bytes begin as a file of BVH does.
pub fn is_bvh(bytes: &[u8]) -> bool {
    begins(bytes, &["hierarchy"])
}

pub(super) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

pub(super) fn holds(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|part| part == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_that_is_read_is_that_of_a_kind() {
        for end in all().flat_map(|format| format.read) {
            let plain = end.trim_end_matches(".gz").trim_end_matches(".zst");
            assert!(kinds().any(|kind| kind.ends.contains(&plain)), "{end}");
        }
    }
}
