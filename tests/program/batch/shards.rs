//! Several machines, one library.

use crate::library::{CLIPS, folder, journal, run, tree};
use std::fs;

#[test]
fn shards_together_are_the_whole() {
    let folder = folder();
    run(&folder, &[]).done();
    let mut wanted = tree(&folder.path("out"));
    let whole = wanted.remove("retarget-run.jsonl").expect("a journal");
    fs::remove_dir_all(folder.path("out")).expect("removed");
    for shard in ["2/3", "1/3", "3/3"] {
        run(&folder, &["--shard", shard]).done();
    }
    let mut sharded = tree(&folder.path("out"));
    let mut lines = Vec::new();
    for shard in 1..=3 {
        let part = sharded.remove(&format!("retarget-run.{shard}-of-3.jsonl")).expect("a journal");
        let part = String::from_utf8(part).expect("UTF-8");
        assert!(part.lines().count() < CLIPS.len(), "shard {shard} did all");
        lines.extend(part.lines().map(str::to_owned));
    }
    assert!(sharded == wanted);
    let mut whole: Vec<String> =
        String::from_utf8(whole).expect("UTF-8").lines().map(str::to_owned).collect();
    lines.sort();
    whole.sort();
    assert_eq!(lines, whole);
}

/// A clip's part follows from its name alone, not from what else there is.
#[test]
fn a_clip_stays_in_its_shard() {
    let folder = folder();
    run(&folder, &["--shard", "1/2"]).done();
    let names = |folder| {
        let lines = journal(folder, "out/retarget-run.1-of-2.jsonl");
        lines.iter().map(|line| line["output"].clone()).collect::<Vec<_>>()
    };
    let before = names(&folder);
    assert!(!before.is_empty() && before.len() < CLIPS.len());
    fs::remove_dir_all(folder.path("lib/packed")).expect("removed");
    fs::remove_dir_all(folder.path("out")).expect("removed");
    run(&folder, &["--shard", "1/2"]).done();
    let stayed: Vec<_> = before
        .into_iter()
        .filter(|name| !name.as_str().expect("a name").starts_with("packed"))
        .collect();
    assert_eq!(names(&folder), stayed);
}

#[test]
fn report_takes_shards_together_and_names_those_that_are_missing() {
    let folder = folder();
    for shard in ["1/3", "3/3"] {
        run(&folder, &["--shard", shard]).done();
    }
    let reported = folder.run(&["report", "out"]).done();
    assert!(reported.stdout.contains("no journal of shard 2/3"), "{reported:#?}");
    run(&folder, &["--shard", "2/3"]).done();
    let reported = folder.run(&["report", "out"]).done();
    assert!(reported.stdout.starts_with("7 clips: 7 done, 0 failed; 280 frames"), "{reported:#?}");
    assert!(!reported.stdout.contains("no journal"), "{reported:#?}");
    run(&folder, &["--shard", "1/2"]).done();
    folder.run(&["report", "out"]).failed(1, "lies beside one of another split");
}
