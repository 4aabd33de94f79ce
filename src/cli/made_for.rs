//! The rig and the settings that a result was made with. The rig is not recognised anew in the result, where the same
//! mistake would be made again and so stay hidden.

use super::args::{AnimationArgs, ArrayArgs, PairArgs};
use super::failure::Failure;
use super::stream::tell_notes;
use super::text::number;
use super::typed::{Change, Typed};
use crate::batch::{self, Asked};
use crate::convert::{self, Check, LoadedRig, OtherWay, Reading, SourceClip};
use crate::formats;
use crate::rig::RigFile;
use crate::settings::Settings;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

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

/// What the journal beside a result says of it.
pub struct Recorded {
    result: PathBuf,
    /// The clip that it was made of.
    pub source: PathBuf,
    target: PathBuf,
    /// The file that says what the source's rig is.
    pub from: Option<PathBuf>,
    pub settings: Settings,
    /// Whether a scale method was asked for, which goes before the target's own.
    has_scale: bool,
    /// The animation of the clip that was meant.
    pub clip: Option<String>,
    pub arrays: ArrayArgs,
}

/// What files of arrays leave open, as a run was asked for them.
pub fn arrays_of(asked: &Asked) -> ArrayArgs {
    let (layout, fps, smpl_model) = (asked.layout(), asked.fps, asked.smpl_model.clone());
    ArrayArgs { layout, fps, smpl_model }
}

/// What the journal beside a result says of it, where there is one. `to` is the target that the user names, where he
/// does: it need not be found then.
pub fn recorded(result: &Path, to: Option<&Path>) -> Result<Option<Recorded>, Failure> {
    let Some((folder, line)) = batch::line_of(result) else { return Ok(None) };
    let made_for = line.made_for;
    if to.is_none() && !made_for.is_here() {
        return Err(Failure::Usage(format!(
            "{} was made for {}, as its journal says, which is not found from here; run the command in the folder in which \
             the library was retargeted, or name the target with --to",
            result.display(),
            made_for.target
        )));
    }
    let asked = &made_for.asked;
    let settings = asked.settings().map_err(|error| {
        let result = result.display();
        Failure::Usage(format!(
            "{result} was made by another version, with settings that this one does not know ({error}); make it again"
        ))
    })?;
    Ok(Some(Recorded {
        result: result.to_owned(),
        source: PathBuf::from(line.input),
        from: made_for.rig_file(&folder),
        settings,
        has_scale: asked.has_scale(),
        clip: asked.clip.clone(),
        arrays: arrays_of(asked),
        target: PathBuf::from(made_for.target),
    }))
}

impl Recorded {
    /// Reads the target. Prints that it is used.
    pub fn load(&self) -> Result<LoadedRig, Failure> {
        let reading = self.arrays.reading(None);
        let target = load_target(&self.target, &reading, self.settings.accept_doubt)?;
        let note = format!("made for {}, as its journal says", self.target.display());
        tell_notes(&self.result, &[note]);
        Ok(convert::with_asked_scale(target, self.has_scale))
    }
}

/// A source and its result as arguments name them, and how they were made and are read.
pub struct Pair {
    pub args: PairArgs,
    recorded: Option<Recorded>,
    made_of: String,
}

/// What a result is judged with.
pub struct MadeWith {
    pub target: LoadedRig,
    /// What is said of the source's rig, and the file that says it.
    pub written: RigFile,
    pub from: Option<PathBuf>,
    pub settings: Settings,
}

impl Pair {
    /// What the arguments say; what they leave open the journal beside the result says.
    pub fn meant(args: &PairArgs) -> Result<Self, Failure> {
        let recorded = recorded(&args.result, args.rigs.to.as_deref())?;
        let mut args = args.clone();
        if let Some(Recorded { from, clip, arrays, .. }) = &recorded {
            args.rigs.from = args.rigs.from.or_else(|| from.clone());
            args.animations.clip = args.animations.clip.or_else(|| clip.clone());
            args.arrays = args.arrays.or(arrays);
        }
        let made_of = name_of_source(&args.source, args.animations.clip.as_deref());
        Ok(Self { args, recorded, made_of })
    }

    /// The source and the result, each with how it is read.
    pub fn readings(&self) -> [(&PathBuf, Reading<'_>); 2] {
        let files = self.args.files();
        let AnimationArgs { clip, result_clip } = &self.args.animations;
        let [source, result] =
            [clip, result_clip].map(|it| self.args.arrays.reading_among(&files, it.as_deref()));
        let result = Reading { made_of: Some(&self.made_of), ..result };
        [(&self.args.source, source), (&self.args.result, result)]
    }

    /// What a result is judged with: as the arguments say, else the journal beside it, else the character in a result
    /// that is one, else the source's own rig where the result has its skeleton. Beside its own rig a result keeps its
    /// height.
    pub fn made_with(
        &self,
        typed: &Typed,
        [source, result]: [&SourceClip; 2],
    ) -> Result<MadeWith, Failure> {
        let args = &self.args;
        let mut settings =
            self.recorded.as_ref().map_or_else(Settings::default, |it| it.settings.clone());
        args.asked.set(&mut settings);
        let has_scale =
            args.asked.scale.is_some() || self.recorded.as_ref().is_some_and(|it| it.has_scale);
        let from = args.rigs.from.clone();
        let with = |target: LoadedRig, settings| {
            let target = convert::with_asked_scale(target, has_scale);
            let written = convert::read_written(from.as_deref())?;
            Ok(MadeWith { target, written, from: from.clone(), settings })
        };
        if let Some(to) = args.rigs.to.as_deref() {
            let target = load_target(to, &args.arrays.reading(None), settings.accept_doubt)?;
            let fits = |clip: &SourceClip| {
                RigFile::default().check_fit(&target.rig.skeleton, clip.clip.skeleton()).is_ok()
            };
            if fits(source) && !fits(result) {
                return Err(swapped([&args.source, &args.result], to));
            }
            return with(target, settings);
        }
        if let Some(recorded) = &self.recorded {
            return with(recorded.load()?, settings);
        }
        let tell_own = |rig: &str| {
            let note = format!(
                "nothing says what it was made for, and it is judged with {rig}; if that is not its target, name it: {}",
                typed.changed(&[Change::Set("to", "TARGET".to_owned())])
            );
            tell_notes(&result.path, &[note]);
        };
        // A character's own file is its target's, with an animation more.
        if formats::character_ending(&result.path).is_some() {
            tell_own("the rig that is recognised in it");
            return with(LoadedRig::load(&result.path)?, settings);
        }
        let skeletons = [source, result].map(|clip| clip.clip.skeleton());
        if RigFile::default().check_fit(skeletons[0], skeletons[1]).is_err() {
            if let Some((_, line)) = batch::line_of(&source.path) {
                let target = Path::new(&line.made_for.target);
                return Err(swapped([&args.source, &args.result], target));
            }
            let named = |to: &str| typed.changed(&[Change::Set("to", to.to_owned())]);
            if is_named_after(&source.path, &result.path) {
                let swap = Change::Swap(args.source.clone(), args.result.clone());
                let target = Change::Set("to", "TARGET".to_owned());
                return Err(Failure::Usage(format!(
                    "{} is named as a result of {}, and the source comes first; swap them, and name the target: {}",
                    source.path.display(),
                    result.path.display(),
                    typed.changed(&[swap, target])
                )));
            }
            return Err(Failure::Usage(format!(
                "{} does not say which target it was made for; name the target: {}, or have its rig recognised in it: {} \
                 (the source comes first, then the result)",
                result.path.display(),
                named("TARGET"),
                named(&result.path.display().to_string())
            )));
        }
        if source.path != result.path {
            tell_own("its source's rig, whose skeleton it has, at its source's height");
        }
        let written = convert::read_written(from.as_deref())?;
        let own = convert::source_rig(source, written)?;
        settings.keep_floor = true;
        args.asked.set(&mut settings);
        with(own, settings)
    }
}

/// What the animation in a character is called that was made of a clip: as its animation, else as its file, after folders
/// where the clip is of a library.
pub fn name_of_source(source: &Path, clip: Option<&str>) -> String {
    let of_file =
        || batch::plain_name(&source.to_string_lossy().replace(MAIN_SEPARATOR, "/")).to_owned();
    clip.map_or_else(of_file, str::to_owned)
}

/// Whether a file is named as the result of a clip is where nobody names it: `walk.hero.bvh` of walk.bvh.
fn is_named_after(result: &Path, clip: &Path) -> bool {
    let stem = |path: &Path| {
        let stem = convert::unpacked_name(path).file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    };
    stem(result).starts_with(&format!("{}.", stem(clip)))
}

/// That a result was named before its source; `to` is the target that it was made for.
pub fn swapped([source, result]: [&Path; 2], to: &Path) -> Failure {
    let sentence = format!(
        "the source comes first and then the result, and {} is the result here; swap them",
        source.display()
    );
    let swap = Change::Swap(source.to_owned(), result.to_owned());
    Failure::Meant(sentence, vec![swap, Change::Set("to", to.display().to_string())])
}

/// Prints that the rig of what may be a result is recognised in it, and how its target is named.
pub fn tell_recognised(result: &Path, typed: &Typed) {
    let note = format!(
        "its rig is recognised in it, as a source's is; if it is a result, name the target: {}",
        typed.changed(&[Change::Set("to", "TARGET".to_owned())])
    );
    tell_notes(result, &[note]);
}

/// Prints what the conversion made of the source, and that a result may have been made with other settings, where its way
/// shows it.
pub fn tell_checked(
    check: &Check,
    [source, result]: [&SourceClip; 2],
    settings: &Settings,
    typed: &Typed,
) {
    tell_notes(&source.path, &check.notes);
    let OtherWay { stays, times, is_turned, is_raised } = check.other_way(&result.clip);
    let mut found: Vec<(String, Change)> = Vec::new();
    if stays {
        let stays = "stays where it begins, and its source does not".to_owned();
        found.push((stays, Change::Give("in-place")));
    }
    if let Some(times) = times {
        let factor = check.binding.scale * times;
        let scale = match (factor - 1.0).abs() < NEAR {
            true => "none".to_owned(),
            false => number(factor, 3),
        };
        let travels = format!("travels {} times as far as with this scale", number(times, 2));
        found.push((travels, Change::Set("scale", scale)));
    }
    if is_turned {
        let word = if settings.face_forward { "keep" } else { "forward" };
        found.push((
            "goes another way than with this facing".to_owned(),
            Change::Set("facing", word.to_owned()),
        ));
    }
    if is_raised {
        let word = if settings.keep_floor { "target" } else { "keep" };
        found.push((
            "stands at another height than with this floor".to_owned(),
            Change::Set("floor", word.to_owned()),
        ));
    }
    if found.is_empty() {
        return;
    }
    let (found, changes): (Vec<String>, Vec<Change>) = found.into_iter().unzip();
    let note = format!(
        "it {}; if it was made so, say so: {}",
        found.join(", and it "),
        typed.changed(&changes)
    );
    tell_notes(&result.path, &[note]);
}

/// How near a factor is to 1 of a result that seems to be made with no scale at all.
const NEAR: f64 = 0.03;
