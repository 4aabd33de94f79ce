//! Why Blender could not be asked.

use retarget::rig::Misfit;
use std::io;
use std::path::PathBuf;

/// Each is one sentence with the way out.
#[derive(Debug, thiserror::Error)]
pub enum BlenderError {
    #[error(
        "no Blender: neither blender nor a Python with bpy is on PATH; install Blender or `pip install bpy`, \
         or name either with --blender or in BLENDER"
    )]
    None,
    #[error("cannot start {}: {source}; --blender and BLENDER name the program itself", path.display())]
    NotStarted { path: PathBuf, source: io::Error },
    #[error("{} is neither Blender nor Python: asked for its version it says {says:?}", path.display())]
    Neither { path: PathBuf, says: String },
    #[error("{} ended without an answer: {says}", path.display())]
    Failed { path: PathBuf, says: String },
    #[error("Blender {version} does not open {}: {says}{}", path.display(), hint.as_ref().map_or(String::new(), |hint| format!("; {hint}")))]
    Refused { version: String, path: PathBuf, says: String, hint: Option<String> },
    #[error(
        "{} has {result_has} and {} {source_has}: give a result and the clip that it was made of",
        result_path.display(), source_path.display()
    )]
    NotAPair { source_path: PathBuf, source_has: String, result_path: PathBuf, result_has: String },
    #[error("{} is not on the rig of {}: {source}", result.display(), target.display())]
    NotOnTarget { result: PathBuf, target: PathBuf, source: Misfit },
}
