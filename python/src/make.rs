//! Clips made of files, of bytes and of arrays.

use crate::arrays::Numbers;
use crate::clip::{Clip, is_world};
use crate::errors::{raised, wrong};
use crate::form::Form;
use crate::rig::Rig;
use crate::{build, threads};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use retarget::convert;
use std::path::PathBuf;

/// Reads a clip from a file of any format that the command line reads; `clip` names the animation where it holds
/// several.
#[pyfunction(name = "_load")]
#[pyo3(signature = (path, clip = None))]
pub fn load(py: Python<'_>, path: PathBuf, clip: Option<&str>) -> PyResult<Clip> {
    let load = || convert::load_take(&path, clip).map(Clip::of);
    py.detach(|| threads::shared(load)).map_err(raised)
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
