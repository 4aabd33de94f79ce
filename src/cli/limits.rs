//! Limits that results must keep: what breaks them is told, and ends the command with a code of its
//! own.

use super::failure::{Failure, say};
use super::text::number;
use crate::batch::{self, Broken, Digest, Journals, Limit};
use crate::report::{Measure, Report};
use std::path::Path;

/// Holds a single result to the limits.
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

/// Holds all results in a run's output folder to the limits.
pub fn hold_run(limits: &[Limit], output: &Path) -> Result<(), Failure> {
    if limits.is_empty() {
        return Ok(());
    }
    let journals = batch::read_journals(output)?;
    let exceeded = broken(limits, &journals, &batch::digest(&journals));
    tell(&exceeded)
}

/// What is not kept by a run.
pub fn broken(limits: &[Limit], journals: &Journals, digest: &Digest) -> Vec<Broken> {
    limits.iter().filter_map(|limit| limit.check(journals, digest)).collect()
}

/// Tells what a run does not keep.
pub fn tell(exceeded: &[Broken]) -> Result<(), Failure> {
    for Broken { limit, value, clip, clips } in exceeded {
        let place = clip.as_ref().map_or(String::new(), |clip| format!(", at worst {clip}"));
        let value = number(*value, DECIMALS);
        say(&format!("exceeded: {limit}: {value} in {clips} clips{place}"));
    }
    if exceeded.is_empty() { Ok(()) } else { Err(Failure::Exceeded) }
}

/// Finer than most limits are.
const DECIMALS: usize = 4;
