//! One clip of a run, from its file to its result's.

use super::{Failed, Hash, Hasher, Job, Made, Outcome, Run, Watch};
use crate::batch::place::make_folders;
use crate::batch::plain_name;
use crate::batch::rigs::{Decision, SharedRig};
use crate::convert::{self, Conversion, NewAnimation, Packing, Planned, SourceClip};
use crate::error::Error;
use crate::formats;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// What became of a clip.
pub(super) struct Did<'a> {
    pub outcome: Outcome,
    /// What the journal says of a result that was written.
    pub made: Option<Made>,
    /// What the library decided of its rig, where it was read by that.
    pub rig: Option<&'a SharedRig>,
    /// Whether all other clips would fail in the same way.
    pub stops: bool,
}

impl Did<'_> {
    pub fn failed(failed: Failed) -> Self {
        Self { outcome: Outcome::Failed(failed), made: None, rig: None, stops: false }
    }
}

/// Converts one clip. A bug that panics costs this clip alone. `size` is what the queue counts it for, bytes of text:
/// that of a packed one grows to what it has.
pub(super) fn convert<'a>(run: &'a Run, job: &Job, size: &Cell<u64>) -> Did<'a> {
    match catch_unwind(AssertUnwindSafe(|| try_convert(run, job, size))) {
        Ok(Ok(did)) => did,
        Ok(Err(error)) => {
            let failed = Failed { reason: error.reason().to_owned(), error: error.to_string() };
            let rig = run.rigs.of(run.request.plan, &job.name).shared();
            Did { rig, stops: is_full(&error), ..Did::failed(failed) }
        }
        Err(_) => Did::failed(Failed {
            reason: "bug".to_owned(),
            error: format!(
                "{}: the program itself is wrong here; please report it with this clip",
                job.input.display()
            ),
        }),
    }
}

fn try_convert<'a>(run: &'a Run, job: &Job, size: &Cell<u64>) -> Result<Did<'a>, Error> {
    let request = run.request;
    let bytes = convert::read_raw(&job.input)?;
    let clip = Hash::of(&bytes);
    let output = request.plan.output_of(job);
    let decision = run.rigs.of(request.plan, &job.name);
    let rig = decision.shared();
    if let Some(known) = run.known.get(&job.name)
        && known.clip == clip
        && known.library_rig == rig.map(|rig| rig.said.hash)
        && convert::read_raw(&output).is_ok_and(|result| Hash::of(&result) == known.result)
    {
        return Ok(Did { outcome: Outcome::Kept, made: None, rig, stops: false });
    }
    let text = unpacked(run, job, bytes, size)?;
    let source = convert::read_as(&job.input, &text, &request.reading)?;
    drop(text);
    if let Decision::Doubt(sentence) = decision
        && !request.settings.accept_doubt
    {
        let error = format!("{}: {sentence}", job.input.display());
        return Ok(Did::failed(Failed { reason: "rig_in_doubt".to_owned(), error }));
    }
    // One that surely lies in another world is what it is by itself.
    let rig = rig.filter(|rig| !rig.is_contradicted(&source));
    let written = rig.map_or(request.written, |rig| &rig.written).clone();
    let from = rig.map(|rig| &*rig.path).or(request.from);
    let planned = convert::plan(&source, written, request.target, request.settings, &mut |_| ())
        .map_err(|error| convert::in_written(error, from))?;
    let (conversion, result) = write(run, job, &output, planned)?;
    let made = made(&conversion, &source, clip, result);
    let notes = source.notes.iter().chain(&conversion.notes).cloned().collect();
    let (frames, missing_frames) = (made.frames, made.missing_frames);
    let outcome = Outcome::Done { frames, missing_frames, notes };
    Ok(Did { outcome, made: Some(made), rig, stops: false })
}

/// The text of a clip. One that has more of it than was guessed waits until there is room for it.
fn unpacked(run: &Run, job: &Job, bytes: Vec<u8>, size: &Cell<u64>) -> Result<Vec<u8>, Error> {
    let failed = |source| Error::Read { path: job.input.clone(), source };
    if convert::is_plain(&bytes) {
        return Ok(bytes);
    }
    let room = size.get().max(bytes.len() as u64);
    if let Some(text) = convert::unpack_within(&bytes, room).map_err(failed)? {
        return Ok(text);
    }
    let len = convert::unpacked_len(&bytes).map_err(failed)?;
    run.queue.grow(size.replace(len), len);
    convert::unpacked(&job.input, bytes)
}

/// Makes a result and writes it as it comes; gives what is known of it, and its hash.
fn write(
    run: &Run,
    job: &Job,
    output: &Path,
    planned: Planned,
) -> Result<(Conversion<()>, Hash), Error> {
    let failed = |source| Error::Write { path: output.to_owned(), source };
    let inputs: Vec<&Path> =
        run.inputs.iter().map(|file| file.as_path()).chain([job.input.as_path()]).collect();
    let owner = run.request.plan.shard.owner();
    let settings = &run.request.settings.write;
    let packing = Packing::named(output);
    let made = match formats::is_other_result(output) {
        false => Form::Frames(Box::new(planned)),
        true => {
            let (result, conversion) = planned.collected().apart();
            let (_, name) = job.name.rsplit_once('/').unwrap_or(("", &job.name));
            let animation = NewAnimation { name: plain_name(name), replace: run.request.replace };
            let bytes =
                convert::made_bytes(output, &result, &conversion, run.request.target, animation)?;
            Form::Bytes(bytes, Box::new(conversion))
        }
    };
    let pack = |file: &mut File| {
        let mut out = Hashed { file, hasher: Hasher::default(), watch: run.watch };
        let conversion = match made {
            Form::Frames(planned) => {
                packing.pack_into(&mut out, |out| planned.written(settings, out))?
            }
            Form::Bytes(bytes, conversion) => {
                out.write_all(&bytes)?;
                *conversion
            }
        };
        Ok((conversion, out.hasher.finish()))
    };
    let mut written = None;
    let mut pack = Some(pack);
    run.watch.writes(&mut || {
        let Some(pack) = pack.take() else { return };
        let folders = make_folders(&run.request.plan.output, &job.name).map_err(failed);
        written = Some(folders.and_then(|()| convert::write_owned(output, &inputs, &owner, pack)));
    });
    written.unwrap_or_else(|| Err(failed(io::Error::other("nothing was written"))))
}

/// A result on its way to its file.
enum Form<'a> {
    /// Its frames are made while they are written.
    Frames(Box<Planned<'a>>),
    /// Formats that say first what comes last need it whole.
    Bytes(Vec<u8>, Box<Conversion<()>>),
}

/// A file whose bytes are hashed on their way, and which takes no more once the run is to end at once.
struct Hashed<'a> {
    file: &'a mut File,
    hasher: Hasher,
    watch: &'a dyn Watch,
}

impl io::Write for Hashed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.watch.ends_at_once() {
            return Err(io::Error::other("interrupted"));
        }
        let len = self.file.write(bytes)?;
        self.hasher.update(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn made(conversion: &Conversion<()>, source: &SourceClip, clip: Hash, result: Hash) -> Made {
    let frames = source.clip.len();
    Made {
        clip,
        result,
        family: conversion.recognised.family.map(str::to_owned),
        joints: conversion.binding.source.skeleton.len(),
        frames,
        duration_s: frames as f64 * source.clip.frame_time().seconds(),
        scale: conversion.binding.scale,
        repaired: source.repaired.len(),
        missing_frames: source.missing_frames(),
        misses: conversion.plant.misses.len(),
        report: conversion.report.clone(),
    }
}

/// Whether a disk is full: what one clip met all others will.
fn is_full(error: &Error) -> bool {
    use io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(error, Error::Write { source, .. }
        if matches!(source.kind(), StorageFull | QuotaExceeded | ReadOnlyFilesystem))
}
