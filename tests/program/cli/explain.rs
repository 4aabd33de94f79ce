//! `retarget explain`: one frame, and what moved what in it.

use crate::common;
use crate::harness::Folder;
use serde_json::Value;
use std::path::Path;

fn sample(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples").join(name).display().to_string()
}

fn explained(frame: usize) -> Value {
    let (walk, hero) = (sample("walk.bvh"), sample("skeletons/hero.toml"));
    let frame = frame.to_string();
    let args = ["explain", &walk, "--to", &hero, "--frame", &frame, "--json"];
    Folder::new().run(&args).done().json()
}

#[test]
fn a_foot_that_stands_is_the_one_of_the_truth_and_lies_on_the_floor() {
    let truth = std::fs::read_to_string(sample("walk.truth.json")).expect("a sample");
    let truth: Value = serde_json::from_str(&truth).expect("JSON");
    let mut stood = 0;
    for contact in truth["contacts"].as_array().expect("contacts") {
        let [start, end] = ["first_frame", "end_frame"]
            .map(|key| contact[key].as_u64().expect("a frame") as usize);
        let reported = explained((start + end) / 2);
        let feet = reported["feet"].as_array().expect("feet");
        let foot = feet.iter().find(|foot| foot["foot"] == contact["foot"]).expect("a foot");
        let parts = foot["stands"].as_array().expect("stays");
        assert!(parts.iter().any(|stay| stay["part"] == contact["part"]), "{reported:#}");
        assert!(foot["sole_height_cm"].as_f64().expect("a height").abs() < 0.2, "{reported:#}");
        stood += 1;
    }
    assert!(stood >= 8, "{stood} contacts");
}

/// Toes of a run on longer legs, which its correction would bend up by more than a right angle.
#[test]
fn what_people_cannot_do_is_held_back_and_told_unless_the_rig_says_otherwise() {
    let run = sample("run.bvh");
    let skeleton = sample("skeletons/long_legged.bvh");
    let folder = Folder::new();
    let held = |keys: &str| {
        folder.put("target.toml", format!("bvh = {skeleton:?}\n{keys}"));
        let args = ["explain", &run, "--to", "target.toml", "--frame", "90"];
        let text = folder.run(&args).done().stdout;
        let reported = folder.run(&[&args[..], &["--json"]].concat()).done().json();
        (text, reported["held_back"].as_array().expect("a list").clone())
    };
    let (text, joints) = held("");
    assert!(text.contains("\"RightToes\" is held back by"), "{text}");
    assert!(text.contains("(default, what people can do)"), "{text}");
    assert_eq!((&joints[0]["joint"], &joints[0]["limit"]), (&"RightToes".into(), &"people".into()));
    for keys in ["human_limits = false\n", "[limits.RightToes]\nfree = true\n"] {
        assert_eq!(held(keys).1.len(), 0, "{keys}");
    }
}

#[test]
fn a_leg_that_is_swept_within_its_limits_tells_how_often_and_what_is_left() {
    let (walk, hero) = (sample("walk.bvh"), sample("skeletons/hero.bvh"));
    let folder = Folder::new();
    let stiff = ["LeftFoot", "RightFoot"]
        .map(|foot| format!("[limits.{foot}]\nswing_deg = [10, 10]\ntwist_deg = [-5, 5]\n"));
    folder.put("stiff.toml", format!("bvh = {hero:?}\n{}", stiff.concat()));
    let explained = |frame: usize| {
        let frame = frame.to_string();
        let args = ["explain", &walk, "--to", "stiff.toml", "--frame", &frame];
        let text = folder.run(&args).done().stdout;
        (text, folder.run(&[&args[..], &["--json"]].concat()).done().json())
    };
    let mut told = 0;
    for frame in (20..100).step_by(4) {
        let (text, json) = explained(frame);
        let feet = json["feet"].as_array().expect("feet");
        let swept = feet.iter().filter(|foot| foot["sweeps"].as_u64().expect("a count") > 0);
        let lines = text.lines().filter(|line| line.contains("limits turned it away")).count();
        assert_eq!(swept.clone().count(), lines, "{text}");
        assert!(swept.clone().all(|foot| foot["left_cm"].as_f64().expect("a length") < 0.01));
        told += lines;
    }
    assert!(told >= 5, "{told} of the feet that were looked at");
}

/// Who crouches folds the hip joints farther than this.
#[test]
fn a_pelvis_that_tilts_for_its_hip_joints_is_told() {
    let crouch = sample("crouch.bvh");
    let hero = std::fs::read_to_string(sample("skeletons/hero.toml")).expect("a sample");
    let hero =
        hero.replace("bvh = \"hero.bvh\"", &format!("bvh = {:?}", sample("skeletons/hero.bvh")));
    let folder = Folder::new();
    let tilts = |swing_deg: u8| {
        let limits = ["Left", "Right"].map(|side| {
            format!("[limits.{side}UpLeg]\nswing_deg = [{swing_deg}, {swing_deg}]\ntwist_deg = [-60, 60]\n")
        });
        folder.put("target.toml", format!("{hero}\n{}", limits.concat()));
        let args = ["explain", &crouch, "--to", "target.toml", "--frame", "60"];
        let text = folder.run(&args).done().stdout;
        let reported = folder.run(&[&args[..], &["--json"]].concat()).done().json();
        (text.contains("pelvis    tilts back by"), reported["pelvis_tilt_deg"].as_f64())
    };
    let (is_told, tilt_deg) = tilts(40);
    assert!(is_told && tilt_deg.expect("an angle") < -20.0, "{tilt_deg:?}");
    assert_eq!(tilts(170), (false, Some(0.0)));
}

#[test]
fn a_hand_that_lies_down_on_the_floor_is_told_and_one_over_it_is_not() {
    let Some(mocap) = common::mocap_dir() else { return };
    let cartwheel = mocap.join("asf_femur21_inch/cartwheel_clean.bvh").display().to_string();
    let folder = Folder::new();
    let turned = |frame: &str| {
        let hero = sample("skeletons/hero.toml");
        let args = ["explain", &cartwheel, "--to", &hero, "--frame", frame];
        let is_told = folder.run(&args).done().stdout.contains("; hand turned by");
        let hands = folder.run(&[&args[..], &["--json"]].concat()).done().json()["hands"].clone();
        let turned = hands.as_array().expect("a list").iter();
        let degrees = turned.map(|hand| hand["turned_deg"].as_f64().expect("an angle"));
        (is_told, degrees.fold(0.0, f64::max))
    };
    let (is_told, most_deg) = turned("350");
    assert!(is_told && most_deg > 10.0, "{most_deg}");
    assert_eq!(turned("100"), (false, 0.0));
}

#[test]
fn knees_that_kneel_are_told_with_how_long_they_do() {
    let (kneel, hero) = (sample("kneel.bvh"), sample("skeletons/hero.toml"));
    let folder = Folder::new();
    let reported = |frame: &str| {
        let args = ["explain", &kneel, "--to", &hero, "--frame", frame, "--json"];
        let knees = folder.run(&args).done().json()["knees"].as_array().expect("a list").clone();
        knees.iter().map(|knee| knee["knee"].as_str().expect("a side").to_owned()).collect()
    };
    let knees: [Vec<String>; 3] = ["20", "120", "210"].map(reported);
    assert_eq!(
        knees,
        [vec![], vec!["right".to_owned()], vec!["left".to_owned(), "right".to_owned()]]
    );
    let text = folder.run(&["explain", &kneel, "--to", &hero, "--frame", "120"]).done().stdout;
    assert!(text.contains("knee      right: kneels from 1."), "{text}");
}

#[test]
fn a_frame_that_the_clip_lacks_is_a_wrong_use_and_the_last_one_is_named() {
    let folder = Folder::new();
    let run = folder.run(&["explain", "walk.bvh", "--to", "hero.bvh", "--frame", "40"]);
    run.failed(2, "its frames go from 0 to 39");
}

#[test]
fn what_is_told_to_people_is_what_programs_get() {
    let folder = Folder::new();
    let args = ["explain", "walk.bvh", "--to", "hero.bvh", "--frame", "12"];
    let reported = folder.run(&args).done().stdout;
    for word in ["frame 12, 0.4 s", "body ", "foot      left", "foot      right", "kept "] {
        assert!(reported.contains(word), "{reported}");
    }
    let json = folder.run(&[&args[..], &["--json"]].concat()).done().json();
    assert_eq!(json["frame"], 12);
    assert_eq!(json["feet"].as_array().map(Vec::len), Some(2));
}
