//! A folder of its own for each test, and runs of the binary in it.

// No test program uses all of it.
#![allow(dead_code)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// The folder of the package.
pub fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder with clips in it, gone when the test ends.
pub struct Folder {
    dir: TempDir,
}

impl Folder {
    /// `walk.bvh`, a clip; `hero.bvh`, a target with longer legs.
    pub fn new() -> Self {
        let folder = Self { dir: TempDir::new().expect("a folder") };
        folder.put("walk.bvh", super::body::clip(1.0));
        folder.put("hero.bvh", super::body::clip(1.3));
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn put(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.path(name), contents).expect("written");
    }

    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// The names of all files, sorted; hidden ones too.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.dir.path()).expect("listed");
        let mut names: Vec<String> = entries
            .map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// The command, about to run in this folder.
    pub fn command(&self, args: &[&str]) -> Command {
        command(self.dir.path(), args)
    }

    /// Runs the command with nothing on standard input.
    pub fn run(&self, args: &[&str]) -> Run {
        self.run_with(args, "")
    }

    /// Runs the command with this on standard input.
    pub fn run_with(&self, args: &[&str], input: impl AsRef<[u8]>) -> Run {
        let mut child = self.command(args).spawn().expect("the binary runs");
        let mut stdin = child.stdin.take().expect("piped");
        // A command that does not read its input closes it.
        let _ = stdin.write_all(input.as_ref());
        drop(stdin);
        Run::new(args, child.wait_with_output().expect("an end"))
    }

    /// Runs a line in a shell, as a user pastes it, with this program on PATH.
    pub fn paste(&self, line: &str) -> Run {
        let program = Path::new(env!("CARGO_BIN_EXE_retarget"));
        let mut folders = vec![program.parent().expect("a folder").to_owned()];
        folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        let paths = std::env::join_paths(folders).expect("plain names");
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).env("PATH", paths).current_dir(self.dir.path());
        Run::new(&[line], shell.stdin(Stdio::null()).output().expect("sh"))
    }
}

pub fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retarget"));
    command.args(args).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What a process leaves behind, and the most memory that it takes until its end, kilobytes. One that ends before it is
/// looked at, as on a busy machine, is started again.
#[cfg(target_os = "linux")]
pub fn peak_kb(mut start: impl FnMut() -> Child) -> (Output, u64) {
    for _ in 0..100 {
        let mut child = start();
        let status = format!("/proc/{}/status", child.id());
        let mut peak = 0;
        while child.try_wait().expect("a state").is_none() {
            let text = fs::read_to_string(&status).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kb = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
            peak = kb.map_or(peak, |kb: u64| kb.max(peak));
            std::thread::sleep(Duration::from_millis(1));
        }
        if peak > 0 {
            return (child.wait_with_output().expect("an end"), peak);
        }
    }
    panic!("no memory was seen");
}

/// What a run left behind.
#[derive(Debug)]
pub struct Run {
    /// For the message of a test that fails.
    args: Vec<String>,
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    pub fn new(args: &[&str], output: Output) -> Self {
        Self {
            args: args.iter().map(|a| a.to_string()).collect(),
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    /// It did what it was asked to, and had nothing to complain about.
    #[track_caller]
    pub fn done(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:#?}");
        assert_eq!(self.stderr, "", "{self:#?}");
        self
    }

    /// It did what it was asked to, with notes alone on standard error.
    #[track_caller]
    pub fn done_with_notes(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:#?}");
        assert!(self.stderr.lines().all(|line| line.starts_with("note: ")), "{self:#?}");
        self
    }

    /// It failed with this code, said this on standard error, and printed no result.
    #[track_caller]
    pub fn failed(self, code: i32, says: &str) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert!(self.stderr.contains(says), "says nothing of {says:?}: {self:#?}");
        assert_eq!(self.stdout, "", "{self:#?}");
        self
    }

    /// Its standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {self:#?}"))
    }
}

impl Run {
    /// The lines of the summary by their first word.
    #[track_caller]
    pub fn line(&self, first: &str) -> &str {
        let mut lines = self.stdout.lines();
        lines.find(|l| l.starts_with(first)).unwrap_or_else(|| panic!("no {first:?}: {self:#?}"))
    }
}
