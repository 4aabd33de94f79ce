//! A character's own mesh on a page: its file, and how the page places it.

use super::pack::Pack;
use crate::cli::draw::Motion;
use crate::convert::{Looks, Mesh};
use serde::Serialize;

/// What a page shows of a body besides its bones.
#[derive(Default, Serialize)]
pub struct MeshReport {
    file: Option<FileReport>,
    /// Why the page has no file although the character has a mesh.
    hidden: Option<String>,
    /// Which part of the mesh is not shown, and why.
    lacking: Option<String>,
}

/// A character's file, which animation of it is shown, and how the page places it.
#[derive(Serialize)]
struct FileReport {
    /// Where the file begins in the pack, and its length.
    bytes: [usize; 2],
    /// The same for each file that the file refers to, under the name by which it does.
    outside: Vec<(String, [usize; 2])>,
    animation: usize,
    start_s: f64,
    frame_time_s: f64,
    /// The node of each joint.
    nodes: Vec<usize>,
    /// A point of the file becomes one of the page by this turn (X, Y, Z, W), then this scale, then lowered by `floor`.
    turn: [f64; 4],
    unit: f64,
    floor: f64,
}

impl MeshReport {
    /// `name` is the file's name for the page's reader.
    pub fn new(looks: &Looks, name: &str, motion: &Motion, pack: &mut Pack) -> Self {
        match looks {
            Looks::Bones => Self::default(),
            Looks::Hidden(why) => {
                let hidden = Some(format!("The mesh of {name} is not shown: {why}."));
                Self { hidden, ..Self::default() }
            }
            Looks::Mesh(mesh) => {
                let lacks = |why| format!("Pictures of {name} are not shown: {why}.");
                let lacking = mesh.lacking.as_ref().map(lacks);
                Self { file: Some(report(mesh, motion, pack)), hidden: None, lacking }
            }
        }
    }

    /// Whether the page has a mesh to draw.
    pub fn is_shown(&self) -> bool {
        self.file.is_some()
    }
}

fn report(mesh: &Mesh, motion: &Motion, pack: &mut Pack) -> FileReport {
    let (turn, unit, floor) = motion.placing();
    let mut lay = |bytes: &[u8]| [pack.bytes(bytes), bytes.len()];
    FileReport {
        bytes: lay(&mesh.bytes),
        outside: mesh.outside.iter().map(|(name, bytes)| (name.clone(), lay(bytes))).collect(),
        animation: mesh.take,
        start_s: mesh.start_s,
        frame_time_s: mesh.frame_time_s,
        nodes: mesh.nodes.clone(),
        turn: (turn * mesh.turn).coords.into(),
        unit,
        floor,
    }
}
