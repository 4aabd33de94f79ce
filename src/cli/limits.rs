//! Limits that results must keep: results that exceed them are listed, and the command ends with an exit code of its
//! own.

use super::failure::{Failure, say};
use super::text::number;
use crate::batch::{self, Broken, Digest, Journals, Limit};
use crate::report::{Measure, Report};
use std::path::Path;

/// Checks a single result against the limits.
pub fn hold(limits: &[Limit], report: &Report) -> Result<(), Failure> {
    let mut kept = true;
    for limit in limits {
        if let Some(Measure { value, joint, frame, .. }) = limit.check_one(report) {
            kept = false;
            let value = number(*value, DECIMALS);
            say(&format!("exceeded: {limit}: {value}, at worst {joint:?}, frame {frame}"));
        }
    }
    if kept { Ok(()) } else { Err(Failure::Exceeded) }
}

/// Checks all results in a run's output folder against the limits.
pub fn hold_run(limits: &[Limit], output: &Path) -> Result<(), Failure> {
    if limits.is_empty() {
        return Ok(());
    }
    let journals = batch::read_journals(output)?;
    let exceeded = broken(limits, &journals, &batch::digest(&journals));
    tell(&exceeded)
}

/// The limits that a run exceeds.
pub fn broken(limits: &[Limit], journals: &Journals, digest: &Digest) -> Vec<Broken> {
    limits.iter().filter_map(|limit| limit.check(journals, digest)).collect()
}

/// Prints the limits that a run exceeds.
pub fn tell(exceeded: &[Broken]) -> Result<(), Failure> {
    for Broken { limit, value, clip, clips } in exceeded {
        let place = clip.as_ref().map_or(String::new(), |clip| format!(", at worst {clip}"));
        let value = number(*value, DECIMALS);
        say(&format!("exceeded: {limit}: {value} in {clips} clips{place}"));
    }
    if exceeded.is_empty() { Ok(()) } else { Err(Failure::Exceeded) }
}

/// Decimals of printed values: more than most limits have.
const DECIMALS: usize = 4;
