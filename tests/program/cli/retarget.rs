//! A clip onto a target.

use crate::body::FRAMES;
use crate::harness::Folder;
use retarget::internals::bvh;
use std::path::Path;

#[test]
fn the_result_has_the_targets_skeleton_and_the_sources_time() {
    let folder = Folder::new();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "out.bvh"]).done();
    let result = bvh::read(folder.text("out.bvh").as_bytes()).expect("sound");
    let hero = bvh::read(folder.text("hero.bvh").as_bytes()).expect("sound");
    assert_eq!(result.repaired, []);
    assert_eq!(result.clip.skeleton(), hero.clip.skeleton());
    assert_eq!(result.clip.len(), FRAMES);
    assert_eq!(result.clip.frame_time().text(), "0.0333333");
}

#[test]
fn the_summary_says_what_was_done() {
    let folder = Folder::new();
    let run = folder.run(&["walk.bvh", "--to", "hero.bvh"]).done();
    assert_eq!(run.line("walk.hero.bvh"), "walk.hero.bvh: 40 frames at 30 fps, 1.33 s");
    assert!(run.line("source").contains("walk.bvh: "), "{run:#?}");
    assert!(run.line("source").contains("18 of 18 joints mapped"), "{run:#?}");
    assert!(run.line("target").contains("hero.bvh: "), "{run:#?}");
    assert_eq!(run.line("scale"), "scale     1.3");
    assert_eq!(run.line("contacts"), "contacts  left heel 1, ball 1; right heel 1, ball 1");
    assert!(run.line("feet").contains("planted; drift "), "{run:#?}");
    assert_eq!(run.line("goals"), "goals     all contact goals reached");
    assert!(run.line("limbs").contains("mean direction error"), "{run:#?}");
}

#[test]
fn without_a_name_the_result_goes_into_the_current_folder() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("clips")).expect("a folder");
    std::fs::rename(folder.path("walk.bvh"), folder.path("clips/walk.v2.bvh")).expect("moved");
    folder.run(&["clips/walk.v2.bvh", "--to", "hero.bvh"]).done();
    assert_eq!(folder.names(), ["clips", "hero.bvh", "walk.v2.hero.bvh"]);
}

#[test]
fn an_earlier_result_is_replaced() {
    let folder = Folder::new();
    folder.put("walk.hero.bvh", "something old");
    folder.run(&["walk.bvh", "--to", "hero.bvh"]).done();
    assert!(folder.text("walk.hero.bvh").starts_with("HIERARCHY\n"));
    assert_eq!(folder.names(), ["hero.bvh", "walk.bvh", "walk.hero.bvh"]);
}

#[test]
fn equal_arguments_give_equal_bytes() {
    let folder = Folder::new();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "a.bvh"]).done();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "b.bvh"]).done();
    assert!(folder.text("a.bvh") == folder.text("b.bvh"));
}

#[test]
fn a_target_needs_no_motion() {
    let folder = Folder::new();
    folder.put("bare.bvh", crate::body::hierarchy(1.3));
    folder.run(&["walk.bvh", "--to", "bare.bvh", "-o", "a.bvh"]).done();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "b.bvh"]).done();
    assert!(folder.text("a.bvh") == folder.text("b.bvh"));
}

#[test]
fn decimals_are_those_asked_for() {
    let folder = Folder::new();
    for (args, decimals) in [(&[][..], 6), (&["--decimals", "2"], 2), (&["--decimals", "0"], 0)] {
        let args = [&["walk.bvh", "--to", "hero.bvh", "-o", "out.bvh"], args].concat();
        folder.run(&args).done();
        let text = folder.text("out.bvh");
        let row = text.lines().last().expect("rows");
        for number in row.split(' ') {
            let after = number.split_once('.').map_or(0, |(_, after)| after.len());
            assert_eq!(after, decimals, "{number} in {row}");
        }
    }
}

#[test]
fn the_scale_flag_goes_before_the_targets_file() {
    let folder = Folder::new();
    folder.put("hero.toml", "bvh = \"hero.bvh\"\nscale = 2.0");
    let scale = |args: &[&str]| {
        let args = [&["walk.bvh", "--to", "hero.toml", "--json"], args].concat();
        folder.run(&args).done().json()["scale"].as_f64().expect("a number")
    };
    assert_eq!(scale(&[]), 2.0);
    assert_eq!(scale(&["--scale", "0.5"]), 0.5);
    assert!((scale(&["--scale", "leg"]) - 1.3).abs() < 1e-9);
    assert_eq!(scale(&["--scale", "none"]), 1.0);
    // Legs of 117 under a trunk of 60, over legs of 90 under the same trunk; the soles are 6 lower.
    assert!((scale(&["--scale", "height"]) - 183.0 / 156.0).abs() < 1e-9);
}

#[test]
fn foot_plants_are_those_asked_for() {
    let folder = Folder::new();
    let reported = |args: &[&str]| {
        let args = [&["walk.bvh", "--to", "hero.bvh", "--json"], args].concat();
        folder.run(&args).done().json()["foot_plants"].clone()
    };
    assert_eq!(reported(&[]), "auto");
    for how in ["auto", "ground", "off"] {
        assert_eq!(reported(&["--foot-plants", how]), how);
    }
}

#[test]
fn what_the_user_says_of_the_source_goes_before_its_names() {
    let folder = Folder::new();
    let odd = folder.text("walk.bvh").replace("LeftUpLeg", "Wrist").replace("LeftLeg", "Beta");
    folder.put("odd.bvh", odd.replace("LeftFoot", "Gamma"));
    let lines = "left_thigh = \"Wrist\"\nleft_shin = \"Beta\"\nleft_foot = \"Gamma\"\n";
    folder.put("odd.toml", format!("[roles]\n{lines}"));
    let args = ["odd.bvh", "--to", "hero.bvh", "-o", "a.bvh"];
    folder.run(&args).failed(1, "left_thigh");
    folder.run(&[&args[..], &["--from", "odd.toml"]].concat()).done();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "b.bvh"]).done();
    assert!(folder.text("a.bvh") == folder.text("b.bvh"));
}

/// A rig whose names say nothing is told by its shape; that may cost it a part, but no leg.
#[test]
fn names_are_not_needed() {
    let folder = Folder::new();
    let mut joints = 0;
    let anonymous = |line: &str| match line.split_once(' ') {
        Some((word @ ("ROOT" | "JOINT"), _)) => {
            joints += 1;
            format!("{word} j{joints}")
        }
        _ => line.to_owned(),
    };
    let clip: Vec<String> = folder.text("walk.bvh").lines().map(anonymous).collect();
    folder.put("anonymous.bvh", clip.join("\n"));
    let run = folder.run(&["anonymous.bvh", "--to", "hero.bvh", "-v"]).done();
    for (role, joint) in [("left_thigh", "j11"), ("right_shin", "j16"), ("left_forearm", "j6")] {
        let line = run.stdout.lines().find(|l| l.trim().starts_with(role)).expect(role);
        assert!(line.contains(joint) && line.contains("shape"), "{line}");
    }
}

#[test]
fn verbose_names_every_role_and_repair() {
    let folder = Folder::new();
    folder.put("walk.bvh", crate::body::clip(1.0).replace("Frames: 40", "Frames: 41"));
    let short = folder.run(&["walk.bvh", "--to", "hero.bvh"]);
    assert!(short.stdout.contains("repaired in 1 place"), "{short:#?}");
    let long = folder.run(&["walk.bvh", "--to", "hero.bvh", "-v"]);
    assert!(long.stdout.contains("41 frames were announced; 40 are there"), "{long:#?}");
    for (role, joint) in [("left_thigh", "LeftUpLeg"), ("spine.1", "Spine")] {
        let line = long.stdout.lines().find(|l| l.trim().starts_with(role)).expect(role);
        assert!(line.contains(joint) && line.contains('%'), "{line}");
    }
}

#[test]
fn every_sample_goes_onto_every_sample_skeleton() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let files = |folder: &Path, ends: &[&str]| {
        let entries = std::fs::read_dir(folder).expect("a folder");
        let mut files: Vec<String> = entries
            .map(|e| e.expect("an entry").path().display().to_string())
            .filter(|path| ends.iter().any(|end| path.ends_with(end)))
            .collect();
        files.sort();
        files
    };
    let clips = files(&samples, &[".bvh"]);
    let skeletons = files(&samples.join("skeletons"), &[".bvh", ".toml"]);
    assert_eq!((clips.len(), skeletons.len()), (8, 7));
    for clip in &clips {
        for skeleton in &skeletons {
            let folder = Folder::new();
            let args = [clip, "--to", skeleton, "-o", "out.bvh", "--json"];
            let json = folder.run(&args).done().json();
            assert!(json["frames"].as_u64() > Some(50), "{clip} onto {skeleton}");
            assert!(!folder.text("out.bvh").contains("NaN"), "{clip} onto {skeleton}");
        }
    }
}

#[test]
fn the_man_page_and_the_completions_know_every_option() {
    let folder = Folder::new();
    let help = folder.run(&["--help"]).done().stdout;
    let options: Vec<&str> = help
        .split_whitespace()
        .filter_map(|word| word.strip_prefix("--"))
        .map(|word| word.trim_end_matches(|c: char| !c.is_ascii_alphabetic()))
        .filter(|word| !word.is_empty())
        .collect();
    assert!(options.len() > 15, "{options:?}");
    let man = folder.run(&["man"]).done().stdout.replace('\\', "");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.run(&["completions", shell]).done().stdout;
        for option in &options {
            assert!(script.contains(option), "{shell}: {option}");
            assert!(man.contains(&format!("--{option}")), "the man page: {option}");
        }
    }
    for command in ["inspect", "skeleton", "check", "explain", "report", "sheet", "view", "blender"]
    {
        assert!(man.contains(&format!("retarget-{command}")), "{command}");
    }
}
