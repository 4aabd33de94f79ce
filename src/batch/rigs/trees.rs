//! The hierarchies of many clips, and which of them are the same.

use crate::batch::{Hash, Job};
use crate::convert;
use crate::skeleton::Skeleton;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The clips that share a hierarchy with another one, by their places, under the hash of the names of its joints and
/// of its tree.
pub(super) fn shared(
    clips: &[Job],
    threads: usize,
    stops: &(dyn Fn() -> bool + Sync),
) -> Vec<(Hash, Vec<usize>)> {
    let mut of_hash: BTreeMap<String, (Hash, Vec<usize>)> = BTreeMap::new();
    for (clip, hash) in read(clips, threads, stops).into_iter().enumerate() {
        if let Some(hash) = hash {
            of_hash.entry(hash.to_string()).or_insert((hash, Vec::new())).1.push(clip);
        }
    }
    of_hash.into_values().filter(|(_, clips)| clips.len() > 1).collect()
}

fn hash_of(skeleton: &Skeleton) -> Hash {
    let parents = skeleton.joints().iter().map(|joint| match joint.parent {
        Some(parent) => parent.index() as u64,
        None => u64::MAX,
    });
    let parents: Vec<u8> = parents.flat_map(u64::to_le_bytes).collect();
    let names = skeleton.joints().iter().map(|joint| joint.name.as_bytes());
    Hash::of_parts(names.chain([parents.as_slice()]))
}

/// The hierarchies of clips, in their order; a bug that panics costs its clip alone, which meets it again.
fn read(clips: &[Job], threads: usize, stops: &(dyn Fn() -> bool + Sync)) -> Vec<Option<Hash>> {
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, Option<Hash>)>> = Mutex::default();
    let work = || {
        let mut mine = Vec::new();
        while let Some((place, clip)) = {
            let place = next.fetch_add(1, Ordering::Relaxed);
            clips.get(place).filter(|_| !stops()).map(|clip| (place, clip))
        } {
            let tree = catch_unwind(AssertUnwindSafe(|| convert::read_tree(&clip.input)));
            mine.push((place, tree.ok().flatten().as_ref().map(hash_of)));
        }
        found.lock().unwrap_or_else(PoisonError::into_inner).extend(mine);
    };
    std::thread::scope(|scope| {
        (0..threads.min(clips.len())).for_each(|_| drop(scope.spawn(work)));
    });
    let mut hashes = vec![None; clips.len()];
    for (place, hash) in found.into_inner().unwrap_or_else(PoisonError::into_inner) {
        hashes[place] = hash;
    }
    hashes
}
