//! Makes a scene of the nodes of a glTF file.

use super::accessor::{Buffers, numbers};
use super::document::{Document, Node as FileNode};
use super::error::GltfReadError;
use super::humanoid;
use crate::math::{Quat, Vec3};
use crate::scene::{Bind, Local, Node, NodeFrame, Scene, Take, rotation_in};
use nalgebra::{Matrix3, Quaternion};
use std::f64::consts::PI;

/// The scene of a file: all its nodes, with those of its default scene as candidates for joints.
pub fn scene(
    document: &Document,
    buffers: &Buffers,
    takes: Vec<Take>,
) -> Result<Scene, GltfReadError> {
    let mut nodes = Vec::with_capacity(document.nodes.len());
    for (id, node) in document.nodes.iter().enumerate() {
        let local = local(node).ok_or(GltfReadError::NotFinite { place: format!("node {id}") })?;
        let name = node.name.clone().unwrap_or_default();
        nodes.push(Node { name, local, ..Node::default() });
    }
    for (id, node) in document.nodes.iter().enumerate() {
        for &child in &node.children {
            let known = nodes.get_mut(child).ok_or_else(|| missing(format!("node {id}"), child))?;
            if known.parent.replace(id).is_some() {
                return Err(GltfReadError::Circle(child));
            }
        }
    }
    let mut scene = Scene { nodes, takes, ..Scene::default() };
    let order = scene.in_order();
    if order.len() != scene.nodes.len() {
        let is_in_order = order.iter().copied().collect::<std::collections::BTreeSet<_>>();
        let first = (0..scene.nodes.len()).find(|id| !is_in_order.contains(id));
        return Err(GltfReadError::Circle(first.unwrap_or_default()));
    }
    let shown = shown(document, &scene, &order)?;
    scene.meshes = vec![Vec::new(); document.skins.len()];
    for (id, node) in document.nodes.iter().enumerate() {
        if let Some(meshes) = node.skin.and_then(|skin| scene.meshes.get_mut(skin)) {
            meshes.push(id);
        }
    }
    for (index, skin) in document.skins.iter().enumerate() {
        let place = || format!("skin {index}");
        let binds = match skin.inverse_bind_matrices {
            Some(accessor) => numbers::<16>(document, buffers, accessor, &place())?,
            None => Vec::new(),
        };
        for (i, &joint) in skin.joints.iter().enumerate() {
            let node = scene.nodes.get_mut(joint).ok_or_else(|| missing(place(), joint))?;
            node.is_joint = shown[joint];
            // Several skins agree about a joint except for the frame, which each skin has for itself.
            if node.bind.is_none() {
                let frame = binds.get(i).and_then(|matrix| frame(matrix).inverse());
                node.bind = frame.map(|frame| Bind { skin: index, frame, in_world: false });
            }
        }
    }
    for (role, id) in humanoid::roles(&document.extensions) {
        let place = || "the humanoid".to_owned();
        let node = scene.nodes.get_mut(id).ok_or_else(|| missing(place(), id))?;
        (node.role, node.is_joint) = (Some(role), true);
    }
    let extensions = &document.extensions;
    scene.stands = [
        extensions.vrm_0.is_some(),
        extensions.vrm_1.is_some(),
        extensions.vrm_animation.is_some(),
    ]
    .contains(&true);
    // A body of VRM 0 faces -Z; bodies of later versions, and those written here, face +Z.
    if extensions.vrm_0.is_some() {
        scene.turn = Quat::from_axis_angle(&Vec3::y_axis(), PI);
    }
    if !scene.nodes.iter().any(|node| node.is_joint) {
        // Without a skin every node of the default scene may be a joint.
        for (id, node) in scene.nodes.iter_mut().enumerate() {
            node.is_joint = shown[id];
        }
    }
    Ok(scene)
}

fn missing(place: String, index: usize) -> GltfReadError {
    GltfReadError::Missing { place, what: "node", index }
}

/// Whether each node belongs to the file's default scene. Without a default scene all nodes do.
fn shown(document: &Document, scene: &Scene, order: &[usize]) -> Result<Vec<bool>, GltfReadError> {
    let index = document.scene.unwrap_or(0);
    let Some(default) = document.scenes.get(index) else {
        return Ok(vec![true; scene.nodes.len()]);
    };
    let mut shown = vec![false; scene.nodes.len()];
    for &root in &default.nodes {
        *shown.get_mut(root).ok_or_else(|| missing(format!("scene {index}"), root))? = true;
    }
    for &id in order {
        let above = scene.nodes[id].parent.is_some_and(|parent| shown[parent]);
        shown[id] = shown[id] || above;
    }
    Ok(shown)
}

/// A node's local transform; `None` if it is not finite.
fn local(node: &FileNode) -> Option<Local> {
    let local = match &node.matrix {
        Some(matrix) => {
            let NodeFrame { linear, place } = frame(matrix);
            let mirror = if linear.determinant() < 0.0 { -1.0 } else { 1.0 };
            let scale = Vec3::from_fn(|axis, _| mirror * linear.column(axis).norm());
            let unsize =
                Matrix3::from_diagonal(&scale.map(|x| if x == 0.0 { 0.0 } else { 1.0 / x }));
            let rotation = rotation_in(&(linear * unsize)).unwrap_or_default();
            Local { translation: place, rotation, scale }
        }
        None => {
            let [x, y, z, w] = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
            Local {
                translation: node.translation.map_or(Vec3::zeros(), Vec3::from),
                rotation: quaternion([x, y, z, w]),
                scale: node.scale.map_or(Vec3::repeat(1.0), Vec3::from),
            }
        }
    };
    let mut numbers = local.translation.iter().chain(local.scale.iter());
    numbers.all(|x| x.is_finite()).then_some(local)
}

/// A rotation of X, Y, Z, W; `None` if it has no length.
pub fn quaternion([x, y, z, w]: [f64; 4]) -> Quat {
    Quat::try_new(Quaternion::new(w, x, y, z), 1e-12).unwrap_or_default()
}

/// A transform as a matrix, column by column.
fn frame(matrix: &[f64; 16]) -> NodeFrame {
    let column = |i: usize| Vec3::new(matrix[4 * i], matrix[4 * i + 1], matrix[4 * i + 2]);
    NodeFrame {
        linear: Matrix3::from_columns(&[column(0), column(1), column(2)]),
        place: column(3),
    }
}
