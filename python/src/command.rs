//! The command line.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command line with these arguments, of which the first is the program's name, and gives the exit code. From
/// then on Ctrl-C ends the process.
#[pyfunction(name = "_run")]
pub fn run(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| retarget::cli::main(args))
}
