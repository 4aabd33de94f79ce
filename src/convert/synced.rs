//! Writes a file on a thread of its own and syncs it meanwhile, so that the work does not wait for the disk.

use std::fs::File;
use std::io::{self, Write};
use std::mem;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::{self, Scope, ScopedJoinHandle};

/// Bytes that are handed to the thread at a time.
const PIECE: usize = 256 << 10;

/// How many pieces may wait for the disk: more than are made while it pauses.
const WAITING: usize = 16;

/// After how many pieces the file is synced: so few that the last sync is short.
const EVERY: usize = 8;

/// Has `write` write a file, and waits until all of it is on the disk.
pub fn synced<T>(
    file: &File,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> io::Result<T> {
    thread::scope(|scope| {
        let mut out = Synced { scope, file, piece: Vec::with_capacity(PIECE), writer: None };
        let returned = write(&mut out)?;
        out.finish()?;
        Ok(returned)
    })
}

/// Collects bytes in pieces, and hands them to a thread that writes them.
struct Synced<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    file: &'env File,
    piece: Vec<u8>,
    /// `None` until a first piece is full, and where the system has no thread to give.
    writer: Option<Writer<'scope>>,
}

struct Writer<'scope> {
    pieces: SyncSender<Vec<u8>>,
    thread: ScopedJoinHandle<'scope, io::Result<()>>,
}

impl Writer<'_> {
    /// Waits until every piece is written.
    fn finish(self) -> io::Result<()> {
        drop(self.pieces);
        let broke_off = |_| Err(io::Error::other("what writes the file broke off"));
        self.thread.join().unwrap_or_else(broke_off)
    }
}

impl Synced<'_, '_> {
    fn finish(mut self) -> io::Result<()> {
        self.writer.take().map_or(Ok(()), Writer::finish)?;
        self.file.write_all(&self.piece)?;
        self.file.sync_all()
    }

    fn hand_over(&mut self) -> io::Result<()> {
        let piece = mem::replace(&mut self.piece, Vec::with_capacity(PIECE));
        if self.writer.is_none() {
            let (pieces, waiting) = mpsc::sync_channel(WAITING);
            let file = self.file;
            let thread = thread::Builder::new().spawn_scoped(self.scope, || pass_on(waiting, file));
            self.writer = thread.ok().map(|thread| Writer { pieces, thread });
        }
        let Some(writer) = &self.writer else { return self.file.write_all(&piece) };
        match writer.pieces.send(piece) {
            Ok(()) => Ok(()),
            // The thread has ended with an error, so that nobody takes the piece.
            Err(_) => self.writer.take().map_or(Ok(()), Writer::finish),
        }
    }
}

/// Writes each piece that comes, and sends what was written to the disk in between.
fn pass_on(pieces: Receiver<Vec<u8>>, mut file: &File) -> io::Result<()> {
    for (i, piece) in pieces.into_iter().enumerate() {
        file.write_all(&piece)?;
        if i % EVERY == EVERY - 1 {
            file.sync_data()?;
        }
    }
    Ok(())
}

impl Write for Synced<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = bytes.len().min(PIECE - self.piece.len());
        self.piece.extend_from_slice(&bytes[..len]);
        if self.piece.len() == PIECE {
            self.hand_over()?;
        }
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Seek};

    #[test]
    fn any_number_of_bytes_is_written_whole_and_in_order() {
        for len in [0, 10, PIECE, 3 * EVERY * PIECE + 17] {
            let bytes: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
            let mut file = tempfile::tempfile().expect("a file");
            synced(&file, |out| bytes.chunks(100_003).try_for_each(|part| out.write_all(part)))
                .expect("room");
            file.rewind().expect("a plain file");
            let mut read = Vec::new();
            file.read_to_end(&mut read).expect("a plain file");
            assert!(read == bytes, "{len} bytes");
        }
    }

    #[test]
    fn a_file_that_takes_nothing_is_an_error_wherever_it_shows() {
        let path = tempfile::NamedTempFile::new().expect("a file").into_temp_path();
        for pieces in [0, 1, 2 * WAITING] {
            let unwritable = File::open(&path).expect("our own file");
            let bytes = vec![0; pieces * PIECE + 1];
            assert!(synced(&unwritable, |out| out.write_all(&bytes)).is_err(), "{pieces} pieces");
        }
    }
}
