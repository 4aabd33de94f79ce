//! Writes a scene of another format as glTF, for programs that show only glTF: its nodes, one animation, and its
//! meshes with their materials.

use super::json::{
    Animation, Attributes, Base, Coloured, Image, Index, Kind, Mesh, Node, Pbr, Primitive,
    Property, Scene as Nodes, Skin as WrittenSkin, Target, Texture, push,
};
use super::pack::Pack;
use super::{GltfError, quaternion, run_on, single};
use crate::math::Vec3;
use crate::scene::{Material, NodeFrame, Picture, Scene, Shading, Skin, Surface, Track};

/// The parts of a scene that are shown.
#[derive(Clone, Copy, Debug)]
pub struct Show<'a> {
    pub scene: &'a Scene,
    /// How its nodes move: a value in each of `frames` frames.
    pub tracks: &'a [Track],
    pub frames: usize,
    pub frame_time_s: f64,
    pub surfaces: &'a [Surface],
    /// One for each surface.
    pub shadings: &'a [Shading],
    pub materials: &'a [Material],
    pub pictures: &'a [Picture],
}

/// The most joints that can move a point in glTF.
const MOST_JOINTS: usize = 4;

/// The scene as the bytes of a `.glb` file. Nodes keep their indices. Of the joints that move a point, the four with
/// the largest weights are written. Memory and time grow with points, and with frames times nodes that move.
pub fn write_shown(show: &Show) -> Result<Vec<u8>, GltfError> {
    let mut pack = Pack::new();
    let roots = add_nodes(&mut pack, show.scene);
    for picture in show.pictures {
        let buffer_view = pack.view(&picture.bytes);
        let source = push(&mut pack.root.images, Image { buffer_view, mime_type: picture.kind });
        pack.root.textures.push(Texture { source });
    }
    for material in show.materials {
        let [red, green, blue] = material.colour;
        let base_color_texture = material.picture.map(|index| Base { index });
        let pbr_metallic_roughness = Pbr {
            base_color_factor: [red, green, blue, 1.0],
            base_color_texture,
            metallic_factor: 0.0,
            roughness_factor: 0.8,
        };
        pack.root.materials.push(Coloured { pbr_metallic_roughness, double_sided: true });
    }
    for (surface, shading) in show.surfaces.iter().zip(show.shadings) {
        add_mesh(&mut pack, show.materials.len(), surface, shading);
    }
    add_animation(&mut pack, show);
    pack.root.scene = push(&mut pack.root.scenes, Nodes { nodes: roots });
    pack.finish().ok_or(GltfError::TooLarge)
}

/// Adds the nodes, and returns those without a parent.
fn add_nodes(pack: &mut Pack, scene: &Scene) -> Vec<Index> {
    let mut roots = Vec::new();
    for node in &scene.nodes {
        pack.root.nodes.push(Node {
            name: node.name.clone(),
            translation: Some(single(node.local.translation)),
            rotation: Some(quaternion(node.local.rotation)),
            scale: Some(single(node.local.scale)),
            ..Node::default()
        });
    }
    for (id, node) in scene.nodes.iter().enumerate() {
        match node.parent {
            Some(parent) => pack.root.nodes[parent].children.push(id),
            None => roots.push(id),
        }
    }
    roots
}

/// Adds a mesh to its node: a primitive for each material, all with the same corners.
fn add_mesh(pack: &mut Pack, materials: usize, surface: &Surface, shading: &Shading) {
    let corners = shading.points.len();
    if shading.triangles.is_empty() {
        return;
    }
    let vertices = Some(Target::Vertices);
    let places = shading.points.iter().map(|i| single(surface.points[*i as usize]));
    let position = pack.push(places, Kind::Vec3, vertices, true);
    let normal = (shading.normals.len() == corners).then(|| {
        let unit = |normal: &Vec3| single(normal.try_normalize(1e-12).unwrap_or(Vec3::y()));
        pack.push(shading.normals.iter().map(unit), Kind::Vec3, vertices, false)
    });
    let texcoord = (shading.places.len() == corners)
        .then(|| pack.push(shading.places.iter().copied(), Kind::Vec2, vertices, false));
    let moved = surface.skin.as_ref().map(|skin| {
        let of = |i: &u32| strongest(&skin.weights[*i as usize]);
        let joints = shading.points.iter().map(|i| of(i).map(|(joint, _)| joint as u16));
        let joints = pack.push(joints, Kind::Vec4, vertices, false);
        let weights = shading.points.iter().map(|i| of(i).map(|(_, weight)| weight));
        let weights = pack.push(weights, Kind::Vec4, vertices, false);
        pack.root.nodes[surface.node].skin = Some(add_skin(pack, skin));
        (joints, weights)
    });
    let attributes = Attributes {
        position,
        joints: moved.map(|(joints, _)| joints),
        weights: moved.map(|(_, weights)| weights),
        normal,
        texcoord,
    };
    let mut used: Vec<u32> = shading.materials.clone();
    used.sort_unstable();
    used.dedup();
    let primitives = used.into_iter().map(|material| {
        let its = shading.triangles.iter().zip(&shading.materials);
        let its = its.filter(|(_, own)| **own == material);
        let indices = its.flat_map(|(triangle, _)| triangle.map(|corner| [corner]));
        let indices = pack.push(indices, Kind::Scalar, Some(Target::Indices), false);
        let material = Some(material as usize).filter(|material| *material < materials);
        Primitive { attributes, indices, material }
    });
    let mesh = Mesh { primitives: primitives.collect() };
    pack.root.nodes[surface.node].mesh = Some(push(&mut pack.root.meshes, mesh));
}

/// The joints with the largest weights at a point, and these weights, whose sum is one.
fn strongest(weights: &[(u32, f64)]) -> [(u32, f32); MOST_JOINTS] {
    let mut sorted = weights.to_vec();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
    sorted.truncate(MOST_JOINTS);
    let whole: f64 = sorted.iter().map(|(_, weight)| weight).sum();
    let mut told = [(0, 0.0); MOST_JOINTS];
    for (told, (joint, weight)) in told.iter_mut().zip(sorted) {
        *told = (joint, (weight / whole) as f32);
    }
    told
}

fn add_skin(pack: &mut Pack, skin: &Skin) -> Index {
    let columns = |frame: &NodeFrame| {
        let mut matrix = frame.linear.to_homogeneous();
        matrix.fixed_view_mut::<3, 1>(0, 3).copy_from(&frame.place);
        let mut columns = [0.0f32; 16];
        columns.iter_mut().zip(matrix.iter()).for_each(|(to, from)| *to = *from as f32);
        columns
    };
    let inverse_bind_matrices = pack.push(skin.binds.iter().map(columns), Kind::Mat4, None, false);
    push(&mut pack.root.skins, WrittenSkin { inverse_bind_matrices, joints: skin.joints.clone() })
}

fn add_animation(pack: &mut Pack, show: &Show) {
    let times = (0..show.frames).map(|frame| [(frame as f64 * show.frame_time_s) as f32]);
    let input = pack.push(times, Kind::Scalar, None, true);
    let mut animation = Animation::default();
    // An animation needs at least one key.
    let still = [still(show)];
    let tracks = if show.tracks.is_empty() { &still[..] } else { show.tracks };
    for Track { node, translations, rotations, scales } in tracks {
        if let Some(places) = translations {
            let keys = places.iter().map(|place| single(*place));
            let keys = pack.push(keys, Kind::Vec3, None, false);
            animation.add(*node, Property::Translation, input, keys);
        }
        if let Some(turns) = rotations {
            let keys = run_on(turns.iter().copied()).map(quaternion);
            let keys = pack.push(keys, Kind::Vec4, None, false);
            animation.add(*node, Property::Rotation, input, keys);
        }
        if let Some(sizes) = scales {
            let keys = sizes.iter().map(|size| single(*size));
            let keys = pack.push(keys, Kind::Vec3, None, false);
            animation.add(*node, Property::Scale, input, keys);
        }
    }
    pack.root.animations.push(animation);
}

/// An animation of one frame that leaves the first node where it is.
fn still(show: &Show) -> Track {
    let rotation = show.scene.nodes.first().map_or_else(Default::default, |it| it.local.rotation);
    Track { node: 0, rotations: Some(vec![rotation; show.frames]), ..Track::default() }
}
