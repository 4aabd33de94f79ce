//! Time and memory follow what is on the disk, or the bound is told.
#![cfg(target_os = "linux")]

use crate::harness::{Folder, Run, peak_kb};
use crate::library::put;
use retarget::internals::convert::Packing;
use std::fs;
use std::path::Path;

/// Runs a command to its end, and gives the most memory that it took, megabytes.
fn peak_mb(folder: &Folder, args: &[&str]) -> (Run, u64) {
    let start = || {
        let mut child = folder.command(args).spawn().expect("the binary runs");
        drop(child.stdin.take());
        child
    };
    let (output, peak) = peak_kb(start);
    (Run::new(args, output), peak >> 10)
}

/// A clip that stands still for so many frames, which packs to hardly anything.
fn still(folder: &Folder, frames: usize) -> Vec<u8> {
    let clip = folder.text("walk.bvh");
    let (head, rest) = clip.split_once("Frames:").expect("a motion");
    let mut lines = rest.lines().skip(1);
    let (time, row) = (lines.next().expect("a frame time"), lines.next().expect("a row"));
    let rows = format!("{row}\n").repeat(frames);
    format!("{head}Frames: {frames}\n{time}\n{rows}").into_bytes()
}

fn packed(name: &str, bytes: Vec<u8>) -> Vec<u8> {
    Packing::named(Path::new(name)).pack(bytes)
}

#[test]
fn a_packed_file_cannot_ask_for_much_more_memory_than_its_size() {
    let folder = Folder::new();
    // A hundred megabytes in some kilobytes.
    let bomb = still(&folder, 250_000);
    assert!(bomb.len() > 90_000_000, "{}", bomb.len());
    for name in ["bomb.bvh.gz", "bomb.bvh.zst"] {
        let bytes = packed(name, bomb.clone());
        assert!(bytes.len() < 1_000_000, "{}", bytes.len());
        folder.put(name, bytes);
        for args in [
            &[name, "--to", "hero.bvh", "-o", "x.bvh"][..],
            &["walk.bvh", "--to", name, "-o", "x.bvh"],
            &["inspect", name],
        ] {
            let (reported, mb) = peak_mb(&folder, args);
            reported.failed(1, "the most that is taken out of so small a file; unpack it first");
            assert!(mb < 160, "{name}: {mb} MB");
        }
    }
    // One who stands still for minutes does so packed, too.
    folder.put("still.bvh.zst", packed("x.zst", still(&folder, 30_000)));
    folder.run(&["still.bvh.zst", "--to", "hero.bvh", "-o", "x.bvh.zst"]).done();
    folder.run(&["check", "still.bvh.zst", "x.bvh.zst", "--to", "hero.bvh"]).done();
}

#[test]
fn packed_clips_count_by_what_they_unpack_to() {
    let folder = Folder::new();
    // Two threads have room for 64 MiB of text, which is less than two of these have.
    let blanks = " ".repeat(10_000);
    let text = String::from_utf8(still(&folder, 3_400)).expect("text");
    let (head, rows) = text.split_at(text.find("Frame Time").expect("a motion"));
    let clip = head.to_owned() + &rows.replace('\n', &format!("{blanks}\n"));
    assert!(clip.len() > 34_000_000, "{}", clip.len());
    let bytes = packed("x.gz", clip.into_bytes());
    for i in 0..2 {
        put(&folder, &format!("lib/{i}.bvh.gz"), &bytes);
    }
    let run = |jobs| {
        let (reported, mb) =
            peak_mb(&folder, &["lib", "--to", "hero.bvh", "-o", "out", "--jobs", jobs]);
        reported.done();
        mb
    };
    let (one, two) = (run("1"), run("2"));
    assert!(two < one + 17, "{one} MB one after the other, {two} MB on two threads");
}

#[test]
fn a_body_of_a_joint_in_a_joint_costs_little_and_one_of_more_is_refused() {
    let folder = Folder::new();
    let walk = folder.text("walk.bvh");
    let (head, rest) = walk.split_once("End Site").expect("an end");
    let nested = |joints: usize| {
        let open: String =
            (0..joints).map(|i| format!("JOINT x{i} {{ OFFSET 0 0.01 0\n")).collect();
        format!("{head}{open}{}End Site{rest}", "}\n".repeat(joints))
    };
    folder.put("deep.bvh", nested(9_900));
    let (reported, mb) = peak_mb(&folder, &["deep.bvh", "--to", "hero.bvh", "-o", "x.bvh"]);
    reported.done();
    assert!(mb < 200, "{mb} MB");
    folder.put("deeper.bvh", nested(80_000));
    let args = ["deeper.bvh", "--to", "hero.bvh", "-o", "y.bvh"];
    folder.run(&args).failed(1, "the skeleton has more than 10000 joints");
}

#[test]
fn what_is_asked_of_the_machine_has_a_bound() {
    let folder = Folder::new();
    for (args, says) in [
        (["--threads", "2000"], "expected a number from 1 to 512"),
        (["--jobs", "513"], "expected a number from 1 to 512"),
        (["--shard", "1/4294967295"], "N, at most 10000"),
    ] {
        let args = [&["walk.bvh", "--to", "hero.bvh", "-o", "out.bvh"][..], &args].concat();
        folder.run(&args).failed(2, says);
    }
    // Nor does a journal ask for more by its name.
    put(&folder, "out/retarget-run.1-of-4294967295.jsonl", b"");
    let (reported, mb) = peak_mb(&folder, &["report", "out"]);
    reported.failed(1, "holds no journal");
    assert!(mb < 64, "{mb} MB");
}

#[test]
fn links_do_not_multiply_what_is_on_the_disk() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    put(&folder, "lib/0/walk.bvh", folder.text("walk.bvh").as_bytes());
    for i in 1..=24 {
        fs::create_dir(folder.path(&format!("lib/{i}"))).expect("made");
        for name in ["x", "y"] {
            symlink(format!("../{}", i - 1), folder.path(&format!("lib/{i}/{name}")))
                .expect("a link");
        }
    }
    let reported = folder.run(&["lib", "--to", "hero.bvh", "-o", "out", "-q"]);
    assert_eq!(reported.code, Some(1), "{reported:#?}");
    assert!(
        reported.stderr.contains("more links lead to this folder than are followed"),
        "{reported:#?}"
    );
    // By itself, and by sixteen ways of thousands.
    assert_eq!(crate::library::results(&folder).len(), 17);
}

#[test]
fn short_frames_take_no_memory_by_the_second() {
    let folder = Folder::new();
    let walk = folder.text("walk.bvh");
    let time = walk.lines().find(|line| line.starts_with("Frame Time")).expect("a frame time");
    folder.put("fast.bvh", walk.replace(time, "Frame Time: 0.00001"));
    let (reported, mb) = peak_mb(&folder, &["fast.bvh", "--to", "hero.bvh", "-o", "x.bvh"]);
    reported.done();
    assert!(mb < 64, "{mb} MB");
    folder.put("faster.bvh", walk.replace(time, "Frame Time: 3e-9"));
    let args = ["faster.bvh", "--to", "hero.bvh", "-o", "x.bvh"];
    folder.run(&args).failed(1, "expected a frame time in seconds, from 0.00001 to 1000");
}
