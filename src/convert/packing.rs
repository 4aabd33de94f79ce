//! Packed files: gzip and Zstandard, recognised by their bytes when read and by their names when written.

use crate::formats::ends_in;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::io::{self, Read, Write};
use std::path::Path;
use zrip::{FrameDecoder, FrameEncoder};

/// The most that is read of one clip, as text, bytes: ten times the largest that people record.
pub const MOST_BYTES: u64 = 1 << 30;

/// How the bytes of a file are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    Plain,
    Gzip,
    Zstd,
}

/// The size to which any packed file may unpack, bytes: a body that stands still for minutes packs to hardly anything.
const ALWAYS_ALLOWED: u64 = 32 << 20;

/// How many times its own size a larger packed file may unpack to. Motion packs to a tenth or to a half.
const MOST_GROWTH: u64 = 64;

/// Packs the text of real clips faster than the levels above it, and smaller by some per cent.
const ZSTD_LEVEL: i32 = 1;

impl Packing {
    /// The packing that a file's name asks for: `.gz`, `.zst`, or none.
    pub fn named(path: &Path) -> Self {
        let end = path.extension().map(|e| e.to_ascii_lowercase());
        match end.as_deref().and_then(|e| e.to_str()) {
            Some("gz") => Packing::Gzip,
            Some("zst") => Packing::Zstd,
            _ => Packing::Plain,
        }
    }

    /// The packing that bytes are in. No BVH file begins as packed ones do.
    fn seen(bytes: &[u8]) -> Self {
        match bytes {
            [0x1f, 0x8b, ..] => Packing::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Packing::Zstd,
            _ => Packing::Plain,
        }
    }

    /// A guess at the length of the text in a file of so many bytes. Motion shrinks to a tenth or to a half.
    pub fn text_len(self, file_len: u64) -> u64 {
        match self {
            Packing::Plain => file_len,
            Packing::Gzip | Packing::Zstd => file_len.saturating_mul(4),
        }
    }

    /// Packs bytes. Equal bytes give equal bytes: no time and no name goes in.
    pub fn pack(self, bytes: Vec<u8>) -> Vec<u8> {
        if self == Packing::Plain {
            return bytes;
        }
        let mut packed = Vec::new();
        self.pack_into(&mut packed, |out| out.write_all(&bytes)).expect("memory takes everything");
        packed
    }

    /// Packs what `write` writes piece by piece, and hands it on to `out`.
    pub fn pack_into<T>(
        self,
        out: &mut (dyn Write + Send),
        write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
    ) -> io::Result<T> {
        match self {
            Packing::Plain => write(out),
            Packing::Gzip => {
                let mut packer = GzEncoder::new(out, Compression::default());
                let returned = write(&mut packer)?;
                packer.finish()?;
                Ok(returned)
            }
            Packing::Zstd => {
                let mut packer = FrameEncoder::new(out, ZSTD_LEVEL).map_err(io::Error::other)?;
                let returned = write(&mut packer)?;
                packer.finish()?;
                Ok(returned)
            }
        }
    }
}

/// Whether bytes that begin so are not packed.
pub fn is_plain(bytes: &[u8]) -> bool {
    Packing::seen(bytes) == Packing::Plain
}

/// The bytes that are packed in these, or these themselves.
pub fn unpack(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    if is_plain(&bytes) {
        return Ok(bytes);
    }
    let most = most_unpacked(&bytes);
    unpack_within(&bytes, most)?.ok_or_else(|| too_long(most))
}

/// The first bytes, no more than so many, of what is packed in a stream, or of the stream itself.
pub fn beginning(mut stream: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut mark = Vec::new();
    stream.by_ref().take(4).read_to_end(&mut mark)?;
    let packing = Packing::seen(&mark);
    let stream = mark.as_slice().chain(stream);
    let mut bytes = Vec::new();
    match packing {
        Packing::Plain => stream.take(most).read_to_end(&mut bytes),
        Packing::Gzip => MultiGzDecoder::new(stream).take(most).read_to_end(&mut bytes),
        Packing::Zstd => FrameDecoder::new(stream).take(most).read_to_end(&mut bytes),
    }
    .map_err(damaged)?;
    Ok(bytes)
}

/// The bytes that are packed in these, where they are no more than so many.
pub fn unpack_within(packed: &[u8], most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    reader(packed).take(most + 1).read_to_end(&mut bytes).map_err(damaged)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// How many bytes are packed in these. Takes the time of unpacking them, and no memory.
pub fn unpacked_len(packed: &[u8]) -> io::Result<u64> {
    let most = most_unpacked(packed);
    let len = io::copy(&mut reader(packed).take(most + 1), &mut io::sink()).map_err(damaged)?;
    if len > most { Err(too_long(most)) } else { Ok(len) }
}

fn reader<'a>(packed: &'a [u8]) -> Box<dyn Read + 'a> {
    match Packing::seen(packed) {
        Packing::Plain => Box::new(packed),
        Packing::Gzip => Box::new(MultiGzDecoder::new(packed)),
        Packing::Zstd => Box::new(FrameDecoder::new(packed)),
    }
}

/// What a packed file may grow to, bytes: one of a few megabytes can ask for a terabyte.
fn most_unpacked(packed: &[u8]) -> u64 {
    most_len(packed.len() as u64)
}

/// What a packed file of so many bytes may grow to.
pub(super) fn most_len(len: u64) -> u64 {
    MOST_GROWTH.saturating_mul(len).saturating_add(ALWAYS_ALLOWED).min(MOST_BYTES)
}

fn damaged(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("the packed file is damaged: {error}"))
}

fn too_long(most: u64) -> io::Error {
    let what = format!(
        "unpacked it has more than {most} bytes, the most that is taken out of so small a file; unpack it first"
    );
    io::Error::new(io::ErrorKind::FileTooLarge, what)
}

/// Whether a result of this name is BVH, packed or not.
pub fn is_bvh_name(path: &Path) -> bool {
    ends_in(unpacked_name(path), ".bvh")
}

/// The name of a clip without the end that tells how it is packed: `walk.bvh` for `walk.bvh.gz`.
pub fn unpacked_name(path: &Path) -> &Path {
    match Packing::named(path) {
        Packing::Plain => path,
        _ => path.file_stem().map_or(path, Path::new),
    }
}
