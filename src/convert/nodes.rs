//! Files of nodes of any format, and the clips and skeletons in them.

use super::Reading;
use super::files;
use super::packing::MOST_BYTES;
use crate::arrays::Shape;
use crate::clip::{Clip, FrameTime};
use crate::error::Error;
use crate::formats::NodeFormat;
use crate::rig::{Roles, UpAxis};
use crate::scene::{
    AppendingFile, Body, FormatError, NewAnimation, Reader, Scene, SceneFile, Shown, Surface, Take,
    Track,
};
use crate::skeleton::{JointId, Skeleton};
use std::path::{Component, Path};

/// An animation of a file's nodes.
#[derive(Clone, Copy, Debug)]
pub struct AnimationTracks<'a> {
    pub name: &'a str,
    pub tracks: &'a [Track],
    pub time: &'a FrameTime,
}

/// A file of nodes that was read, whatever its format.
pub struct NodeFile {
    format: &'static NodeFormat,
    file: Box<dyn SceneFile>,
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
    /// What was taken for granted, a sentence each.
    pub notes: Vec<String>,
}

impl NodeFile {
    /// Whether bytes begin as a file of nodes does.
    pub fn is_one(bytes: &[u8]) -> bool {
        NodeFormat::of(bytes).is_some()
    }

    /// Reads a file; `path` is for messages, and for the files beside it that it names.
    pub fn read(path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let (format, reader) = reader(path, bytes)?;
        let read = (reader.read)(bytes, &|name| beside(path, name));
        Ok(NodeFile { format, file: read.map_err(|source| wrong(format, path, source))? })
    }

    /// The skeleton of a file, without its motion; otherwise as [`read`](Self::read).
    pub(super) fn read_skeleton(path: &Path, bytes: &[u8]) -> Result<Skeleton, Error> {
        let (format, reader) = reader(path, bytes)?;
        let nodes = (reader.nodes)(bytes, &|name| beside(path, name));
        let nodes = nodes.map_err(|source| wrong(format, path, source))?;
        Ok(body(path, &nodes)?.skeleton().clone())
    }

    /// The endings of the names that it can be given back under.
    pub(super) fn endings(&self) -> &'static [&'static str] {
        self.file.endings()
    }

    /// Its format.
    pub(super) fn format(&self) -> &'static NodeFormat {
        self.format
    }

    /// As [`SceneFile::sized_bone`].
    pub(super) fn sized_bone(&self) -> Option<String> {
        self.file.sized_bone()
    }

    /// Its nodes.
    pub fn scene(&self) -> &Scene {
        self.file.scene()
    }

    /// The place of the take that is meant: the one that is named, or the only one that moves, or of several the one that
    /// is named as what it was made of.
    pub(super) fn take(&self, path: &Path, reading: &Reading) -> Result<usize, Error> {
        let takes = &self.scene().takes;
        choose(takes, reading).map_err(|(why, names)| Error::Takes {
            path: path.to_owned(),
            why,
            names,
        })
    }

    /// What a take does with the nodes.
    pub(super) fn tracks(&self, path: &Path, take: usize) -> Result<Vec<Track>, Error> {
        self.file.tracks(take).map_err(|source| wrong(self.format, path, source))
    }

    /// Its meshes, of plain colours.
    pub(super) fn surfaces(&self, path: &Path) -> Result<Vec<Surface>, Error> {
        let surfaces = self.file.surfaces(&|name| beside(path, name));
        surfaces.map_err(|source| wrong(self.format, path, source))
    }

    /// What a page can show of it, with a take.
    pub(super) fn shown(&self, path: &Path, take: usize) -> Shown {
        self.file.shown(take, &|name| beside(path, name))
    }

    /// The file as one to which takes are added one after the other.
    pub(super) fn appending(&self, path: &Path, replace: bool) -> Result<NodeAppending<'_>, Error> {
        let format = self.format;
        let file = self.file.appending(replace).map_err(|source| wrong(format, path, source))?;
        Ok(NodeAppending { format, file })
    }

    /// The clip of the [take](Self::take) that is meant.
    pub(super) fn clip(&self, path: &Path, reading: &Reading) -> Result<NodeClip, Error> {
        let scene = self.scene();
        let body = body(path, scene)?;
        let index = self.take(path, reading)?;
        let take = &scene.takes[index];
        let tracks = self.tracks(path, index)?;
        let time = FrameTime::from_seconds(take.frame_time_s).ok_or_else(|| Error::Takes {
            path: path.to_owned(),
            why: format!("animation {:?} has no frame rate that is read", take.name),
            names: Vec::new(),
        })?;
        let clip = body.clip(scene, &tracks, take.frames(), time);
        let moving = scene.takes.iter().filter(|take| take.moves).count();
        let is_likely = reading.clip.is_none() && moving > 1;
        let note = || {
            format!("of its {moving} animations {:?} is meant, named as the source is", take.name)
        };
        let notes = is_likely.then(note).into_iter().collect();
        Ok(NodeClip { clip, native: native(scene, &body), notes })
    }
}

/// A file of nodes that gets one take after the other.
pub(super) struct NodeAppending<'a> {
    format: &'static NodeFormat,
    file: Box<dyn AppendingFile + 'a>,
}

impl NodeAppending<'_> {
    /// Adds a take, and gives the bytes of its numbers, which are to be [relocated](Self::relocate).
    pub fn push(&mut self, path: &Path, new: &AnimationTracks) -> Result<Vec<u8>, Error> {
        let AnimationTracks { name, tracks, time } = *new;
        let new = NewAnimation { name, tracks, frame_time_s: time.seconds() };
        self.file.push(&new).map_err(|source| wrong(self.format, path, source))
    }

    /// Puts the numbers of a take at their place in the file.
    pub fn relocate(&self, numbers: &mut [u8], place: usize) {
        self.file.relocate(numbers, place);
    }

    /// What stands before and behind the numbers of all takes. Refuses a file that keeps them in its text.
    pub fn around(&self, path: &Path) -> Result<[Vec<u8>; 2], Error> {
        self.file.around().map_err(|source| wrong(self.format, path, source))
    }

    /// The file with the numbers of its only new take. Memory: the file again.
    pub fn whole(&self, path: &Path, numbers: Vec<u8>) -> Result<Vec<u8>, Error> {
        self.file.whole(numbers).map_err(|source| wrong(self.format, path, source))
    }
}

/// The format of a file's bytes, with what reads it.
fn reader(path: &Path, bytes: &[u8]) -> Result<(&'static NodeFormat, Reader), Error> {
    let path = path.to_owned();
    let Some(format) = NodeFormat::of(bytes) else {
        let source = "the file is of no format of nodes".into();
        return Err(Error::Nodes { path, format: "none", reason: "broken_nodes", source });
    };
    match format.reader {
        Ok(reader) => Ok((format, reader)),
        Err(feature) => Err(Error::Feature { path, format: format.name, feature }),
    }
}

fn wrong(format: &NodeFormat, path: &Path, source: FormatError) -> Error {
    let NodeFormat { name: format, broken: reason, .. } = *format;
    Error::Nodes { path: path.to_owned(), format, reason, source }
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

/// The place of the take that is meant, or in one sentence why there is none, and the names to choose from.
fn choose(takes: &[Take], reading: &Reading) -> Result<usize, (String, Vec<String>)> {
    let among = |places: Vec<usize>, why: String| {
        let names: Vec<String> = places.iter().map(|place| takes[*place].name.clone()).collect();
        let listed: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
        (format!("{why} {}", listed.join(", ")), names)
    };
    if takes.is_empty() {
        let why = "it holds no animation, so there is no motion to transfer".to_owned();
        return Err((why, Vec::new()));
    }
    let all: Vec<usize> = (0..takes.len()).collect();
    let called = |name: &str| takes.iter().position(|take| take.name == name);
    if let Some(name) = reading.clip {
        let why = || format!("it holds no animation {name:?}; it has");
        return called(name).ok_or_else(|| among(all, why()));
    }
    let moving: Vec<usize> = all.into_iter().filter(|place| takes[*place].moves).collect();
    match moving[..] {
        [only] => Ok(only),
        [] => Ok(0),
        _ => {
            let why = format!("it holds {} animations; say which one is meant, of", moving.len());
            let is_end = |source: &str, name: &str| {
                source.strip_suffix(name).is_some_and(|it| it.is_empty() || it.ends_with('/'))
            };
            let is_named = |name: &str| reading.made_of.is_some_and(|source| is_end(source, name));
            let named = moving.iter().copied().filter(|place| is_named(&takes[*place].name));
            let longest = named.max_by_key(|place| takes[*place].name.len());
            longest.ok_or_else(|| among(moving, why))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_takes_the_one_named_as_the_source_is_meant_and_none_without_a_source() {
        let take =
            |name: &str| Take { name: name.to_owned(), len_s: 1.0, frame_time_s: 0.1, moves: true };
        let takes = ["", "run", "walk", "slow/walk"].map(take);
        let meant = |made_of| {
            let reading = Reading { made_of, ..Reading::default() };
            choose(&takes, &reading).ok()
        };
        assert_eq!(meant(Some("walk")), Some(2));
        assert_eq!(meant(Some("takes/slow/walk")), Some(3));
        assert_eq!(meant(Some("takes/fast/walk")), Some(2));
        assert_eq!(meant(Some("sidewalk")), None);
        assert_eq!(meant(None), None, "a take without a name is nobody's");
    }
}
