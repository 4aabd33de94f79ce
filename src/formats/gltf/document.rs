//! The part of glTF's JSON that is read, under glTF's own names. A missing member has glTF's default.

use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

/// The part of a file that is read. A missing list is empty.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Document {
    pub accessors: Vec<Accessor>,
    pub animations: Vec<Animation>,
    pub asset: Asset,
    pub buffers: Vec<Buffer>,
    pub buffer_views: Vec<BufferView>,
    pub extensions: Extensions,
    pub nodes: Vec<Node>,
    pub scene: Option<usize>,
    pub scenes: Vec<Nodes>,
    pub skins: Vec<Skin>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Asset {
    pub version: String,
    pub min_version: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    pub byte_length: u64,
    pub uri: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BufferView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: Option<u64>,
    #[serde(default)]
    pub extensions: BTreeMap<String, IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
    #[serde(default)]
    pub normalized: bool,
    pub count: u64,
    #[serde(rename = "type")]
    pub kind: String,
    pub sparse: Option<Sparse>,
}

#[derive(Deserialize)]
pub struct Sparse {
    pub count: u64,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseIndices {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseValues {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Animation {
    pub name: Option<String>,
    pub channels: Vec<Channel>,
    pub samplers: Vec<Sampler>,
}

#[derive(Deserialize)]
pub struct Channel {
    pub sampler: usize,
    pub target: ChannelTarget,
}

#[derive(Deserialize)]
pub struct ChannelTarget {
    pub node: Option<usize>,
    pub path: String,
}

#[derive(Deserialize)]
pub struct Sampler {
    pub input: usize,
    #[serde(default)]
    pub interpolation: Interpolation,
    pub output: usize,
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Interpolation {
    #[default]
    Linear,
    Step,
    CubicSpline,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Nodes {
    pub nodes: Vec<usize>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Node {
    pub name: Option<String>,
    pub children: Vec<usize>,
    /// Column by column.
    pub matrix: Option<[f64; 16]>,
    pub translation: Option<[f64; 3]>,
    /// X, Y, Z, W.
    pub rotation: Option<[f64; 4]>,
    pub scale: Option<[f64; 3]>,
    pub skin: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Skin {
    pub inverse_bind_matrices: Option<usize>,
    pub joints: Vec<usize>,
}

/// The extensions of a file that describe a body.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Extensions {
    /// VRM 0.x.
    #[serde(rename = "VRM")]
    pub vrm_0: Option<OldVrm>,
    /// VRM 1.0.
    #[serde(rename = "VRMC_vrm")]
    pub vrm_1: Option<Vrm>,
    #[serde(rename = "VRMC_vrm_animation")]
    pub vrm_animation: Option<Vrm>,
}

#[derive(Deserialize)]
pub struct OldVrm {
    pub humanoid: OldHumanoid,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OldHumanoid {
    pub human_bones: Vec<OldHumanBone>,
}

#[derive(Deserialize)]
pub struct OldHumanBone {
    pub bone: String,
    /// The index, or `None`; some exporters write -1 for none.
    pub node: i64,
}

#[derive(Deserialize)]
pub struct Vrm {
    pub humanoid: Humanoid,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Humanoid {
    pub human_bones: BTreeMap<String, HumanBone>,
}

#[derive(Deserialize)]
pub struct HumanBone {
    pub node: usize,
}
