//! What is in doubt of a rig: refused, or gone on with and told.

use crate::error::Error;
use crate::rig::{Recognised, Rig, UpDoubt};
use std::path::Path;

/// Refuses a rig whose up axis two readings compete for.
pub(super) fn check_doubt(path: &Path, rig: &Rig) -> Result<(), Error> {
    match UpDoubt::of(rig) {
        Some(doubt) => Err(Error::Doubt { path: path.to_owned(), doubt: Box::new(doubt) }),
        None => Ok(()),
    }
}

/// What was in doubt of a rig and gone on with all the same, since the user said so.
pub fn doubts(recognised: &Recognised, rig: &Rig) -> Vec<String> {
    let up = UpDoubt::of(rig).map(|doubt| doubt.to_string());
    recognised.doubts.iter().cloned().chain(up).collect()
}
