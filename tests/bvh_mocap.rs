//! Every real clip is read, or refused for a reason that a person understands.

mod common;

use retarget::bvh::{self, WriteSettings};

#[test]
fn writing_a_written_clip_again_changes_no_byte() {
    let Some(dir) = common::mocap_dir() else { return };
    let mut read = 0;
    for (name, bytes) in common::mocap_clips(&dir) {
        let Ok(file) = bvh::read(&bytes) else { continue };
        let mut once = Vec::new();
        bvh::write(&file.clip, &WriteSettings::default(), &mut once).unwrap();
        let again = bvh::read(&once).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(again.mended, [], "{name}");
        let mut twice = Vec::new();
        bvh::write(&again.clip, &WriteSettings::default(), &mut twice).unwrap();
        assert!(once == twice, "{name}: the second pass differs");
        read += 1;
    }
    assert_eq!(read, 49);
}
