//! What files say is shown, and does nothing: neither to a terminal, nor to a table program, nor by quoting what was
//! not meant to be read.
#![cfg(unix)]

use crate::harness::{Folder, Run};
use crate::library::{put, run};

/// Colours, clears, moves, titles, and turns a line round.
const ACTS: &str = "a\u{1b}[31m\u{1b}]0;t\u{7}\u{9b}2J\r\u{8}\u{202e}z\u{7f}";

#[track_caller]
fn shows(reported: &Run) {
    for text in [&reported.stdout, &reported.stderr] {
        let acts = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!text.contains(acts), "{reported:#?}");
    }
}

#[test]
fn names_do_nothing_to_a_terminal() {
    let folder = Folder::new();
    let walk = folder.text("walk.bvh");
    let clip = format!("{ACTS}.bvh");
    // Of joints, a name ends at the end of its line.
    let joint = ACTS.replace('\r', "");
    let named = walk
        .replace("LeftLeg", &format!("LeftLeg{joint}"))
        .replace("JOINT Head", &format!("JOINT {joint}"));
    folder.put(&clip, &named);
    put(&folder, &format!("lib/{clip}"), named.as_bytes());
    put(&folder, &format!("lib/bad{clip}"), walk.replace("JOINT", &joint).as_bytes());
    folder.put("rig.toml", "bvh = \"hero.bvh\"\n[roles]\n\"\\u001b[31m\" = \"Hips\"\n");
    let mut seen = 0;
    for args in [
        &[&clip, "--to", "hero.bvh", "-o", "x.bvh"][..],
        &[&clip, "--to", "hero.bvh", "-o", "x.bvh", "-v"],
        &[&clip, "--to", "hero.bvh", "-o", "x.bvh", "--json"],
        &[&clip, "--to", "hero.bvh", "-o", "x.bvh", "--limit", "limb_direction_deg=0"],
        &["walk.bvh", "--to", &clip, "-o", "x.bvh", "-v"],
        &["walk.bvh", "--to", "rig.toml", "-o", "x.bvh"],
        &["inspect", &clip],
        &["inspect", &clip, "--json"],
        &["inspect", &format!("lib/bad{clip}")],
        &["skeleton", &clip],
        &["skeleton", &clip, "--lock"],
        &["check", &clip, &clip],
        &["explain", &clip, "--to", "hero.bvh", "--frame", "3"],
        &["lib", "--to", "hero.bvh", "-o", "out"],
        &["lib", "--to", "hero.bvh", "-o", "out", "--json"],
        &["report", "out"],
        &["report", "out", "--json"],
        &["report", "out", "--csv"],
        &["report", "out", "out"],
        &[&clip, "--to", "hero.bvh", "-o", &format!("{ACTS}.fbx")],
        &["lost\u{1b}[2J.bvh", "--to", "hero.bvh"],
    ] {
        let reported = folder.run(args);
        shows(&reported);
        seen += usize::from((reported.stdout + &reported.stderr).contains("1b"));
    }
    assert!(seen > 12, "the names are hardly ever shown: {seen}");
}

#[test]
fn a_table_computes_nothing() {
    let folder = Folder::new();
    let walk = folder.text("walk.bvh");
    let names = ["=1+1", "+1", "-1", "@SUM(A1)", "=cmd|' C'!A0"];
    for name in names {
        put(&folder, &format!("lib/{name}.bvh"), walk.replace("LeftFoot", name).as_bytes());
    }
    let joints = ["Hips", "LeftUpLeg", "LeftLeg", "RightUpLeg", "RightLeg", "RightFoot"];
    let formulas =
        joints.iter().fold(walk.clone(), |text, name| text.replace(name, &format!("={name}")));
    put(&folder, "lib/joints.bvh", formulas.as_bytes());
    run(&folder, &[]);
    let csv = folder.run(&["report", "lib/../out", "--csv"]).done().stdout;
    let mut table = csv::Reader::from_reader(csv.as_bytes());
    let (mut rows, mut guarded) = (0, 0);
    for row in table.records() {
        rows += 1;
        for cell in row.expect("sound CSV").iter() {
            let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
            assert!(!is_formula || cell.parse::<f64>().is_ok(), "{cell:?}");
            guarded += usize::from(cell.starts_with('\''));
        }
    }
    assert_eq!(rows, names.len() + 1);
    assert!(guarded >= names.len(), "{csv}");
}

#[test]
fn a_skeleton_toml_shows_nothing_of_the_file_that_it_names() {
    let folder = Folder::new();
    folder.put("secret", "xyzzy plugh\n");
    folder.put("secret.bvh", "HIERARCHY xyzzy plugh\n");
    folder.put("secret2.bvh", folder.text("hero.bvh").replacen("OFFSET", "xyzzy", 1));
    folder.put("to.bvh", "HIERARCHY ROOT xyzzy { OFFSET 0 0 0 }");
    for name in
        ["secret", "secret.bvh", "secret2.bvh", &folder.path("secret").display().to_string()]
    {
        folder.put("rig.toml", format!("bvh = \"{name}\"\n"));
        for args in [
            &["walk.bvh", "--to", "rig.toml", "-o", "x.bvh"][..],
            &["inspect", "rig.toml"],
            &["check", "walk.bvh", "walk.bvh", "--to", "rig.toml"],
            &["explain", "walk.bvh", "--to", "rig.toml", "--frame", "0"],
        ] {
            let reported =
                folder.run(args).failed(1, "which it names as `bvh`, cannot be read as a rig; to see why, run: retarget inspect ");
            assert!(!reported.stderr.contains("xyzzy"), "{reported:#?}");
        }
    }
    // What is a rig is quoted: its names are what is to be told of.
    folder.put("rig.toml", "bvh = \"to.bvh\"\n");
    folder.run(&["walk.bvh", "--to", "rig.toml", "-o", "x.bvh"]).failed(1, "xyzzy");
}
