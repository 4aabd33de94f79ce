//! What stops a whole run. What is wrong with one clip is that clip's [`super::Failed`].

use super::Shard;
use crate::error::Error;
use crate::formats;
use std::io;
use std::path::PathBuf;

/// Why a run cannot begin or go on. Each is one sentence with the place and the way out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    #[error("no clip was found: {} in what was named", formats::none_of_formats())]
    NoClips,
    #[error("{pattern:?} is no pattern: {reason}")]
    Pattern { pattern: String, reason: String },
    #[error("{} is no folder, and the results of a library go into one; name another with -o", output.display())]
    OutputIsFile { output: PathBuf },
    #[error(
        "{} lies inside {}, so that results would be taken for clips; name a folder outside with -o",
        output.display(), input.display()
    )]
    OutputInside { output: PathBuf, input: PathBuf },
    #[error(
        "{} and {} would both be written to {}; run them apart, into two folders",
        first.display(), second.display(), output.display()
    )]
    Collision { first: PathBuf, second: PathBuf, output: PathBuf },
    #[error("{} is a clip of the library; an input is never overwritten, so name another folder with -o", output.display())]
    OutputIsInput { output: PathBuf },
    #[error("{name:?} leads out of the output folder; a result lies below it")]
    Outside { name: String },
    #[error(transparent)]
    File(Box<Error>),
    #[error("cannot make the folder {}: {source}", path.display())]
    Folder { path: PathBuf, source: io::Error },
    #[error("another run is at work on {}; wait for it, or write into another folder", path.display())]
    AtWork { path: PathBuf },
    #[error("cannot read the journal {}: {source}", path.display())]
    JournalRead { path: PathBuf, source: io::Error },
    #[error("the journal {} is a link or no file; it would lead elsewhere, so take it away", path.display())]
    JournalIsNoFile { path: PathBuf },
    #[error("cannot write the journal {}: {source}", path.display())]
    JournalWrite { path: PathBuf, source: io::Error },
    #[error(
        "{} is no journal; name the folder that a library was retargeted into, or the retarget-run.jsonl in it",
        path.display()
    )]
    NotJournal { path: PathBuf },
    #[error("{} holds no journal (retarget-run*.jsonl): no run wrote there", path.display())]
    NoJournal { path: PathBuf },
    #[error(
        "{}: a journal of shard {shard} lies beside one of another split; remove those of the older run",
        path.display()
    )]
    MixedShards { path: PathBuf, shard: Shard },
}

impl BatchError {
    /// Whether what the user named cannot be meant, rather than a file or a disk fail.
    pub fn is_usage(&self) -> bool {
        use BatchError::{
            Collision, NoClips, OutputInside, OutputIsFile, OutputIsInput, Outside, Pattern,
        };
        matches!(
            self,
            NoClips
                | Pattern { .. }
                | OutputIsFile { .. }
                | OutputInside { .. }
                | Collision { .. }
                | OutputIsInput { .. }
                | Outside { .. }
        )
    }
}
