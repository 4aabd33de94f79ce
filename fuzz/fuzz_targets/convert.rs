//! Any bytes are carried onto a target or refused; a result can be read, and every number in it is one.
#![no_main]

mod samples;

use libfuzzer_sys::fuzz_target;
use retarget::internals::bvh;
use retarget::internals::convert;
use retarget::internals::rig::RigFile;
use retarget::internals::settings::Settings;
use samples::hero;
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = convert::SourceClip::from_bytes(Path::new("clip"), bytes) else { return };
    let settings = Settings::default();
    let Ok(conversion) = convert::convert(&source, RigFile::default(), hero(), &settings) else {
        return;
    };
    let written = conversion.result.bvh_bytes(&settings);
    // The reader takes finite numbers alone.
    let again = bvh::read(&written).expect("what is written can be read");
    assert_eq!(again.clip.len(), source.clip.len());
});
