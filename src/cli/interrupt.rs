//! Ctrl-C: the process ends at once with exit code 130, but never between the halves of a file.

use std::sync::{Mutex, PoisonError};

/// Held while an output file is written.
static WRITING: Mutex<()> = Mutex::new(());

/// The exit code of an interrupted command: 128 and the number of the signal.
const INTERRUPTED: i32 = 130;

/// From now on Ctrl-C ends the process here.
pub fn install() {
    // Where no handler can be set the system's own way of ending a process stays.
    let _ = ctrlc::set_handler(|| {
        let _written = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
        std::process::exit(INTERRUPTED);
    });
}

/// Writes a file; an interrupt waits until it is done, so that no temporary file stays behind.
pub fn whole<T>(write: impl FnOnce() -> T) -> T {
    let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    write()
}
