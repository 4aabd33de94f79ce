//! The one place that knows which formats there are, and files of nodes of any of them.

use super::files;
use super::packing::{MOST_BYTES, ends_in};
use crate::arrays::Shape;
use crate::clip::{Clip, FrameTime};
use crate::error::Error;
#[cfg(feature = "fbx")]
use crate::fbx::{self, FbxError, FbxFile};
use crate::gltf::{self, GltfFile, GltfReadError};
use crate::rig::{Roles, UpAxis};
use crate::scene::{Body, Scene, Surface, Take, Track};
use crate::skeleton::{JointId, Skeleton};
use std::path::{Component, Path};

/// A format of files.
struct Format {
    /// What lists of formats call it and its kin.
    names: &'static [&'static str],
    /// How the names of its files end that are read.
    read: &'static [&'static str],
    /// How the names of results end that are written in it.
    written: &'static [&'static str],
    holds: Holds,
}

/// What the files of a format hold.
#[derive(Clone, Copy, PartialEq)]
enum Holds {
    Hierarchy,
    Arrays,
    Nodes,
}

/// All formats, in the order in which endings are listed.
const FORMATS: [Format; 4] = [
    Format {
        names: &["BVH (packed or not)"],
        read: &[".bvh", ".bvh.gz", ".bvh.zst"],
        written: &[".bvh", ".bvh.gz", ".bvh.zst"],
        holds: Holds::Hierarchy,
    },
    Format {
        names: &["glTF", "VRM", "VRMA"],
        read: &[".glb", ".gltf", ".vrm", ".vrma"],
        written: &[".glb", ".gltf", ".vrm", ".vrma"],
        holds: Holds::Nodes,
    },
    Format { names: &["FBX"], read: &[".fbx"], written: &[".fbx"], holds: Holds::Nodes },
    Format {
        names: &[".npz", ".npy"],
        read: &[".npz", ".npy"],
        written: &[".npz", ".npy"],
        holds: Holds::Arrays,
    },
];

fn those(is_it: impl Fn(Holds) -> bool) -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().filter(move |format| is_it(format.holds))
}

/// The endings of the names that results are written under.
pub fn result_endings() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().flat_map(|format| format.written).copied()
}

/// The endings of the names of results that need no character, without those that say how a file is packed.
pub(super) fn plain_endings() -> impl Iterator<Item = &'static str> {
    let endings = those(|holds| holds != Holds::Nodes).flat_map(|format| format.written).copied();
    endings.filter(|end| Path::new(&end[1..]).extension().is_none())
}

/// Whether a result can be written under this name, by its ending.
pub fn is_result_name(path: &Path) -> bool {
    ending_of(path, result_endings()).is_some()
}

/// Whether a file in a folder is a clip, by its name's ending.
pub fn is_clip_name(path: &Path) -> bool {
    ending_of(path, FORMATS.iter().flat_map(|format| format.read).copied()).is_some()
}

/// The ending of a file's name that says another format than BVH; `None` of any other name.
pub fn other_ending(path: &Path) -> Option<&'static str> {
    let others = those(|holds| holds != Holds::Hierarchy);
    ending_of(path, others.flat_map(|format| format.read).copied())
}

/// The ending of a character's file by its name, which its results share, without the dot; `None` of any other
/// target's.
pub fn character_ending(target: &Path) -> Option<&'static str> {
    let mut own = those(|holds| holds == Holds::Nodes).flat_map(|format| format.written);
    own.find(|end| ends_in(target, end)).map(|end| &end[1..])
}

/// Whether a file of this name is of arrays.
pub fn is_arrays_name(path: &Path) -> bool {
    let mut own = those(|holds| holds == Holds::Arrays).flat_map(|format| format.read);
    own.any(|end| ends_in(path, end))
}

/// That a file is of none of the formats of clips, for people.
pub fn none_of_formats() -> String {
    let names = |wanted| those(move |holds| holds == wanted).flat_map(|format| format.names);
    let mut of_nodes: Vec<&str> = names(Holds::Nodes).copied().collect();
    of_nodes.sort_by_key(|name| name.to_ascii_lowercase());
    let bvh = listed(names(Holds::Hierarchy).copied());
    let others = listed(of_nodes.into_iter().chain(names(Holds::Arrays).copied()));
    format!("neither {bvh} nor {others}")
}

/// Which of these a file's name ends in, in letters of any size.
fn ending_of(path: &Path, mut known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    known.find(|end| name.ends_with(end))
}

/// `a, b or c`.
pub(super) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.split_last() {
        Some((end, [])) => (*end).to_owned(),
        Some((end, before)) => format!("{} or {end}", before.join(", ")),
        None => String::new(),
    }
}

/// An animation of a file's nodes.
#[derive(Clone, Copy, Debug)]
pub struct AnimationTracks<'a> {
    pub name: &'a str,
    pub tracks: &'a [Track],
    pub time: &'a FrameTime,
}

/// A file of nodes that was read, whatever its format.
pub enum NodeFile {
    Gltf(Box<GltfFile>),
    #[cfg(feature = "fbx")]
    Fbx(Box<FbxFile>),
}

/// What a file's format itself says of its skeleton.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Native {
    /// The parts that it names.
    pub roles: Roles,
    /// Whether the zero pose is the one that a mesh was modelled in.
    pub modelled: bool,
    /// The axis up of the world that it is read into.
    pub up: Option<UpAxis>,
    /// What the parameters of an SMPL body say of it.
    pub shape: Option<Shape>,
}

/// A clip of a file of nodes.
pub(super) struct NodeClip {
    pub clip: Clip,
    pub native: Native,
}

impl NodeFile {
    /// Whether bytes begin as a file of nodes does.
    pub fn is_one(bytes: &[u8]) -> bool {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let is_gltf = bytes.starts_with(b"glTF") || text.trim_ascii_start().starts_with(b"{");
        is_gltf || is_fbx(bytes)
    }

    /// Reads a file; `path` is for messages, and for the files beside it that it names.
    pub fn read(path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        if is_fbx(bytes) {
            return Self::read_fbx(path, bytes);
        }
        let fetch = |name: &str| beside(path, name);
        let read = GltfFile::read(bytes, &fetch);
        Ok(NodeFile::Gltf(Box::new(read.map_err(|source| wrong(path, source))?)))
    }

    /// The skeleton of a file, without its motion; otherwise as [`read`](Self::read).
    pub(super) fn read_skeleton(path: &Path, bytes: &[u8]) -> Result<Skeleton, Error> {
        #[cfg(feature = "fbx")]
        if is_fbx(bytes) {
            let nodes = fbx::read_nodes(bytes).map_err(|source| wrong_fbx(path, source))?;
            return Ok(body(path, &nodes)?.skeleton().clone());
        }
        Ok(body(path, Self::read(path, bytes)?.scene())?.skeleton().clone())
    }

    #[cfg(feature = "fbx")]
    fn read_fbx(path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let read = fbx::read(bytes).map_err(|source| wrong_fbx(path, source))?;
        Ok(NodeFile::Fbx(Box::new(read)))
    }

    #[cfg(not(feature = "fbx"))]
    fn read_fbx(path: &Path, _: &[u8]) -> Result<Self, Error> {
        Err(Error::Feature { path: path.to_owned(), format: "FBX", feature: "fbx" })
    }

    /// The endings of the names that it can be given back under.
    pub(super) fn endings(&self) -> &'static [&'static str] {
        match self {
            NodeFile::Gltf(file) if file.is_binary() => &[".glb", ".vrm"],
            NodeFile::Gltf(_) => &[".gltf"],
            #[cfg(feature = "fbx")]
            NodeFile::Fbx(_) => &[".fbx"],
        }
    }

    /// Whether it is FBX.
    pub fn is_fbx(&self) -> bool {
        !matches!(self, NodeFile::Gltf(_))
    }

    /// A bone of an FBX file that has a size of its own, by its name.
    pub(super) fn sized(&self) -> Option<String> {
        match self {
            NodeFile::Gltf(_) => None,
            #[cfg(feature = "fbx")]
            NodeFile::Fbx(file) => file.sized_bone(),
        }
    }

    /// Its nodes.
    pub fn scene(&self) -> &Scene {
        match self {
            NodeFile::Gltf(file) => file.scene(),
            #[cfg(feature = "fbx")]
            NodeFile::Fbx(file) => file.scene(),
        }
    }

    /// The place of the take of this name, or of the only one that moves.
    pub(super) fn take(&self, path: &Path, name: Option<&str>) -> Result<usize, Error> {
        choose(&self.scene().takes, name).map_err(|why| Error::Takes { path: path.to_owned(), why })
    }

    /// What a take does with the nodes.
    pub(super) fn tracks(&self, path: &Path, take: usize) -> Result<Vec<Track>, Error> {
        match self {
            NodeFile::Gltf(file) => file.tracks(take).map_err(|source| wrong(path, source)),
            #[cfg(feature = "fbx")]
            NodeFile::Fbx(file) => file.tracks(take).map_err(|source| wrong_fbx(path, source)),
        }
    }

    /// Its meshes, of plain colours.
    pub(super) fn surfaces(&self, path: &Path) -> Result<Vec<Surface>, Error> {
        match self {
            NodeFile::Gltf(file) => {
                file.surfaces(&|name| beside(path, name)).map_err(|source| wrong(path, source))
            }
            #[cfg(feature = "fbx")]
            NodeFile::Fbx(file) => {
                let none = |_: &str| Err("pictures are not asked for".to_owned());
                let meshes = file.meshes(&none).map_err(|source| wrong_fbx(path, source))?;
                Ok(meshes.surfaces)
            }
        }
    }

    /// The file as one to which takes are added one after the other.
    #[cfg_attr(not(feature = "fbx"), expect(unused_variables, reason = "only FBX files fail here"))]
    pub(super) fn appending(&self, path: &Path, replace: bool) -> Result<NodeAppending<'_>, Error> {
        Ok(match self {
            NodeFile::Gltf(file) => NodeAppending::Gltf(Box::new(file.appending(replace))),
            #[cfg(feature = "fbx")]
            NodeFile::Fbx(file) => {
                let appending =
                    file.appending(replace).map_err(|source| wrong_fbx(path, source))?;
                NodeAppending::Fbx(Box::new(appending))
            }
        })
    }

    /// The clip of the take of this name, or of the only one that moves.
    pub(super) fn clip(&self, path: &Path, name: Option<&str>) -> Result<NodeClip, Error> {
        let scene = self.scene();
        let body = body(path, scene)?;
        let index = self.take(path, name)?;
        let take = &scene.takes[index];
        let tracks = self.tracks(path, index)?;
        let time = FrameTime::from_seconds(take.frame_time_s).ok_or_else(|| Error::Takes {
            path: path.to_owned(),
            why: format!("animation {:?} has no frame rate that is read", take.name),
        })?;
        let clip = body.clip(scene, &tracks, take.frames(), time);
        Ok(NodeClip { clip, native: native(scene, &body) })
    }
}

/// A file of nodes that gets one take after the other.
pub(super) enum NodeAppending<'a> {
    Gltf(Box<gltf::Appending<'a>>),
    #[cfg(feature = "fbx")]
    Fbx(Box<fbx::Appending<'a>>),
}

impl NodeAppending<'_> {
    /// Adds a take, and gives the bytes of its numbers, which are to be [relocated](Self::relocate).
    pub fn push(&mut self, path: &Path, new: &AnimationTracks) -> Result<Vec<u8>, Error> {
        let AnimationTracks { name, tracks, time } = *new;
        let frame_time_s = time.seconds();
        match self {
            NodeAppending::Gltf(file) => {
                let new = gltf::NewAnimation { name, tracks, frame_time_s };
                file.push(&new).map_err(|source| wrong(path, source))
            }
            #[cfg(feature = "fbx")]
            NodeAppending::Fbx(file) => {
                let new = fbx::NewAnimation { name, tracks, frame_time_s };
                file.push(&new).map_err(|source| wrong_fbx(path, source))
            }
        }
    }

    /// Puts the numbers of a take at their place in the file.
    pub fn relocate(&self, numbers: &mut [u8], place: usize) {
        match self {
            // They say nothing of places.
            NodeAppending::Gltf(_) => {
                let _ = (numbers, place);
            }
            #[cfg(feature = "fbx")]
            NodeAppending::Fbx(file) => file.relocate(numbers, place),
        }
    }

    /// What stands before and behind the numbers of all takes. Refuses a file that keeps them in its text.
    pub fn around(&self, path: &Path) -> Result<[Vec<u8>; 2], Error> {
        match self {
            NodeAppending::Gltf(file) => {
                let around = file.around().map_err(|source| wrong(path, source))?;
                around.ok_or_else(|| wrong(path, GltfReadError::NoChunk))
            }
            #[cfg(feature = "fbx")]
            NodeAppending::Fbx(file) => file.around().map_err(|source| wrong_fbx(path, source)),
        }
    }

    /// The file with the numbers of its only new take. Memory: the file again.
    pub fn whole(&self, path: &Path, numbers: Vec<u8>) -> Result<Vec<u8>, Error> {
        match self {
            NodeAppending::Gltf(file) => file.whole(&numbers).map_err(|source| wrong(path, source)),
            #[cfg(feature = "fbx")]
            NodeAppending::Fbx(_) => {
                let (mut numbers, [mut file, tail]) = (numbers, self.around(path)?);
                self.relocate(&mut numbers, file.len());
                file.append(&mut numbers);
                file.extend_from_slice(&tail);
                Ok(file)
            }
        }
    }
}

pub(super) fn wrong(path: &Path, source: GltfReadError) -> Error {
    Error::GltfRead { path: path.to_owned(), source: Box::new(source) }
}

#[cfg(feature = "fbx")]
fn wrong_fbx(path: &Path, source: FbxError) -> Error {
    Error::Fbx { path: path.to_owned(), source }
}

/// Whether bytes begin as FBX does, binary or as the text that its exporters write.
fn is_fbx(bytes: &[u8]) -> bool {
    bytes.starts_with(b"Kaydara FBX Binary") || bytes.starts_with(b"; FBX")
}

/// The skeleton of a scene.
pub(super) fn body(path: &Path, scene: &Scene) -> Result<Body, Error> {
    Body::new(scene).map_err(|source| Error::Scene { path: path.to_owned(), source })
}

/// What the format itself says of a body.
pub(super) fn native(scene: &Scene, body: &Body) -> Native {
    let mut roles = Roles::new();
    for (joint, &node) in body.nodes().iter().enumerate() {
        if let Some(role) = scene.nodes[node].role {
            roles.insert(role, JointId::new(joint));
        }
    }
    let modelled = scene.stands || scene.nodes.iter().any(|node| node.bind.is_some());
    Native { roles, modelled, up: Some(UpAxis::Y), shape: None }
}

/// The place of the take that is meant, or in one sentence why there is none.
fn choose(takes: &[Take], name: Option<&str>) -> Result<usize, String> {
    let listed = |places: &[usize]| {
        let names: Vec<String> =
            places.iter().map(|place| format!("{:?}", takes[*place].name)).collect();
        names.join(", ")
    };
    if takes.is_empty() {
        return Err("it holds no animation, so there is no motion to transfer".to_owned());
    }
    let all: Vec<usize> = (0..takes.len()).collect();
    if let Some(name) = name {
        let named = takes.iter().position(|take| take.name == name);
        let none = || format!("it holds no animation {name:?}; it has {}", listed(&all));
        return named.ok_or_else(none);
    }
    let moving: Vec<usize> = all.into_iter().filter(|place| takes[*place].moves).collect();
    match moving[..] {
        [only] => Ok(only),
        [] => Ok(0),
        _ => {
            let (count, names) = (moving.len(), listed(&moving));
            Err(format!("it holds {count} animations; name one with --clip: {names}"))
        }
    }
}

/// The bytes of a file in the folder of another one, which names it.
pub(super) fn beside(path: &Path, name: &str) -> Result<Vec<u8>, String> {
    let named = Path::new(name);
    let is_inside = named.components().all(|part| matches!(part, Component::Normal(_)));
    if name.is_empty() || !is_inside || (!cfg!(windows) && name.contains('\\')) {
        return Err(format!("{name:?} is no file in the folder of the file that names it"));
    }
    let named = path.parent().unwrap_or(Path::new("")).join(named);
    let read = || {
        let (file, len) = files::open(&named)?;
        files::all_of(file, len, MOST_BYTES)
    };
    read().map_err(|error| format!("cannot read {}: {error}", named.display()))
}
