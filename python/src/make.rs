//! Clips made of files, of bytes and of arrays.

use crate::arrays::Numbers;
use crate::clip::{Clip, is_world};
use crate::errors::{raised, worded, wrong};
use crate::form::Form;
use crate::rig::Rig;
use crate::{build, threads};
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use retarget::internals::convert::{self, Reading, SourceClip};
use retarget::internals::math::Vec3;
use retarget::internals::positions::{self, Layout, PositionsError, Tracked};
use retarget::internals::rig::UpAxis;
use std::path::PathBuf;

/// Reads a clip from a file of any format that the command line reads; `clip` names the animation where it holds
/// several, the others say what files of arrays leave open.
#[pyfunction(name = "_load")]
#[pyo3(signature = (path, clip = None, layout = None, fps = None, up = None, model = None))]
pub fn load(
    py: Python<'_>,
    path: PathBuf,
    clip: Option<&str>,
    layout: Option<&str>,
    fps: Option<f64>,
    up: Option<&str>,
    model: Option<PathBuf>,
) -> PyResult<Clip> {
    let layout = layout.map(layout_named).transpose()?;
    let up = up.map(str::parse::<UpAxis>).transpose().map_err(|error| wrong(error.to_string()))?;
    let model = model.as_deref();
    let reading = Reading { clip, layout, fps, up, model, ..Reading::default() };
    let load = || convert::load_as(&path, &reading);
    let source = py.detach(|| threads::shared(load)).map_err(raised)?;
    warn(py, &source.notes)?;
    Ok(Clip::of(source))
}

pub fn layout_named(name: &str) -> PyResult<Layout> {
    Layout::named(name).ok_or_else(|| {
        let known = Layout::ALL.map(|layout| format!("{:?}", layout.name()));
        wrong(format!("{name:?} is no layout; there are {}", known.join(", ")))
    })
}

/// Reads a clip from the bytes of a file, as `load` does; `name` is what messages call it.
#[pyfunction]
#[pyo3(signature = (data, name = PathBuf::from("clip.bvh"), clip = None))]
pub fn read(py: Python<'_>, data: Vec<u8>, name: PathBuf, clip: Option<&str>) -> PyResult<Clip> {
    let read = || convert::read_take(&name, &convert::unpacked(&name, data)?, clip).map(Clip::of);
    py.detach(|| threads::shared(read)).map_err(raised)
}

/// A clip of rotations, as models and data sets have them.
///
/// rotations: (T, J, …) in the given form; see `Clip.rotations` for forms and spaces. float32 or float64 of any
/// strides, or a tensor that speaks DLPack.
/// root: (T, 3), the path of the root joint in the world; or (T, M, 3), the local translations of all joints of
/// `moving`. At their offsets without it.
/// like: a Clip or Rig whose skeleton it is; else names (J), parents (J; -1 for the one root) and offsets (J, 3).
/// names: with `like`, the order that the rotations' joints are in.
/// fps: frames a second; that of the clip `like` without it.
/// unit, root_unit: the length units of the skeleton and of the root's path where these differ: "m", "cm", "mm",
/// "inch", "foot".
///
/// Raises ValueError, with frame and joint, for numbers that are not finite or are no rotation, and for shapes, names
/// or parents that do not fit.
#[pyfunction]
#[pyo3(signature = (rotations, root = None, *, like = None, names = None, parents = None, offsets = None, fps = None,
                    form = "xyzw", space = "local", unit = None, root_unit = None))]
#[allow(clippy::too_many_arguments)]
pub fn from_rotations(
    py: Python<'_>,
    rotations: &Bound<'_, PyAny>,
    root: Option<&Bound<'_, PyAny>>,
    like: Option<&Bound<'_, PyAny>>,
    names: Option<Vec<String>>,
    parents: Option<Vec<isize>>,
    offsets: Option<&Bound<'_, PyAny>>,
    fps: Option<f64>,
    form: &str,
    space: &str,
    unit: Option<&str>,
    root_unit: Option<&str>,
) -> PyResult<Clip> {
    let form = Form::named(form).map_err(wrong)?;
    let is_world = is_world(space)?;
    let scale = build::root_scale(unit, root_unit)?;
    let offsets = offsets.map(|offsets| Numbers::new(offsets, "offsets")).transpose()?;
    let body = match (like, names, parents, offsets) {
        (Some(like), names, None, None) => {
            let (skeleton, like_fps) = match (like.cast::<Clip>(), like.cast::<Rig>()) {
                (Ok(clip), _) => (
                    clip.get().motion().skeleton().clone(),
                    Some(clip.get().motion().frame_time().seconds()),
                ),
                (_, Ok(rig)) => (rig.get().loaded.rig.skeleton.clone(), None),
                _ => return Err(PyTypeError::new_err("like has to be a Clip or a Rig")),
            };
            build::Body::like(skeleton, names, like_fps)?
        }
        (None, Some(names), Some(parents), Some(offsets)) => {
            build::Body::of(&names, &parents, &offsets)?
        }
        _ => {
            return Err(wrong(
                "what the skeleton is has to be said: like=CLIP (or a Rig), or names, parents and offsets",
            ));
        }
    };
    let rotations = Numbers::new(rotations, "rotations")?;
    let root = root.map(|root| Numbers::new(root, "root")).transpose()?;
    build::clip(py, body, &rotations, root.as_ref(), build::Written { form, is_world, scale }, fps)
}

/// A clip of positions alone, as text-to-motion models and pose trackers give them.
///
/// positions: (T, P, 3), world, of any unit. skeleton: the layout of the points: "humanml3d" (22), "smpl" (24),
/// "coco17", "h36m17", "mediapipe33" or "kinect25"; or names and parents (-1 for the root) of joints in any order.
/// fps: frames a second. up: "y", "z", "-y" and so on; found from how the body holds itself without it.
///
/// Bones are as long as they are in the median; joints with several bones turn as they do, others with the least twist;
/// thighs and upper arms are rolled by the plane in which knees and elbows bend. How forearms and hands are rolled no
/// position shows, unless there are fingers. Warns where bones change their length by more than a hundredth. Raises
/// ValueError for other shapes and unknown layouts, and with frame and joint for what is not finite.
#[pyfunction]
#[pyo3(signature = (positions, skeleton = None, *, fps, names = None, parents = None, up = None))]
pub fn from_positions(
    py: Python<'_>,
    positions: &Bound<'_, PyAny>,
    skeleton: Option<&str>,
    fps: f64,
    names: Option<Vec<String>>,
    parents: Option<Vec<isize>>,
    up: Option<&str>,
) -> PyResult<Clip> {
    let frame_time = crate::build::frame_time(fps)?;
    let up = up.map(str::parse::<UpAxis>).transpose().map_err(|error| wrong(error.to_string()))?;
    let positions = Numbers::new(positions, "positions")?;
    let made = match (skeleton, names, parents) {
        (Some(name), None, None) => {
            let layout = layout_named(name)?;
            let points = layout.points();
            positions.expect_points(&[(None, "T"), (Some(points), "P"), (Some(3), "")])?;
            layout.tracked(&vectors(positions.as_slice()?), points)
        }
        (None, Some(names), Some(parents)) => {
            let joints = names.len();
            positions.expect_points(&[(None, "T"), (Some(joints), "J"), (Some(3), "")])?;
            Tracked::new(names, parents, vectors(positions.as_slice()?))
        }
        _ => return Err(wrong("say which points these are: skeleton=, or names= and parents=")),
    };
    let refused = |error: PositionsError| wrong(format!("positions: {error}"));
    let tracked = made.map_err(refused)?;
    let fitted = py.detach(|| positions::clip_of(&tracked, frame_time, up)).map_err(refused)?;
    warn(py, fitted.noise().as_slice())?;
    Ok(Clip::of(SourceClip::new("positions", fitted.clip)))
}

/// Warns of what was taken for granted as a clip was read.
pub fn warn(py: Python<'_>, notes: &[String]) -> PyResult<()> {
    for note in notes {
        let warn = py.import("warnings")?.getattr("warn")?;
        warn.call1((worded(note), py.get_type::<PyUserWarning>(), 2))?;
    }
    Ok(())
}

fn vectors(numbers: &[f64]) -> Vec<Vec3> {
    numbers.chunks_exact(3).map(Vec3::from_column_slice).collect()
}
