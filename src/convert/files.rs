//! Reads the bytes of files: the one place that opens what a user or a file names. It opens regular files alone, and
//! reads no more than a bound.

use super::packing;
use super::packing::MOST_BYTES;
use crate::bvh::Pieces;
use crate::error::Error;
use crate::formats::ends_in;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;

/// The most that is read of a text that a person writes, such as a `skeleton.toml`, bytes.
const MOST_WRITTEN: u64 = 16 << 20;

/// Opens a regular file to be read, and gives its length. Anything else, such as a device, may have no end or wait for
/// ever.
pub fn open(path: &Path) -> io::Result<(File, u64)> {
    // Even opening a pipe waits until somebody writes into it.
    regular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    let data = file.metadata()?;
    regular(&data)?;
    Ok((file, data.len()))
}

/// Refuses what is no regular file.
fn regular(data: &Metadata) -> io::Result<()> {
    let what = match data {
        data if data.is_file() => return Ok(()),
        data if data.is_dir() => "it is a folder; name a file in it",
        _ => {
            "it is a pipe or a device, and only files are read by name; give a clip on standard input, as -"
        }
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, what))
}

/// Whether a file is a `skeleton.toml`, by its name's end.
pub fn is_rig_file(path: &Path) -> bool {
    ends_in(path, "toml")
}

/// The first bytes of a file.
pub(super) fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    const ENOUGH: u64 = 256;
    let mut start = Vec::new();
    open(path)?.0.take(ENOUGH).read_to_end(&mut start)?;
    Ok(start)
}

/// Reads the bytes of a clip's file, and unpacks them where they are packed.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    unpacked(path, read_raw(path)?)
}

/// Reads the bytes of a file as they are.
pub fn read_raw(path: &Path) -> Result<Vec<u8>, Error> {
    let read = || {
        let (file, len) = open(path)?;
        all_of(file, len, MOST_BYTES)
    };
    read().map_err(|source| Error::Read { path: path.to_owned(), source })
}

/// Reads all bytes of a stream that messages call `path`, and unpacks them where they are packed.
pub fn read_stream(path: &Path, stream: impl Read) -> Result<Vec<u8>, Error> {
    let bytes = all_of(stream, 0, MOST_BYTES);
    unpacked(path, bytes.map_err(|source| Error::Read { path: path.to_owned(), source })?)
}

/// Reads a text that a person writes.
pub fn read_text(path: &Path) -> Result<String, Error> {
    let read = || {
        let (file, len) = open(path)?;
        let bytes = packing::unpack(all_of(file, len, MOST_WRITTEN)?)?;
        match bytes.len() as u64 > MOST_WRITTEN {
            true => Err(too_large(MOST_WRITTEN)),
            false => Ok(bytes),
        }
    };
    let bytes = read().map_err(|source| Error::Read { path: path.to_owned(), source })?;
    String::from_utf8(bytes).map_err(|_| Error::NotText { path: path.to_owned() })
}

/// All bytes of a stream that is probably `len` bytes long, but no more than `most`.
pub(super) fn all_of(from: impl Read, len: u64, most: u64) -> io::Result<Vec<u8>> {
    if len > most {
        return Err(too_large(most));
    }
    // One byte more than needed, so that the end is found without growing the buffer.
    let mut bytes = Vec::with_capacity(len as usize + 1);
    from.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
}

/// The error of what has more bytes than are read.
pub(super) fn too_large(most: u64) -> io::Error {
    let what = format!("it has more than {most} bytes, the most that is read; cut it into parts");
    io::Error::new(io::ErrorKind::FileTooLarge, what)
}

/// A plain file that is read in pieces.
pub struct FilePieces {
    file: Mutex<File>,
    byte_len: usize,
}

impl FilePieces {
    /// Opens it; `None` where it is no file, cannot be read, is too large, or is packed.
    pub fn open(path: &Path) -> Option<Self> {
        let (file, len) = open(path).ok()?;
        let byte_len = usize::try_from(len).ok().filter(|_| len <= MOST_BYTES)?;
        let pieces = Self { byte_len, file: Mutex::new(file) };
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
