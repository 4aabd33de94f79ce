//! One clip onto one target.

use super::failure::{Failure, say};
use super::job::Job;
use super::limits;
use super::progress::Progress;
use super::setup::Told;
use super::stream::{self, Stream};
use super::summary::Summary;
use retarget::convert;
use std::path::{Path, PathBuf};

/// Reads, converts, writes, and tells about it.
pub fn run(job: Job) -> Result<(), Failure> {
    let progress = Progress::new(job.setup.told == Told::Nothing);
    progress.stage("reading");
    let (path, bytes) = job.input.read()?;
    let source = convert::read_clip(&path, &bytes)?;
    let (target, written) = job.setup.load()?;
    let conversion =
        convert::convert_watched(&source, written, &target, &job.setup.settings, &mut |stage| {
            progress.stage(stage);
        })
        .map_err(|error| convert::in_written(error, job.setup.from.as_deref()))?;
    progress.stage("writing");
    let result = match job.output.file().filter(|path| convert::is_glb(path)) {
        Some(path) => convert::glb_bytes(path, &conversion)?,
        None => convert::bvh_bytes(&conversion.result, &job.setup.settings),
    };
    let files = target.files();
    let inputs: Vec<&Path> = files
        .iter()
        .map(PathBuf::as_path)
        .chain(job.input.file())
        .chain(job.setup.from.as_deref())
        .collect();
    job.output.write(result, &inputs)?;
    drop(progress);
    let summary = Summary::new(&job, &source, &target, &conversion);
    if let Some(report) = &job.report {
        let outputs = inputs.iter().copied().chain(job.output.file()).collect::<Vec<&Path>>();
        report.write(stream::json(&summary), &outputs)?;
    }
    match job.setup.told {
        Told::Nothing => {}
        Told::Json => stream::print_json(&summary)?,
        Told::Short | Told::All => {
            let text = summary.text(job.setup.told == Told::All);
            match job.output {
                // The result itself has standard output.
                Stream::Standard => say(&text),
                Stream::File(_) => stream::print(text.as_bytes())?,
            }
        }
    }
    limits::hold(&job.setup.limits, &conversion.report)
}
