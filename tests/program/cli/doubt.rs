//! What is in doubt is asked for, with lines that settle it; `--accept-doubt` goes on and says so.

use crate::harness::{Folder, project};

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
    let args = ["lies.bvh", "--to", "hero.bvh", "-o", "out.bvh", "--from", "from.toml"];
    // Its feet point backwards then, so that no pose of it stands.
    folder.run(&args).done_with_notes();
}

/// Where the names are wrong, the lines of the other reading give what the right names give, byte for byte.
#[test]
fn the_other_reading_of_sides_named_wrong_gives_what_right_names_give() {
    let folder = with_lies();
    let run =
        folder.run(&["lies.bvh", "--to", "hero.bvh", "-o", "out.bvh"]).failed(1, "the names say");
    let (_, lines) = run.stderr.split_once("save instead:\n").expect("the other reading");
    let lines: Vec<&str> = lines.lines().take_while(|line| line.starts_with("  ")).collect();
    folder.put("fix.toml", lines.join("\n"));
    folder.run(&["lies.bvh", "--to", "hero.bvh", "-o", "out.bvh", "--from", "fix.toml"]).done();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "truth.bvh"]).done();
    assert_eq!(folder.text("out.bvh"), folder.text("truth.bvh"));
}

#[test]
fn doubt_that_is_accepted_is_told() {
    let folder = with_lies();
    let args = ["lies.bvh", "--to", "hero.bvh", "-o", "out.bvh", "--accept-doubt"];
    let text = folder.run(&args).done_with_notes().stdout;
    assert!(text.contains("in doubt, and gone on with: the names say"), "{text}");
    let (_, lines) = text.split_once("save as fix.toml:\n").expect("the lines that settle it");
    let lines: Vec<&str> = lines.lines().take_while(|line| line.starts_with("      ")).collect();
    assert!(text.contains("and run again with --from fix.toml"), "{text}");
    folder.put("fix.toml", lines.join("\n"));
    let settled = ["lies.bvh", "--to", "hero.bvh", "-o", "settled.bvh", "--from", "fix.toml"];
    folder.run(&settled).done_with_notes();
    assert_eq!(folder.text("settled.bvh"), folder.text("out.bvh"));
    let reported = folder.run(&[&args[..], &["--json"]].concat()).done_with_notes().json();
    assert_eq!(reported["source"]["doubts"].as_array().expect("a list").len(), 1, "{reported:#}");
    assert!(reported["source"]["sure"]["facing"].as_f64().expect("a number") < 0.5, "{reported:#}");
}

#[test]
fn a_conversion_says_how_sure_it_is_of_each_part() {
    let folder = Folder::new();
    let args = ["walk.bvh", "--to", "hero.bvh", "-o", "out.bvh", "--json"];
    let reported = folder.run(&args).done().json();
    for rig in ["source", "target"] {
        assert_eq!(reported[rig]["doubts"].as_array().map(Vec::len), Some(0), "{reported:#}");
        for part in ["roles", "up", "facing", "stance", "rolls", "soles"] {
            let sure = reported[rig]["sure"][part].as_f64().expect("a number");
            assert!((0.5..=1.0).contains(&sure), "{rig} {part}: {sure}");
        }
    }
}

/// Of a hierarchy whose bones all lie along one axis nothing shows how they are rolled: a note says so, with the numbers of
/// `--json`, and both ways out settle it.
#[test]
fn a_roll_that_nothing_shows_is_told_with_ways_out_that_work() {
    let folder = Folder::new();
    let clip =
        std::fs::read_to_string(project().join("samples/lafan_style/turn.bvh")).expect("a sample");
    let (hierarchy, _) = clip.split_once("MOTION").expect("motion");
    folder.put("bare.bvh", hierarchy);
    folder.put("shown.bvh", &clip);
    let onto = |target: &str| {
        folder.run(&["walk.bvh", "--to", target, "-o", "out.bvh", "--json"]).done_with_notes()
    };
    let bare = onto("bare.bvh");
    for part in ["bare.bvh shows how its", "legs", "feet", "with motion after --to"] {
        assert!(bare.stderr.contains(part), "{part}: {}", bare.stderr);
    }
    let reported = bare.json();
    assert!(reported["target"]["sure"]["rolls"].as_f64().expect("a number") < 0.5, "{reported:#}");
    assert!(reported["target"]["sure"]["soles"].as_f64().expect("a number") < 0.5, "{reported:#}");
    let rolls = reported["target"]["assumed"]["rolls"].as_array().expect("a list");
    assert!(rolls.iter().any(|role| role == "left_foot"), "{reported:#}");

    let (_, command) = bare.stderr.split_once("or run retarget ").expect("a command");
    let (command, _) = command.split_once(", correct").expect("its end");
    let args: Vec<String> =
        command.split(' ').map(|arg| arg.trim_matches('"').to_owned()).collect();
    folder.run(&args.iter().map(String::as_str).collect::<Vec<_>>()).done();
    let described = folder.text("fix.toml");
    let (head, stance) = described.split_once("#[reference.rotations_deg]").expect("the stance");
    let (stance, rest) = stance.split_once("\n\n").expect("its end");
    let stance = stance.replace("\n#", "\n");
    folder.put("fix.toml", format!("{head}[reference.rotations_deg]{stance}\n\n{rest}"));
    for settled in ["shown.bvh", "fix.toml"] {
        let settled = onto(settled);
        assert!(!settled.stderr.contains("shows how its"), "{}", settled.stderr);
        let reported = settled.json();
        assert!(
            reported["target"]["sure"]["rolls"].as_f64().expect("a number") > 0.5,
            "{reported:#}"
        );
        assert_eq!(
            reported["target"]["assumed"]["rolls"].as_array().map(Vec::len),
            Some(0),
            "{reported:#}"
        );
    }
}
