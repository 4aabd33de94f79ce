//! A body as a glTF file, written in many ways: what exporters do to one and the same skeleton.

#![allow(dead_code)]

use retarget::internals::math::{Quat, Vec3};
use retarget::internals::pose::{Pose, WorldPose};
use retarget::internals::rig::Rig;
use retarget::internals::skeleton::Skeleton;
use serde_json::{Value, json};

/// How a file says what a body is like. The default is the plainest way.
#[derive(Clone, Debug)]
pub struct Writing {
    pub name: &'static str,
    /// Metres that a unit of the skeleton stands for.
    pub unit_m: f64,
    /// The node above the joints, and the size of lengths below it.
    pub above: Quat,
    pub above_scale: f64,
    /// Whether each joint's frame is turned its own way.
    pub turned_frames: bool,
    /// Whether nodes have matrices.
    pub matrices: bool,
    /// Whether nodes were left in another pose than the one that the mesh was bound in.
    pub left_posed: bool,
    /// Whether the feet hang on the root, as animators like it.
    pub loose_feet: bool,
    /// Bytes in the JSON instead of a chunk.
    pub text: bool,
    /// A member, an extension and a mesh that nothing reads.
    pub strange: bool,
}

impl Default for Writing {
    fn default() -> Self {
        Self {
            name: "plain",
            unit_m: 0.01,
            above: Quat::identity(),
            above_scale: 1.0,
            turned_frames: false,
            matrices: false,
            left_posed: false,
            loose_feet: false,
            text: false,
            strange: false,
        }
    }
}

/// One of each, and some together.
pub fn writings() -> Vec<Writing> {
    let quarter = Quat::from_axis_angle(&Vec3::x_axis(), -std::f64::consts::FRAC_PI_2);
    let plain = Writing::default();
    vec![
        plain.clone(),
        Writing { name: "scaled armature", above_scale: 0.01, ..plain.clone() },
        Writing { name: "turned armature", above: quarter, above_scale: 100.0, ..plain.clone() },
        Writing { name: "turned frames", turned_frames: true, ..plain.clone() },
        Writing { name: "matrices", matrices: true, turned_frames: true, ..plain.clone() },
        Writing { name: "left posed", left_posed: true, turned_frames: true, ..plain.clone() },
        Writing { name: "loose feet", loose_feet: true, ..plain.clone() },
        Writing { name: "text", text: true, ..plain.clone() },
        Writing {
            name: "all",
            above: quarter,
            above_scale: 0.3,
            turned_frames: true,
            left_posed: true,
            loose_feet: true,
            strange: true,
            ..plain
        },
    ]
}

/// The file of a rig, bound in its zero pose.
pub fn glb(rig: &Rig, writing: &Writing) -> Vec<u8> {
    let skeleton = &rig.skeleton;
    let mut numbers = Numbers(7);
    let count = skeleton.len();
    let zero = WorldPose::of(skeleton, &Pose::rest(skeleton));
    // The frame of each joint in the world when the mesh is bound.
    let frames: Vec<Quat> = (0..count)
        .map(|_| if writing.turned_frames { numbers.turn(3.0) } else { Quat::identity() })
        .collect();
    // Each joint's place among the nodes: the armature is the first, and the last of all hold meshes.
    let parent = |joint: usize| -> Option<usize> {
        let own = skeleton.joints()[joint].parent.map(|id| id.index());
        let is_foot = rig.feet.iter().any(|foot| foot.ankle.index() == joint);
        match writing.loose_feet && is_foot {
            true => Some(0),
            false => own,
        }
    };
    let size = writing.unit_m / writing.above_scale;
    let posed: Vec<Quat> = (0..count)
        .map(|_| if writing.left_posed { numbers.turn(0.8) } else { Quat::identity() })
        .collect();
    let mut nodes = vec![json!({
        "name": "Armature",
        "rotation": list(writing.above),
        "scale": [writing.above_scale, writing.above_scale, writing.above_scale],
        "children": (0..count).filter(|j| parent(*j).is_none()).map(|j| j + 1).collect::<Vec<_>>(),
    })];
    for joint in 0..count {
        let (above_turn, above_place) = match parent(joint) {
            Some(parent) => (frames[parent], zero.positions[parent]),
            None => (writing.above, Vec3::zeros()),
        };
        let place = above_turn.inverse() * (zero.positions[joint] - above_place) * size;
        // The hips keep their place, so that only turns are another pose.
        let turn = above_turn.inverse() * frames[joint];
        let turn = if parent(joint).is_some() { turn * posed[joint] } else { turn };
        let children: Vec<usize> =
            (0..count).filter(|j| parent(*j) == Some(joint)).map(|j| j + 1).collect();
        let mut node = json!({ "name": skeleton.joints()[joint].name });
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        match writing.matrices {
            true => {
                let turn = turn.to_rotation_matrix();
                let mut columns: Vec<f64> = Vec::new();
                for column in 0..3 {
                    columns.extend(turn.matrix().column(column).iter());
                    columns.push(0.0);
                }
                columns.extend([place.x, place.y, place.z, 1.0]);
                node["matrix"] = json!(columns);
            }
            false => {
                node["rotation"] = json!(list(turn));
                node["translation"] = json!([place.x, place.y, place.z]);
            }
        }
        nodes.push(node);
    }
    let mut bytes: Vec<u8> = Vec::new();
    for (frame, zero) in frames.iter().zip(&zero.positions) {
        // What takes the mesh's world, which is the scene's here, to the joint's frame.
        let inverse = frame.inverse();
        let place = -(inverse * zero * writing.unit_m) / writing.above_scale;
        let turn = inverse.to_rotation_matrix();
        for column in 0..3 {
            for row in 0..3 {
                let number = turn.matrix()[(row, column)] / writing.above_scale;
                bytes.extend((number as f32).to_le_bytes());
            }
            bytes.extend(0f32.to_le_bytes());
        }
        for number in [place.x, place.y, place.z, 1.0] {
            bytes.extend((number as f32).to_le_bytes());
        }
    }
    let matrices = bytes.len();
    // A triangle, so that the skin is used.
    for corner in [[0f32, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0]] {
        corner.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    }
    bytes.extend([0u8; 12]);
    for _ in 0..3 {
        [1f32, 0.0, 0.0, 0.0].iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    }
    nodes.push(json!({ "name": "Mesh", "mesh": 0, "skin": 0 }));
    let mut file = json!({
        "asset": { "version": "2.0", "generator": "a test" },
        "scene": 0,
        "scenes": [{ "nodes": [0, count + 1] }],
        "nodes": nodes,
        "skins": [{
            "inverseBindMatrices": 0,
            "joints": (1..=count).collect::<Vec<_>>(),
        }],
        "meshes": [{ "primitives": [{ "attributes": {
            "POSITION": 1, "JOINTS_0": 2, "WEIGHTS_0": 3,
        } }] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": count, "type": "MAT4" },
            {
                "bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC3",
                "min": [0.0, 0.0, 0.0], "max": [f64::from(0.1f32), f64::from(0.1f32), 0.0],
            },
            { "bufferView": 2, "componentType": 5121, "count": 3, "type": "VEC4" },
            { "bufferView": 3, "componentType": 5126, "count": 3, "type": "VEC4" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteOffset": 0, "byteLength": matrices },
            { "buffer": 0, "byteOffset": matrices, "byteLength": 36, "target": 34962 },
            { "buffer": 0, "byteOffset": matrices + 36, "byteLength": 12, "target": 34962 },
            { "buffer": 0, "byteOffset": matrices + 48, "byteLength": 48, "target": 34962 },
        ],
        "buffers": [{ "byteLength": bytes.len() }],
    });
    if writing.strange {
        file["extensionsUsed"] = json!(["TEST_strange"]);
        file["extensions"] = json!({ "TEST_strange": { "number": 0.1, "text": "\u{e4}\n" } });
        file["extras"] = json!({ "kept": [1, 2.50, 1e-7] });
    }
    packed(file, bytes, writing.text)
}

/// A file of its JSON and its bytes.
pub fn packed(mut file: Value, mut bytes: Vec<u8>, text: bool) -> Vec<u8> {
    if text {
        let data = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, &bytes);
        file["buffers"][0]["uri"] = json!(format!("data:application/octet-stream;base64,{data}"));
        return serde_json::to_vec_pretty(&file).expect("JSON");
    }
    let mut json = serde_json::to_vec(&file).expect("JSON");
    json.resize(json.len().next_multiple_of(4), b' ');
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let mut out = b"glTF\x02\0\0\0".to_vec();
    out.extend(((12 + 8 + json.len() + 8 + bytes.len()) as u32).to_le_bytes());
    out.extend((json.len() as u32).to_le_bytes());
    out.extend(b"JSON");
    out.extend(json);
    out.extend((bytes.len() as u32).to_le_bytes());
    out.extend(b"BIN\0");
    out.extend(bytes);
    out
}

/// The JSON of a file, and the bytes of its chunk.
pub fn unpacked(file: &[u8]) -> (Value, Vec<u8>) {
    if !file.starts_with(b"glTF") {
        return (serde_json::from_slice(file).expect("JSON"), Vec::new());
    }
    let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let json = 20 + number(12);
    let bytes = if json + 8 <= file.len() { file[json + 8..].to_vec() } else { Vec::new() };
    (serde_json::from_slice(&file[20..json]).expect("JSON"), bytes)
}

/// X, Y, Z, W.
fn list(q: Quat) -> [f64; 4] {
    q.coords.into()
}

/// Numbers by chance that are the same every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64 * 2.0 - 1.0
    }

    /// A turn of at most so many radians.
    fn turn(&mut self, most_rad: f64) -> Quat {
        let axis = Vec3::new(self.next(), self.next(), self.next());
        let axis = axis.try_normalize(1e-3).unwrap_or(Vec3::x());
        Quat::from_scaled_axis(axis * (most_rad * self.next()))
    }
}

/// The places of a skeleton's joints by name, in metres.
pub fn places(skeleton: &Skeleton, pose: &Pose, unit_m: f64) -> Vec<(String, Vec3)> {
    let world = WorldPose::of(skeleton, pose);
    let names = skeleton.joints().iter().map(|joint| joint.name.clone());
    names.zip(world.positions.iter().map(|place| place * unit_m)).collect()
}
