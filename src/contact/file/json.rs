//! A side file as JSON, with the same keys.
//!
//! What is valid JSON is read as one inline table of TOML, which differs by `=` for `:` alone, so that both forms have
//! one reader, one set of messages, and lines in them.

use super::{ContactFile, ContactFileError, ContactFileProblem};
use crate::contact::{ContactTrack, Limb, Part};
use crate::rig::{Rig, Side};
use serde::Serialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use std::ops::Range;

/// The keys of the whole file; those of its feet, hands and knees are in the order of the rig.
#[derive(Serialize)]
struct Top<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    clip: &'a str,
    fps: f64,
    frames: usize,
    half_open: bool,
    floor_height: f64,
    feet: BTreeMap<&'a str, BTreeMap<&'static str, Vec<Interval>>>,
    /// By the table of their kind, then by side.
    #[serde(flatten)]
    limbs: BTreeMap<&'static str, BTreeMap<&'static str, Vec<Interval>>>,
}

#[derive(Serialize)]
struct Interval {
    frames: [usize; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    slow: Option<[usize; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    floor_height: Option<f64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    slides: bool,
}

/// The text of a side file as JSON, that [`ContactFile::parse_json`] reads: it states all contacts of a clip of
/// `rig`, to the last bit.
///
/// Frames are half open, as scripts slice arrays. `clip` is what the clip is called, if anything.
pub fn write_json(track: &ContactTrack, rig: &Rig, clip: &str, frame_time_s: f64) -> String {
    let ends = |frames: &Range<usize>| [frames.start, frames.end];
    let floor = |height: f64| (height != track.floor_height).then_some(height);
    let part = |foot, part: Part| {
        let intervals = track.of(foot, part).map(|c| Interval {
            frames: ends(&c.frames),
            slow: (c.slow != c.frames).then(|| ends(&c.slow)),
            floor_height: floor(c.floor_height),
            slides: c.slides,
        });
        (part.word(), intervals.collect())
    };
    let foot = |id| {
        let foot = rig.foot(id);
        let parts = if foot.is_point() { &[Part::Ball][..] } else { &Part::ALL };
        (foot.name.as_str(), parts.iter().map(|&of| part(id, of)).collect())
    };
    let kind = |limb: fn(Side) -> Limb| {
        let side = |side: Side| {
            let intervals = track.of_limb(limb(side)).map(|c| Interval {
                frames: ends(&c.frames),
                slow: None,
                floor_height: floor(c.floor_height),
                slides: false,
            });
            (side.word(), intervals.collect::<Vec<_>>())
        };
        let sides = Side::BOTH.map(side).into_iter();
        let sides = sides.filter(|(_, intervals)| !intervals.is_empty());
        (limb(Side::Left).table(), sides.collect())
    };
    let top = Top {
        clip,
        fps: 1.0 / frame_time_s,
        frames: track.frames,
        half_open: true,
        floor_height: track.floor_height,
        feet: rig.foot_ids().map(foot).collect(),
        limbs: Limb::KINDS.into_iter().map(kind).collect(),
    };
    let mut text = serde_json::to_string_pretty(&top).expect("keys are texts, heights finite");
    text.push('\n');
    text
}

impl ContactFile {
    /// Reads the text of a side file that is JSON; see [`parse`](Self::parse).
    pub fn parse_json(text: &str) -> Result<Self, ContactFileError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        serde_json::from_str::<IgnoredAny>(text).map_err(|error| {
            let sentence = error.to_string();
            let what = sentence.split(" at line ").next().unwrap_or(&sentence);
            let problem = ContactFileProblem::Syntax(what.to_owned());
            ContactFileError { line: Some(error.line()), problem }
        })?;
        Self::parse_table(&as_table(text))
    }
}

/// Valid JSON as the value of a key of TOML, on the same lines.
fn as_table(json: &str) -> String {
    let mut table = String::with_capacity(json.len() + 8);
    table.push_str("file = ");
    let mut characters = json.trim_start_matches([' ', '\t']).chars();
    let mut quoted = false;
    while let Some(c) = characters.next() {
        match c {
            '"' => quoted = !quoted,
            // Of all that JSON may write with a backslash, TOML lacks the slash.
            '\\' => {
                let escaped = characters.next().unwrap_or('\\');
                if escaped != '/' {
                    table.push('\\');
                }
                table.push(escaped);
                continue;
            }
            _ => {}
        }
        table.push(if c == ':' && !quoted { '=' } else { c });
    }
    table
}
