//! Whether a file has a mesh that a page can show.

use super::files::{beginning, read_bytes};
use super::formats::{self, NodeFile, beside};
use super::packing::is_plain;
use crate::error::Error;
#[cfg(feature = "fbx")]
use crate::fbx::FbxFile;
#[cfg(feature = "fbx")]
use crate::gltf::{self, Show};
use crate::math::Quat;
use std::path::Path;

/// What a page can show of a file.
#[derive(Debug)]
pub enum Looks {
    /// It has joints alone.
    Bones,
    /// A mesh that a page cannot show, and in one sentence why.
    Hidden(String),
    Mesh(Box<Mesh>),
}

/// A file with a mesh, and where its animation is in it, for one who reads the file himself.
#[derive(Debug)]
pub struct Mesh {
    /// glTF: the file's own, or what was made of another format.
    pub bytes: Vec<u8>,
    /// What of its pictures is not shown, and why.
    pub lacking: Option<String>,
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
    // A BVH clip may be a gigabyte; its first bytes say that it is one.
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
        NodeFile::Fbx(file) => return shown(path, file, take, body.nodes()),
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
            lacking: None,
            outside: look.outside,
            take,
            start_s: file.start_s(take),
            frame_time_s: scene.takes[take].frame_time_s,
            nodes: body.nodes().to_vec(),
            turn: scene.turn,
        })),
    })
}

/// What an FBX file has to show, as glTF, which pages read.
#[cfg(feature = "fbx")]
fn shown(path: &Path, file: &FbxFile, take: usize, nodes: &[usize]) -> Result<Looks, Error> {
    // Exporters write names of pictures as they stood on their own disks.
    let meshes = match file.meshes(&|name| beside(path, name)) {
        Ok(meshes) => meshes,
        Err(error) => return Ok(Looks::Hidden(error.to_string())),
    };
    if meshes.surfaces.iter().all(|surface| surface.triangles.is_empty()) {
        return Ok(Looks::Bones);
    }
    let tracks = file.tracks(take);
    let tracks = tracks.map_err(|source| Error::Fbx { path: path.to_owned(), source })?;
    let scene = file.scene();
    let told = &scene.takes[take];
    let show = Show {
        scene,
        tracks: &tracks,
        frames: told.frames(),
        frame_time_s: told.frame_time_s,
        surfaces: &meshes.surfaces,
        shadings: &meshes.shadings,
        materials: &meshes.materials,
        pictures: &meshes.pictures,
    };
    let bytes = match gltf::write_shown(&show) {
        Ok(bytes) => bytes,
        Err(error) => return Ok(Looks::Hidden(error.to_string())),
    };
    let lacking = (!meshes.unread.is_empty()).then(|| meshes.unread.join("; "));
    Ok(Looks::Mesh(Box::new(Mesh {
        bytes,
        outside: Vec::new(),
        lacking,
        take: 0,
        start_s: 0.0,
        frame_time_s: told.frame_time_s,
        nodes: nodes.to_vec(),
        turn: scene.turn,
    })))
}
