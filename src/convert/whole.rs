//! Writes files: the one place that does. A file is written whole or not at all, and no input is written over.
//!
//! The bytes go into a temporary file beside the result, which is renamed once it is whole. Its name says who writes
//! it, and is not that of a clip or of another writer. The writer holds a lock on it. So the next run can tell a file
//! that a killed process left from one that another process is writing, and removes it.

use super::synced::synced;
use crate::error::Error;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

const PREFIX: &str = ".retarget-";
const ENDING: &str = ".part";

/// The owner in the names of temporary files of single results.
const SINGLE: &str = "one";

/// Writes a file whole or not at all: to a temporary file beside it, synced, then renamed. Refuses to
/// write over any of `inputs`, by whatever name it is reached.
pub fn write_whole(path: &Path, bytes: &[u8], inputs: &[&Path]) -> Result<(), Error> {
    write_whole_with(path, inputs, |out| out.write_all(bytes))
}

/// As [`write_whole`], of what `write` writes piece by piece.
pub fn write_whole_with<T>(
    path: &Path,
    inputs: &[&Path],
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> Result<T, Error> {
    refuse_input(path, inputs)?;
    // A device or a pipe cannot be replaced by a file.
    if is_device(path) {
        let failed = |source| Error::Write { path: path.to_owned(), source };
        return File::create(path).and_then(|mut device| write(&mut device)).map_err(failed);
    }
    clear_left(&folder_of(path), SINGLE);
    replace(path, SINGLE, |file| synced(file, write))
}

/// As [`write_whole`], for a run that clears away by itself what an earlier one left under the name `owner`. Not
/// synced, which costs more than most conversions: `write` does it where a loss of power would go unseen.
pub fn write_owned<T>(
    path: &Path,
    inputs: &[&Path],
    owner: &str,
    write: impl FnOnce(&mut File) -> io::Result<T>,
) -> Result<T, Error> {
    refuse_input(path, inputs)?;
    replace(path, owner, write)
}

/// Refuses to write over any of `inputs`, by whatever name it is reached.
pub fn refuse_input(path: &Path, inputs: &[&Path]) -> Result<(), Error> {
    let Ok(output) = path.canonicalize() else { return Ok(()) };
    match inputs.iter().any(|input| input.canonicalize().is_ok_and(|input| input == output)) {
        true => Err(Error::OutputIsInput { path: path.to_owned() }),
        false => Ok(()),
    }
}

/// Whether a pipe or a device has this name.
pub fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| !data.is_file() && !data.is_dir())
}

/// Removes the temporary files that a killed process left in a folder under the name `owner`. It leaves those that a
/// process is writing, and all of them where the system has no locks.
pub fn clear_left(folder: &Path, owner: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_left = name.to_str().is_some_and(|name| is_temporary(name, owner));
        if is_left && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            clear(&entry.path());
        }
    }
}

fn is_temporary(name: &str, owner: &str) -> bool {
    let rest = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_prefix(owner));
    rest.is_some_and(|rest| rest.starts_with('-') && rest.ends_with(ENDING))
}

fn clear(path: &Path) {
    let Ok(file) = File::options().write(true).open(path) else { return };
    if file.try_lock().is_ok() {
        let _ = fs::remove_file(path);
    }
}

/// Replaces a file by what `write` writes. The temporary file is removed when this fails; errors leave out its name,
/// which means nothing to anybody.
fn replace<T>(
    path: &Path,
    owner: &str,
    write: impl FnOnce(&mut File) -> io::Result<T>,
) -> Result<T, Error> {
    let replace = || {
        let mut file = temporary(&folder_of(path), owner)?;
        let returned = write(file.as_file_mut())?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(returned)
    };
    replace().map_err(|source| Error::Write { path: path.to_owned(), source })
}

fn temporary(folder: &Path, owner: &str) -> io::Result<NamedTempFile<File>> {
    let create = |path: &Path| {
        let file = File::create_new(path)?;
        let is_cleared = matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !path.exists();
        // Before it was locked, another process may have removed it as a file left behind: take another name, then.
        if is_cleared { Err(io::ErrorKind::AlreadyExists.into()) } else { Ok(file) }
    };
    let prefix = format!("{PREFIX}{owner}-");
    if !folder.exists() {
        let sentence = format!("there is no folder {}; make it first", folder.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, sentence));
    }
    let made = tempfile::Builder::new().prefix(&prefix).suffix(ENDING).make_in(folder, create);
    // The crate puts the temporary name before the system's error.
    made.map_err(|error| error.raw_os_error().map_or(error, io::Error::from_raw_os_error))
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_at_work_stays_and_what_was_left_goes() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let names = || {
            let entries = fs::read_dir(folder.path()).expect("listed");
            entries.map(|entry| entry.expect("an entry").file_name()).collect::<Vec<_>>()
        };
        let at_work = temporary(folder.path(), "1-of-1").expect("made");
        // A process that is killed releases the lock and leaves the file.
        let (file, left) = temporary(folder.path(), "1-of-1").expect("made").keep().expect("kept");
        drop(file);
        let (file, others) =
            temporary(folder.path(), "1-of-10").expect("made").keep().expect("kept");
        drop(file);
        clear_left(folder.path(), "1-of-1");
        assert_eq!((at_work.path().exists(), left.exists(), others.exists()), (true, false, true));
        assert_eq!(names().len(), 2);
    }
}
