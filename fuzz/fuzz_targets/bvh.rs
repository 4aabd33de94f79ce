//! Any bytes are read or refused; what is read is written, and read back as the same body.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retarget::internals::bvh::{self, WriteSettings};

fuzz_target!(|bytes: &[u8]| {
    let _ = bvh::read_hierarchy(bytes);
    let Ok(file) = bvh::read(bytes) else { return };
    let mut written = Vec::new();
    bvh::write(&file.clip, &WriteSettings::default(), &mut written).expect("memory");
    let again = bvh::read(&written).expect("what is written can be read");
    assert_eq!(again.clip.len(), file.clip.len());
    assert_eq!(again.clip.skeleton().len(), file.clip.skeleton().len());
});
