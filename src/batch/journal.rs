//! The journal of a run: one JSON line a clip, appended as each is done, in order at the end.
//!
//! A line is appended in one write. A process that is killed can leave half a line at the end, which
//! nobody reads and the next run takes away. Of two lines about one clip the later holds.

mod asked;
mod line;
mod open;
mod read;

pub use asked::Asked;
pub use line::{Ending, Failed, LibraryRig, Line, Made, MadeFor};
pub(super) use open::{Journal, Known};
pub use read::{Journals, line_of, read_journals};
