//! Ctrl-C: the process ends with exit code 130, at once or, in a library, once the clips in hand are
//! done; never between the halves of a file.

use super::failure::{INTERRUPTED, say};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

/// Read by whoever writes an output file.
static WRITING: RwLock<()> = RwLock::new(());

/// Whether the first Ctrl-C only asks for an end.
static PATIENT: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicBool = AtomicBool::new(false);

/// Whether the process waits for nothing but files that are being written.
static ENDING: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C ends the process here.
pub fn install() {
    // Where no handler can be set the system's own way of ending a process stays.
    let _ = ctrlc::set_handler(|| {
        if PATIENT.load(Ordering::SeqCst) && !ASKED.swap(true, Ordering::SeqCst) {
            say("interrupted: the clips in hand are finished; Ctrl-C again stops at once");
            return;
        }
        ENDING.store(true, Ordering::SeqCst);
        let _written = WRITING.write().unwrap_or_else(PoisonError::into_inner);
        std::process::exit(INTERRUPTED.into());
    });
}

/// From now on the first Ctrl-C only makes [`is_asked`] true.
pub fn be_patient() {
    PATIENT.store(true, Ordering::SeqCst);
}

/// Whether the user wants an end.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}

/// Whether the process ends as soon as no file is being written.
pub fn is_ending() -> bool {
    ENDING.load(Ordering::SeqCst)
}

/// Writes a file; an interrupt waits until it is done or given up, so that no temporary file stays behind.
/// Whoever writes for long looks at [`is_ending`] in between.
pub fn whole<T>(write: impl FnOnce() -> T) -> T {
    let writing = WRITING.read().unwrap_or_else(PoisonError::into_inner);
    let written = write();
    drop(writing);
    // The process is about to end, so an error about a file that was given up is left out.
    while is_ending() {
        std::thread::park();
    }
    written
}
