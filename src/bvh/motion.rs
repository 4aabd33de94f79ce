//! The part of a file from MOTION to its end.

use super::error::{BvhError, BvhErrorKind, Expected, Found, MendKind};
use super::hierarchy::{no_number, whole};
use super::number::number;
use super::row::FrameBuilder;
use super::text::{Mends, Text, Word, is_blank};
use crate::clip::{Clip, FrameTime};
use crate::skeleton::Skeleton;

/// Memory that a clip may take whatever the size of its file.
const ALWAYS_ALLOWED: usize = 16 << 20;

/// How many times its file a clip may take. Where every joint has a channel, 28 times is the most
/// that can come of it: one digit and one blank for a rotation and a translation.
const MOST_GROWTH: usize = 32;

/// Reads the motion of `skeleton`, from before MOTION to the end of the file.
pub(super) fn read_motion(
    text: &mut Text<'_>,
    skeleton: Skeleton,
    mends: &mut Mends,
) -> Result<Clip, BvhError> {
    let word = text.word();
    if !word.is("MOTION") {
        let kind = BvhErrorKind::NoMotion { found: Found::word(word.bytes) };
        return Err(text.error(word.at, kind));
    }
    let Header { frame_time, frames } = header(text)?;
    let declared = frames.map(|(_, count)| count);
    let (clip, rest) = rows(text, skeleton, frame_time, declared, mends)?;
    let found = clip.len();
    match frames {
        None => mends.push(word.at, MendKind::NoFrameCount { found }),
        Some((at, declared)) if declared != found as u64 => {
            mends.push(at, MendKind::FrameCount { declared, found });
        }
        Some(_) => {}
    }
    if let Some((at, kind)) = rest {
        mends.push(at, kind);
    }
    Ok(clip)
}

struct Header {
    frame_time: FrameTime,
    /// Where the number of frames stands, and what it says.
    frames: Option<(usize, u64)>,
}

/// The lines `Frames: 10` and `Frame Time: 0.0333`, in any order, with any spacing.
fn header(text: &mut Text<'_>) -> Result<Header, BvhError> {
    let (mut frame_time, mut frames) = (None, None);
    loop {
        text.skip_blanks();
        let line_at = text.at;
        if !skip_word(text, "frame") {
            break;
        }
        skip_word(text, "s");
        text.skip_blanks_in_line();
        let is_time = skip_word(text, "time");
        text.skip_blanks_in_line();
        skip_word(text, ":");
        text.skip_blanks_in_line();
        let value = text.word();
        if is_time && frame_time.is_none() {
            frame_time = Some(read_frame_time(text, value)?);
        } else if !is_time && frames.is_none() {
            let count = whole(value.bytes);
            frames =
                Some((line_at, count.ok_or_else(|| text.expected(Expected::FrameCount, value))?));
        } else {
            let word = if is_time { "Frame Time" } else { "Frames" };
            return Err(text.error(line_at, BvhErrorKind::RepeatedHeader { word }));
        }
        text.skip_blanks_in_line();
        if text.bytes.get(text.at).is_some_and(|&b| !is_blank(b)) {
            let word = text.peek();
            return Err(text.expected(Expected::EndOfLine, word));
        }
    }
    match frame_time {
        Some(frame_time) => Ok(Header { frame_time, frames }),
        None => Err(text.error(text.at, BvhErrorKind::NoFrameTime)),
    }
}

/// Steps over `word` if it comes next, in any case, whatever follows it.
fn skip_word(text: &mut Text<'_>, word: &str) -> bool {
    let next = text.bytes[text.at..].get(..word.len());
    let is_next = next.is_some_and(|next| next.eq_ignore_ascii_case(word.as_bytes()));
    text.at += if is_next { word.len() } else { 0 };
    is_next
}

fn read_frame_time(text: &Text<'_>, value: Word<'_>) -> Result<FrameTime, BvhError> {
    if number(value.bytes).is_none() {
        return Err(no_number(text, value));
    }
    std::str::from_utf8(value.bytes).ok().and_then(FrameTime::parse).ok_or_else(|| {
        text.error(value.at, BvhErrorKind::FrameTime { found: Found::word(value.bytes) })
    })
}

/// The rows, each a line; a line that is too short goes on in the next ones. With the clip comes
/// what is to be said of a last row cut short.
fn rows(
    text: &mut Text<'_>,
    skeleton: Skeleton,
    frame_time: FrameTime,
    declared: Option<u64>,
    mends: &mut Mends,
) -> Result<(Clip, Option<(usize, MendKind)>), BvhError> {
    let bytes = text.bytes;
    let mut builder = FrameBuilder::new(&skeleton);
    let channels = builder.channels();
    let most_frames = (ALWAYS_ALLOWED + MOST_GROWTH * bytes.len()) / builder.frame_size();
    // A number and its blank take two bytes at least, so no lie about frames can ask for much.
    let possible = (bytes.len() - text.at).div_ceil(2 * channels.max(1)).min(most_frames);
    let capacity = possible.min(usize::try_from(declared.unwrap_or(0)).unwrap_or(usize::MAX));

    let mut clip = Clip::with_capacity(skeleton, frame_time, capacity);
    let mut row = Row { at: text.at, filled: 0, is_broken: false };
    let mut broken: Option<(usize, usize)> = None;
    let mut at = text.at;
    while let Some(&byte) = bytes.get(at) {
        if is_blank(byte) {
            at += 1;
            let ends_line = byte == b'\n' || byte == b'\r';
            row.is_broken |= ends_line && row.filled > 0;
            continue;
        }
        if row.filled == channels {
            // A line that has gone on past its row's last number.
            return Err(too_long(text, at, &row, clip.len() + 1, channels));
        }
        if row.filled == 0 {
            row.at = at;
        }
        let Some((value, len)) = number(&bytes[at..]) else {
            text.at = at;
            let word = text.peek();
            return Err(no_number(text, word));
        };
        at += len;
        builder.set(row.filled, value);
        row.filled += 1;
        if row.filled < channels {
            continue;
        }
        // Only blanks may follow up to the end of the line.
        while bytes.get(at).is_some_and(|&b| is_blank(b) && b != b'\n' && b != b'\r') {
            at += 1;
        }
        if bytes.get(at).is_some_and(|&b| !is_blank(b)) {
            return Err(too_long(text, at, &row, clip.len() + 1, channels));
        }
        if clip.len() == most_frames {
            return Err(text.error(row.at, BvhErrorKind::TooLarge { times: MOST_GROWTH }));
        }
        let (rotations, translations) = builder.frame();
        clip.push(rotations, translations);
        if row.is_broken {
            broken = Some(broken.map_or((row.at, 1), |(first, rows)| (first, rows + 1)));
        }
        row = Row { at, filled: 0, is_broken: false };
    }
    if let Some((first, rows)) = broken {
        mends.push(first, MendKind::BrokenRows { rows });
    }
    let cut =
        (row.filled > 0).then_some((row.at, MendKind::CutRow { found: row.filled, channels }));
    Ok((clip, cut))
}

/// The row that is being read.
struct Row {
    /// Byte of its first number.
    at: usize,
    /// How many numbers it has so far.
    filled: usize,
    /// Whether it goes on from one line to another.
    is_broken: bool,
}

/// The error that the line at `at` holds more numbers than the row needs.
fn too_long(text: &Text<'_>, at: usize, row: &Row, number: usize, channels: usize) -> BvhError {
    let line = text.bytes[at..].split(|&b| b == b'\n' || b == b'\r').next().unwrap_or_default();
    let beyond = line.split(|&b| is_blank(b)).filter(|word| !word.is_empty()).count();
    let (first_line, _) = super::text::place(text.bytes, row.at);
    let found = row.filled + beyond;
    text.error(at, BvhErrorKind::RowTooLong { row: number, channels, found, first_line })
}
