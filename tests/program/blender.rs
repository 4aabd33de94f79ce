//! `retarget blender`, with a real Blender: the one that the variable BLENDER names, or the module that
//! `.ci/run` installs below `target/tools`.

use crate::common;
use crate::harness::{Folder, Run};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Sources and the rigs that they are retargeted onto: each result is on another one. `sample:` are files of
/// the project, the others real clips.
const PAIRS: [[&str; 2]; 10] = [
    ["sample:crouch.bvh", "sample:skeletons/game.toml"],
    ["cmu_motionbuilder/npybvh_run.bvh", "lafan1/hum_std.bvh"],
    ["xsens_names/pybvh_test2.bvh", "geno/Geno_bind.bvh"],
    ["dfki_fk_jnt/custom_skeleton_walk.bvh", "cmu_motionbuilder/npybvh_run.bvh"],
    ["dfki_fk_jnt/custom_skeleton_walk.bvh", "bandai_namco/walk_normal_001.bvh"],
    ["quirks/no_toes_noneck_walk01.bvh", "vicon_zup_inch/dab.bvh"],
    ["cmu_motionbuilder/npybvh_run.bvh", "ipisoft52/2017-12-22_16-22-35.bvh"],
    ["xsens_names/pybvh_test2.bvh", "snu_reduced13_m/walk_left_45degree.bvh"],
    ["xsens_names/pybvh_test2.bvh", "makehuman/default_rig_tpose.bvh"],
    ["dfki_fk_jnt/custom_skeleton_walk.bvh", "rokoko/jesse_dance.bvh"],
];

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Blender, or a Python with it. Without either a test says so and passes, but on CI it fails.
pub fn blender() -> Option<String> {
    let named = std::env::var("BLENDER").ok().filter(|name| !name.is_empty());
    let installed = project().join("target/tools/bpy/bin/python");
    let installed = installed.exists().then(|| installed.display().to_string());
    let found = named.or(installed);
    if found.is_none() {
        let where_from = "BLENDER names none, and .ci/run installed none";
        assert!(std::env::var_os("CI").is_none(), "no Blender: {where_from}");
        eprintln!("SKIPPED: no Blender: {where_from}");
    }
    found
}

/// The clip or rig that a pair names.
fn file(mocap: &Path, name: &str) -> PathBuf {
    match name.strip_prefix("sample:") {
        Some(name) => project().join("samples").join(name),
        None => mocap.join(name),
    }
}

/// Asks Blender whether it shows source and result as they are computed.
fn ask(folder: &Folder, blender: &str, source: &str, result: &str) -> Run {
    folder.run(&["blender", source, result, "--blender", blender, "--json"])
}

#[test]
fn results_on_ten_rigs_are_shown_as_computed() {
    let (Some(mocap), Some(blender)) = (common::mocap_dir(), blender()) else { return };
    let pairs = Mutex::new(PAIRS.iter());
    let work = || {
        loop {
            let Some([source, target]) = pairs.lock().expect("no panic").next() else { break };
            let folder = Folder::new();
            let source = file(&mocap, source).display().to_string();
            let target = file(&mocap, target).display().to_string();
            // A note says which clips begin with a pose apart from their motion.
            folder.run(&[&source, "--to", &target, "-o", "result.bvh"]).done_with_notes();
            let run = ask(&folder, &blender, &source, "result.bvh");
            let verdict = run.json();
            assert_eq!(verdict["agrees"], true, "{source} onto {target}: {run:#?}");
            for side in ["source", "result"] {
                assert!(verdict[side]["frames"].as_u64() >= Some(5), "{side}: {run:#?}");
                assert!(verdict[side]["joints"].as_u64() >= Some(13), "{side}: {run:#?}");
            }
            run.done_with_notes();
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
}

/// A root with a channel for its place on two axes only: the third stays at the OFFSET, but Blender
/// takes it for zero.
const TWO_POSITIONS: &str = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 3\n\
    CHANNELS 5 Xposition Yposition Zrotation Xrotation Yrotation\n\
    JOINT b\n{\nOFFSET 0 5 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n\
    End Site\n{\nOFFSET 0 5 0\n}\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n\
    0 0 10 20 30 10 20 30\n";

#[test]
fn what_blender_shows_otherwise_is_told_with_joint_and_frame() {
    let Some(blender) = blender() else { return };
    let folder = Folder::new();
    folder.put("two.bvh", TWO_POSITIONS);
    let run = ask(&folder, &blender, "two.bvh", "two.bvh");
    assert_eq!(run.code, Some(3), "{run:#?}");
    let verdict = run.json();
    assert_eq!(verdict["agrees"], false);
    // Three units off, of a body that spans five.
    let off_ratio = verdict["result"]["off_ratio"].as_f64().expect("a number");
    assert!((off_ratio - 0.6).abs() < 1e-6, "{run:#?}");
    assert_eq!(verdict["result"]["frame"], 0);
    let run = folder.run(&["blender", "two.bvh", "two.bvh", "--blender", &blender]);
    assert_eq!(run.code, Some(3), "{run:#?}");
    assert!(run.stdout.contains(" in frame 0 is 6.0e-1 of the body away"), "{run:#?}");
}

#[test]
fn what_the_importer_cannot_read_is_said_with_its_reason() {
    let Some(blender) = blender() else { return };
    let folder = Folder::new();
    let hinge = TWO_POSITIONS
        .replace("CHANNELS 3 Zrotation Xrotation", "CHANNELS 2 Zrotation")
        .replace("10 20 30\n", "10 20\n");
    folder.put("hinge.bvh", hinge);
    ask(&folder, &blender, "hinge.bvh", "hinge.bvh").failed(1, "\"b\" has fewer");
}

#[test]
fn everything_asked_for_is_written() {
    let Some(blender) = blender() else { return };
    let folder = Folder::new();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "result.bvh"]).done();
    let asked = ["blender", "walk.bvh", "result.bvh", "--blender", &blender];
    let run = folder.run(&[&asked[..], &["-o", "check.blend", "--glb", "check.glb"]].concat());
    let run = run.done_with_notes();
    // Nothing says the target, by whose rig floor and feet are marked.
    assert!(
        run.stderr.contains("its rig is recognised in it") && run.stderr.contains("--to TARGET"),
        "{run:#?}"
    );
    folder.run(&[&asked[..], &["--to", "hero.bvh"]].concat()).done();
    assert!(run.stdout.contains("shows what is computed: 18 joints and 18 in"), "{run:#?}");
    assert_eq!(run.stdout.lines().count(), 1, "{run:#?}");
    let starts = |name: &str| std::fs::read(folder.path(name)).expect(name)[..4].to_vec();
    assert_eq!(starts("check.glb"), b"glTF");
    // Blender packs its files with Zstandard unless told otherwise.
    assert!([b"BLEN".to_vec(), vec![0x28, 0xb5, 0x2f, 0xfd]].contains(&starts("check.blend")));
    assert_eq!(folder.names(), ["check.blend", "check.glb", "hero.bvh", "result.bvh", "walk.bvh"]);
}

#[test]
fn without_blender_there_is_one_sentence_with_the_way_out() {
    let folder = Folder::new();
    let mut command = folder.command(&["blender", "walk.bvh", "walk.bvh"]);
    let output = command.env("PATH", "").env_remove("BLENDER").output().expect("it runs");
    Run::new(&["blender"], output).failed(1, "install Blender or `pip install bpy`");
    ask(&folder, "no/such/program", "walk.bvh", "walk.bvh")
        .failed(1, "cannot start no/such/program");
}

#[test]
fn clips_that_are_no_pair_are_refused() {
    let folder = Folder::new();
    let shorter = folder.text("walk.bvh");
    let (start, frames) = shorter.split_once("Frames: ").expect("a header");
    let (_, rest) = frames.split_once('\n').expect("a line");
    let (time, rest) = rest.split_once('\n').expect("a line");
    let row = rest.lines().next().expect("a frame");
    folder.put("one.bvh", format!("{start}Frames: 1\n{time}\n{row}\n"));
    let run = folder.run(&["blender", "walk.bvh", "one.bvh"]);
    run.failed(1, "one.bvh");
}

/// Characters of four exporters, with their traps: see where they lie.
const CHARACTERS: [&str; 4] = [
    "glb/human_male.glb",
    "glb/kaykit_knight.glb",
    "glb/robot_expressive.glb",
    "vrm/godette_vrm0.vrm",
];

#[test]
fn characters_are_shown_as_computed_joints_and_meshes() {
    let (Some(characters), Some(blender)) = (common::characters_dir(), blender()) else { return };
    let walk = project().join("samples/walk.bvh").display().to_string();
    for character in CHARACTERS {
        let folder = Folder::new();
        let target = characters.join(character).display().to_string();
        folder.run(&[&walk, "--to", &target, "-o", "result.glb", "-q"]).done();
        let how = ["--result-clip", "walk", "--blender", &blender, "--json"];
        let run = folder.run(&[&["blender", &walk, "result.glb"], &how[..]].concat());
        let verdict = run.json();
        assert_eq!(verdict["agrees"], true, "{character}: {run:#?}");
        let mesh = &verdict["result"]["mesh"];
        assert!(mesh["points"].as_u64() >= Some(500), "{character}: {run:#?}");
        assert!(mesh["frames"].as_u64() >= Some(5), "{character}: {run:#?}");
        assert!(mesh["off_ratio"].as_f64() < Some(1e-3), "{character}: {run:#?}");
    }
}

#[test]
fn a_file_is_opened_as_what_it_is_whatever_the_letters_of_its_name() {
    let (Some(characters), Some(blender)) = (common::characters_dir(), blender()) else { return };
    let folder = Folder::new();
    let walk = project().join("samples/walk.bvh");
    std::fs::copy(walk, folder.path("WALK.BVH")).expect("copied");
    for (target, output) in [
        ("glb/kaykit_knight.glb", "RESULT.GLB"),
        ("vrm/godette_vrm0.vrm", "Result.Vrm"),
        #[cfg(feature = "fbx")]
        ("fbx/quaternius_male_casual.fbx", "RESULT.FBX"),
        ("glb/kaykit_knight.glb", "RESULT.BVH"),
    ] {
        let target = characters.join(target).display().to_string();
        folder.run(&["WALK.BVH", "--to", &target, "-o", output, "-q"]).done();
        let result_clip = ["--result-clip", "WALK"];
        let which = if output == "RESULT.BVH" { &[][..] } else { &result_clip[..] };
        let asked = ["blender", "WALK.BVH", output, "--blender", &blender, "--json"];
        let verdict = folder.run(&[&asked[..], which].concat());
        assert_eq!(verdict.json()["agrees"], true, "{output}: {verdict:#?}");
    }
}

#[test]
fn two_characters_are_set_beside_each_other_in_their_own_meshes() {
    let (Some(characters), Some(blender)) = (common::characters_dir(), blender()) else { return };
    let folder = Folder::new();
    let walk = project().join("samples/walk.bvh").display().to_string();
    for (character, output) in [("glb/human_male.glb", "a.glb"), ("vrm/godette_vrm0.vrm", "b.glb")]
    {
        let target = characters.join(character).display().to_string();
        folder.run(&[&walk, "--to", &target, "-o", output, "-q"]).done();
    }
    let how = ["--clip", "walk", "--result-clip", "walk", "--blender", &blender];
    let made = ["-o", "check.blend", "--glb", "check.glb"];
    folder.run(&[&["blender", "a.glb", "b.glb"], &how[..], &made[..]].concat()).done_with_notes();
    assert!(folder.names().contains(&"check.blend".to_owned()));
    // Both meshes are in what Blender exports, each with its joints.
    let glb = std::fs::read(folder.path("check.glb")).expect("check.glb");
    let len = u32::from_le_bytes(glb[12..16].try_into().expect("four")) as usize;
    let json: serde_json::Value = serde_json::from_slice(&glb[20..20 + len]).expect("JSON");
    let skins = json["skins"].as_array().expect("skins");
    assert!(skins.len() >= 2, "{} skins", skins.len());
}
