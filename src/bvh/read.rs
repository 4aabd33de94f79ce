//! Bytes to a clip.

use super::error::{BvhError, Repair};
use super::hierarchy;
use super::motion::{Header, read_header, read_motion};
use super::parts::{LEAST, Pieces, read_parts};
use super::row::FrameBuilder;
use super::text::{Repairs, Text};
use crate::clip::Clip;
use crate::skeleton::Skeleton;

/// A file that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct BvhFile {
    pub clip: Clip,
    /// What was not as it should be, in file order; empty for a sound file.
    pub repaired: Vec<Repair>,
}

/// The skeleton of a file, without its motion.
#[derive(Clone, Debug, PartialEq)]
pub struct BvhHierarchy {
    pub skeleton: Skeleton,
    /// What was not as it should be, in file order; empty for a sound file.
    pub repaired: Vec<Repair>,
}

/// Reads a whole file: UTF-8 text, angles in degrees, lengths in the file's own unit.
///
/// Real files break every rule. What can be read without guessing the motion is read, and what was
/// repaired is listed; all else is an error with its place. A motion without a row gives a clip without
/// frames. The text is read once and not copied, a long motion in parts on any number of threads; besides
/// the clip itself memory grows with the hierarchy alone, and no clip takes more than 32 times its file
/// and 16 MB.
pub fn read(bytes: &[u8]) -> Result<BvhFile, BvhError> {
    let mut text = Text::new(bytes)?;
    let mut repairs = Repairs::default();
    let skeleton = hierarchy::read_hierarchy(&mut text, &mut repairs)?;
    let clip = read_motion(&mut text, skeleton, &mut repairs)?;
    Ok(BvhFile { clip, repaired: repairs.into_lines(bytes) })
}

/// As [`read`], of a long text that is never in memory as a whole.
///
/// `None` where it is short, where a piece of it cannot be had, or where anything in it asks for more than its frame
/// count to be repaired: it is to be read whole then, which tells what there is to be told.
pub fn read_pieces(text: &(impl Pieces + ?Sized)) -> Option<BvhFile> {
    if text.byte_len() < LEAST {
        return None;
    }
    let mut buffer = Vec::new();
    for head_len in [LEAST, 16 * LEAST] {
        let head = text.piece(0..head_len.min(text.byte_len()), &mut buffer)?;
        let Some(Head { skeleton, header, rows_at, mut repairs }) = Head::read(head) else {
            continue;
        };
        let builder = FrameBuilder::new(&skeleton);
        return read_parts(text, rows_at, &builder).map(|parts| {
            let clip = header.clip(skeleton, parts);
            header.repair(clip.len(), &mut repairs);
            BvhFile { clip, repaired: repairs.into_lines(head) }
        });
    }
    None
}

/// What stands before the rows of a text.
struct Head {
    skeleton: Skeleton,
    header: Header,
    rows_at: usize,
    repairs: Repairs,
}

impl Head {
    /// From the beginning of a text; `None` where more of it is needed.
    fn read(beginning: &[u8]) -> Option<Self> {
        let mut text = Text::new(beginning).ok()?;
        let mut repairs = Repairs::default();
        let skeleton = hierarchy::read_hierarchy(&mut text, &mut repairs).ok()?;
        let header = read_header(&mut text).ok()?;
        // What ends with the beginning may go on behind it.
        let is_whole = beginning.len() - text.at >= LONGEST_WORD;
        is_whole.then_some(Self { skeleton, header, rows_at: text.at, repairs })
    }
}

/// The skeleton of a file of which this is the beginning; `None` where more of it is needed.
pub fn hierarchy_of_beginning(beginning: &[u8]) -> Option<Skeleton> {
    Head::read(beginning).map(|head| head.skeleton)
}

/// Bytes behind a header among which its next word would have shown.
const LONGEST_WORD: usize = 256;

/// Reads the skeleton of a file and nothing from MOTION on, which may be missing.
///
/// For a rig that is only to be moved onto; [`read`] refuses a file without MOTION.
pub fn read_hierarchy(bytes: &[u8]) -> Result<BvhHierarchy, BvhError> {
    let mut text = Text::new(bytes)?;
    let mut repairs = Repairs::default();
    let skeleton = hierarchy::read_hierarchy(&mut text, &mut repairs)?;
    Ok(BvhHierarchy { skeleton, repaired: repairs.into_lines(bytes) })
}
