//! What the rigs of a library are, decided once for all clips of one hierarchy and kept beside the results.
//!
//! Clips whose joints have the same names in the same tree move one rig, whatever the sizes of their bodies. Some of
//! them, spread over the library, are recognised alone and vote on which joint has which role and which axis is up.
//! That is written down, and every clip of the hierarchy is converted as with `--from` and that file. Stance and soles
//! belong to a body with its sizes, and are found in each clip. What is decided follows from the list of clips alone,
//! so that all parts of a library come to the same; a file that is there already is taken as it is, whoever wrote it.

mod trees;
mod vote;

use super::place::make_folders;
use super::queue::Queue;
use super::{BatchError, Hash, Job, LibraryRig, Plan};
use crate::convert::{self, Reading, SourceClip};
use crate::error::Error;
use crate::rig::{RigFile, sure_up};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use vote::{Verdict, Vote};

/// The folder below that of the results.
const FOLDER: &str = "retarget-rigs";

/// The most clips that are recognised to decide what one rig is.
const MOST_VOTES: usize = 16;

/// What is decided of a library.
#[derive(Debug, Default)]
pub(super) struct Rigs {
    /// For each clip of the plan, in the order of names, the place of its rig.
    of_clip: Vec<Option<u32>>,
    rigs: Vec<Decision>,
}

/// What is decided of one rig.
#[derive(Debug)]
pub(super) enum Decision {
    /// Each clip is recognised alone.
    Alone,
    Shared(Box<SharedRig>),
    /// Its clips contradict each other: the sentence.
    Doubt(String),
}

/// A rig that clips share.
#[derive(Debug)]
pub(super) struct SharedRig {
    /// What the journal says of it.
    pub said: LibraryRig,
    /// The file, as it is opened.
    pub path: PathBuf,
    pub written: RigFile,
}

/// How a library's rigs are decided.
pub(super) struct Deciding<'a> {
    pub plan: &'a Plan,
    pub reading: &'a Reading<'a>,
    pub threads: usize,
    /// Whether no other file should be looked at.
    pub stops: &'a (dyn Fn() -> bool + Sync),
    pub writes: &'a (dyn Fn(&mut dyn FnMut()) + Sync),
}

impl Rigs {
    /// Looks at the hierarchies of all clips, and decides what is not decided yet. Costs the beginning of each BVH file
    /// and the whole of one of nodes, and the reading of at most sixteen clips of each rig. Memory: some bytes for each
    /// clip, and the clips in hand.
    pub fn decide(deciding: &Deciding) -> Result<Self, BatchError> {
        let shared = trees::shared(&deciding.plan.clips, deciding.threads, deciding.stops);
        let mut rigs = Self { of_clip: vec![None; deciding.plan.clips.len()], rigs: Vec::new() };
        for (name, clips) in shared {
            if (deciding.stops)() {
                break;
            }
            let place = u32::try_from(rigs.rigs.len()).expect("fewer rigs than clips");
            clips.iter().for_each(|clip| rigs.of_clip[*clip] = Some(place));
            rigs.rigs.push(deciding.decision(name, &clips)?);
        }
        Ok(rigs)
    }

    /// What is decided of a clip's rig; nothing where it is alone of its kind.
    pub fn of(&self, plan: &Plan, name: &str) -> &Decision {
        let place = plan.clips.binary_search_by(|clip| clip.name.as_str().cmp(name)).ok();
        let rig = place.and_then(|place| *self.of_clip.get(place)?);
        rig.map_or(&Decision::Alone, |rig| &self.rigs[rig as usize])
    }

    /// The files of the rigs that are shared, and how many clips of the library each is for, in the order of their
    /// names.
    pub fn shared(&self) -> Vec<(String, usize)> {
        let mut counts = vec![0; self.rigs.len()];
        self.of_clip.iter().flatten().for_each(|rig| counts[*rig as usize] += 1);
        let shared = self.rigs.iter().zip(counts).filter_map(|(rig, count)| match rig {
            Decision::Shared(rig) => Some((rig.said.file.clone(), count)),
            Decision::Alone | Decision::Doubt(_) => None,
        });
        let mut shared: Vec<(String, usize)> = shared.collect();
        shared.sort();
        shared
    }
}

impl Deciding<'_> {
    /// Reads the decision on a rig, or makes it.
    fn decision(&self, hierarchy: Hash, clips: &[usize]) -> Result<Decision, BatchError> {
        let short = &hierarchy.to_string()[..16];
        let name = format!("{FOLDER}/rig-{short}.toml");
        let path = self.plan.output.join(&name);
        if !path.is_file() {
            let votes = self.votes(clips);
            if (self.stops)() {
                // Of some of the clips that were to vote nothing may follow.
                return Ok(Decision::Alone);
            }
            match vote::verdict(&votes) {
                Verdict::Alone => return Ok(Decision::Alone),
                Verdict::Doubt(sentence) => return Ok(Decision::Doubt(sentence)),
                Verdict::Surest(text) => self.write(&name, &path, &text)?,
            }
        }
        Self::read(name, path).map_err(|error| BatchError::File(Box::new(error)))
    }

    fn write(&self, name: &str, path: &Path, text: &str) -> Result<(), BatchError> {
        let mut written = Ok(());
        let owner = self.plan.shard.owner();
        (self.writes)(&mut || {
            let failed = |source| Error::Write { path: path.to_owned(), source };
            written = make_folders(&self.plan.output, name).map_err(failed).and_then(|()| {
                convert::write_owned(path, &[], &owner, |file| {
                    std::io::Write::write_all(file, text.as_bytes())?;
                    file.sync_all()
                })
            });
        });
        written.map_err(|error| BatchError::File(Box::new(error)))
    }

    fn read(file: String, path: PathBuf) -> Result<Decision, Error> {
        let hash = Hash::of(&convert::read_raw(&path)?);
        let written = convert::read_source_file(&path)?;
        let said = LibraryRig { file, hash };
        Ok(Decision::Shared(Box::new(SharedRig { said, path, written })))
    }

    /// What some of these clips, spread evenly over them, are by themselves.
    fn votes(&self, clips: &[usize]) -> Vec<Vote> {
        let count = clips.len().min(MOST_VOTES);
        let voters = (0..count).map(|i| &self.plan.clips[clips[i * clips.len() / count]]);
        let mut jobs: Vec<Job> = voters.cloned().collect();
        jobs.sort_by(|a, b| (b.size, &a.name).cmp(&(a.size, &b.name)));
        let queue = Queue::new(&jobs, self.threads);
        let votes: Mutex<Vec<Vote>> = Mutex::default();
        queue.work_off(self.threads, self.stops, |_, job| {
            let vote = Vote::of(job, self.reading);
            votes.lock().unwrap_or_else(PoisonError::into_inner).extend(vote);
            job.size
        });
        let mut votes = votes.into_inner().unwrap_or_else(PoisonError::into_inner);
        votes.sort_by(|a, b| a.clip.cmp(&b.clip));
        votes
    }
}

impl Decision {
    /// The rig that clips share, where they do.
    pub fn shared(&self) -> Option<&SharedRig> {
        match self {
            Decision::Shared(rig) => Some(rig),
            Decision::Alone | Decision::Doubt(_) => None,
        }
    }
}

impl SharedRig {
    /// Whether a clip surely shows another axis up by itself, as one does that was exported otherwise.
    pub fn is_contradicted(&self, source: &SourceClip) -> bool {
        let roles = self.written.roles(source.clip.skeleton());
        let (Some(up), Ok(written), None) = (self.written.up, roles, source.native.up) else {
            return false;
        };
        sure_up(&source.clip, &written.roles).is_some_and(|found| found.up != up)
    }
}
