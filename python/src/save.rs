//! A clip into a file, by its name's end.

use crate::clip::Clip;
use crate::errors::{raised, wrong};
use pyo3::prelude::*;
use retarget::bvh::{self, WriteSettings};
use retarget::convert::{self, Packing};
use std::path::{Path, PathBuf};

/// Writes it whole or not at all, and over none of the files that it comes from.
pub fn save(py: Python<'_>, clip: &Clip, path: &Path, decimals: u8) -> PyResult<()> {
    let bytes = bytes(py, clip, path, decimals)?;
    let sources = [Some(&clip.source), clip.made.as_ref().map(|made| &made.source)];
    let mut inputs: Vec<PathBuf> =
        sources.into_iter().flatten().map(|source| source.path.clone()).collect();
    if let Some(made) = &clip.made {
        inputs.extend(made.target.files());
    }
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    py.detach(|| convert::write_whole(path, &bytes, &inputs)).map_err(raised)
}

/// The bytes of a file of that name.
pub fn bytes(py: Python<'_>, clip: &Clip, path: &Path, decimals: u8) -> PyResult<Vec<u8>> {
    if decimals > 15 {
        return Err(wrong(format!("decimals is {decimals}; there are 0 to 15")));
    }
    if !convert::is_result_name(path) {
        let endings = convert::RESULT_ENDINGS.join(", ");
        let path = path.display();
        return Err(wrong(format!(
            "{path} does not say what to write; name a file that ends in {endings}"
        )));
    }
    if convert::is_glb(path) {
        let rig = clip.rig()?;
        return py.detach(|| convert::glb_bytes(path, clip.motion(), &rig.rig)).map_err(raised);
    }
    let write = || {
        let mut text = Vec::new();
        bvh::write(clip.motion(), &WriteSettings { decimals }, &mut text)
            .expect("memory takes everything");
        Packing::named(path).pack(text)
    };
    Ok(py.detach(write))
}
