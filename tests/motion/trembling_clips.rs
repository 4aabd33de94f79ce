//! Clips that tremble are moved onto another body as those that do not.

use crate::common;
use crate::limits::{assert_good, on};
use crate::trembling::trembling;
use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, LoadedRig, SourceClip};
use retarget::internals::math::Vec3;
use retarget::internals::plant::FootPlants;
use retarget::internals::pose::WorldPose;
use retarget::internals::rig::{RigFile, Role};
use std::path::{Path, PathBuf};

/// By how much feet of the trembling clips tremble along each axis, on legs of 90 cm.
const TREMBLE_CM: f64 = 0.4;

/// The farthest that this moves the hips from where they are otherwise, in the mean of a clip, leg lengths.
const MOST_MOVED: f64 = 0.06;

/// The farthest that it moves them from where they are in the mean of so many seconds to either side.
const MOST_SWAY: f64 = 0.016;
const SWAY_SECONDS: f64 = 0.25;

/// Where hips tremble, so do the directions of straight legs. Taken as they are, they drag the body aside by up to 0.12 leg
/// lengths, and if a constant offset may even them out, somebody who only stands sways by 0.023.
#[test]
fn where_joints_tremble_the_body_stays_and_no_limb_snaps() {
    let Some(dir) = common::mocap_dir() else { return };
    let target = LoadedRig::load(Path::new("samples/skeletons/hero.toml")).expect("a rig");
    let hips = target.rig.joint(Role::Hips).expect("hips");
    let place =
        |clip: &Clip, f: usize| WorldPose::of(clip.skeleton(), &clip.pose(f)).position(hips);
    let mut clips = 0;
    for (name, source) in common::moving_clips(&dir) {
        let Ok(own) = convert::source_rig(&source, RigFile::default()) else { continue };
        clips += 1;
        let clip = trembling(&source.clip, TREMBLE_CM, own.rig.leg_len);
        let trembles = SourceClip::new(PathBuf::from(&name), clip);
        let [still, trembles] =
            [&source, &trembles].map(|source| on(source, &target, FootPlants::Auto));
        assert_good(&name, &trembles.report, &["snap_deg", "plant_drift_cm"]);
        let count = still.result.len();
        let away = |f: usize| place(&trembles.result, f) - place(&still.result, f);
        let mean_of = |value: &dyn Fn(usize) -> f64| {
            (0..count).map(value).sum::<f64>() / count as f64 / target.rig.leg_len
        };
        let moved = mean_of(&|f| away(f).norm());
        assert!(moved < MOST_MOVED, "{name}: the body is moved by {moved} leg lengths");
        let around = (SWAY_SECONDS / source.clip.frame_time().seconds()).ceil() as usize;
        let apart: Vec<Vec3> = (0..count).map(away).collect();
        let sways = mean_of(&|f| {
            let near = &apart[f.saturating_sub(around)..(f + around + 1).min(count)];
            (apart[f] - near.iter().sum::<Vec3>() / near.len() as f64).norm()
        });
        assert!(sways < MOST_SWAY, "{name}: the body sways by {sways} leg lengths");
    }
    assert!(clips >= 35, "{clips} clips");
}
