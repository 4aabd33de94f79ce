//! One of several parts of a library, each for a machine of its own.

use super::Hash;
use std::fmt;
use std::str::FromStr;

/// Part `number` of `of`. A clip's part follows from its name alone: it stays the same whatever else
/// the library holds, on whatever machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    number: u64,
    of: u64,
}

impl Shard {
    /// The most parts: more than any cluster has machines.
    const MOST: u64 = 10_000;

    /// All of a library.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// Whether the clip of this name, relative to its library, belongs to this part.
    pub fn has(self, name: &str) -> bool {
        Hash::of_parts([name.as_bytes()]).spread() % self.of == self.number - 1
    }

    /// The file name of its journal: those of the parts of one library lie side by side.
    pub fn journal_name(self) -> String {
        match self {
            Shard { of: 1, .. } => "retarget-run.jsonl".to_owned(),
            Shard { number, of } => format!("retarget-run.{number}-of-{of}.jsonl"),
        }
    }

    /// In whose name the files of this part are written.
    pub(super) fn owner(self) -> String {
        format!("{}-of-{}", self.number, self.of)
    }

    /// The part whose journal has this file name.
    pub fn of_journal(name: &str) -> Option<Self> {
        let middle = name.strip_prefix("retarget-run")?.strip_suffix(".jsonl")?;
        if middle.is_empty() {
            return Some(Self::WHOLE);
        }
        middle.strip_prefix('.')?.replace("-of-", "/").parse().ok()
    }

    /// All parts of the split that this is one of.
    pub fn siblings(self) -> impl Iterator<Item = Shard> {
        (1..=self.of).map(move |number| Shard { number, ..self })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts =
            text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        parts
            .filter(|(number, of)| (1..=*of).contains(number) && *of <= Self::MOST)
            .map(|(number, of)| Shard { number, of })
            .ok_or_else(|| {
                let most = Self::MOST;
                format!("expected K/N, with K from 1 to N, at most {most}: 1/4 to 4/4 are the parts of four")
            })
    }
}
