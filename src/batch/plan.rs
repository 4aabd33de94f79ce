//! Every clip of a run with its output; all conflicts are told here, before a file is touched.

use super::outside::{check_files, check_folder, real};
use super::place::is_place;
use super::{BatchError, Clips, Lost, Shard};
use crate::convert;
use crate::formats;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// One clip to be retargeted.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    pub input: PathBuf,
    /// The place of its result below the output folder, which is its own in the library but for the ending.
    pub name: String,
    /// The length of its text, bytes; of a packed clip a guess.
    pub size: u64,
}

/// What a run has to do.
#[derive(Debug)]
pub struct Plan {
    /// The largest clips first, so that no core is left with a long one at the end.
    pub jobs: Vec<Job>,
    /// What cannot even be looked at.
    pub lost: Vec<Lost>,
    /// The folder that results go into.
    pub output: PathBuf,
    pub shard: Shard,
    /// All clips in the order of their names: those of other shards too.
    pub(super) clips: Vec<Job>,
}

impl Plan {
    /// The place of a clip among all, by its name.
    pub(super) fn place_of(&self, name: &str) -> Option<usize> {
        self.clips.binary_search_by(|clip| clip.name.as_str().cmp(name)).ok()
    }

    /// Plans a run of one shard, whose results' names end as `ending` says; without it they are BVH, packed as their
    /// clips are. Refuses outputs that would fall together, that lie inside a searched
    /// folder, or that are clips themselves.
    pub fn new(
        clips: Clips,
        output: PathBuf,
        shard: Shard,
        ending: Option<&str>,
    ) -> Result<Self, BatchError> {
        if clips.found.is_empty() && clips.lost.is_empty() {
            return Err(BatchError::NoClips);
        }
        if let Some(clip) = clips.found.iter().find(|clip| !is_place(&clip.name)) {
            return Err(BatchError::Outside { name: clip.name.clone() });
        }
        check_folder(&output, &clips.folders)?;
        let mut places: HashMap<String, &Path> = HashMap::new();
        let mut jobs = Vec::new();
        for clip in &clips.found {
            let name = result_name(&clip.name, ending);
            if let Some(&first) = places.get(&name) {
                // The same file, named twice.
                if real(first) == real(&clip.path) {
                    continue;
                }
                return Err(BatchError::Collision {
                    first: first.to_owned(),
                    second: clip.path.clone(),
                    output: output.join(&name),
                });
            }
            places.insert(name.clone(), &clip.path);
            jobs.push(Job { input: clip.path.clone(), name, size: clip.size });
        }
        let results = jobs.iter().map(|job| output.join(&job.name));
        let outputs: Vec<PathBuf> = results.chain([output.join(shard.journal_name())]).collect();
        check_files(outputs.iter().map(PathBuf::as_path), &clips.found)?;
        jobs.sort_by(|a, b| a.name.cmp(&b.name));
        let all = jobs.clone();
        jobs.retain(|job| shard.has(&job.name));
        jobs.sort_by(|a, b| (b.size, &a.name).cmp(&(a.size, &b.name)));
        let mut lost = clips.lost;
        lost.retain(|lost| shard.has(&lost.name));
        Ok(Self { jobs, lost, output, shard, clips: all })
    }

    /// Where a clip's result goes.
    pub fn output_of(&self, job: &Job) -> PathBuf {
        self.output.join(&job.name)
    }

    /// The journal of this run.
    pub fn journal(&self) -> PathBuf {
        self.output.join(self.shard.journal_name())
    }
}

/// The place of a clip's result, by that of the clip.
fn result_name(clip: &str, ending: Option<&str>) -> String {
    match ending {
        // What is named by itself may be called anything.
        None if formats::other_ending(Path::new(clip)).is_none() => clip.to_owned(),
        ending => format!("{}{}", plain_name(clip), ending.unwrap_or(".bvh")),
    }
}

/// A clip's place in its library without its ending: what its animation is called in a file of many.
pub fn plain_name(clip: &str) -> &str {
    let unpacked = convert::unpacked_name(Path::new(clip)).to_str().unwrap_or(clip);
    match unpacked.rsplit_once('.') {
        Some((stem, end)) if !stem.is_empty() && !stem.ends_with('/') && !end.contains('/') => stem,
        _ => unpacked,
    }
}
