//! Ctrl-C, and runs that would be in each other's way.
#![cfg(unix)]

use crate::harness::{Folder, Run};
use crate::library::{put, run, tree};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command};
use std::time::Duration;

/// A library that takes a while: a few hundred clips.
fn many() -> Folder {
    let folder = Folder::new();
    let clip = crate::body::clip(1.0);
    for i in 0..400 {
        put(&folder, &format!("lib/{i:03}.bvh"), clip.as_bytes());
    }
    // The first that is begun, and the first that fails: from then on the run is under way.
    put(&folder, "lib/large.bvh", &vec![b' '; clip.len() * 2]);
    folder
}

const ARGS: [&str; 7] = ["lib", "--to", "hero.bvh", "-o", "out", "--jobs", "1"];

/// Starts a run and waits until it is at work.
fn start(folder: &Folder) -> (Child, BufReader<std::process::ChildStderr>) {
    let mut child = folder.command(&ARGS).spawn().expect("the binary runs");
    let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    stderr.read_line(&mut line).expect("a line");
    assert!(line.starts_with("failed: lib/large.bvh"), "{line}");
    (child, stderr)
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

#[test]
fn an_interrupt_finishes_the_clips_in_hand_and_resume_does_the_rest() {
    let folder = many();
    assert_eq!(run(&folder, &[]).code, Some(1));
    let wanted = tree(&folder.path("out"));
    std::fs::remove_dir_all(folder.path("out")).expect("removed");
    let (child, mut stderr) = start(&folder);
    interrupt(&child);
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).expect("text");
    let reported = Run::new(&ARGS, child.wait_with_output().expect("an end"));
    assert_eq!(reported.code, Some(130), "{reported:#?}");
    assert!(rest.starts_with("interrupted: the clips in hand are finished"), "{rest}");
    assert!(reported.stdout.contains(" not begun"), "{reported:#?}");
    assert!(tree(&folder.path("out")).len() < wanted.len());
    assert!(!tree(&folder.path("out")).keys().any(|name| name.starts_with('.')));
    assert_eq!(run(&folder, &["--resume"]).code, Some(1));
    assert!(tree(&folder.path("out")) == wanted);
}

#[test]
fn a_second_interrupt_stops_at_once() {
    let folder = many();
    let (mut child, mut stderr) = start(&folder);
    interrupt(&child);
    let mut line = String::new();
    stderr.read_line(&mut line).expect("a line");
    interrupt(&child);
    assert_eq!(child.wait().expect("an end").code(), Some(130));
}

#[test]
fn two_runs_do_not_write_one_journal() {
    let folder = many();
    let (mut child, _stderr) = start(&folder);
    run(&folder, &["--resume"]).failed(1, "another run is at work on out/retarget-run.jsonl");
    child.kill().expect("killed");
    child.wait().expect("an end");
    // A killed run is in nobody's way.
    std::thread::sleep(Duration::from_millis(10));
    assert_eq!(run(&folder, &["--resume"]).code, Some(1));
}
