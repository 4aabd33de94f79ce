//! What a file has to show besides its joints: a character's own mesh.

use super::files::{beginning, read_bytes};
use super::formats::{self, NodeFile, beside};
use super::packing::is_plain;
use crate::error::Error;
use crate::math::Quat;
use std::path::Path;

/// What a file has to show.
#[derive(Debug)]
pub enum Looks {
    /// Joints alone.
    Bones,
    /// A mesh that a page cannot show, and in one sentence why.
    Hidden(String),
    Mesh(Box<Mesh>),
}

/// A file with a mesh, and where its animation is in it, for one who reads the file himself.
#[derive(Debug)]
pub struct Mesh {
    pub bytes: Vec<u8>,
    /// The files that it names, each by the name that it gives it.
    pub outside: Vec<(String, Vec<u8>)>,
    /// The animation's place in the file's list, and when it begins there, seconds.
    pub take: usize,
    pub start_s: f64,
    pub frame_time_s: f64,
    /// The node of each joint, in skeleton order.
    pub nodes: Vec<usize>,
    /// The turn of the file's world in that of the clip.
    pub turn: Quat,
}

/// What a clip's file has to show. `name` is the animation's, as for [`load_take`](super::load_take).
pub fn looks(path: &Path, name: Option<&str>) -> Result<Looks, Error> {
    // A clip of BVH may be a gigabyte: its beginning tells.
    let wrong = |source| Error::Read { path: path.to_owned(), source };
    let start = beginning(path).map_err(wrong)?;
    if is_plain(&start) && !NodeFile::is_one(&start) {
        return Ok(Looks::Bones);
    }
    let bytes = read_bytes(path)?;
    if !NodeFile::is_one(&bytes) {
        return Ok(Looks::Bones);
    }
    let file = NodeFile::read(path, &bytes)?;
    let body = formats::body(path, file.scene())?;
    let take = file.take(path, name)?;
    let scene = file.scene();
    let file = match &file {
        NodeFile::Gltf(file) => file,
        #[cfg(feature = "fbx")]
        NodeFile::Fbx(file) if file.has_meshes() => {
            return Ok(Looks::Hidden("meshes of FBX are not read".to_owned()));
        }
        #[cfg(feature = "fbx")]
        NodeFile::Fbx(_) => return Ok(Looks::Bones),
    };
    let look = match file.look(&|name| beside(path, name)) {
        Ok(look) => look,
        Err(error) => return Ok(Looks::Hidden(error.to_string())),
    };
    Ok(match look.packed_by {
        _ if !look.has_meshes => Looks::Bones,
        Some(extension) => Looks::Hidden(format!("it is compressed with {extension}")),
        None => Looks::Mesh(Box::new(Mesh {
            bytes,
            outside: look.outside,
            take,
            start_s: file.start_s(take),
            frame_time_s: scene.takes[take].frame_time_s,
            nodes: body.nodes().to_vec(),
            turn: scene.turn,
        })),
    })
}
