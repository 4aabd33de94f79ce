//! Results in an output folder that are not of the present library.

use super::Plan;
use super::clips::is_clip;
use super::place::name_of;
use std::collections::HashSet;
use std::path::PathBuf;
use walkdir::WalkDir;

/// The clips in the output folder that no clip of the library would write, and those whose clip
/// `failed` in this run: what lies there is an earlier result. Sorted.
pub fn stale(plan: &Plan, failed: &[String]) -> Vec<PathBuf> {
    let failed: HashSet<&str> = failed.iter().map(String::as_str).collect();
    let known = |name: &str| {
        plan.clips.binary_search_by(|clip| clip.name.as_str().cmp(name)).is_ok()
            && !failed.contains(name)
    };
    let entries = WalkDir::new(&plan.output).sort_by_file_name().into_iter().filter_map(Result::ok);
    entries
        .filter(|entry| entry.file_type().is_file() && is_clip(entry.path()))
        .map(walkdir::DirEntry::into_path)
        .filter(|path| {
            let name = path.strip_prefix(&plan.output).ok().and_then(name_of);
            !name.is_some_and(|name| known(&name))
        })
        .collect()
}
