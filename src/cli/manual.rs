//! The man page, and completions for shells: both made from the arguments themselves.

use super::args::{Args, CompletionsArgs};
use super::failure::Failure;
use super::stream;
use clap::CommandFactory;

/// Prints what a shell reads to complete our arguments.
pub fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "retarget", &mut script);
    stream::print(&script)
}

/// Prints the man page, with those of all commands after it.
pub fn man() -> Result<(), Failure> {
    let mut pages = Vec::new();
    let mut command = Args::command();
    command.build();
    let subcommands: Vec<clap::Command> = command.get_subcommands().cloned().collect();
    for command in std::iter::once(command).chain(subcommands) {
        let page = clap_mangen::Man::new(command);
        page.render(&mut pages).expect("memory takes everything");
    }
    stream::print(&pages)
}
