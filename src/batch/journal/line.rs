//! What a journal says of one clip.

use super::asked::Asked;
use crate::batch::place::is_place;
use crate::batch::{Hash, Setup};
use crate::report::Report;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// One clip of a run. `Numbers` is the report: [`Report`] when written, and when read whatever of
/// it the version that wrote the line knew.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line<Numbers = Report> {
    /// The clip's file, as the run opened it.
    pub input: String,
    /// The clip's place in the library, and that of its result below the output folder.
    pub output: String,
    #[serde(flatten)]
    pub made_for: MadeFor,
    #[serde(flatten)]
    pub setup: Setup,
    #[serde(flatten)]
    pub ending: Ending<Numbers>,
    /// How long reading, converting and writing took, seconds: the one field that is not the same in
    /// every run.
    pub took_s: f64,
}

/// What a result was made with and is judged with later: the files, as the run opened them, and what was asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MadeFor {
    /// The target's file.
    pub target: String,
    /// The file that says something of the sources' rig.
    pub from: Option<String>,
    /// What the library decided of their rig, where it did.
    pub library_rig: Option<LibraryRig>,
    /// What was asked for beside the files.
    pub asked: Asked,
}

/// What a library decided of a rig.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LibraryRig {
    /// The file that says it, below the output folder.
    pub file: String,
    /// Of that file.
    pub hash: Hash,
}

impl MadeFor {
    pub(in crate::internals::batch) fn new(
        target: &Path,
        from: Option<&Path>,
        asked: Asked,
    ) -> Self {
        let text = |path: &Path| path.display().to_string();
        let (target, from) = (text(target), from.map(text));
        Self { target, from, library_rig: None, asked }
    }

    /// Whether the target's file is found from where the program runs now.
    pub fn is_here(&self) -> bool {
        Path::new(&self.target).is_file()
    }

    /// The file that says what the source's rig is, of a run whose results lie in this folder.
    pub fn rig_file(&self, results: &Path) -> Option<PathBuf> {
        let decided = self.library_rig.as_ref().filter(|rig| is_place(&rig.file));
        let file = || decided.map(|rig| results.join(&rig.file));
        self.from.as_ref().map(PathBuf::from).or_else(file)
    }
}

/// How a clip ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Ending<Numbers = Report> {
    Done(Made<Numbers>),
    Failed(Failed),
}

/// A clip that was retargeted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Made<Numbers = Report> {
    /// Of the clip's file.
    pub clip: Hash,
    /// Of the result's file.
    pub result: Hash,
    /// The rig that the source's names are known from, if they are.
    pub family: Option<String>,
    /// Joints of the source.
    pub joints: usize,
    pub frames: usize,
    /// The clip's length in time, seconds.
    pub duration_s: f64,
    /// Target length units a source length unit.
    pub scale: f64,
    /// What was repaired in the clip's file.
    pub repaired: usize,
    /// Frames that the clip's file announces or begins and does not have.
    #[serde(default)]
    pub missing_frames: u64,
    /// Frames in which a planted foot was out of reach.
    pub misses: usize,
    pub report: Numbers,
}

/// A clip that was not retargeted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failed {
    /// A word for all failures of this kind.
    pub reason: String,
    /// The whole sentence.
    pub error: String,
}

impl<Numbers: DeserializeOwned> Line<Numbers> {
    /// A line of text; `None` where it is none, or names a result outside of the output folder.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let line: Self = serde_json::from_slice(text).ok()?;
        let is_result = matches!(line.ending, Ending::Done(_));
        (!is_result || is_place(&line.output)).then_some(line)
    }
}

impl<Numbers: Serialize> Line<Numbers> {
    /// As a line of text, with its end.
    pub(in crate::internals::batch) fn text(&self) -> String {
        let mut text = serde_json::to_string(self).expect("names and numbers alone");
        text.push('\n');
        text
    }
}
