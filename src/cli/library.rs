//! Many clips onto one target.

use super::args::RetargetArgs;
use super::bars::Bars;
use super::failure::{Failure, say};
use super::interrupt;
use super::job::result_name;
use super::library_text;
use super::limits;
use super::meant::{is_to_come, no_command};
use super::setup::{Setup, Verbosity};
use super::stream::{self, Stream, is_dash};
use super::text::first_line;
use super::typed::{Change, Typed, folder_of, set_output};
use crate::batch::{self, Job, Named, Outcome, Plan, Request, Shard, Watch};
use crate::convert;
use crate::error::{Error, shell_path};
use crate::formats;
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// A library to be retargeted onto one target.
#[derive(Debug)]
pub struct LibraryJob {
    named: Vec<Named>,
    /// A file that names more.
    files_from: Option<Stream>,
    output: PathBuf,
    setup: Setup,
    threads: NonZeroUsize,
    resume: bool,
    fail_fast: bool,
    shard: Shard,
    format: Option<&'static str>,
    clip: Option<String>,
    replace: bool,
}

/// The clip, where the arguments mean a single one: a file or standard input, and nothing that only a
/// library takes.
pub fn only_clip(args: &RetargetArgs) -> Option<PathBuf> {
    match &args.inputs[..] {
        [input] if !args.is_for_libraries() && !input.is_dir() => match named(input) {
            Named::Path(path) => Some(path),
            Named::Pattern(_) => None,
        },
        _ => None,
    }
}

/// A file may be called as a pattern is written.
pub fn named(input: &Path) -> Named {
    match input.to_str() {
        Some(text) if batch::is_pattern(text) && !input.exists() => Named::Pattern(text.to_owned()),
        _ => Named::Path(input.to_owned()),
    }
}

impl LibraryJob {
    /// What the arguments mean.
    pub fn meant(args: &RetargetArgs, typed: &Typed) -> Result<Self, Failure> {
        let usage = |message: &str| Err(Failure::Usage(message.to_owned()));
        if let [first, _, ..] = &args.inputs[..]
            && let Some(sentence) = first.to_str().and_then(|word| no_command(word, typed))
        {
            return Err(Failure::Usage(sentence));
        }
        if let (Some(format), [clip]) = (args.format, &args.inputs[..])
            && clip.is_file()
            && args.output.as_deref().is_none_or(formats::is_result_name)
        {
            let sentence =
                "--format is about the results of a library; name the result of one clip";
            let named = match &args.output {
                Some(output) => output.with_extension(&format[1..]),
                None => result_name(clip, args, &format[1..]),
            };
            let changes = vec![Change::Leave("format"), set_output(&named)];
            return Err(Failure::Meant(sentence.to_owned(), changes));
        }
        if args.inputs.iter().any(|input| is_dash(input)) {
            return usage("standard input holds one clip; name the files of a library");
        }
        if let Some(rig) = args.inputs.iter().find(|input| convert::is_rig_file(input)) {
            return Err(Error::RigForClip { path: rig.clone() }.into());
        }
        let meant = |sentence: &str, changes: &[Change]| {
            Err(Failure::Meant(sentence.to_owned(), changes.to_vec()))
        };
        if let (None, [clip, result]) = (&args.output, &args.inputs[..])
            && clip.is_file()
            && is_to_come(result)
        {
            let sentence = format!(
                "{} is not there; where it is to be the result, say so with -o",
                result.display()
            );
            return meant(&sentence, &[Change::Unname(result.clone()), set_output(result)]);
        }
        let Some(output) = args.output.clone() else {
            let folder = set_output(&results_folder(args));
            return meant("the results of a library go into a folder; name it with -o", &[folder]);
        };
        if args.report.is_some() {
            let sentence = format!(
                "a library's report is its journal, which retarget report {} sums up; leave --report out",
                shell_path(&output)
            );
            return meant(&sentence, &[Change::Leave("report")]);
        }
        if let Some(threads) = args.threads {
            let changes = [Change::Leave("threads"), Change::Set("jobs", threads.to_string())];
            let sentence = "--threads is for one clip; say how many clips are in hand with --jobs";
            return meant(sentence, &changes);
        }
        if args.contacts.is_some() || args.use_contacts.is_some() {
            return meant(
                "--contacts and --use-contacts are about one clip; convert the clips that need them by \
                 themselves, and the others without",
                &[Change::Leave("contacts"), Change::Leave("use-contacts")],
            );
        }
        if args.name.is_some() {
            let sentence = "--name is for one clip; those of a library are called as their files, so leave it out";
            return meant(sentence, &[Change::Leave("name")]);
        }
        if is_dash(&output) {
            let folder = set_output(&results_folder(args));
            let sentence = "the results of a library do not fit standard output; name a folder";
            return meant(sentence, &[folder]);
        }
        if formats::is_result_name(&output) && !output.exists() {
            let sentence = format!(
                "each clip has a result of its own, which go into a folder, and {} is named as a file; name a folder \
                 with -o",
                output.display()
            );
            return meant(&sentence, &[set_output(&folder_of(&output))]);
        }
        let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Ok(Self {
            named: args.inputs.iter().map(|input| named(input)).collect(),
            files_from: args.files_from.clone().map(Stream::new),
            output,
            setup: Setup::meant(args)?,
            threads: args.jobs.unwrap_or(cores),
            resume: args.resume,
            fail_fast: args.fail_fast,
            shard: args.shard.unwrap_or(Shard::WHOLE),
            format: args.format,
            clip: args.clip.clone(),
            replace: args.replace,
        })
    }

    /// What is named, on the command line and in the list.
    fn named(&self) -> Result<Vec<Named>, Failure> {
        let mut named = self.named.clone();
        if let Some(list) = &self.files_from {
            let (path, bytes) = list.read()?;
            let text = String::from_utf8(bytes).map_err(|_| Error::NotText { path })?;
            let lines = text.lines().map(|line| line.trim_end_matches('\r'));
            let paths = lines.filter(|line| !line.is_empty()).map(PathBuf::from);
            named.extend(paths.map(Named::Path));
        }
        Ok(named)
    }
}

/// A folder for the results of these clips that is inside none of the folders that are searched.
fn results_folder(args: &RetargetArgs) -> PathBuf {
    let is_searched = |folder: &Path| {
        folder.canonicalize().is_ok_and(|folder| {
            let here = Path::new(".").canonicalize();
            here.is_ok_and(|here| here.starts_with(folder))
        })
    };
    let is_here = |input: &PathBuf| match named(input) {
        Named::Path(path) => path.is_dir() && is_searched(&path),
        Named::Pattern(_) => input.components().count() == 1,
    };
    let name = match &args.inputs[..] {
        [folder] if folder.is_dir() && folder.file_name().is_some() => folder.file_name(),
        _ => None,
    };
    let stem = args.to.file_stem().unwrap_or_default().to_string_lossy();
    let name = name.map_or("clips".into(), |name| name.to_string_lossy());
    let above = if args.inputs.iter().any(is_here) { ".." } else { "" };
    Path::new(above).join(format!("{name}.{stem}"))
}

/// Finds the clips, plans, converts, and prints a summary.
pub fn run(job: &LibraryJob) -> Result<(), Failure> {
    let quiet = job.setup.verbosity == Verbosity::Nothing;
    let (target, written) = job.setup.load()?;
    if let Some(ending) = job.format {
        convert::refuse_format(&PathBuf::from(format!("OUT{ending}")), &target)?;
    }
    let named = job.named()?;
    let mut clips = batch::find(&named)?;
    if target.character.is_some() {
        clips = clips.without(&target.files(), &named);
    }
    let plan = Plan::new(clips, job.output.clone(), job.shard, job.format)?;
    interrupt::be_patient();
    let watcher =
        Watcher { bars: Bars::new(&plan, job.threads.get(), quiet), reported: Mutex::default() };
    let clips = plan.jobs.iter().map(|job| &*job.input);
    let read: Vec<&Path> = clips.chain([&*job.setup.target]).collect();
    let request = Request {
        plan: &plan,
        target: &target,
        written: &written,
        from: job.setup.from.as_deref(),
        list: job.files_from.as_ref().and_then(Stream::file),
        settings: &job.setup.settings,
        scale: job.setup.scale,
        reading: job.setup.arrays.reading_among(&read, job.clip.as_deref()),
        replace: job.replace,
        threads: job.threads,
        resume: job.resume,
        fail_fast: job.fail_fast,
    };
    let end = batch::run(&request, &watcher);
    drop(watcher);
    let end = end?;
    let stale = batch::stale(&plan, &end.failed);
    let summary = library_text::Summary::new(&plan, &end, stale);
    match job.setup.verbosity {
        Verbosity::Nothing => {}
        Verbosity::Json => stream::print_json(&summary)?,
        verbosity => stream::print_text(&summary.text(verbosity == Verbosity::All))?,
    }
    match (end.failed.is_empty(), end.left) {
        _ if interrupt::is_asked() => Err(Failure::Interrupted),
        (true, 0) => limits::hold_run(&job.setup.limits, &job.output),
        _ => Err(Failure::Reported),
    }
}

/// Shows progress, prints failures as they come, and stops when the user interrupts the run.
struct Watcher {
    bars: Bars,
    /// The notes that are printed already.
    reported: Mutex<HashSet<String>>,
}

impl Watch for Watcher {
    fn begins(&self, thread: usize, job: &Job) {
        self.bars.begins(thread, job);
    }

    fn ends(&self, thread: usize, job: Option<&Job>, outcome: &Outcome) {
        if let Outcome::Failed(failed) = outcome {
            // The journal has the other lines.
            let sentence = first_line(&failed.error);
            self.bars.aside(|| say(&format!("failed: {sentence}")));
        }
        if let (Some(job), Outcome::Done { notes, .. }) = (job, outcome) {
            // A note in the same words about many clips is printed once.
            let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
            for note in notes.iter().filter(|note| reported.insert((*note).clone())) {
                self.bars.aside(|| say(&format!("note: {}: {note}", job.input.display())));
            }
        }
        if let (Some(job), Outcome::Done { missing_frames, .. }) = (job, outcome)
            && let Some(missing) = stream::missing(&job.input, *missing_frames)
        {
            self.bars.aside(|| say(&format!("warning: {missing}")));
        }
        self.bars.ends(thread, job, outcome);
    }

    fn stops(&self) -> bool {
        interrupt::is_asked()
    }

    fn ends_at_once(&self) -> bool {
        interrupt::is_ending()
    }

    fn writes(&self, write: &mut dyn FnMut()) {
        interrupt::whole(write);
    }
}
