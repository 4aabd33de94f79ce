//! `retarget report --html`: a page about a library's run, which shows its worst clips.

mod clip;
mod spread;

use super::draw;
use super::failure::Failure;
use super::html::filled;
use super::report_text;
use super::stream::Stream;
use super::text::first_line;
use crate::batch::{self, Digest, Journals};
use crate::convert;
use crate::error::Error;
use clip::ClipShown;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("report_html/page.html");
const CSS: &str = include_str!("report_html/page.css");

/// How many of the worst clips the page shows, each with a sheet and a view.
const SHOWN: usize = 8;

/// Writes the page, and beside it a folder `PAGE-views` with a view of each clip that the page shows. `run` is the
/// run's folder or its journal.
pub fn write(page: &Path, run: &Path, journals: &Journals, sum: &Digest) -> Result<(), Failure> {
    let results = if run.is_dir() { run } else { run.parent().unwrap_or(Path::new("")) };
    let mut views = page.file_stem().unwrap_or_default().to_owned();
    views.push("-views");
    let folder = page.with_file_name(&views);
    let of_lines = journals.lines.values();
    let files: Vec<PathBuf> = of_lines
        .flat_map(|line| [PathBuf::from(&line.input), results.join(&line.output)])
        .chain(journals.files.clone())
        .collect();
    let inputs: Vec<&Path> = files.iter().map(|file| file.as_path()).collect();
    // Refused before anything is written.
    convert::refuse_input(page, &inputs)?;
    if !sum.worst.is_empty() {
        let failed = |source| Error::Write { path: folder.clone(), source };
        std::fs::create_dir_all(&folder).map_err(failed)?;
    }
    let mut clips = String::new();
    for (i, worst) in sum.worst.iter().take(SHOWN).enumerate() {
        let line = &journals.lines[&worst.clip];
        let stem = batch::plain_name(&worst.clip);
        let stem = stem.rsplit_once('/').map_or(stem, |(_, last)| last);
        let shown = ClipShown::new(line, results, stem);
        let name = format!("{:02}-{stem}.html", i + 1);
        if let Ok(view) = &shown.view {
            Stream::File(folder.join(&name)).write(view.clone().into_bytes(), &inputs)?;
        }
        let link = format!("{}/{name}", views.to_string_lossy());
        clips += &shown.section(worst, &link);
    }
    let made = filled(PAGE, |place| match place {
        "colours" => draw::variables(),
        "css" => CSS.to_owned(),
        "title" => draw::escaped(&results.display().to_string()),
        "totals" => report_text::totals(sum).lines().fold(String::new(), |mut out, line| {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "<li>{}</li>", draw::escaped(line));
            out
        }),
        "numbers" => sum.numbers.iter().map(|s| spread::row(s, journals)).collect(),
        "failures" => failures(sum),
        _ => clips.clone(),
    });
    Stream::File(page.to_owned()).write(made.into_bytes(), &inputs)
}

fn failures(sum: &Digest) -> String {
    if sum.failures.is_empty() {
        return String::new();
    }
    let row = |failure: &crate::batch::FailureCount| {
        let sentence = first_line(&failure.error);
        let [reason, sentence] = [&failure.reason, sentence].map(draw::escaped);
        let clips = failure.clips;
        format!("<tr><td>{clips}</td><td>{reason}</td><td>{sentence}</td></tr>\n")
    };
    let rows: String = sum.failures.iter().map(row).collect();
    format!("<h2>Failures</h2>\n<table class=\"left\"><tbody>\n{rows}</tbody></table>\n")
}
