//! The whole job, file to file, by the program itself.

use super::bodies::{self, Body};
use retarget::clip::Clip;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A clip and a target as files in a folder of their own, which goes with them.
pub struct Job {
    folder: tempfile::TempDir,
    pub input_bytes: u64,
}

/// What a run took.
#[derive(Clone, Copy)]
pub struct Cost {
    pub time: Duration,
    /// The most memory that was ever in use; zero where the system does not say.
    pub peak_bytes: u64,
}

impl Job {
    /// The body's walk there and back again, over and over, for so many frames.
    pub fn new(body: &Body, frames: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder for what is temporary");
        let text = String::from_utf8(body.text.clone()).expect("our own text");
        let (header, rows) = text.split_at(text.find("MOTION").expect("a motion"));
        let rows: Vec<&str> = rows.lines().skip(3).collect();
        let time = body.clip.frame_time().text();
        let mut long = format!("{header}MOTION\nFrames: {frames}\nFrame Time: {time}\n");
        for row in rows.iter().chain(rows.iter().rev()).cycle().take(frames) {
            long.push_str(row);
            long.push('\n');
        }
        fs::write(folder.path().join("walk.bvh"), &long).expect("room for the clip");
        let target = &body.target.rig.skeleton;
        let mut stance = Clip::new(target.clone(), body.clip.frame_time().clone());
        stance.push_pose(&body.target.rig.stance.local);
        fs::write(folder.path().join("target.bvh"), bodies::text(&stance)).expect("room");
        Self { folder, input_bytes: long.len() as u64 }
    }

    /// The cheapest of some runs with so many threads.
    pub fn cheapest(&self, runs: usize, threads: usize) -> Cost {
        let costs: Vec<Cost> = (0..runs).map(|_| self.run(threads)).collect();
        let time = costs.iter().map(|cost| cost.time).min().expect("some runs");
        let peak_bytes = costs.iter().map(|cost| cost.peak_bytes).max().expect("some runs");
        Cost { time, peak_bytes }
    }

    fn run(&self, threads: usize) -> Cost {
        let start = Instant::now();
        let child = Command::new(program())
            .args(["walk.bvh", "--to", "target.bvh", "-o", "out.bvh", "--quiet"])
            .env("RAYON_NUM_THREADS", threads.to_string())
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .spawn()
            .expect("the program is built beside this example");
        let peak_bytes = watched(child);
        Cost { time: start.elapsed(), peak_bytes }
    }
}

/// Waits for the process, and gives the most memory that it had.
fn watched(mut child: Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(kib.unwrap_or(0u64) * 1024);
        if let Some(code) = child.try_wait().expect("a child of ours") {
            assert!(code.success(), "the program failed");
            return peak;
        }
        std::thread::sleep(Duration::from_micros(500));
    }
}

/// The program, which cargo builds into the folder above that of the examples.
fn program() -> PathBuf {
    let example = std::env::current_exe().expect("its own path");
    let folder = example.parent().and_then(Path::parent).expect("two folders above");
    folder.join(format!("retarget{}", std::env::consts::EXE_SUFFIX))
}

/// Builds the program as it is now.
pub fn build() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--release", "--quiet", "--bin", "retarget"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status();
    assert!(built.expect("cargo").success(), "the program cannot be built");
}
