//! Any bytes are carried onto a target or refused; a result can be read, and every number in it is one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retarget::bvh;
use retarget::convert::{self, LoadedRig};
use retarget::rig::RigFile;
use retarget::settings::Settings;
use std::path::Path;
use std::sync::OnceLock;

fn hero() -> &'static LoadedRig {
    static HERO: OnceLock<LoadedRig> = OnceLock::new();
    HERO.get_or_init(|| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../samples/skeletons/hero.toml");
        convert::load_rig(Path::new(path)).expect("a sample")
    })
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = convert::read_clip(Path::new("clip"), bytes) else { return };
    let settings = Settings::default();
    let Ok(conversion) = convert::convert(&source, RigFile::default(), hero(), &settings) else {
        return;
    };
    let written = convert::bvh_bytes(&conversion.result, &settings);
    // The reader takes finite numbers alone.
    let again = bvh::read(&written).expect("what is written can be read");
    assert_eq!(again.clip.len(), source.clip.len());
});
