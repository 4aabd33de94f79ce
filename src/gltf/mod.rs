//! glTF 2.0 and VRM: files read as scenes and given back with an animation more; and a clip as a file of its own, as
//! nodes, an animation, and a body of bones skinned to them.

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
mod shown;
mod take;
mod vrma;

pub use append::{Appending, NewAnimation};
pub use container::Fetch;
pub use error::GltfReadError;
pub use file::GltfFile;
pub use look::Look;
pub use shown::{Show, write_shown};
pub use vrma::write_vrma;

use crate::clip::Clip;
use crate::math::{Quat, Vec3};
use crate::rig::{Role, UpAxis};
use crate::skeleton::{JointId, Skeleton};
use json::{Animation, Index, Kind, Node, Property, Scene, push};
use pack::Pack;

/// How a clip lies in glTF's world, which has metres and +Y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GltfSettings {
    /// The clip's up axis.
    pub up: UpAxis,
    /// Metres that one unit of the clip stands for.
    pub unit_m: f64,
}

/// Why a clip cannot be glTF.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GltfError {
    #[error("the clip has no frames, and glTF holds no empty animation")]
    NoFrames,
    #[error("a clip for VRM needs the bone {bone}, and no joint of the target plays {role}")]
    NoBone { bone: String, role: Role },
    #[error("binary glTF ends at 4 GiB, which the clip would go beyond; write it as BVH")]
    TooLarge,
}

/// The clip as the bytes of a `.glb` file.
///
/// A node a joint, in the skeleton's order and by its names, below one node that holds all roots; at rest
/// they have the OFFSETs and no rotation. Rotations of every joint and translations of those with position
/// channels have a key each frame, LINEAR, in seconds from zero. What is up is turned to +Y with the roots.
/// Numbers have 32 bits, as glTF's do. Memory and time grow with frames times joints.
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

/// The way from the clip's world to glTF's.
struct World {
    turn: Quat,
    unit_m: f64,
}

impl World {
    /// The turn of a joint's parent frame: that of the world for a root.
    fn turn_above(&self, skeleton: &Skeleton, id: JointId) -> Quat {
        if skeleton.parent(id).is_none() { self.turn } else { Quat::identity() }
    }

    fn translation(&self, skeleton: &Skeleton, id: JointId, local: Vec3) -> [f32; 3] {
        single(self.turn_above(skeleton, id) * local * self.unit_m)
    }
}

/// A vector in 32 bits; what is beyond them is kept at their end.
fn single(v: Vec3) -> [f32; 3] {
    v.map(|x| x.clamp(f32::MIN.into(), f32::MAX.into()) as f32).into()
}

/// Adds the joints' nodes, at the joints' own places in the list, and the one that holds the roots, which is returned.
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

/// Rotations with signs that do not jump, for players that mix the four numbers as they are.
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
