//! Any bytes are a glTF file that is read, carried over and given back, or one sentence.

#![no_main]

mod samples;

use libfuzzer_sys::fuzz_target;
use retarget::internals::convert::{self, NewAnimation};
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    let path = Path::new("fuzzed.glb");
    if let Ok(source) = convert::SourceClip::from_bytes(path, bytes) {
        let finite = (0..source.clip.len()).all(|frame| {
            let rotations = source.clip.rotations(frame).iter().flat_map(|q| q.coords.iter());
            let places = source.clip.translations(frame).iter().flat_map(|v| v.iter());
            rotations.chain(places).all(|x| x.is_finite())
        });
        assert!(finite, "numbers that are not finite");
    }
    let Ok(target) = convert::LoadedRig::from_bytes(path, bytes) else { return };
    let source = samples::walk();
    let settings = Default::default();
    let Ok(done) = convert::convert(source, Default::default(), &target, &settings) else { return };
    let new = NewAnimation { name: "fuzzed", replace: true };
    if let Ok(file) = target.result_bytes(path, &done.result, new) {
        convert::read_take(path, &file, Some("fuzzed")).expect("what was written is read");
    }
});
