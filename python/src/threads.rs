//! The threads that a clip's blocks are shared over: those of this process. A process that was forked has none of its
//! parent's, so that it makes its own.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};

static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Runs `work` on this process's threads, or on the caller's where the system has none to give.
pub fn shared<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match pool() {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

fn pool() -> Option<Arc<ThreadPool>> {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some((owner, pool)) = &*pool
        && *owner == process
    {
        return Some(Arc::clone(pool));
    }
    let made = Arc::new(ThreadPoolBuilder::new().build().ok()?);
    // Dropping the parent's would wait for threads that are not here.
    if let Some((_, old)) = pool.replace((process, Arc::clone(&made))) {
        std::mem::forget(old);
    }
    Some(made)
}
