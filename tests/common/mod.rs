//! Helpers for tests that need the motion-capture clips beside the project.

#![allow(dead_code)]

use retarget::internals::convert::{self, SourceClip};
use std::path::{Path, PathBuf};

/// The folder of real clips: `RETARGET_MOCAP`, else `../shared/mocap` beside the project.
///
/// Without it a test has nothing to look at: it says so and passes, but on CI it fails.
pub fn mocap_dir() -> Option<PathBuf> {
    shared("RETARGET_MOCAP", "mocap", "motion-capture clips")
}

/// The folder of characters and clips that are not BVH: `RETARGET_CHARACTERS`, else `../shared/characters`.
/// Without it as [`mocap_dir`].
pub fn characters_dir() -> Option<PathBuf> {
    shared("RETARGET_CHARACTERS", "characters", "characters")
}

fn shared(variable: &str, name: &str, what: &str) -> Option<PathBuf> {
    let dir = match std::env::var_os(variable) {
        Some(dir) => PathBuf::from(dir),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(name),
    };
    if dir.is_dir() {
        return Some(dir);
    }
    assert!(std::env::var_os("CI").is_none(), "no {what} at {}", dir.display());
    eprintln!("SKIPPED: no {what} at {}", dir.display());
    None
}

/// All clips of the folder as (family/name, bytes), sorted. Panics unless there are 51.
pub fn mocap_clips(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut clips = Vec::new();
    for family in std::fs::read_dir(dir).expect("the folder can be listed") {
        let family = family.expect("an entry").path();
        if !family.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(&family).expect("the family can be listed") {
            let path = file.expect("an entry").path();
            if path.extension().is_some_and(|e| e == "bvh") {
                let name = path.strip_prefix(dir).expect("inside").to_string_lossy();
                clips.push((name.replace('\\', "/"), std::fs::read(&path).expect("readable")));
            }
        }
    }
    clips.sort();
    assert_eq!(clips.len(), 51, "clips in {}", dir.display());
    clips
}

/// Those of them that can be read and move. What cannot is the matter of other tests.
pub fn moving_clips(dir: &Path) -> impl Iterator<Item = (String, SourceClip)> {
    mocap_clips(dir).into_iter().filter_map(|(name, bytes)| {
        let source = convert::SourceClip::from_bytes(Path::new(&name), &bytes).ok()?;
        (source.clip.len() >= 3).then_some((name, source))
    })
}
