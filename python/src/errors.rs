//! The library's errors as Python's own kinds, with the library's sentences.

use pyo3::PyErr;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyValueError};
use retarget::internals::error::Error;
use std::io;

/// What the command line's options are called here: where a sentence names the way out, it has to work here.
const OPTIONS: [(&str, &str); 12] = [
    ("say which one is meant, of", "name one with clip=, of"),
    ("leave the name out", "leave clip out"),
    ("with --accept-doubt", "with accept_doubt=True"),
    ("--strict takes no file", "strict=True takes no file"),
    ("that --from lists", "that source_rig lists"),
    ("leave --from out", "leave source_rig out"),
    ("that --to names", "that was given"),
    ("so name another output with -o", "so name another file"),
    ("say so with --fps", "give fps="),
    ("say so with --layout", "give layout="),
    ("name yours with --smpl-model", "give model="),
    ("--layout, --fps and --smpl-model are", "layout, fps, up and model are"),
];

/// A sentence of the library with the package's own names.
pub fn worded(text: &str) -> String {
    OPTIONS.iter().fold(text.to_owned(), |text, (option, ours)| text.replace(option, ours))
}

/// The sentence of an error, with the package's own names.
pub fn sentence(error: &Error) -> String {
    worded(&error.with_causes())
}

/// A file that cannot be opened or written is an `OSError` (`FileNotFoundError` and the like), everything else a
/// `ValueError`.
pub fn raised(error: Error) -> PyErr {
    let text = sentence(&error);
    match &error {
        Error::Read { source, path } | Error::Write { source, path } => os(source, path, text),
        _ => PyValueError::new_err(text),
    }
}

fn os(source: &io::Error, path: &std::path::Path, text: String) -> PyErr {
    match source.raw_os_error() {
        // With a number Python chooses the kind by itself.
        Some(number) => PyOSError::new_err((number, text, path.to_owned())),
        None if matches!(
            source.kind(),
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput
        ) =>
        {
            PyValueError::new_err(text)
        }
        None if source.kind() == io::ErrorKind::NotFound => PyFileNotFoundError::new_err(text),
        None => PyOSError::new_err(text),
    }
}

/// A user's mistake.
pub fn wrong(text: impl Into<String>) -> PyErr {
    PyValueError::new_err(text.into())
}
