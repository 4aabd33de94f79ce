//! What is in doubt is asked for, with lines that settle it; `--accept-doubt` goes on and says so.

use crate::harness::Folder;

/// `lies.bvh`, the walk with its sides named the wrong way round.
fn with_lies() -> Folder {
    let folder = Folder::new();
    let text = folder.text("walk.bvh").replace("Left", "?").replace("Right", "Left");
    folder.put("lies.bvh", text.replace('?', "Right"));
    folder
}

#[test]
fn sides_that_contradict_the_toes_are_asked_for_and_the_proposed_lines_settle_it() {
    let folder = with_lies();
    let run = folder.run(&["lies.bvh", "--to", "hero.bvh", "-o", "out.bvh"]);
    let run = run.failed(1, "the names say that \"LeftUpLeg\" is on the left");
    assert!(run.stderr.contains("--accept-doubt"), "{run:#?}");
    assert!(!folder.names().contains(&"out.bvh".to_owned()));
    let (_, lines) = run.stderr.split_once("save as fix.toml:\n").expect("a way out");
    let lines: Vec<&str> = lines.lines().take_while(|line| line.starts_with("  ")).collect();
    folder.put("from.toml", lines.join("\n"));
    folder.run(&["lies.bvh", "--to", "hero.bvh", "-o", "out.bvh", "--from", "from.toml"]).done();
}

#[test]
fn doubt_that_is_accepted_is_told() {
    let folder = with_lies();
    let args = ["lies.bvh", "--to", "hero.bvh", "-o", "out.bvh", "--accept-doubt"];
    let text = folder.run(&args).done().stdout;
    assert!(text.contains("in doubt, and gone on with: the names say"), "{text}");
    let (_, lines) = text.split_once("save as fix.toml:\n").expect("the lines that settle it");
    let lines: Vec<&str> = lines.lines().take_while(|line| line.starts_with("      ")).collect();
    assert!(text.contains("and run again with --from fix.toml"), "{text}");
    folder.put("fix.toml", lines.join("\n"));
    let settled = ["lies.bvh", "--to", "hero.bvh", "-o", "settled.bvh", "--from", "fix.toml"];
    folder.run(&settled).done();
    assert_eq!(folder.text("settled.bvh"), folder.text("out.bvh"));
    let told = folder.run(&[&args[..], &["--json"]].concat()).done().json();
    assert_eq!(told["source"]["doubts"].as_array().expect("a list").len(), 1, "{told:#}");
    assert!(told["source"]["sure"]["facing"].as_f64().expect("a number") < 0.5, "{told:#}");
}

#[test]
fn a_conversion_says_how_sure_it_is_of_each_part() {
    let folder = Folder::new();
    let args = ["walk.bvh", "--to", "hero.bvh", "-o", "out.bvh", "--json"];
    let told = folder.run(&args).done().json();
    for rig in ["source", "target"] {
        assert_eq!(told[rig]["doubts"].as_array().map(Vec::len), Some(0), "{told:#}");
        for part in ["roles", "up", "facing", "stance", "soles"] {
            let sure = told[rig]["sure"][part].as_f64().expect("a number");
            assert!((0.5..=1.0).contains(&sure), "{rig} {part}: {sure}");
        }
    }
}
