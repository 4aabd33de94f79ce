//! FBX, in by `ufbx` and out as the file itself with an animation appended.
//!
//! A [`FbxFile`] is the file's nodes as a [`Scene`], in metres with +Y up, whatever axes and unit the file has. Pivots,
//! pre- and post-rotations and rotation orders are in each node's own place, turn and size; sizes that nodes do not
//! hand down are undone in those below, or stand in nodes of their own where that cannot be. The frame of the whole
//! file, its axes and its unit, is in the nodes that have no parent.

mod added;
mod append;
mod error;
mod load;
mod mesh;
mod records;
mod space;
mod take;

pub use added::NewAnimation;
pub use append::Appending;
pub use error::FbxError;
pub use mesh::Meshes;

use crate::scene::{Scene, Track};

/// An FBX file that was read.
pub struct FbxFile {
    loaded: ufbx::SceneRoot,
    scene: Scene,
    bytes: Vec<u8>,
}

/// Reads an FBX file: versions 5000 to 7700, binary and text. No other file is opened. Time and memory grow with the
/// file; meshes are passed over.
pub fn read(bytes: &[u8]) -> Result<FbxFile, FbxError> {
    let loaded = load::load(bytes, load::Kept::Takes)?;
    let scene = load::scene(&loaded)?;
    Ok(FbxFile { loaded, scene, bytes: bytes.to_vec() })
}

impl FbxFile {
    /// The file's nodes, its joints and its takes.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// A bone that has a size of its own, by its name, whether what hangs on it takes that over or not.
    pub fn sized_bone(&self) -> Option<String> {
        let is_sized = |node: &ufbx::Node| {
            let size = ufbx::find_prop(&node.element.props, "Lcl Scaling").map(|it| it.value_vec4);
            size.is_some_and(|size| {
                [size.x, size.y, size.z].iter().any(|along| (along - 1.0).abs() > 1e-3)
            })
        };
        let mut bones = self.loaded.nodes.into_iter().filter(|node| node.bone.is_some());
        bones.find(|node| is_sized(node)).map(|node| node.element.name.to_string())
    }

    /// The meshes of its body, for which the file is read once more. `fetch` gets the pictures that it names.
    pub fn meshes(&self, fetch: mesh::Fetch) -> Result<Meshes, FbxError> {
        mesh::meshes(&self.bytes, &self.scene, fetch)
    }

    /// A take as values for each of its frames, of those nodes alone that it puts elsewhere than they are without it.
    /// Frames are evenly spaced from the take's start. Time and memory are frames times nodes that move. Panics where
    /// the scene has no take of that place.
    pub fn tracks(&self, take: usize) -> Result<Vec<Track>, FbxError> {
        take::tracks(self, take)
    }

    /// The file with an animation more, all else as it was byte for byte, but for the counts of its objects and the
    /// places that records say they end at: a key for each frame, from zero on. One of that name is taken away where it
    /// is to be `replace`d, else an error. Binary files of versions 7000 on alone.
    pub fn with_animation(
        &self,
        name: &str,
        tracks: &[Track],
        frame_time_s: f64,
        replace: bool,
    ) -> Result<Vec<u8>, FbxError> {
        let mut appending = self.appending(replace)?;
        let mut objects = appending.push(&NewAnimation { name, tracks, frame_time_s })?;
        let [mut file, tail] = appending.around()?;
        appending.relocate(&mut objects, file.len());
        file.append(&mut objects);
        file.extend_from_slice(&tail);
        Ok(file)
    }

    /// The file as one to which animations of different names are added one after the other, all as
    /// [`with_animation`](Self::with_animation) says.
    pub fn appending(&self, replace: bool) -> Result<Appending<'_>, FbxError> {
        Appending::new(self, replace)
    }
}
