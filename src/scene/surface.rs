//! Meshes of nodes, and where their points are when the nodes move.

use super::{NodeFrame, NodeId};
use crate::math::Vec3;

/// The meshes of a file, and their materials.
#[derive(Debug, Default)]
pub struct Meshes {
    /// The meshes in the order of their nodes.
    pub surfaces: Vec<Surface>,
    /// The detail of each mesh.
    pub shadings: Vec<Shading>,
    pub materials: Vec<Material>,
    pub pictures: Vec<Picture>,
    /// Pictures that are not shown, each with the reason.
    pub unread: Vec<String>,
}

/// A mesh on a node, of triangles of one colour each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    pub node: NodeId,
    /// Positions in the frame of the node or, with a skin, of the skin.
    pub points: Vec<Vec3>,
    /// Indices of points, counterclockwise as seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The colour of each triangle: red, green and blue, linear light from 0 to 1.
    pub colours: Vec<[f32; 3]>,
    pub skin: Option<Skin>,
}

/// How joints move a mesh's points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    pub joints: Vec<NodeId>,
    /// The transform of a point to the frame of each joint.
    pub binds: Vec<NodeFrame>,
    /// The joints that move each point, by their indices in the list, and their weights.
    pub weights: Vec<Vec<(u32, f64)>>,
}

/// The detail of a [`Surface`]: its triangles by corners. A point may have several corners.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shading {
    /// The point of each corner.
    pub points: Vec<u32>,
    /// The normal at each corner, in the frame of the points; empty if there are none.
    pub normals: Vec<Vec3>,
    /// Where each corner lies on a picture, from the upper left; empty if there are none.
    pub places: Vec<[f32; 2]>,
    /// Indices of corners.
    pub triangles: Vec<[u32; 3]>,
    /// The index of each triangle's material; beyond the list's end for a triangle without.
    pub materials: Vec<u32>,
}

/// How a surface reflects light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Red, green and blue, linear light from 0 to 1.
    pub colour: [f32; 3],
    /// The index of its picture.
    pub picture: Option<usize>,
}

/// A picture as bytes of its format.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// `image/png` or `image/jpeg`.
    pub kind: &'static str,
    pub bytes: Vec<u8>,
}

impl Picture {
    /// A picture that any browser shows; `None` for bytes of another format.
    pub fn of(bytes: Vec<u8>) -> Option<Self> {
        let kind = match &bytes[..] {
            [0x89, b'P', b'N', b'G', ..] => "image/png",
            [0xFF, 0xD8, ..] => "image/jpeg",
            _ => return None,
        };
        Some(Self { kind, bytes })
    }
}

impl Surface {
    /// The positions of the points in the world when the nodes have these frames: linear blend skinning.
    pub fn placed(&self, world: &[NodeFrame]) -> Vec<Vec3> {
        let Some(skin) = &self.skin else {
            let frame = &world[self.node];
            return self.points.iter().map(|point| at(frame, point)).collect();
        };
        let frames = skin.joints.iter().zip(&skin.binds);
        let frames: Vec<NodeFrame> = frames.map(|(joint, bind)| world[*joint].then(bind)).collect();
        let placed = |(point, weights): (&Vec3, &Vec<(u32, f64)>)| {
            let whole: f64 = weights.iter().map(|(_, weight)| weight).sum();
            let moved = weights.iter().map(|(i, weight)| at(&frames[*i as usize], point) * *weight);
            moved.sum::<Vec3>() / whole
        };
        self.points.iter().zip(&skin.weights).map(placed).collect()
    }
}

fn at(frame: &NodeFrame, point: &Vec3) -> Vec3 {
    frame.linear * point + frame.place
}
