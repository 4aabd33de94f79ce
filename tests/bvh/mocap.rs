//! Every real clip is read, or refused for a reason that a person understands; and what is written is
//! what was read.

use crate::common;
use retarget::internals::bvh::{self, BvhErrorKind, Found, RepairKind, WriteSettings};
use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, SourceClip};

fn written(clip: &Clip) -> Vec<u8> {
    let mut text = Vec::new();
    bvh::write(clip, &WriteSettings::default(), &mut text).expect("a Vec takes all");
    text
}

#[test]
fn every_clip_is_read_or_refused_with_a_reason() {
    let Some(dir) = common::mocap_dir() else { return };
    let (mut sound, mut repaired, mut refused) = (0, Vec::new(), Vec::new());
    for (name, bytes) in common::mocap_clips(&dir) {
        match bvh::read(&bytes) {
            Ok(file) if file.repaired.is_empty() => sound += 1,
            Ok(file) => repaired.push((name, file.repaired)),
            Err(error) => refused.push((name, error)),
        }
    }
    assert_eq!(sound, 48);
    let [(name, repairs)] = repaired.as_slice() else { panic!("{repaired:?}") };
    assert_eq!(name, "quirks/header_992_frames_data_1.bvh");
    assert_eq!(repairs[0].kind, RepairKind::FrameCount { declared: 992, found: 1 });
    assert_eq!((repairs.len(), repairs[0].line), (1, 99));

    let [(nan, nan_error), (long, long_error)] = refused.as_slice() else { panic!("{refused:?}") };
    assert_eq!(nan, "quirks/nan_values_mdm_results.bvh");
    assert_eq!(nan_error.kind, BvhErrorKind::NotFinite { found: Found::Word("nan".to_owned()) });
    assert_eq!(nan_error.to_string(), "line 148, column 238: \"nan\" is not a finite number");
    assert_eq!(long, "quirks/row_longer_than_channels.bvh");
    let kind = BvhErrorKind::RowTooLong { row: 1, channels: 21, found: 27, first_line: 47 };
    assert_eq!(long_error.kind, kind);
}

#[test]
fn a_written_clip_is_the_same_to_the_last_decimal() {
    let Some(dir) = common::mocap_dir() else { return };
    let mut read = 0;
    for (name, bytes) in common::mocap_clips(&dir) {
        let Ok(file) = bvh::read(&bytes) else { continue };
        let again = bvh::read(&written(&file.clip)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(again.repaired, [], "{name}");
        let (clip, again) = (file.clip, again.clip);
        assert_eq!(clip.frame_time(), again.frame_time(), "{name}");
        assert_eq!(clip.len(), again.len(), "{name}");
        assert_eq!(clip.skeleton().len(), again.skeleton().len(), "{name}");
        for (a, b) in clip.skeleton().joints().iter().zip(again.skeleton().joints()) {
            let mut a = a.clone();
            if a.end_sites.is_empty() {
                // Only a leaf gets one.
                a.end_sites.clone_from(&b.end_sites);
            }
            assert_eq!(a, *b, "{name}");
        }
        for frame in 0..clip.len() {
            for (a, b) in clip.rotations(frame).iter().zip(again.rotations(frame)) {
                // Three angles of half a unit of the sixth decimal.
                let degrees = a.angle_to(b).to_degrees();
                assert!(degrees <= 1.5001e-6, "{name}, frame {frame}: {degrees}°");
            }
            for (a, b) in clip.translations(frame).iter().zip(again.translations(frame)) {
                let error = (a - b).amax();
                assert!(error <= 0.50001e-6, "{name}, frame {frame}: {error}");
            }
        }
        read += 1;
    }
    assert_eq!(read, 49);
}

#[test]
fn writing_a_written_clip_again_changes_no_byte() {
    let Some(dir) = common::mocap_dir() else { return };
    let mut read = 0;
    for (name, bytes) in common::mocap_clips(&dir) {
        let Ok(file) = bvh::read(&bytes) else { continue };
        let once = written(&file.clip);
        let twice = written(&bvh::read(&once).unwrap_or_else(|e| panic!("{name}: {e}")).clip);
        assert!(once == twice, "{name}: the second pass differs");
        read += 1;
    }
    assert_eq!(read, 49);
}

#[test]
fn a_file_is_read_as_its_bytes_are() {
    let Some(dir) = common::mocap_dir() else { return };
    let (mut read, mut long) = (0, 0);
    for (name, bytes) in common::mocap_clips(&dir) {
        let path = dir.join(&name);
        let of_file = convert::SourceClip::load(&path).map_err(|error| error.to_string());
        let of_bytes =
            convert::SourceClip::from_bytes(&path, &bytes).map_err(|error| error.to_string());
        let seen = |read: Result<SourceClip, String>| read.map(|read| (read.clip, read.repaired));
        assert!(seen(of_file) == seen(of_bytes), "{name}");
        long += usize::from(bytes.len() > 300_000);
        read += 1;
    }
    assert_eq!((read, long), (51, 17), "files, and those long enough for pieces");
}

/// A file's angles as numbers: joints in file order, rotation channels only.
fn angles(text: &[u8]) -> Vec<Vec<f64>> {
    let skeleton = bvh::read_hierarchy(text).expect("read before").skeleton;
    let channels = skeleton.joints().iter().flat_map(|joint| joint.channels.as_slice().to_vec());
    let rotates: Vec<bool> = channels
        .map(|c| matches!(c, retarget::internals::skeleton::Channel::Rotation(_)))
        .collect();
    let text = String::from_utf8_lossy(text);
    let rows = text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1);
    rows.map(|row| {
        let numbers = row.split(' ').map(|word| word.parse::<f64>().expect("a number"));
        numbers.zip(&rotates).filter(|(_, rotates)| **rotates).map(|(number, _)| number).collect()
    })
    .collect()
}

#[test]
fn written_angles_never_jump_by_half_a_turn_where_the_motion_does_not() {
    let Some(dir) = common::mocap_dir() else { return };
    let mut read = 0;
    for (name, bytes) in common::mocap_clips(&dir) {
        let Ok(file) = bvh::read(&bytes) else { continue };
        let text = written(&file.clip);
        let rows = angles(&text);
        assert_eq!(rows.len(), file.clip.len(), "{name}");
        for (frame, pair) in rows.windows(2).enumerate() {
            for (a, b) in pair[0].iter().zip(&pair[1]) {
                assert!((a - b).abs() <= 180.0 + 1e-6, "{name}, frame {frame}: {a}° to {b}°");
            }
        }
        read += 1;
    }
    assert_eq!(read, 49);
}
