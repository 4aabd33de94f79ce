//! One clip onto one target.

use super::failure::{Failure, say};
use super::job::Job;
use super::limits;
use super::progress::Progress;
use super::setup::Verbosity;
use super::stream::{self, Stream};
use super::summary::Summary;
use crate::blocks;
use crate::convert::{self, NewAnimation};
use std::path::{Path, PathBuf};

/// Reads, converts, writes, and prints a summary.
pub fn run(job: Job) -> Result<(), Failure> {
    match job.threads {
        Some(threads) => blocks::with_threads(threads, || run_on_threads(job)),
        None => {
            blocks::lead();
            run_on_threads(job)
        }
    }
}

fn run_on_threads(job: Job) -> Result<(), Failure> {
    let progress = Progress::new(job.setup.verbosity == Verbosity::Nothing);
    progress.stage("reading");
    let arrays = &job.setup.arrays;
    let read = [job.input.file().unwrap_or(Path::new("-")), &job.setup.target];
    let reading = arrays.reading_among(&read, job.clip.as_deref());
    let mut source = job.input.read_clip(&reading)?;
    source.contacts = job.use_contacts.as_deref().map(convert::LoadedContacts::load).transpose()?;
    let (target, written) = job.setup.load()?;
    let settings = &job.setup.settings;
    let planned =
        convert::plan(&source, written, &target, settings, &mut |stage| progress.stage(stage))
            .map_err(|error| convert::in_written(error, job.setup.from.as_deref()))?;
    let files = target.files();
    let inputs: Vec<&Path> = files
        .iter()
        .map(PathBuf::as_path)
        .chain(job.input.file())
        .chain(job.setup.from.as_deref())
        .chain(job.use_contacts.as_deref())
        .chain(arrays.smpl_model.as_deref())
        .collect();
    let as_bvh = |path: &&Path| convert::is_bvh_name(path) || convert::is_device(path);
    let other_format = job.output.file().filter(|path| !as_bvh(path));
    let conversion = match other_format {
        None => job.output.write_with(&inputs, |out| planned.written(&settings.write, out))?,
        Some(path) => {
            let (result, conversion) = planned.collected().apart();
            let animation = NewAnimation { name: &job.animation_name(), replace: job.replace };
            let bytes = convert::made_bytes(path, &result, &conversion, &target, animation)?;
            job.output.write(bytes, &inputs)?;
            conversion
        }
    };
    // One output may not be written over another either.
    let mut written: Vec<&Path> = inputs.iter().copied().chain(job.output.file()).collect();
    if let Some(path) = &job.contacts {
        let rig = &conversion.binding.source;
        let frame_time_s = source.clip.frame_time().seconds();
        let name = source.path.display().to_string();
        let text = conversion.contacts.to_text(path, rig, &name, frame_time_s);
        Stream::File(path.clone()).write(text.into_bytes(), &written)?;
        written.push(path);
    }
    drop(progress);
    stream::tell_notes(&source.path, &conversion.notes);
    let summary = Summary::new(&job, &source, &target, &conversion);
    if let Some(report) = &job.report {
        report.write(stream::json(&summary), &written)?;
    }
    match job.setup.verbosity {
        Verbosity::Nothing => {}
        Verbosity::Json => stream::print_json(&summary)?,
        Verbosity::Short | Verbosity::All => {
            let text = summary.text(job.setup.verbosity == Verbosity::All);
            match job.output {
                // Standard output is taken by the result itself.
                Stream::Standard => say(&text),
                Stream::File(_) => stream::print_text(&text)?,
            }
        }
    }
    limits::hold(&job.setup.limits, &conversion.report)
}
