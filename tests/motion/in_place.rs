//! `--in-place`: the body strides where it stands, and nothing else of it changes.

use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, Conversion};
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::pose::WorldPose;
use retarget::internals::rig::{RigFile, Role};
use retarget::internals::settings::Settings;
use std::path::{Path, PathBuf};

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")
}

fn sample(name: &str) -> convert::SourceClip {
    convert::SourceClip::load(samples().join(name)).expect("a clip")
}

fn hero() -> convert::LoadedRig {
    convert::LoadedRig::load(samples().join("skeletons/hero.toml")).expect("a rig")
}

fn convert(in_place: bool) -> Conversion {
    let (source, target) = (sample("turn.bvh"), hero());
    let settings = Settings { in_place, ..Settings::default() };
    convert::convert(&source, RigFile::default(), &target, &settings).expect("a result")
}

#[test]
fn the_hips_keep_to_their_first_place_and_all_else_is_as_it_was() {
    let (free, held) = (convert(false), convert(true));
    let rig = &free.binding.target;
    let hips = rig.joint(Role::Hips).expect("hips");
    let up = rig.up.vector();
    let mut travelled = 0.0f64;
    let start = WorldPose::of(&rig.skeleton, &free.result.pose(0)).position(hips);
    for frame in 0..free.result.len() {
        let poses = [&free, &held].map(|c| c.result.pose(frame));
        let [was, is] = [&poses[0], &poses[1]].map(|pose| WorldPose::of(&rig.skeleton, pose));
        let off = was.position(hips) - start;
        let level: Vec3 = off - up * up.dot(&off);
        travelled = travelled.max(level.norm());
        for id in rig.skeleton.ids() {
            let moved = was.position(id) - is.position(id) - level;
            assert!(moved.norm() < 1e-9 * rig.leg_len, "frame {frame}: {moved}");
        }
    }
    assert!(travelled > 0.5 * rig.leg_len, "the clip hardly travels: {travelled}");
    assert_eq!(free.report, held.report);
}

/// It is measured on its way, and the copy that is shown beside it stays as well.
#[test]
fn a_result_in_place_is_judged_as_it_was_planted() {
    let held = convert(true);
    let (source, target) = (sample("turn.bvh"), hero());
    let hips = target.rig.joint(Role::Hips).expect("hips");
    let (up, leg_len) = (target.rig.up, target.rig.leg_len);
    let result = convert::SourceClip::new("held.bvh", held.result.clone());
    let check = |in_place| {
        let settings = Settings { in_place, ..Settings::default() };
        let target = Some(target.clone());
        convert::check(&source, RigFile::default(), &result, target, &settings).expect("measured")
    };
    let (said, unsaid) = (check(true), check(false));
    for ((number, value), (_, wanted)) in said.report.measures().zip(held.report.measures()) {
        assert!(
            (value.value - wanted.value).abs() < 1e-6,
            "{}: {value:?}, made {wanted:?}",
            number.name
        );
    }
    assert!(unsaid.report.plant_drift_cm.value > 10.0, "{}", unsaid.report.plant_drift_cm.value);
    assert!(unsaid.other_way(&held.result).stays);
    assert_eq!(unsaid.other_way(&convert(false).result), convert::OtherWay::default());
    let place = |frame| {
        let skeleton = said.transferred.skeleton();
        WorldPose::of(skeleton, &said.transferred.pose(frame)).position(hips)
    };
    for frame in 0..said.transferred.len() {
        let off = up.level(place(frame) - place(0)).norm();
        assert!(off < 1e-9 * leg_len, "frame {frame}: {off}");
    }
}

/// A way that is turned about the up axis, with the body on it, is that of another `--facing`.
#[test]
fn a_result_that_goes_another_way_than_its_settings_say_is_seen() {
    let (source, target, settings) = (sample("walk.bvh"), hero(), Settings::default());
    let done = convert::convert(&source, RigFile::default(), &target, &settings).expect("a result");
    let quarter = Quat::from_scaled_axis(target.rig.up.vector() * std::f64::consts::FRAC_PI_2);
    let mut turned = Clip::new(done.result.skeleton().clone(), done.result.frame_time().clone());
    for frame in 0..done.result.len() {
        let mut pose = done.result.pose(frame);
        pose.rotations[0] = quarter * pose.rotations[0];
        pose.translations[0] = quarter * pose.translations[0];
        turned.push_pose(&pose);
    }
    let result = convert::SourceClip::new("turned.bvh", turned);
    let check = convert::check(&source, RigFile::default(), &result, Some(target), &settings);
    let check = check.expect("measured");
    let wanted = convert::OtherWay { is_turned: true, ..convert::OtherWay::default() };
    assert_eq!(check.other_way(&result.clip), wanted);
    assert_eq!(check.other_way(&done.result), convert::OtherWay::default());
}
