//! Folders with libraries in them, beside what nobody may touch.

use super::choices::Choices;
use retarget::internals::convert::Packing;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const NAMES: [&str; 16] = [
    "a.bvh",
    "b.bvh",
    r"..\c.bvh",
    r"x\..\..\..\d.bvh",
    ".hidden.bvh",
    ".retarget-1-of-1-abcdef.part",
    "e.bvh.gz",
    "f.bvh.zst",
    "deep/g.bvh",
    "deep/.h/i.bvh",
    "-o.bvh",
    "retarget-run.jsonl",
    "j.BVH",
    "*.bvh",
    "\u{1b}[31m.bvh",
    "k.gz.bvh",
];

/// A line of a journal, for what is there before.
const LINE: &str = r#"{"input":"lib/a.bvh","output":"../../out.bvh","rig":"00000000000000000000000000000000","settings":"00000000000000000000000000000000","version":"0.1.0","status":"failed","reason":"x","error":"y","took_s":0.1}"#;

/// `lib`, a library; `out`, where an earlier run, or somebody else, left something; `other`, which is nobody's
/// business.
pub struct Folder(tempfile::TempDir);

/// The files below a folder, with their bytes.
pub type Tree = BTreeMap<String, Vec<u8>>;

impl Folder {
    pub fn new(choices: &mut Choices) -> Self {
        let folder = Self(tempfile::TempDir::new().expect("a folder"));
        let at = |name: &str| folder.path().join(name);
        ["lib/deep/.h", "out/deep", "other"]
            .iter()
            .for_each(|name| fs::create_dir_all(at(name)).expect("made"));
        fs::write(at("other/a.bvh"), "not to be touched").expect("written");
        for _ in 0..choices.below(5) {
            put(choices, &at("lib"));
        }
        for _ in 0..choices.below(3) {
            before(choices, folder.path());
        }
        folder
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// What has to stay as it is.
    pub fn kept(&self) -> [Tree; 2] {
        ["lib", "other"].map(|name| self.tree(name))
    }

    /// What lies in it.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).expect("listed").flatten();
        let mut names: Vec<String> =
            entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub fn tree(&self, name: &str) -> Tree {
        tree(&self.path().join(name))
    }
}

/// Puts a clip, or what is called as one, into the library.
fn put(choices: &mut Choices, lib: &Path) {
    let path = lib.join(choices.of(&NAMES));
    match choices.below(8) {
        0 => drop(std::os::unix::fs::symlink(
            choices.of(&["a.bvh", "..", "/dev/zero", "../other", "lost"]),
            path,
        )),
        1 => drop(fs::create_dir_all(path)),
        kind => {
            let text = super::clip(choices).into_bytes();
            let packing =
                *choices.of(&[Packing::Plain, Packing::Gzip, Packing::Zstd, Packing::Plain]);
            let mut bytes = packing.pack(text);
            if kind == 2 {
                bytes.truncate(bytes.len() * choices.below(256) / 256);
            }
            // A folder or a link may have the name already.
            if path.symlink_metadata().is_err() {
                fs::write(path, bytes).expect("written");
            }
        }
    }
}

/// Puts something into the output folder, as an earlier run or somebody else may have.
fn before(choices: &mut Choices, folder: &Path) {
    let out = folder.join("out");
    match choices.below(6) {
        0 => {
            let cut = LINE.len() * choices.below(256) / 256;
            let text = format!("{LINE}\n{}\n{LINE}\n{}", &LINE[..cut], &LINE[..cut]);
            drop(fs::write(out.join("retarget-run.jsonl"), text));
        }
        1 => drop(fs::write(out.join("retarget-run.jsonl"), choices.0)),
        2 => drop(std::os::unix::fs::symlink("../other/a.bvh", out.join("retarget-run.jsonl"))),
        3 => drop(fs::write(out.join(".retarget-1-of-1-abcdef.part"), "half a res")),
        4 => drop(std::os::unix::fs::symlink("../other", out.join("x"))),
        _ => drop(std::os::unix::fs::symlink("../other/a.bvh", out.join("a.bvh"))),
    }
}

/// All files below a folder, with their bytes; links as they are.
fn tree(folder: &Path) -> Tree {
    let mut files = BTreeMap::new();
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("listed").flatten() {
            let kind = entry.file_type().expect("a kind");
            let name = entry.path().strip_prefix(folder).expect("inside").display().to_string();
            match kind {
                kind if kind.is_dir() => folders.push(entry.path()),
                kind if kind.is_symlink() => drop(files.insert(name, Vec::new())),
                _ => drop(files.insert(name, fs::read(entry.path()).expect("readable"))),
            }
        }
    }
    files
}
