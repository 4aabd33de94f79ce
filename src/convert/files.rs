//! Bytes in and out of files: read whole or in pieces, written whole or not at all.

use super::packing;
use super::synced::synced;
use crate::bvh::Pieces;
use crate::error::Error;
use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Reads the bytes of a file, and unpacks them where they are packed.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    unpacked(path, read_raw(path)?)
}

/// Reads the bytes of a file as they are.
pub fn read_raw(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })
}

/// A plain file that is read in pieces.
pub struct FilePieces {
    file: Mutex<File>,
    byte_len: usize,
}

impl FilePieces {
    /// Opens it; `None` where it is no file, cannot be read, or is packed.
    pub fn open(path: &Path) -> Option<Self> {
        let file = File::open(path).ok()?;
        let data = file.metadata().ok().filter(Metadata::is_file)?;
        let pieces = Self { byte_len: usize::try_from(data.len()).ok()?, file: Mutex::new(file) };
        let mut start = Vec::new();
        let start = pieces.piece(0..pieces.byte_len.min(4), &mut start)?;
        packing::is_plain(start).then_some(pieces)
    }
}

impl Pieces for FilePieces {
    fn byte_len(&self) -> usize {
        self.byte_len
    }

    fn piece<'a>(&'a self, range: Range<usize>, buffer: &'a mut Vec<u8>) -> Option<&'a [u8]> {
        buffer.resize(range.len(), 0);
        let mut file = self.file.lock().ok()?;
        file.seek(SeekFrom::Start(range.start as u64)).ok()?;
        file.read_exact(buffer).ok()?;
        Some(buffer)
    }
}

/// Bytes that were read from `path` or from a stream of that name, unpacked where they are packed.
pub fn unpacked(path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
    packing::unpack(bytes).map_err(|source| Error::Read { path: path.to_owned(), source })
}

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
    let failed = |source| Error::Write { path: path.to_owned(), source };
    // A device or a pipe is no file that could be replaced.
    if path.metadata().is_ok_and(|data| !data.is_file() && !data.is_dir()) {
        return File::create(path).and_then(|mut device| write(&mut device)).map_err(failed);
    }
    let create = |path: &Path| File::create_new(path);
    let file = tempfile::Builder::new().prefix(PREFIX).make_in(folder_of(path), create);
    finish(file.map_err(failed)?, path, |file| synced(file, write)).map_err(failed)
}

/// As [`write_whole`], for one who alone writes this path: the temporary file's name follows from it,
/// so that what a killed run left half written is written over and not left behind. Not synced, which
/// costs more than most conversions: `write` does it where a loss of power would go unseen.
pub fn write_claimed<T>(
    path: &Path,
    inputs: &[&Path],
    write: impl FnOnce(&mut File) -> io::Result<T>,
) -> Result<T, Error> {
    refuse_input(path, inputs)?;
    let failed = |source| Error::Write { path: path.to_owned(), source };
    let mut name = OsString::from(PREFIX);
    name.push(path.file_name().unwrap_or_default());
    let file = tempfile::Builder::new()
        .prefix(&name)
        .rand_bytes(0)
        .make_in(folder_of(path), |path| File::create(path));
    finish(file.map_err(failed)?, path, write).map_err(failed)
}

const PREFIX: &str = ".retarget-";

fn refuse_input(path: &Path, inputs: &[&Path]) -> Result<(), Error> {
    let Ok(output) = path.canonicalize() else { return Ok(()) };
    match inputs.iter().any(|input| input.canonicalize().is_ok_and(|input| input == output)) {
        true => Err(Error::OutputIsInput { path: path.to_owned() }),
        false => Ok(()),
    }
}

/// The temporary file goes when this fails. Its name means nothing to anybody, so that errors are
/// given without it.
fn finish<T>(
    file: tempfile::NamedTempFile<File>,
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<T>,
) -> io::Result<T> {
    let (mut file, temporary) = file.into_parts();
    let told = write(&mut file)?;
    drop(file);
    temporary.persist(path).map_err(|error| error.error)?;
    Ok(told)
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}
