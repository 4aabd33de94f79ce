//! What is missing of a clip is told, however quiet the command is.

use crate::harness::Folder;
use crate::library::{field, journal, put, run};

/// A clip of which half of its rows, and half of the last one of them, are there.
fn cut(folder: &Folder) -> String {
    let walk = folder.text("walk.bvh");
    let rows: Vec<usize> = walk.match_indices('\n').map(|(at, _)| at).collect();
    walk[..rows[rows.len() - 20] + 30].to_owned()
}

const SAYS: &str = "the file is cut short, 19 frames are missing; --strict refuses it";

#[test]
fn a_clip_that_is_cut_short_is_told_of_even_quietly() {
    let folder = Folder::new();
    folder.put("cut.bvh", cut(&folder));
    for args in [&["-q"][..], &[], &["-v"], &["--json"]] {
        let args = [&["cut.bvh", "--to", "hero.bvh", "-o", "x.bvh"], args].concat();
        let reported = folder.run(&args);
        assert_eq!(reported.code, Some(0), "{reported:#?}");
        assert_eq!(reported.stderr, format!("warning: cut.bvh: {SAYS}\n"), "{reported:#?}");
        if args.contains(&"--json") {
            assert_eq!(reported.json()["missing_frames"], 19);
        }
    }
    let reported = folder.run_with(&["-", "--to", "hero.bvh"], cut(&folder));
    assert!(reported.stderr.contains(&format!("standard input: {SAYS}")), "{reported:#?}");
    // A row that nobody announced.
    folder.put("row.bvh", folder.text("walk.bvh") + "1 2 3");
    let reported = folder.run(&["row.bvh", "--to", "hero.bvh", "-q"]);
    assert!(reported.stderr.contains("cut short, 1 frame is missing"), "{reported:#?}");
}

#[test]
fn a_library_counts_what_is_missing() {
    let folder = Folder::new();
    put(&folder, "lib/cut.bvh", cut(&folder).as_bytes());
    put(&folder, "lib/walk.bvh", folder.text("walk.bvh").as_bytes());
    let reported = run(&folder, &["-q"]);
    assert_eq!(
        (reported.code, reported.stderr),
        (Some(0), format!("warning: lib/cut.bvh: {SAYS}\n"))
    );
    let reported = run(&folder, &[]);
    assert!(
        reported.stdout.contains("cut short 1 clip, in which 19 frames are missing"),
        "{reported:#?}"
    );
    let reported = run(&folder, &["--json"]).json();
    assert_eq!((&reported["cut_short"], &reported["missing_frames"]), (&1.into(), &19.into()));
    let lines = journal(&folder, "out/retarget-run.jsonl");
    assert_eq!(field(&lines, "missing_frames"), [19, 0]);
    let report = folder.run(&["report", "out"]).done();
    assert!(
        report.stdout.contains("cut short: 1 clip, in which 19 frames are missing"),
        "{report:#?}"
    );
    let csv = folder.run(&["report", "out", "--csv"]).done().stdout;
    let column = csv.lines().next().expect("a head").split(',').position(|c| c == "missing_frames");
    let cells = csv.lines().skip(1).map(|row| row.split(',').nth(column.expect("there")));
    assert_eq!(cells.collect::<Vec<_>>(), [Some("19"), Some("0")]);
}

#[test]
fn strict_makes_repairs_an_error() {
    let folder = Folder::new();
    folder.put("cut.bvh", cut(&folder));
    let body = folder.text("hero.bvh");
    folder.put(
        "body.bvh",
        body.replacen("OFFSET 0", "CHANNELS 0", 0).replacen("Frames: 40", "Frames: 39", 1),
    );
    folder.run(&["walk.bvh", "--to", "hero.bvh", "-o", "x.bvh", "--strict"]).done();
    std::fs::remove_file(folder.path("x.bvh")).expect("removed");
    for args in [["cut.bvh", "--to", "hero.bvh"], ["walk.bvh", "--to", "body.bvh"]] {
        let args = [&args[..], &["-o", "x.bvh", "--strict"]].concat();
        let reported = folder.run(&args);
        assert_eq!(reported.code, Some(1), "{reported:#?}");
        assert!(
            reported.stderr.contains("; --strict takes no file that has to be repaired"),
            "{reported:#?}"
        );
        assert!(!folder.path("x.bvh").exists());
    }
    put(&folder, "lib/cut.bvh", cut(&folder).as_bytes());
    put(&folder, "lib/walk.bvh", folder.text("walk.bvh").as_bytes());
    run(&folder, &[]);
    // What was done less strictly is not taken for done.
    let reported = run(&folder, &["--strict", "--resume"]);
    assert_eq!(reported.code, Some(1), "{reported:#?}");
    let lines = journal(&folder, "out/retarget-run.jsonl");
    assert_eq!(lines[0]["reason"], "repaired");
    assert_eq!(lines[1]["status"], "done");
}
