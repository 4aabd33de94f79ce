//! A run and a comparison of two, as people read them.

use super::text::{count, first_line, number};
use crate::batch::{Change, Comparison, Digest, Worst};
use std::fmt::{Result, Write};

/// Numbers are shown to a thousandth of their unit.
const DECIMALS: usize = 3;

/// A run as a whole.
pub fn digest(digest: &Digest) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_digest(&mut out, digest);
    out
}

/// The totals of a run, in a few lines.
pub fn totals(sum: &Digest) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_totals(&mut out, sum);
    out
}

fn write_totals(out: &mut String, sum: &Digest) -> Result {
    let (clips, frames) = (count(sum.clips, "clip"), count(sum.frames, "frame"));
    let (minutes, hours) = (number(sum.duration_s / 60.0, 1), number(sum.took_s / 3600.0, 2));
    writeln!(
        out,
        "{clips}: {} done, {} failed; {frames}, {minutes} minutes of motion",
        sum.done, sum.failed
    )?;
    writeln!(out, "{hours} hours of work of one core; {} repaired in their files", sum.repaired)?;
    if sum.cut_short > 0 {
        let clips = count(sum.cut_short, "clip");
        writeln!(out, "cut short: {clips}, in which {} frames are missing", sum.missing_frames)?;
    }
    writeln!(out, "contact goals missed: {}", sum.misses)?;
    if sum.snapped > 0 {
        writeln!(out, "clips in which a limb snaps: {}", sum.snapped)?;
    }
    if !sum.missing_shards.is_empty() {
        writeln!(out, "no journal of shard {}", sum.missing_shards.join(", "))?;
    }
    if sum.unreadable_lines > 0 {
        let lines = count(sum.unreadable_lines, "line");
        writeln!(out, "{lines} of the journal cannot be read; --resume does their clips again")?;
    }
    if sum.setups > 1 {
        writeln!(out, "made in {} ways: targets, settings or versions differ", sum.setups)?;
    }
    Ok(())
}

fn write_digest(out: &mut String, sum: &Digest) -> Result {
    write_totals(out, sum)?;
    if !sum.numbers.is_empty() {
        let head = ["median", "90 %", "95 %", "99 %", "max", "limit"];
        write!(out, "\n{:20}", "of the clips under")?;
        head.iter().try_for_each(|word| write!(out, "{word:>9}"))?;
        writeln!(out, "   clips over that")?;
    }
    for spread in &sum.numbers {
        write!(out, "{:20}", spread.name)?;
        let values = [spread.p50, spread.p90, spread.p95, spread.p99, spread.max, spread.threshold];
        values.iter().try_for_each(|value| write!(out, "{:>9}", number(*value, DECIMALS)))?;
        writeln!(out, "   {}", spread.over)?;
    }
    if !sum.worst.is_empty() {
        writeln!(
            out,
            "\nthe worst clips: those in which a limb snaps, then by how many times a number is over its limit"
        )?;
    }
    sum.worst.iter().try_for_each(|worst| write_worst(out, worst))?;
    if !sum.failures.is_empty() {
        writeln!(out, "\nfailures")?;
    }
    for failure in &sum.failures {
        // The sentence names the file.
        let sentence = first_line(&failure.error);
        writeln!(out, "{:>7}  {}, such as {sentence}", failure.clips, failure.reason)?;
    }
    if !sum.rigs.is_empty() {
        writeln!(out, "\nrigs of the sources")?;
    }
    for rig in &sum.rigs {
        let family = rig.family.as_deref().unwrap_or("of no known names");
        writeln!(out, "{:>7}  {family}, {}", rig.clips, count(rig.joints, "joint"))?;
    }
    Ok(())
}

fn write_worst(out: &mut String, worst: &Worst) -> Result {
    writeln!(
        out,
        "{:>7}  {}: {} {}, at worst {} at {:?}, frame {}",
        number(worst.times_threshold, 1),
        worst.clip,
        worst.number,
        number(worst.value, DECIMALS),
        number(worst.worst, DECIMALS),
        worst.joint,
        worst.frame
    )
}

/// Two runs, clip by clip.
pub fn comparison(comparison: &Comparison) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_comparison(&mut out, comparison);
    out
}

fn write_comparison(out: &mut String, of: &Comparison) -> Result {
    writeln!(
        out,
        "{} in both, {} of them the same to the last byte",
        count(of.both, "clip"),
        of.same
    )?;
    for (names, what) in [
        (&of.only_first, "only in the first"),
        (&of.only_second, "only in the second"),
        (&of.repaired, "failed in the first alone"),
        (&of.broken, "failed in the second alone"),
    ] {
        if !names.is_empty() {
            writeln!(out, "{} {what}:", count(names.len(), "clip"))?;
            names.iter().try_for_each(|name| writeln!(out, "    {name}"))?;
        }
    }
    if !of.numbers.is_empty() {
        writeln!(
            out,
            "\n{:20}{:>12}{:>12}{:>9}{:>9}",
            "mean", "first", "second", "better", "worse"
        )?;
    }
    for change in &of.numbers {
        let (first, second) = (number(change.first, 4), number(change.second, 4));
        let (better, worse) = (change.better, change.worse);
        writeln!(out, "{:20}{first:>12}{second:>12}{better:>9}{worse:>9}", change.name)?;
    }
    for (changes, what) in [(&of.worse, "worse"), (&of.better, "better")] {
        if !changes.is_empty() {
            writeln!(out, "\nmost changed for the {what}, in limits of the number")?;
            changes.iter().try_for_each(|change| write_change(out, change))?;
        }
    }
    Ok(())
}

fn write_change(out: &mut String, change: &Change) -> Result {
    writeln!(
        out,
        "{:>7}  {}: {} {} -> {}; {:?}, frame {}",
        number(change.times_threshold, 2),
        change.clip,
        change.number,
        number(change.first, DECIMALS),
        number(change.second, DECIMALS),
        change.joint,
        change.frame
    )
}
