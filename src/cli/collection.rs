//! Many clips into one character: its file with an animation of each.

use super::args::RetargetArgs;
use super::failure::{Failure, say};
use super::interrupt;
use super::library::named;
use super::progress::Progress;
use super::setup::{Setup, Told};
use super::stream::{self, Stream, is_dash};
use super::text::count;
use retarget::batch;
use retarget::convert::{self, AnimationTracks, Character};
use retarget::error::Error;
use retarget::report::Report;
use serde::Serialize;
use std::io::{self, Seek};
use std::path::{Path, PathBuf};

/// What became of the clips. Its fields are the keys of `--json`.
#[derive(Serialize)]
struct Summary {
    output: String,
    animations: Vec<Made>,
    failed: Vec<String>,
}

#[derive(Serialize)]
struct Made {
    name: String,
    frames: usize,
    report: Report,
}

/// Whether the arguments mean it: many clips, and a result that is a character's file.
pub fn is_meant(args: &RetargetArgs) -> bool {
    let output = args.output.as_deref();
    output.is_some_and(|path| convert::character_ending(path).is_some() && !path.is_dir())
}

/// Carries each clip over and adds it to the file. A clip that fails is told and left out. Memory: the largest clip, and
/// some kilobytes of each.
pub fn run(args: &RetargetArgs) -> Result<(), Failure> {
    let usage = |message: &str| Err(Failure::Usage(message.to_owned()));
    let only_of_libraries = [
        (args.resume, "--resume"),
        (args.shard.is_some(), "--shard"),
        (args.report.is_some(), "--report"),
        (args.contacts.is_some(), "--contacts"),
        (args.use_contacts.is_some(), "--use-contacts"),
        (args.name.is_some(), "--name"),
        (args.root_motion.is_some(), "--root-motion"),
    ];
    if let Some((_, option)) = only_of_libraries.iter().find(|(given, _)| *given) {
        let message = format!(
            "{option} is not done for many clips into one file; name a folder with -o, or one clip"
        );
        return usage(&message);
    }
    if args.inputs.iter().any(|input| is_dash(input)) || args.files_from.is_some() {
        return usage("name the clips, or their folder, where they go into one file");
    }
    let setup = Setup::meant(args)?;
    let output = args.output.clone().expect("asked for before");
    let progress = Progress::new(setup.told == Told::Nothing);
    let (target, written) = setup.load()?;
    let Some(character) = target.character.as_deref().filter(|it| it.writes(&output)) else {
        return Err(Error::OtherFormat {
            path: output,
            target: target.path.clone(),
            wanted: target.character.as_ref().map_or("a folder, for a library", |it| it.endings()),
        }
        .into());
    };
    let clips = batch::find(&args.inputs.iter().map(|input| named(input)).collect::<Vec<_>>())?;
    let lost = clips.lost.iter();
    let mut failed: Vec<String> =
        lost.map(|lost| format!("{}: {}", lost.path.display(), lost.error)).collect();
    let files = target.files();
    let inputs: Vec<&Path> = files
        .iter()
        .map(PathBuf::as_path)
        .chain(clips.found.iter().map(|clip| clip.path.as_path()))
        .chain(setup.from.as_deref())
        .collect();
    convert::refuse_input(&output, &inputs)?;
    let unwritten = |source| Error::Write { path: output.clone(), source };
    let mut numbers = tempfile::tempfile().map_err(unwritten)?;
    let mut appending = character.appending(args.replace);
    let mut animations: Vec<Made> = Vec::new();
    for clip in &clips.found {
        if interrupt::is_ending() {
            return Err(Failure::Interrupted);
        }
        progress.stage(&clip.name);
        let name = animation_name(&clip.name);
        let made = convert::load_take(&clip.path, args.clip.as_deref()).and_then(|source| {
            let done = convert::convert(&source, written.clone(), &target, &setup.settings)?;
            let tracks = character.tracks(&done.result, &target.rig.roles);
            Ok((tracks, done.result.frame_time().clone(), done.result.len(), done.report))
        });
        let made = made.and_then(|(tracks, time, frames, report)| {
            let animation = AnimationTracks { name: &name, tracks: &tracks, time: &time };
            appending.push(&animation, &mut numbers)?;
            Ok(Made { name: name.clone(), frames, report })
        });
        match made {
            Ok(made) => animations.push(made),
            Err(error) => failed.push(error.to_string()),
        }
    }
    for error in &failed {
        say(&format!("failed: {}", error.lines().next().unwrap_or_default()));
    }
    if animations.is_empty() {
        say(&format!("{} was not written, since no clip could be carried over", output.display()));
        return Err(Failure::Told);
    }
    let [head, tail] = appending.around()?;
    numbers.rewind().map_err(unwritten)?;
    Stream::File(output.clone()).write_with(&inputs, |out| {
        out.write_all(&head)?;
        io::copy(&mut numbers, out)?;
        out.write_all(&tail)
    })?;
    drop(progress);
    let told = Summary { output: output.display().to_string(), animations, failed };
    match setup.told {
        Told::Nothing => {}
        Told::Json => stream::print_json(&told)?,
        _ => stream::print_text(&text(&told, character))?,
    }
    if told.failed.is_empty() { Ok(()) } else { Err(Failure::Told) }
}

/// The place of a clip in its library without its ending.
fn animation_name(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let packed = [".gz", ".zst"].into_iter().find(|end| lower.ends_with(end)).map_or(0, str::len);
    let name = &name[..name.len() - packed];
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => name.to_owned(),
    }
}

fn text(told: &Summary, character: &Character) -> String {
    let frames = told.animations.iter().map(|made| made.frames).sum();
    let mut out = format!(
        "{}: {}, {} with {} more\n",
        told.output,
        count(frames, "frame"),
        character.path.display(),
        count(told.animations.len(), "animation"),
    );
    let mut flawed: Vec<&Made> =
        told.animations.iter().filter(|made| made.report.flaws().next().is_some()).collect();
    flawed.sort_by_key(|made| !made.report.snaps());
    for made in flawed {
        for (number, measure) in made.report.flaws() {
            out.push_str(&format!(
                "look at   {:?}: {} {:.3}, good is {}; {:?}, frame {}\n",
                made.name, number.name, measure.value, number.reach, measure.joint, measure.frame
            ));
        }
    }
    out
}
