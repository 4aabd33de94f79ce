//! A file of nodes in memory, whatever its format, and how a format's module reads one.

use super::{Scene, Surface, Track, surface::Meshes};
use std::error::Error;

/// Why a file of nodes cannot be read or written: the error of its format, one sentence with the place and the way out.
pub type FormatError = Box<dyn Error + Send + Sync>;

/// What leads out of an error of a format, where another command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayOut {
    /// To have the animation replaced whose name is taken.
    Replace,
    /// To name a result of another format, since the file's cannot hold it.
    OtherFormat,
}

/// Fetches the bytes of a file that another one names, or says in one sentence why that failed.
pub type Fetch<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, String>;

/// Reads something of a file's bytes.
pub type Read<T> = fn(&[u8], Fetch) -> Result<T, FormatError>;

/// Reads files of a format.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    /// Reads a file; the function fetches the files that it names.
    pub read: Read<Box<dyn SceneFile>>,
    /// Reads its nodes and which of them are joints, and nothing else if that is faster.
    pub nodes: Read<Scene>,
}

/// A file of nodes.
pub trait SceneFile: Send + Sync {
    /// Its nodes, its joints and its takes.
    fn scene(&self) -> &Scene;

    /// The tracks of the take at an index of [`Scene::takes`]: for each node that moves, a value in each frame. Panics
    /// if there is no such take.
    fn tracks(&self, take: usize) -> Result<Vec<Track>, FormatError>;

    /// Its meshes, in the order of their nodes, without their pictures.
    fn surfaces(&self, fetch: Fetch) -> Result<Vec<Surface>, FormatError>;

    /// What a page can show of it, with the take at an index.
    fn shown(&self, take: usize, fetch: Fetch) -> Shown;

    /// The endings of the names that it can be given back under with an animation more; none if it cannot.
    fn endings(&self) -> &'static [&'static str];

    /// The file, ready to be given animations one after the other. With `replace` a new animation replaces one of the
    /// same name, which is an error otherwise.
    fn appending(&self, replace: bool) -> Result<Box<dyn AppendingFile + '_>, FormatError>;

    /// The name of a bone with a scale of its own that other programs divide its keys by.
    fn sized_bone(&self) -> Option<String> {
        None
    }
}

/// A file of nodes that is given one animation after the other.
pub trait AppendingFile {
    /// Adds an animation, and returns the bytes of its numbers, which must then be [relocated](Self::relocate).
    fn push(&mut self, new: &NewAnimation) -> Result<Vec<u8>, FormatError>;

    /// Adapts the numbers of an animation to their place in the file.
    fn relocate(&self, numbers: &mut [u8], place: usize);

    /// The parts of the file before and behind the numbers of all animations. Refuses a file that has them elsewhere.
    fn around(&self) -> Result<[Vec<u8>; 2], FormatError>;

    /// The file with the numbers of its only new animation. Memory: the file once more.
    fn whole(&self, numbers: Vec<u8>) -> Result<Vec<u8>, FormatError>;
}

/// An animation to be added to a file.
#[derive(Clone, Copy, Debug)]
pub struct NewAnimation<'a> {
    pub name: &'a str,
    pub tracks: &'a [Track],
    pub frame_time_s: f64,
}

/// What a page, which reads glTF alone, can show of a file.
#[derive(Debug)]
pub enum Shown {
    /// Joints alone, since there is no mesh.
    Bones,
    /// Nothing of its meshes, and in one sentence why.
    Hidden(String),
    /// The file itself, which is glTF.
    Itself {
        /// The files that it names, each by the name that it gives it.
        outside: Vec<(String, Vec<u8>)>,
        /// When the take begins, seconds.
        start_s: f64,
    },
    /// Its meshes, of which glTF is made.
    Meshes(Meshes),
}
