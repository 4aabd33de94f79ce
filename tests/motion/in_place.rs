//! `--in-place`: the body strides where it stands, and nothing else of it changes.

use retarget::internals::convert::{self, Conversion};
use retarget::internals::math::Vec3;
use retarget::internals::pose::WorldPose;
use retarget::internals::rig::{RigFile, Role};
use retarget::internals::settings::Settings;
use std::path::{Path, PathBuf};

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")
}

fn convert(in_place: bool) -> Conversion {
    let path = samples().join("turn.bvh");
    let source = convert::SourceClip::from_bytes(&path, &std::fs::read(&path).expect("a sample"))
        .expect("a clip");
    let target = convert::LoadedRig::load(samples().join("skeletons/hero.toml")).expect("a rig");
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
