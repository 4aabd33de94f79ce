//! The tables of docs/results/.

use crate::{FOOT, Row, text};
use retarget::internals::contact::Limb;
use retarget::internals::report::{NUMBERS, Number};
use retarget::internals::rig::Side;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How the reasons are to be read.
const LEGEND: &str = "\
The reason is what acted on that joint in that frame, as `retarget explain` tells it:

- *copied has* is the same number of the plain copy, where that misses too or is as much;
- a foot *stands*, or only its heel, ball or toes do, or it left the floor or lands within 0.3 s; it is *moved* so far against the
  body, and the *source's own sole* may be off the floor that it stands on;
- a hand is *on* or *near* something, or *kept out of the trunk* where that is broader than the source's;
- a *limit* is one that the rig states, or of toes and hands what people's can do;
- the *body* is moved as a whole, *down* so that feet and hands reach.
";

/// All results together, by clip, by body, and each number that misses what is good.
pub fn document(rows: &[Row], refused: &[(String, String)]) -> String {
    let mut out = "# Results in full\n\nMade by `examples/results`; [RESULTS.md](../RESULTS.md) says what it means, \
                   [METRICS.md](../METRICS.md) has the\nformulas.\n\n"
        .to_owned();
    // Writing to a String cannot fail.
    let _ = all(&mut out, rows, refused);
    out
}

fn all(out: &mut String, rows: &[Row], refused: &[(String, String)]) -> std::fmt::Result {
    let of_clip = group(rows, |row| &row.clip);
    let of_body = group(rows, |row| &row.body);
    let frames: usize = of_clip.values().map(|rows| rows[0].frames).sum();
    let missed = |word: &str| rows.iter().filter_map(|row| row.misses.get(word)).sum::<usize>();
    let limbs = Limb::KINDS.map(|of| of(Side::Left).word());
    let limbs = limbs.map(|word| format!(", a {word} in {}", missed(word))).concat();
    let drop_cm = rows.iter().map(|row| row.drop_cm).fold(0.0, f64::max);
    writeln!(
        out,
        "{} clips of {frames} frames on {} bodies each: {} results. A planted foot missed its place in {} frames\
         {limbs}; the body came down by at most {drop_cm:.1} cm.\n",
        of_clip.len(),
        of_body.len(),
        rows.len(),
        missed(FOOT)
    )?;
    writeln!(out, "## All results\n")?;
    writeln!(
        out,
        "| number | limit | of the results | median | 95 % | max | plain copy: median | 95 % | max |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|")?;
    for number in &NUMBERS {
        let spread = |copied: bool| {
            let of = |row: &Row| number.of(if copied { &row.copied } else { &row.planted }).value;
            let mut values: Vec<f64> = rows.iter().map(of).collect();
            values.sort_by(f64::total_cmp);
            let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
            [at(0.5), at(0.95), at(1.0)].map(text).join(" | ")
        };
        let good = rows.iter().filter(|row| !over(number, row)).count();
        let share = (100 * good / rows.len().max(1)).to_string() + " %";
        let (name, reach) = (number.name, number.threshold);
        writeln!(out, "| `{name}` | ≤ {reach} | {share} | {} | {} |", spread(false), spread(true))?;
    }
    for (title, groups) in [("By clip", &of_clip), ("By body", &of_body)] {
        writeln!(
            out,
            "\n## {title}\n\nMean and worst over the results; the mean of the rotations copied.\n"
        )?;
        let heads: Vec<&str> = NUMBERS.iter().map(|number| number.name).collect();
        writeln!(out, "| | {} | misses |", heads.join(" | "))?;
        writeln!(out, "|{}", "---|".repeat(NUMBERS.len() + 2))?;
        for (name, rows) in groups {
            write!(out, "| {name} |")?;
            for number in &NUMBERS {
                let mean =
                    |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / rows.len() as f64;
                let is = mean(&mut rows.iter().map(|row| number.of(&row.planted).value));
                let most = rows.iter().map(|row| number.of(&row.planted).value).fold(0.0, f64::max);
                let copied = mean(&mut rows.iter().map(|row| number.of(&row.copied).value));
                write!(out, " {} / {} ({}) |", text(is), text(most), text(copied))?;
            }
            writeln!(out, " {} |", rows.iter().flat_map(|row| row.misses.values()).sum::<usize>())?;
        }
    }
    writeln!(
        out,
        "\n## What misses\n\nBy clip and number: on how many bodies, where it is worst, and what acted there.\n\n{LEGEND}"
    )?;
    writeln!(
        out,
        "| clip | number | bodies | worst body | value | at worst | joint | frame | reason |"
    )?;
    writeln!(out, "|{}", "---|".repeat(9))?;
    for (clip, rows) in &of_clip {
        for number in &NUMBERS {
            let value = |row: &&&Row| number.of(&row.planted).value;
            let over: Vec<&&Row> = rows.iter().filter(|row| over(number, row)).collect();
            let Some(worst) = over.iter().copied().max_by(|a, b| value(a).total_cmp(&value(b)))
            else {
                continue;
            };
            let measure = number.of(&worst.planted);
            let (body, name, count) = (&worst.body, number.name, over.len());
            let (value, most) = (text(measure.value), text(measure.worst));
            let (joint, frame) = (&measure.joint, measure.frame);
            let reason = worst.reasons.get(name).map_or("", String::as_str);
            writeln!(
                out,
                "| {clip} | `{name}` | {count} | {body} | {value} | {most} | {joint} | {frame} | {reason} |"
            )?;
        }
    }
    if !refused.is_empty() {
        writeln!(out, "\n## Refused\n\n| clip | reason |\n|---|---|")?;
    }
    for (clip, reason) in refused {
        let reason = reason.replace('|', "/");
        let reason = reason.rsplit_once(".bvh: ").map_or(reason.as_str(), |(_, sentence)| sentence);
        writeln!(out, "| {clip} | {reason} |")?;
    }
    Ok(())
}

/// Whether a result misses what is good.
fn over(number: &Number, row: &Row) -> bool {
    number.of(&row.planted).value > number.threshold
}

fn group(rows: &[Row], by: fn(&Row) -> &String) -> BTreeMap<&str, Vec<&Row>> {
    let mut groups: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        groups.entry(by(row)).or_default().push(row);
    }
    groups
}
