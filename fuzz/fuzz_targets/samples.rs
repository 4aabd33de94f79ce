//! The samples that targets carry over and carry onto, read once.

// No target uses all of it.
#![allow(dead_code)]

use retarget::internals::convert::{self, LoadedRig, SourceClip};
use std::path::Path;
use std::sync::OnceLock;

/// A person as a target.
pub fn hero() -> &'static LoadedRig {
    static HERO: OnceLock<LoadedRig> = OnceLock::new();
    HERO.get_or_init(|| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../samples/skeletons/hero.toml");
        convert::LoadedRig::load(Path::new(path)).expect("a sample")
    })
}

/// The first frames of a walk.
pub fn walk() -> &'static SourceClip {
    static WALK: OnceLock<SourceClip> = OnceLock::new();
    WALK.get_or_init(|| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/convert/walk.bvh");
        convert::SourceClip::load(Path::new(path)).expect("fuzz/run makes it")
    })
}
