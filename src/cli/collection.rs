//! Many clips into one character: its file with an animation of each.

use super::args::RetargetArgs;
use super::failure::{Failure, say};
use super::interrupt;
use super::library::named;
use super::limits;
use super::progress::Progress;
use super::setup::{Setup, Verbosity};
use super::stream::{self, Stream, is_dash};
use super::text::{count, first_line};
use super::typed::{Change, folder_of, set_output};
use crate::batch;
use crate::blocks;
use crate::convert::{self, AnimationTracks, Character};
use crate::error::Error;
use crate::formats;
use crate::report::Report;
use serde::Serialize;
use std::io::{BufReader, Seek};
use std::path::{Path, PathBuf};

/// What became of the clips. Its fields are the keys of `--json`.
#[derive(Serialize)]
struct Summary {
    output: String,
    animations: Vec<Made>,
    failed: Vec<String>,
    /// Clips that were not begun.
    left: usize,
}

#[derive(Serialize)]
struct Made {
    name: String,
    frames: usize,
    /// Frames that the clip's file announces or begins and does not have.
    missing_frames: u64,
    report: Report,
}

/// Whether the arguments ask for one file of many animations: many clips, and a character's file as the result.
pub fn is_meant(args: &RetargetArgs) -> bool {
    let output = args.output.as_deref();
    output.is_some_and(|path| formats::character_ending(path).is_some() && !path.is_dir())
}

/// Retargets each clip and adds it to the file. A clip that fails is reported and left out. Takes the memory of the
/// largest clip, and some kilobytes for each one.
pub fn run(args: &RetargetArgs) -> Result<(), Failure> {
    refuse_unfit(args)?;
    match args.threads {
        Some(threads) => blocks::with_threads(threads, || run_on_threads(args)),
        None => {
            blocks::lead();
            run_on_threads(args)
        }
    }
}

/// Refuses arguments that have no meaning where many clips become one file.
fn refuse_unfit(args: &RetargetArgs) -> Result<(), Failure> {
    let meant = |sentence: String, changes: Vec<Change>| Err(Failure::Meant(sentence, changes));
    let output = args.output.as_deref().expect("asked for before");
    let of_folders = [
        (args.resume, "resume"),
        (args.shard.is_some(), "shard"),
        (args.format.is_some(), "format"),
        (args.files_from.is_some(), "files-from"),
    ];
    if let Some((_, option)) = of_folders.iter().find(|(given, _)| *given) {
        let sentence =
            format!("--{option} is not done for many clips into one file; name a folder with -o");
        return meant(sentence, vec![set_output(&folder_of(output))]);
    }
    let of_one_clip = [
        (args.report.is_some(), "report"),
        (args.contacts.is_some(), "contacts"),
        (args.use_contacts.is_some(), "use-contacts"),
        (args.name.is_some(), "name"),
    ];
    if let Some((_, option)) = of_one_clip.iter().find(|(given, _)| *given) {
        let sentence = format!("--{option} is about one clip, and these are many; leave it out");
        return meant(sentence, vec![Change::Leave(option)]);
    }
    if let Some(jobs) = args.jobs {
        let sentence = "clips that go into one file are retargeted one after the other; say how many threads each has \
                        with --threads instead of --jobs";
        let changes = vec![Change::Leave("jobs"), Change::Set("threads", jobs.to_string())];
        return meant(sentence.to_owned(), changes);
    }
    if args.inputs.iter().any(|input| is_dash(input)) {
        let sentence = "standard input holds one clip; name the clips, or their folder";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    Ok(())
}

fn run_on_threads(args: &RetargetArgs) -> Result<(), Failure> {
    let setup = Setup::meant(args)?;
    let output = args.output.clone().expect("asked for before");
    let progress = Progress::new(setup.verbosity == Verbosity::Nothing);
    let (target, written) = setup.load()?;
    let Some(character) = target.character.as_deref().filter(|it| it.writes(&output)) else {
        return Err(match &target.character {
            Some(character) => {
                let (target, wanted) = (target.path.clone(), character.endings());
                Error::OtherFormat { path: output, target, wanted }.into()
            }
            None => no_character(&output, &target.path),
        });
    };
    let named: Vec<_> = args.inputs.iter().map(|input| named(input)).collect();
    let files = target.files();
    let clips = batch::find(&named)?.without(&files, &named);
    let clips = clips.without(std::slice::from_ref(&output), &named);
    let inputs: Vec<&Path> = files
        .iter()
        .map(PathBuf::as_path)
        .chain(clips.found.iter().map(|clip| clip.path.as_path()))
        .chain(setup.from.as_deref())
        .collect();
    convert::refuse_input(&output, &inputs)?;
    let mut failed: Vec<(String, String)> = Vec::new();
    for lost in &clips.lost {
        failed.push((lost.name.clone(), format!("{}: {}", lost.path.display(), lost.error)));
    }
    let unwritten = |source| Error::Write { path: output.clone(), source };
    let mut numbers = tempfile::tempfile().map_err(unwritten)?;
    let mut appending = character.appending(args.replace)?;
    let mut animations: Vec<Made> = Vec::new();
    let mut left = clips.found.len();
    let read: Vec<&Path> =
        clips.found.iter().map(|clip| &*clip.path).chain([&*setup.target]).collect();
    let reading = setup.arrays.reading_among(&read, args.clip.as_deref());
    for clip in &clips.found {
        if interrupt::is_ending() {
            return Err(Failure::Interrupted);
        }
        if args.fail_fast && !failed.is_empty() {
            break;
        }
        left -= 1;
        progress.stage(&clip.name);
        let name = batch::plain_name(&clip.name).to_owned();
        let made = convert::load_as(&clip.path, &reading).and_then(|source| {
            stream::tell_notes(&source.path, &source.notes);
            let done = convert::convert(&source, written.clone(), &target, &setup.settings)
                .map_err(|error| convert::in_written(error, setup.from.as_deref()))?;
            let tracks = character.tracks(&done.result, &target.rig.roles);
            let time = done.result.frame_time();
            let animation = AnimationTracks { name: &name, tracks: &tracks, time };
            appending.push(&animation, &mut numbers)?;
            let (frames, missing_frames) = (done.result.len(), source.missing_frames());
            Ok(Made { name: name.clone(), frames, missing_frames, report: done.report })
        });
        match made {
            Ok(made) => {
                if let Some(missing) = stream::missing(&clip.path, made.missing_frames) {
                    say(&format!("warning: {missing}"));
                }
                animations.push(made);
            }
            Err(error) => failed.push((clip.name.clone(), error.to_string())),
        }
    }
    for (_, error) in &failed {
        say(&format!("failed: {}", first_line(error)));
    }
    if animations.is_empty() {
        say(&format!("{} was not written, since no clip could be retargeted", output.display()));
        return Err(Failure::Reported);
    }
    let [head, tail] = appending.around()?;
    numbers.rewind().map_err(unwritten)?;
    let mut numbers = BufReader::new(numbers);
    Stream::File(output.clone()).write_with(&inputs, |out| {
        out.write_all(&head)?;
        appending.copy(&mut numbers, head.len(), out)?;
        out.write_all(&tail)
    })?;
    drop(progress);
    let (failed, errors): (Vec<String>, Vec<String>) = failed.into_iter().unzip();
    let summary =
        Summary { output: output.display().to_string(), animations, failed: errors, left };
    match setup.verbosity {
        Verbosity::Nothing => {}
        Verbosity::Json => stream::print_json(&summary)?,
        _ => stream::print_text(&text(&summary, character))?,
    }
    if !failed.is_empty() {
        return Err(Failure::Reported);
    }
    let done: Vec<_> = summary.animations.iter().map(|it| (it.name.as_str(), &it.report)).collect();
    let exceeded = setup.limits.iter().filter_map(|limit| limit.check_reports(&done, &[]));
    limits::tell(&exceeded.collect::<Vec<_>>())
}

/// That one file of many animations cannot be made of a target that is no character.
fn no_character(output: &Path, target: &Path) -> Failure {
    let sentence = format!(
        "one file of many animations is made of a character alone, and {} is none; the results of a library go into a \
         folder",
        target.display()
    );
    let ending = output.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let format = ["glb", "vrma"].contains(&&*ending).then_some(Change::Set("format", ending));
    let folder = set_output(&folder_of(output));
    Failure::Meant(sentence, std::iter::once(folder).chain(format).collect())
}

fn text(summary: &Summary, character: &Character) -> String {
    let frames = summary.animations.iter().map(|made| made.frames).sum();
    let mut out = format!(
        "{}: {}, {} with {} more\n",
        summary.output,
        count(frames, "frame"),
        character.path.display(),
        count(summary.animations.len(), "animation"),
    );
    if summary.left > 0 {
        out.push_str(&format!("{} not begun\n", count(summary.left, "clip")));
    }
    let mut flawed: Vec<&Made> =
        summary.animations.iter().filter(|made| made.report.flaws().next().is_some()).collect();
    flawed.sort_by_key(|made| !made.report.snaps());
    for made in flawed {
        for (number, measure) in made.report.flaws() {
            out.push_str(&format!(
                "look at   {:?}: {} {:.3}, limit {}; {:?}, frame {}\n",
                made.name,
                number.name,
                measure.value,
                number.threshold,
                measure.joint,
                measure.frame
            ));
        }
    }
    out
}
