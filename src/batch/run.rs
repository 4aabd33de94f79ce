//! A plan worked off on several threads.

mod one;

use super::hash::Hasher;
use super::journal::{Journal, Known};
use super::queue::Queue;
use super::rigs::{Deciding, Rigs};
use super::{Asked, BatchError, Ending, Failed, Hash, Job, Line, Made, MadeFor, Plan, Setup};
use crate::convert::{self, LoadedRig, Reading};
use crate::rig::{RigFile, Scale};
use crate::settings::Settings;
use std::cell::Cell;
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use walkdir::WalkDir;

/// What a run is asked for.
#[derive(Debug)]
pub struct Request<'a> {
    pub plan: &'a Plan,
    pub target: &'a LoadedRig,
    /// What the user says of the rig of all sources, and the file that says it.
    pub written: &'a RigFile,
    pub from: Option<&'a Path>,
    /// A file that the clips were listed in.
    pub list: Option<&'a Path>,
    pub settings: &'a Settings,
    /// The scale method where the user names one, which goes before what the target's file says.
    pub scale: Option<Scale>,
    /// What the reader knows of the clips that their files leave open.
    pub reading: Reading<'a>,
    /// Whether an animation of a result's name is to go from the character's file.
    pub replace: bool,
    /// Clips in hand at a time.
    pub threads: NonZeroUsize,
    /// Leaves alone what an earlier run did of the same clip, rig, settings and version.
    pub resume: bool,
    /// Begins no other clip once one has failed.
    pub fail_fast: bool,
}

/// Watches a run from outside, on all its threads.
pub trait Watch: Sync {
    /// A thread, from 0, takes a clip in hand.
    fn begins(&self, _thread: usize, _job: &Job) {}
    /// A clip is done with. `job` is none for what could not even be looked at.
    fn ends(&self, _thread: usize, _job: Option<&Job>, _outcome: &Outcome) {}
    /// Whether no other clip should be begun.
    fn stops(&self) -> bool {
        false
    }
    /// Whether even the clips in hand should be given up.
    fn ends_at_once(&self) -> bool {
        false
    }
    /// Surrounds the making and writing of a file.
    fn writes(&self, write: &mut dyn FnMut()) {
        write();
    }
}

/// What became of one clip.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It was retargeted.
    Done {
        frames: usize,
        /// Frames that the clip's file announces or begins and does not have.
        missing_frames: u64,
        /// What was taken for granted as it was read, a sentence each.
        notes: Vec<String>,
    },
    /// An earlier run had done it.
    Kept,
    Failed(Failed),
}

/// What became of a run.
#[derive(Clone, Debug, Default)]
pub struct RunEnd {
    pub done: usize,
    pub kept: usize,
    /// The names of the clips that failed, sorted.
    pub failed: Vec<String>,
    /// The names of the clips in whose results a limb snaps, of those that this run did, sorted.
    pub snapped: Vec<String>,
    /// Clips that were not begun.
    pub left: usize,
    /// Frames that were retargeted.
    pub frames: usize,
    /// Clips that were done and are cut short, and the frames that are missing in them.
    pub cut_short: usize,
    pub missing_frames: u64,
    /// The files of the rigs that clips of one hierarchy share, below the output folder, and how many clips each is
    /// for.
    pub rigs: Vec<(String, usize)>,
    /// By the clock, seconds.
    pub took_s: f64,
}

/// Works off a plan. What is wrong with a clip is in the journal and in [`RunEnd`]; an error is what
/// stops the whole run, and what was done until then is in the journal all the same.
///
/// Memory: what the clips in hand need, two to five times their text, and less than a kilobyte for
/// each clip of the library. Fewer than [`Request::threads`] clips are in hand where together they have more
/// than 32 MiB of text for each thread.
pub fn run(request: &Request, watch: &dyn Watch) -> Result<RunEnd, BatchError> {
    let plan = request.plan;
    let folder = |source| BatchError::Folder { path: plan.output.clone(), source };
    std::fs::create_dir_all(&plan.output).map_err(folder)?;
    let setup = Setup::of(request).map_err(|error| BatchError::File(Box::new(error)))?;
    let inputs = inputs(request);
    let refused: Vec<&Path> = inputs.iter().map(|path| path.as_path()).collect();
    convert::refuse_input(&plan.journal(), &refused)
        .map_err(|error| BatchError::File(Box::new(error)))?;
    let (journal, known) = Journal::open(plan, &setup, request.resume)?;
    clear_left(plan);
    let began = Instant::now();
    let rigs = decided(request, watch)?;
    let run = Run {
        request,
        watch,
        setup,
        rigs,
        inputs,
        known,
        queue: Queue::new(&plan.jobs, request.threads.get()),
        stopped: AtomicBool::new(false),
        state: Mutex::new(State { journal, end: RunEnd::default(), broken: None }),
    };
    run.tell_lost();
    let stops = || run.stopped.load(Ordering::Relaxed) || watch.stops();
    run.queue.work_off(request.threads.get(), stops, |thread, job| run.work(thread, job));
    let shared = run.rigs.shared();
    let State { journal, mut end, broken } =
        run.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    end.rigs = shared;
    end.failed.sort();
    end.snapped.sort();
    end.left = plan.jobs.len() + plan.lost.len() - end.done - end.kept - end.failed.len();
    end.took_s = began.elapsed().as_secs_f64();
    // The journal is whole as it stands; it can be put in order when there is room.
    let finished = journal.finish(plan);
    match broken {
        Some(error) => Err(error),
        None => finished.map(|()| end),
    }
}

/// What the library's rigs are, unless the user says it.
fn decided(request: &Request, watch: &dyn Watch) -> Result<Rigs, BatchError> {
    if request.from.is_some() {
        return Ok(Rigs::default());
    }
    let deciding = Deciding {
        plan: request.plan,
        reading: &request.reading,
        threads: request.threads.get(),
        stops: &|| watch.stops(),
        writes: &|write| watch.writes(write),
    };
    Rigs::decide(&deciding)
}

/// All files that a run reads besides the clips.
fn inputs(request: &Request) -> Vec<PathBuf> {
    let given = [request.from, request.list, request.reading.model]
        .into_iter()
        .flatten()
        .map(Path::to_owned);
    request.target.files().into_iter().chain(given).collect()
}

/// Removes what an earlier run of this plan left half written. The journal is locked: there is no other one.
fn clear_left(plan: &Plan) {
    let owner = plan.shard.owner();
    let entries = WalkDir::new(&plan.output).into_iter().filter_map(Result::ok);
    for folder in entries.filter(|entry| entry.file_type().is_dir()) {
        convert::clear_left(folder.path(), &owner);
    }
}

/// A run at work.
struct Run<'a> {
    request: &'a Request<'a>,
    watch: &'a dyn Watch,
    setup: Setup,
    rigs: Rigs,
    /// What is written over by no result, besides the clips.
    inputs: Vec<PathBuf>,
    known: HashMap<String, Known>,
    queue: Queue<'a>,
    stopped: AtomicBool,
    state: Mutex<State>,
}

/// What the threads of a run share.
struct State {
    journal: Journal,
    end: RunEnd,
    /// What stops the run.
    broken: Option<BatchError>,
}

impl Run<'_> {
    /// What cannot be looked at is told first.
    fn tell_lost(&self) {
        for lost in &self.request.plan.lost {
            let path = lost.path.display();
            let failed = Failed {
                reason: "unreadable".to_owned(),
                error: format!("cannot read {path}: {}", lost.error),
            };
            self.end(0, None, &path.to_string(), &lost.name, one::Did::failed(failed), 0.0);
        }
    }

    /// Does what there is to do of a clip, and gives the size that it came to have.
    fn work(&self, thread: usize, job: &Job) -> u64 {
        self.watch.begins(thread, job);
        let began = Instant::now();
        let size = Cell::new(job.size);
        let did = one::convert(self, job, &size);
        let input = job.input.display().to_string();
        self.end(thread, Some(job), &input, &job.name, did, began.elapsed().as_secs_f64());
        size.get()
    }

    /// Enters a clip into the journal and the count.
    fn end(
        &self,
        thread: usize,
        job: Option<&Job>,
        input: &str,
        name: &str,
        did: one::Did<'_>,
        took_s: f64,
    ) {
        let one::Did { outcome, made, rig, stops } = did;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let ending = match (&outcome, made) {
            (Outcome::Failed(failed), _) => Some(Ending::Failed(failed.clone())),
            (_, made) => made.map(Ending::Done),
        };
        if let Some(ending) = ending {
            if matches!(&ending, Ending::Done(made) if made.report.snaps()) {
                state.end.snapped.push(name.to_owned());
            }
            let &Request { target, from, settings, scale, ref reading, .. } = self.request;
            let asked = Asked::new(settings, scale, reading);
            let mut made_for = MadeFor::new(&target.path, from, asked);
            made_for.library_rig = rig.map(|rig| rig.said.clone());
            let line = Line {
                input: input.to_owned(),
                output: name.to_owned(),
                made_for,
                setup: self.setup.clone(),
                ending,
                took_s,
            };
            if let Err(error) = state.journal.append(&line) {
                self.stopped.store(true, Ordering::Relaxed);
                state.broken.get_or_insert(error);
            }
        }
        match &outcome {
            Outcome::Done { frames, missing_frames, .. } => {
                state.end.done += 1;
                state.end.frames += frames;
                state.end.cut_short += usize::from(*missing_frames > 0);
                state.end.missing_frames = state.end.missing_frames.saturating_add(*missing_frames);
            }
            Outcome::Kept => state.end.kept += 1,
            Outcome::Failed(_) => {
                state.end.failed.push(name.to_owned());
                if stops || self.request.fail_fast {
                    self.stopped.store(true, Ordering::Relaxed);
                }
            }
        }
        drop(state);
        self.watch.ends(thread, job, &outcome);
    }
}
