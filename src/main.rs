//! The command `retarget`.

#![forbid(unsafe_code)]

use std::hint::black_box;
use std::process::ExitCode;

/// The largest size of which glibc learns (`M_MMAP_THRESHOLD` in mallopt(3)), less its own header.
const MOST_BYTES: usize = (32 << 20) - 8192;

fn main() -> ExitCode {
    keep_freed_memory();
    ExitCode::from(retarget::cli::main(std::env::args_os()))
}

/// Has glibc keep freed memory for the next curve over a clip. Without this call it gives large blocks back to the system and
/// fetches others, page by page. It learns from a large block that is freed, and this one is never written to.
fn keep_freed_memory() {
    let mut block = Vec::<u8>::new();
    // Where there is no room for it, all goes on as without this call.
    let _ = block.try_reserve_exact(MOST_BYTES);
    drop(black_box(block));
}
