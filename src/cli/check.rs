//! `retarget check`: measures a result from a file.

use super::args::CheckArgs;
use super::failure::Failure;
use super::limits;
use super::made_for::{MadeWith, Pair, tell_checked};
use super::stream::{self, Stream, is_dash};
use super::text::{count, number};
use super::typed::Typed;
use super::verdict;
use crate::batch::Limit;
use crate::convert::{self, Check, Reading, SourceClip};
use crate::report::{LEG_CM, Report};
use serde::Serialize;
use std::path::PathBuf;

/// What `--json` prints.
#[derive(Serialize)]
struct Verdict<'a> {
    source: String,
    result: String,
    frames: usize,
    fps: f64,
    /// Result length units a source length unit.
    scale: f64,
    report: &'a Report,
    /// The report on a plain copy of the source's rotations, without planting.
    copy: &'a Report,
}

/// Reads both clips, measures the result, and prints the report.
pub fn run(args: &CheckArgs, typed: &Typed) -> Result<(), Failure> {
    if is_dash(&args.pair.source) && is_dash(&args.pair.result) {
        return Err(Failure::Usage("source and result cannot both be standard input".to_owned()));
    }
    let pair = Pair::meant(&args.pair)?;
    let read =
        |(path, reading): &(&PathBuf, Reading)| Stream::new(path.to_path_buf()).read_clip(reading);
    let [source, result] = &pair.readings();
    let (mut source, result) = (read(source)?, read(result)?);
    pair.args.asked.set_contacts(&mut source)?;
    let MadeWith { target, written, from, settings } = pair.made_with(typed, [&source, &result])?;
    let check = convert::check(&source, written, &result, Some(target), &settings)
        .map_err(|error| convert::in_written(error, from.as_deref()))?;
    tell_checked(&check, [&source, &result], &settings, typed);
    match args.json {
        true => stream::print_json(&Verdict {
            source: source.path.display().to_string(),
            result: result.path.display().to_string(),
            frames: result.clip.len(),
            fps: 1.0 / result.clip.frame_time().seconds(),
            scale: check.binding.scale,
            report: &check.report,
            copy: &check.copy,
        })?,
        false => stream::print_text(&text(&source, &result, &check, &args.limit))?,
    }
    limits::hold(&args.limit, &check.report)
}

fn text(source: &SourceClip, result: &SourceClip, check: &Check, limits: &[Limit]) -> String {
    let frames = count(result.clip.len(), "frame");
    let fps = number(1.0 / result.clip.frame_time().seconds(), 2);
    format!(
        "{} beside {}: {frames} at {fps} fps, scale {}\n{}lengths in cm are normalised to a {LEG_CM} cm leg\n",
        result.path.display(),
        source.path.display(),
        number(check.binding.scale, 4),
        verdict::table(&check.report, Some(&check.copy), limits),
    )
}
