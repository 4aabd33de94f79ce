//! Packed files: gzip and Zstandard, told by their bytes when read and by their names when written.

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::io::{self, Read, Write};
use std::path::Path;
use zrip::{FrameDecoder, FrameEncoder};

/// How the bytes of a file are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    Plain,
    Gzip,
    Zstd,
}

/// What a packed file may grow to, bytes. A packed file of a few megabytes can ask for a terabyte;
/// the largest clips that people record have a tenth of this.
const MOST_UNPACKED: u64 = 1 << 30;

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
                let told = write(&mut packer)?;
                packer.finish()?;
                Ok(told)
            }
            Packing::Zstd => {
                let mut packer = FrameEncoder::new(out, ZSTD_LEVEL).map_err(io::Error::other)?;
                let told = write(&mut packer)?;
                packer.finish()?;
                Ok(told)
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
    match Packing::seen(&bytes) {
        Packing::Plain => Ok(bytes),
        Packing::Gzip => all_of(MultiGzDecoder::new(&bytes[..])),
        Packing::Zstd => all_of(FrameDecoder::new(&bytes[..])),
    }
}

fn all_of(packed: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    packed.take(MOST_UNPACKED + 1).read_to_end(&mut bytes).map_err(|error| {
        io::Error::new(error.kind(), format!("the packed file is damaged: {error}"))
    })?;
    if bytes.len() as u64 > MOST_UNPACKED {
        let what = format!("unpacked it has more than {MOST_UNPACKED} bytes; cut it into clips");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    Ok(bytes)
}

/// The name of a clip without the end that tells how it is packed: `walk.bvh` for `walk.bvh.gz`.
pub fn unpacked_name(path: &Path) -> &Path {
    match Packing::named(path) {
        Packing::Plain => path,
        _ => path.file_stem().map_or(path, Path::new),
    }
}
