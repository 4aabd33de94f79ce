//! A body to see: one mesh with an octahedron for each bone, skinned to the joints.

use super::json::{Attributes, Index, Kind, Mesh, Node, Primitive, Skin, Target, push};
use super::pack::Pack;
use super::{World, single};
use crate::math::{Vec3, any_perpendicular};
use crate::pose::{Pose, WorldPose};
use crate::skeleton::Skeleton;

/// Half the width of a bone at its waist, and where along the bone the waist is; shares of its length.
const HALF_WIDTH: f64 = 0.1;
const WAIST_AT: f64 = 0.15;

/// The corners of a body, and the joint that moves each.
#[derive(Default)]
struct Corners {
    places: Vec<Vec3>,
    joints: Vec<u16>,
}

impl Corners {
    /// The corners of a bone: its start, four around its waist, its end.
    fn push(&mut self, joint: usize, start: Vec3, end: Vec3) {
        let along = end - start;
        let side = any_perpendicular(along);
        let across = along.normalize().cross(&side);
        let half = HALF_WIDTH * along.norm();
        let waist = start + WAIST_AT * along;
        let around = [side, across, -side, -across].map(|way| waist + half * way);
        self.places.push(start);
        self.places.extend(around);
        self.places.push(end);
        self.joints.extend([joint as u16; 6]);
    }
}

/// Adds the mesh, its skin and their node. `None` for a skeleton without a bone, or with more joints than the mesh
/// can refer to.
pub fn add(pack: &mut Pack, skeleton: &Skeleton, world: &World) -> Option<Index> {
    if skeleton.len() > usize::from(u16::MAX) {
        return None;
    }
    let rest = WorldPose::of(skeleton, &Pose::rest(skeleton));
    let mut corners = Corners::default();
    let mut bone = |joint: usize, end: Vec3| {
        let start = rest.positions[joint];
        if (end - start).norm() * world.unit_m > 1e-6 {
            corners.push(joint, start, end);
        }
    };
    for (i, joint) in skeleton.joints().iter().enumerate() {
        if let Some(parent) = joint.parent {
            bone(parent.index(), rest.positions[i]);
        }
        joint.end_sites.iter().for_each(|end| bone(i, rest.positions[i] + end));
    }
    if corners.places.is_empty() {
        return None;
    }
    let places = corners.places.iter().map(|p| single(world.turn * p * world.unit_m));
    let vertices = Some(Target::Vertices);
    let position = pack.push(places, Kind::Vec3, vertices, true);
    let joints = corners.joints.iter().map(|joint| [*joint, 0, 0, 0]);
    let joints = pack.push(joints, Kind::Vec4, vertices, false);
    let weights = corners.joints.iter().map(|_| [1.0f32, 0.0, 0.0, 0.0]);
    let weights = pack.push(weights, Kind::Vec4, vertices, false);
    let bones = (corners.places.len() / 6) as u32;
    let indices = (0..bones).flat_map(|bone| faces(6 * bone)).map(|corner| [corner]);
    let indices = pack.push(indices, Kind::Scalar, Some(Target::Indices), false);
    let (joints, weights) = (Some(joints), Some(weights));
    let attributes = Attributes { position, joints, weights, normal: None, texcoord: None };
    let mesh = Mesh { primitives: vec![Primitive { attributes, indices, material: None }] };
    let mesh = push(&mut pack.root.meshes, mesh);
    let skin = add_skin(pack, &rest, world);
    let body =
        Node { name: "Body".to_owned(), mesh: Some(mesh), skin: Some(skin), ..Node::default() };
    Some(push(&mut pack.root.nodes, body))
}

/// The eight triangles of a bone, which face outwards.
fn faces(first: u32) -> impl Iterator<Item = u32> {
    (0..4).flat_map(move |i| {
        let (a, b) = (first + 1 + i, first + 1 + (i + 1) % 4);
        [first, b, a, first + 5, a, b]
    })
}

fn add_skin(pack: &mut Pack, rest: &WorldPose, world: &World) -> Index {
    let inverse = |place: &Vec3| {
        let turned = world.turn * place * world.unit_m;
        let joint_from_world = world.turn.inverse();
        let rotation = joint_from_world.to_rotation_matrix().into_inner();
        let mut matrix = rotation.to_homogeneous();
        matrix.fixed_view_mut::<3, 1>(0, 3).copy_from(&-(joint_from_world * turned));
        let mut columns = [0.0f32; 16];
        for (to, from) in columns.iter_mut().zip(matrix.iter()) {
            *to = *from as f32;
        }
        columns
    };
    let matrices = rest.positions.iter().map(inverse);
    let matrices = pack.push(matrices, Kind::Mat4, None, false);
    let joints = (0..rest.positions.len()).collect();
    push(&mut pack.root.skins, Skin { inverse_bind_matrices: matrices, joints })
}
