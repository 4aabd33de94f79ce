//! Journals that are there, of one run or of all shards of one.

use super::line::Line;
use crate::batch::{BatchError, Shard};
use crate::report::Numbers;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// All that the journals of a run say, by the clips' names.
#[derive(Clone, Debug, Default)]
pub struct Journals {
    pub lines: BTreeMap<String, Line<Numbers>>,
    /// Shards of the same split that have no journal here.
    pub missing: Vec<Shard>,
}

/// Reads the journals in an output folder, those of all shards together, or the one journal that
/// is named.
pub fn read_journals(path: &Path) -> Result<Journals, BatchError> {
    let mut journals = Journals::default();
    if path.is_file() {
        journals.add(path)?;
        return Ok(journals);
    }
    let shards = shards_in(path)?;
    let Some(first) = shards.first().copied() else {
        return Err(BatchError::NoJournal { path: path.to_owned() });
    };
    let split: Vec<Shard> = first.siblings().collect();
    if let Some(&shard) = shards.iter().find(|shard| !split.contains(shard)) {
        return Err(BatchError::MixedShards { path: path.to_owned(), shard });
    }
    for shard in split {
        match shards.contains(&shard) {
            true => journals.add(&path.join(shard.journal_name()))?,
            false => journals.missing.push(shard),
        }
    }
    Ok(journals)
}

fn shards_in(folder: &Path) -> Result<Vec<Shard>, BatchError> {
    let failed = |source| BatchError::JournalRead { path: folder.to_owned(), source };
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .map_err(failed)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<std::io::Result<_>>()
        .map_err(failed)?;
    names.sort();
    Ok(names.iter().filter_map(|name| Shard::of_journal(name)).collect())
}

impl Journals {
    fn add(&mut self, path: &Path) -> Result<(), BatchError> {
        let failed = |source| BatchError::JournalRead { path: PathBuf::from(path), source };
        let mut reader = BufReader::new(File::open(path).map_err(failed)?);
        let (mut text, mut number) = (Vec::new(), 0);
        loop {
            text.clear();
            reader.read_until(b'\n', &mut text).map_err(failed)?;
            // A run that was killed, or is at work, leaves half a line.
            if text.last() != Some(&b'\n') {
                return Ok(());
            }
            number += 1;
            let line: Line<Numbers> = serde_json::from_slice(&text).map_err(|error| {
                let reason = error.to_string();
                BatchError::JournalLine { path: path.to_owned(), line: number, reason }
            })?;
            self.lines.insert(line.output.clone(), line);
        }
    }
}
