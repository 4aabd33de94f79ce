//! FBX: `ufbx` reads it; a result is the file itself with an animation appended.
//!
//! A [`FbxFile`] has the file's nodes as a [`Scene`](crate::scene::Scene), in metres with +Y up, whatever axes and unit
//! the file has. Each node's local transform includes its pivots, pre- and post-rotations and rotation order. A scale
//! that children do not inherit is undone in them, or is in an extra node where that is impossible. The nodes without a
//! parent include the file's axes and unit.
//!
//! ```
//! # #[cfg(feature = "fbx")] {
//! use retarget::internals::formats::fbx;
//!
//! let refused = fbx::read(b"no FBX").err().expect("no file of that format");
//! assert!(!refused.to_string().is_empty());
//! # }
//! ```

#[cfg(feature = "fbx")]
mod added;
#[cfg(feature = "fbx")]
mod append;
#[cfg(feature = "fbx")]
mod error;
#[cfg(feature = "fbx")]
mod file;
#[cfg(feature = "fbx")]
mod load;
#[cfg(feature = "fbx")]
mod mesh;
#[cfg(feature = "fbx")]
mod records;
#[cfg(feature = "fbx")]
mod scene_file;
#[cfg(feature = "fbx")]
mod space;
#[cfg(feature = "fbx")]
mod take;
#[cfg(feature = "fbx")]
mod transform;

#[cfg(feature = "fbx")]
pub use {
    append::Appending,
    error::FbxError,
    file::{FbxFile, read, read_nodes},
};

use super::content::Kind;
use super::{Format, NodeFormat};

/// The format, which is known for what it is where it cannot be read as well.
pub(super) const FORMAT: Format = Format {
    names: &["FBX"],
    read: &[".fbx"],
    written: &[".fbx"],
    kinds: &[Kind::read("FBX", &[".fbx"], is_one)],
    nodes: Some(NodeFormat {
        name: "FBX",
        broken: "broken_fbx",
        is_one,
        #[cfg(feature = "fbx")]
        reader: Ok(scene_file::READER),
        #[cfg(not(feature = "fbx"))]
        reader: Err("fbx"),
        blender: include_str!("blender.py"),
    }),
    made: &[],
    #[cfg(feature = "fbx")]
    way_out: error::way_out,
    #[cfg(not(feature = "fbx"))]
    way_out: |_| None,
};

/// Whether bytes begin as FBX does, binary or as text.
fn is_one(bytes: &[u8]) -> bool {
    bytes.starts_with(b"Kaydara FBX Binary") || bytes.starts_with(b"; FBX")
}
