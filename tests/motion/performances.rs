//! Long performances: real clips and samples on one body, strung together to minutes. What is rare in a second is
//! certain in a minute.

use crate::common;
use crate::plain_bodies::PLAIN;
use crate::strange_motions::{at_time, between};
use retarget::internals::clip::{Clip, FrameTime};
use retarget::internals::convert::{self, LoadedRig, SourceClip};
use retarget::internals::math::{Quat, Vec3};
use retarget::internals::pose::Pose;
use retarget::internals::rig::RigFile;
use retarget::internals::settings::Settings;
use std::path::{Path, PathBuf};

const FPS: f64 = 30.0;
/// Frames from the end of one clip to the beginning of the next.
const BLEND: usize = 15;

fn rig(name: &str) -> LoadedRig {
    convert::LoadedRig::load(Path::new("samples/skeletons").join(name)).expect("a rig")
}

/// A clip's poses at `FPS`.
fn resampled(clip: &Clip) -> Vec<Pose> {
    let (last, step) = (clip.len() - 1, 1.0 / FPS / clip.frame_time().seconds());
    (0..=(last as f64 / step) as usize).map(|i| at_time(clip, i as f64 * step)).collect()
}

/// The clips one after the other: each begins where the last one ended, and faces as that did. Y is up.
fn strung(clips: &[Clip]) -> SourceClip {
    let mut poses: Vec<Pose> = Vec::new();
    for clip in clips {
        let mut next = resampled(clip);
        let (first, last) = (next[0].clone(), poses.last().unwrap_or(&next[0]).clone());
        let heading = |pose: &Pose| {
            let ahead = pose.rotations[0] * Vec3::z();
            ahead.x.atan2(ahead.z)
        };
        let turn = Quat::from_scaled_axis(Vec3::y() * (heading(&last) - heading(&first)));
        let level = |at: Vec3| Vec3::new(at.x, 0.0, at.z);
        let (from, to) = (level(first.translations[0]), level(last.translations[0]));
        for pose in &mut next {
            pose.rotations[0] = turn * pose.rotations[0];
            pose.translations[0] = to + turn * (pose.translations[0] - from);
        }
        if !poses.is_empty() {
            let share = |i: usize| (i + 1) as f64 / (BLEND + 1) as f64;
            let eased = (0..BLEND).map(share).map(|s| s * s * (3.0 - 2.0 * s));
            poses.extend(eased.map(|share| between(&last, &next[0], share)).collect::<Vec<_>>());
        }
        poses.append(&mut next);
    }
    let frame_time = FrameTime::from_seconds(1.0 / FPS).expect("above zero");
    let mut all = Clip::new(clips[0].skeleton().clone(), frame_time);
    poses.iter().for_each(|pose| all.push_pose(pose));
    SourceClip::new("performance.bvh", all)
}

/// All real clips and the project's samples on `hero`.
fn performance(dir: &Path) -> SourceClip {
    let samples = ["crouch", "jump", "kneel", "run", "sit", "stairs", "turn", "walk"];
    let file = |name: &str| PathBuf::from("samples").join(name).with_extension("bvh");
    let samples = samples.map(|name| convert::SourceClip::load(file(name)).expect("a clip"));
    let hero = rig("hero.toml");
    let mut real: Vec<(String, SourceClip)> = common::moving_clips(dir).collect();
    // By the names of the files, so that clips of one family do not all follow each other.
    real.sort_by_key(|(name, _)| name.rsplit('/').next().map(str::to_owned));
    let sources = real.into_iter().map(|(_, source)| source).chain(samples);
    let on_hero = |source: SourceClip| {
        convert::convert(&source, RigFile::default(), &hero, &Settings::default()).ok()
    };
    let clips: Vec<Clip> = sources.filter_map(on_hero).map(|done| done.result).collect();
    assert_eq!(clips.len(), 45, "37 real clips and 8 samples");
    strung(&clips)
}

#[test]
fn no_limb_snaps_in_a_performance_of_minutes() {
    let Some(dir) = common::mocap_dir() else { return };
    let performance = performance(&dir);
    let seconds = performance.clip.len() as f64 / FPS;
    assert!(seconds > 300.0, "{seconds} s");
    let rigs = ["child.toml", "game.toml", "hero.toml", "long_legged.bvh", "stocky.toml"];
    let hero = &rig("hero.toml").rig;
    let plain = PLAIN.iter().map(|body| (body.name, body.rig(hero, &performance.clip)));
    for (name, target) in rigs.map(|name| (name, rig(name))).into_iter().chain(plain) {
        let done =
            convert::convert(&performance, RigFile::default(), &target, &Settings::default());
        let report = done.expect("a person").report;
        let snap = &report.snap_deg;
        assert!(snap.value <= 2.5, "onto {name}: {snap:?}");
        assert!(report.plant_drift_cm.value <= 0.05, "onto {name}: {:?}", report.plant_drift_cm);
    }
}
