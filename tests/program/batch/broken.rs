//! One bad file never stops the rest.

use crate::harness::Folder;
use crate::library::{CLIPS, field, folder, journal, put, results, run};

/// The library with three clips that cannot be retargeted.
fn broken() -> Folder {
    let folder = folder();
    put(&folder, "lib/bad/empty.bvh", b"");
    let nan = crate::body::clip(1.0).replacen("-70.0000", "nan", 1);
    put(&folder, "lib/bad/nan.bvh", nan.as_bytes());
    put(&folder, "lib/bad/torn.bvh.gz", &[0x1f, 0x8b, 8, 0]);
    folder
}

#[test]
fn a_bad_clip_is_named_and_the_others_go_on() {
    let folder = broken();
    let reported = run(&folder, &[]);
    assert_eq!(reported.code, Some(1), "{reported:#?}");
    assert_eq!(results(&folder), CLIPS);
    assert!(reported.stdout.starts_with("out: 10 clips, 7 done, 3 failed\n"), "{reported:#?}");
    for says in [
        "failed: lib/bad/empty.bvh: the file is empty",
        "\"nan\" is not a finite number",
        "failed: cannot read lib/bad/torn.bvh.gz: the packed file is damaged",
    ] {
        assert!(reported.stderr.contains(says), "{says}: {reported:#?}");
    }
    assert_eq!(reported.stderr.lines().count(), 3, "{reported:#?}");
    let lines = journal(&folder, "out/retarget-run.jsonl");
    let failed: Vec<_> = lines.iter().filter(|line| line["status"] == "failed").cloned().collect();
    let names = ["bad/empty.bvh", "bad/nan.bvh", "bad/torn.bvh.gz"];
    assert_eq!(field(&failed, "output"), names);
    assert_eq!(field(&failed, "reason"), ["empty", "broken_bvh", "unreadable"]);
}

#[test]
fn fail_fast_begins_no_other_clip() {
    let folder = folder();
    // The largest comes first.
    put(&folder, "lib/large.bvh", &[b' '; 100_000]);
    let reported = run(&folder, &["--fail-fast", "--jobs", "1"]);
    assert_eq!(reported.code, Some(1), "{reported:#?}");
    assert!(
        reported.stdout.starts_with("out: 8 clips, 0 done, 1 failed, 7 not begun\n"),
        "{reported:#?}"
    );
    assert!(reported.stdout.contains("--resume goes on from here"), "{reported:#?}");
}

#[test]
fn what_is_not_there_is_a_failure_like_any_other() {
    let folder = folder();
    let args = ["lib/a.bvh", "lib/lost.bvh", "--to", "hero.bvh", "-o", "out"];
    let reported = folder.run(&args);
    assert_eq!(reported.code, Some(1));
    assert!(reported.stderr.starts_with("failed: cannot read lib/lost.bvh: "), "{reported:#?}");
    assert_eq!(results(&folder), ["a.bvh"]);
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_loops_are_told() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    put(&folder, "else/where.bvh", folder.text("walk.bvh").as_bytes());
    symlink("../else", folder.path("lib/linked")).expect("a link");
    symlink("..", folder.path("lib/deep/loop")).expect("a link");
    symlink("nowhere.bvh", folder.path("lib/dangling.bvh")).expect("a link");
    symlink("nowhere", folder.path("lib/dangling")).expect("a link");
    let reported = run(&folder, &[]);
    assert_eq!(reported.code, Some(1), "{reported:#?}");
    assert!(reported.stderr.contains("lib/deep/loop: the link leads back to lib"), "{reported:#?}");
    assert!(reported.stderr.contains("cannot read lib/dangling.bvh: "), "{reported:#?}");
    assert_eq!(reported.stderr.lines().count(), 2, "{reported:#?}");
    assert_eq!(results(&folder).len(), CLIPS.len() + 1);
    assert!(folder.path("out/linked/where.bvh").exists());
}

#[cfg(unix)]
#[test]
fn a_name_that_no_text_can_hold_is_told() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let name = std::ffi::OsStr::from_bytes(b"lib/b\xff.bvh");
    let path = folder.path(".").join(name);
    if std::fs::write(&path, folder.text("walk.bvh")).is_err() {
        eprintln!("SKIPPED: this file system takes UTF-8 names alone");
        return;
    }
    let reported = run(&folder, &[]);
    assert_eq!(reported.code, Some(1), "{reported:#?}");
    assert!(reported.stderr.contains("its name is not UTF-8"), "{reported:#?}");
    assert_eq!(results(&folder), CLIPS);
}
