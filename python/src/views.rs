//! What a clip keeps, as arrays without a copy: they look into the clip's own memory, hold on to the clip, and can only
//! be read.

use numpy::PyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use retarget::internals::convert::SourceClip;
use std::sync::Arc;

/// One of the arrays that a clip keeps.
#[derive(Clone, Copy)]
enum Kept {
    Rotations,
    Translations,
    /// The translations of one of the joints that have any.
    TranslationsOf(usize),
}

/// Tells numpy where an array lies. A clip never changes, and as long as numpy looks at its memory it holds this.
#[pyclass(frozen)]
struct View {
    clip: Arc<SourceClip>,
    kept: Kept,
}

#[pymethods]
impl View {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        const SIZE: usize = size_of::<f64>();
        let (rotations, translations) = self.clip.clip.whole().unwrap_or_default();
        let (frames, joints) = (self.clip.clip.len(), self.clip.clip.skeleton().len());
        let moving = self.clip.clip.moving().len();
        let interface = PyDict::new(py);
        // numpy takes no address of nothing.
        let at = |address: usize, is_empty: bool| if is_empty { 0 } else { address };
        let data = match self.kept {
            Kept::Rotations => {
                interface.set_item("shape", (frames, joints, 4))?;
                at(rotations.as_ptr().addr(), rotations.is_empty())
            }
            Kept::Translations => {
                interface.set_item("shape", (frames, moving, 3))?;
                at(translations.as_ptr().addr(), translations.is_empty())
            }
            Kept::TranslationsOf(joint) => {
                interface.set_item("shape", (frames, 3))?;
                interface.set_item("strides", (moving * 3 * SIZE, SIZE))?;
                at(
                    translations[joint.min(translations.len())..].as_ptr().addr(),
                    translations.is_empty(),
                )
            }
        };
        interface
            .set_item("typestr", if cfg!(target_endian = "little") { "<f8" } else { ">f8" })?;
        interface.set_item("data", (data, true))?;
        interface.set_item("version", 3)?;
        Ok(interface)
    }
}

fn array<'py>(py: Python<'py>, clip: &Arc<SourceClip>, kept: Kept) -> PyResult<Bound<'py, PyAny>> {
    let view = View { clip: Arc::clone(clip), kept };
    let array = py.import("numpy")?.call_method1("asarray", (view,))?;
    Ok(array.cast_into::<PyArrayDyn<f64>>()?.into_any())
}

/// Local rotations, `(T, J, 4)`, xyzw, of a clip that is joined.
pub fn rotations<'py>(py: Python<'py>, clip: &Arc<SourceClip>) -> PyResult<Bound<'py, PyAny>> {
    array(py, clip, Kept::Rotations)
}

/// Local translations of the joints that have any, `(T, M, 3)`, of a clip that is joined.
pub fn translations<'py>(py: Python<'py>, clip: &Arc<SourceClip>) -> PyResult<Bound<'py, PyAny>> {
    array(py, clip, Kept::Translations)
}

/// Local translations of one joint of those that have any, by its place among them, `(T, 3)`.
pub fn translations_of<'py>(
    py: Python<'py>,
    clip: &Arc<SourceClip>,
    joint: usize,
) -> PyResult<Bound<'py, PyAny>> {
    array(py, clip, Kept::TranslationsOf(joint))
}
