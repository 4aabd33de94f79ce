//! The command line, which the program and the Python package share: arguments as typed (`args`), settings as meant
//! (`setup`, `job`, `library`), the run, an exit code.
//!
//! Results go to standard output; errors, and progress on a terminal, to standard error.

mod args;
mod assumed;
mod bars;
mod blender;
mod check;
mod collection;
mod draw;
mod explain;
mod failure;
mod html;
mod inspect;
mod interrupt;
mod job;
mod library;
mod library_text;
mod limits;
mod made_for;
mod manual;
mod meant;
mod progress;
mod remedy;
mod report;
mod report_html;
mod report_text;
mod run;
mod setup;
mod sheet;
mod skeleton;
mod stream;
mod summary;
mod text;
mod typed;
mod verdict;
mod view;

use args::{Args, Command};
use clap::Parser;
use failure::Failure;
use std::ffi::OsString;
use typed::Typed;
pub use view::view_page;

/// Runs the command with these arguments, of which the first is the program's name, and gives the exit code. From then
/// on Ctrl-C ends the process.
pub fn main(args: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = args.into_iter().collect();
    let typed = Typed::new(words.get(1..).unwrap_or_default());
    let args = match Args::try_parse_from(&words) {
        Ok(args) => args,
        Err(error) => {
            return match meant::sentence(&error, &typed) {
                Some(sentence) => Failure::Usage(sentence).show(&typed),
                None => failure::show_usage(&error),
            };
        }
    };
    interrupt::install();
    match dispatch(args, &typed) {
        Ok(()) => 0,
        Err(failure) => failure.show(&typed),
    }
}

fn dispatch(args: Args, typed: &Typed) -> Result<(), Failure> {
    match args.command {
        Some(Command::Inspect(args)) => inspect::run(&args),
        Some(Command::Skeleton(args)) => skeleton::run(&args),
        Some(Command::Check(args)) => check::run(&args, typed),
        Some(Command::Completions(args)) => manual::completions(&args),
        Some(Command::Man) => manual::man(),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Report(args)) => report::run(&args),
        Some(Command::Blender(args)) => blender::run(&args, typed),
        Some(Command::Sheet(args)) => sheet::run(&args, typed),
        Some(Command::View(args)) => view::run(&args, typed),
        None => {
            let args = args.retarget.expect("clap asks for IN and --to where no command is given");
            match library::only_clip(&args) {
                Some(clip) => run::run(job::Job::meant(clip, &args)?),
                None if collection::is_meant(&args) => collection::run(&args),
                None => library::run(&library::LibraryJob::meant(&args, typed)?),
            }
        }
    }
}
