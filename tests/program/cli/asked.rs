//! Results of a library are judged and explained with all that was asked for as they were made.

use crate::harness::{Folder, Run, project};
use crate::library::{journal, put};
use serde_json::Value;

/// A library of one clip that travels, and a target whose file states a scale method of its own.
fn folder() -> Folder {
    let folder = Folder::new();
    let walk = std::fs::read(project().join("samples/walk.bvh")).expect("a sample");
    put(&folder, "lib/walk.bvh", &walk);
    folder.put("hero.toml", "bvh = \"hero.bvh\"\nscale = 1.7\n");
    folder
}

const PAIR: [&str; 2] = ["lib/walk.bvh", "out/walk.bvh"];

/// What a user can ask for that changes a result.
const ASKED: [&[&str]; 8] = [
    &[],
    &["--scale", "leg"],
    &["--scale", "height"],
    &["--scale", "1.2"],
    &["--floor", "keep", "--facing", "forward"],
    &["--in-place"],
    &["--foot-plants", "off", "--scale", "none"],
    &["--accept-doubt", "--in-place", "--scale", "none"],
];

fn values(report: &Value) -> Vec<(String, f64)> {
    let report = report.as_object().expect("numbers");
    let value = |(name, it): (&String, &Value)| Some((name.clone(), it.get("value")?.as_f64()?));
    report.iter().filter_map(value).collect()
}

#[track_caller]
fn report(run: Run) -> Value {
    run.done_with_notes().json()["report"].clone()
}

#[track_caller]
fn assert_near(own: &Value, wanted: &Value, asked: &[&str]) {
    let (own, wanted) = (values(own), values(wanted));
    assert!(own.len() > 10 && own.len() == wanted.len(), "{asked:?}");
    for ((name, own), (_, wanted)) in own.iter().zip(&wanted) {
        assert!(
            (own - wanted).abs() <= 0.01 + 0.02 * wanted.abs(),
            "{asked:?}, {name}: {own}, made {wanted}"
        );
    }
}

/// The numbers of the conversion, which knew the settings.
#[test]
fn a_result_of_a_library_has_the_numbers_that_it_was_made_with() {
    for asked in ASKED {
        let folder = folder();
        let library = [&["lib", "--to", "hero.toml", "-o", "out"], asked].concat();
        folder.run(&library).done_with_notes();
        let line = journal(&folder, "out/retarget-run.jsonl")[0].clone();
        let found = report(folder.run(&[&["check", "--json"], &PAIR[..]].concat()));
        assert_near(&found, &line["report"], asked);
        // What is said by hand is what is found, to the last digit.
        std::fs::copy(folder.path("out/walk.bvh"), folder.path("alone.bvh")).expect("copied");
        let by_hand = ["check", "--json", "lib/walk.bvh", "alone.bvh", "--to", "hero.toml"];
        assert_eq!(report(folder.run(&[&by_hand[..], asked].concat())), found, "{asked:?}");
        let named = [&["check", "--json", "--to", "hero.toml"], &PAIR[..]].concat();
        assert_eq!(report(folder.run(&named)), found, "{asked:?}: a target that is named");
        folder.run(&[&["view", "-o", "page.html"], &PAIR[..]].concat()).done_with_notes();
    }
}

#[test]
fn a_frame_of_a_result_is_explained_with_what_was_asked_for() {
    for asked in ASKED {
        let folder = folder();
        folder.run(&[&["lib", "--to", "hero.toml", "-o", "out"], asked].concat()).done_with_notes();
        let explained = |args: &[&str]| {
            let args = [&["explain", "--frame", "20", "--json"], args].concat();
            folder.run(&args).done_with_notes().json()
        };
        let by_hand = [&["lib/walk.bvh", "--to", "hero.toml"], asked].concat();
        assert_eq!(explained(&["out/walk.bvh"]), explained(&by_hand), "{asked:?}");
    }
}

#[test]
fn the_journal_keeps_what_was_asked_for_and_nothing_else() {
    let folder = folder();
    let asked_of = |args: &[&str]| {
        let library = [&["lib", "--to", "hero.toml", "-o", "out"], args].concat();
        folder.run(&library).done_with_notes();
        journal(&folder, "out/retarget-run.jsonl")[0]["asked"].clone()
    };
    assert_eq!(asked_of(&[]), serde_json::json!({}));
    let wanted = serde_json::json!({"settings": {"keep_floor": true, "binding": {"scale": "leg"}}});
    assert_eq!(asked_of(&["--scale", "leg", "--floor", "keep"]), wanted);
}

#[test]
fn how_the_source_was_read_is_found_too() {
    let folder = folder();
    let source = ["lib/walk.bvh", "--to", "lib/walk.bvh", "-o", "arrays/a.npz"];
    std::fs::create_dir(folder.path("arrays")).expect("a folder");
    folder.run(&source).done();
    folder.run(&["arrays", "--to", "hero.bvh", "-o", "out", "--fps", "120"]).done();
    std::fs::copy(folder.path("out/a.bvh"), folder.path("alone.bvh")).expect("copied");
    let measured = |args: &[&str]| {
        let args = [&["check", "arrays/a.npz", "--json"], args].concat();
        folder.run(&args).done_with_notes().json()["copy"].clone()
    };
    let found = measured(&["out/a.bvh"]);
    assert_eq!(found, measured(&["alone.bvh", "--to", "hero.bvh", "--fps", "120"]));
    assert_ne!(found, measured(&["alone.bvh", "--to", "hero.bvh"]), "the file has another rate");
    // Of a file of several animations the one that was meant.
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "bones.glb"]).done();
    folder.run(&["walk.bvh", "--to", "bones.glb", "-o", "one.glb", "--name", "one"]).done();
    std::fs::create_dir(folder.path("two")).expect("a folder");
    folder.run(&["walk.bvh", "--to", "one.glb", "-o", "two/b.glb", "--name", "two"]).done();
    folder.run(&["two", "--to", "hero.bvh", "-o", "of_two", "--clip", "two"]).done();
    folder.run(&["check", "two/b.glb", "of_two/b.bvh"]).done_with_notes();
    folder.run(&["explain", "of_two/b.bvh", "--frame", "3"]).done_with_notes();
}

#[test]
fn a_target_that_is_gone_is_asked_for_and_not_guessed() {
    let folder = folder();
    // The source's own skeleton, with which a result would be judged where nothing says more.
    folder.run(&["lib", "--to", "lib/walk.bvh", "-o", "out"]).done_with_notes();
    put(&folder, "elsewhere/none", b"");
    let pair = ["../lib/walk.bvh", "../out/walk.bvh"];
    for command in [&["check"][..], &["view"], &["sheet"]] {
        let args = [command, &pair].concat();
        let output = crate::harness::command(&folder.path("elsewhere"), &args).output();
        let says = "../out/walk.bvh was made for lib/walk.bvh, as its journal says, which is not found from here";
        Run::new(&args, output.expect("an end")).failed(2, says);
    }
}

/// Where its way shows it, a result alone is asked how it was made, and with that it has the numbers that it was made
/// with.
#[test]
fn a_result_that_seems_to_be_made_with_other_settings_is_asked_about() {
    let folder = folder();
    let walk = folder.text("lib/walk.bvh");
    let (head, rows) = walk.split_once("Frame Time").expect("a motion");
    let rows = rows.lines().enumerate().map(|(row, line)| match line.split_once(' ') {
        Some((x, rest)) if row > 0 => {
            let (y, rest) = rest.split_once(' ').expect("three positions");
            format!("{x} {} {rest}", y.parse::<f64>().expect("a height") + 70.0)
        }
        _ => line.to_owned(),
    });
    folder.put("high.bvh", format!("{head}Frame Time{}\n", rows.collect::<Vec<_>>().join("\n")));
    for (asked, says) in [
        (&["--in-place"][..], "it stays where it begins, and its source does not"),
        (&["--scale", "none"], "as far as with this scale"),
        (&["--floor", "keep"], "it stands at another height than with this floor"),
        (&[], ""),
    ] {
        let made = ["high.bvh", "--to", "hero.toml", "-o", "made.bvh", "--json"];
        let wanted = folder.run(&[&made[..], asked].concat()).done_with_notes().json();
        let run = folder.run(&["check", "high.bvh", "made.bvh", "--to", "hero.toml", "--json"]);
        let note = run.stderr.lines().find(|line| line.starts_with("note: made.bvh: "));
        let Some(note) = note else {
            assert!(asked.is_empty(), "{run:#?}");
            continue;
        };
        assert!(note.contains(says), "{run:#?}");
        let (_, line) = note.split_once("say so: ").unwrap_or_else(|| panic!("{run:#?}"));
        let pasted = folder.paste(line);
        assert!(!pasted.stderr.contains("made.bvh: "), "{pasted:#?}");
        assert_near(&report(pasted), &wanted["report"], asked);
    }
}

/// What has its source's skeleton, and a character, may have been made for another target.
#[test]
fn a_target_that_nothing_says_is_not_taken_without_a_word() {
    let folder = folder();
    std::fs::copy(folder.path("lib/walk.bvh"), folder.path("again.bvh")).expect("copied");
    folder.run(&["lib/walk.bvh", "--to", "hero.bvh", "-o", "bones.glb"]).done_with_notes();
    for (result, says) in [("again.bvh", "its source's rig"), ("bones.glb", "recognised in it")] {
        for command in ["check", "view"] {
            let run = folder.run(&[command, "lib/walk.bvh", result]).done_with_notes();
            let line = format!("name it: retarget {command} lib/walk.bvh {result} --to TARGET");
            assert!(run.stderr.contains(says) && run.stderr.contains(&line), "{run:#?}");
            let named = [command, "lib/walk.bvh", result, "--to", result];
            let run = folder.run(&named).done_with_notes();
            assert!(!run.stderr.contains("nothing says"), "{run:#?}");
        }
    }
}

/// What a conversion said of its source a judgement says too.
#[test]
fn what_was_made_of_the_source_is_said_again() {
    let folder = folder();
    let walk = folder.text("lib/walk.bvh");
    let (head, motion) = walk.split_once("Frame Time").expect("a motion");
    let mut rows: Vec<String> = motion.lines().map(str::to_owned).collect();
    // A rest pose at the origin before the motion begins.
    rows[1] = vec!["0"; rows[1].split(' ').count()].join(" ");
    folder.put("rest.bvh", format!("{head}Frame Time{}\n", rows.join("\n")));
    let made = folder.run(&["rest.bvh", "--to", "hero.bvh", "-o", "out.bvh"]).done_with_notes();
    let note = made.stderr.lines().find(|line| line.starts_with("note: rest.bvh: ")).expect("one");
    for command in ["check", "view"] {
        let run = folder.run(&[command, "rest.bvh", "out.bvh", "--to", "hero.bvh"]);
        assert_eq!(run.stderr.matches(note).count(), 1, "{run:#?}");
    }
}
