//! Clips made of clips: parts, other frame rates, mirrors, clips without stray frames.

use crate::common;
use retarget::internals::bvh::{self, WriteSettings};
use retarget::internals::clip::{Clip, FrameTime};
use retarget::internals::convert::{self, SourceClip};
use retarget::internals::edit;
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::plant::FootPlants;
use retarget::internals::pose::WorldPose;
use retarget::internals::rig::RigFile;
use retarget::internals::settings::Settings;
use std::path::Path;

fn walk() -> SourceClip {
    convert::SourceClip::load("samples/walk.bvh").expect("a sample")
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

/// The same clip, but for one frame that `disturb` changes.
fn disturbed(clip: &Clip, frame: usize, disturb: impl Fn(&mut [Quat], &mut [Vec3])) -> Clip {
    let mut other = Clip::new(clip.skeleton().clone(), clip.frame_time().clone());
    for f in 0..clip.len() {
        let (mut rotations, mut translations) =
            (clip.rotations(f).to_vec(), clip.translations(f).to_vec());
        if f == frame {
            disturb(&mut rotations, &mut translations);
        }
        other.push(&rotations, &translations);
    }
    other
}

#[test]
fn a_source_frame_that_is_far_off_spoils_no_other_and_is_told() {
    let target = convert::LoadedRig::load("samples/skeletons/hero.toml").expect("a rig");
    let result = |source: &SourceClip| {
        let settings = Settings::default();
        convert::convert(source, RigFile::default(), &target, &settings).expect("a person")
    };
    let read = |clip: &Clip| {
        let mut bytes = Vec::new();
        bvh::write(clip, &WriteSettings::default(), &mut bytes).expect("memory takes everything");
        convert::SourceClip::from_bytes("clip.bvh", &bytes).expect("a clip")
    };
    for name in ["walk.bvh", "run.bvh", "crouch.bvh", "lafan_style/turn.bvh"] {
        let clip =
            convert::SourceClip::load(Path::new("samples").join(name)).expect("a sample").clip;
        let sound = read(&clip);
        let sound = result(&sound);
        assert_eq!(sound.notes, Vec::<String>::new(), "{name}");
        let wanted = sound.result;
        let places = wanted.world_positions();
        let leg_len = target.rig.leg_len;
        let last = clip.len() - 1;
        let frames = [1, 0, clip.len() / 3, last, clip.len() / 2, last - 1];
        for (i, frame) in frames.iter().enumerate() {
            let is_end = [0, last].contains(frame);
            let source = match i % 2 {
                0 => disturbed(&clip, *frame, |_, places| {
                    places[0] += Vec3::new(60.0, -40.0, 80.0);
                }),
                _ => disturbed(&clip, *frame, |turns, _| {
                    turns[0] = Quat::from_euler_angles(2.0, 0.3, 0.0) * turns[0];
                }),
            };
            let source = read(&source);
            let reported = match *frame {
                0 => "the first frame is a pose apart".to_owned(),
                frame if frame == last => "the last frame is a pose apart".to_owned(),
                _ => format!("frame {frame} is far from"),
            };
            let moved = result(&source);
            assert!(moved.notes.iter().any(|note| note.contains(&reported)), "{name}: {reported}");
            let explained = convert::explain(&source, &moved, *frame).expect("a frame of the clip");
            for (role, off) in &explained.kept {
                assert!(*off < 0.3 * leg_len, "{name}, {reported}: {role} is explained {off} off");
            }
            let moved = moved.result.world_positions();
            let count = wanted.skeleton().len();
            for (joint, (is, wanted)) in moved.iter().zip(&places).enumerate() {
                let (off, f) = ((is - wanted).norm() / leg_len, joint / count);
                // What is between two frames is not known, but near. A pose apart stays what it is.
                let most = match f == *frame {
                    true if is_end => continue,
                    true => 0.05,
                    false => 0.01,
                };
                assert!(off < most, "{name}, frame {f} of one with {frame} off: {off} legs");
            }
        }
    }
}

#[test]
fn no_frame_of_a_real_clip_is_a_stray_one() {
    let Some(dir) = common::mocap_dir() else { return };
    let mut clips = 0;
    for (name, bytes) in common::mocap_clips(&dir) {
        let Ok(source) = convert::SourceClip::from_bytes(Path::new(&name), &bytes) else {
            continue;
        };
        assert_eq!(edit::stray_frames(&source.clip), Vec::<usize>::new(), "{name}");
        clips += 1;
    }
    assert!(clips >= 35, "{clips}");
}

#[test]
fn a_rest_pose_before_the_motion_goes_over_as_it_is_and_moves_no_hand_or_foot_after_it() {
    let target = convert::LoadedRig::load("samples/skeletons/hero.toml").expect("a rig");
    let walk = walk();
    let clip = &walk.clip;
    let rest = disturbed(clip, 0, |turns, places| {
        turns.fill(Quat::identity());
        places[0] = Vec3::zeros();
    });
    assert_eq!((edit::poses_apart(clip), edit::poses_apart(&rest)), (Vec::new(), vec![0]));
    let rest = SourceClip::new("rest.bvh", rest);
    let run = |source: &SourceClip, foot_plants| {
        let mut settings = Settings::default();
        settings.plant.foot_plants = foot_plants;
        convert::convert(source, RigFile::default(), &target, &settings).expect("a person")
    };
    let [copied, planted] = [FootPlants::Off, FootPlants::Auto].map(|plants| run(&rest, plants));
    assert_eq!(planted.result.pose(0), copied.result.pose(0));
    let wanted = run(&walk, FootPlants::Auto);
    for frame in 1..clip.len() {
        let [is, wanted] = [&planted, &wanted]
            .map(|done| WorldPose::of(done.result.skeleton(), &done.result.pose(frame)));
        for (is, wanted) in is.positions.iter().zip(&wanted.positions) {
            let off = (is - wanted).norm() / target.rig.leg_len;
            assert!(off < 0.01, "frame {frame}: {off} legs");
        }
    }
    let explained = convert::explain(&rest, &planted, 0).expect("a frame");
    assert!(explained.body.is_none() && explained.hands.is_empty());
    let check = convert::check(
        &rest,
        RigFile::default(),
        &SourceClip::new("result.bvh", planted.result.clone()),
        Some(target.clone()),
        &Settings::default(),
    );
    let (check, report) = (check.expect("its own result").report, &planted.report);
    for (is, wanted) in check.measures().zip(report.measures()) {
        let off = (is.1.value - wanted.1.value).abs();
        assert!(off <= 0.02 + 0.02 * wanted.1.value, "{}: {:?}", is.0.name, [is.1, wanted.1]);
    }
}

/// Of these three a file says so, or a look at it.
#[test]
fn three_real_clips_begin_with_a_pose_apart() {
    let Some(dir) = common::mocap_dir() else { return };
    let apart = common::moving_clips(&dir).filter_map(|(name, source)| {
        let apart = edit::poses_apart(&source.clip);
        (!apart.is_empty()).then_some((name, apart))
    });
    let mut apart: Vec<(String, Vec<usize>)> = apart.collect();
    apart.sort();
    let names = ["accad19_inch/10_01", "biovision18_inch/jumpkick", "cmu_motionbuilder/npybvh_run"];
    let wanted = names.map(|name| (format!("{name}.bvh"), vec![0]));
    assert_eq!(apart, wanted);
}

#[test]
fn a_clip_that_goes_to_and_fro_from_frame_to_frame_has_no_stray_frame() {
    let walk = walk().clip;
    let mut shaken = Clip::new(walk.skeleton().clone(), walk.frame_time().clone());
    for f in 0..walk.len() {
        let mut places = walk.translations(f).to_vec();
        places[0].x += if f % 2 == 0 { 0.0 } else { 100.0 };
        shaken.push(walk.rotations(f), &places);
    }
    assert_eq!(edit::stray_frames(&shaken), Vec::<usize>::new());
}
