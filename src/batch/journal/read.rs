//! Journals that are there, of one run or of all shards of one.

use super::line::{Ending, Line};
use crate::batch::place::name_of;
use crate::batch::{BatchError, Shard};
use crate::convert;
use crate::report::Numbers;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// All that the journals of a run say, by the clips' names.
#[derive(Clone, Debug, Default)]
pub struct Journals {
    pub lines: BTreeMap<String, Line<Numbers>>,
    /// Shards of the same split that have no journal here.
    pub missing: Vec<Shard>,
    /// Lines that cannot be read. Their clips are as if they were not done.
    pub unreadable: usize,
    /// The files that they are.
    pub files: Vec<PathBuf>,
}

/// Reads the journals in an output folder, those of all shards together, or the one journal that
/// is named.
pub fn read_journals(path: &Path) -> Result<Journals, BatchError> {
    let mut journals = Journals::default();
    if !path.is_dir() {
        journals.add(path)?;
        return match journals.lines.is_empty() && journals.unreadable > 0 {
            true => Err(BatchError::NotJournal { path: path.to_owned() }),
            false => Ok(journals),
        };
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

/// What the journal beside a result says of it, and the folder of that journal: the nearest one above the result that
/// has any. `None` where the journal names no such result.
pub fn line_of(result: &Path) -> Option<(PathBuf, Line<Numbers>)> {
    let result = std::path::absolute(result).ok()?;
    let has_journals = |folder: &&Path| shards_in(folder).is_ok_and(|shards| !shards.is_empty());
    let folder = result.ancestors().skip(1).find(has_journals)?;
    let name = name_of(result.strip_prefix(folder).ok()?)?;
    let line = read_journals(folder).ok()?.lines.remove(&name)?;
    matches!(line.ending, Ending::Done(_)).then(|| (folder.to_owned(), line))
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
        let (file, _) = convert::open(path).map_err(failed)?;
        self.files.push(path.to_owned());
        let mut reader = BufReader::new(file);
        let mut text = Vec::new();
        while next_line(&mut reader, &mut text).map_err(failed)?.is_some() {
            match Line::<Numbers>::parse(&text) {
                Some(line) => {
                    self.lines.insert(line.output.clone(), line);
                }
                None => self.unreadable += 1,
            }
        }
        Ok(())
    }
}

/// Bytes of the longest line. The names in one have a few thousand at most.
const LONGEST_LINE: usize = 1 << 20;

/// Reads the next whole line, and gives its length; of a longer one than any is, the beginning. `None` at the end: a
/// run that was killed, or is at work, leaves half a line there.
pub(super) fn next_line(
    reader: &mut impl BufRead,
    text: &mut Vec<u8>,
) -> std::io::Result<Option<u64>> {
    text.clear();
    let mut len = 0;
    loop {
        let piece = reader.fill_buf()?;
        if piece.is_empty() {
            return Ok(None);
        }
        let end = piece.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(piece.len(), |end| end + 1);
        if text.len() < LONGEST_LINE {
            text.extend_from_slice(&piece[..taken]);
        }
        reader.consume(taken);
        len += taken as u64;
        if end.is_some() {
            return Ok(Some(len));
        }
    }
}
