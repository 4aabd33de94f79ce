//! Where a character stands, faces and rests.

use super::{NEW, character, places, sample, walk};
use crate::common::characters_dir;
use crate::glb::Writing;
use retarget::internals::clip::Clip;
use retarget::internals::convert::{self, LoadedRig, SourceClip};
use retarget::internals::edit::RootMotion;
use retarget::internals::math::Vec3;
use retarget::internals::pose::WorldPose;
use retarget::internals::rig::{RigFile, Role, Side, UpAxis};
use retarget::internals::settings::Settings;
use std::path::Path;

#[cfg(feature = "fbx")]
#[test]
fn a_clip_in_which_a_body_lies_has_the_axis_up_of_its_format() {
    let Some(dir) = characters_dir() else { return };
    let mut clips = 0;
    for name in ["glb/kaykit_knight.glb", "fbx/quaternius_male_casual.fbx"] {
        let path = dir.join(name);
        let bytes = std::fs::read(&path).expect("read");
        let file = convert::NodeFile::read(&path, &bytes).unwrap_or_else(|e| panic!("{e}"));
        for take in file.scene().takes.iter().filter(|take| take.moves) {
            let clip = convert::load_take(&path, Some(&take.name)).expect("a clip");
            let found = convert::source_rig(&clip, RigFile::default());
            let found = found.unwrap_or_else(|error| panic!("{name} {}: {error}", take.name));
            assert_eq!(found.rig.up, UpAxis::Y, "{name} {}", take.name);
            clips += 1;
        }
    }
    assert_eq!(clips, 80);
}

/// Rigs whose legs hang on the spine, with the joints of the pelvis above it.
#[cfg(feature = "fbx")]
const PELVISES: [(&str, [&str; 2]); 2] = [
    ("fbx/rocketbox_male_adult_01.fbx", ["Bip01", "Bip01 Pelvis"]),
    ("fbx/pab_arnaud.fbx", ["Hips", "Pelvis"]),
];

#[cfg(feature = "fbx")]
#[test]
fn a_pelvis_above_the_legs_goes_with_them_and_they_stay_where_they_are() {
    let Some(dir) = characters_dir() else { return };
    let source = walk();
    for (name, pelvis) in PELVISES {
        let target =
            convert::LoadedRig::load(dir.join(name)).unwrap_or_else(|error| panic!("{error}"));
        let skeleton = &target.rig.skeleton;
        let joint = |name: &str| skeleton.find(name).expect("a joint");
        let (hips, leg_len) = (target.rig.joint(Role::Hips).expect("hips"), target.rig.leg_len);
        let retargeted = |root_motion| {
            let settings = Settings { root_motion, ..Settings::default() };
            let done = convert::convert(&source, RigFile::default(), &target, &settings);
            done.unwrap_or_else(|error| panic!("{error}")).result
        };
        let rest = WorldPose::of(skeleton, &retarget::internals::pose::Pose::rest(skeleton));
        let (still, on_root) =
            (retargeted(None), retargeted(Some(RootMotion::Named(pelvis[0].to_owned()))));
        for frame in (0..still.len()).step_by(10) {
            let worlds = [&still, &on_root].map(|it| WorldPose::of(skeleton, &it.pose(frame)));
            // With the travel on the uppermost the other one goes with the hips all the same.
            for (world, with_hips) in worlds.iter().zip([&pelvis[..], &pelvis[1..]]) {
                for part in with_hips.iter().map(|name| joint(name)) {
                    let seen = |world: &WorldPose| {
                        let way = world.position(part) - world.position(hips);
                        world.rotation(hips).inverse() * way
                    };
                    let off = (seen(world) - seen(&rest)).norm() / leg_len;
                    assert!(off < 1e-9, "{name}: {} is {off} legs off", skeleton.name(part));
                    let turn = world.rotation(hips).angle_to(&world.rotation(part));
                    assert!(turn < 1e-6, "{name}: {} is turned by {turn}", skeleton.name(part));
                }
            }
            let feet = [Side::Left, Side::Right].map(|side| {
                let foot = target.rig.joint(Role::Foot(side)).expect("a foot");
                (worlds[0].position(foot) - worlds[1].position(foot)).norm()
            });
            assert!(feet[0].max(feet[1]) < 1e-9 * leg_len, "{name}: feet move by {feet:?}");
        }
    }
}

/// Checks that a body that walks along +Z has its toes, or the front of its hips, ahead.
pub fn stands_ahead(target: &LoadedRig, result: &Clip, name: &str) {
    let rig = &target.rig;
    let world = WorldPose::of(&rig.skeleton, &result.pose(result.len() / 2));
    let [left, right] = Side::BOTH.map(|side| rig.joint(Role::Thigh(side)).expect("a thigh"));
    let across = world.position(left) - world.position(right);
    assert!(across.normalize().x > 0.8, "{name}: left is {across}");
    let head = rig.joint(Role::Head).or(rig.joint(Role::Neck(1))).expect("a head");
    let trunk = world.position(head) - world.position(left);
    assert!(trunk.normalize().y > 0.8, "{name}: up is {trunk}");
}

#[test]
fn a_clip_for_vrm_has_the_same_places_and_rests_in_a_t_pose() {
    let source = walk();
    let target = convert::LoadedRig::load(sample("skeletons/hero.toml")).expect("a sample");
    let done = convert::convert(&source, RigFile::default(), &target, &Settings::default());
    let result = done.expect("retargeted").result;
    let path = Path::new("walk.vrma");
    let bytes = target.result_bytes(path, &result, NEW).expect("a clip for VRM");
    let read = convert::SourceClip::from_bytes(path, &bytes).expect("read back");
    let found = convert::source_rig(&read, RigFile::default()).expect("a body").rig;
    // The hero is in centimetres.
    let unit_m = 0.01;
    for frame in (0..result.len()).step_by(20) {
        let is = WorldPose::of(read.clip.skeleton(), &read.clip.pose(frame));
        let should = WorldPose::of(result.skeleton(), &result.pose(frame));
        for (role, joint) in found.roles.iter() {
            let own = target.rig.joint(role).unwrap_or_else(|| panic!("{role}"));
            let off = (is.position(joint) - should.position(own) * unit_m).norm();
            assert!(off < 1e-4, "{role} in frame {frame} is {off} m away");
        }
    }
    let rest = WorldPose::of(
        read.clip.skeleton(),
        &retarget::internals::pose::Pose::rest(read.clip.skeleton()),
    );
    let way = |from: Role, to: Role| {
        let [from, to] = [from, to].map(|role| found.joint(role).expect("a joint"));
        (rest.position(to) - rest.position(from)).normalize()
    };
    for side in Side::BOTH {
        let out = if side == Side::Left { Vec3::x() } else { -Vec3::x() };
        assert!(way(Role::UpperArm(side), Role::Hand(side)).dot(&out) > 0.999);
        assert!(way(Role::Thigh(side), Role::Foot(side)).dot(&-Vec3::y()) > 0.999);
        assert!(way(Role::Foot(side), Role::Toe(side)).z > 0.5);
    }
}

#[test]
fn a_character_stands_on_the_ground_wherever_its_source_stood() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = character(folder.path(), &Writing::default());
    let low = walk();
    let mut clip = Clip::new(low.clip.skeleton().clone(), low.clip.frame_time().clone());
    for frame in 0..low.clip.len() {
        let mut pose = low.clip.pose(frame);
        pose.translations[0].y += 70.0;
        clip.push_pose(&pose);
    }
    let high = SourceClip::new("high.bvh", clip);
    let of = |source: &SourceClip, settings: &Settings| {
        let done = convert::convert(source, RigFile::default(), &target, settings);
        done.expect("retargeted").result
    };
    let [on, too] = [&low, &high].map(|source| of(source, &Settings::default()));
    let lowest = |clip: &Clip| {
        let feet = (0..clip.len()).flat_map(|frame| places(clip, frame));
        let feet = feet.filter(|(name, _)| name.contains("Foot"));
        feet.map(|(_, place)| place.y).fold(f64::INFINITY, f64::min)
    };
    assert!((lowest(&on) - lowest(&too)).abs() < 1e-6, "{} and {}", lowest(&on), lowest(&too));
    let kept = of(&high, &Settings { keep_floor: true, ..Settings::default() });
    assert!(lowest(&kept) > lowest(&on) + 0.5, "{}", lowest(&kept));
}
