//! What a user may have meant by arguments that are refused.

use super::args::Args;
use super::typed::{Change, Typed, command_of, set_output};
use crate::batch::is_pattern;
use crate::convert::is_rig_file;
use crate::error::shell_word;
use crate::formats::{ends_in, is_clip_name, is_result_name};
use crate::rig::nearest_word;
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A sentence for the usage error of a command, where it is clear what was meant.
pub fn sentence(error: &clap::Error, typed: &Typed) -> Option<String> {
    match error.kind() {
        ErrorKind::UnknownArgument => {
            unknown_option(error, typed).or_else(|| file_too_many(error, typed))
        }
        ErrorKind::MissingRequiredArgument => lacking_file(error, typed),
        ErrorKind::InvalidSubcommand => no_help(error, typed),
        _ => None,
    }
}

/// With what other programs are told to write over a file.
const REPLACE: [&str; 4] = ["--force", "--overwrite", "--clobber", "--yes"];

/// Whether one clip is to be converted, and not a library.
fn is_of_one_clip(typed: &Typed) -> bool {
    let is_one = |file: &Path| !file.is_dir() && !file.to_str().is_some_and(is_pattern);
    typed.command().is_none() && matches!(&typed.files()[..], [clip] if is_one(clip))
}

/// Of an option that there is not: with the one that it is like, or those that begin as it does. What clap would propose
/// for one that is like none, `-- -t`, makes a file's name of it.
fn unknown_option(error: &clap::Error, typed: &Typed) -> Option<String> {
    let word = error.get(ContextKind::InvalidArg)?.to_string();
    if !word.starts_with('-') {
        return None;
    }
    let none = format!("there is no option {word}");
    if REPLACE.contains(&word.as_str()) && is_of_one_clip(typed) {
        let line = typed.changed(&[Change::Strike(word)]);
        return Some(format!("{none}; a result takes the place of a file of its name: {line}"));
    }
    let program = Args::command();
    let command = command_of(&program, typed.words()).unwrap_or(&program);
    let options = command.get_arguments().filter_map(|option| option.get_long());
    let options: Vec<String> = options.map(|option| format!("--{option}")).collect();
    let suggested = match error.get(ContextKind::SuggestedArg) {
        Some(ContextValue::String(like)) => Some(like.as_str()),
        _ => None,
    };
    if let Some(like) = nearest_word(&word, options.iter().map(String::as_str)).or(suggested) {
        return Some(format!("{none}; {}", instead(like, word, typed)));
    }
    let begins = |option: &String| word.len() == 2 && option[2..].starts_with(&word[1..]);
    let meant: Vec<String> = options.into_iter().filter(begins).collect();
    Some(match &meant[..] {
        [] => none,
        [only] => format!("{none}; {}", instead(only, word, typed)),
        meant => format!("{none}; did you mean {}?", meant.join(" or ")),
    })
}

/// Asks whether an option was meant by a word, with the command that has it, where that would be whole.
fn instead(option: &str, word: String, typed: &Typed) -> String {
    if typed.lacks_value(option, &word) {
        return format!("did you mean {option}, which takes a value?");
    }
    let line = typed.changed(&[Change::Reword(word, option.to_owned())]);
    format!("did you mean {option}: {line}")
}

/// Of a file more than a command takes: what it was meant as, by its name and by what the command lacks.
fn file_too_many(error: &clap::Error, typed: &Typed) -> Option<String> {
    let extra = PathBuf::from(error.get(ContextKind::InvalidArg)?.to_string());
    let command = typed.command()?;
    let takes = match &*command {
        "check" | "view" | "blender" => "a source and a result",
        "explain" | "inspect" => "one clip",
        "skeleton" => "one rig",
        "report" => "one run, or two",
        _ => return None,
    };
    let written = match &*command {
        "view" => "html",
        "blender" => "blend",
        "skeleton" => "toml",
        _ => "",
    };
    let files = typed.files();
    let rig = files.iter().find(|file| command != "skeleton" && is_rig_file(file));
    let target = rig.unwrap_or(&extra);
    let takes_target = ["check", "view", "blender", "explain"].contains(&&*command);
    let (how, more) = if ends_in(&extra, written) {
        ("name what is written with -o", Some(set_output(&extra)))
    } else if takes_target && typed.value("to").is_none() {
        let target = Change::Set("to", target.display().to_string());
        ("name the target with --to", Some(target))
    } else {
        ("leave it out", None)
    };
    let is_target = matches!(more, Some(Change::Set("to", _)));
    let unnamed = Change::Unname(if is_target { target.clone() } else { extra.clone() });
    let changes: Vec<Change> = std::iter::once(unnamed).chain(more).collect();
    let (extra, line) = (extra.display(), typed.changed(&changes));
    Some(format!("{command} takes {takes}, and {extra} is a file too many; {how}: {line}"))
}

/// Of a word that is neither a command nor a file.
pub fn no_command(word: &str, typed: &Typed) -> Option<String> {
    let is_name = word.starts_with('-') || word.contains(['.', '/', '\\']) || is_pattern(word);
    if is_name || Path::new(word).exists() {
        return None;
    }
    let none = format!("there is no command {word:?}, and no file of that name");
    let is_conversion = typed.value("to").is_some() && typed.files().len() > 1;
    if is_conversion && nearest_word(word, names().iter().map(String::as_str)).is_none() {
        let line = typed.changed(&[Change::Unname(PathBuf::from(word))]);
        return Some(format!("{none}; a conversion has no name of a command: {line}"));
    }
    Some(nearest_command(&none, word, typed))
}

/// The names of all commands, `help` too, which clap adds only as it parses.
fn names() -> Vec<String> {
    let mut args = Args::command();
    args.build();
    args.get_subcommands().map(|it| it.get_name().to_owned()).collect()
}

/// Of a word after `help` that is no command.
fn no_help(error: &clap::Error, typed: &Typed) -> Option<String> {
    let word = error.get(ContextKind::InvalidSubcommand)?.to_string();
    Some(nearest_command(&format!("there is no command {word:?}"), &word, typed))
}

/// That there is no such command as `word`, with the one that was meant, or all.
fn nearest_command(none: &str, word: &str, typed: &Typed) -> String {
    let names = names();
    let names = names.iter().map(String::as_str);
    match nearest_word(word, names.clone()) {
        Some(command) => {
            let meant = Change::Reword(word.to_owned(), command.to_owned());
            format!("{none}; did you mean {command}: {}", typed.changed(&[meant]))
        }
        None => format!("{none}; the commands are {}", names.collect::<Vec<_>>().join(", ")),
    }
}

/// Of a conversion without a target or without a clip, and of a command that lacks something.
fn lacking_file(error: &clap::Error, typed: &Typed) -> Option<String> {
    if typed.command().is_some() {
        return lacking_arguments(error, typed.words());
    }
    let lacks = error.get(ContextKind::InvalidArg)?.to_string();
    match (lacks.contains("--to"), lacks.contains("IN.bvh")) {
        (true, _) => lacking_target(typed),
        (false, true) => {
            let from = typed.value("from").map(PathBuf::from);
            if let Some(clip) = from.filter(|from| from.is_file() && is_clip_name(from)) {
                let changes = [Change::Leave("from"), Change::Name(clip)];
                let named =
                    "no clip is named; --from says what its rig is, and the clip stands alone";
                return Some(format!("{named}: {}", typed.changed(&changes)));
            }
            let none = "no clip is named; say which, or - for standard input, as in";
            Some(format!("{none} {}", typed.changed(&[Change::Name("walk.bvh".into())])))
        }
        _ => None,
    }
}

/// Of a command without all that it needs: what it lacks, and the command as typed with that at its end.
fn lacking_arguments(error: &clap::Error, args: &[OsString]) -> Option<String> {
    let ContextValue::Strings(lacks) = error.get(ContextKind::InvalidArg)? else { return None };
    let typed = args.iter().map(|arg| shell_word(&arg.to_string_lossy()));
    let names = lacks.iter().map(|name| name.replace(['<', '>'], "").replace("...", ""));
    let words: Vec<String> = typed.chain(names).collect();
    let are = if lacks.len() == 1 { "is" } else { "are" };
    Some(format!("{} {are} missing, as in retarget {}", lacks.join(" and "), words.join(" ")))
}

fn lacking_target(typed: &Typed) -> Option<String> {
    let files = typed.files();
    if let Some(sentence) = files.first()?.to_str().and_then(|word| no_command(word, typed)) {
        return Some(sentence);
    }
    let target = |rig: &Path| Change::Set("to", rig.display().to_string());
    let with_target = |rig: &PathBuf| vec![Change::Unname(rig.clone()), target(rig)];
    let (sentence, changes) = match &files[..] {
        [clip, rig] | [rig, clip] if is_rig_file(rig) && !is_rig_file(clip) => {
            ("say which is the target", with_target(rig))
        }
        [_, rig] if rig.is_file() && typed.value("output").is_none() => {
            ("no target is named; where the second file is it, say so with --to", with_target(rig))
        }
        [_, rig, result] if rig.is_file() && is_to_come(result) => {
            let mut changes = with_target(rig);
            changes.extend([Change::Unname(result.clone()), set_output(result)]);
            (
                "no target is named; where the second file is it, and the third the result, say so",
                changes,
            )
        }
        _ => (
            "no target is named; say onto which skeleton or character with --to, as in",
            vec![target(Path::new("hero.toml"))],
        ),
    };
    let gap = if sentence.ends_with("as in") { "" } else { ":" };
    Some(format!("{sentence}{gap} {}", typed.changed(&changes)))
}

/// Whether a name is that of a result that is not there yet.
pub fn is_to_come(file: &Path) -> bool {
    is_result_name(file) && !file.exists()
}
