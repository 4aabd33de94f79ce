//! Why a file is refused, and what was repaired in a file that is read, each with its place.

use crate::clip::FrameTime;
use crate::skeleton::{LEAST_REACH_LEN, MOST_AWAY, MOST_JOINTS, MOST_LEN};
use std::fmt;

/// Line and column of byte `at`, both from 1, the column in characters. One pass over the file.
pub(super) fn place(bytes: &[u8], at: usize) -> (usize, usize) {
    let at = at.min(bytes.len());
    let (mut line, mut start) = (1, if bytes.starts_with(BOM) { BOM.len() } else { 0 });
    for i in 0..at {
        if line_ends_at(bytes, i) {
            line += 1;
            start = i + 1;
        }
    }
    let before = bytes.get(start..at).unwrap_or_default();
    // Continuation bytes of UTF-8 are no characters of their own.
    let column = 1 + before.iter().filter(|&&b| b & 0b1100_0000 != 0b1000_0000).count();
    (line, column)
}

/// Whether a line ends at this place; CR LF ends at its LF.
pub(super) fn line_ends_at(bytes: &[u8], at: usize) -> bool {
    match bytes[at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    }
}

pub(super) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Why a file is no BVH file that can be read without guessing, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct BvhError {
    /// Line of the place, from 1.
    pub line: usize,
    /// Column of the place in characters, from 1.
    pub column: usize,
    pub kind: BvhErrorKind,
}

/// The reason of a [`BvhError`]. Its text names the way out where there is one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BvhErrorKind {
    #[error("the text is UTF-16; save the file as UTF-8")]
    Utf16,
    #[error("expected {expected}, found {found}{}", remedy(found))]
    Expected { expected: Expected, found: Found },
    #[error("the hierarchy has no joint; expected ROOT and a name")]
    NoJoint,
    #[error("the file has a hierarchy but no motion; expected MOTION, found {found}")]
    NoMotion { found: Found },
    #[error("joint {joint:?} is not closed; {open} \"}}\" missing before {found}")]
    Unclosed { joint: String, open: usize, found: Found },
    #[error("this \"}}\" closes nothing; every joint above is closed already")]
    NothingToClose,
    #[error(
        "joint {joint:?} stands outside of every other; one \"}}\" above is too many, or it is a ROOT"
    )]
    JointOutside { joint: String },
    #[error("{word} stands twice in joint {joint:?}")]
    Repeated { word: &'static str, joint: String },
    #[error("{word} stands twice")]
    RepeatedHeader { word: &'static str },
    #[error("the CHANNELS of joint {joint:?} stand after its children; they must stand before")]
    LateChannels { joint: String },
    #[error(
        "unknown channel {name}{}; the channels are Xposition, Yposition, Zposition, Xrotation, Yrotation and Zrotation",
        remedy(name)
    )]
    UnknownChannel { name: Found },
    #[error("channel {name} stands twice in joint {joint:?}")]
    RepeatedChannel { name: Found, joint: String },
    #[error("CHANNELS of joint {joint:?} announces {declared} but lists {listed}")]
    ChannelCount { declared: u64, listed: usize, joint: String },
    #[error("{found} is not a finite number")]
    NotFinite { found: Found },
    #[error(
        "expected a frame time in seconds, from {} to {}, found {found}",
        FrameTime::BOUNDS_S.start(), FrameTime::BOUNDS_S.end()
    )]
    FrameTime { found: Found },
    #[error("the length {found} is beyond {MOST_LEN}, the most in either direction")]
    TooLong { found: Found },
    #[error(
        "the position {found} is more than {MOST_AWAY} times as far away as all bones together are long"
    )]
    TooFar { found: Found },
    #[error(
        "all bones together are shorter than {LEAST_REACH_LEN}, so that no motion of them could be written; \
         scale the skeleton"
    )]
    TooSmall,
    #[error("the skeleton has more than {MOST_JOINTS} joints")]
    TooManyJoints,
    #[error("the frame time is missing; expected a line such as \"Frame Time: 0.033333\"")]
    NoFrameTime,
    #[error(
        "row {row} has {found} numbers where the joints have {channels} channels; it begins on line {first_line}"
    )]
    RowTooLong { row: usize, channels: usize, found: usize, first_line: usize },
    #[error(
        "the motion would grow to more than {times} times the file, nearly all of it joints without channels"
    )]
    TooLarge { times: usize },
}

/// What should have stood at the place of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    Hierarchy,
    Root,
    OpeningBrace,
    JointItem,
    EndSiteItem,
    Number,
    ChannelCount,
    FrameCount,
    EndOfLine,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expected::Hierarchy => "HIERARCHY, the first word of every BVH file",
            Expected::Root => "ROOT or MOTION",
            Expected::OpeningBrace => "\"{\"",
            Expected::JointItem => "OFFSET, CHANNELS, JOINT, End Site or \"}\"",
            Expected::EndSiteItem => "OFFSET or \"}\" of the End Site",
            Expected::Number => "a number",
            Expected::ChannelCount => "a whole number of channels",
            Expected::FrameCount => "a whole number of frames",
            Expected::EndOfLine => "the end of the line",
        })
    }
}

/// What stood at the place of an error: a word of the file, shortened if long, or its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    Word(String),
    EndOfFile,
}

impl Found {
    /// The word, made readable; no word stands for the end of the file.
    pub(super) fn word(word: &[u8]) -> Self {
        const LONGEST: usize = 40;
        if word.is_empty() {
            return Found::EndOfFile;
        }
        let text = String::from_utf8_lossy(&word[..word.len().min(4 * LONGEST)]);
        let mut short: String = text.chars().take(LONGEST).collect();
        if short.len() < word.len() && text.chars().count() > LONGEST {
            short.push('…');
        }
        Found::Word(short)
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Word(word) => write!(f, "{word:?}"),
            Found::EndOfFile => f.write_str("the end of the file"),
        }
    }
}

/// The way out for a word that people write and BVH does not know.
fn remedy(found: &Found) -> &'static str {
    let Found::Word(word) = found else { return "" };
    if word.starts_with('#') || word.starts_with("//") {
        return "; BVH has no comments, so take this one out";
    }
    let is_number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
    match word.split_once(',') {
        Some((_, "")) if is_number(word.trim_end_matches(',')) => {
            "; only blanks stand between numbers, so take the comma out"
        }
        Some(_) if is_number(&word.replacen(',', ".", 1)) => {
            "; numbers have a point and no comma, so export the file with decimal points"
        }
        _ => "",
    }
}

impl BvhError {
    /// Whether nothing but the motion is missing, so that the skeleton can still be read.
    pub fn is_no_motion(&self) -> bool {
        matches!(self.kind, BvhErrorKind::NoMotion { .. })
    }

    /// An error at byte `at` of the file.
    pub(super) fn new(bytes: &[u8], at: usize, kind: BvhErrorKind) -> Self {
        let (line, column) = place(bytes, at);
        Self { line, column, kind }
    }
}

/// Something wrong in a file that is read all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// Line of the place, from 1.
    pub line: usize,
    pub kind: RepairKind,
}

impl Repair {
    /// How many frames of the motion are not there though the file announces or begins them. A row that is cut
    /// short is one of those that were announced, if any were.
    pub fn missing_frames(&self) -> u64 {
        match self.kind {
            RepairKind::FrameCount { declared, found } => declared.saturating_sub(found as u64),
            RepairKind::CutRow { .. } => 1,
            _ => 0,
        }
    }
}

/// What was repaired.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RepairKind {
    #[error("the name {name:?} was not UTF-8 and was read as Latin-1")]
    NameNotUtf8 { name: String },
    #[error("joint {joint:?} has no OFFSET; zero was taken")]
    NoOffset { joint: String },
    #[error("an End Site of joint {joint:?} has no OFFSET; zero was taken")]
    NoEndOffset { joint: String },
    #[error("the number of frames is not given; {found} were read")]
    NoFrameCount { found: usize },
    #[error("{declared} frames were announced; {found} are there and were read")]
    FrameCount { declared: u64, found: usize },
    #[error("rows broken over several lines were joined: {rows}, the first one here")]
    BrokenRows { rows: usize },
    #[error("the last row is cut short, {found} of {channels} numbers; it was dropped")]
    CutRow { found: usize, channels: usize },
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind)
    }
}
