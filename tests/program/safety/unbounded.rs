//! What has no end, or is no file, fails at once, whoever names it.
#![cfg(unix)]

use crate::harness::{Folder, Run};
use crate::library::{CLIPS, folder, put, results};
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::{Duration, Instant};

fn pipe(folder: &Folder, name: &str) {
    let made = Command::new("mkfifo").arg(folder.path(name)).status();
    assert!(made.expect("mkfifo").success());
}

/// Runs a command that has to end soon.
#[track_caller]
fn soon(folder: &Folder, args: &[&str]) -> Run {
    let mut child = folder.command(args).spawn().expect("the binary runs");
    drop(child.stdin.take());
    let began = Instant::now();
    while child.try_wait().expect("a state").is_none() {
        if began.elapsed() > Duration::from_secs(20) {
            let _ = child.kill();
            let _ = child.wait();
            panic!("{args:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    Run::new(args, child.wait_with_output().expect("an end"))
}

#[test]
fn a_library_goes_on_beside_pipes_and_devices() {
    let folder = folder();
    pipe(&folder, "lib/pipe.bvh");
    symlink("/dev/zero", folder.path("lib/zero.bvh")).expect("a link");
    symlink("/dev/zero", folder.path("lib/deep/zero.bvh.gz")).expect("a link");
    let reported = soon(&folder, &["lib", "--to", "hero.bvh", "-o", "out"]);
    assert_eq!(reported.code, Some(1), "{reported:#?}");
    let says = "it is a pipe or a device, and only files are read by name";
    assert_eq!(reported.stderr.matches(says).count(), 3, "{reported:#?}");
    assert_eq!(results(&folder), CLIPS);
}

#[test]
fn no_command_waits_for_a_pipe_or_reads_a_device() {
    let folder = Folder::new();
    pipe(&folder, "pipe");
    symlink("/dev/zero", folder.path("zero")).expect("a link");
    put(&folder, "out/walk.bvh", folder.text("walk.bvh").as_bytes());
    for name in ["pipe", "zero"] {
        folder.put("rig.toml", format!("bvh = \"{name}\"\n"));
        let toml = format!("{name}.toml");
        let json = format!("{name}.json");
        for link in [&toml, &json] {
            symlink(name, folder.path(link)).expect("a link");
        }
        for args in [
            &[name, "--to", "hero.bvh", "-o", "x.bvh"][..],
            &["walk.bvh", "--to", name, "-o", "x.bvh"],
            &["walk.bvh", "--to", &toml, "-o", "x.bvh"],
            &["walk.bvh", "--to", "rig.toml", "-o", "x.bvh"],
            &["walk.bvh", "--to", "hero.bvh", "--from", &toml, "-o", "x.bvh"],
            &["walk.bvh", "--to", "hero.bvh", "--use-contacts", &json, "-o", "x.bvh"],
            &["--files-from", name, "--to", "hero.bvh", "-o", "out"],
            &["inspect", name],
            &["inspect", &toml],
            &["skeleton", name],
            &["check", name, "walk.bvh"],
            &["explain", name, "--to", "hero.bvh", "--frame", "0"],
            &["sheet", name],
            &["view", "walk.bvh", name],
            &["report", name],
        ] {
            let reported = soon(&folder, args);
            assert_eq!(reported.code, Some(1), "{reported:#?}");
            assert!(reported.stderr.contains("only files are read by name"), "{reported:#?}");
        }
    }
    assert!(!folder.path("x.bvh").exists());
}

#[test]
fn a_pipe_in_the_place_of_a_result_or_a_journal_is_not_waited_for() {
    let folder = folder();
    std::fs::create_dir(folder.path("out")).expect("made");
    pipe(&folder, "out/a.bvh");
    soon(&folder, &["lib", "--to", "hero.bvh", "-o", "out", "--resume"]).done();
    assert_eq!(results(&folder), CLIPS);
    std::fs::remove_file(folder.path("out/retarget-run.jsonl")).expect("removed");
    pipe(&folder, "out/retarget-run.jsonl");
    for args in [&["lib", "--to", "hero.bvh", "-o", "out"][..], &["report", "out"]] {
        assert_eq!(soon(&folder, args).code, Some(1), "{args:?}");
    }
}

#[test]
fn a_file_that_is_larger_than_anything_is_refused_before_it_is_read() {
    let folder = Folder::new();
    let huge = std::fs::File::create(folder.path("huge.bvh")).expect("made");
    // A hole: nothing of it is on the disk.
    if huge.set_len(1 << 42).is_err() {
        eprintln!("SKIPPED: this file system has no holes");
        return;
    }
    symlink("huge.bvh", folder.path("huge.toml")).expect("a link");
    for args in [
        &["huge.bvh", "--to", "hero.bvh", "-o", "x.bvh"][..],
        &["walk.bvh", "--to", "huge.toml", "-o", "x.bvh"],
        &["walk.bvh", "--to", "huge.bvh", "-o", "x.bvh"],
        &["inspect", "huge.bvh"],
    ] {
        soon(&folder, args).failed(1, "the most that is read; cut it into parts");
    }
}
