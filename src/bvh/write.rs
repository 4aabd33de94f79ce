//! A clip to bytes.

use super::row_writer::{RowWriter, Rows, WriteSettings};
use crate::clip::{Clip, FrameTime};
use crate::math::Vec3;
use crate::skeleton::{Channel, Joint, Skeleton};
use std::borrow::Cow;
use std::io::{self, Write};

/// Writes a clip as a file that every reader takes.
///
/// UTF-8 without a byte order mark, lines end in LF, a tab a level, OFFSET and CHANNELS on every joint,
/// an End Site on every leaf (at the joint itself where the skeleton has none, which Blender draws as a
/// short stub). OFFSETs have as many digits as it takes to read the same number back; motion has fixed
/// decimals. Angles are degrees in the order of the joint's channels, those of the first frame nearest
/// to zero and each later one nearest to the one before. Names lose what would end them early: see
/// [`written_name`].
pub fn write(clip: &Clip, settings: &WriteSettings, out: &mut impl Write) -> io::Result<()> {
    let mut text = Vec::new();
    push_header(clip.skeleton(), clip.len(), clip.frame_time(), &mut text);
    let writer = RowWriter::new(clip.skeleton(), settings);
    let mut filter = writer.euler_filter();
    let mut rows = Rows::default();
    for first in (0..clip.len()).step_by(BLOCK) {
        rows.clear();
        for frame in first..clip.len().min(first + BLOCK) {
            writer.push_frame(clip.rotations(frame), clip.translations(frame), &mut rows);
        }
        writer.run_on(&mut filter, &mut rows);
        writer.push_text(&rows, &mut text);
        out.write_all(&text)?;
        text.clear();
    }
    out.write_all(&text)
}

/// Frames that are written at once: few enough for their numbers to stay in the cache.
const BLOCK: usize = 16;

/// Appends all that stands before the first row of a clip of `frames` frames.
pub fn push_header(skeleton: &Skeleton, frames: usize, frame_time: &FrameTime, text: &mut Vec<u8>) {
    push_hierarchy(skeleton, text);
    let header = format!("MOTION\nFrames: {frames}\nFrame Time: {}\n", frame_time.text());
    text.extend_from_slice(header.as_bytes());
}

/// A joint's name as [`write`](fn@write) writes it: line breaks, other control characters and braces become `_`,
/// blanks at its ends go. Other names stay as they are.
pub fn written_name(name: &str) -> Cow<'_, str> {
    let name = name.trim_matches([' ', '\t']);
    let breaks = |c: char| c.is_ascii_control() && c != '\t' || c == '{' || c == '}';
    if name.contains(breaks) { Cow::Owned(name.replace(breaks, "_")) } else { Cow::Borrowed(name) }
}

fn push_hierarchy(skeleton: &Skeleton, text: &mut Vec<u8>) {
    let mut is_leaf = vec![true; skeleton.len()];
    for parent in skeleton.joints().iter().filter_map(|joint| joint.parent) {
        is_leaf[parent.index()] = false;
    }
    text.extend_from_slice(b"HIERARCHY\n");
    let mut path: Vec<usize> = Vec::new();
    for (i, joint) in skeleton.joints().iter().enumerate() {
        while path.last().copied() != joint.parent.map(|p| p.index()) {
            path.pop();
            push_line(text, path.len(), "}");
        }
        push_joint(joint, is_leaf[i], path.len(), text);
        path.push(i);
    }
    while path.pop().is_some() {
        push_line(text, path.len(), "}");
    }
}

/// A joint up to its children, its brace left open.
fn push_joint(joint: &Joint, is_leaf: bool, depth: usize, text: &mut Vec<u8>) {
    let keyword = if joint.parent.is_none() { "ROOT" } else { "JOINT" };
    push_line(
        text,
        depth,
        format!("{keyword} {}", written_name(&joint.name)).trim_end_matches(' '),
    );
    push_line(text, depth, "{");
    push_line(text, depth + 1, &offset(&joint.offset));
    let mut channels = format!("CHANNELS {}", joint.channels.len());
    for channel in joint.channels.as_slice() {
        channels.push_str(match channel {
            Channel::Position(axis) => [" Xposition", " Yposition", " Zposition"][axis.index()],
            Channel::Rotation(axis) => [" Xrotation", " Yrotation", " Zrotation"][axis.index()],
        });
    }
    push_line(text, depth + 1, &channels);
    let at_the_joint = [Vec3::zeros()];
    let needs_one = is_leaf && joint.end_sites.is_empty();
    for end in if needs_one { &at_the_joint } else { joint.end_sites.as_slice() } {
        push_line(text, depth + 1, "End Site");
        push_line(text, depth + 1, "{");
        push_line(text, depth + 2, &offset(end));
        push_line(text, depth + 1, "}");
    }
}

/// The OFFSET line: the shortest digits that read back as the same numbers, never an exponent.
fn offset(v: &Vec3) -> String {
    // Adding zero turns -0 into 0.
    format!("OFFSET {} {} {}", v.x + 0.0, v.y + 0.0, v.z + 0.0)
}

fn push_line(text: &mut Vec<u8>, depth: usize, line: &str) {
    // A chain of a hundred thousand joints must not grow into gigabytes of tabs.
    const DEEPEST: usize = 100;
    text.extend(std::iter::repeat_n(b'\t', depth.min(DEEPEST)));
    text.extend_from_slice(line.as_bytes());
    text.push(b'\n');
}
