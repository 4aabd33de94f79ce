//! The command as it was typed, and as it was meant: with changes, for messages that propose it.

use super::args::Args;
use crate::convert::unpacked_name;
use crate::error::{shell_path, shell_word};
use clap::{Command, CommandFactory};
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What is changed in a command.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// An option, by its long name, gets a value, in the place of what it had.
    Set(&'static str, String),
    /// A word becomes another, with the value that follows it after an `=`.
    Reword(String, String),
    /// An option that takes no value is given.
    Give(&'static str),
    /// An option is left out, with its value.
    Leave(&'static str),
    /// A word is left out, with the value that follows it after an `=`.
    Strike(String),
    /// Another command goes before it.
    Before(String),
    /// A file is named before all else.
    Name(PathBuf),
    /// An argument that is no option's is left out.
    Unname(PathBuf),
    /// Two files change places.
    Swap(PathBuf, PathBuf),
}

/// A command as it was typed, without the program's name.
#[derive(Clone, Debug)]
pub struct Typed(Vec<OsString>);

impl Typed {
    pub fn new(words: &[OsString]) -> Self {
        Self(words.to_vec())
    }

    /// The words, without the program's name.
    pub fn words(&self) -> &[OsString] {
        &self.0
    }

    /// The whole command with these changes, as a shell takes it.
    pub fn changed(&self, changes: &[Change]) -> String {
        let mut words = self.0.clone();
        changes.iter().for_each(|change| make(&mut words, change));
        let words = words.iter().map(|word| shell_word(&word.to_string_lossy()));
        let before = changes.iter().filter_map(|change| match change {
            Change::Before(command) => Some(format!("{command} &&")),
            _ => None,
        });
        let whole = before.chain(["retarget".to_owned()]).chain(words);
        whole.collect::<Vec<_>>().join(" ")
    }

    /// The command's name; `None` of a conversion.
    pub fn command(&self) -> Option<String> {
        let program = Args::command();
        command_of(&program, &self.0).map(|command| command.get_name().to_owned())
    }

    /// The value of an option, by its long name.
    pub fn value(&self, long: &str) -> Option<String> {
        let options = Options::of(&self.0);
        let wanted = format!("--{long}");
        let mut at = 0;
        while at < self.0.len() && self.0[at] != "--" {
            let Some((names, range)) = options.at(&self.0, at) else {
                at += 1;
                continue;
            };
            if names.contains(&wanted) {
                let word = self.0[at].to_string_lossy();
                let joined = || {
                    let name = names.iter().find(|name| word.starts_with(name.as_str()))?;
                    Some(word[name.len()..].trim_start_matches('=').to_owned())
                };
                return match range.len() {
                    1 => joined(),
                    _ => Some(self.0[at + 1].to_string_lossy().into_owned()),
                };
            }
            at = range.end;
        }
        None
    }

    /// Whether an option takes a value, which nothing would be if it stood for this word.
    pub fn lacks_value(&self, option: &str, word: &str) -> bool {
        let options = Options::of(&self.0).0;
        let is_it = |name: &String| name == option;
        let takes_value = options.iter().any(|(names, takes)| *takes && names.iter().any(is_it));
        let Some(place) = place_of(&self.0, word) else { return false };
        let is_value = |next: &OsString| !next.to_string_lossy().starts_with('-');
        let is_given = self.0[place] != *word || self.0.get(place + 1).is_some_and(is_value);
        takes_value && !is_given
    }

    /// The arguments that are no options, without the command's name.
    pub fn files(&self) -> Vec<PathBuf> {
        let free = Options::of(&self.0).free(&self.0);
        let names = free.into_iter().map(|at| PathBuf::from(&self.0[at]));
        names.skip(usize::from(self.command().is_some())).collect()
    }

    /// The places of a file among these.
    pub fn places_of(&self, file: &Path) -> Vec<usize> {
        let files = self.files();
        (0..files.len()).filter(|place| files[*place] == file).collect()
    }
}

/// Where a word is, alone or with a value that follows it after an `=`.
fn place_of(words: &[OsString], word: &str) -> Option<usize> {
    words.iter().position(|typed| {
        let rest = typed.to_str().and_then(|typed| typed.strip_prefix(word));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    })
}

fn make(words: &mut Vec<OsString>, change: &Change) {
    let options = Options::of(words);
    match change {
        Change::Before(_) => {}
        Change::Reword(old, new) => {
            if let Some(place) = place_of(words, old) {
                let word = words[place].to_string_lossy().into_owned();
                words[place] = format!("{new}{}", &word[old.len()..]).into();
            }
        }
        Change::Leave(name) => options.leave(words, name),
        Change::Strike(old) => {
            if let Some(place) = place_of(words, old) {
                words.remove(place);
            }
        }
        Change::Set(name, value) => {
            options.leave(words, name);
            match value.starts_with('-') {
                true => insert(words, [&format!("--{name}={value}")]),
                false => insert(words, [&format!("--{name}"), value]),
            }
        }
        Change::Give(name) => {
            options.leave(words, name);
            insert(words, [&format!("--{name}")]);
        }
        Change::Name(file) => words.insert(0, file.into()),
        Change::Unname(file) => {
            let places = options.free(words);
            if let Some(place) =
                places.into_iter().rfind(|place| words[*place] == *file.as_os_str())
            {
                words.remove(place);
            }
        }
        Change::Swap(one, other) => {
            for word in words {
                if *word == *one.as_os_str() {
                    other.as_os_str().clone_into(word);
                } else if *word == *other.as_os_str() {
                    one.as_os_str().clone_into(word);
                }
            }
        }
    }
}

/// Puts words where options may stand: a word `--` ends them.
fn insert<const COUNT: usize>(words: &mut Vec<OsString>, new: [&str; COUNT]) {
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    words.splice(end..end, new.map(OsString::from));
}

/// The options of the command that words mean: their long names, their short ones, and whether they take a value.
struct Options(Vec<(Vec<String>, bool)>);

impl Options {
    fn of(words: &[OsString]) -> Self {
        let program = Args::command();
        let command = command_of(&program, words).unwrap_or(&program);
        let option = |arg: &clap::Arg| {
            let long = arg.get_long()?;
            let aliases = arg.get_all_aliases().unwrap_or_default();
            let longs = std::iter::once(long).chain(aliases).map(|name| format!("--{name}"));
            let short = arg.get_short().map(|short| format!("-{short}"));
            Some((longs.chain(short).collect(), arg.get_action().takes_values()))
        };
        Self(command.get_arguments().filter_map(option).collect())
    }

    /// The words of the option that begins at a word; none where no option does.
    fn at(&self, words: &[OsString], at: usize) -> Option<(&[String], Range<usize>)> {
        let word = words[at].to_string_lossy();
        self.0.iter().find_map(|(names, takes_value)| {
            let joined = |name: &String| match name.starts_with("--") {
                true => word.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('=')),
                false => *takes_value && word.len() > 2 && word.starts_with(name.as_str()),
            };
            if names.iter().any(|name| *name == word) {
                let end = (at + 1 + usize::from(*takes_value)).min(words.len());
                return Some((&names[..], at..end));
            }
            names.iter().any(joined).then(|| (&names[..], at..at + 1))
        })
    }

    /// Takes an option out, as often as it is given.
    fn leave(&self, words: &mut Vec<OsString>, long: &str) {
        let wanted = format!("--{long}");
        let mut at = 0;
        while at < words.len() && words[at] != "--" {
            match self.at(words, at) {
                Some((names, range)) if names.contains(&wanted) => drop(words.drain(range)),
                Some((_, range)) => at = range.end,
                None => at += 1,
            }
        }
    }

    /// The places of the words that are no option and no value of one.
    fn free(&self, words: &[OsString]) -> Vec<usize> {
        let (mut at, mut free) = (0, Vec::new());
        while at < words.len() {
            if words[at] == "--" {
                free.extend(at + 1..words.len());
                break;
            }
            match self.at(words, at) {
                Some((_, range)) => at = range.end,
                None => {
                    let is_option =
                        words[at].to_string_lossy().starts_with('-') && words[at] != "-";
                    free.extend((!is_option).then_some(at));
                    at += 1;
                }
            }
        }
        free
    }
}

/// The command of the program that the first word names.
pub fn command_of<'a>(program: &'a Command, args: &[OsString]) -> Option<&'a Command> {
    let first = args.iter().find_map(|arg| arg.to_str().filter(|word| !word.starts_with('-')));
    program.find_subcommand(first?)
}

/// That the result goes there.
pub fn set_output(path: &Path) -> Change {
    Change::Set("output", path.display().to_string())
}

/// The folder that is meant by what is named as a file.
pub fn folder_of(file: &Path) -> PathBuf {
    let folder = unpacked_name(file).with_extension("");
    if folder.is_file() { name_beside(&folder) } else { folder }
}

/// The command that makes a folder, and those that it lies in.
pub fn make_folder(path: &Path) -> String {
    format!("mkdir -p {}", shell_path(path))
}

/// A name for another file beside one: `walk.new.bvh` for walk.bvh, or with another number where that is there.
pub fn name_beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (stem, end) = name
        .split_once('.')
        .map_or((&*name, String::new()), |(stem, end)| (stem, format!(".{end}")));
    let named = |word: &str| path.with_file_name(format!("{stem}.{word}{end}"));
    let numbered = (2..).map(|number| named(&format!("new{number}")));
    std::iter::once(named("new"))
        .chain(numbered)
        .find(|path| !path.exists())
        .expect("one of all numbers")
}
