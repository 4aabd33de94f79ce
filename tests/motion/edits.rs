//! Clips made of clips: parts, other frame rates, mirrors.

use retarget::internals::clip::{Clip, FrameTime};
use retarget::internals::convert::{self, SourceClip};
use retarget::internals::edit;
use retarget::internals::rig::RigFile;

fn walk() -> SourceClip {
    convert::load_clip("samples/walk.bvh".as_ref()).expect("a sample")
}

fn time(clip: &Clip, factor: f64) -> FrameTime {
    FrameTime::from_seconds(clip.frame_time().seconds() * factor).expect("a frame time")
}

#[test]
fn a_clip_at_its_own_rate_is_itself_and_at_half_of_it_every_other_frame() {
    let clip = walk().clip;
    assert_eq!(edit::resampled(&clip, clip.frame_time()), clip);
    assert_eq!(edit::resampled(&clip, &time(&clip, 2.0)), edit::part(&clip, 0, clip.len(), 2));
    let double = edit::resampled(&clip, &time(&clip, 0.5));
    assert_eq!(double.len(), 2 * clip.len() - 1);
    assert!((0..clip.len()).all(|i| double.rotations(2 * i) == clip.rotations(i)));
}

#[test]
fn a_mirror_of_a_mirror_is_the_clip() {
    let walk = walk();
    let rig = convert::source_rig(&walk, RigFile::default()).expect("a rig").rig;
    let mirrored = edit::mirrored(&walk.clip, &rig);
    let back = edit::mirrored(&mirrored, &rig);
    let mut moved = 0.0_f64;
    for frame in 0..back.len() {
        let (ours, theirs) = (back.rotations(frame), walk.clip.rotations(frame));
        assert!(ours.iter().zip(theirs).all(|(a, b)| a.angle_to(b) < 1e-6), "frame {frame}");
        let other = mirrored.rotations(frame).iter().zip(theirs);
        moved = other.fold(moved, |most, (a, b)| most.max(a.angle_to(b)));
    }
    assert!(moved > 0.1, "the mirror shows nothing: {moved} rad");
}
