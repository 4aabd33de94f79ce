//! `retarget report`: what came out of a library's run, and of two runs side by side.

use super::args::ReportArgs;
use super::failure::Failure;
use super::limits;
use super::report_html;
use super::report_text::{comparison, digest};
use super::stream;
use super::text::visible;
use crate::batch::{self, Broken, Digest, Ending, Journals};
use crate::report::NUMBERS;
use serde::Serialize;

/// What `--json` prints of one run: the digest, and the limits that are not kept.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    digest: &'a Digest,
    exceeded: &'a [Broken],
}

/// Reads the journals, sums them up or compares them, and checks the run against the limits.
pub fn run(args: &ReportArgs) -> Result<(), Failure> {
    let journals = batch::read_journals(&args.run)?;
    if let Some(other) = &args.other {
        let comparison_of = batch::compare(&journals, &batch::read_journals(other)?);
        return match args.json {
            true => stream::print_json(&comparison_of),
            false => stream::print_text(&comparison(&comparison_of)),
        };
    }
    let sum = batch::digest(&journals);
    let exceeded = limits::broken(&args.limit, &journals, &sum);
    match (args.json, args.csv) {
        (true, _) => stream::print_json(&Report { digest: &sum, exceeded: &exceeded })?,
        (_, true) => stream::print(&csv(&journals))?,
        _ => stream::print_text(&digest(&sum))?,
    }
    if let Some(page) = &args.html {
        report_html::write(page, &args.run, &journals, &sum)?;
    }
    limits::tell(&exceeded)
}

/// A text that spreadsheet programs show as it is: one that begins like a formula gets an apostrophe before it.
fn guarded(text: &str) -> String {
    let text = visible(text).replace('\n', "\\n");
    if text.starts_with(['=', '+', '-', '@', '\'']) { format!("'{text}") } else { text }
}

/// One line a clip, in the order of names.
fn csv(journals: &Journals) -> Vec<u8> {
    const SURE: &str = "memory takes everything";
    let mut table = csv::Writer::from_writer(Vec::new());
    let mut head: Vec<String> = ["output", "input", "status", "reason", "family", "joints"]
        .into_iter()
        .chain(["frames", "duration_s", "scale", "repaired", "missing_frames", "misses", "took_s"])
        .map(str::to_owned)
        .collect();
    for number in &NUMBERS {
        let columns = ["", ".worst", ".joint", ".frame"];
        head.extend(columns.map(|column| format!("{}{column}", number.name)));
    }
    table.write_record(&head).expect(SURE);
    for line in journals.lines.values() {
        let mut row = vec![guarded(&line.output), guarded(&line.input)];
        match &line.ending {
            Ending::Failed(failed) => {
                row.extend(["failed".to_owned(), guarded(&failed.reason)]);
                row.resize(head.len(), String::new());
                row[12] = line.took_s.to_string();
            }
            Ending::Done(made) => {
                row.extend(["done".to_owned(), String::new()]);
                row.push(guarded(made.family.as_deref().unwrap_or_default()));
                row.extend([made.joints, made.frames].map(|n| n.to_string()));
                row.extend([made.duration_s, made.scale].map(|x| x.to_string()));
                row.extend([made.repaired.to_string(), made.missing_frames.to_string()]);
                row.push(made.misses.to_string());
                row.push(line.took_s.to_string());
                for number in &NUMBERS {
                    row.extend(made.report.get(number.name).map_or_else(
                        || [const { String::new() }; 4],
                        |m| {
                            let place = (guarded(&m.joint), m.frame.to_string());
                            [m.value.to_string(), m.worst.to_string(), place.0, place.1]
                        },
                    ));
                }
            }
        }
        table.write_record(&row).expect(SURE);
    }
    table.into_inner().expect(SURE)
}
