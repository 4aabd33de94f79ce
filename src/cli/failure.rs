//! What went wrong, as text and exit code.

use super::blender::error::BlenderError;
use super::remedy;
use super::text::{styled, visible};
use super::typed::{Change, Typed};
use crate::batch::BatchError;
use crate::error::Error;
use std::io::Write;

/// The exit code of an interrupted command: 128 and the number of the signal.
pub const INTERRUPTED: u8 = 130;

/// Why a run ended early.
#[derive(Debug)]
pub enum Failure {
    /// The arguments contradict each other.
    Usage(String),
    /// The arguments contradict each other, and it is clear what is to be changed in them.
    Meant(String, Vec<Change>),
    /// A file failed.
    File(Box<Error>),
    /// A run over many files cannot begin or go on.
    Batch(Box<BatchError>),
    /// Blender could not be run.
    Blender(Box<BlenderError>),
    /// A file failed, and its error is already printed.
    Reported,
    /// A limit was exceeded, and which one is already printed.
    Exceeded,
    /// The user interrupted the run.
    Interrupted,
    /// Nobody reads standard output any more.
    ClosedPipe,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::File(Box::new(error))
    }
}

impl From<BatchError> for Failure {
    fn from(error: BatchError) -> Self {
        match error {
            BatchError::File(error) => Failure::File(error),
            error => Failure::Batch(Box::new(error)),
        }
    }
}

impl From<BlenderError> for Failure {
    fn from(error: BlenderError) -> Self {
        Failure::Blender(Box::new(error))
    }
}

impl Failure {
    /// Prints the failure with the command that was meant, where that is clear, and gives the exit code.
    pub fn show(self, typed: &Typed) -> u8 {
        let with_command = |sentence: &str, changes: Option<Vec<Change>>| match changes {
            Some(changes) => format!("error: {sentence}: {}", typed.changed(&changes)),
            None => format!("error: {sentence}"),
        };
        match self {
            Failure::Usage(message) => {
                say(&format!("error: {message}\n\nFor more information, try '--help'."));
                2
            }
            Failure::Meant(message, changes) => {
                say(&with_command(&message, Some(changes)));
                2
            }
            Failure::File(error) => {
                say(&with_command(&error.with_causes(), remedy::of_file(&error, typed)));
                1
            }
            Failure::Batch(error) => {
                say(&with_command(&error.to_string(), remedy::of_batch(&error, typed)));
                // The named files contradict each other, or the disk failed.
                if error.is_usage() { 2 } else { 1 }
            }
            Failure::Blender(error) => {
                say(&format!("error: {error}"));
                1
            }
            Failure::Reported => 1,
            Failure::Exceeded => 3,
            Failure::Interrupted => INTERRUPTED,
            Failure::ClosedPipe => 0,
        }
    }
}

/// Prints what clap has to say: help to standard output, wrong usage to standard error.
pub fn show_usage(error: &clap::Error) -> u8 {
    // A closed pipe is no reason to complain.
    let _ = error.print();
    error.exit_code() as u8
}

/// Writes a line to standard error; a closed pipe is no reason to complain.
pub fn say(line: &str) {
    let _ = writeln!(anstream::stderr(), "{}", styled(&visible(line.trim_end())));
}
