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
