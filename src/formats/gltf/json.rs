//! The part of glTF's JSON that is written, under glTF's own names.
//!
//! Objects refer to each other by their indices in the lists of [`Root`].

use serde::{Serialize, Serializer};

/// An index in a list of [`Root`], or in an animation's list of samplers.
pub type Index = usize;

/// Adds an item to a list, and returns its index.
pub fn push<T>(list: &mut Vec<T>, item: T) -> Index {
    list.push(item);
    list.len() - 1
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Root {
    pub accessors: Vec<Accessor>,
    pub animations: Vec<Animation>,
    pub asset: Asset,
    pub buffers: Vec<Buffer>,
    pub buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extensions_used: Vec<&'static str>,
    pub scene: Index,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<Coloured>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meshes: Vec<Mesh>,
    pub nodes: Vec<Node>,
    pub scenes: Vec<Scene>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skins: Vec<Skin>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub textures: Vec<Texture>,
}

#[derive(Serialize)]
pub struct Asset {
    pub generator: &'static str,
    pub version: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    pub byte_length: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BufferView {
    pub buffer: Index,
    pub byte_length: usize,
    pub byte_offset: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
}

/// What a view of a mesh contains.
#[derive(Clone, Copy)]
pub enum Target {
    Vertices,
    Indices,
}

/// glTF states it by OpenGL's constant.
impl Serialize for Target {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(match self {
            Target::Vertices => 34962,
            Target::Indices => 34963,
        })
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: Index,
    pub count: usize,
    /// OpenGL's constant for the type of a component.
    pub component_type: u32,
    #[serde(rename = "type")]
    pub kind: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Vec<f64>>,
}

/// How many numbers an item has, in glTF's words.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Kind {
    Scalar,
    Vec2,
    Vec3,
    Vec4,
    Mat4,
}

#[derive(Default, Serialize)]
pub struct Animation {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    pub channels: Vec<Channel>,
    pub samplers: Vec<Sampler>,
}

impl Animation {
    /// Adds LINEAR keys of a node's property: the accessors of their times and of their values.
    pub fn add(&mut self, node: Index, path: Property, input: Index, output: Index) {
        let sampler = Sampler { input, interpolation: Interpolation::Linear, output };
        let sampler = push(&mut self.samplers, sampler);
        self.channels.push(Channel { sampler, target: ChannelTarget { node, path } });
    }
}

#[derive(Serialize)]
pub struct Channel {
    pub sampler: Index,
    pub target: ChannelTarget,
}

#[derive(Serialize)]
pub struct ChannelTarget {
    pub node: Index,
    pub path: Property,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Property {
    Rotation,
    Scale,
    Translation,
}

#[derive(Serialize)]
pub struct Sampler {
    /// The accessor of the times.
    pub input: Index,
    pub interpolation: Interpolation,
    /// The accessor of the values.
    pub output: Index,
}

#[derive(Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Interpolation {
    Linear,
}

#[derive(Serialize)]
pub struct Mesh {
    pub primitives: Vec<Primitive>,
}

/// Triangles: glTF's default, so no mode is written.
#[derive(Serialize)]
pub struct Primitive {
    pub attributes: Attributes,
    pub indices: Index,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<Index>,
}

/// The accessors of the attributes of each corner.
#[derive(Clone, Copy, Serialize)]
pub struct Attributes {
    #[serde(rename = "POSITION")]
    pub position: Index,
    #[serde(rename = "JOINTS_0", skip_serializing_if = "Option::is_none")]
    pub joints: Option<Index>,
    #[serde(rename = "WEIGHTS_0", skip_serializing_if = "Option::is_none")]
    pub weights: Option<Index>,
    #[serde(rename = "NORMAL", skip_serializing_if = "Option::is_none")]
    pub normal: Option<Index>,
    #[serde(rename = "TEXCOORD_0", skip_serializing_if = "Option::is_none")]
    pub texcoord: Option<Index>,
}

/// A picture whose bytes are in the buffer.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    pub buffer_view: Index,
    pub mime_type: &'static str,
}

#[derive(Serialize)]
pub struct Texture {
    pub source: Index,
}

/// A material.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Coloured {
    pub pbr_metallic_roughness: Pbr,
    pub double_sided: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Pbr {
    pub base_color_factor: [f32; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_color_texture: Option<Base>,
    pub metallic_factor: f32,
    pub roughness_factor: f32,
}

/// The texture of a colour.
#[derive(Serialize)]
pub struct Base {
    pub index: Index,
}

#[derive(Default, Serialize)]
pub struct Node {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Index>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<Index>,
    pub name: String,
    /// X, Y, Z, W.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin: Option<Index>,
}

#[derive(Serialize)]
pub struct Scene {
    pub nodes: Vec<Index>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Skin {
    pub inverse_bind_matrices: Index,
    pub joints: Vec<Index>,
}
