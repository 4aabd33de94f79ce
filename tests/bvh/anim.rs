//! The crate bvh_anim as a second opinion, and the conversions to and from its type.

use crate::common;
use bvh_anim::Bvh;
use retarget::internals::bvh::{self, BvhAnimError};
use retarget::internals::clip::Clip;
use retarget::internals::skeleton::{Joint, Skeleton};
use std::time::Duration;

/// What bvh_anim makes of a file, if it neither refuses it nor panics.
fn second_opinion(bytes: &[u8]) -> Option<Bvh> {
    std::panic::catch_unwind(|| bvh_anim::from_bytes(bytes)).ok()?.ok()
}

/// How far apart two clips on the same skeleton are: degrees, and lengths over 1 + size.
fn difference(a: &Clip, b: &Clip) -> (f64, f64) {
    assert_eq!((a.len(), a.moving()), (b.len(), b.moving()));
    let (mut degrees, mut lengths) = (0f64, 0f64);
    for frame in 0..a.len() {
        for (p, q) in a.rotations(frame).iter().zip(b.rotations(frame)) {
            degrees = degrees.max(p.angle_to(q).to_degrees());
        }
        for (p, q) in a.translations(frame).iter().zip(b.translations(frame)) {
            lengths = lengths.max((p - q).amax() / (1.0 + p.amax()));
        }
    }
    (degrees, lengths)
}

/// bvh_anim cuts names at blanks and colons.
fn cut(name: &str) -> &str {
    name.split([' ', ':']).next().unwrap_or_default()
}

/// OFFSET and first End Site.
fn lengths(joint: &Joint) -> Vec<f64> {
    let end = joint.end_sites.first();
    joint.offset.iter().chain(end.into_iter().flat_map(|end| end.iter())).copied().collect()
}

#[track_caller]
fn check_alike(name: &str, ours: &Clip, theirs: &Clip) {
    let seconds = [ours, theirs].map(|clip| clip.frame_time().seconds());
    // They cut the frame time to whole nanoseconds.
    assert!((seconds[0] - seconds[1]).abs() < 1.1e-9, "{name}: {seconds:?}");
    let (a, b) = (ours.skeleton().joints(), theirs.skeleton().joints());
    assert_eq!(a.len(), b.len(), "{name}");
    for (a, b) in a.iter().zip(b) {
        assert_eq!(cut(&a.name), b.name, "{name}");
        assert_eq!((a.parent, a.channels), (b.parent, b.channels), "{name}: {:?}", a.name);
        let (a_lengths, b_lengths) = (lengths(a), lengths(b));
        assert_eq!(a_lengths.len(), b_lengths.len(), "{name}: {:?}", a.name);
        for (a, b) in a_lengths.into_iter().zip(b_lengths) {
            assert_eq!(a as f32, b as f32, "{name}");
        }
    }
    let (degrees, lengths) = difference(ours, theirs);
    // Three angles of up to 180°, rounded to 24 bits.
    assert!(degrees < 2.5e-5, "{name}: {degrees}°");
    assert!(lengths < 1.2e-7, "{name}: {lengths}");
}

#[test]
fn every_clip_that_bvh_anim_can_read_is_read_alike() {
    let Some(dir) = common::mocap_dir() else { return };
    let (mut agreed, mut differing, mut unread) = (0, Vec::new(), Vec::new());
    for (name, bytes) in common::mocap_clips(&dir) {
        let Some(theirs) = second_opinion(&bytes) else {
            unread.push(name);
            continue;
        };
        let ours = bvh::read(&bytes).map(|file| file.clip);
        let theirs = bvh::from_bvh_anim(&theirs);
        match (name.as_str(), ours, theirs) {
            ("asf_femur21_inch/cartwheel_clean.bvh", Ok(ours), Ok(theirs)) => {
                // They lose the leaf joints that have no End Site.
                assert_eq!((ours.skeleton().len(), theirs.skeleton().len()), (21, 20));
                differing.push(name);
            }
            ("quirks/single_joint_skeleton.bvh", Ok(ours), Ok(theirs)) => {
                // They take a root's End Site for its OFFSET.
                let (ours, theirs) = (&ours.skeleton().joints()[0], &theirs.skeleton().joints()[0]);
                assert_eq!(ours.end_sites, [theirs.offset]);
                differing.push(name);
            }
            ("quirks/nan_values_mdm_results.bvh", ours, theirs) => {
                assert!(ours.is_err());
                assert!(matches!(theirs, Err(BvhAnimError::NotFinite { .. })));
                differing.push(name);
            }
            (_, ours, theirs) => {
                let ours = ours.unwrap_or_else(|error| panic!("{name}: {error}"));
                let theirs = theirs.unwrap_or_else(|error| panic!("{name}: {error}"));
                check_alike(&name, &ours, &theirs);
                agreed += 1;
            }
        }
    }
    assert_eq!((agreed, differing.len()), (40, 3));
    assert_eq!(
        unread,
        [
            "quirks/cr_only_names_with_spaces_window_shop.bvh",
            "quirks/empty_joint_name_test7.bvh",
            "quirks/frames_time_typo_walk_left_90.bvh",
            "quirks/header_992_frames_data_1.bvh",
            "quirks/row_longer_than_channels.bvh",
            "snu_dummy26_inch/wd2_boxing_girl_edit20.bvh",
            "snu_reduced13_m/walk_left_45degree.bvh",
            "snu_woody20/wd2_n_kick_edit.bvh",
        ]
    );
}

#[test]
fn every_clip_goes_to_bvh_anim_and_back() {
    let Some(dir) = common::mocap_dir() else { return };
    let mut converted = 0;
    for (name, bytes) in common::mocap_clips(&dir) {
        let Ok(file) = bvh::read(&bytes) else { continue };
        let theirs = bvh::to_bvh_anim(&file.clip).unwrap_or_else(|error| panic!("{name}: {error}"));
        let back = bvh::from_bvh_anim(&theirs).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (a, b) = (file.clip.skeleton().joints(), back.skeleton().joints());
        assert_eq!(a.len(), b.len(), "{name}");
        for (a, b) in a.iter().zip(b) {
            assert_eq!((&a.name, a.parent, a.channels), (&b.name, b.parent, b.channels), "{name}");
            // A root has no End Site there.
            if a.parent.is_some() {
                assert_eq!(a.end_sites.len(), b.end_sites.len(), "{name}: {:?}", a.name);
            }
        }
        let (degrees, lengths) = difference(&file.clip, &back);
        assert!(degrees < 1e-4 && lengths < 1.2e-7, "{name}: {degrees}° {lengths}");
        converted += 1;
    }
    assert_eq!(converted, 49);
}

fn clip(text: &str) -> Clip {
    bvh::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}")).clip
}

#[test]
fn names_and_branches_keep_their_places() {
    let text = "HIERARCHY
ROOT the hips: 1 {
    OFFSET 1 2 3
    CHANNELS 3 Xposition Yposition Zposition
    JOINT a:b { OFFSET 4 5 6 CHANNELS 1 Yrotation
        JOINT { OFFSET 7 8 9 CHANNELS 0 End Site { OFFSET 1 1 1 } } }
    JOINT c { OFFSET 4 5 7 CHANNELS 2 Zrotation Xposition } }
MOTION
Frames: 1
Frame Time: 0.04
1 2 3 45 -90 8
";
    let clip = clip(text);
    let theirs = bvh::to_bvh_anim(&clip).unwrap();
    assert_eq!(theirs.frame_time().as_millis(), 40);
    assert_eq!(theirs.frames().next().unwrap().as_slice(), [1.0, 2.0, 3.0, 45.0, -90.0, 8.0]);
    let back = bvh::from_bvh_anim(&theirs).unwrap();
    assert_eq!(back.skeleton(), clip.skeleton());
}

#[test]
fn what_bvh_anim_cannot_hold_is_refused() {
    let two = clip(
        "HIERARCHY ROOT a { OFFSET 0 0 0 } ROOT b { OFFSET 0 0 0 } MOTION Frames: 0\nFrame Time: 1",
    );
    assert_eq!(bvh::to_bvh_anim(&two), Err(BvhAnimError::SeveralRoots { roots: 2 }));
    let one = clip("HIERARCHY ROOT a { OFFSET 0 0 0 } MOTION Frames: 0\nFrame Time: 1");
    for time in [Duration::from_nanos(1), Duration::from_secs(1 << 40)] {
        let mut theirs = bvh::to_bvh_anim(&one).unwrap();
        theirs.set_frame_time(time);
        let error = BvhAnimError::FrameTime { seconds: time.as_secs_f64().to_string() };
        assert_eq!(bvh::from_bvh_anim(&theirs), Err(error));
    }
    let mut joint = one.skeleton().joints()[0].clone();
    joint.offset.x = 1e39;
    let far = Clip::new(Skeleton::new(vec![joint]).unwrap(), one.frame_time().clone());
    assert!(matches!(bvh::to_bvh_anim(&far), Err(BvhAnimError::TooLarge { .. })));
    assert!(bvh::from_bvh_anim(&Bvh::new()).is_err(), "no joint");
}

#[test]
fn frames_without_channels_are_no_frames() {
    let text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n\
                MOTION\nFrames: 5\nFrame Time: 0.1\n";
    let theirs = second_opinion(text.as_bytes()).expect("read");
    assert_eq!(theirs.num_frames(), 5);
    assert_eq!(bvh::from_bvh_anim(&theirs).unwrap().len(), 0);
}
