//! The page of `retarget view`.

use crate::clip::Clip;
use crate::errors::raised;
use crate::threads;
use pyo3::prelude::*;
use retarget::cli;
use retarget::internals::rig::RigFile;

/// The page of a result beside its source, or of a clip beside itself.
pub fn page(py: Python<'_>, clip: &Clip) -> PyResult<String> {
    let page = || match &clip.made {
        Some(made) => {
            let target = Some((*made.target).clone());
            cli::view_page(&made.source, &clip.source, made.written.clone(), target)
        }
        None => cli::view_page(&clip.source, &clip.source, RigFile::default(), None),
    };
    py.detach(|| threads::shared(page)).map_err(raised)
}
