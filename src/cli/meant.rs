//! What a user may have meant by arguments that are refused.

use super::args::Args;
use crate::batch::is_pattern;
use crate::convert::is_rig_file;
use crate::rig::nearest_word;
use clap::CommandFactory;
use clap::error::{ContextKind, ErrorKind};
use std::ffi::OsString;
use std::path::Path;

/// A sentence for the usage error of `args` (without the program's name), where it is clear what was meant.
pub fn sentence(error: &clap::Error, args: &[OsString]) -> Option<String> {
    let lacks_target = error.kind() == ErrorKind::MissingRequiredArgument
        && error.get(ContextKind::InvalidArg)?.to_string().contains("--to");
    if !lacks_target || names_command(args) {
        return None;
    }
    let words = args.iter().filter_map(|arg| arg.to_str());
    let files: Vec<&str> = words.filter(|word| !word.starts_with('-')).collect();
    let first = *files.first()?;
    if !Path::new(first).exists() && !first.contains(['.', '/', '\\']) && !is_pattern(first) {
        let names: Vec<String> =
            Args::command().get_subcommands().map(|it| it.get_name().to_owned()).collect();
        let names = names.iter().map(String::as_str);
        return Some(match nearest_word(first, names.clone()) {
            Some(command) => format!(
                "there is no command {first:?}, and no file of that name; did you mean retarget {command}?"
            ),
            None => format!(
                "there is no command {first:?}, and no file of that name; the commands are {}",
                names.collect::<Vec<_>>().join(", ")
            ),
        });
    }
    Some(match files[..] {
        [clip, target] | [target, clip] if is_rig_file(Path::new(target)) => {
            format!("say which is the target: retarget {clip} --to {target}")
        }
        _ => format!(
            "no target is named; say onto which skeleton or character with --to, as in retarget {first} --to hero.toml"
        ),
    })
}

/// Whether the first word is one of the commands.
fn names_command(args: &[OsString]) -> bool {
    let first = args.iter().find_map(|arg| arg.to_str().filter(|word| !word.starts_with('-')));
    first.is_some_and(|word| Args::command().find_subcommand(word).is_some())
}
