//! What a run writes into its journal can be read back, whatever the clip.

use crate::harness::Folder;
use crate::library::{journal, put, run};

#[test]
fn a_clip_of_strange_numbers_leaves_a_journal_that_can_be_read() {
    let folder = Folder::new();
    let walk = folder.text("walk.bvh");
    let time = walk.lines().find(|line| line.starts_with("Frame Time")).expect("a frame time");
    for (i, strange) in
        ["1e308", "1e300", "1e17", "12345", "1e-5", "1e-9", "1e-300", "1e-320"].iter().enumerate()
    {
        let clip = walk.replace(time, &format!("Frame Time: {strange}"));
        put(&folder, &format!("lib/time_{i}.bvh"), clip.as_bytes());
    }
    put(&folder, "lib/walk.bvh", walk.as_bytes());
    run(&folder, &[]);
    // One line of sound JSON for each clip, and no number that is none.
    let lines = journal(&folder, "out/retarget-run.jsonl");
    assert_eq!(lines.len(), 9);
    assert!(lines.iter().all(|line| line["status"] == "failed" || line["duration_s"].is_number()));
    let reported = folder.run(&["report", "out"]).done();
    assert!(!reported.stdout.contains("cannot be read;"), "{reported:#?}");
    let reported = run(&folder, &["--resume", "--json"]).json();
    assert_eq!(reported["done"].as_u64(), Some(0), "{reported:#?}");
    assert!(reported["kept"].as_u64() >= Some(1), "{reported:#?}");
}
