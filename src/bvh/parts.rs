//! A motion in parts that are read apart, on any number of threads.

use super::motion::{MOST_GROWTH, Row, next_row};
use super::row::FrameBuilder;
use super::text::Text;
use crate::blocks::{self, Steps};
use crate::clip::{Clip, Frames};
use std::ops::Range;

/// Bytes in a part, up to the end of its last line: enough that handing one out costs nothing beside it.
const PART: usize = 1 << 16;

/// Reads all rows of `text` into `clip`, which has none, if it is long enough for parts and each row stands on a
/// line of its own.
///
/// Otherwise the clip stays as it is, and false is said: the rows have to be read one after the other, by which
/// everything comes out that is to be told of them. Nearly no file of any length comes to that. As much memory as
/// the clip, and a few parts.
pub(super) fn read_parts(text: &Text<'_>, builder: &FrameBuilder, clip: &mut Clip) -> bool {
    let rest = &text.bytes[text.at..];
    // A row has two bytes a channel at least, so that no part takes more memory than a clip may.
    let is_lean = builder.frame_size() <= MOST_GROWTH * 2 * builder.channels();
    if rest.len() < 2 * PART || !is_lean {
        return false;
    }
    let read = blocks::stream(
        parts(rest),
        Steps {
            buffers: || builder.clone(),
            work: |builder: &mut FrameBuilder, part: Range<usize>| sound_rows(&rest[part], builder),
            settle: |_: &mut Option<Frames>| (),
            finish: |frames| frames,
            take: |frames: Option<Frames>| {
                clip.append(frames.ok_or(())?);
                Ok::<(), ()>(())
            },
        },
    );
    if read.is_err() {
        clip.clear();
    }
    read.is_ok()
}

/// The parts of a text, each up to a line end or the text's own.
fn parts(text: &[u8]) -> Vec<Range<usize>> {
    let mut parts = Vec::with_capacity(text.len() / PART + 1);
    let mut start = 0;
    while start < text.len() {
        let rest = text.get(start + PART..).unwrap_or_default();
        let end = rest.iter().position(|&b| b == b'\n' || b == b'\r');
        let end = end.map_or(text.len(), |at| start + PART + at + 1);
        parts.push(start..end);
        start = end;
    }
    parts
}

/// The rows of a part; `None` unless each is whole and on its own line.
fn sound_rows(part: &[u8], builder: &mut FrameBuilder) -> Option<Frames> {
    let mut text = Text { bytes: part, at: 0 };
    let mut frames = Frames::default();
    loop {
        match next_row(&mut text, builder, 0) {
            Ok(Row::Whole { is_broken: false, .. }) => {}
            Ok(Row::End) => return Some(frames),
            _ => return None,
        }
        let (rotations, translations) = builder.frame();
        if frames.rotations.is_empty() {
            // As many rows as long as the first.
            let rows = part.len() / text.at + 1;
            frames.rotations.reserve(rows * rotations.len());
            frames.translations.reserve(rows * translations.len());
        }
        frames.rotations.extend_from_slice(rotations);
        frames.translations.extend_from_slice(translations);
    }
}
