//! Clips as numpy's files of arrays. `.npy` has positions of points; `.npz` has such positions, parameters of SMPL's
//! bodies as AMASS has them, or a skeleton and its rotations. Results are written as the last of these.
//!
//! Pickled objects are never loaded. Quaternions are X, Y, Z, W.
//!
//! ```
//! use retarget::internals::arrays::{self, Shape};
//!
//! let clip = retarget::SourceClip::load("samples/walk.bvh")?.clip;
//! let bytes = arrays::written(&clip, None, &Shape::default());
//! let again = retarget::SourceClip::from_bytes("walk.npz", &bytes)?.clip;
//! assert_eq!(again.len(), clip.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod amass;
mod body;
mod habit;
mod npy;
mod npz;
mod smpl;
mod write;

pub use amass::written_smpl;
pub use habit::way_out;
pub use npz::Mask;
pub use smpl::Shape;
pub use write::{written, written_points};

use crate::clip::{Clip, FrameTime};
use crate::math::Vec3;
use crate::positions::{self, Fitted, Layout, PositionsError, Tracked};
use crate::rig::UpAxis;
use crate::skeleton::{ParentsError, SkeletonError};
use npy::{Array, Items};
use npz::Archive;

/// What the caller knows about a file of arrays that the file does not state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meant<'a> {
    /// Which points the positions belong to.
    pub layout: Option<Layout>,
    /// Frames per second, instead of the rate that the file states.
    pub fps: Option<f64>,
    /// The up axis of the file's world.
    pub up: Option<UpAxis>,
    /// The bytes of an SMPL model's file, which states the lengths of bones, and the file's name in messages.
    pub model: Option<(&'a str, &'a [u8])>,
    /// The most bytes that an array may have once unpacked.
    pub most_len: u64,
}

/// A clip that was made of arrays.
#[derive(Clone, Debug)]
pub struct ArrayClip {
    pub clip: Clip,
    /// What was assumed, or is doubtful; a sentence for each.
    pub notes: Vec<String>,
    /// The parameters of an SMPL body besides its motion.
    pub shape: Option<Shape>,
}

/// Why arrays cannot be read as a clip. Each is one sentence with the name of the array and a way out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ArrayError {
    #[error(
        "{key:?} is broken off or no array of numpy's; save it again with numpy.save or numpy.savez"
    )]
    Broken { key: String },
    #[error("it is no archive that can be read ({0}); save it again with numpy.savez")]
    Archive(String),
    #[error("{key:?} is packed in another way than numpy does; save it again with numpy.savez")]
    Packing { key: String },
    #[error(
        "{key:?} has more than {most} bytes, the most that is taken out of so small a file; save it unpacked"
    )]
    TooLong { key: String, most: u64 },
    #[error(
        "{key:?} is a pickled object, which is never loaded, since it may run any program; where you trust it, save the \
         array of numbers in it by itself with numpy.save"
    )]
    Pickled { key: String },
    #[error(
        "{key:?} holds {kind}, and other items are asked for; save it as an array of float32 or of names"
    )]
    Kind { key: String, kind: String },
    #[error("{key:?} has the shape {shape:?}, and {wanted} is asked for")]
    Shape { key: String, shape: Vec<usize>, wanted: String },
    #[error(
        "{key:?} has the shape {shape:?}, and (T, P, 3), frames of points, is asked for{}",
        way_out(.shape).map_or_else(String::new, |way| format!("; {way}"))
    )]
    Points { key: String, shape: Vec<usize> },
    #[error("{key:?}: frame {frame}, {item}: {what}")]
    Item { key: String, frame: usize, item: String, what: &'static str },
    #[error(
        "it has neither rotations nor poses nor positions; it has {has}; save the places of joints as positions, (T, J, 3)"
    )]
    NoClip { has: String },
    #[error("it lacks {key:?}, without which {of:?} says no motion")]
    Lacks { key: &'static str, of: &'static str },
    #[error(
        "nothing says which points the {points} of a frame are; say so with --layout, of which there {fitting}"
    )]
    NoLayout { points: usize, fitting: String },
    #[error("the layout {layout} has {points} points, and a frame has {own}")]
    OtherLayout { layout: &'static str, points: usize, own: usize },
    #[error("nothing says how many frames a second there are; say so with --fps")]
    NoFps,
    #[error("{0} frames a second are none; there are from 0.001 to 100000")]
    Fps(f64),
    #[error(
        "a pose has {0} numbers; there are 72 (SMPL), 156 (SMPL-H), 165 (SMPL-X) and 66 (the body alone){way}",
        way = smpl::way_out(*.0)
    )]
    Pose(usize),
    #[error("{path}: {source}")]
    Model { path: String, source: Box<ArrayError> },
    #[error(
        "it is no body model, since it lacks {0}; name one with v_template, shapedirs and J_regressor"
    )]
    NoModel(&'static str),
    #[error("it has {0} joints; there are models of 24, 52 and 55")]
    ModelJoints(usize),
    #[error(
        "\"translations\": the body is farther away than 100000000 times the length of all its bones; is their unit right?"
    )]
    FarAway,
    #[error(transparent)]
    Parents(#[from] ParentsError),
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    #[error("\"positions\": {0}")]
    Positions(#[from] PositionsError),
}

/// Whether bytes begin like numpy's files, or like those of Python and torch that contain arrays as pickled objects.
pub fn is_one(bytes: &[u8]) -> bool {
    is_array(bytes)
        || is_pickle(bytes)
        || bytes.starts_with(b"PK\x03\x04")
        || bytes.starts_with(b"PK\x05\x06")
}

/// Whether bytes begin like a single array of numpy's.
pub fn is_array(bytes: &[u8]) -> bool {
    bytes.starts_with(npy::MAGIC)
}

/// Whether bytes begin like a pickle of Python.
fn is_pickle(bytes: &[u8]) -> bool {
    matches!(bytes, [0x80, 2..=5, ..])
}

/// Reads a clip from the bytes of a `.npy` or `.npz` file. Memory: a few times that of the arrays that make the clip;
/// other arrays of an archive are not unpacked.
pub fn read(bytes: &[u8], meant: &Meant) -> Result<ArrayClip, ArrayError> {
    if is_array(bytes) {
        let Array { shape, items } = Array::read("positions", bytes)?;
        let Items::Numbers(numbers) = items else {
            return Err(ArrayError::Kind { key: "positions".to_owned(), kind: "texts".to_owned() });
        };
        return of_points("positions", &shape, &numbers, None, frame_time(meant, None)?, meant);
    }
    if is_pickle(bytes) {
        return Err(ArrayError::Pickled { key: "the file".to_owned() });
    }
    let archive = Archive::read(bytes, meant.most_len)?;
    // An archive of torch contains this file.
    if let Some(key) = archive.keys().iter().find(|key| key.ends_with("/data.pkl")) {
        return Err(ArrayError::Pickled { key: key.clone() });
    }
    if archive.has("rotations") {
        let clip = body::clip(&archive, meant)?;
        return Ok(ArrayClip { clip, notes: Vec::new(), shape: None });
    }
    if smpl::is_one(&archive) {
        return smpl::clip(&archive, meant);
    }
    let alone = archive.keys().first().filter(|_| archive.keys().len() == 1).map(String::as_str);
    let key = if archive.has("positions") { Some("positions") } else { alone };
    let has = match archive.keys() {
        [] => "nothing".to_owned(),
        keys => keys.join(", "),
    };
    let none = || ArrayError::NoClip { has: has.clone() };
    let key = key.ok_or_else(none)?;
    let (shape, numbers) = archive.numbers(key)?.ok_or_else(none)?;
    let frame_time = frame_time(meant, Some(&archive))?;
    let tree = match (archive.texts("names"), archive.has("parents")) {
        (Ok(Some(names)), true) => Some((names, parents(&archive)?)),
        _ => None,
    };
    of_points(key, &shape, &numbers, tree, frame_time, meant)
}

/// The clip of positions of points, (T, P, 3): of joints with names and parents, or in the layout that the caller
/// names.
fn of_points(
    key: &str,
    shape: &[usize],
    numbers: &[f64],
    tree: Option<(Vec<String>, Vec<isize>)>,
    frame_time: FrameTime,
    meant: &Meant,
) -> Result<ArrayClip, ArrayError> {
    let is_named = tree.as_ref().is_some_and(|(names, _)| shape.get(1) == Some(&names.len()));
    let own = match *shape {
        [_, own, 3] if is_named || way_out(shape).is_none() => own,
        _ => return Err(ArrayError::Points { key: key.to_owned(), shape: shape.to_vec() }),
    };
    let places: Vec<Vec3> = numbers.chunks_exact(3).map(Vec3::from_column_slice).collect();
    let tracked = match (meant.layout, tree) {
        (Some(layout), _) if layout.points() == own => layout.tracked(&places, own)?,
        (Some(layout), _) => {
            let (layout, points) = (layout.name(), layout.points());
            return Err(ArrayError::OtherLayout { layout, points, own });
        }
        (None, Some((names, parents))) => Tracked::new(names, parents, places)?,
        (None, None) => {
            let all = Layout::ALL.into_iter();
            let fitting: Vec<&str> =
                all.filter(|layout| layout.points() == own).map(|layout| layout.name()).collect();
            let fitting = match fitting[..] {
                [] => format!("is none of {own}: {}", Layout::ALL.map(|it| it.name()).join(", ")),
                [one] => format!("is {one}"),
                _ => format!("are {}", fitting.join(", ")),
            };
            return Err(ArrayError::NoLayout { points: own, fitting });
        }
    };
    let fitted = positions::clip_of(&tracked, frame_time, meant.up)?;
    let notes = fitted.noise().into_iter().collect();
    let Fitted { clip, .. } = fitted;
    Ok(ArrayClip { clip, notes, shape: None })
}

/// The frame time: by the caller's rate, otherwise by the file's.
fn frame_time(meant: &Meant, archive: Option<&Archive>) -> Result<FrameTime, ArrayError> {
    let own = |key| archive.map_or(Ok(None), |archive| archive.number(key));
    let seconds = match (meant.fps, own("frame_time")?) {
        (Some(fps), _) => return of_fps(fps),
        (None, Some(seconds)) => seconds,
        (None, None) => {
            for key in ["mocap_framerate", "mocap_frame_rate", "fps"] {
                if let Some(fps) = own(key)? {
                    return of_fps(fps);
                }
            }
            return Err(ArrayError::NoFps);
        }
    };
    FrameTime::from_seconds(seconds).ok_or(ArrayError::Fps(1.0 / seconds))
}

fn of_fps(fps: f64) -> Result<FrameTime, ArrayError> {
    FrameTime::from_seconds(1.0 / fps).filter(|_| fps > 0.0).ok_or(ArrayError::Fps(fps))
}

/// The indices of the joints' parents.
fn parents(archive: &Archive) -> Result<Vec<isize>, ArrayError> {
    let (_, parents) = archive.numbers("parents")?.unwrap_or_default();
    Ok(parents.into_iter().map(|parent| parent as isize).collect())
}
