//! A file that goes to the disk while it is still being written, so that nobody waits for all of it at the end.

use std::fs::File;
use std::io::{self, Write};
use std::thread::{self, JoinHandle};

/// Bytes after which what was written is sent to the disk: so few that hardly any are left to wait for at the end.
const EVERY: usize = 2 << 20;

/// Takes bytes for a file, and has a thread of its own send them to the disk in between.
pub struct Synced<'a> {
    file: &'a mut File,
    unsent: usize,
    sending: Option<JoinHandle<io::Result<()>>>,
}

impl<'a> Synced<'a> {
    pub fn new(file: &'a mut File) -> Self {
        Self { file, unsent: 0, sending: None }
    }

    /// Waits until all of it is on the disk.
    pub fn finish(mut self) -> io::Result<()> {
        self.wait()?;
        self.file.sync_all()
    }

    fn wait(&mut self) -> io::Result<()> {
        let Some(sending) = self.sending.take() else { return Ok(()) };
        sending.join().unwrap_or_else(|_| Err(io::Error::other("what syncs the file broke off")))
    }

    fn send(&mut self) -> io::Result<()> {
        if self.sending.as_ref().is_some_and(|sending| !sending.is_finished()) {
            return Ok(());
        }
        self.wait()?;
        let file = self.file.try_clone()?;
        // Where the system has no thread to give, all is sent at the end.
        self.sending = thread::Builder::new().spawn(move || file.sync_data()).ok();
        self.unsent = 0;
        Ok(())
    }
}

impl Write for Synced<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.file.write(bytes)?;
        self.unsent += len;
        if self.unsent >= EVERY {
            self.send()?;
        }
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
