//! A clip into a file, by its name's end.

use crate::clip::Clip;
use crate::errors::{raised, wrong};
use pyo3::prelude::*;
use retarget::internals::arrays::{self, Shape};
use retarget::internals::bvh::{self, WriteSettings};
use retarget::internals::convert::{self, NewAnimation, Packing};
use retarget::internals::formats;
use retarget::internals::rig::UpAxis;
use std::path::{Path, PathBuf};

/// How a clip is written.
pub struct Writing {
    pub decimals: u8,
    /// What the animation is called that a character gets; as the source's file without it.
    pub animation: Option<String>,
    /// Whether one of that name is to go.
    pub replace: bool,
}

/// Writes it whole or not at all, and over none of the files that it comes from.
pub fn save(py: Python<'_>, clip: &Clip, path: &Path, writing: &Writing) -> PyResult<()> {
    write(py, clip, path, &bytes(py, clip, path, writing)?)
}

fn write(py: Python<'_>, clip: &Clip, path: &Path, bytes: &[u8]) -> PyResult<()> {
    // A result's own name is that of no file that was read.
    let source = clip.made.as_ref().map_or(&clip.source, |made| &made.source);
    let target = clip.made.as_ref().map(|made| made.target.files()).unwrap_or_default();
    let mut inputs = vec![source.path.as_path()];
    inputs.extend(target.iter().map(PathBuf::as_path));
    py.detach(|| convert::write_whole(path, bytes, &inputs)).map_err(raised)
}

/// The bytes of a file of that name.
pub fn bytes(py: Python<'_>, clip: &Clip, path: &Path, writing: &Writing) -> PyResult<Vec<u8>> {
    let decimals = writing.decimals;
    if decimals > 15 {
        return Err(wrong(format!("decimals is {decimals}; there are 0 to 15")));
    }
    if !formats::is_result_name(path) {
        let endings = formats::result_endings().collect::<Vec<_>>().join(", ");
        let path = path.display();
        return Err(wrong(format!(
            "{path} does not say what to write; name a file that ends in {endings}"
        )));
    }
    if formats::is_arrays_name(path) {
        let masks = clip.made.as_ref().map(|made| made.contacts().by_name());
        let shape = clip.shape();
        let bytes = || convert::array_bytes(path, clip.motion(), masks.as_deref(), &shape);
        return Ok(py.detach(bytes));
    }
    if !convert::is_bvh_name(path) {
        let rig = clip.rig()?;
        let source = clip.made.as_ref().map_or(&clip.source, |made| &made.source);
        let stem = convert::unpacked_name(&source.path).file_stem().unwrap_or_default();
        let name = writing.animation.clone().unwrap_or_else(|| stem.to_string_lossy().into_owned());
        let animation = NewAnimation { name: &name, replace: writing.replace };
        let bytes = || rig.result_bytes(path, clip.motion(), animation);
        return py.detach(bytes).map_err(raised);
    }
    let write = || {
        let mut text = Vec::new();
        bvh::write(clip.motion(), &WriteSettings { decimals }, &mut text)
            .expect("memory takes everything");
        Packing::named(path).pack(text)
    };
    Ok(py.detach(write))
}

/// Writes a clip on an SMPL, SMPL-H or SMPL-X skeleton as an `.npz` with the keys of AMASS.
#[pyfunction(name = "_save_smpl")]
pub fn save_smpl(
    py: Python<'_>,
    clip: &Clip,
    path: PathBuf,
    betas: Option<Vec<f64>>,
    gender: Option<String>,
    up: &str,
) -> PyResult<()> {
    let up = match up {
        "y" => UpAxis::Y,
        "z" => UpAxis::Z,
        other => return Err(wrong(format!("up is {other:?}; there are \"y\" and \"z\""))),
    };
    let own = clip.shape();
    let shape = Shape { betas: betas.unwrap_or(own.betas), gender: gender.unwrap_or(own.gender) };
    let masks = clip.made.as_ref().map(|made| made.contacts().by_name());
    let written = || arrays::written_smpl(clip.motion(), &shape, up, masks.as_deref());
    let bytes = py.detach(written).ok_or_else(|| {
        wrong(format!(
            "{}: the clip's skeleton is none of SMPL, SMPL-H and SMPL-X, in metres with Y up and the pelvis alone moving; \
             retarget it onto one first: rt.retarget(clip, rt.Rig(rt.from_smpl(...)))",
            path.display()
        ))
    })?;
    write(py, clip, &path, &bytes)
}
