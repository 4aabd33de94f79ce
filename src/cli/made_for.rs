//! The rig that a result was made for. It is not recognised anew in the result, where the same mistake would be made
//! again and so stay hidden.

use super::args::PairArgs;
use super::failure::Failure;
use super::stream::tell_notes;
use super::typed::Change;
use crate::batch;
use crate::convert::{self, LoadedRig, Reading, SourceClip};
use crate::error::shell_path;
use crate::formats;
use crate::rig::RigFile;
use crate::settings::Settings;
use std::path::{Path, PathBuf};

/// Reads a target, and prints what was assumed.
pub fn load_target(
    path: &Path,
    reading: &Reading,
    accept_doubt: bool,
) -> Result<LoadedRig, Failure> {
    let target = convert::load_rig_as(path, reading, accept_doubt)?;
    tell_notes(&target.path, &target.notes);
    Ok(target)
}

/// What a result is judged with.
pub struct MadeWith {
    pub target: LoadedRig,
    /// What is said of the source's rig, and the file that says it.
    pub written: RigFile,
    pub from: Option<PathBuf>,
    pub settings: Settings,
}

/// What the arguments of `command` say of a source and its result; what they leave open the journal beside the result
/// says, or the character in a result that is one, or the source's own rig where the result has its skeleton. Beside
/// its own rig a result keeps its height.
pub fn made_with(
    command: &str,
    pair: &PairArgs,
    [source, result]: [&SourceClip; 2],
) -> Result<MadeWith, Failure> {
    let line = |source: &SourceClip, result: &SourceClip, to: &Path| {
        let [source, result, to] = [&source.path, &result.path, to].map(shell_path);
        format!("retarget {command} {source} {result} --to {to}")
    };
    let swap = |to: &Path| {
        let sentence = format!(
            "the source comes first and then the result, and {} is the result here; swap them",
            source.path.display()
        );
        let swap = Change::Swap(pair.source.clone(), pair.result.clone());
        Failure::Meant(sentence, vec![swap, Change::Set("to", to.display().to_string())])
    };
    let with = |target, from: Option<PathBuf>, mut settings: Settings| {
        let written = convert::read_written(from.as_deref())?;
        pair.placing.set(&mut settings);
        Ok(MadeWith { target, written, from, settings })
    };
    let from = pair.rigs.from.clone();
    if let Some(to) = pair.rigs.to.as_deref() {
        let target = load_target(to, &pair.arrays.reading(None), false)?;
        let fits = |clip: &SourceClip| {
            RigFile::default().check_fit(&target.rig.skeleton, clip.clip.skeleton()).is_ok()
        };
        if fits(source) && !fits(result) {
            return Err(swap(to));
        }
        return with(target, from, Settings::default());
    }
    // A character's own file is its target's, with an animation more.
    if formats::character_ending(&result.path).is_some() {
        return with(convert::LoadedRig::load(&result.path)?, from, Settings::default());
    }
    if let Some(recorded) = recorded(&result.path)? {
        return with(recorded.target, from.or(recorded.from), recorded.settings);
    }
    let skeletons = [source, result].map(|clip| clip.clip.skeleton());
    if RigFile::default().check_fit(skeletons[0], skeletons[1]).is_err() {
        if let Some((_, line)) = batch::line_of(&source.path) {
            return Err(swap(Path::new(&line.made_for.target)));
        }
        return Err(Failure::Usage(format!(
            "{} does not say which target it was made for; name the target: {}, or have its rig recognised in it: {} \
             (the source comes first, then the result)",
            result.path.display(),
            line(source, result, Path::new("TARGET")),
            line(source, result, &result.path)
        )));
    }
    let written = convert::read_written(from.as_deref())?;
    let own = convert::source_rig(source, written)?;
    with(own, from, Settings { keep_floor: true, ..Settings::default() })
}

/// What the journal beside a result says of it.
pub struct Recorded {
    /// The clip that it was made of.
    pub source: PathBuf,
    pub target: LoadedRig,
    /// The file that says what the source's rig is.
    pub from: Option<PathBuf>,
    /// Of them where the result was put in the world; a journal has no others.
    pub settings: Settings,
}

/// What the journal beside a result says of it, where its target is found from here. Prints that it is used.
pub fn recorded(result: &Path) -> Result<Option<Recorded>, Failure> {
    let recorded = batch::line_of(result).filter(|(_, line)| line.made_for.is_here());
    let Some((folder, line)) = recorded else { return Ok(None) };
    let made_for = line.made_for;
    let target = load_target(Path::new(&made_for.target), &Reading::default(), false)?;
    tell_notes(result, &[format!("made for {}, as its journal says", made_for.target)]);
    let (from, settings) = (made_for.rig_file(&folder), made_for.settings());
    Ok(Some(Recorded { source: PathBuf::from(line.input), target, from, settings }))
}
