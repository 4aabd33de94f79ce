//! The shipped array job on a real Slurm of one node: four tasks, one of them killed and requeued, make
//! what one run makes.
#![cfg(target_os = "linux")]

use crate::body;
use crate::harness::Folder;
use crate::library::{put, run, tree};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// The script that starts and stops Slurm on this machine; none where it cannot run. On CI it must.
fn slurm() -> Option<PathBuf> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/tools/slurm-local.sh");
    let has = |program: &str| {
        let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
        found.is_ok_and(|output| output.status.success())
    };
    let root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n");
    let lacks = if !script.exists() {
        "no script that starts a Slurm beside the project"
    } else if !root {
        "Slurm is started by root alone"
    } else if !["slurmctld", "slurmd", "sbatch", "munged"].into_iter().all(has) {
        "slurmctld, slurmd, slurm-client and munge are not installed"
    } else {
        return Some(script);
    };
    assert!(std::env::var_os("CI").is_none(), "{lacks}");
    eprintln!("SKIPPED: {lacks}");
    None
}

/// Slurm at work, until this goes.
struct Slurm {
    script: PathBuf,
    started: bool,
}

impl Slurm {
    fn start() -> Option<Self> {
        let script = slurm()?;
        // One that is at work already is used, and left at work.
        let idle = Command::new("sinfo").args(["-h", "-o", "%T"]).output();
        let at_work = idle.is_ok_and(|o| o.status.success() && o.stdout.starts_with(b"idle"));
        if !at_work {
            let status = Command::new("bash").arg(&script).arg("start").status().expect("bash");
            assert!(status.success(), "slurm did not start");
        }
        Some(Self { script, started: !at_work })
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        if self.started {
            let _ = Command::new("bash").arg(&self.script).arg("stop").status();
        }
    }
}

fn text(output: Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8").trim().to_owned()
}

/// Waits for this to come true; says what Slurm knows of its jobs where that does not happen.
#[track_caller]
fn wait(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        if began.elapsed() > Duration::from_secs(180) {
            let jobs = Command::new("scontrol").args(["show", "job"]).output().expect("scontrol");
            let jobs = String::from_utf8_lossy(&jobs.stdout).into_owned();
            panic!("waited in vain for: {what}\n{jobs}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether the log of this task ends with the sum of its clips, as that of a task that was killed does not.
fn summed_up(folder: &Folder, task: usize) -> bool {
    let log = std::fs::read_to_string(folder.path(&format!("task-{task}.log")));
    log.is_ok_and(|log| log.contains("journal"))
}

#[test]
fn four_tasks_one_of_them_killed_and_requeued_make_what_one_run_makes() {
    let Some(_slurm) = Slurm::start() else { return };
    let folder = Folder::new();
    let clip = body::clip(1.0);
    let (head, rows) = clip.split_once("Frame Time: 0.0333333\n").expect("a motion");
    let head = head.replace("Frames: 40", "Frames: 400");
    let long = format!("{head}Frame Time: 0.0333333\n{}", rows.repeat(10));
    for i in 0..120 {
        let arm = format!("-{}.0000", 40 + i % 40);
        put(
            &folder,
            &format!("lib/{}/{i:03}.bvh", i % 7),
            long.replace("-70.0000", &arm).as_bytes(),
        );
    }
    put(&folder, "lib/bad.bvh", b"no clip");
    assert_eq!(run(&folder, &[]).code, Some(1));
    let mut wanted = tree(&folder.path("out"));
    let whole = wanted.remove("retarget-run.jsonl").expect("a journal");
    std::fs::remove_dir_all(folder.path("out")).expect("removed");

    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/slurm/retarget.sbatch");
    let submit = Command::new("sbatch")
        .args(["--parsable", "--array=1-4", "--output=task-%a.log"])
        .arg(script)
        .args(["lib", "hero.bvh", "out"])
        .env("RETARGET", env!("CARGO_BIN_EXE_retarget"))
        .current_dir(folder.path("."))
        .output();
    let job = text(submit.expect("sbatch"));
    // The first task is killed in the middle of its work, without a warning, and begins again.
    let journal = folder.path("out/retarget-run.1-of-4.jsonl");
    let lines = || std::fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    wait("a few clips of the first task", || lines() >= 3);
    let task = format!("{job}_1");
    let scancel = Command::new("scancel").args(["--full", "--signal=KILL", &task]).status();
    assert!(scancel.expect("scancel").success());
    let done_before = lines();
    let state = || {
        let queue = Command::new("squeue").args(["-h", "-o", "%T", "-j", &task]).output();
        let queue = queue.expect("squeue");
        let known = queue.status.success() || queue.stderr.ends_with(b"Invalid job id specified\n");
        if !known {
            // A controller too busy to answer has not said that the task is over.
            return "RUNNING".to_owned();
        }
        String::from_utf8(queue.stdout).expect("UTF-8").trim().to_owned()
    };
    wait("the end of the first task", || !["RUNNING", "COMPLETING"].contains(&&*state()));
    let requeue = Command::new("scontrol").args(["requeue", &task]).status();
    assert!(requeue.expect("scontrol").success());
    wait("the first task to be waiting again", || state() == "PENDING");
    // Slurm keeps a requeued job waiting for two minutes, because it tells an old start from a new one by whole seconds:
    // a job that starts in the second in which it was killed is dropped without a word.
    std::thread::sleep(Duration::from_secs(1));
    let at_once = ["update", &format!("JobId={task}"), "StartTime=now"];
    assert!(Command::new("scontrol").args(at_once).status().expect("scontrol").success());
    wait("the job's end", || {
        let queue = Command::new("squeue").args(["-h", "-j", &job]).output().expect("squeue");
        // A job that is over for good is not known any more; a controller too busy to answer says other things.
        let forgotten = String::from_utf8_lossy(&queue.stderr).contains("Invalid job id");
        let gone = queue.status.success() && !String::from_utf8_lossy(&queue.stdout).contains(&job);
        (forgotten || gone) && (1..=4).all(|task| summed_up(&folder, task))
    });

    let logs: Vec<String> = (1..=4).map(|task| folder.text(&format!("task-{task}.log"))).collect();
    assert!(logs[0].contains("as an earlier run left them"), "{done_before} done: {logs:#?}");
    let mut sharded = tree(&folder.path("out"));
    let mut lines = Vec::new();
    for task in 1..=4 {
        let name = format!("retarget-run.{task}-of-4.jsonl");
        let part = sharded.remove(&name).unwrap_or_else(|| panic!("no {name}: {logs:#?}"));
        lines.extend(String::from_utf8(part).expect("UTF-8").lines().map(str::to_owned));
    }
    lines.sort();
    let mut whole: Vec<String> =
        String::from_utf8(whole).expect("UTF-8").lines().map(str::to_owned).collect();
    whole.sort();
    assert_eq!(lines, whole);
    assert_eq!(sharded.keys().collect::<Vec<_>>(), wanted.keys().collect::<Vec<_>>());
    assert!(sharded == wanted, "results differ");
    let report = folder.run(&["report", "out"]).done();
    assert!(report.stdout.starts_with("121 clips: 120 done, 1 failed"), "{report:#?}");
}
