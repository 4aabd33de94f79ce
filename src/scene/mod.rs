//! What files of nodes have in common: glTF, VRM and FBX.
//!
//! Nodes have a translation, a rotation and a scale in the frame of their parent, and some of them are joints. The
//! reader of a format makes a [`Scene`] of a file. [`Body`] makes the skeleton and the clips of a scene, on which
//! everything else works; their joints have no rotation in the zero pose. It also converts a result to [`Track`]s of
//! the nodes. Positions are in metres and +Y is up.
//!
//! ```
//! use retarget::UpAxis;
//! use retarget::internals::formats::gltf::{GltfFile, GltfSettings, write_glb};
//!
//! let clip = retarget::SourceClip::load("samples/walk.bvh")?.clip;
//! let bytes = write_glb(&clip, &GltfSettings { up: UpAxis::Y, unit_m: 0.01 })?;
//! let file = GltfFile::read(&bytes, &|_| Err("there is no other file".to_owned()))?;
//! assert_eq!(file.scene().takes.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod file;
mod frame;
mod limbs;
mod rest;
mod surface;

pub use body::{Body, SceneError};
pub use file::{
    AppendingFile, Fetch, FormatError, NewAnimation, Read, Reader, SceneFile, Shown, WayOut,
};
pub(crate) use frame::rotation_in;
pub use frame::{Local, NodeFrame};
pub use rest::Base;
pub use surface::{Material, Meshes, Picture, Shading, Skin, Surface};

use crate::math::{Quat, Vec3};
use crate::rig::Role;

/// The index of a node in its scene's list.
pub type NodeId = usize;

/// The nodes of a file. Parents may come before or after their children, but there is no cycle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    pub nodes: Vec<Node>,
    /// The animations of the file, in its order.
    pub takes: Vec<Take>,
    /// For each skin, the nodes whose meshes it binds.
    pub meshes: Vec<Vec<NodeId>>,
    /// Whether the format guarantees that the nodes' own pose is a T-pose.
    pub stands: bool,
    /// The rotation from the file's world to the scene's, for a format whose bodies face another way than +Z.
    pub turn: Quat,
}

/// One node of a [`Scene`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// The name in the file; it may be empty, and need not be unique.
    pub name: String,
    pub parent: Option<NodeId>,
    /// The local transform when nothing moves the node.
    pub local: Local,
    /// Where a skin states that the node was when the mesh was bound to it.
    pub bind: Option<Bind>,
    /// Whether the node is part of a body: a joint of a skin, or a bone that the format names.
    pub is_joint: bool,
    /// The role that the format itself states.
    pub role: Option<Role>,
}

/// Where a joint was when a mesh was bound to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bind {
    /// The skin that states it. Frames of one skin can be compared.
    pub skin: usize,
    pub frame: NodeFrame,
    /// Whether the frame is in the scene's world; otherwise it is in a frame that the joints of the skin share.
    pub in_world: bool,
}

/// An animation as the file lists it.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    pub name: String,
    /// How long it lasts, seconds.
    pub len_s: f64,
    /// The time from one frame to the next, seconds: by the rate that the file states, or by its keys.
    pub frame_time_s: f64,
    /// Whether anything moves in it.
    pub moves: bool,
}

impl Take {
    /// How many frames it has; at least one.
    pub fn frames(&self) -> usize {
        // Times are rounded, so a take that ends a hundredth before a frame includes that frame.
        (self.len_s / self.frame_time_s + 0.01).floor().max(0.0) as usize + 1
    }
}

/// How one node moves: a value for each frame; `None` for a property that stays at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    pub node: NodeId,
    /// Translations in the parent's frame, metres.
    pub translations: Option<Vec<Vec3>>,
    /// Rotations in the parent's frame.
    pub rotations: Option<Vec<Quat>>,
    /// Scales along the node's own axes.
    pub scales: Option<Vec<Vec3>>,
}

impl Track {
    /// The node's local transform in a frame.
    pub fn at(&self, frame: usize, rest: &Local) -> Local {
        Local {
            translation: self.translations.as_ref().map_or(rest.translation, |keys| keys[frame]),
            rotation: self.rotations.as_ref().map_or(rest.rotation, |keys| keys[frame]),
            scale: self.scales.as_ref().map_or(rest.scale, |keys| keys[frame]),
        }
    }
}

impl Scene {
    /// All nodes, each after its parent. A node in a cycle is left out.
    pub fn in_order(&self) -> Vec<NodeId> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        let mut stack = Vec::new();
        for (id, node) in self.nodes.iter().enumerate() {
            match node.parent {
                Some(parent) => children[parent].push(id),
                None => stack.push(id),
            }
        }
        stack.reverse();
        let mut order = Vec::with_capacity(self.nodes.len());
        while let Some(id) = stack.pop() {
            order.push(id);
            stack.extend(children[id].iter().rev());
        }
        order
    }

    /// The frames of all nodes in the world, when `local` gives the transform of each.
    pub fn world(&self, order: &[NodeId], local: impl Fn(NodeId) -> Local) -> Vec<NodeFrame> {
        let mut world = vec![NodeFrame::default(); self.nodes.len()];
        for &id in order {
            let own = local(id).frame();
            world[id] = match self.nodes[id].parent {
                Some(parent) => world[parent].then(&own),
                None => self.above().then(&own),
            };
        }
        world
    }

    /// Whether the mesh of a node belongs to a body: it has a skin, or a joint above it. Files contain scenery too. If
    /// no node is a joint, all meshes belong to the body.
    pub fn is_worn(&self, node: NodeId, has_skin: bool) -> bool {
        let mut above = std::iter::successors(Some(node), |id| self.nodes[*id].parent);
        has_skin
            || above.any(|id| self.nodes[id].is_joint)
            || !self.nodes.iter().any(|node| node.is_joint)
    }

    /// The frame of nodes without a parent.
    fn above(&self) -> NodeFrame {
        Local { rotation: self.turn, ..Local::default() }.frame()
    }
}
