//! Reads the meshes of an FBX file: points, triangles, the bones that move them, and their materials.

use super::error::FbxError;
use super::load::{self, Kept};
use super::transform::{frame, node_id, vector};
use crate::scene::{Fetch, Material, Meshes, NodeFrame, Picture, Scene, Shading, Skin, Surface};
use std::collections::HashMap;

/// All meshes of the body that are not hidden. They have all points of the file, with or without a triangle. A point
/// that no bone moves stays with the mesh's node. `scene` is the file's scene as read without meshes. Time and
/// memory grow with the file.
pub(super) fn meshes(bytes: &[u8], scene: &Scene, fetch: Fetch) -> Result<Meshes, FbxError> {
    let loaded = load::load(bytes, Kept::Meshes)?;
    if loaded.nodes.count != scene.nodes.len() + 1 {
        return Err(FbxError::Broken("its nodes differ once its meshes are read".to_owned()));
    }
    let mut looks = Looks { fetch, meshes: Meshes::default(), of: HashMap::new() };
    for node in loaded.nodes.into_iter().filter(|node| node.visible) {
        let (Some(mesh), Some(id)) = (node.mesh.as_deref(), node_id(node)) else { continue };
        if !scene.is_worn(id, mesh.skin_deformers.count > 0) {
            continue;
        }
        let materials: Vec<u32> = (0..node.materials.count.max(mesh.materials.count))
            .map(|i| match i < node.materials.count {
                true => looks.material(&node.materials[i]),
                false => looks.material(&mesh.materials[i]),
            })
            .collect();
        let (triangles, shading) = faces(mesh, &materials);
        let colour = |material: &u32| looks.meshes.materials.get(*material as usize);
        let colours = shading.materials.iter().map(|it| match colour(it) {
            Some(Material { colour: [red, green, blue], .. }) => [*red, *green, *blue],
            None => [1.0; 3],
        });
        let colours = colours.collect();
        let place = frame(&node.geometry_to_node);
        let deformer = mesh.skin_deformers.into_iter().next();
        let skin = deformer.map(|deformer| skin(deformer, mesh, id, place));
        let in_mesh = mesh.vertices.iter().enumerate().map(|(i, point)| {
            // Blend shapes stay at rest.
            let shapes = mesh.blend_deformers.into_iter();
            shapes.fold(vector(*point), |at, it| at + vector(it.get_vertex_offset(i)))
        });
        // A mesh without a skin is in the frame of its node.
        let points =
            in_mesh.map(|p| if skin.is_some() { p } else { place.linear * p + place.place });
        looks.meshes.surfaces.push(Surface {
            node: id,
            points: points.collect(),
            triangles,
            colours,
            skin,
        });
        looks.meshes.shadings.push(shading);
    }
    Ok(looks.meshes)
}

/// The triangles of a mesh by its points, and the attributes of their corners.
fn faces(mesh: &ufbx::Mesh, materials: &[u32]) -> (Vec<[u32; 3]>, Shading) {
    let mut triangles = Vec::with_capacity(mesh.num_triangles);
    let mut shading = Shading::default();
    let mut corner_of = HashMap::new();
    let mut corners = Vec::new();
    for (face, &its) in mesh.faces.iter().enumerate() {
        let count = ufbx::triangulate_face_vec(&mut corners, mesh, its) as usize;
        let material = mesh.face_material.get(face).and_then(|i| materials.get(*i as usize));
        for triangle in corners.chunks_exact(3).take(count) {
            let mut corner = |at: u32| {
                let at = at as usize;
                let normal = mesh.vertex_normal.indices.get(at).copied();
                let uv = mesh.vertex_uv.indices.get(at).copied();
                let point = mesh.vertex_indices[at];
                *corner_of.entry((point, normal, uv)).or_insert_with(|| {
                    shading.points.push(point);
                    if let Some(normal) = normal {
                        shading.normals.push(vector(mesh.vertex_normal.values[normal as usize]));
                    }
                    if let Some(uv) = uv {
                        let uv = mesh.vertex_uv.values[uv as usize];
                        shading.places.push([uv.x as f32, 1.0 - uv.y as f32]);
                    }
                    shading.points.len() as u32 - 1
                })
            };
            let three = [corner(triangle[0]), corner(triangle[1]), corner(triangle[2])];
            shading.triangles.push(three);
            shading.materials.push(material.copied().unwrap_or(u32::MAX));
            triangles.push([0, 1, 2].map(|i| mesh.vertex_indices[triangle[i] as usize]));
        }
    }
    (triangles, shading)
}

/// The bones that move the points of a mesh, from the first of its skins. The mesh's node is the last of them, for
/// points that no bone moves.
fn skin(deformer: &ufbx::SkinDeformer, mesh: &ufbx::Mesh, node: usize, place: NodeFrame) -> Skin {
    let mut skin = Skin::default();
    let mut joint_of = Vec::with_capacity(deformer.clusters.count);
    for cluster in &deformer.clusters {
        let bone = cluster.bone_node.as_deref().and_then(node_id);
        joint_of.push(bone.map(|_| skin.joints.len() as u32));
        if let Some(bone) = bone {
            skin.joints.push(bone);
            skin.binds.push(frame(&cluster.geometry_to_bone));
        }
    }
    let own = skin.joints.len() as u32;
    skin.joints.push(node);
    skin.binds.push(place);
    skin.weights = (0..mesh.vertices.len())
        .map(|point| {
            let of = deformer.vertices.get(point);
            let its = of.map_or(0..0, |it| {
                let begin = it.weight_begin as usize;
                begin..begin + it.num_weights as usize
            });
            let its = deformer.weights.get(its).unwrap_or_default().iter();
            let weight = |it: &ufbx::SkinWeight| {
                let joint = joint_of.get(it.cluster_index as usize).copied().flatten()?;
                (it.weight.is_finite() && it.weight > 0.0).then_some((joint, it.weight))
            };
            let weights: Vec<(u32, f64)> = its.filter_map(weight).collect();
            if weights.is_empty() { vec![(own, 1.0)] } else { weights }
        })
        .collect();
    skin
}

/// The materials and pictures that the meshes read so far use.
struct Looks<'a> {
    fetch: Fetch<'a>,
    meshes: Meshes,
    /// The index of each material, by its id in the file.
    of: HashMap<u32, u32>,
}

impl Looks<'_> {
    fn material(&mut self, material: &ufbx::Material) -> u32 {
        if let Some(&known) = self.of.get(&material.element.element_id) {
            return known;
        }
        let base = &material.pbr.base_color;
        let texture = base.texture.as_deref().filter(|_| base.texture_enabled);
        let picture = texture.and_then(|texture| self.picture(texture));
        let factor = &material.pbr.base_factor;
        let factor = if factor.has_value { factor.value_vec4.x } else { 1.0 };
        let value = base.value_vec4;
        let told = |value: f64| (value * factor).clamp(0.0, 1.0) as f32;
        // A picture replaces the colour, even one that cannot be shown.
        let colour = match texture {
            None if base.has_value => [told(value.x), told(value.y), told(value.z)],
            _ => [1.0; 3],
        };
        self.meshes.materials.push(Material { colour, picture });
        let place = self.meshes.materials.len() as u32 - 1;
        self.of.insert(material.element.element_id, place);
        place
    }

    /// The index of a texture's picture; `None` if it cannot be read, with the reason added to those that are lacking.
    fn picture(&mut self, texture: &ufbx::Texture) -> Option<usize> {
        let texture = texture.file_textures.into_iter().next().unwrap_or(texture);
        let inside = texture.video.as_deref().map_or(&texture.content, |video| &video.content);
        let named = texture.relative_filename.replace('\\', "/");
        let name = named.rsplit('/').next().unwrap_or_default();
        let bytes = match inside.is_empty() {
            false => Ok(inside.to_vec()),
            true => (self.fetch)(&named).or_else(|_| (self.fetch)(name)),
        };
        let read = bytes.and_then(|bytes| {
            Picture::of(bytes).ok_or_else(|| format!("{name:?} is neither PNG nor JPEG"))
        });
        match read {
            Ok(picture) => {
                let known = self.meshes.pictures.iter().position(|own| *own == picture);
                Some(known.unwrap_or_else(|| {
                    self.meshes.pictures.push(picture);
                    self.meshes.pictures.len() - 1
                }))
            }
            Err(why) => {
                if !self.meshes.unread.contains(&why) {
                    self.meshes.unread.push(why);
                }
                None
            }
        }
    }
}
