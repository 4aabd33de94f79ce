//! Files that are made anew of a result, whatever its target is.

use super::{ends_in, others};
use crate::clip::Clip;
use crate::rig::Rig;
use crate::scene::FormatError;
use std::path::Path;

/// A kind of file that is made anew of a result.
pub struct Made {
    /// How its name ends, as one of the endings that its format writes.
    pub end: &'static str,
    /// Whether messages propose it for a result on a character; one that lacks what makes the character is not.
    pub suits_characters: bool,
    /// Makes the file's bytes.
    pub make: fn(&NewFile) -> Result<Vec<u8>, FormatError>,
}

/// What a file is made of.
#[derive(Clone, Copy, Debug)]
pub struct NewFile<'a> {
    pub clip: &'a Clip,
    /// The rig of the target that the clip was made for.
    pub target: &'a Rig,
    /// How many metres a length unit is, guessed by the target's legs.
    pub guessed_unit_m: f64,
    /// How many metres a length unit is, where the target's file says it.
    pub stated_unit_m: Option<f64>,
}

/// All kinds.
pub(crate) fn made() -> impl Iterator<Item = &'static Made> {
    others().flat_map(|format| format.made)
}

/// The kind that a file's name says.
pub(crate) fn made_as(path: &Path) -> Option<&'static Made> {
    made().find(|made| ends_in(path, made.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_that_is_made_is_that_of_a_result() {
        for made in made() {
            assert!(super::super::result_endings().any(|end| end == made.end), "{}", made.end);
        }
    }
}
