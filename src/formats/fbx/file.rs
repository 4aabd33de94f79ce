//! An FBX file in memory.

use super::{Appending, FbxError, load, mesh, take};
use crate::scene::{Fetch, Meshes, NewAnimation, Scene, Track};

/// An FBX file in memory.
pub struct FbxFile {
    pub(super) loaded: ufbx::SceneRoot,
    pub(super) scene: Scene,
    pub(super) bytes: Vec<u8>,
}

/// Reads an FBX file of version 5000 to 7700, binary or text, without its meshes. No other file is opened. Time and
/// memory grow with the file.
pub fn read(bytes: &[u8]) -> Result<FbxFile, FbxError> {
    let loaded = load::load(bytes, load::Kept::Takes)?;
    let scene = load::scene(&loaded)?;
    Ok(FbxFile { loaded, scene, bytes: bytes.to_vec() })
}

/// Reads the nodes of such a file and which of them are joints, as [`read`] does, in half the time unless it animates
/// scales that children do not inherit. Of its takes only the names are true: their values are not read.
pub fn read_nodes(bytes: &[u8]) -> Result<Scene, FbxError> {
    let loaded = load::load(bytes, load::Kept::Nodes)?;
    // Whether a node needs an extra one for its scale depends on the values that takes give it.
    let is_open = loaded.nodes.into_iter().any(|node| node.is_scale_helper);
    let loaded = if is_open { load::load(bytes, load::Kept::Takes)? } else { loaded };
    load::scene(&loaded)
}

impl FbxFile {
    /// The file's nodes, its joints and its takes.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The name of a bone with a scale of its own, whether its children inherit the scale or not.
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

    /// The meshes of its body. The file is read once more for them. `fetch` gets the pictures that it names.
    pub fn meshes(&self, fetch: Fetch) -> Result<Meshes, FbxError> {
        mesh::meshes(&self.bytes, &self.scene, fetch)
    }

    /// The tracks of the take at an index of [`Scene::takes`]: for each node that it moves away from rest, a value in
    /// each frame. Frames are evenly spaced from the take's start. Time and memory grow with frames times nodes that
    /// move. Panics if there is no such take.
    pub fn tracks(&self, take: usize) -> Result<Vec<Track>, FbxError> {
        take::tracks(self, take)
    }

    /// The file with an animation added, which has a key at each frame, from time zero on. Everything else stays byte
    /// for byte, except the counts of objects and the ends that records state. With `replace` the animation replaces
    /// one of the same name, which is an error otherwise. The file must be binary and of version 7000 or later.
    pub fn with_animation(
        &self,
        name: &str,
        tracks: &[Track],
        frame_time_s: f64,
        replace: bool,
    ) -> Result<Vec<u8>, FbxError> {
        let mut appending = self.appending(replace)?;
        let objects = appending.push(&NewAnimation { name, tracks, frame_time_s })?;
        appending.whole(objects)
    }

    /// The file, ready to be given animations one after the other, each as [`with_animation`](Self::with_animation)
    /// says.
    pub fn appending(&self, replace: bool) -> Result<Appending<'_>, FbxError> {
        Appending::new(self, replace)
    }
}
