//! The skeleton of a clip's file without its motion, for a look at many files.

use super::nodes::NodeFile;
use super::packing;
use super::reading::refuse_misnamed;
use super::{files, read_bytes};
use crate::arrays;
use crate::bvh;
use crate::skeleton::Skeleton;
use std::path::Path;

/// Bytes of text that nearly every hierarchy ends in, and that every one but the largest does.
const BEGINNINGS: [usize; 2] = [1 << 15, 1 << 20];

/// The skeleton of a clip's file. Of BVH, packed or not, the beginning alone is read; a file of nodes is read whole.
/// `None` where it cannot be read, and of arrays, which say by themselves what their joints are.
pub fn read_tree(path: &Path) -> Option<Skeleton> {
    for most in BEGINNINGS {
        let (file, _) = files::open(path).ok()?;
        let text = packing::beginning(file, most as u64).ok()?;
        if arrays::is_one(&text) {
            return None;
        }
        if NodeFile::is_one(&text) {
            let bytes = read_bytes(path).ok()?;
            refuse_misnamed(path, &bytes).ok()?;
            return NodeFile::read_skeleton(path, &bytes).ok();
        }
        refuse_misnamed(path, &text).ok()?;
        if text.len() < most {
            return Some(bvh::read_hierarchy(&text).ok()?.skeleton);
        }
        if let Some(skeleton) = bvh::hierarchy_of_beginning(&text) {
            return Some(skeleton);
        }
    }
    Some(bvh::read_hierarchy(&read_bytes(path).ok()?).ok()?.skeleton)
}
