//! The command as a person or a script meets it: the real binary, in folders of its own.

#[path = "cli/body.rs"]
mod body;
#[path = "cli/harness.rs"]
mod harness;

#[path = "cli/check.rs"]
mod check;
#[path = "cli/contacts.rs"]
mod contacts;
#[path = "cli/errors.rs"]
mod errors;
#[path = "cli/explain.rs"]
mod explain;
#[path = "cli/inspect.rs"]
mod inspect;
#[path = "cli/packed.rs"]
mod packed;
#[path = "cli/readme.rs"]
mod readme;
#[path = "cli/retarget.rs"]
mod retarget;
#[path = "cli/sheet.rs"]
mod sheet;
#[path = "cli/skeleton.rs"]
mod skeleton;
#[path = "cli/streams.rs"]
mod streams;
#[path = "cli/threads.rs"]
mod threads;
#[path = "cli/view.rs"]
mod view;
