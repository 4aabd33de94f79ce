//! Why Blender could not be run.

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
        "{} has a frame time of {result_time} s and {} {source_time} s: give a result and the clip that it was \
         made of",
        result.display(), source_clip.display()
    )]
    OtherTimes { source_clip: PathBuf, source_time: String, result: PathBuf, result_time: String },
}
