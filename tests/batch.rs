//! Libraries of clips: the real binary on folders of small clips.

#[path = "cli/body.rs"]
mod body;
#[path = "cli/harness.rs"]
mod harness;

#[path = "batch/broken.rs"]
mod broken;
#[path = "batch/found.rs"]
mod found;
#[path = "batch/interrupt.rs"]
mod interrupt;
#[path = "batch/library.rs"]
mod library;
#[path = "batch/report.rs"]
mod report;
#[path = "batch/resume.rs"]
mod resume;
#[path = "batch/shards.rs"]
mod shards;
#[path = "batch/whole.rs"]
mod whole;
