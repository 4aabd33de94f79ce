//! Whether a file has a mesh that a page can show.

use super::Reading;
use super::files::{beginning, read_bytes};
use super::nodes::{self, NodeFile};
use super::packing::is_plain;
use crate::error::Error;
use crate::formats::gltf::{self, Show};
use crate::math::Quat;
use crate::scene::{Meshes, Shown};
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

/// What a clip's file has to show.
pub fn looks(path: &Path, reading: &Reading) -> Result<Looks, Error> {
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
    let body = nodes::body(path, file.scene())?;
    let take = file.take(path, reading)?;
    let scene = file.scene();
    let of_take = &scene.takes[take];
    let (nodes, turn, frame_time_s) = (body.nodes().to_vec(), scene.turn, of_take.frame_time_s);
    let of = |bytes| Mesh {
        bytes,
        lacking: None,
        outside: Vec::new(),
        take: 0,
        start_s: 0.0,
        frame_time_s,
        nodes,
        turn,
    };
    let mesh = match file.shown(path, take) {
        Shown::Bones => return Ok(Looks::Bones),
        Shown::Hidden(why) => return Ok(Looks::Hidden(why)),
        Shown::Itself { outside, start_s } => Mesh { outside, take, start_s, ..of(bytes) },
        Shown::Meshes(Meshes { surfaces, .. })
            if surfaces.iter().all(|surface| surface.triangles.is_empty()) =>
        {
            return Ok(Looks::Bones);
        }
        Shown::Meshes(meshes) => {
            let show = Show {
                scene,
                tracks: &file.tracks(path, take)?,
                frames: of_take.frames(),
                frame_time_s,
                surfaces: &meshes.surfaces,
                shadings: &meshes.shadings,
                materials: &meshes.materials,
                pictures: &meshes.pictures,
            };
            let lacking = (!meshes.unread.is_empty()).then(|| meshes.unread.join("; "));
            match gltf::write_shown(&show) {
                Ok(bytes) => Mesh { lacking, ..of(bytes) },
                Err(error) => return Ok(Looks::Hidden(error.to_string())),
            }
        }
    };
    Ok(Looks::Mesh(Box::new(mesh)))
}
