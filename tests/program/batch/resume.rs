//! `--resume`: what is done is known by content.

use crate::harness::Folder;
use crate::library::{CLIPS, folder, put, results, run, tree};
use std::fs;

/// How many clips a resumed run did, kept and failed.
fn counts(folder: &Folder, args: &[&str]) -> [u64; 3] {
    let reported = run(folder, &[args, &["--resume", "--json"]].concat());
    let json = reported.json();
    let failed = json["failed"].as_array().expect("a list").len() as u64;
    [json["done"].as_u64().expect("a number"), json["kept"].as_u64().expect("a number"), failed]
}

#[test]
fn only_what_changed_is_done_again() {
    let folder = folder();
    assert_eq!(counts(&folder, &[]), [7, 0, 0]);
    assert_eq!(counts(&folder, &[]), [0, 7, 0]);
    // A new time alone is no change.
    let path = folder.path("lib/a.bvh");
    let bytes = fs::read(&path).expect("a clip");
    fs::write(&path, &bytes).expect("written");
    assert_eq!(counts(&folder, &[]), [0, 7, 0]);
    // A clip.
    put(&folder, "lib/a.bvh", crate::body::clip(1.1).as_bytes());
    assert_eq!(counts(&folder, &[]), [1, 6, 0]);
    // A result that is gone, and one that is not what was written.
    fs::remove_file(folder.path("out/deep/f.bvh")).expect("removed");
    put(&folder, "out/a.bvh", b"HIERARCHY");
    assert_eq!(counts(&folder, &[]), [2, 5, 0]);
    // A setting.
    assert_eq!(counts(&folder, &["--decimals", "3"]), [7, 0, 0]);
    assert_eq!(counts(&folder, &["--decimals", "3"]), [0, 7, 0]);
    assert_eq!(counts(&folder, &["--decimals", "3", "--scale", "1.3"]), [7, 0, 0]);
    // What is said of the sources' rig.
    folder.put("from.toml", "up = \"y\"\n");
    let from = ["--decimals", "3", "--scale", "1.3", "--from", "from.toml"];
    assert_eq!(counts(&folder, &from), [7, 0, 0]);
    // The target.
    folder.put("hero.bvh", crate::body::clip(1.4));
    assert_eq!(counts(&folder, &from), [7, 0, 0]);
    assert_eq!(counts(&folder, &from), [0, 7, 0]);
}

#[test]
fn a_failed_clip_is_tried_again() {
    let folder = folder();
    put(&folder, "lib/a.bvh", b"");
    assert_eq!(counts(&folder, &[]), [6, 0, 1]);
    assert_eq!(counts(&folder, &[]), [0, 6, 1]);
    put(&folder, "lib/a.bvh", crate::body::clip(1.0).as_bytes());
    assert_eq!(counts(&folder, &[]), [1, 6, 0]);
}

#[test]
fn a_torn_journal_ends_in_the_bytes_of_an_undisturbed_run() {
    let folder = folder();
    run(&folder, &[]).done();
    let wanted = tree(&folder.path("out"));
    let journal = fs::read(folder.path("out/retarget-run.jsonl")).expect("a journal");
    // What a process that was killed may leave: any beginning of the journal.
    for share in [0, 1, 3, 5, 7, 9, 10] {
        let cut = journal.len() * share / 10;
        put(&folder, "out/retarget-run.jsonl", &journal[..cut]);
        put(&folder, "out/.retarget-1-of-1-Xc9aB2.part", b"half a res");
        fs::remove_file(folder.path("out/a.bvh")).expect("removed");
        run(&folder, &["--resume"]).done();
        assert!(tree(&folder.path("out")) == wanted, "{cut} of {} bytes", journal.len());
    }
    // Lines in the order of work, some of them twice, as of a run that did not come to its end.
    let mut lines: Vec<&[u8]> = journal.split_inclusive(|byte| *byte == b'\n').collect();
    lines.reverse();
    lines.push(lines[2]);
    put(&folder, "out/retarget-run.jsonl", &lines.concat());
    run(&folder, &["--resume"]).done();
    assert!(tree(&folder.path("out")) == wanted);
}

#[test]
fn a_line_that_cannot_be_read_costs_its_clip_alone() {
    let folder = folder();
    run(&folder, &[]).done();
    let wanted = tree(&folder.path("out"));
    let journal = folder.text("out/retarget-run.jsonl");
    for damaged in [
        journal.replacen("\"output\"", "\"oput\"", 1),
        journal.replacen("\"frames\":", "\"frames\":null,\"of\":", 1),
        journal.replacen("\"output\":\"", "\"output\":\"../", 1),
        journal.replacen('\n', &format!("\n{}\n", "x".repeat(3 << 20)), 1),
        format!("\u{1}\n{}", journal.split_once('\n').expect("lines").1),
    ] {
        folder.put("out/retarget-run.jsonl", &damaged);
        let reported = folder.run(&["report", "out"]).done();
        let says = "1 line of the journal cannot be read; --resume does their clips again";
        assert!(reported.stdout.contains(says), "{reported:#?}");
        let reported = run(&folder, &["--resume", "--json"]).done().json();
        assert!(reported["done"].as_u64() <= Some(1), "{reported:#?}");
        assert!(tree(&folder.path("out")) == wanted);
    }
}

#[test]
fn stale_results_are_named_and_left_alone() {
    let folder = folder();
    run(&folder, &[]).done();
    fs::remove_file(folder.path("lib/deep/f.bvh")).expect("removed");
    put(&folder, "lib/a.bvh", b"");
    let reported = run(&folder, &["--resume"]);
    assert_eq!(reported.code, Some(1));
    assert!(reported.stdout.contains("stale     2 files"), "{reported:#?}");
    for stale in ["    out/a.bvh\n", "    out/deep/f.bvh\n"] {
        assert!(reported.stdout.contains(stale), "{reported:#?}");
    }
    assert_eq!(results(&folder), CLIPS);
    // The journal speaks of the library as it is.
    assert_eq!(crate::library::journal(&folder, "out/retarget-run.jsonl").len(), CLIPS.len() - 1);
}
