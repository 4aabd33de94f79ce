//! The job that the script reads and the answer that it writes: files in the scratch folder.

use super::error::BlenderError;
use super::program::opener;
use super::side::Side;
use super::stage::{Bone, Mark, Place, Stage};
use crate::cli::failure::Failure;
use crate::convert::Skinned;
use crate::error::Error;
use crate::math::Vec3;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Names in the scratch folder.
pub const JOB: &str = "job.json";
const SEEN: &str = "seen.json";
pub const BLEND: &str = "check.blend";
pub const GLB: &str = "check.glb";
pub const SHEET: &str = "sheet.png";

/// All that the script needs to know. Lengths and places are in metres in Blender's world, Z up, for a body
/// with legs of 90 cm; bones are in the file's own unit.
#[derive(Serialize)]
pub struct Job {
    /// The files to make, by their names in the scratch folder.
    wanted: Vec<String>,
    /// How many frames there are.
    frames: usize,
    /// The floor's corners.
    floor: [[f64; 2]; 2],
    /// The side from which the two stand beside each other, the source on the left: `-y` or `+x`.
    front: &'static str,
    clips: [JobClip; 2],
}

#[derive(Serialize)]
struct JobClip {
    name: &'static str,
    /// What a reader is told of it.
    label: String,
    joints: usize,
    /// A character's own file, where the clip is one.
    file: Option<String>,
    /// The module that opens such a file.
    opened_by: Option<String>,
    /// The place of its animation in the file, and its name.
    take: usize,
    take_name: String,
    frame_time: f64,
    /// The nodes of the joints that are compared, and those that carry meshes.
    nodes: Vec<NodeReport>,
    meshes: Vec<NodeReport>,
    /// The frames to answer for with its meshes.
    shaped: Vec<usize>,
    /// The frames to answer for, from 0.
    compared: Vec<usize>,
    bones: Vec<Bone>,
    place: Place,
    marks: Vec<Mark>,
}

/// A node of a file: its place in the file's list, and the names of what it hangs on, from the root down to its own.
#[derive(Serialize)]
struct NodeReport {
    id: usize,
    path: Vec<String>,
}

fn report_of(skinned: &Skinned, id: usize) -> NodeReport {
    NodeReport { id, path: skinned.path(id).into_iter().map(str::to_owned).collect() }
}

impl Job {
    pub fn new(sides: &[Side; 2], wanted: &[&str]) -> Self {
        let stage = Stage::new(sides);
        let mut places = stage.places.into_iter();
        let clips = sides.each_ref().map(|side| {
            let (place, marks) = places.next().expect("a place for each side");
            let skinned = side.skinned.as_ref();
            let nodes = skinned.into_iter().flat_map(|skinned| {
                let of = |joint: usize| report_of(skinned, skinned.joints()[joint]);
                side.shown().into_iter().map(of)
            });
            let meshes = skinned.into_iter().flat_map(|skinned| {
                skinned.surfaces().iter().map(|surface| report_of(skinned, surface.node))
            });
            JobClip {
                name: side.name,
                label: format!("{}: {}", side.name, side.file_name()),
                joints: side.clip.skeleton().len(),
                file: skinned.map(|_| absolute(&side.path)),
                opened_by: skinned.map(|skinned| opener(skinned.format())),
                take: skinned.map_or(0, Skinned::take),
                take_name: skinned.map_or(String::new(), |it| it.take_name().to_owned()),
                frame_time: side.clip.frame_time().seconds(),
                nodes: nodes.collect(),
                meshes: meshes.collect(),
                shaped: side.shaped(),
                compared: side.compared(),
                bones: super::stage::bones(side.clip.skeleton()),
                place,
                marks,
            }
        });
        Self {
            wanted: wanted.iter().map(|name| (*name).to_owned()).collect(),
            frames: sides[0].clip.len(),
            floor: stage.floor,
            front: stage.front,
            clips,
        }
    }

    /// Writes the job and the clips that it is about.
    pub fn put(&self, scratch: &Path, sides: &[Side; 2]) -> Result<(), Failure> {
        let write = |name: &str, bytes: &[u8]| {
            let path = scratch.join(name);
            fs::write(&path, bytes).map_err(|source| Error::Write { path, source })
        };
        let job = serde_json::to_vec(self).expect("names and numbers alone");
        write(JOB, &job)?;
        for side in sides.iter().filter(|side| side.skinned.is_none()) {
            write(&format!("{}.bvh", side.name), side.bvh())?;
        }
        Ok(())
    }
}

/// The script's answer.
#[derive(Deserialize)]
pub struct Seen {
    /// Blender's own version.
    pub version: String,
    /// Frames a second of the scene, taken from the result.
    pub fps: f64,
    pub clips: Vec<SeenClip>,
}

#[derive(Deserialize)]
pub struct SeenClip {
    /// What the importer said where it did not open the file.
    refused: Option<String>,
    /// Each bone's parent, in Blender's order, which is the file's.
    pub parents: Vec<Option<usize>>,
    /// How many bones stand for joints.
    pub bones: usize,
}

/// A path that means the same in another folder.
fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).to_string_lossy().into_owned()
}

impl Seen {
    pub fn read(scratch: &Path) -> Result<Self, Failure> {
        let path = scratch.join(SEEN);
        let bytes = fs::read(&path).map_err(|source| Error::Read { path: path.clone(), source })?;
        serde_json::from_slice(&bytes).map_err(|error| {
            let says = format!("its answer cannot be read: {error}");
            BlenderError::Failed { path, says }.into()
        })
    }

    /// Refuses a clip that Blender did not open.
    pub fn check(&self, sides: &[Side; 2]) -> Result<(), BlenderError> {
        let mut refused = self.clips.iter().zip(sides).filter_map(|(clip, side)| {
            let says = clip.refused.clone()?;
            let (version, path) = (self.version.clone(), side.path.clone());
            Some(BlenderError::Refused { version, path, says, hint: hint(side) })
        });
        refused.next().map_or(Ok(()), Err)
    }
}

/// What Blender's importer is known not to take.
fn hint(side: &Side) -> Option<String> {
    let partial = side.clip.skeleton().joints().iter().find(|joint| {
        let axes = joint.channels.euler_order().axes().len();
        axes == 1 || axes == 2
    })?;
    Some(format!(
        "its importer knows joints with three rotation channels or none, and {:?} has fewer",
        partial.name
    ))
}

/// Places of one clip, frame after frame: 64-bit little-endian numbers, three a place. `what` is `heads`, of the bones,
/// or `points`, of a character's meshes.
pub fn read_places(scratch: &Path, side: &Side, what: &str) -> Result<Vec<Vec3>, Failure> {
    let path: PathBuf = scratch.join(format!("{}.{what}", side.name));
    let bytes = fs::read(&path).map_err(|source| Error::Read { path, source })?;
    let number = |eight: &[u8]| f64::from_le_bytes(eight.try_into().expect("eight bytes"));
    let point = |point: &[u8]| Vec3::from_iterator(point.chunks_exact(8).map(number));
    Ok(bytes.chunks_exact(24).map(point).collect())
}
