//! The hierarchies of many clips, and which of them are the same.

use crate::batch::{Hash, Job};
use crate::convert;
use crate::math::Vec3;
use crate::skeleton::Skeleton;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Clips that share a hierarchy.
pub(super) struct SharedTree {
    /// Of the names of its joints and of its tree.
    pub name: Hash,
    /// The places of the clips.
    pub clips: Vec<usize>,
    /// Those of them that also share the sizes of a body with another one, by the hash of these.
    pub bodies: BTreeMap<Hash, Vec<usize>>,
}

impl SharedTree {
    /// The body that a clip shares with another one.
    pub fn body_of(&self, clip: usize) -> Option<Hash> {
        let mut bodies = self.bodies.iter();
        bodies.find_map(|(body, clips)| clips.binary_search(&clip).is_ok().then_some(*body))
    }
}

/// What one clip's hierarchy is.
#[derive(Clone, Copy)]
struct Tree {
    name: Hash,
    /// The sizes of the body; `None` if the motion may change them.
    body: Option<Hash>,
}

impl Tree {
    fn of(skeleton: &Skeleton) -> Self {
        let parents = skeleton.joints().iter().map(|joint| match joint.parent {
            Some(parent) => parent.index() as u64,
            None => u64::MAX,
        });
        let parents: Vec<u8> = parents.flat_map(u64::to_le_bytes).collect();
        let names = skeleton.joints().iter().map(|joint| joint.name.as_bytes());
        Self { name: Hash::of_parts(names.chain([parents.as_slice()])), body: body_of(skeleton) }
    }
}

/// The hash of all places of joints and End Sites in their parents' frames but for that of the root, which many writers
/// let say where the clip begins.
fn body_of(skeleton: &Skeleton) -> Option<Hash> {
    let below_root = || skeleton.joints().iter().filter(|joint| joint.parent.is_some());
    if below_root().any(|joint| joint.channels.has_position()) {
        return None;
    }
    // Adding zero makes one number of both zeros.
    let bytes =
        |place: &Vec3| [place.x, place.y, place.z].map(|x| (x + 0.0).to_le_bytes()).concat();
    let offsets = below_root().flat_map(|joint| bytes(&joint.offset));
    let ends =
        skeleton.joints().iter().map(|joint| joint.end_sites.iter().flat_map(bytes).collect());
    let parts: Vec<Vec<u8>> = std::iter::once(offsets.collect()).chain(ends).collect();
    Some(Hash::of_parts(parts.iter().map(Vec::as_slice)))
}

/// The hierarchies that several clips share, in the order of their hashes.
pub(super) fn shared(
    clips: &[Job],
    threads: usize,
    stops: &(dyn Fn() -> bool + Sync),
) -> Vec<SharedTree> {
    let mut trees: BTreeMap<Hash, SharedTree> = BTreeMap::new();
    for (clip, tree) in read(clips, threads, stops).into_iter().enumerate() {
        let Some(Tree { name, body }) = tree else { continue };
        let none = || SharedTree { name, clips: Vec::new(), bodies: BTreeMap::new() };
        let shared = trees.entry(name).or_insert_with(none);
        shared.clips.push(clip);
        if let Some(body) = body {
            shared.bodies.entry(body).or_default().push(clip);
        }
    }
    let mut trees: Vec<SharedTree> = trees.into_values().filter(|t| t.clips.len() > 1).collect();
    trees.iter_mut().for_each(|tree| tree.bodies.retain(|_, clips| clips.len() > 1));
    trees
}

/// The hierarchies of clips, in their order; a bug that panics costs its clip alone, which meets it again.
fn read(clips: &[Job], threads: usize, stops: &(dyn Fn() -> bool + Sync)) -> Vec<Option<Tree>> {
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, Option<Tree>)>> = Mutex::default();
    let work = || {
        let mut mine = Vec::new();
        while let Some((place, clip)) = {
            let place = next.fetch_add(1, Ordering::Relaxed);
            clips.get(place).filter(|_| !stops()).map(|clip| (place, clip))
        } {
            let tree = catch_unwind(AssertUnwindSafe(|| convert::read_tree(&clip.input)));
            mine.push((place, tree.ok().flatten().as_ref().map(Tree::of)));
        }
        found.lock().unwrap_or_else(PoisonError::into_inner).extend(mine);
    };
    std::thread::scope(|scope| {
        (0..threads.min(clips.len())).for_each(|_| drop(scope.spawn(work)));
    });
    let mut trees = vec![None; clips.len()];
    for (place, tree) in found.into_inner().unwrap_or_else(PoisonError::into_inner) {
        trees[place] = tree;
    }
    trees
}
