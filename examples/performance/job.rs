//! The whole job, file to file, by the program itself.

use super::bodies::{self, Body};
use retarget::internals::clip::Clip;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A clip and a target as files in a folder of their own, which goes with them.
pub struct Job {
    folder: tempfile::TempDir,
    pub input_bytes: u64,
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

    /// What runs take side by side, each on the cores that it is given: from the first's start to the last's end.
    pub fn time(&self, runs: &[Range<usize>]) -> Duration {
        for run in 0..runs.len() {
            // To write over a result would take the time of its removal too.
            fs::remove_file(self.result(run)).ok();
        }
        let start = Instant::now();
        let runs = runs.iter().enumerate().map(|(run, cores)| self.start(run, cores));
        runs.collect::<Vec<Child>>().iter_mut().for_each(ended);
        start.elapsed()
    }

    /// The most memory that a run on these cores ever has in use; zero where the system does not say. Looking at it
    /// takes time of its own.
    pub fn peak_bytes(&self, cores: &Range<usize>) -> u64 {
        let mut child = self.start(0, cores);
        let status = format!("/proc/{}/status", child.id());
        let mut peak = 0;
        while child.try_wait().expect("a child of ours").is_none() {
            let text = fs::read_to_string(&status).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
            peak = peak.max(kib.unwrap_or(0u64) * 1024);
            std::thread::sleep(Duration::from_micros(500));
        }
        ended(&mut child);
        peak
    }

    fn result(&self, run: usize) -> PathBuf {
        self.folder.path().join(format!("out{run}.bvh"))
    }

    fn start(&self, run: usize, cores: &Range<usize>) -> Child {
        // One core means that the thread that writes runs on it too, which only the system can see to.
        let mut command = if cores.len() == 1 && cfg!(target_os = "linux") {
            let mut command = Command::new("taskset");
            command.args(["-c", &cores.start.to_string()]).arg(program());
            command
        } else {
            Command::new(program())
        };
        command
            .args(["walk.bvh", "--to", "target.bvh", "--quiet", "-o"])
            .arg(self.result(run))
            .env("RAYON_NUM_THREADS", cores.len().to_string())
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .spawn()
            .expect("taskset, and the program, which is built beside this example")
    }
}

fn ended(child: &mut Child) {
    assert!(child.wait().expect("a child of ours").success(), "the program failed");
}

/// The program, which cargo builds into the folder above that of the examples.
fn program() -> PathBuf {
    let example = std::env::current_exe().expect("its own path");
    let folder = example.ancestors().nth(2).expect("two folders above");
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
