//! The command `retarget`.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(retarget::cli::main(std::env::args_os()))
}
