//! A whole run: every clip, in the same tree, with what the single command gives.

use crate::library::{CLIPS, field, folder, journal, put, results, run, tree};

#[test]
fn every_clip_gives_what_it_gives_alone_in_the_same_tree() {
    let folder = folder();
    let reported = run(&folder, &[]).done();
    assert_eq!(results(&folder), CLIPS);
    assert!(reported.stdout.starts_with("out: 7 clips, 7 done\n"), "{reported:#?}");
    for name in CLIPS {
        let input = format!("lib/{name}");
        let alone = if name.ends_with("gz") {
            "alone.bvh.gz"
        } else if name.ends_with("zst") {
            "alone.bvh.zst"
        } else {
            "alone.bvh"
        };
        folder.run(&[&input, "--to", "hero.bvh", "-o", alone]).done();
        let bytes = |name: &str| std::fs::read(folder.path(name)).expect("written");
        assert!(bytes(alone) == bytes(&format!("out/{name}")), "{name}");
    }
}

/// So that no core is left with a long one at the end; a packed clip counts by what is in it.
#[test]
fn the_largest_clips_come_first() {
    use retarget::internals::batch::{Named, Plan, Shard, find};
    let folder = folder();
    put(&folder, "lib/large.bvh", &[b' '; 100_000]);
    put(&folder, "lib/larger.bvh.gz", &[b' '; 50_000]);
    let clips = find(&[Named::Path(folder.path("lib"))]).expect("clips");
    let plan = Plan::new(clips, folder.path("out"), Shard::WHOLE, None).expect("a plan");
    let first: Vec<&str> = plan.jobs.iter().map(|job| job.name.as_str()).take(2).collect();
    assert_eq!(first, ["larger.bvh.gz", "large.bvh"]);
    assert!(plan.jobs.is_sorted_by_key(|job| std::cmp::Reverse(job.size)));
}

#[test]
fn neither_threads_nor_a_second_run_change_a_byte() {
    let folder = folder();
    run(&folder, &["--jobs", "1"]).done();
    let wanted = tree(&folder.path("out"));
    // The journal, and the rig and the body that all share.
    assert_eq!(wanted.len(), CLIPS.len() + 3);
    for jobs in ["2", "7", "64"] {
        run(&folder, &["--jobs", jobs]).done();
        assert!(tree(&folder.path("out")) == wanted, "{jobs} threads");
    }
}

#[test]
fn the_journal_has_a_line_for_every_clip() {
    let folder = folder();
    run(&folder, &[]).done();
    let lines = journal(&folder, "out/retarget-run.jsonl");
    assert_eq!(field(&lines, "output"), CLIPS);
    for (line, name) in lines.iter().zip(CLIPS) {
        assert_eq!(line["input"], format!("lib/{name}"));
        assert_eq!(line["status"], "done");
        assert_eq!(line["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(line["frames"], crate::body::FRAMES);
        assert_eq!(line["joints"], 18);
        assert!((line["duration_s"].as_f64().expect("a number") - 40.0 / 30.0).abs() < 1e-3);
        assert!(line["took_s"].as_f64().expect("a number") > 0.0);
        for key in ["clip", "rig", "settings", "result"] {
            assert_eq!(line[key].as_str().map(str::len), Some(32), "{key}");
        }
        for number in retarget::internals::report::NUMBERS {
            let measure = &line["report"][number.name];
            assert!(measure["value"].is_f64() && measure["joint"].is_string(), "{}", number.name);
        }
    }
    let hashes = |key| field(&lines, key).into_iter().collect::<std::collections::HashSet<_>>();
    assert_eq!((hashes("clip").len(), hashes("result").len(), hashes("rig").len()), (7, 7, 1));
}

#[test]
fn json_sums_it_up() {
    let folder = folder();
    let json = run(&folder, &["--json"]).done().json();
    assert_eq!((&json["clips"], &json["done"]), (&7.into(), &7.into()));
    assert_eq!((&json["failed"], &json["stale"]), (&serde_json::json!([]), &serde_json::json!([])));
    assert_eq!(json["frames"], 7 * crate::body::FRAMES);
    assert_eq!(run(&folder, &["-q"]).done().stdout, "");
}
