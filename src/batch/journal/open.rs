//! A journal that a run writes, alone.

use super::line::{Ending, Line};
use super::read::next_line;
use crate::batch::{BatchError, Hash, Plan, Setup};
use crate::convert;
use serde::de::IgnoredAny;
use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;

/// The journal of a run at work. Nobody else writes it meanwhile. Memory: about 100 bytes a clip, not
/// the lines themselves.
pub(in crate::internals::batch) struct Journal {
    path: PathBuf,
    file: File,
    /// Bytes up to the end of the last whole line.
    len: u64,
    /// Where the last line of each clip stands, by the clip's name.
    lines: HashMap<String, Range<u64>>,
}

/// What an earlier run with the same rig, settings and version made of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::internals::batch) struct Known {
    pub clip: Hash,
    pub result: Hash,
    /// Of the file that says what its rig is, where the library decided it.
    pub library_rig: Option<Hash>,
}

impl Journal {
    /// Opens the journal of a plan for writing: an empty one, or with `resume` the one that is there,
    /// together with what it says was done under `setup`.
    pub fn open(
        plan: &Plan,
        setup: &Setup,
        resume: bool,
    ) -> Result<(Self, HashMap<String, Known>), BatchError> {
        let path = plan.journal();
        let failed = |source| BatchError::JournalWrite { path: path.clone(), source };
        if path.symlink_metadata().is_ok_and(|data| !data.is_file()) {
            return Err(BatchError::JournalIsNoFile { path });
        }
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).open(&path).map_err(failed)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(BatchError::AtWork { path }),
            // Some network file systems have no locks; a run there must do without.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        if !resume {
            file.set_len(0).map_err(failed)?;
        }
        let mut journal = Self { path, file, len: 0, lines: HashMap::new() };
        let known = journal.take_in(setup)?;
        journal.cut().map_err(|source| journal.wrong(source))?;
        Ok((journal, known))
    }

    /// Reads the lines that are there.
    fn take_in(&mut self, setup: &Setup) -> Result<HashMap<String, Known>, BatchError> {
        let mut known = HashMap::new();
        let mut reader = BufReader::new(&self.file);
        let mut text = Vec::new();
        loop {
            let read = next_line(&mut reader, &mut text)
                .map_err(|source| BatchError::JournalRead { path: self.path.clone(), source })?;
            let Some(read) = read else { return Ok(known) };
            let end = self.len + read;
            let place = std::mem::replace(&mut self.len, end)..end;
            // What cannot be read goes at the end of the run; its clip is done again.
            let Some(line) = Line::<IgnoredAny>::parse(&text) else { continue };
            match line.ending {
                Ending::Done(made) if line.setup == *setup => {
                    let library_rig = line.made_for.library_rig.map(|rig| rig.hash);
                    let known_as = Known { clip: made.clip, result: made.result, library_rig };
                    known.insert(line.output.clone(), known_as);
                }
                _ => {
                    known.remove(&line.output);
                }
            }
            self.lines.insert(line.output, place);
        }
    }

    /// Appends a line. What a full disk took of it is taken back.
    pub fn append(&mut self, line: &Line) -> Result<(), BatchError> {
        let text = line.text();
        let written = self.file.write_all(text.as_bytes());
        if let Err(source) = written {
            let _ = self.cut();
            return Err(self.wrong(source));
        }
        let end = self.len + text.len() as u64;
        self.lines.insert(line.output.clone(), self.len..end);
        self.len = end;
        Ok(())
    }

    /// Puts the last line of each clip of the plan in order, and leaves out all others.
    pub fn finish(mut self, plan: &Plan) -> Result<(), BatchError> {
        let jobs = plan.jobs.iter().map(|job| job.name.as_str());
        let planned: HashSet<&str> =
            jobs.chain(plan.lost.iter().map(|lost| lost.name.as_str())).collect();
        let lines = std::mem::take(&mut self.lines);
        let mut lines: Vec<(String, Range<u64>)> =
            lines.into_iter().filter(|(name, _)| planned.contains(name.as_str())).collect();
        lines.sort_by(|a, b| a.0.cmp(&b.0));
        let copy = |new: &mut File| {
            let mut new = io::BufWriter::new(new);
            let mut old = &self.file;
            for (_, place) in &lines {
                old.seek(SeekFrom::Start(place.start))?;
                io::copy(&mut old.take(place.end - place.start), &mut new)?;
            }
            new.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
        };
        convert::write_owned(&self.path, &[], &plan.shard.owner(), copy).map_err(|error| {
            let source = match error {
                crate::error::Error::Write { source, .. } => source,
                other => io::Error::other(other),
            };
            self.wrong(source)
        })
    }

    /// Cuts off what stands after the last whole line.
    fn cut(&self) -> io::Result<()> {
        match self.file.metadata()?.len() > self.len {
            true => self.file.set_len(self.len),
            false => Ok(()),
        }
    }

    fn wrong(&self, source: io::Error) -> BatchError {
        BatchError::JournalWrite { path: self.path.clone(), source }
    }
}
