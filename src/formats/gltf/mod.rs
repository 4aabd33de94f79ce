//! glTF 2.0 and VRM: reads files as scenes, adds animations to them, and writes a clip as a file of its own, which has
//! nodes, an animation, and a body of bones skinned to them.
//!
//! ```
//! use retarget::UpAxis;
//! use retarget::internals::formats::gltf::{GltfSettings, write_glb};
//!
//! let clip = retarget::SourceClip::load("samples/walk.bvh")?.clip;
//! let bytes = write_glb(&clip, &GltfSettings { up: UpAxis::Y, unit_m: 0.01 })?;
//! assert_eq!(retarget::SourceClip::from_bytes("walk.glb", &bytes)?.clip.len(), clip.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accessor;
mod append;
mod body;
mod container;
mod document;
mod error;
mod file;
mod humanoid;
mod json;
mod look;
mod mesh;
mod nodes;
mod pack;
mod scene_file;
mod shown;
mod take;
mod vrma;

pub use append::Appending;
pub use error::GltfReadError;
pub use file::GltfFile;
pub use look::Look;
pub use shown::{Show, write_shown};
pub use vrma::write_vrma;

use super::content::{self, holds};
use super::{Format, Made, NodeFormat};
use crate::clip::Clip;
use crate::math::{Quat, Vec3};
use crate::rig::{Role, UpAxis};
use crate::scene::{FormatError, WayOut};
use crate::skeleton::{JointId, Skeleton};
use json::{Animation, Index, Kind, Node, Property, Scene, push};
use pack::Pack;

/// The format, and those that add to it.
pub(super) const FORMAT: Format = Format {
    names: &["glTF", "VRM", "VRMA"],
    read: &[".glb", ".gltf", ".vrm", ".vrma"],
    written: &[".glb", ".gltf", ".vrm", ".vrma"],
    kinds: &[
        content::Kind::read("binary glTF", &[".glb", ".vrm", ".vrma"], is_binary),
        content::Kind::read("glTF as JSON", &[".gltf"], |bytes| {
            is_one(bytes) && holds(bytes, b"\"asset\"")
        }),
    ],
    nodes: Some(NodeFormat {
        name: "glTF",
        broken: "broken_gltf",
        is_one,
        reader: Ok(scene_file::READER),
        blender: include_str!("blender.py"),
    }),
    made: &[
        // Bones alone.
        Made {
            end: ".glb",
            suits_characters: false,
            make: |new| {
                let settings = GltfSettings { up: new.target.up, unit_m: new.guessed_unit_m };
                Ok(write_glb(new.clip, &settings)?)
            },
        },
        Made {
            end: ".vrma",
            suits_characters: true,
            make: |new| {
                let unit_m = new.stated_unit_m.unwrap_or(new.guessed_unit_m);
                Ok(write_vrma(new.clip, new.target, unit_m)?)
            },
        },
    ],
    way_out,
};

fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(b"glTF")
}

/// Whether bytes begin as glTF does, binary or as JSON.
fn is_one(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    is_binary(bytes) || text.trim_ascii_start().starts_with(b"{")
}

/// How a clip becomes glTF's world, which has metres and +Y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GltfSettings {
    /// The clip's up axis.
    pub up: UpAxis,
    /// How many metres one length unit of the clip is.
    pub unit_m: f64,
}

/// Why a clip cannot be written as glTF.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GltfError {
    #[error("the clip has no frames, and glTF has no empty animations")]
    NoFrames,
    #[error("a clip for VRM needs the bone {bone}, and no joint of the target has the role {role}")]
    NoBone { bone: String, role: Role },
    #[error("the clip would exceed 4 GiB, the limit of binary glTF; write it as BVH")]
    TooLarge,
}

/// What leads out of an error.
fn way_out(error: &FormatError) -> Option<WayOut> {
    match (error.downcast_ref(), error.downcast_ref()) {
        (Some(GltfError::TooLarge), _) => Some(WayOut::OtherFormat),
        (_, Some(GltfReadError::NameTaken(_))) => Some(WayOut::Replace),
        _ => None,
    }
}

/// The clip as the bytes of a `.glb` file.
///
/// The file has a node for each joint, in the skeleton's order and with its names, below one node that has all roots
/// as children. At rest nodes have the joints' OFFSETs and no rotation. Rotations of all joints, and translations of
/// joints with position channels, have a LINEAR key at each frame, in seconds from zero. The roots contain the turn
/// of the clip's up axis to +Y. Numbers have 32 bits, as in all glTF. Memory and time grow with frames times joints.
pub fn write_glb(clip: &Clip, settings: &GltfSettings) -> Result<Vec<u8>, GltfError> {
    if clip.is_empty() {
        return Err(GltfError::NoFrames);
    }
    let world = World { turn: settings.up.turn_to(UpAxis::Y), unit_m: settings.unit_m };
    let mut pack = Pack::new();
    let skeleton = clip.skeleton();
    let holder = add_nodes(&mut pack, skeleton, &world);
    let body = body::add(&mut pack, skeleton, &world);
    let nodes = std::iter::once(holder).chain(body).collect();
    pack.root.scene = push(&mut pack.root.scenes, Scene { nodes });
    add_animation(&mut pack, clip, &world);
    pack.finish().ok_or(GltfError::TooLarge)
}

/// The transform from the clip's world to glTF's.
struct World {
    turn: Quat,
    unit_m: f64,
}

impl World {
    /// The turn of a joint's parent frame, which for a root is the world.
    fn turn_above(&self, skeleton: &Skeleton, id: JointId) -> Quat {
        if skeleton.parent(id).is_none() { self.turn } else { Quat::identity() }
    }

    fn translation(&self, skeleton: &Skeleton, id: JointId, local: Vec3) -> [f32; 3] {
        single(self.turn_above(skeleton, id) * local * self.unit_m)
    }
}

/// A vector in 32 bits; a number beyond their range becomes the largest of the range.
fn single(v: Vec3) -> [f32; 3] {
    v.map(|x| x.clamp(f32::MIN.into(), f32::MAX.into()) as f32).into()
}

/// Adds a node for each joint, at the joint's own index, then the node whose children are the roots. Returns the
/// latter's index.
fn add_nodes(pack: &mut Pack, skeleton: &Skeleton, world: &World) -> Index {
    let mut children = vec![Vec::new(); skeleton.len()];
    let mut roots = Vec::new();
    for id in skeleton.ids() {
        match skeleton.parent(id) {
            Some(parent) => children[parent.index()].push(id.index()),
            None => roots.push(id.index()),
        }
    }
    for (id, children) in skeleton.ids().zip(children) {
        let joint = skeleton.joint(id);
        let turn = world.turn_above(skeleton, id);
        pack.root.nodes.push(Node {
            name: joint.name.clone(),
            translation: Some(world.translation(skeleton, id, joint.offset)),
            rotation: (turn != Quat::identity()).then(|| quaternion(turn)),
            children,
            ..Node::default()
        });
    }
    let holder = Node { name: "Armature".to_owned(), children: roots, ..Node::default() };
    push(&mut pack.root.nodes, holder)
}

/// Rotations as quaternions whose signs do not jump, for players that interpolate the four numbers as they are.
fn run_on(rotations: impl Iterator<Item = Quat>) -> impl Iterator<Item = Quat> {
    let mut before = Quat::identity();
    rotations.map(move |q| {
        before = if q.coords.dot(&before.coords) < 0.0 { Quat::new_unchecked(-*q) } else { q };
        before
    })
}

/// X, Y, Z, W.
fn quaternion(q: Quat) -> [f32; 4] {
    q.coords.map(|x| x as f32).into()
}

fn add_animation(pack: &mut Pack, clip: &Clip, world: &World) {
    let skeleton = clip.skeleton();
    let frame_time_s = clip.frame_time().seconds();
    let times = (0..clip.len()).map(|frame| [(frame as f64 * frame_time_s) as f32]);
    let input = pack.push(times, Kind::Scalar, None, true);
    let mut animation = Animation::default();
    let mut add = |joint: JointId, path, output| animation.add(joint.index(), path, input, output);
    for id in skeleton.ids() {
        let turn = world.turn_above(skeleton, id);
        let turns = (0..clip.len()).map(|frame| turn * clip.rotations(frame)[id.index()]);
        let keys = run_on(turns).map(quaternion);
        add(id, Property::Rotation, pack.push(keys, Kind::Vec4, None, false));
    }
    for (place, &id) in clip.moving().iter().enumerate() {
        let keys = (0..clip.len())
            .map(|frame| world.translation(skeleton, id, clip.translations(frame)[place]));
        add(id, Property::Translation, pack.push(keys, Kind::Vec3, None, false));
    }
    pack.root.animations.push(animation);
}
