//! A thousand clips, 5 % of them broken, while processes are killed, the disk is full, and permissions
//! go: what is resumed ends in the bytes of an undisturbed run.
#![cfg(target_os = "linux")]

use crate::body;
use crate::harness::{self, Folder, Run};
use crate::library::{put, run, tree};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

const CLIPS: usize = 1000;
const BROKEN: usize = CLIPS / 20;

/// A thousand clips in ten folders, of sizes that mix the folders in the order of work.
fn folder() -> Folder {
    let folder = Folder::new();
    let clip = body::clip(1.0);
    for i in 0..CLIPS {
        let arm = format!("-{}.{:04}", 40 + i % 40, i);
        let mut text = clip.replace("-70.0000", &arm) + &"\n".repeat(i * 37 % CLIPS);
        match i % 100 {
            7 => text = text.replacen(&arm, "nan", 1),
            27 => text.truncate(0),
            47 => text = text.replace("JOINT", "JIONT"),
            67 => text = text.split("MOTION").next().expect("a hierarchy").to_owned(),
            87 => text = text.replace("CHANNELS 3", "CHANNELS 7"),
            _ => {}
        }
        put(&folder, &format!("lib/{}/{i:03}.bvh", i % 10), text.as_bytes());
    }
    folder
}

/// What an undisturbed run leaves, and how long it takes.
fn undisturbed() -> &'static (BTreeMap<String, Vec<u8>>, Duration) {
    static DONE: OnceLock<(BTreeMap<String, Vec<u8>>, Duration)> = OnceLock::new();
    DONE.get_or_init(|| {
        let folder = folder();
        let began = Instant::now();
        let reported = run(&folder, &["--json"]);
        let took = began.elapsed();
        assert_eq!(reported.code, Some(1), "{reported:#?}");
        assert_eq!(reported.json()["failed"].as_array().map(Vec::len), Some(BROKEN));
        let files = tree(&folder.path("out"));
        // The journal, and the rig and the body that all share.
        assert_eq!(files.len(), CLIPS - BROKEN + 3);
        (files, took)
    })
}

/// Resumes, and finds what an undisturbed run leaves: no file less, none more, no byte else.
#[track_caller]
fn resumes(folder: &Folder) {
    let reported = run(folder, &["--resume", "--json"]);
    assert_eq!(reported.code, Some(1), "{reported:#?}");
    assert_eq!(reported.json()["failed"].as_array().map(Vec::len), Some(BROKEN));
    let (wanted, found) = (&undisturbed().0, tree(&folder.path("out")));
    assert_eq!(found.keys().collect::<Vec<_>>(), wanted.keys().collect::<Vec<_>>());
    for (name, bytes) in &found {
        assert!(*bytes == wanted[name], "{name} differs");
    }
}

/// Every result that lies there is whole.
#[track_caller]
fn whole(out: &Path) {
    let wanted = &undisturbed().0;
    for (name, bytes) in tree(out) {
        let is_result = name.ends_with(".bvh") && !name.contains("/.retarget-");
        assert!(!is_result || bytes == wanted[&name], "{name} is not whole");
    }
}

fn start(folder: &Folder, args: &[&str]) -> Child {
    let mut command = folder.command(&[&["lib", "--to", "hero.bvh", "-o", "out"], args].concat());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the binary runs")
}

#[test]
fn killed_twenty_times_and_resumed() {
    let took = undisturbed().1;
    let folder = folder();
    let (mut killed, mut seed) = (0, 0x2545_f491_4f6c_dd1d_u64);
    for _ in 0..20 {
        let mut child = start(&folder, &["--resume", "-q"]);
        // Any moment of the first tenth: the process is at its beginning, at work, or in the journal.
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        std::thread::sleep(took.mul_f64((seed % 1000) as f64 / 10_000.0));
        killed += usize::from(child.try_wait().expect("a state").is_none());
        child.kill().expect("killed");
        child.wait().expect("an end");
        if folder.path("out").exists() {
            whole(&folder.path("out"));
        }
    }
    assert!(killed >= 10, "only {killed} runs were killed at work");
    resumes(&folder);
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n")
}

/// A disk of so many bytes, until this goes.
struct Disk<'a>(&'a Path);

impl<'a> Disk<'a> {
    fn new(path: &'a Path, size: &str) -> Option<Self> {
        fs::create_dir(path).expect("a folder");
        let option = format!("size={size}");
        let args = ["-t", "tmpfs", "-o", &option, "tmpfs"];
        let mounted = is_root()
            && Command::new("mount").args(args).arg(path).status().is_ok_and(|s| s.success());
        if !mounted {
            assert!(std::env::var_os("CI").is_none(), "no disk can be mounted here");
            eprintln!("SKIPPED: no disk can be mounted here");
        }
        mounted.then_some(Self(path))
    }

    fn grow(&self, size: &str) {
        let option = format!("remount,size={size}");
        let status = Command::new("mount").args(["-o", &option]).arg(self.0).status();
        assert!(status.expect("mount").success());
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn a_full_disk_stops_the_run_with_a_clear_word_and_loses_nothing() {
    let folder = folder();
    let out = folder.path("out");
    let Some(disk) = Disk::new(&out, "2m") else { return };
    for threads in ["1", "4"] {
        let reported = run(&folder, &["--resume", "--jobs", threads]);
        assert_eq!(reported.code, Some(1), "{reported:#?}");
        assert!(reported.stderr.contains("No space left on device"), "{reported:#?}");
        // It does not go on for hundreds of clips.
        let full = reported.stderr.lines().filter(|line| line.contains("No space left")).count();
        assert!(full <= 6, "{reported:#?}");
        whole(&out);
        assert!(!tree(&out).keys().any(|name| name.contains(".retarget-")), "half a file is left");
        folder.run(&["report", "out"]).done();
    }
    disk.grow("200m");
    resumes(&folder);
}

/// A run by a user who is not root, from whom root can take something away.
fn command_of_a_user(folder: &Folder, args: &[&str]) -> Command {
    let home = folder.path(".");
    let mut command = Command::new(env!("CARGO_BIN_EXE_retarget"));
    if is_root() {
        chmod(&home, 0o755);
        let own = Command::new("chown").args(["-R", "65534:65534"]).arg(&home).status();
        assert!(own.expect("chown").success());
        // The program itself may lie where that user cannot look.
        let program = home.join("program");
        fs::copy(env!("CARGO_BIN_EXE_retarget"), &program).expect("copied");
        chmod(&program, 0o755);
        command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(program);
    }
    command.args(args).current_dir(&home).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("changed");
}

const ARGS: [&str; 8] = ["lib", "--to", "hero.bvh", "-o", "out", "--jobs", "1", "--json"];

#[test]
fn permissions_that_go_in_the_middle_cost_their_clips_alone() {
    let folder = folder();
    let child = command_of_a_user(&folder, &ARGS).spawn().expect("the binary runs");
    let taken = folder.path("out/3");
    let began = Instant::now();
    while !taken.exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "the run does not begin");
        std::thread::sleep(Duration::from_millis(1));
    }
    chmod(&taken, 0o555);
    let reported = Run::new(&ARGS, child.wait_with_output().expect("an end"));
    assert_eq!(reported.code, Some(1), "{reported:#?}");
    let failed = reported.json()["failed"].as_array().expect("a list").clone();
    let lost: Vec<&str> =
        reported.stderr.lines().filter(|l| l.contains("Permission denied")).collect();
    assert!(!lost.is_empty() && failed.len() == BROKEN + lost.len(), "{reported:#?}");
    for line in lost {
        assert!(line.starts_with("failed: cannot write out/3/"), "{line}");
    }
    whole(&folder.path("out"));
    chmod(&taken, 0o755);
    resumes(&folder);
}

#[test]
fn a_folder_that_cannot_be_read_is_told_and_the_others_go_on() {
    let folder = folder();
    let closed = folder.path("lib/3");
    let mut command = command_of_a_user(&folder, &ARGS);
    chmod(&closed, 0o000);
    let reported = Run::new(&ARGS, command.output().expect("the binary runs"));
    chmod(&closed, 0o755);
    assert_eq!(reported.code, Some(1), "{reported:#?}");
    let says = "failed: cannot read lib/3: Permission denied";
    assert!(reported.stderr.lines().any(|line| line.starts_with(says)), "{reported:#?}");
    assert_eq!(reported.json()["done"], CLIPS - BROKEN - CLIPS / 10, "{reported:#?}");
    whole(&folder.path("out"));
    resumes(&folder);
}

/// The most memory that a run over `lib` takes, kilobytes.
fn peak_kb(folder: &Folder) -> u64 {
    harness::peak_kb(|| start(folder, &["--jobs", "2"])).1
}

#[test]
fn memory_is_what_the_clips_in_hand_need_whatever_the_librarys_size() {
    let folder = folder();
    let all = peak_kb(&folder);
    // Each of these folders has a tenth of the clips.
    (1..10).for_each(|i| fs::remove_dir_all(folder.path(&format!("lib/{i}"))).expect("removed"));
    let tenth = peak_kb(&folder);
    let most = tenth + (CLIPS as u64) + 4096;
    assert!(all <= most, "{all} kB for all clips, {tenth} kB for a tenth of them");
}
