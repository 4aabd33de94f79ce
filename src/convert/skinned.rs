//! The meshes of a character, frame by frame of one of its animations.

use super::Reading;
use super::nodes::NodeFile;
use crate::error::Error;
use crate::formats::NodeFormat;
use crate::math::{Quat, Vec3};
use crate::scene::{NodeFrame, NodeId, Scene, Surface, Track};
use std::path::Path;

/// Meshes and what moves them.
#[derive(Debug)]
pub struct Skinned {
    scene: Scene,
    /// All nodes, each after its parent.
    order: Vec<NodeId>,
    /// What moves each node.
    tracks: Vec<Option<Track>>,
    surfaces: Vec<Surface>,
    take: usize,
    joints: Vec<NodeId>,
    format: &'static NodeFormat,
    sized: Option<String>,
}

impl Skinned {
    /// The meshes of the body in a file's bytes, moved by the animation that is meant. `None` of a file that is none of
    /// nodes. `path` is for messages, and for the files beside it that it names.
    pub fn read(path: &Path, bytes: &[u8], reading: &Reading) -> Result<Option<Self>, Error> {
        if !NodeFile::is_one(bytes) {
            return Ok(None);
        }
        let file = NodeFile::read(path, bytes)?;
        let take = file.take(path, reading)?;
        let mut tracks = vec![None; file.scene().nodes.len()];
        for track in file.tracks(path, take)? {
            let node = track.node;
            tracks[node] = Some(track);
        }
        let joints = super::nodes::body(path, file.scene())?.nodes().to_vec();
        let mut surfaces = file.surfaces(path)?;
        surfaces.retain(|it| file.scene().is_worn(it.node, it.skin.is_some()));
        let (scene, format) = (file.scene().clone(), file.format());
        let (order, sized) = (scene.in_order(), file.sized_bone());
        Ok(Some(Self { order, scene, tracks, surfaces, take, joints, format, sized }))
    }

    /// The meshes, each on its node.
    pub fn surfaces(&self) -> &[Surface] {
        &self.surfaces
    }

    /// The file's format.
    pub fn format(&self) -> &'static NodeFormat {
        self.format
    }

    /// Whether the animation moves a node.
    pub fn moves(&self, node: NodeId) -> bool {
        self.tracks[node].is_some()
    }

    /// The names of a node and of all that it hangs on, from the root down.
    pub fn path(&self, node: NodeId) -> Vec<&str> {
        let above = std::iter::successors(Some(node), |id| self.scene.nodes[*id].parent);
        let mut names: Vec<&str> = above.map(|id| self.scene.nodes[id].name.as_str()).collect();
        names.reverse();
        names
    }

    /// A bone of an FBX file that has a size of its own, by its name.
    pub fn sized(&self) -> Option<&str> {
        self.sized.as_deref()
    }

    /// What the file calls the animation.
    pub fn take_name(&self) -> &str {
        &self.scene.takes[self.take].name
    }

    /// The place of the animation in the file.
    pub fn take(&self) -> usize {
        self.take
    }

    /// The node of each joint, in skeleton order.
    pub fn joints(&self) -> &[NodeId] {
        &self.joints
    }

    /// The turn of the file's world in that of the clip.
    pub fn turn(&self) -> Quat {
        self.scene.turn
    }

    /// Where the points of each mesh are in a frame, in the clip's world. Costs a product a node, and one a point and
    /// joint that moves it.
    pub fn places(&self, frame: usize) -> Vec<Vec<Vec3>> {
        let local = |id: NodeId| {
            let rest = &self.scene.nodes[id].local;
            self.tracks[id].as_ref().map_or(*rest, |track| track.at(frame, rest))
        };
        let world: Vec<NodeFrame> = self.scene.world(&self.order, local);
        self.surfaces.iter().map(|surface| surface.placed(&world)).collect()
    }
}
