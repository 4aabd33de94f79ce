//! A file of nodes, whatever its format: what glTF, VRM and FBX have in common.
//!
//! Nodes have a place, a turn and a size in the frame of their parent, and some of them are joints. A reader makes a
//! [`Scene`] of a file; [`Body`] makes of it the skeleton and the clips that all else works on, whose joints have no
//! turn in the zero pose, and gives a result back as the nodes' own [`Track`]s. Places are in metres and +Y is up.

mod body;
mod frame;
mod limbs;
mod rest;
mod surface;

pub use body::{Body, SceneError};
pub(crate) use frame::rotation_in;
pub use frame::{Local, NodeFrame};
pub use rest::Base;
pub use surface::{Material, Picture, Shading, Skin, Surface};

use crate::math::{Quat, Vec3};
use crate::rig::Role;

/// Place of a node in its scene's list.
pub type NodeId = usize;

/// The nodes of a file. Parents may stand before or after their children, but there is no circle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    pub nodes: Vec<Node>,
    /// The animations of the file, in its order.
    pub takes: Vec<Take>,
    /// By skin: the nodes whose meshes are bound by it.
    pub meshes: Vec<Vec<NodeId>>,
    /// Whether the nodes' own pose is a T-pose by the format's rules, so that no other has to be looked for.
    pub stands: bool,
    /// The turn of the file's world in that of the scene: where the format says that bodies face another way than +Z.
    pub turn: Quat,
}

/// One node of a [`Scene`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// As in the file; may be empty, and need not be unique.
    pub name: String,
    pub parent: Option<NodeId>,
    /// Where it is in its parent's frame when nothing moves it.
    pub local: Local,
    /// Where a skin says that it was when the mesh was bound to it, in a frame that all joints of the skin share.
    pub bind: Option<Bind>,
    /// Whether it is part of a body: a joint of a skin, or named by the format as one.
    pub is_joint: bool,
    /// The part that the format itself says it plays.
    pub role: Option<Role>,
}

/// Where a joint was when a mesh was bound to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bind {
    /// Which skin says so; frames of one skin compare.
    pub skin: usize,
    pub frame: NodeFrame,
    /// Whether that is in the scene's world; else it is in a frame of the skin's own.
    pub in_world: bool,
}

/// An animation as the file lists it.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    pub name: String,
    /// How long it lasts, seconds.
    pub len_s: f64,
    /// From one frame to the next, seconds: the file's own rate, or that of its keys.
    pub frame_time_s: f64,
    /// Whether anything moves in it.
    pub moves: bool,
}

impl Take {
    /// How many frames it has; at least one.
    pub fn frames(&self) -> usize {
        // Times are rounded: what ends a hundredth before a frame ends with it.
        (self.len_s / self.frame_time_s + 0.01).floor().max(0.0) as usize + 1
    }
}

/// How one node moves: a value for each frame, or none where the node keeps what it has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    pub node: NodeId,
    /// In the parent's frame, metres.
    pub translations: Option<Vec<Vec3>>,
    /// In the parent's frame.
    pub rotations: Option<Vec<Quat>>,
    /// Along the node's own axes.
    pub scales: Option<Vec<Vec3>>,
}

impl Track {
    /// The node's place in a frame.
    pub fn at(&self, frame: usize, rest: &Local) -> Local {
        Local {
            translation: self.translations.as_ref().map_or(rest.translation, |keys| keys[frame]),
            rotation: self.rotations.as_ref().map_or(rest.rotation, |keys| keys[frame]),
            scale: self.scales.as_ref().map_or(rest.scale, |keys| keys[frame]),
        }
    }
}

impl Scene {
    /// All nodes, each after its parent. A node in a circle is left out.
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

    /// Where all nodes are in the world, with `local` for each.
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

    /// Whether the mesh of a node is part of a body or carried by it: has a skin, or hangs on a joint. Files hold
    /// scenery too. Where no node is a joint, all meshes are.
    pub fn is_worn(&self, node: NodeId, has_skin: bool) -> bool {
        let mut above = std::iter::successors(Some(node), |id| self.nodes[*id].parent);
        has_skin
            || above.any(|id| self.nodes[id].is_joint)
            || !self.nodes.iter().any(|node| node.is_joint)
    }

    /// The frame that nodes without a parent are in.
    fn above(&self) -> NodeFrame {
        Local { rotation: self.turn, ..Local::default() }.frame()
    }
}
