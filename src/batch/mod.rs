//! Libraries of clips: many files onto one target, on all cores, and nothing lost.
//!
//! A run goes one way: what the user named is found ([`find`]), becomes a [`Plan`] (every clip with its
//! output; every conflict is told here, before a file is touched), is worked off by [`run`], and
//! leaves a journal beside the results. The journal is all that a later run or a [`Digest`] knows of it.
//!
//! What was done is known by content ([`struct@Hash`]), never by time. Neither results nor the journal of a
//! finished run depend on the number of threads, the order of work, or how often the run was killed
//! and resumed; only the field `took_s` of a line does.
//!
//! ```
//! use retarget::internals::batch::Limit;
//!
//! let limit: Limit = "plant_drift_cm.p95=0.1".parse()?;
//! assert!("plant_drift_cm".parse::<Limit>().is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clips;
mod compare;
mod digest;
mod error;
mod hash;
mod journal;
mod limit;
mod outside;
mod place;
mod plan;
mod queue;
mod rigs;
mod run;
mod shard;
mod stale;

pub use clips::{Clips, Found, Lost, Named, find, is_pattern};
pub use compare::{Change, Comparison, NumberChange, compare};
pub use digest::{Digest, FailureCount, RigCount, Spread, Worst, digest};
pub use error::BatchError;
pub use hash::{Hash, Setup};
pub use journal::{
    Asked, Ending, Failed, Journals, LibraryRig, Line, Made, MadeFor, line_of, read_journals,
};
pub use limit::{Broken, Limit};
pub use plan::{Job, Plan, plain_name};
pub use run::{Outcome, Request, RunEnd, Watch, run};
pub use shard::Shard;
pub use stale::stale;
