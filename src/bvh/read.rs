//! Bytes to a clip.

use super::error::{BvhError, Mend};
use super::hierarchy;
use super::motion::read_motion;
use super::text::{Mends, Text};
use crate::clip::Clip;
use crate::skeleton::Skeleton;

/// A file that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct BvhFile {
    pub clip: Clip,
    /// What was not as it should be, in file order; empty for a sound file.
    pub mended: Vec<Mend>,
}

/// The skeleton of a file, without its motion.
#[derive(Clone, Debug, PartialEq)]
pub struct BvhHierarchy {
    pub skeleton: Skeleton,
    /// What was not as it should be, in file order; empty for a sound file.
    pub mended: Vec<Mend>,
}

/// Reads a whole file: UTF-8 text, angles in degrees, lengths in the file's own unit.
///
/// Real files break every rule. What can be read without guessing the motion is read, and what was
/// mended is listed; all else is an error with its place. A motion without a row gives a clip without
/// frames. The text is read once and not copied, a long motion in parts on any number of threads; besides
/// the clip itself memory grows with the hierarchy alone, and no clip takes more than 32 times its file
/// and 16 MB.
pub fn read(bytes: &[u8]) -> Result<BvhFile, BvhError> {
    let mut text = Text::new(bytes)?;
    let mut mends = Mends::default();
    let skeleton = hierarchy::read_hierarchy(&mut text, &mut mends)?;
    let clip = read_motion(&mut text, skeleton, &mut mends)?;
    Ok(BvhFile { clip, mended: mends.into_lines(bytes) })
}

/// Reads the skeleton of a file and nothing from MOTION on, which may be missing.
///
/// For a rig that is only to be moved onto; [`read`] refuses a file without MOTION.
pub fn read_hierarchy(bytes: &[u8]) -> Result<BvhHierarchy, BvhError> {
    let mut text = Text::new(bytes)?;
    let mut mends = Mends::default();
    let skeleton = hierarchy::read_hierarchy(&mut text, &mut mends)?;
    Ok(BvhHierarchy { skeleton, mended: mends.into_lines(bytes) })
}
