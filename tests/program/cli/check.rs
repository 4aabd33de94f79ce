//! `retarget check`, `--report` and `--limit`: the verdict, and the gate that it makes.

use crate::body;
use crate::harness::Folder;
use serde_json::Value;
use std::fs;

#[test]
fn a_written_result_has_the_numbers_of_its_conversion() {
    let folder = Folder::new();
    let args = ["walk.bvh", "--to", "hero.bvh", "-o", "out.bvh", "--report", "out.json"];
    folder.run(&args).done();
    let report: Value = serde_json::from_str(&folder.text("out.json")).expect("JSON");
    let args = ["check", "walk.bvh", "out.bvh", "--to", "hero.bvh", "--json"];
    let checked = folder.run(&args).done().json();
    let fields = report["report"].as_object().expect("numbers");
    for (name, number) in fields.iter().filter(|(_, number)| number.is_object()) {
        let [is, was] = [&checked["report"][name], number].map(|n| n["value"].as_f64().unwrap());
        assert!((is - was).abs() < 1e-3, "{name}: {is}, was {was}");
    }
    assert_eq!(checked["report"]["contact_cores"], report["report"]["contact_cores"]);
}

#[test]
fn a_clip_beside_itself_is_without_fault() {
    let folder = Folder::new();
    let checked = folder.run(&["check", "walk.bvh", "walk.bvh", "--json"]).done().json();
    let value = |name: &str| checked["report"][name]["value"].as_f64().expect("a number");
    assert!(value("limb_direction_deg") < 1e-3);
    for name in ["jump_ratio", "jerk_ratio", "jerk_peak_ratio", "knee_pop_ratio"] {
        assert!((value(name) - 1.0).abs() < 1e-6, "{name}: {}", value(name));
    }
}

/// The walk with its body turned as a whole, by angles of the hips.
fn turned(folder: &Folder, by_deg: [f64; 3]) -> String {
    let text = folder.text("walk.bvh");
    let (head, motion) = text.split_once("Frame Time").expect("a motion");
    let rows = motion.lines().map(|line| {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        if words.len() > 6 {
            for (word, by) in words[3..6].iter_mut().zip(by_deg) {
                *word = format!("{:.4}", word.parse::<f64>().expect("an angle") + by);
            }
        }
        words.join(" ")
    });
    format!("{head}Frame Time{}\n", rows.collect::<Vec<_>>().join("\n"))
}

/// Forty frames of the walk's first one, with the left knee turned to and fro by so much.
fn standing(folder: &Folder, tremble_deg: f64) -> String {
    let text = folder.text("walk.bvh");
    let (head, motion) = text.split_once("MOTION").expect("a motion");
    let first = motion.lines().nth(3).expect("a frame");
    let joints = head.split(['{', '}']).filter(|part| part.contains("CHANNELS"));
    let names = head.lines().filter(|line| line.contains("JOINT") || line.contains("ROOT"));
    let mut column = 0;
    for (joint, name) in joints.zip(names) {
        if name.ends_with("LeftLeg") {
            break;
        }
        let (_, channels) = joint.split_once("CHANNELS ").expect("how many");
        column += channels.split_whitespace().next().expect("a count").parse::<usize>().unwrap();
    }
    let rows = (0..40).map(|row| {
        let mut angles: Vec<f64> = first.split_whitespace().map(|w| w.parse().unwrap()).collect();
        for angle in &mut angles[column..column + 3] {
            *angle += tremble_deg * f64::from(row % 2);
        }
        angles.iter().map(|angle| format!("{angle:.4}")).collect::<Vec<_>>().join(" ")
    });
    let rows: Vec<String> = rows.collect();
    format!("{head}MOTION\nFrames: 40\nFrame Time: 0.0333333\n{}\n", rows.join("\n"))
}

#[test]
fn a_knee_that_trembles_pops_from_where_people_see_it() {
    let folder = Folder::new();
    folder.put("still.bvh", standing(&folder, 0.0));
    let pop = |tremble_deg: f64| {
        folder.put("trembles.bvh", standing(&folder, tremble_deg));
        let args = ["check", "still.bvh", "trembles.bvh", "--to", "still.bvh", "--json"];
        let report = folder.run(&args).done().json()["report"].clone();
        report["knee_pop_ratio"]["value"].as_f64().expect("a number")
    };
    assert!(pop(0.02) < 1.2, "nobody sees a fiftieth of a degree");
    assert!(pop(2.0) > 5.0, "everybody sees two degrees");
}

#[test]
fn a_result_that_is_back_to_front_or_lies_down_is_told_so() {
    let folder = Folder::new();
    for (by_deg, about) in [([0.0, 0.0, 180.0], 180.0), ([0.0, 90.0, 0.0], 90.0)] {
        folder.put("turned.bvh", turned(&folder, by_deg));
        let args = ["check", "walk.bvh", "turned.bvh", "--to", "walk.bvh", "--json"];
        let found = folder.run(&args).done().json()["report"]["wrong_way_deg"]["value"].clone();
        let found = found.as_f64().expect("a number");
        assert!((found - about).abs() < 1.0, "{by_deg:?}: {found}");
        let args = ["check", "walk.bvh", "turned.bvh", "--to", "walk.bvh"];
        let run = folder.run(&[&args[..], &["--limit", "wrong_way_deg=20"]].concat());
        assert_eq!(run.code, Some(3), "{run:#?}");
    }
    let right = folder.run(&["check", "walk.bvh", "walk.bvh", "--json"]).done().json();
    assert!(right["report"]["wrong_way_deg"]["value"].as_f64().expect("a number") < 1e-6);
}

/// Of another skeleton than its source's a result does not say for whom it was made, and it is not guessed.
#[test]
fn a_result_is_read_with_the_target_that_it_was_made_for() {
    let folder = Folder::new();
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "out.bvh"]).done();
    for command in ["check", "view"] {
        let whole = format!("retarget {command} walk.bvh out.bvh --to ");
        let run =
            folder.run(&[command, "walk.bvh", "out.bvh"]).failed(2, &format!("{whole}TARGET"));
        assert!(run.stderr.contains(&format!("{whole}out.bvh")), "{run:#?}");
        folder
            .run(&[command, "out.bvh", "walk.bvh", "--to", "hero.bvh"])
            .failed(2, &format!("swap them: {whole}hero.bvh"));
        folder.run(&[command, "walk.bvh", "out.bvh", "--to", "out.bvh"]).done();
        folder.run(&[command, "walk.bvh", "out.bvh", "--to", "hero.bvh"]).done();
    }
}

/// The command of an answer is one for a shell whatever the files are called.
#[test]
fn what_is_answered_is_quoted_as_a_shell_needs_it() {
    let folder = Folder::new();
    let name = "it's $HOME.bvh";
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", name]).done();
    let line = r"retarget check walk.bvh 'it'\''s $HOME.bvh' --to TARGET";
    folder.run(&["check", "walk.bvh", name]).failed(2, line);
    let line = r"retarget sheet walk.bvh 'it'\''s $HOME.bvh' -o sheet.svg --to TARGET";
    let run = folder.run(&["sheet", "walk.bvh", name, "-o", "sheet.svg"]).done_with_notes();
    assert!(run.stderr.contains(line), "{run:#?}");
}

/// The journal beside a result says its target and where it was put in the world.
#[test]
fn a_result_of_a_library_is_read_as_its_journal_says() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("lib/a")).expect("a folder");
    folder.put("lib/a/walk.bvh", turned(&folder, [0.0, 0.0, 90.0]));
    folder.run(&["lib", "--to", "hero.bvh", "-o", "out", "--facing", "forward"]).done();
    let [source, result] = ["lib/a/walk.bvh", "out/a/walk.bvh"];
    let said = ["check", source, result, "--to", "hero.bvh", "--facing", "forward", "--json"];
    let said = folder.run(&said).done().json();
    let found = folder.run(&["check", source, result, "--json"]);
    assert!(found.stderr.contains("made for hero.bvh, as its journal says"), "{found:#?}");
    assert_eq!(found.json(), said);
    let elsewhere = folder.run(&["check", source, result, "--facing", "keep", "--json"]);
    assert_ne!(elsewhere.json(), said, "what is said counts before the journal");
    for command in ["check", "view"] {
        let whole = format!("swap them: retarget {command} {source} {result} --to hero.bvh");
        folder.run(&[command, result, source]).failed(2, &whole);
    }
    for files in [&[source, result][..], &[result]] {
        let run = folder.run(&[&["sheet", "-o", "sheet.svg"], files].concat()).done_with_notes();
        assert!(run.stderr.contains("made for hero.bvh"), "{run:#?}");
    }
    let explain = |args: &[&str]| {
        let args = [&["explain", "--frame", "9", "--json"], args].concat();
        folder.run(&args).done_with_notes().json()
    };
    assert_eq!(explain(&[result]), explain(&[source, "--to", "hero.bvh", "--facing", "forward"]));
    assert_ne!(explain(&[result]), explain(&[source, "--to", "hero.bvh"]));
    let whole = format!("retarget explain {source} --frame 9 --to TARGET");
    folder.run(&["explain", source, "--frame", "9"]).failed(2, &whole);
}

#[test]
fn a_result_is_measured_where_it_was_put_in_the_world() {
    let folder = Folder::new();
    for placing in [&["--floor", "keep"][..], &["--facing", "forward"], &[]] {
        let args = [&["walk.bvh", "--to", "hero.bvh", "-o", "out.bvh"], placing].concat();
        folder.run(&args).done();
        let check = ["check", "walk.bvh", "out.bvh", "--to", "hero.bvh", "--json"];
        let report = folder.run(&[&check, placing].concat()).done().json()["report"].clone();
        for (name, most) in [("penetration_cm", 1.0), ("float_cm", 1.0), ("wrong_way_deg", 1.0)] {
            let value = report[name]["value"].as_f64().expect("a number");
            assert!(value < most, "{placing:?}, {name}: {value}");
        }
    }
}

#[test]
fn a_foot_that_slides_is_found() {
    let folder = Folder::new();
    let text = folder.text("walk.bvh");
    let (head, motion) = text.split_once("Frame Time").expect("a motion");
    // Two centimetres a frame, whatever the feet do.
    let slid = motion.lines().enumerate().map(|(i, line)| {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        if i > 0
            && let Ok(x) = words[0].parse::<f64>()
        {
            words[0] = format!("{:.6}", x + 2.0 * i as f64);
        }
        words.join(" ")
    });
    let slid = format!("{head}Frame Time{}\n", slid.collect::<Vec<_>>().join("\n"));
    folder.put("slid.bvh", slid);
    let run = folder.run(&["check", "walk.bvh", "slid.bvh", "--limit", "skate_cm_s=5"]);
    assert_eq!(run.code, Some(3), "{run:#?}");
    assert!(run.stderr.contains("exceeded: skate_cm_s=5: "), "{run:#?}");
}

#[test]
fn a_conversion_is_a_gate_too_and_leaves_its_result() {
    let folder = Folder::new();
    let common = ["walk.bvh", "--to", "hero.bvh", "-o", "out.bvh", "--limit"];
    folder.run(&[&common[..], &["plant_drift_cm=1"]].concat()).done();
    let run = folder.run(&[&common[..], &["jerk_ratio=0.01"]].concat());
    assert_eq!(run.code, Some(3), "{run:#?}");
    assert!(run.stderr.contains("exceeded: jerk_ratio=0.01: "), "{run:#?}");
    assert!(folder.path("out.bvh").exists());
    let library = ["walk.bvh", "hero.bvh", "--to", "hero.bvh", "-o", "out", "--limit"];
    let run = folder.run(&[&library[..], &["jerk_ratio=0.01"]].concat());
    assert_eq!(run.code, Some(3), "{run:#?}");
    let run = folder.run(&[&library[..], &["failed=0"]].concat()).done();
    assert!(!run.stdout.is_empty());
}

/// Whoever gives a limit wants to see what it is not kept by, and how that came about in the conversion that was made.
#[test]
fn a_summary_marks_by_the_limits_that_are_given_and_explains_this_conversion() {
    let folder = Folder::new();
    folder.run(&["skeleton", "walk.bvh", "--lock", "-o", "my rig.toml"]).done();
    let summary = |options: &[&str]| {
        let args = ["walk.bvh", "--to", "hero.bvh", "-o", "out.bvh", "-v"];
        folder.run(&[&args[..], &["--limit", "jerk_peak_ratio=0.01"], options].concat()).stdout
    };
    let text = summary(&["--from", "my rig.toml", "--floor", "keep", "--facing", "forward"]);
    let row = text.lines().find(|line| line.starts_with("jerk_peak_ratio ")).expect("a row");
    let words: Vec<&str> = row.split_whitespace().collect();
    assert_eq!((words[2], words[3]), ("0.01", "!"), "{row}");
    assert!(text.contains(", limit 0.01; "), "{text}");
    let line = "retarget explain walk.bvh --to hero.bvh --from 'my rig.toml' --floor keep --facing forward --frame ";
    assert!(text.contains(line), "{text}");
    assert!(summary(&[]).contains("retarget explain walk.bvh --to hero.bvh --frame "));
    let line = "retarget explain walk.bvh --to hero.bvh --scale none --foot-plants off --frame ";
    assert!(summary(&["--scale", "none", "--foot-plants", "off"]).contains(line));
}

#[test]
fn what_cannot_be_compared_is_said_in_a_sentence() {
    let folder = Folder::new();
    folder.put("short.bvh", cut(&body::clip(1.0), 10));
    let run = folder.run(&["check", "walk.bvh", "short.bvh"]);
    assert_eq!(run.code, Some(1), "{run:#?}");
    assert!(run.stderr.contains("the result has 10 frames and its source "), "{run:#?}");
    folder.put("other.bvh", body::clip(1.0).replace("LeftHand", "LeftPaw"));
    let run = folder.run(&["check", "walk.bvh", "walk.bvh", "--to", "other.bvh"]);
    assert_eq!(run.code, Some(1), "{run:#?}");
    assert!(run.stderr.contains("not of the rig that --to names"), "{run:#?}");
    let run = folder.run(&["check", "-", "-"]);
    assert_eq!(run.code, Some(2), "{run:#?}");
}

#[test]
fn a_limb_that_is_thrown_for_one_frame_is_told_first() {
    let folder = Folder::new();
    let text = folder.text("walk.bvh");
    let run = folder.run(&["check", "walk.bvh", "walk.bvh", "--limit", "snap_deg=0"]).done();
    assert!(run.stdout.contains("snap_deg"), "{run:#?}");
    // The forearm of the first frames hangs by 70 degrees; for one frame it does not.
    let (head, motion) = text.split_once("Frame Time").expect("a motion");
    let mut lines: Vec<String> = motion.lines().map(str::to_owned).collect();
    let moved = lines[20].replacen("-70.0000", "-40.0000", 1);
    assert_ne!(moved, lines[20], "an arm to be thrown");
    lines[20] = moved;
    folder.put("thrown.bvh", format!("{head}Frame Time{}\n", lines.join("\n")));
    let run = folder.run(&["check", "walk.bvh", "thrown.bvh", "--limit", "snap_deg=2.5"]);
    assert_eq!(run.code, Some(3), "{run:#?}");
    assert!(run.stderr.contains("exceeded: snap_deg=2.5: "), "{run:#?}");
}

/// The first frames of a clip.
fn cut(text: &str, frames: usize) -> String {
    let (head, motion) = text.split_once("Frames:").expect("a motion");
    let lines: Vec<&str> = motion.lines().skip(1).take(1 + frames).collect();
    format!("{head}Frames: {frames}\n{}\n", lines.join("\n"))
}
