//! Characters: files of nodes that get an animation more.

mod motions;
mod stance;

use stance::stands_ahead;

use crate::common::characters_dir;
use crate::glb::{self, Writing, writings};
use retarget::internals::clip::{Clip, FrameTime};
use retarget::internals::convert::{self, LoadedRig, NewAnimation, SourceClip};
use retarget::internals::edit::{self, RootMotion};
use retarget::internals::math::Vec3;
use retarget::internals::pose::WorldPose;
use retarget::internals::rig::{RigFile, Role};
use retarget::internals::scene::Base;
use retarget::internals::settings::Settings;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

const NEW: NewAnimation = NewAnimation { name: "new", replace: false };

fn sample(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples").join(name)
}

fn walk() -> SourceClip {
    // At a rate that a file of keys gives back to the last digit.
    let walk = convert::SourceClip::load(sample("walk.bvh")).expect("a sample").clip;
    let time = FrameTime::from_seconds(1.0 / 60.0).expect("a frame time");
    let mut clip = Clip::new(walk.skeleton().clone(), time);
    (0..walk.len()).for_each(|frame| clip.push_pose(&walk.pose(frame)));
    SourceClip::new("walk.bvh", clip)
}

/// The hero as a character, in a file of that name.
fn character(folder: &Path, writing: &Writing) -> LoadedRig {
    let rig = convert::LoadedRig::load(sample("skeletons/hero.toml")).expect("a sample").rig;
    let path = folder.join(if writing.text { "hero.gltf" } else { "hero.glb" });
    std::fs::write(&path, glb::glb(&rig, writing)).expect("written");
    convert::LoadedRig::load(&path).unwrap_or_else(|error| panic!("{}: {error}", writing.name))
}

/// A clip on a character: the result, and the bytes of its file.
fn retargeted(source: &SourceClip, target: &LoadedRig) -> (Clip, Vec<u8>) {
    let done = convert::convert(source, RigFile::default(), target, &Settings::default());
    let result = done.unwrap_or_else(|error| panic!("{error}")).result;
    let bytes = target.result_bytes(&target.path, &result, NEW);
    (result, bytes.unwrap_or_else(|error| panic!("{error}")))
}

/// Where the joints are in a frame, by name.
fn places(clip: &Clip, frame: usize) -> BTreeMap<String, Vec3> {
    glb::places(clip.skeleton(), &clip.pose(frame), 1.0).into_iter().collect()
}

/// Checks that the joints are in the same places, metres, in every tenth frame.
fn agree(result: &Clip, truth: &Clip, name: &str) {
    for frame in (0..truth.len()).step_by(10) {
        let (is, should) = (places(result, frame), places(truth, frame));
        for (joint, place) in should {
            let off = (is[&joint] - place).norm();
            assert!(off < 1e-5, "{name}: {joint} in frame {frame} is {off} m away");
        }
    }
}

#[test]
fn a_character_that_is_written_in_many_ways_moves_the_same() {
    let source = walk();
    let folder = tempfile::tempdir().expect("a folder");
    let all = writings();
    let (truth, _) = retargeted(&source, &character(folder.path(), &all[0]));
    for writing in &all[1..] {
        let target = character(folder.path(), writing);
        let (result, _) = retargeted(&source, &target);
        assert_eq!(result.len(), truth.len());
        agree(&result, &truth, writing.name);
    }
}

#[test]
fn what_is_in_the_file_is_what_was_computed() {
    let source = walk();
    let folder = tempfile::tempdir().expect("a folder");
    for writing in writings() {
        let target = character(folder.path(), &writing);
        let (result, bytes) = retargeted(&source, &target);
        let read = convert::read_take(&target.path, &bytes, Some("new")).expect("read back").clip;
        assert_eq!(read.len(), result.len(), "{}", writing.name);
        let rate = read.frame_time().seconds() / result.frame_time().seconds();
        assert!((rate - 1.0).abs() < 1e-6, "{}: {rate}", writing.name);
        agree(&read, &result, writing.name);
    }
}

#[test]
fn all_that_a_character_has_stays_byte_for_byte() {
    let source = walk();
    let folder = tempfile::tempdir().expect("a folder");
    for writing in writings() {
        let target = character(folder.path(), &writing);
        let before = std::fs::read(&target.path).expect("read");
        let (_, after) = retargeted(&source, &target);
        stays(&before, &after, writing.name);
        // And again, with one animation there already.
        std::fs::write(&target.path, &after).expect("written");
        let again = convert::LoadedRig::load(&target.path).expect("a character");
        let done = convert::convert(&source, RigFile::default(), &again, &Settings::default());
        let result = done.expect("retargeted").result;
        let taken = again.result_bytes(&again.path, &result, NEW).expect_err("taken");
        assert!(taken.to_string().contains("have it replaced"), "{taken}");
        let other = NewAnimation { name: "other", ..NEW };
        let two = again.result_bytes(&again.path, &result, other).expect("another");
        stays(&after, &two, writing.name);
        let replaced = NewAnimation { replace: true, ..NEW };
        let one = again.result_bytes(&again.path, &result, replaced).expect("replaced");
        assert_eq!(glb::unpacked(&one).0["animations"].as_array().map(Vec::len), Some(1));
    }
}

/// Checks that a file has all of another one, and an animation more.
fn stays(before: &[u8], after: &[u8], name: &str) {
    let ((before, old_bytes), (after, new_bytes)) = (glb::unpacked(before), glb::unpacked(after));
    let len = before["buffers"][0]["byteLength"].as_u64().expect("a length") as usize;
    assert_eq!(old_bytes.get(..len), new_bytes.get(..len), "{name}");
    let list = |file: &Value, key: &str| file[key].as_array().cloned().unwrap_or_default();
    for (key, value) in before.as_object().expect("an object") {
        match key.as_str() {
            "accessors" | "bufferViews" | "animations" => {
                let (old, new) = (list(&before, key), list(&after, key));
                assert_eq!(old[..], new[..old.len()], "{name}: {key}");
                assert!(new.len() > old.len(), "{name}: {key}");
            }
            "buffers" => {
                let new = list(&after, key);
                let grew = new[0]["byteLength"].as_u64() > before[key][0]["byteLength"].as_u64();
                assert!(grew || new.len() == list(&before, key).len() + 1, "{name}: {key}");
            }
            _ => assert_eq!(value, &after[key], "{name}: {key}"),
        }
    }
    let (old, new) = (list(&before, "animations").len(), list(&after, "animations").len());
    assert_eq!(new, old + 1, "{name}");
}

#[test]
fn the_members_of_a_file_keep_their_very_letters() {
    let source = walk();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hero.gltf");
    let rig = convert::LoadedRig::load(sample("skeletons/hero.toml")).expect("a sample").rig;
    let writing = Writing { text: true, strange: true, ..Writing::default() };
    let text = String::from_utf8(glb::glb(&rig, &writing)).expect("text");
    // Numbers that lose their letters where they are read as numbers and written again.
    let kept = r#""kept" : [ 1, 2.50, 1e-7, 0.1000000000000000055511151231257827, 12345678901234567890123 ]"#;
    let text = text.replacen(r#""kept": ["#, &format!("{kept}, \"rest\": ["), 1);
    assert!(text.contains(kept));
    std::fs::write(&path, &text).expect("written");
    let target = convert::LoadedRig::load(&path).expect("a character");
    let (_, after) = retargeted(&source, &target);
    assert!(String::from_utf8(after).expect("text").contains(kept));
}

/// What is known of the real files: joints, joints that play a part, and whether the nodes were left in another
/// pose than the bind pose.
const FILES: [(&str, usize, usize, bool); 13] = [
    ("clips/idle_loop.vrma", 29, 22, false),
    ("clips/kaykit_movement_basic.glb", 24, 18, false),
    ("clips/test.vrma", 51, 51, false),
    ("glb/human_male.glb", 67, 52, false),
    ("glb/human_sintel_morphs.glb", 67, 52, false),
    ("glb/kaykit_knight.glb", 42, 18, false),
    ("glb/kaykit_mannequin/manny_med_mod.gltf", 22, 18, false),
    ("glb/mannequiny.glb", 47, 45, false),
    ("glb/rigged_figure/RiggedFigure.gltf", 21, 19, false),
    ("glb/rigify_names_anim.glb", 67, 52, false),
    ("glb/robot_expressive.glb", 45, 20, true),
    ("vrm/debug_robot_vrm1_no_skin.vrm", 52, 51, false),
    ("vrm/godette_vrm0.vrm", 68, 45, false),
];

#[test]
fn every_real_character_takes_a_walk_and_stays_as_it_was() {
    let Some(dir) = characters_dir() else { return };
    let source = walk();
    let folder = tempfile::tempdir().expect("a folder");
    for (name, joints, parts, is_left_posed) in FILES {
        let path = dir.join(name);
        let target = convert::LoadedRig::load(&path).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(target.rig.skeleton.len(), joints, "{name}");
        assert_eq!(target.rig.roles.len(), parts, "{name}");
        let character = target.character.as_ref().expect("a character");
        assert_eq!(matches!(character.body.base, Base::Bind { .. }), is_left_posed, "{name}");
        let done = convert::convert(&source, RigFile::default(), &target, &Settings::default());
        let done = done.unwrap_or_else(|error| panic!("{error}"));
        let report = &done.report;
        assert!(report.plant_drift_cm.value < 0.05, "{name}: {:?}", report.plant_drift_cm);
        assert!(report.skate_cm_s.value < 0.5, "{name}: {:?}", report.skate_cm_s);
        assert!(report.wrong_way_deg.value < 20.0, "{name}: {:?}", report.wrong_way_deg);
        // It goes where its own front is: VRM 0 faces -Z in its file.
        stands_ahead(&target, &done.result, name);
        if name.ends_with("vrma") {
            continue;
        }
        let written = target.result_bytes(&path, &done.result, NEW);
        let after = written.unwrap_or_else(|error| panic!("{error}"));
        stays(&std::fs::read(&path).expect("read"), &after, name);
        let copy = folder.path().join(Path::new(name).file_name().expect("a name"));
        std::fs::write(&copy, &after).expect("written");
        for beside in ["manny_med_mod.bin", "RiggedFigure0.bin"] {
            let beside = path.with_file_name(beside);
            if beside.exists() {
                let to = folder.path().join(beside.file_name().expect("a name"));
                std::fs::copy(&beside, to).expect("copied");
            }
        }
        let read = convert::load_take(&copy, Some("new")).unwrap_or_else(|e| panic!("{e}")).clip;
        let most = 1e-4 * target.rig.leg_len;
        for frame in (0..read.len()).step_by(20) {
            let (is, should) = (places(&read, frame), places(&done.result, frame));
            let keyed = |role: &(Role, retarget::internals::skeleton::JointId)| {
                target.rig.skeleton.name(role.1).to_owned()
            };
            for name_of in target.rig.roles.iter().map(|role| keyed(&role)) {
                let off = (is[&name_of] - should[&name_of]).norm();
                assert!(off < most, "{name}: {name_of} in frame {frame} is {off} m away");
            }
        }
    }
}

#[test]
fn travel_that_goes_on_a_root_moves_nothing_else() {
    let source = walk();
    let folder = tempfile::tempdir().expect("a folder");
    for writing in writings() {
        let target = character(folder.path(), &writing);
        let (result, _) = retargeted(&source, &target);
        let root = edit::root_joint(&target.rig, &RootMotion::Auto).expect("a root");
        let root = root.expect("the armature is above the hips");
        let moved = edit::on_root(&result, &target.rig, root);
        let hips = target.rig.joint(Role::Hips).expect("hips");
        let skeleton = result.skeleton();
        for frame in 0..result.len() {
            let is = WorldPose::of(skeleton, &moved.pose(frame));
            let should = WorldPose::of(skeleton, &result.pose(frame));
            for id in skeleton.ids().filter(|id| *id == hips || skeleton.is_ancestor(hips, *id)) {
                let off = (is.position(id) - should.position(id)).norm();
                assert!(off < 1e-9, "{}: {off}", writing.name);
            }
            let first = WorldPose::of(skeleton, &moved.pose(0));
            let rest = WorldPose::of(skeleton, &result.pose(0));
            let travel = is.position(root) - first.position(root);
            let of_hips = should.position(hips) - rest.position(hips);
            assert!(travel.y.abs() < 1e-9, "{}: the root rises by {}", writing.name, travel.y);
            assert!((travel - Vec3::new(of_hips.x, 0.0, of_hips.z)).norm() < 0.1, "{travel}");
        }
    }
    let target = character(folder.path(), &writings()[0]);
    let named = RootMotion::Named("Nobody".to_owned());
    let error = edit::root_joint(&target.rig, &named).expect_err("nobody is above the hips");
    assert!(error.to_string().contains("Armature"), "{error}");
}

#[test]
fn what_is_wrong_in_a_file_is_told_with_its_place() {
    let rig = convert::LoadedRig::load(sample("skeletons/hero.toml")).expect("a sample").rig;
    let (file, bytes) = glb::unpacked(&glb::glb(&rig, &Writing::default()));
    let reported = |change: &dyn Fn(&mut Value)| -> String {
        let mut changed = file.clone();
        change(&mut changed);
        let bytes = glb::packed(changed, bytes.clone(), false);
        match convert::SourceClip::from_bytes(Path::new("hero.glb"), &bytes) {
            Ok(_) => panic!("it was read"),
            Err(error) => error.to_string(),
        }
    };
    type Change<'a> = &'a dyn Fn(&mut Value);
    let cases: [(Change, &str); 9] = [
        (&|file| file["asset"]["version"] = "1.0".into(), "glTF 1.0"),
        (&|file| file["skins"][0]["inverseBindMatrices"] = 99.into(), "skin 0 names accessor 99"),
        (&|file| file["skins"][0]["joints"][3] = 999.into(), "skin 0 names node 999"),
        (&|file| file["accessors"][0]["count"] = 1_000_000_000u64.into(), "accessor 0 reaches"),
        (&|file| file["accessors"][0]["type"] = "VEC3".into(), "accessor 0 is VEC3"),
        (&|file| file["bufferViews"][0]["byteOffset"] = u64::MAX.into(), "bufferView 0 reaches"),
        (&|file| file["buffers"][0]["byteLength"] = 1_000_000.into(), "buffer 0: it has"),
        (&|file| file["nodes"][3]["children"] = serde_json::json!([0]), "its own ancestor"),
        (&|_| (), "no animation"),
    ];
    for (change, part) in cases {
        let sentence = reported(change);
        assert!(sentence.contains(part), "{sentence}");
    }
    let cut = glb::packed(file.clone(), bytes.clone(), false);
    for len in [0, 3, 11, 19, 400, cut.len() - 5] {
        let error = convert::SourceClip::from_bytes(Path::new("hero.glb"), &cut[..len]);
        assert!(error.is_err(), "{len} bytes");
    }
    // A file may name only what lies beside it.
    for name in ["../secret.bin", "/etc/passwd", "a/../../b.bin", "%2e%2e/secret.bin"] {
        let sentence = reported(&|file| file["buffers"][0]["uri"] = name.into());
        assert!(sentence.contains("is no file in the folder"), "{sentence}");
    }
}
