//! The native half of the Python package `retarget`: clips, rigs, conversions and the command line.
//!
//! Arrays are checked and brought into one form in [`arrays`]; everything else is the library's. Long work runs without
//! the interpreter's lock, on threads of [`threads`].

#![forbid(unsafe_code)]

mod arrays;
mod build;
mod clip;
mod command;
mod contacts;
mod convert;
mod errors;
mod form;
mod live;
mod make;
mod many;
mod page;
mod pieces;
mod report;
mod rig;
mod save;
mod threads;
mod views;

#[pyo3::pymodule]
mod _retarget {
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;
    use retarget::internals::formats;

    /// Adds the endings of the names of clips of other formats than BVH.
    #[pymodule_init]
    fn add_endings(module: &Bound<PyModule>) -> PyResult<()> {
        let endings: Vec<&str> = formats::other_endings().collect();
        module.add("_OTHER_ENDINGS", PyTuple::new(module.py(), endings)?)
    }

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use super::clip::Clip;
    #[pymodule_export]
    use super::command::run;
    #[pymodule_export]
    use super::contacts::{Contact, Contacts};
    #[pymodule_export]
    use super::convert::{How, retarget_clip};
    #[pymodule_export]
    use super::live::Live;
    #[pymodule_export]
    use super::make::{from_positions, from_rotations, load, read};
    #[pymodule_export]
    use super::many::{Done, retarget_files};
    #[pymodule_export]
    use super::pieces::restore;
    #[pymodule_export]
    use super::report::{Measure, Report};
    #[pymodule_export]
    use super::rig::Rig;
    #[pymodule_export]
    use super::save::save_smpl;
}
