//! Meshes that nodes carry, and where their points are when the nodes move.

use super::{NodeFrame, NodeId};
use crate::math::Vec3;

/// A mesh on a node, of triangles of one colour each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    pub node: NodeId,
    /// In the frame of the node or, with a skin, of the skin.
    pub points: Vec<Vec3>,
    /// Places in the list of points, seen from outside against the clock.
    pub triangles: Vec<[u32; 3]>,
    /// Red, green and blue of each triangle, linear light from 0 to 1.
    pub colours: Vec<[f32; 3]>,
    pub skin: Option<Skin>,
}

/// What joints do with a mesh's points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    pub joints: Vec<NodeId>,
    /// What takes a point to the frame of each joint.
    pub binds: Vec<NodeFrame>,
    /// Which joints move each point, by their places in the list, and how much each counts.
    pub weights: Vec<Vec<(u32, f64)>>,
}

/// What a [`Surface`] looks like close to: its triangles again, by corners, of which a point may have several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shading {
    /// The point of each corner.
    pub points: Vec<u32>,
    /// Where the surface looks at each corner, in the frame of its points; none where it is not told.
    pub normals: Vec<Vec3>,
    /// Where on a picture each corner lies, from its upper left; none where it is not told.
    pub places: Vec<[f32; 2]>,
    /// Places in the list of corners.
    pub triangles: Vec<[u32; 3]>,
    /// The material of each triangle; beyond the list where it has none.
    pub materials: Vec<u32>,
}

/// How a surface takes light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Red, green and blue, linear light from 0 to 1.
    pub colour: [f32; 3],
    /// The place of its picture in the list of pictures.
    pub picture: Option<usize>,
}

/// A picture as its file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// `image/png` or `image/jpeg`.
    pub kind: &'static str,
    pub bytes: Vec<u8>,
}

impl Picture {
    /// A picture that any browser shows; `None` of another kind.
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
    /// Where the points are in the world when all nodes are so. The sum of the joints' frames, each by its weight.
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
