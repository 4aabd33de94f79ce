//! The meshes of a glTF file: points, triangles, and which joints move them.

use super::accessor::{Buffers, numbers};
use super::container::Container;
use super::document::Document;
use super::error::GltfReadError;
use crate::math::Vec3;
use crate::scene::{Fetch, NodeFrame, Skin, Surface};
use nalgebra::Matrix3;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Shown {
    materials: Vec<Material>,
    meshes: Vec<Mesh>,
    nodes: Vec<Carrier>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Carrier {
    mesh: Option<usize>,
    skin: Option<usize>,
    weights: Option<Vec<f64>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Mesh {
    primitives: Vec<Primitive>,
    weights: Vec<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Primitive {
    attributes: BTreeMap<String, usize>,
    indices: Option<usize>,
    material: Option<usize>,
    mode: Option<u32>,
    targets: Vec<BTreeMap<String, usize>>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Material {
    pbr_metallic_roughness: Metallic,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Metallic {
    base_color_factor: Option<[f32; 4]>,
}

/// How corners make triangles, by glTF's constants.
const TRIANGLES: u32 = 4;
const STRIP: u32 = 5;
const FAN: u32 = 6;

/// All meshes, in the order of their nodes. Points that no primitive uses are left out; the others keep their order,
/// primitive by primitive. Morph targets stay at rest.
pub fn surfaces(
    container: &Container,
    document: &Document,
    fetch: Fetch,
) -> Result<Vec<Surface>, GltfReadError> {
    let shown: Shown = container.part(&["materials", "meshes", "nodes"])?;
    let buffers = container.buffers(document, |_| true, fetch)?;
    let mut surfaces = Vec::new();
    for (node, carrier) in shown.nodes.iter().enumerate() {
        let Some(index) = carrier.mesh else { continue };
        let place = || format!("node {node}");
        let missing = |what, index| GltfReadError::Missing { place: place(), what, index };
        let mesh = shown.meshes.get(index).ok_or_else(|| missing("mesh", index))?;
        let mut surface = Surface { node, ..Surface::default() };
        if let Some(index) = carrier.skin {
            let skin = document.skins.get(index).ok_or_else(|| missing("skin", index))?;
            let skin = bound(document, &buffers, index, skin)?;
            surface.skin = Some(skin).filter(|skin| !skin.joints.is_empty());
        }
        let morphs = carrier.weights.as_ref().unwrap_or(&mesh.weights);
        for primitive in &mesh.primitives {
            let from = format!("mesh {index}");
            let colour = primitive.material.and_then(|index| shown.materials.get(index));
            let colour = colour.and_then(|it| it.pbr_metallic_roughness.base_color_factor);
            let [red, green, blue, _] = colour.unwrap_or([1.0; 4]);
            let part = Part { document, buffers: &buffers, primitive, from: &from };
            part.add(&mut surface, morphs, [red, green, blue])?;
        }
        surfaces.push(surface);
    }
    Ok(surfaces)
}

/// The joints of a skin, and where each was when the mesh was bound to it.
fn bound(
    document: &Document,
    buffers: &Buffers,
    index: usize,
    skin: &super::document::Skin,
) -> Result<Skin, GltfReadError> {
    let place = format!("skin {index}");
    if let Some(&joint) = skin.joints.iter().find(|joint| **joint >= document.nodes.len()) {
        return Err(GltfReadError::Missing { place, what: "node", index: joint });
    }
    let mut binds = match skin.inverse_bind_matrices {
        Some(accessor) => numbers::<16>(document, buffers, accessor, &place)?,
        None => Vec::new(),
    };
    binds.resize(skin.joints.len(), IDENTITY);
    let frame = |m: &[f64; 16]| {
        let column = |i: usize| Vec3::new(m[4 * i], m[4 * i + 1], m[4 * i + 2]);
        NodeFrame {
            linear: Matrix3::from_columns(&[column(0), column(1), column(2)]),
            place: column(3),
        }
    };
    let binds = binds.iter().map(frame).collect();
    Ok(Skin { joints: skin.joints.clone(), binds, weights: Vec::new() })
}

const IDENTITY: [f64; 16] =
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// A primitive that is being read.
struct Part<'a> {
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    primitive: &'a Primitive,
    /// The primitive's name in messages.
    from: &'a str,
}

impl Part<'_> {
    fn add(
        &self,
        surface: &mut Surface,
        morphs: &[f64],
        colour: [f32; 3],
    ) -> Result<(), GltfReadError> {
        let Some(&position) = self.primitive.attributes.get("POSITION") else { return Ok(()) };
        let mut points = self.vectors(position)?;
        for (target, weight) in self.primitive.targets.iter().zip(morphs) {
            if let (Some(&way), true) = (target.get("POSITION"), *weight != 0.0) {
                let ways = self.vectors(way)?;
                points.iter_mut().zip(ways).for_each(|(point, way)| *point += *weight * way);
            }
        }
        let corners: Vec<usize> = match self.primitive.indices {
            Some(accessor) => self.read::<1>(accessor)?.iter().map(|[i]| *i as usize).collect(),
            None => (0..points.len()).collect(),
        };
        let mut used = corners.clone();
        used.sort_unstable();
        used.dedup();
        if let Some(&last) = used.last().filter(|last| **last >= points.len()) {
            let place = self.from.to_owned();
            return Err(GltfReadError::Missing { place, what: "point", index: last });
        }
        let first = surface.points.len();
        let place = |corner: usize| {
            let place = used.binary_search(&corner).expect("a corner is used");
            (first + place) as u32
        };
        for triangle in triangles(self.primitive.mode.unwrap_or(TRIANGLES), &corners) {
            surface.triangles.push(triangle.map(place));
            surface.colours.push(colour);
        }
        surface.points.extend(used.iter().map(|i| points[*i]));
        if let Some(skin) = &mut surface.skin {
            let weights = self.weights(points.len(), skin.joints.len())?;
            skin.weights.extend(used.iter().map(|i| weights[*i].clone()));
        }
        Ok(())
    }

    /// The joints of each point with their weights. A point without weights moves with the first joint.
    fn weights(&self, points: usize, joints: usize) -> Result<Vec<Vec<(u32, f64)>>, GltfReadError> {
        let mut weights = vec![Vec::new(); points];
        for set in 0.. {
            let accessor = |name: &str| self.primitive.attributes.get(&format!("{name}_{set}"));
            let (Some(&which), Some(&much)) = (accessor("JOINTS"), accessor("WEIGHTS")) else {
                break;
            };
            let both = self.read::<4>(which)?.into_iter().zip(self.read::<4>(much)?);
            for (weights, (which, much)) in weights.iter_mut().zip(both) {
                for (joint, weight) in which.into_iter().zip(much) {
                    if weight > 0.0 && joint >= joints as f64 {
                        let (place, index) = (self.from.to_owned(), joint as usize);
                        return Err(GltfReadError::Missing { place, what: "joint", index });
                    }
                    if weight > 0.0 {
                        weights.push((joint as u32, weight));
                    }
                }
            }
        }
        weights.iter_mut().filter(|it| it.is_empty()).for_each(|it| it.push((0, 1.0)));
        Ok(weights)
    }

    fn vectors(&self, accessor: usize) -> Result<Vec<Vec3>, GltfReadError> {
        Ok(self.read::<3>(accessor)?.into_iter().map(Vec3::from).collect())
    }

    fn read<const N: usize>(&self, accessor: usize) -> Result<Vec<[f64; N]>, GltfReadError> {
        numbers::<N>(self.document, self.buffers, accessor, self.from)
    }
}

/// The triangles that corners make. Points and lines make none.
fn triangles(mode: u32, corners: &[usize]) -> Vec<[usize; 3]> {
    let windows = || corners.windows(3).enumerate();
    match mode {
        TRIANGLES => corners.chunks_exact(3).map(|it| [it[0], it[1], it[2]]).collect(),
        // Every second triangle of a strip has the opposite orientation.
        STRIP => windows().map(|(i, it)| [it[i % 2], it[1 - i % 2], it[2]]).collect(),
        FAN => windows().map(|(_, it)| [corners[0], it[1], it[2]]).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_and_fans_are_triangles_that_all_look_the_same_way() {
        assert_eq!(triangles(STRIP, &[0, 1, 2, 3]), [[0, 1, 2], [2, 1, 3]]);
        assert_eq!(triangles(FAN, &[7, 1, 2, 3]), [[7, 1, 2], [7, 2, 3]]);
        assert_eq!(triangles(TRIANGLES, &[5, 6, 7, 8]), [[5, 6, 7]]);
        assert_eq!(triangles(1, &[5, 6]), [[0; 3]; 0]);
    }
}
