//! Results stay away from the library: no output inside an input, none over one.

use super::{BatchError, Found};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Refuses an output folder that is one of the folders that are searched, or lies inside one.
pub(super) fn check_folder(output: &Path, folders: &[PathBuf]) -> Result<(), BatchError> {
    if output.exists() && !output.is_dir() {
        return Err(BatchError::OutputIsFile { output: output.to_owned() });
    }
    let real = real(output);
    match folders.iter().find(|folder| real.starts_with(self::real(folder))) {
        Some(input) => {
            Err(BatchError::OutputInside { output: output.to_owned(), input: input.clone() })
        }
        None => Ok(()),
    }
}

/// Refuses an output that is a clip of the library, by whatever name it is reached. Only a file that
/// is there already can be one.
pub(super) fn check_files<'a>(
    outputs: impl Iterator<Item = &'a Path>,
    clips: &[Found],
) -> Result<(), BatchError> {
    let mut inputs: Option<HashSet<PathBuf>> = None;
    for output in outputs.filter(|output| output.exists()) {
        let inputs =
            inputs.get_or_insert_with(|| clips.iter().map(|clip| real(&clip.path)).collect());
        if inputs.contains(&real(output)) {
            return Err(BatchError::OutputIsInput { output: output.to_owned() });
        }
    }
    Ok(())
}

/// A path with all links followed, of the part that exists.
pub(super) fn real(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) if !parent.as_os_str().is_empty() => real(parent).join(name),
        (Some(_), Some(name)) => real(Path::new(".")).join(name),
        _ => path.to_owned(),
    }
}
