//! The page of a result that is a character: its own mesh, moved by three.js as we move its joints.

use super::browser::Browser;
use super::{FRAME, folder, is_seen, pixels};
use crate::common;
use crate::harness::{Folder, project};
use nalgebra::{Quaternion, UnitQuaternion};
use retarget::internals::convert::{self, Looks};
use retarget::internals::math::Vec3;
use retarget::internals::pose::WorldPose;
use serde_json::{Value, json};

/// A joint may be so far from where three.js has it, as a share of the body.
const MOST_OFF_RATIO: f64 = 1e-4;

/// Characters, each with its left and its right thigh.
const CHARACTERS: &[(&str, [&str; 2])] = &[
    #[cfg(feature = "fbx")]
    ("fbx/quaternius_male_casual.fbx", ["UpperLeg.L", "UpperLeg.R"]),
    #[cfg(feature = "fbx")]
    ("fbx/rocketbox_male_adult_01.fbx", ["Bip01 L Thigh", "Bip01 R Thigh"]),
    ("glb/human_male.glb", ["thigh_l", "thigh_r"]),
    ("glb/robot_expressive.glb", ["UpperLeg.L", "UpperLeg.R"]),
    ("vrm/godette_vrm0.vrm", ["thigh.l_Armature", "thigh.r_Armature"]),
];

/// Where a script has joints.
fn places(reported: &Value) -> Vec<Vec3> {
    let point = |point: &Value| Vec3::from([0, 1, 2].map(|k| point[k].as_f64().expect("a number")));
    reported.as_array().expect("a list").iter().map(point).collect()
}

/// Opens the page of a result and waits until its meshes are read.
fn shown(browser: &Browser, folder: &Folder, source: &str, result: &str) {
    let take = ["--result-clip", "walk"];
    folder
        .run(&[&["view", source, result, "-o", "mesh.html"], &take[..]].concat())
        .done_with_notes();
    browser.open(&folder.path("mesh.html"));
    browser.run("return meshes.read");
    // Pictures may lie elsewhere than a file says.
    let unshown = browser.run("return document.getElementById('unshown').textContent");
    let unshown = unshown.as_str().expect("words");
    assert!(unshown.is_empty() || unshown.starts_with("Pictures of"), "{unshown}");
}

/// Compares every joint of some frames with where the file's clip has it, by our own reading and forward kinematics.
fn joints_agree(browser: &Browser, folder: &Folder, result: &str) {
    let path = folder.path(result);
    let clip = convert::load_take(&path, Some("walk")).expect("read").clip;
    let looks = convert::looks(
        &path,
        &convert::Reading { clip: Some("walk"), ..convert::Reading::default() },
    )
    .expect("looked at");
    let Looks::Mesh(mesh) = looks else { panic!("{looks:?}") };
    let file = "JSON.parse(document.getElementById('scene').textContent).result.mesh.file";
    let reported = browser.run(&format!("return {file}"));
    let number = |value: &Value| value.as_f64().expect("a number");
    let [x, y, z, w] = [0, 1, 2, 3].map(|k| number(&reported["turn"][k]));
    let turn = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z)) * mesh.turn.inverse();
    let (unit, floor) = (number(&reported["unit"]), number(&reported["floor"]));
    for frame in [0, clip.len() / 3, clip.len() - 2, clip.len() - 1] {
        let ours = WorldPose::of(clip.skeleton(), &clip.pose(frame)).positions;
        let ours: Vec<Vec3> = ours.iter().map(|p| turn * p * unit - floor * Vec3::y()).collect();
        let body = |axis: usize| {
            let along = ours.iter().map(|p| p[axis]);
            along.clone().fold(f64::MIN, f64::max) - along.fold(f64::MAX, f64::min)
        };
        let body_len = Vec3::from([0, 1, 2].map(body)).norm();
        let theirs = places(&browser.run(&format!("return meshes.joints('result', {frame})")));
        assert_eq!(theirs.len(), ours.len());
        for (joint, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            let off_ratio = (ours - theirs).norm() / body_len;
            let name = &clip.skeleton().joints()[joint].name;
            assert!(off_ratio < MOST_OFF_RATIO, "{result}: {name} in frame {frame}: {off_ratio}");
        }
        // And that is where the page draws its bones.
        let all = places(&browser.run(&format!("return meshes.places('result', {frame})")));
        let lines = "JSON.parse(document.getElementById('scene').textContent).result.lines";
        let lines = browser.run(&format!("return {lines}.flatMap(line => line.slice(0, 2))"));
        let drawn = lines.as_array().expect("lines").iter().map(|i| number(i) as usize);
        let drawn: Vec<usize> = drawn.filter(|i| *i < ours.len()).collect();
        assert!(drawn.len() > 20, "{lines}");
        for i in drawn {
            let (drawn, ours) = (all[i], ours[i]);
            assert!((drawn - ours).norm() < 3e-4, "{result} in frame {frame}: {drawn} {ours}");
        }
    }
}

/// The way from one thigh to the other in the first frame, level.
fn across(browser: &Browser, script: &str, body: &str, thighs: [&str; 2]) -> Vec3 {
    let scene = "JSON.parse(document.getElementById('scene').textContent)";
    let names = browser.run(&format!("return {scene}.{body}.joints"));
    let all = places(&browser.run(&format!("return meshes.{script}('{body}', 0)")));
    let place = |name: &str| {
        let names = names.as_array().expect("names");
        all[names.iter().position(|own| own == name).unwrap_or_else(|| panic!("{name}: {names:?}"))]
    };
    let [left, right] = thighs.map(place);
    Vec3::new(right.x - left.x, 0.0, right.z - left.z).normalize()
}

#[test]
fn characters_move_as_computed_face_as_the_source_and_fetch_nothing() {
    let Some(characters) = common::characters_dir() else { return };
    let Some(browser) = Browser::start() else { return };
    let folder = Folder::new();
    let walk = project().join("samples/walk.bvh").display().to_string();
    for &(character, thighs) in CHARACTERS {
        let end = if character.ends_with("fbx") { "fbx" } else { "glb" };
        let result = format!("result.{end}");
        let character = characters.join(character).display().to_string();
        folder.run(&[&walk, "--to", &character, "-o", &result, "-q"]).done();
        shown(&browser, &folder, &walk, &result);
        joints_agree(&browser, &folder, &result);
        let source = across(&browser, "places", "source", ["LeftUpperLeg", "RightUpperLeg"]);
        let result = across(&browser, "joints", "result", thighs);
        assert!(source.dot(&result) > 0.9, "{character}: {source} {result}");
        assert_eq!(browser.complaints(), Vec::<String>::new(), "{character}");
    }
}

#[test]
fn it_plays_with_its_mesh_or_with_bones() {
    let folder = folder();
    let sample = |name: &str| project().join("samples").join(name).display().to_string();
    let (walk, hero) = (sample("walk.bvh"), sample("skeletons/hero.toml"));
    let Some(browser) = Browser::start() else { return };
    // A body of bones, and the same file as a character with an animation more.
    folder.run(&[&walk, "--to", &hero, "-o", "bones.glb"]).done();
    folder.run(&[&walk, "--to", "bones.glb", "-o", "result.glb", "-q"]).done();
    shown(&browser, &folder, &walk, "result.glb");
    joints_agree(&browser, &folder, "result.glb");
    let soon =
        "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))";
    browser.run(soon);
    let with_mesh = pixels(&browser, "left-arm");
    browser.press(&['m']);
    browser.run(soon);
    let bones_are_seen = is_seen(&browser, "left-arm", with_mesh + 100);
    assert!(bones_are_seen, "bones are drawn in place of the mesh");
    browser.press(&['m']);
    browser.click("#play");
    browser.until(&format!("{FRAME} > 20"));
    let asked = browser.run("return performance.getEntriesByType('resource').map(r => r.name)");
    assert_eq!(asked, json!([]), "all that it shows lies in the one file");
    assert_eq!(browser.complaints(), Vec::<String>::new());
    let page = folder.text("mesh.html");
    assert!(page.contains("The MIT License") && page.contains("three.js authors"));
    assert!(!folder.text("view.html").contains("three.js authors"), "the page of a BVH result");
}

#[test]
fn a_mesh_that_is_compressed_is_named_and_its_bones_are_shown() {
    let folder = folder();
    let sample = |name: &str| project().join("samples").join(name).display().to_string();
    let (walk, hero) = (sample("walk.bvh"), sample("skeletons/hero.toml"));
    folder.run(&[&walk, "--to", &hero, "-o", "bones.glb"]).done();
    let bytes = std::fs::read(folder.path("bones.glb")).expect("read");
    let (head, rest) =
        bytes[20..].split_at(u32::from_le_bytes(bytes[12..16].try_into().expect("4")) as usize);
    let mut json: Value = serde_json::from_slice(head).expect("JSON");
    json["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
    let mut text = serde_json::to_vec(&json).expect("text");
    text.resize(text.len().next_multiple_of(4), b' ');
    let len = |len: usize| (len as u32).to_le_bytes();
    let whole =
        [b"glTF", &len(2)[..], &len(20 + text.len() + rest.len()), &len(text.len()), b"JSON"];
    folder.put("packed.glb", [&whole.concat()[..], &text, rest].concat());
    folder.run(&["view", &walk, "packed.glb", "-o", "packed.html"]).done_with_notes();
    let Some(browser) = Browser::start() else { return };
    browser.open(&folder.path("packed.html"));
    let reported = browser.run("return document.getElementById('unshown').textContent");
    let reported = reported.as_str().expect("words");
    assert!(
        reported.contains("packed.glb") && reported.contains("KHR_draco_mesh_compression"),
        "{reported}"
    );
    assert!(is_seen(&browser, "left-leg", 150), "its bones");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Clips of 30 frames a second are written with three to seven decimals.
#[test]
fn a_character_has_as_many_frames_as_its_clip_whatever_the_frame_time() {
    let folder = Folder::new();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "hero.glb"]).done();
    for frame_time in ["0.0333", "0.0333333", "0.0416667", "0.008333"] {
        let text = folder.text("walk.bvh");
        let lines = text.lines().map(|line| match line.starts_with("Frame Time:") {
            true => format!("Frame Time: {frame_time}"),
            false => line.to_owned(),
        });
        folder.put("timed.bvh", lines.collect::<Vec<_>>().join("\n"));
        folder.run(&["timed.bvh", "--to", "hero.glb", "-o", "timed.glb", "-q"]).done();
        let take = ["--result-clip", "timed", "-o", "timed.html"];
        folder.run(&[&["view", "timed.bvh", "timed.glb"], &take[..]].concat()).done_with_notes();
    }
}
