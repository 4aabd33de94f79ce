//! Finding and running Blender, or a Python that has Blender as a module.

use super::error::BlenderError;
use super::job;
use crate::formats::NodeFormat;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The script, by file; the first one is run, and imports the others, and of each format what opens its files.
const SCRIPTS: [(&str, &str); 6] = [
    ("look.py", include_str!("scripts/look.py")),
    ("clips.py", include_str!("scripts/clips.py")),
    ("characters.py", include_str!("scripts/characters.py")),
    ("bodies.py", include_str!("scripts/bodies.py")),
    ("stage.py", include_str!("scripts/stage.py")),
    ("sheet.py", include_str!("scripts/sheet.py")),
];

/// The module of the script that opens files of a format.
pub fn opener(format: &NodeFormat) -> String {
    format!("open_{}", format.name.to_ascii_lowercase())
}

/// What is run to find out whether a Python has bpy. It is quick, whereas loading bpy takes seconds.
const HAS_BPY: &str =
    "import importlib.util, sys; sys.exit(importlib.util.find_spec('bpy') is None)";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Blender,
    /// A Python that has the module bpy.
    Python,
}

/// A program in which the script runs.
#[derive(Debug)]
pub struct Program {
    path: PathBuf,
    kind: Kind,
}

/// What `given` names, else the variable `BLENDER`, else what is on `PATH`: blender, or a Python with
/// bpy.
pub fn find(given: Option<&Path>) -> Result<Program, BlenderError> {
    let variable = std::env::var_os("BLENDER").filter(|value| !value.is_empty());
    if let Some(path) = given.map(Path::to_owned).or(variable.map(PathBuf::from)) {
        return named(path);
    }
    let on_path = |name: &str, kind| Program { path: PathBuf::from(name), kind };
    if version(Path::new("blender")).is_ok_and(|said| said.starts_with("Blender")) {
        return Ok(on_path("blender", Kind::Blender));
    }
    let python = ["python3", "python"].into_iter().find(|name| has_bpy(Path::new(name)));
    python.map(|name| on_path(name, Kind::Python)).ok_or(BlenderError::None)
}

/// What the user named.
fn named(path: PathBuf) -> Result<Program, BlenderError> {
    let said = match version(&path) {
        Ok(said) => said,
        Err(source) => return Err(BlenderError::NotStarted { path, source }),
    };
    let kind = match said.split(' ').next() {
        Some("Blender") => Kind::Blender,
        Some("Python") if has_bpy(&path) => Kind::Python,
        Some("Python") => {
            let says = "it has no module bpy; `pip install bpy` there".to_owned();
            return Err(BlenderError::Failed { path, says });
        }
        _ => {
            let says = said.lines().next().unwrap_or_default().to_owned();
            return Err(BlenderError::Neither { path, says });
        }
    };
    Ok(Program { path, kind })
}

/// What a program says of its version.
fn version(path: &Path) -> io::Result<String> {
    let output = quiet(path, [OsStr::new("--version")])?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn has_bpy(python: &Path) -> bool {
    let asked = quiet(python, [OsStr::new("-c"), OsStr::new(HAS_BPY)]);
    asked.is_ok_and(|output| output.status.success())
}

/// Runs a program and captures its output.
fn quiet<'a>(path: &Path, args: impl IntoIterator<Item = &'a OsStr>) -> io::Result<Output> {
    Command::new(path).args(args).stdin(Stdio::null()).output()
}

impl Program {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs the script on the job in the folder `scratch`.
    pub fn run(&self, scratch: &Path) -> Result<(), BlenderError> {
        let failed = |says: String| BlenderError::Failed { path: self.path.clone(), says };
        let openers =
            NodeFormat::all().map(|format| (format!("{}.py", opener(format)), format.blender));
        let scripts = SCRIPTS.map(|(name, text)| (name.to_owned(), text));
        for (name, text) in scripts.into_iter().chain(openers) {
            fs::write(scratch.join(name), text).map_err(|error| failed(error.to_string()))?;
        }
        let (script, job) = (scratch.join(SCRIPTS[0].0), scratch.join(job::JOB));
        let of_blender: &[&str] = match self.kind {
            Kind::Blender => {
                &["--background", "--factory-startup", "--python-exit-code", "1", "--python"]
            }
            Kind::Python => &[],
        };
        let args = of_blender.iter().map(OsStr::new);
        let args = args.chain([script.as_os_str(), OsStr::new("--"), job.as_os_str()]);
        let output = match quiet(&self.path, args) {
            Ok(output) => output,
            Err(source) => {
                return Err(BlenderError::NotStarted { path: self.path.clone(), source });
            }
        };
        match output.status.success() {
            true => Ok(()),
            false => Err(failed(last_words(&output))),
        }
    }
}

/// The line that tells most about a failed run: the last line of Python's output, which is the exception.
fn last_words(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().rev().find(|line| !line.trim().is_empty());
    line.map_or_else(|| output.status.to_string(), |line| line.trim().to_owned())
}
