//! What the rigs of a library are, decided once for all clips of one hierarchy and kept beside the results.
//!
//! Clips whose joints have the same names in the same tree move one rig, whatever the sizes of their bodies. Some of
//! them, spread over the library, are recognised alone and vote on which joint has which role and which axis is up.
//! That is written down, and every clip of the hierarchy is converted as with `--from` and that file. Stance and soles
//! belong to a body with its sizes: if several clips have the same sizes, the one of those that voted whose stance and
//! soles are the most like the others' is written down as a lock, and they are converted with that. What is decided
//! follows from the list of clips alone, so that all parts of a library come to the same; a file that is there already
//! is taken as it is, whoever wrote it.

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
use trees::SharedTree;
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
        for tree in shared {
            if (deciding.stops)() {
                break;
            }
            let decision = deciding.decision(&tree)?;
            let bodies = match &decision {
                Decision::Shared(rig) => deciding.bodies(&tree, rig)?,
                Decision::Alone | Decision::Doubt(_) => Vec::new(),
            };
            rigs.add(&tree.clips, decision);
            bodies.into_iter().for_each(|(clips, body)| rigs.add(clips, body));
        }
        Ok(rigs)
    }

    /// Adds what is decided of some clips, in the place of what was.
    fn add(&mut self, clips: &[usize], decision: Decision) {
        let place = u32::try_from(self.rigs.len()).expect("at most two decisions a clip");
        clips.iter().for_each(|clip| self.of_clip[*clip] = Some(place));
        self.rigs.push(decision);
    }

    /// What is decided of a clip's rig; nothing where it is alone of its kind.
    pub fn of(&self, plan: &Plan, name: &str) -> &Decision {
        let rig = plan.place_of(name).and_then(|place| *self.of_clip.get(place)?);
        rig.map_or(&Decision::Alone, |rig| &self.rigs[rig as usize])
    }

    /// The files of the rigs that are shared, and how many clips of the library each is for, in the order of their
    /// names.
    pub fn shared(&self) -> Vec<(String, usize)> {
        let mut counts = vec![0; self.rigs.len()];
        self.of_clip.iter().flatten().for_each(|rig| counts[*rig as usize] += 1);
        let shared = self.rigs.iter().zip(counts).filter_map(|(rig, count)| match rig {
            Decision::Shared(rig) if count > 0 => Some((rig.said.file.clone(), count)),
            Decision::Shared(_) | Decision::Alone | Decision::Doubt(_) => None,
        });
        let mut shared: Vec<(String, usize)> = shared.collect();
        shared.sort();
        shared
    }
}

impl Deciding<'_> {
    /// Reads the decision on a rig, or makes it.
    fn decision(&self, tree: &SharedTree) -> Result<Decision, BatchError> {
        let name = file_name(tree.name, None);
        let path = self.plan.output.join(&name);
        if !path.is_file() {
            let votes = self.votes(tree);
            if (self.stops)() {
                // Of some of the clips that were to vote nothing may follow.
                return Ok(Decision::Alone);
            }
            match vote::verdict(&votes) {
                Verdict::Alone => return Ok(Decision::Alone),
                Verdict::Doubt(sentence) => return Ok(Decision::Doubt(sentence)),
                Verdict::Surest { text, bodies } => {
                    for (body, lock) in bodies {
                        self.write_once(&file_name(tree.name, Some(body)), &lock)?;
                    }
                    // The last, since nothing is decided once it is there.
                    self.write(&name, &path, &text)?;
                }
            }
        }
        Ok(Decision::Shared(Box::new(self.read(name)?)))
    }

    /// Reads what is decided of the bodies of a rig, with the places of their clips. A lock that says other roles or another axis
    /// up than the rig's own file, which may have been corrected, does not hold.
    fn bodies<'a>(
        &self,
        tree: &'a SharedTree,
        rig: &SharedRig,
    ) -> Result<Vec<(&'a [usize], Decision)>, BatchError> {
        let mut bodies = Vec::new();
        for (body, clips) in &tree.bodies {
            let name = file_name(tree.name, Some(*body));
            if !self.plan.output.join(&name).is_file() {
                continue;
            }
            let lock = self.read(name)?;
            let says = |file: &RigFile| (file.roles.clone(), file.ignore.clone(), file.up);
            if says(&lock.written) == says(&rig.written) {
                bodies.push((clips.as_slice(), Decision::Shared(Box::new(lock))));
            }
        }
        Ok(bodies)
    }

    /// Writes a file unless it is there.
    fn write_once(&self, name: &str, text: &str) -> Result<(), BatchError> {
        let path = self.plan.output.join(name);
        if path.is_file() { Ok(()) } else { self.write(name, &path, text) }
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

    fn read(&self, file: String) -> Result<SharedRig, BatchError> {
        let path = self.plan.output.join(&file);
        let read = || {
            let hash = Hash::of(&convert::read_raw(&path)?);
            Ok((hash, convert::read_source_file(&path)?))
        };
        let (hash, written) = read().map_err(|error| BatchError::File(Box::new(error)))?;
        Ok(SharedRig { said: LibraryRig { file, hash }, path, written })
    }

    /// What some clips of a rig, spread evenly over them, are by themselves.
    fn votes(&self, tree: &SharedTree) -> Vec<Vote> {
        let clips = &tree.clips;
        let count = clips.len().min(MOST_VOTES);
        let voters = (0..count).map(|i| &self.plan.clips[clips[i * clips.len() / count]]);
        let mut jobs: Vec<Job> = voters.cloned().collect();
        jobs.sort_by(|a, b| (b.size, &a.name).cmp(&(a.size, &b.name)));
        let queue = Queue::new(&jobs, self.threads);
        let votes: Mutex<Vec<Vote>> = Mutex::default();
        queue.work_off(self.threads, self.stops, |_, job| {
            let body = self.plan.place_of(&job.name).and_then(|clip| tree.body_of(clip));
            let vote = Vote::of(job, body, self.reading);
            votes.lock().unwrap_or_else(PoisonError::into_inner).extend(vote);
            job.size
        });
        let mut votes = votes.into_inner().unwrap_or_else(PoisonError::into_inner);
        votes.sort_by(|a, b| a.clip.cmp(&b.clip));
        votes
    }
}

/// The place of the file of a rig, or of one of its bodies, below the folder of the results.
fn file_name(tree: Hash, body: Option<Hash>) -> String {
    let short = |hash: Hash| hash.to_string()[..16].to_owned();
    match body {
        None => format!("{FOLDER}/rig-{}.toml", short(tree)),
        Some(body) => format!("{FOLDER}/rig-{}-{}.toml", short(tree), short(body)),
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
