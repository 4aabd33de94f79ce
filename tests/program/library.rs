//! A folder of clips to run over, and what a run leaves behind.

use crate::harness::{Folder, Run};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// `hero.bvh`, and a library in `lib`: clips that hold their arms differently, in folders, two of them packed.
pub const CLIPS: [&str; 7] = [
    "a.bvh",
    "deep/er/g.bvh",
    "deep/f.bvh",
    "packed/d.bvh.gz",
    "packed/e.bvh.zst",
    "two words/b.BVH",
    "two words/c.bvh",
];

pub fn folder() -> Folder {
    let folder = Folder::new();
    for (i, name) in CLIPS.iter().enumerate() {
        let arm = format!("-{}.0000", 60 + i);
        let clip = crate::body::clip(1.0).replace("-70.0000", &arm);
        put(&folder, &format!("lib/{name}"), &packed(name, clip.into_bytes()));
    }
    put(&folder, "lib/notes.txt", b"no clip");
    folder
}

/// Writes a file and the folders that it lies in.
pub fn put(folder: &Folder, name: &str, bytes: &[u8]) {
    let path = folder.path(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, bytes).expect("written");
}

fn packed(name: &str, bytes: Vec<u8>) -> Vec<u8> {
    use retarget::internals::convert::Packing;
    Packing::named(Path::new(name)).pack(bytes)
}

/// Runs over `lib` into `out`.
pub fn run(folder: &Folder, args: &[&str]) -> Run {
    folder.run(&[&["lib", "--to", "hero.bvh", "-o", "out"], args].concat())
}

/// All files below a folder with their bytes; of a journal's lines all but what the clock says.
pub fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap_or_else(|e| panic!("{}: {e}", next.display())) {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).expect("inside").to_string_lossy().into_owned();
            let bytes = fs::read(&path).expect("readable");
            let bytes = if name.ends_with(".jsonl") { without_clock(&bytes) } else { bytes };
            files.insert(name, bytes);
        }
    }
    files
}

/// A journal without its one field that differs from run to run; half a line stays as it is.
fn without_clock(journal: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(journal.to_vec()).expect("UTF-8");
    let line = |line: &str| match line.split_once(",\"took_s\":") {
        Some((before, _)) => format!("{before}}}\n"),
        None => line.to_owned(),
    };
    text.lines().map(line).collect::<String>().into_bytes()
}

/// The lines of a journal.
pub fn journal(folder: &Folder, name: &str) -> Vec<Value> {
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"));
    folder.text(name).lines().map(parse).collect()
}

/// The names of the clips that have a result below `out`.
pub fn results(folder: &Folder) -> Vec<String> {
    let files = tree(&folder.path("out")).into_keys();
    let is_result =
        |name: &String| !name.ends_with(".jsonl") && !name.starts_with("retarget-rigs/");
    files.filter(is_result).collect()
}

/// One text or number of each line.
pub fn field<'a>(lines: &'a [Value], key: &str) -> Vec<&'a Value> {
    lines.iter().map(|line| &line[key]).collect()
}
