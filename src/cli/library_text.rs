//! The summary at the end of a library's run.

use super::text::{count, number};
use crate::batch::{Plan, RunEnd};
use crate::error::shell_word;
use serde::Serialize;
use std::fmt::Write;

/// The outcome of a run. Its fields are the keys of `--json`.
#[derive(Debug, Serialize)]
pub struct Summary {
    output: String,
    journal: String,
    clips: usize,
    done: usize,
    /// Done by an earlier run.
    kept: usize,
    failed: Vec<String>,
    /// Those in whose results a limb snaps, of those that were done now.
    snapped: Vec<String>,
    /// Not begun.
    left: usize,
    /// Files in the output folder that are not of this library, or of clips that failed.
    stale: Vec<String>,
    /// The rigs that were decided once for clips of one hierarchy.
    rigs: Vec<Rig>,
    frames: usize,
    /// Clips that were done and are cut short, and the frames that are missing in them.
    cut_short: usize,
    missing_frames: u64,
    took_s: f64,
}

/// A rig that clips share.
#[derive(Debug, Serialize)]
struct Rig {
    /// The file that says it, which may be corrected.
    file: String,
    clips: usize,
}

/// More than this are counted, not named.
const MOST_NAMED: usize = 5;

impl Summary {
    pub fn new(plan: &Plan, end: &RunEnd, stale: Vec<std::path::PathBuf>) -> Self {
        Self {
            output: plan.output.display().to_string(),
            journal: plan.journal().display().to_string(),
            clips: plan.jobs.len() + plan.lost.len(),
            done: end.done,
            kept: end.kept,
            failed: end.failed.clone(),
            snapped: end.snapped.clone(),
            left: end.left,
            stale: stale.iter().map(|path| path.display().to_string()).collect(),
            rigs: end.rigs.iter().map(|(name, clips)| Rig::new(plan, name, *clips)).collect(),
            frames: end.frames,
            cut_short: end.cut_short,
            missing_frames: end.missing_frames,
            took_s: end.took_s,
        }
    }

    /// A few lines for people; with `all` every stale file.
    pub fn text(&self, all: bool) -> String {
        let mut out = String::new();
        // Writing to a String cannot fail.
        let _ = self.write(&mut out, all);
        out
    }

    fn write(&self, out: &mut String, all: bool) -> std::fmt::Result {
        write!(out, "{}: {}, {} done", self.output, count(self.clips, "clip"), self.done)?;
        let others = [
            (self.kept, "as an earlier run left them"),
            (self.failed.len(), "failed"),
            (self.left, "not begun"),
        ];
        for (number, what) in others.into_iter().filter(|(number, _)| *number > 0) {
            write!(out, ", {number} {what}")?;
        }
        writeln!(out)?;
        let per_second = |things: usize| number(things as f64 / self.took_s.max(1e-6), 1);
        writeln!(
            out,
            "took      {} s: {} clips and {} frames a second",
            number(self.took_s, 1),
            per_second(self.done),
            per_second(self.frames)
        )?;
        if !self.snapped.is_empty() {
            writeln!(
                out,
                "look at   {} in which a limb snaps:",
                count(self.snapped.len(), "clip")
            )?;
            write_names(out, &self.snapped, all)?;
        }
        if self.cut_short > 0 {
            let clips = count(self.cut_short, "clip");
            writeln!(
                out,
                "cut short {clips}, in which {} frames are missing",
                self.missing_frames
            )?;
        }
        if !self.rigs.is_empty() {
            let clips = count(self.rigs.iter().map(|rig| rig.clips).sum(), "clip");
            let rigs = count(self.rigs.len(), "rig");
            writeln!(
                out,
                "rigs      {clips} share {rigs}, each said by a file that may be corrected:"
            )?;
            let said = |rig: &Rig| format!("{}, of {}", rig.file, count(rig.clips, "clip"));
            write_names(out, &self.rigs.iter().map(said).collect::<Vec<_>>(), all)?;
        }
        if !self.stale.is_empty() {
            let files = count(self.stale.len(), "file");
            writeln!(out, "stale     {files} of no clip that was done here:")?;
            write_names(out, &self.stale, all)?;
        }
        if self.left > 0 {
            writeln!(out, "--resume goes on from here")?;
        }
        let output = shell_word(&self.output);
        writeln!(out, "journal   {}; retarget report {output} sums it up", self.journal)
    }
}

impl Rig {
    fn new(plan: &Plan, name: &str, clips: usize) -> Self {
        Self { file: plan.output.join(name).display().to_string(), clips }
    }
}

/// The first of them, or all.
fn write_names(out: &mut String, names: &[String], all: bool) -> std::fmt::Result {
    let named = if all { names.len() } else { MOST_NAMED };
    for name in names.iter().take(named) {
        writeln!(out, "    {name}")?;
    }
    match names.len() > named {
        true => writeln!(out, "    and {} more; -v names all", names.len() - named),
        false => Ok(()),
    }
}
