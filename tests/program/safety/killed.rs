//! Runs that are killed at any moment, and what they leave as the input of the next.
#![cfg(unix)]

use crate::harness::Folder;
use crate::library::{put, run, tree};
use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// How often a run is killed: `KILLS=1000` for a long test.
fn kills() -> u64 {
    std::env::var("KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(40)
}

/// A fixed sequence of well-mixed numbers below one.
fn mixed(i: u64) -> f64 {
    let z = i.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (z ^ (z >> 31)) as f64 / u64::MAX as f64
}

/// Starts a command, kills it after so long, and says whether it was still at work.
fn killed(folder: &Folder, args: &[&str], after: Duration) -> bool {
    let mut command = folder.command(args);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("runs");
    std::thread::sleep(after);
    let at_work = child.try_wait().expect("a state").is_none();
    child.kill().expect("killed");
    child.wait().expect("an end");
    at_work
}

/// A clip of many frames, of which writing takes a while.
fn long(clip: &str, times: usize) -> String {
    let (head, rows) = clip.split_once("Frame Time").expect("a motion");
    let (time, rows) = rows.split_once('\n').expect("rows");
    let frames = rows.lines().count();
    let head = head.replace(&format!("Frames: {frames}"), &format!("Frames: {}", times * frames));
    format!("{head}Frame Time{time}\n{}", rows.repeat(times))
}

/// A result is there whole, under its own name, or not at all.
#[track_caller]
fn whole(out: &BTreeMap<String, Vec<u8>>, wanted: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in out {
        let own = name.rsplit('/').next().unwrap_or_default();
        match wanted.get(name) {
            _ if own.starts_with('.') => assert!(own.ends_with(".part"), "{name}"),
            _ if name.ends_with(".jsonl") => {}
            Some(wanted) => assert!(bytes == wanted, "{name} is not whole"),
            None => panic!("nobody writes {name}"),
        }
    }
}

#[test]
fn whenever_it_is_killed_what_is_left_is_whole_and_is_the_next_input() {
    let folder = Folder::new();
    let clip = folder.text("walk.bvh");
    for i in 0..24 {
        let arm = format!("-{}.0000", 50 + i);
        let text = long(&clip.replace("-70.0000", &arm), 1 + i * i % 40);
        put(&folder, &format!("lib/{}/{i}.bvh", i % 4), text.as_bytes());
    }
    let args = |input, output| ["-q", input, "--to", "hero.bvh", "-o", output];
    let began = Instant::now();
    folder.run(&args("lib", "wanted")).done();
    let took = began.elapsed();
    // What is made of the results in turn.
    folder.run(&args("wanted", "wanted_again")).done();
    let wanted = tree(&folder.path("wanted"));
    let wanted_again = tree(&folder.path("wanted_again"));
    let (mut at_work, mut left) = (0, 0);
    for i in 0..kills() {
        if i % 8 == 0 {
            for output in ["out", "again"] {
                let _ = std::fs::remove_dir_all(folder.path(output));
            }
        }
        let library = [&args("lib", "out")[..], &["--resume"]].concat();
        at_work += u64::from(killed(&folder, &library, took.mul_f64(0.6 * mixed(i))));
        if !folder.path("out").exists() {
            continue;
        }
        let out = tree(&folder.path("out"));
        whole(&out, &wanted);
        left += out.keys().filter(|name| name.ends_with(".part")).count();
        // What is left is the next input: there is no clip in it but whole results.
        if i % 4 == 3 && out.keys().any(|name| name.ends_with(".bvh")) {
            folder.run(&args("out", "again")).done();
            whole(&tree(&folder.path("again")), &wanted_again);
        }
        if i % 8 == 7 {
            run(&folder, &["--resume", "-q"]).done();
            assert!(tree(&folder.path("out")) == wanted, "after {i} kills");
        }
    }
    // How many are still at work when they are killed is a matter of what else the machine does.
    assert!(at_work * 8 >= kills(), "only {at_work} of {} runs were killed at work", kills());
    println!("{at_work} of {} killed at work, {left} temporary files left", kills());
}

#[test]
fn whenever_a_single_clip_is_killed_its_result_is_whole_or_as_it_was() {
    let folder = Folder::new();
    folder.put("long.bvh", long(&folder.text("walk.bvh"), 60));
    std::fs::create_dir(folder.path("out")).expect("made");
    let single = ["-q", "long.bvh", "--to", "hero.bvh", "-o", "out/long.bvh"];
    let began = Instant::now();
    folder.run(&single).done();
    let took = began.elapsed();
    let wanted = folder.text("out/long.bvh");
    let old = folder.text("walk.bvh");
    let mut at_work = 0;
    for i in 0..kills() {
        folder.put("out/long.bvh", &old);
        at_work += u64::from(killed(&folder, &single, took.mul_f64(0.9 * mixed(i))));
        let found = folder.text("out/long.bvh");
        assert!(found == old || found == wanted, "half a result after {i} kills");
        // No other clip is there, and what is there can be read.
        if i % 8 == 0 {
            let reported =
                folder.run(&["out", "--to", "hero.bvh", "-o", "again", "--json"]).done().json();
            assert_eq!(
                (&reported["clips"], &reported["done"]),
                (&1.into(), &1.into()),
                "{reported:#?}"
            );
        }
    }
    folder.run(&single).done();
    assert_eq!(tree(&folder.path("out")).into_keys().collect::<Vec<_>>(), ["long.bvh"]);
    assert!(at_work * 8 >= kills(), "only {at_work} of {} runs were killed at work", kills());
}
