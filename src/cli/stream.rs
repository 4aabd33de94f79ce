//! Files and standard streams, as the user names them.

use super::failure::{Failure, say};
use super::interrupt;
use super::text::{count, styled, visible, visible_json};
use crate::convert::{self, Packing, Reading, SourceClip};
use crate::error::Error;
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Where bytes come from or go to.
#[derive(Clone, Debug, PartialEq)]
pub enum Stream {
    /// Standard input or output, typed as `-`.
    Standard,
    File(PathBuf),
}

impl Stream {
    /// What a path means.
    pub fn new(path: PathBuf) -> Self {
        if is_dash(&path) { Stream::Standard } else { Stream::File(path) }
    }

    /// The file, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Stream::Standard => None,
            Stream::File(path) => Some(path),
        }
    }

    /// All bytes of an input, and its name in messages.
    pub fn read(&self) -> Result<(PathBuf, Vec<u8>), Failure> {
        let path = match self {
            Stream::File(path) => return Ok((path.clone(), convert::read_bytes(path)?)),
            Stream::Standard => PathBuf::from("standard input"),
        };
        let bytes = convert::read_stream(&path, io::stdin().lock())?;
        Ok((path, bytes))
    }

    /// The clip of an input. Prints what is missing of it, and what was assumed.
    pub fn read_clip(&self, reading: &Reading) -> Result<SourceClip, Failure> {
        let clip = match self {
            Stream::File(path) => convert::load_as(path, reading)?,
            Stream::Standard => {
                let (path, bytes) = self.read()?;
                convert::read_as(&path, &bytes, reading)?
            }
        };
        tell_notes(&clip.path, &clip.notes);
        if let Some(missing) = missing(&clip.path, clip.missing_frames()) {
            say(&format!("warning: {missing}"));
        }
        Ok(clip)
    }

    /// Writes an output: a file whole or not at all, packed as its name ends, and never over any of
    /// `inputs`.
    pub fn write(&self, bytes: Vec<u8>, inputs: &[&Path]) -> Result<(), Failure> {
        self.write_with(inputs, |out| out.write_all(&bytes))
    }

    /// As [`write`](Self::write), of what `write` writes piece by piece.
    pub fn write_with<T>(
        &self,
        inputs: &[&Path],
        write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
    ) -> Result<T, Failure> {
        match self {
            Stream::Standard => {
                let mut out = io::stdout();
                write(&mut out)
                    .and_then(|returned| out.flush().map(|()| returned))
                    .map_err(not_printed)
            }
            Stream::File(path) => {
                let packed = |file: &mut (dyn Write + Send)| {
                    let mut file = Interruptible(file);
                    Packing::named(path).pack_into(&mut file, write)
                };
                Ok(interrupt::whole(|| convert::write_whole_with(path, inputs, packed))?)
            }
        }
    }
}

/// A file that refuses further bytes once the process is to end, so that it is given up and its temporary file removed.
struct Interruptible<'a>(&'a mut (dyn Write + Send));

impl Write for Interruptible<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if interrupt::is_ending() {
            return Err(io::Error::other("interrupted"));
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stream::Standard => f.write_str("-"),
            Stream::File(path) => path.display().fmt(f),
        }
    }
}

/// Prints what was assumed when a clip was read.
pub fn tell_notes(path: &Path, notes: &[String]) {
    notes.iter().for_each(|note| say(&format!("note: {}: {note}", path.display())));
}

/// The sentence that so many frames of a clip are missing, if any are.
pub fn missing(path: &Path, frames: u64) -> Option<String> {
    let are = if frames == 1 { "is" } else { "are" };
    let frames = usize::try_from(frames).ok().filter(|frames| *frames > 0)?;
    let (path, frames) = (path.display(), count(frames, "frame"));
    Some(format!("{path}: the file is cut short, {frames} {are} missing; --strict refuses it"))
}

/// Whether a path is typed as `-`.
pub fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Writes a text for people to standard output.
pub fn print_text(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    let text = styled(&visible(text));
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(not_printed)
}

/// Writes to standard output.
pub fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(not_printed)
}

fn not_printed(source: io::Error) -> Failure {
    match source.kind() {
        io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
        _ => Error::Write { path: PathBuf::from("standard output"), source }.into(),
    }
}

/// Writes a value as JSON to standard output.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print(&json(value))
}

/// A value as JSON, a line at its end.
pub fn json(value: &impl Serialize) -> Vec<u8> {
    let text = serde_json::to_string_pretty(value).expect("names and numbers alone");
    format!("{}\n", visible_json(&text)).into_bytes()
}
