//! Ctrl-C: the process ends with exit code 130, at once or, in a library, once the clips in hand are
//! done; never between the halves of a file.

use super::failure::say;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

/// Read by whoever writes an output file.
static WRITING: RwLock<()> = RwLock::new(());

/// Whether the first Ctrl-C only asks.
static PATIENT: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicBool = AtomicBool::new(false);

/// The exit code of an interrupted command: 128 and the number of the signal.
pub const INTERRUPTED: u8 = 130;

/// From now on Ctrl-C ends the process here.
pub fn install() {
    // Where no handler can be set the system's own way of ending a process stays.
    let _ = ctrlc::set_handler(|| {
        if PATIENT.load(Ordering::SeqCst) && !ASKED.swap(true, Ordering::SeqCst) {
            say("interrupted: the clips in hand are finished; Ctrl-C again stops at once");
            return;
        }
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

/// Writes a file; an interrupt waits until it is done, so that no temporary file stays behind.
pub fn whole<T>(write: impl FnOnce() -> T) -> T {
    let _writing = WRITING.read().unwrap_or_else(PoisonError::into_inner);
    write()
}
