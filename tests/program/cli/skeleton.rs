//! `retarget skeleton`.

use crate::harness::Folder;
use std::path::Path;

/// Retargets the clip onto a target and returns the result.
fn onto(folder: &Folder, target: &str) -> String {
    folder.run(&["walk.bvh", "--to", target, "-o", "out.bvh", "-q"]).done();
    folder.text("out.bvh")
}

#[test]
fn a_written_skeleton_gives_the_same_bytes_as_its_rig() {
    let folder = Folder::new();
    let wanted = onto(&folder, "hero.bvh");
    folder.run(&["skeleton", "hero.bvh", "-o", "hero.toml"]).done();
    assert!(folder.text("hero.toml").contains("bvh = \"hero.bvh\"\n"));
    assert!(onto(&folder, "hero.toml") == wanted);
}

/// Rigs whose stance is the zero pose, is not, or is a mean of frames, in three units and two up axes.
#[test]
fn so_it_does_for_rigs_of_every_style() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let styles = ["cmu_style/walk", "lafan_style/walk", "z_up_style/walk", "skeletons/stocky"];
    for style in styles {
        let folder = Folder::new();
        let rig = std::fs::read(samples.join(style).with_extension("bvh")).expect("a sample");
        folder.put("rig.bvh", rig);
        let wanted = onto(&folder, "rig.bvh");
        folder.run(&["skeleton", "rig.bvh", "-o", "rig.toml"]).done();
        assert!(onto(&folder, "rig.toml") == wanted, "{style}");
    }
}

#[test]
fn it_finds_its_rig_from_any_folder() {
    let folder = Folder::new();
    let wanted = onto(&folder, "hero.bvh");
    for name in ["rigs", "rigs/deep", "other"] {
        std::fs::create_dir(folder.path(name)).expect("a folder");
    }
    std::fs::rename(folder.path("hero.bvh"), folder.path("rigs/hero.bvh")).expect("moved");
    folder.run(&["skeleton", "rigs/hero.bvh", "-o", "rigs/deep/hero.toml"]).done();
    assert!(folder.text("rigs/deep/hero.toml").contains("bvh = \"../hero.bvh\"\n"));
    assert!(onto(&folder, "rigs/deep/hero.toml") == wanted);
    folder.run(&["skeleton", "rigs/hero.bvh", "-o", "other/hero.toml"]).done();
    assert!(onto(&folder, "other/hero.toml") == wanted);
    // Without -o it goes to standard output, for a file in the current folder.
    let printed = folder.run(&["skeleton", "rigs/hero.bvh"]).done();
    folder.put("here.toml", printed.stdout);
    assert!(onto(&folder, "here.toml") == wanted);
}

#[test]
fn a_rig_from_a_pipe_is_written_in_full() {
    let folder = Folder::new();
    let wanted = onto(&folder, "hero.bvh");
    let rig = folder.text("hero.bvh");
    let printed = folder.run_with(&["skeleton", "-"], rig).done();
    assert!(printed.stdout.contains("[[joints]]"), "{printed:#?}");
    folder.put("full.toml", printed.stdout);
    std::fs::remove_file(folder.path("hero.bvh")).expect("removed");
    let result = onto(&folder, "full.toml");
    let lines = |text: &str| text.lines().count();
    assert_eq!(lines(&result), lines(&wanted));
}

#[test]
fn what_is_no_rig_is_refused() {
    let folder = Folder::new();
    folder.put("hero.toml", "bvh = \"hero.bvh\"\n");
    folder.run(&["skeleton", "hero.toml"]).failed(2, "is a skeleton.toml already");
    folder.run(&["skeleton", "hero.bvh", "-o", "hero.bvh"]).failed(2, "ends in .toml");
    let legless = folder.text("hero.bvh").replace("Leg", "Arm").replace("Foot", "Hand");
    folder.put("legless.bvh", legless);
    folder.run(&["skeleton", "legless.bvh", "-o", "x.toml"]).failed(1, "[roles]");
    assert!(!folder.path("x.toml").exists());
}

#[test]
fn a_lock_maps_clips_of_its_rig_and_refuses_all_others() {
    let folder = Folder::new();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "found.bvh"]).done();
    folder.run(&["skeleton", "walk.bvh", "--lock", "-o", "rig.toml"]).done();
    let locked = ["--from", "rig.toml", "--to", "hero.bvh", "-o", "out.bvh"];
    let with = |clip: &str| folder.run(&[&[clip], &locked[..]].concat());
    with("walk.bvh").done();
    assert!(folder.text("out.bvh") == folder.text("found.bvh"));

    let walk = folder.text("walk.bvh");
    let changes = [
        (walk.replacen("Spine", "Torso", 1), "joint 2 is \"Torso\", where the rig has \"Spine\""),
        (
            walk.replacen("LeftLeg", "LeftUpLeg", 1),
            "is \"LeftUpLeg\", where the rig has \"LeftLeg\"",
        ),
        (
            walk.replacen("OFFSET 0 -45 0", "OFFSET 45 0 0", 1),
            "has the OFFSET (45, 0, 0), in the rig",
        ),
    ];
    for (text, wanted) in changes {
        assert_ne!(text, walk);
        folder.put("other.bvh", text);
        let run = with("other.bvh").failed(1, wanted);
        assert!(run.stderr.contains("other.bvh") && run.stderr.contains("--from"), "{run:#?}");
    }
}

#[test]
fn a_lock_serves_as_a_target_too() {
    let folder = Folder::new();
    let wanted = onto(&folder, "hero.bvh");
    folder.run(&["skeleton", "hero.bvh", "--lock", "-o", "rig.toml"]).done();
    std::fs::remove_file(folder.path("hero.bvh")).expect("removed");
    assert!(onto(&folder, "rig.toml") == wanted);
}

#[test]
fn a_character_is_locked_as_one_of_its_animations_shows_it_or_as_a_target_has_it() {
    let folder = Folder::new();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "hero.glb"]).done();
    let lock = |how: &[&str]| {
        folder.run(&[&["skeleton", "hero.glb", "--lock", "-o", "rig.toml"], how].concat())
    };
    lock(&["--as-target"]).done();
    folder.run(&["walk.bvh", "--to", "hero.glb", "-o", "by_file.bvh"]).done();
    assert!(onto(&folder, "rig.toml") == folder.text("by_file.bvh"));
    let moved = |from: &[&str]| {
        folder.run(&[&["hero.glb", "--to", "hero.bvh", "-o", "moved.bvh"], from].concat()).done();
        folder.text("moved.bvh")
    };
    lock(&["--clip", "animation0"]).done();
    assert!(moved(&["--from", "rig.toml"]) == moved(&[]));
    lock(&["--clip", "run"]).failed(1, "it holds no animation \"run\"");
    lock(&["--clip", "animation0", "--as-target"]).failed(2, "cannot be used with");
}

#[test]
fn a_rig_that_is_not_known_in_full_is_not_locked() {
    let folder = Folder::new();
    let legless = folder.text("hero.bvh").replace("Leg", "Arm").replace("Foot", "Hand");
    folder.put("legless.bvh", legless);
    folder.run(&["skeleton", "legless.bvh", "--lock", "-o", "x.toml"]).failed(1, "[roles]");
    assert!(!folder.path("x.toml").exists());
}
