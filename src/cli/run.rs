//! One clip onto one target.

use super::failure::{Failure, say};
use super::job::{Job, Told};
use super::progress::Progress;
use super::stream::{self, Stream};
use super::summary::Summary;
use retarget::convert;
use retarget::error::Error;
use retarget::rig::RigFile;
use std::path::{Path, PathBuf};

/// Reads, converts, writes, and tells about it.
pub fn run(job: Job) -> Result<(), Failure> {
    let progress = Progress::new(job.told == Told::Nothing);
    progress.stage("reading");
    let (path, bytes) = job.input.read()?;
    let source = convert::read_clip(&path, &bytes)?;
    let mut target = convert::load_rig(&job.target)?;
    if job.scale.is_some() {
        target.file.scale = None;
    }
    let written = job.from.as_deref().map_or(Ok(RigFile::default()), convert::read_source_file)?;
    let conversion =
        convert::convert_watched(&source, written, &target, &job.settings, &mut |stage| {
            progress.stage(stage);
        })
        .map_err(|error| in_written(error, job.from.as_deref()))?;
    progress.stage("writing");
    let result = convert::bvh_bytes(&conversion.result, &job.settings);
    let files = target.files();
    let inputs: Vec<&Path> = files
        .iter()
        .map(PathBuf::as_path)
        .chain(job.input.file())
        .chain(job.from.as_deref())
        .collect();
    job.output.write(&result, &inputs)?;
    drop(progress);
    let summary = Summary::new(&job, &source, &target, &conversion);
    match job.told {
        Told::Nothing => Ok(()),
        Told::Json => stream::print_json(&summary),
        Told::Short | Told::All => {
            let text = summary.text(job.told == Told::All);
            match job.output {
                // The result itself has standard output.
                Stream::Standard => {
                    say(&text);
                    Ok(())
                }
                Stream::File(_) => stream::print(text.as_bytes()),
            }
        }
    }
}

/// Once the target is loaded, what is wrong in a rig's file is wrong in what the user wrote of the
/// source, not in the clip that it is about.
pub fn in_written(error: Error, from: Option<&Path>) -> Error {
    match (error, from) {
        (Error::RigFile { source, .. }, Some(from)) => {
            Error::RigFile { path: from.to_owned(), source }
        }
        (error, _) => error,
    }
}
