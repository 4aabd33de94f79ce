//! A skeleton with what it means.

use crate::arrays::array;
use crate::clip::Clip;
use crate::errors::{raised, wrong};
use crate::make::warn;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use retarget::internals::convert::{self, LengthUnit, LoadedRig};
use retarget::internals::rig::{Description, SkeletonSource, describe};
use std::path::PathBuf;
use std::sync::Arc;

/// A skeleton with its meaning: which joint has which role, how it stands, where its soles are.
///
/// source: the path of a skeleton.toml or of a file with a skeleton in it, or a Clip. Joints are recognised by names,
/// shape and, where there is any, motion.
/// accept_doubt: go on with the likeliest reading where what was found is in doubt.
///
/// Raises OSError where a file cannot be read, ValueError where the joints are not recognised or make no rig; the
/// sentence says what to write into a skeleton.toml.
#[pyclass(frozen, module = "retarget")]
pub struct Rig {
    pub loaded: Arc<LoadedRig>,
    /// What it was made of, to be made again in another process.
    given: Py<PyAny>,
    accept_doubt: bool,
}

#[pymethods]
impl Rig {
    #[new]
    #[pyo3(signature = (source, accept_doubt = false))]
    fn new(py: Python<'_>, source: Bound<'_, PyAny>, accept_doubt: bool) -> PyResult<Self> {
        let loaded = match source.cast::<Clip>() {
            Ok(clip) => clip.get().rig()?,
            Err(_) => {
                let path: PathBuf = source
                    .extract()
                    .map_err(|_| PyTypeError::new_err("a Rig is made of a path or of a Clip"))?;
                let load = || convert::load_rig_with(&path, accept_doubt);
                let loaded = py.detach(load).map_err(raised)?;
                warn(py, &loaded.notes)?;
                Arc::new(loaded)
            }
        };
        Ok(Self { loaded, given: source.unbind(), accept_doubt })
    }

    /// The joints' names, J of them, in depth-first order.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.loaded.rig.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect()
    }

    /// For each joint the place of its parent; -1 for a root.
    #[getter]
    fn parents(&self) -> Vec<isize> {
        let joints = self.loaded.rig.skeleton.joints().iter();
        joints.map(|joint| joint.parent.map_or(-1, |parent| parent.index() as isize)).collect()
    }

    /// Where each joint is in its parent's frame at rest: (J, 3), local, the rig's length units.
    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let joints = self.loaded.rig.skeleton.joints();
        let numbers: Vec<f64> =
            joints.iter().flat_map(|joint| joint.offset.iter().copied()).collect();
        array(py, numbers, &[joints.len(), 3])
    }

    /// Joint names by role, such as "hips" or "left_thigh".
    #[getter]
    fn roles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let roles = PyDict::new(py);
        let rig = &self.loaded.rig;
        for id in rig.skeleton.ids() {
            if let Some(role) = rig.roles.role(id) {
                roles.set_item(role.to_string(), rig.skeleton.name(id))?;
            }
        }
        Ok(roles)
    }

    /// The world's up axis in the rig's file: "y", "z", "-y" and so on.
    #[getter]
    fn up(&self) -> String {
        self.loaded.rig.up.to_string()
    }

    /// Thigh plus shin, mean of both legs, the rig's length units: what all lengths are compared by.
    #[getter]
    fn leg_length(&self) -> f64 {
        self.loaded.rig.leg_len
    }

    /// The length unit as the legs make it likely, such as "centimetres"; None where they say nothing. A guess.
    #[getter]
    fn unit(&self) -> Option<String> {
        LengthUnit::of(&self.loaded.rig).map(|unit| unit.to_string())
    }

    /// The rig as the text of a skeleton.toml with all joints, to be saved and corrected.
    fn to_toml(&self) -> String {
        describe(&Description {
            skeleton: &self.loaded.rig.skeleton,
            source: SkeletonSource::Joints,
            recognised: &self.loaded.recognised,
            rig: Some(&self.loaded.rig),
            floor: None,
        })
    }

    fn __len__(&self) -> usize {
        self.loaded.rig.skeleton.len()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let class = py.get_type::<Rig>().into_any();
        Ok((class, (self.given.bind(py), self.accept_doubt).into_pyobject(py)?))
    }

    fn __repr__(&self) -> String {
        let LoadedRig { path, rig, .. } = &*self.loaded;
        let roles = rig.skeleton.ids().filter(|&id| rig.roles.role(id).is_some()).count();
        format!(
            "<retarget.Rig {}: {} joints, {roles} of them with a role, {} up, legs of {:.4}>",
            path.display(),
            rig.skeleton.len(),
            rig.up,
            rig.leg_len
        )
    }
}

/// A rig, or a path or Clip to make one of.
pub fn rig_of(given: &Bound<'_, PyAny>, accept_doubt: bool) -> PyResult<Arc<LoadedRig>> {
    match given.cast::<Rig>() {
        Ok(rig) => Ok(Arc::clone(&rig.get().loaded)),
        Err(_) => Rig::new(given.py(), given.clone(), accept_doubt).map(|rig| rig.loaded),
    }
}

/// Refuses what is neither.
pub fn clip_of(given: &Bound<'_, PyAny>) -> PyResult<Py<Clip>> {
    match given.cast::<Clip>() {
        Ok(clip) => Ok(clip.clone().unbind()),
        Err(_) => {
            let path: PathBuf =
                given.extract().map_err(|_| wrong("the clip has to be a Clip or a path"))?;
            Py::new(given.py(), crate::make::load(given.py(), path, None, None, None, None, None)?)
        }
    }
}
