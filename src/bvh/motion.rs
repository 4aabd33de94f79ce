//! The part of a file from MOTION to its end.

use super::error::{BvhError, BvhErrorKind, Expected, Found, RepairKind};
use super::hierarchy::{no_number, whole};
use super::number::number as read_number;
use super::parts::read_parts;
use super::row::{FrameBuilder, MOST_GROWTH, Row, next_row};
use super::text::{Repairs, Text, Word, is_blank};
use crate::clip::{Clip, FrameTime, Frames};
use crate::skeleton::Skeleton;

/// The memory that any clip may take, however small its file.
const ALWAYS_ALLOWED: usize = 16 << 20;

/// Reads the motion of `skeleton`, from before MOTION to the end of the file.
pub(super) fn read_motion(
    text: &mut Text<'_>,
    skeleton: Skeleton,
    repairs: &mut Repairs,
) -> Result<Clip, BvhError> {
    let header = read_header(text)?;
    let clip = rows(text, skeleton, &header, repairs)?;
    header.repair(clip.len(), repairs);
    Ok(clip)
}

/// What stands before the rows of a motion.
pub(super) struct Header {
    /// Where its first word stands.
    at: usize,
    frame_time: FrameTime,
    /// Where the number of frames stands, and what it says.
    frames: Option<(usize, u64)>,
}

/// From before MOTION to before the first row.
pub(super) fn read_header(text: &mut Text<'_>) -> Result<Header, BvhError> {
    let word = text.word();
    if !word.is("MOTION") {
        let kind = BvhErrorKind::NoMotion { found: Found::word(word.bytes) };
        return Err(text.error(word.at, kind));
    }
    let (frame_time, frames) = header_lines(text)?;
    Ok(Header { at: word.at, frame_time, frames })
}

impl Header {
    /// A clip without frames, with room for those that are announced, as far as rows of `len` bytes can hold
    /// them.
    fn empty_clip(&self, skeleton: Skeleton, builder: &FrameBuilder, len: usize) -> Clip {
        // A number and its blank take two bytes at least, so a wrong count of frames cannot ask for much memory.
        let possible = len.div_ceil(2 * builder.channels().max(1)).min(most_frames(builder, len));
        let declared = self.frames.map_or(0, |(_, declared)| declared);
        let capacity = usize::try_from(declared).unwrap_or(usize::MAX).min(possible);
        Clip::with_capacity(skeleton, self.frame_time.clone(), capacity)
    }

    /// The clip of all its rows.
    pub fn clip(&self, skeleton: Skeleton, parts: Vec<Frames>) -> Clip {
        let mut clip = Clip::new(skeleton, self.frame_time.clone());
        parts.into_iter().for_each(|frames| clip.append(frames));
        clip
    }

    /// Tells where other frames are announced than were found.
    pub fn repair(&self, found: usize, repairs: &mut Repairs) {
        match self.frames {
            None => repairs.push(self.at, RepairKind::NoFrameCount { found }),
            Some((at, declared)) if declared != found as u64 => {
                repairs.push(at, RepairKind::FrameCount { declared, found });
            }
            Some(_) => {}
        }
    }
}

/// How many frames a clip from a text of so many bytes may have.
fn most_frames(builder: &FrameBuilder, len: usize) -> usize {
    (ALWAYS_ALLOWED + MOST_GROWTH * len) / builder.frame_size()
}

/// The lines `Frames: 10` and `Frame Time: 0.0333`, in any order, with any spacing.
fn header_lines(text: &mut Text<'_>) -> Result<(FrameTime, Option<(usize, u64)>), BvhError> {
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
        Some(frame_time) => Ok((frame_time, frames)),
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
    if read_number(value.bytes).is_none() {
        return Err(no_number(text, value));
    }
    std::str::from_utf8(value.bytes).ok().and_then(FrameTime::parse).ok_or_else(|| {
        text.error(value.at, BvhErrorKind::FrameTime { found: Found::word(value.bytes) })
    })
}

/// The rows up to the end of the file.
fn rows(
    text: &mut Text<'_>,
    skeleton: Skeleton,
    header: &Header,
    repairs: &mut Repairs,
) -> Result<Clip, BvhError> {
    let mut builder = FrameBuilder::new(&skeleton);
    let channels = builder.channels();
    if let Some(parts) = read_parts(text.bytes, text.at, &builder) {
        return Ok(header.clip(skeleton, parts));
    }
    let most_frames = most_frames(&builder, text.bytes.len());
    let mut clip = header.empty_clip(skeleton, &builder, text.bytes.len() - text.at);
    let mut broken: Option<(usize, usize)> = None;
    loop {
        let (at, is_broken) = match next_row(text, &mut builder, clip.len() + 1)? {
            Row::Whole { at, is_broken } => (at, is_broken),
            Row::Cut { at, found } => {
                repairs.push(at, RepairKind::CutRow { found, channels });
                break;
            }
            Row::End => break,
        };
        if clip.len() == most_frames {
            return Err(text.error(at, BvhErrorKind::TooLarge { times: MOST_GROWTH }));
        }
        if is_broken {
            broken = Some(broken.map_or((at, 1), |(first, rows)| (first, rows + 1)));
        }
        let (rotations, translations) = builder.frame();
        clip.push(rotations, translations);
    }
    if let Some((first, rows)) = broken {
        repairs.push(first, RepairKind::BrokenRows { rows });
    }
    Ok(clip)
}
