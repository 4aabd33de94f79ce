//! Reads a motion in parts, on any number of threads.

use super::row::{FrameBuilder, MOST_GROWTH, Row, next_row};
use super::text::{Text, ends_line};
use crate::blocks::{self, Steps};
use crate::clip::Frames;
use std::ops::Range;

/// A text of which any piece can be had, on any thread.
pub trait Pieces: Sync {
    /// Length in bytes.
    fn byte_len(&self) -> usize;

    /// The bytes of a range that lies within, put into `buffer` where they are not at hand; `None` where they
    /// cannot be had.
    fn piece<'a>(&'a self, range: Range<usize>, buffer: &'a mut Vec<u8>) -> Option<&'a [u8]>;
}

impl Pieces for [u8] {
    fn byte_len(&self) -> usize {
        self.len()
    }

    fn piece<'a>(&'a self, range: Range<usize>, _: &'a mut Vec<u8>) -> Option<&'a [u8]> {
        self.get(range)
    }
}

/// Bytes in a part, apart from the lines at its ends: so many that handing a part out costs nothing in comparison, and
/// so few that it stays in the cache.
const PART: usize = 1 << 16;

/// Bytes in which the line must end that goes over the end of a part. The longest rows of real files, of bodies with
/// face and fingers, have a few thousand.
const LINE: usize = 1 << 14;

/// A shorter text is not worth parts.
pub(super) const LEAST: usize = 2 * PART;

/// Reads all rows of `text`, which begin at byte `from`, part by part, if they are long enough for parts and each row
/// stands on a line of its own.
///
/// Otherwise gives `None`: the rows have to be read one after the other, which finds all errors and repairs. That
/// happens to hardly any long file. Takes the memory of the frames and of a few parts.
pub(super) fn read_parts(
    text: &(impl Pieces + ?Sized),
    from: usize,
    builder: &FrameBuilder,
) -> Option<Vec<Frames>> {
    // A row has two bytes a channel at least, so that no part takes more memory than a clip may.
    let is_lean = builder.frame_size() <= MOST_GROWTH * 2 * builder.channels();
    if text.byte_len() - from < LEAST || !is_lean {
        return None;
    }
    let mut parts = Vec::new();
    let read = blocks::stream(
        (from..text.byte_len()).step_by(PART).collect(),
        Steps {
            buffers: || (builder.clone(), Vec::new()),
            work: |(builder, buffer): &mut (FrameBuilder, Vec<u8>), start: usize| {
                sound_rows(lines(text, start, from, buffer)?, builder)
            },
            in_order: |_: &mut Option<Frames>| (),
            finish: |frames| frames,
            take: |frames: Option<Frames>| {
                parts.push(frames.ok_or(())?);
                Ok::<(), ()>(())
            },
        },
    );
    read.ok().map(|()| parts)
}

/// The lines that begin in the part from byte `start` on, of rows that begin at `from`.
fn lines<'a>(
    text: &'a (impl Pieces + ?Sized),
    start: usize,
    from: usize,
    buffer: &'a mut Vec<u8>,
) -> Option<&'a [u8]> {
    // A line begins with the part where the byte before it ends one.
    let before = start.saturating_sub(1).max(from);
    let end = (start + PART).min(text.byte_len());
    let piece = text.piece(before..(end + LINE).min(text.byte_len()), buffer)?;
    let is_all = end + LINE >= text.byte_len();
    let next_line = |at: usize| {
        let ended = piece.get(at..)?.iter().position(|&b| ends_line(b));
        ended.map(|len| at + len + 1)
    };
    let first = if start == from { 0 } else { next_line(0).unwrap_or(piece.len()) };
    let last = match next_line(end - 1 - before) {
        Some(last) => last,
        None if is_all => piece.len(),
        None => return None,
    };
    piece.get(first.min(last)..last)
}

/// The rows of a part; `None` unless each is whole and on its own line.
fn sound_rows(part: &[u8], builder: &mut FrameBuilder) -> Option<Frames> {
    let mut text = Text { bytes: part, at: 0 };
    let mut frames = Frames::default();
    loop {
        match next_row(&mut text, builder, 0) {
            Ok(Row::Whole { is_broken: false, .. }) => {}
            Ok(Row::End) => break,
            _ => return None,
        }
        let (rotations, translations) = builder.frame();
        if frames.rotations.is_empty() {
            // As many rows as long as the first.
            let rows = part.len() / text.at + 1;
            frames = Frames::with_capacity(rotations.len(), translations.len(), rows);
        }
        frames.rotations.extend_from_slice(rotations);
        frames.translations.extend_from_slice(translations);
    }
    // They stay as they are for as long as the clip is there.
    frames.rotations.shrink_to_fit();
    frames.translations.shrink_to_fit();
    Some(frames)
}
