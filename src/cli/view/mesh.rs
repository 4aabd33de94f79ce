//! A character's own mesh on a page: the file itself, and where in it and in space all is.

use super::pack::Pack;
use crate::cli::draw::Motion;
use crate::convert::{Looks, Mesh};
use serde::Serialize;

/// What a page shows of a body besides its bones.
#[derive(Default, Serialize)]
pub struct MeshReport {
    file: Option<FileReport>,
    /// Why there is no file though there is a mesh.
    hidden: Option<String>,
    /// What of it is not shown.
    lacking: Option<String>,
}

/// A file, its animation and its place.
#[derive(Serialize)]
struct FileReport {
    /// Where in the pack it begins, and its length.
    bytes: [usize; 2],
    /// The same of the files that it names, each by the name that it gives it.
    outside: Vec<(String, [usize; 2])>,
    animation: usize,
    start_s: f64,
    frame_time_s: f64,
    /// The node of each joint.
    nodes: Vec<usize>,
    /// From the file to the page: turned (X, Y, Z, W), then grown, then set down by the floor's height.
    turn: [f64; 4],
    unit: f64,
    floor: f64,
}

impl MeshReport {
    /// `name` is the file's, for who reads the page.
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
