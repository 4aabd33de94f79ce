//! Any `skeleton.toml` is taken or refused: as a rig in full, and as what is said of a clip's rig.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retarget::internals::convert::{self, SourceClip};
use retarget::internals::rig::{Rig, RigFile, recognise};
use std::path::Path;
use std::sync::OnceLock;

/// The first frames of a sample.
fn clip() -> &'static SourceClip {
    static CLIP: OnceLock<SourceClip> = OnceLock::new();
    CLIP.get_or_init(|| {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/convert/walk.bvh"));
        let bytes = convert::read_bytes(path).expect("fuzz/run makes it");
        convert::SourceClip::from_bytes(path, &bytes).expect("a sample")
    })
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(file) = RigFile::parse(text) else { return };
    let _ = convert::source_rig(clip(), file.clone());
    let Ok(Some(skeleton)) = file.skeleton() else { return };
    let Ok(written) = file.roles(&skeleton) else { return };
    let Ok(recognised) = recognise(&skeleton, &written) else { return };
    let Ok(hints) = file.hints(&skeleton, None) else { return };
    let _ = Rig::new(skeleton, recognised.roles, None, &hints);
});
