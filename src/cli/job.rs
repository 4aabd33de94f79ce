//! The conversion of one clip, from the arguments as typed.

use super::args::{FootPlantsArg, RetargetArgs};
use super::failure::Failure;
use super::setup::Setup;
use super::stream::Stream;
use super::typed::{Change, make_folder, set_output};
use crate::convert::{self, unpacked_name};
use crate::error::{Error, shell_path, shell_word};
use crate::formats;
use crate::plant::FootPlants;
use crate::rig::Scale;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf, is_separator};

/// One clip to be retargeted onto one target.
#[derive(Debug)]
pub struct Job {
    pub input: Stream,
    pub output: Stream,
    /// The animation of the input that is meant, where it holds several.
    pub clip: Option<String>,
    /// The name of the animation that a character gets, and whether it may replace one.
    pub name: Option<String>,
    pub replace: bool,
    /// What the user says of when the feet stand.
    pub use_contacts: Option<PathBuf>,
    /// Where the contacts go, if anywhere.
    pub contacts: Option<PathBuf>,
    /// Where the report goes, if anywhere.
    pub report: Option<Stream>,
    pub setup: Setup,
    /// Threads for the clip's blocks; one for each core where nothing is said.
    pub threads: Option<NonZeroUsize>,
}

impl Job {
    /// What the arguments mean, of which `input` is the clip. Opens no file.
    pub fn meant(input: PathBuf, args: &RetargetArgs) -> Result<Self, Failure> {
        let setup = Setup::meant(args)?;
        let input = Stream::new(input);
        let output = match &args.output {
            Some(path) => Stream::new(path.clone()),
            None => default_output(&input, args),
        };
        if let Some(path) = output.file()
            && !formats::is_result_name(path)
            && !convert::is_device(path)
        {
            // A library that is not there looks like a clip.
            if let Some(clip) = input.file() {
                clip.metadata().map_err(|source| Error::Read { path: clip.to_owned(), source })?;
            }
            if path.is_dir() || path.to_string_lossy().ends_with(is_separator) {
                let name = default_output(&input, args);
                let named = path.join(name.file().unwrap_or(Path::new("out.bvh")));
                let mut changes = vec![set_output(&named)];
                changes.extend((!path.is_dir()).then(|| Change::Before(make_folder(path))));
                let sentence = "the result of one clip is a file; name it".to_owned();
                return Err(Failure::Meant(sentence, changes));
            }
            let ending = formats::character_ending(&args.to).unwrap_or("bvh");
            let mut named = path.as_os_str().to_owned();
            named.push(format!(".{ending}"));
            let sentence = format!(
                "{} does not say what to write; name a result that ends in {}",
                path.display(),
                formats::result_endings().collect::<Vec<_>>().join(", ")
            );
            return Err(Failure::Meant(sentence, vec![set_output(Path::new(&named))]));
        }
        if args.json && output == Stream::Standard {
            let sentence =
                "--json and the result would both go to standard output; name a file with -o";
            let named = match default_output(&input, args) {
                Stream::File(path) => path,
                Stream::Standard => PathBuf::from("out.bvh"),
            };
            return Err(Failure::Meant(sentence.to_owned(), vec![set_output(&named)]));
        }
        let report = args.report.clone().map(Stream::File);
        let contacts = args.contacts.clone();
        let use_contacts = args.use_contacts.clone();
        let (clip, name, replace) = (args.clip.clone(), args.name.clone(), args.replace);
        let threads = args.threads;
        Ok(Self {
            input,
            output,
            clip,
            name,
            replace,
            use_contacts,
            contacts,
            report,
            setup,
            threads,
        })
    }
}

impl Job {
    /// What the animation of a character is called: as the user says, else as the source's, else as its file.
    pub fn animation_name(&self) -> String {
        let file =
            self.input.file().map(|file| unpacked_name(file).file_stem().unwrap_or_default());
        let of_file = || file.map(|stem| stem.to_string_lossy().into_owned());
        let named = self.name.clone().or_else(|| self.clip.clone()).or_else(of_file);
        named.unwrap_or_else(|| "retarget".to_owned())
    }

    /// The command that explains a frame of this conversion, but for the frame; `None` where standard input would have to
    /// be read again.
    pub fn explained_by(&self) -> Option<String> {
        let Setup { target, from, scale, settings, arrays, .. } = &self.setup;
        let input = self.input.file()?;
        let foot_plants =
            Some(settings.plant.foot_plants).filter(|it| *it != FootPlants::default());
        let given = [
            ("--clip", self.clip.as_deref().map(shell_word)),
            ("--from", from.as_deref().map(shell_path)),
            ("--floor", settings.keep_floor.then(|| "keep".to_owned())),
            ("--facing", settings.face_forward.then(|| "forward".to_owned())),
            ("--scale", scale.map(Scale::word)),
            ("--foot-plants", foot_plants.map(FootPlantsArg::word)),
            ("--use-contacts", self.use_contacts.as_deref().map(shell_path)),
            ("--layout", arrays.layout.map(|layout| layout.name().to_owned())),
            ("--fps", arrays.fps.map(|fps| fps.to_string())),
            ("--smpl-model", arrays.smpl_model.as_deref().map(shell_path)),
        ];
        let mut line =
            format!("retarget explain {} --to {}", shell_path(input), shell_path(target));
        for (option, value) in given {
            line.extend(value.map(|value| format!(" {option} {value}")));
        }
        line.push_str(if settings.accept_doubt { " --accept-doubt" } else { "" });
        Some(line)
    }
}

/// `walk.hero.bvh` in the current folder, for walk.bvh and hero.toml: clips often live in folders that
/// are shared or read-only, and a result beside its source would be taken for another source. Of an animation that is
/// named its name is in the result's, so that several of one file do not replace each other.
fn default_output(input: &Stream, args: &RetargetArgs) -> Stream {
    let Some(input) = input.file() else { return Stream::Standard };
    // A character is given back in its own format.
    let ending = formats::character_ending(&args.to).unwrap_or("bvh");
    Stream::File(result_name(input, args, ending))
}

/// The name of a clip's result, of an ending without its dot.
pub fn result_name(input: &Path, args: &RetargetArgs, ending: &str) -> PathBuf {
    let mut name = OsString::from(unpacked_name(input).file_stem().unwrap_or_default());
    if let Some(clip) = &args.clip {
        name.push(".");
        name.push(clip.replace(|c: char| c.is_control() || "/\\:*?\"<>|".contains(c), "_"));
    }
    name.push(".");
    name.push(args.to.file_stem().unwrap_or_default());
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}
