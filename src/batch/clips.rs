//! What the user named, found on the disk: folders, patterns, and single files.

use super::BatchError;
use super::outside::real;
use super::place::name_of;
use crate::convert::Packing;
use crate::formats;
use glob::MatchOptions;
use std::collections::HashMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use walkdir::WalkDir;

/// What a user names.
#[derive(Clone, Debug, PartialEq)]
pub enum Named {
    /// A folder, searched with all below it, or a file, whatever its name.
    Path(PathBuf),
    /// A pattern such as `takes/**/walk*.bvh`.
    Pattern(String),
}

/// A clip that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// As it is opened.
    pub path: PathBuf,
    /// Its place in its library: the path below the folder that was named, with `/` between the parts.
    pub name: String,
    /// The length of its text, bytes; of a packed clip a guess.
    pub size: u64,
}

/// What lies in a library and cannot be looked at: an unreadable folder, a loop of links, a file that
/// is not there.
#[derive(Debug)]
pub struct Lost {
    pub path: PathBuf,
    pub name: String,
    pub error: io::Error,
}

/// All that was found.
#[derive(Debug, Default)]
pub struct Clips {
    pub found: Vec<Found>,
    pub lost: Vec<Lost>,
    /// The folders that were searched: those that were named, and those that links in them lead to.
    pub folders: Vec<PathBuf>,
}

/// How often a folder is searched by way of links. Two links in each of some folders, to the next one, would make a
/// thousand clips of one.
const MOST_WAYS: usize = 16;

/// Whether a text is a pattern and not a path.
pub fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Whether a file in a folder is a clip, by its name. Hidden ones are none: a system's notes on a file, or what a
/// killed program left.
pub(super) fn is_clip(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy());
    name.is_some_and(|name| !is_hidden(&name)) && formats::is_clip_name(path)
}

fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

/// Finds the clips that are named. Links are followed.
///
/// One folder's clips keep their place below it, one pattern's theirs below the folder that it begins
/// with; where more is named, all keep their place below the folder that they share.
///
/// Refuses only a pattern that is none; what cannot be read is [`Lost`].
pub fn find(named: &[Named]) -> Result<Clips, BatchError> {
    let base = match named {
        [Named::Path(folder)] if folder.is_dir() => folder.clone(),
        [Named::Pattern(pattern)] => fixed_folder(pattern),
        _ => shared_folder(named.iter().map(|named| match named {
            Named::Path(path) => path.parent().unwrap_or(Path::new("")).to_owned(),
            Named::Pattern(pattern) => fixed_folder(pattern),
        })),
    };
    let mut clips = Clips::default();
    for named in named {
        match named {
            Named::Path(path) if path.is_dir() => clips.search(path, &base),
            Named::Path(path) => clips.take(path.clone(), &base),
            Named::Pattern(pattern) => clips.expand(pattern, &base)?,
        }
    }
    Ok(clips)
}

impl Clips {
    /// Without these files, but for those that are `named` by themselves: what a run goes onto or writes may lie in a
    /// folder of clips.
    pub fn without(mut self, files: &[PathBuf], named: &[Named]) -> Self {
        let files: Vec<PathBuf> = files.iter().map(|file| real(file)).collect();
        let is_named = |path: &Path| named.iter().any(|it| *it == Named::Path(path.to_owned()));
        let is_one = |path: &Path| {
            files.iter().any(|file| file.file_name() == path.file_name() && *file == real(path))
        };
        self.found.retain(|clip| !is_one(&clip.path) || is_named(&clip.path));
        self
    }

    fn search(&mut self, folder: &Path, base: &Path) {
        // In the order of names, so that every machine counts links alike.
        let mut walk = WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter();
        let mut ways: HashMap<PathBuf, usize> = HashMap::new();
        while let Some(entry) = walk.next() {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {
                    let is_named = entry.depth() == 0;
                    if !is_named && is_hidden(&entry.file_name().to_string_lossy()) {
                        walk.skip_current_dir();
                    } else if !is_named && entry.path_is_symlink() {
                        let real = entry.path().canonicalize().unwrap_or_default();
                        let ways = ways.entry(real).or_default();
                        *ways += 1;
                        if *ways > MOST_WAYS {
                            walk.skip_current_dir();
                            let what = "more links lead to this folder than are followed";
                            self.lose(entry.into_path(), base, io::Error::other(what));
                        } else if *ways == 1 {
                            self.folders.push(entry.into_path());
                        }
                    }
                }
                Ok(entry) if !is_clip(entry.path()) => {}
                Ok(entry) => self.take(entry.into_path(), base),
                // A link that leads nowhere is a clip's only if it is named as one.
                Err(error) => {
                    let path = error.path().unwrap_or(folder).to_owned();
                    let dangling = path.is_symlink() && error.loop_ancestor().is_none();
                    if !dangling || is_clip(&path) {
                        let error = walk_error(error);
                        self.lose(path, base, error);
                    }
                }
            }
        }
        self.folders.push(folder.to_owned());
    }

    fn expand(&mut self, pattern: &str, base: &Path) -> Result<(), BatchError> {
        let wrong = |error: glob::PatternError| BatchError::Pattern {
            pattern: pattern.to_owned(),
            reason: error.to_string(),
        };
        let options = MatchOptions { require_literal_leading_dot: true, ..MatchOptions::new() };
        for path in glob::glob_with(pattern, options).map_err(wrong)? {
            match path {
                Ok(path) if path.is_dir() => {}
                Ok(path) => self.take(path, base),
                Err(error) => self.lose(error.path().to_owned(), base, error.into()),
            }
        }
        Ok(())
    }

    fn take(&mut self, path: PathBuf, base: &Path) {
        let place = below(&path, base);
        let place = match (place.to_str(), name_of(&place)) {
            (None, _) => Err("its name is not UTF-8, and no journal can hold it; rename it"),
            (_, None) => {
                Err("its place is not below the folders that were named; name it by itself")
            }
            (_, Some(name)) => Ok(name),
        };
        match (place, path.metadata()) {
            (Ok(name), Ok(data)) => {
                let size = Packing::named(&path).text_len(data.len());
                self.found.push(Found { path, name, size });
            }
            (Ok(_), Err(error)) => self.lose(path, base, error),
            (Err(reason), _) => self.lose(path, base, io::Error::other(reason)),
        }
    }

    fn lose(&mut self, path: PathBuf, base: &Path, error: io::Error) {
        let place = below(&path, base);
        let name = match name_of(&place) {
            Some(name) => name,
            None if place.as_os_str().is_empty() => ".".to_owned(),
            // Its Debug text tells two such names apart.
            None => format!("{place:?}"),
        };
        self.lost.push(Lost { path, name, error });
    }
}

/// The operating system's word, or walkdir's on a loop of links.
fn walk_error(error: walkdir::Error) -> io::Error {
    match error.loop_ancestor() {
        Some(above) => io::Error::other(format!("the link leads back to {}", above.display())),
        None => error.into_io_error().unwrap_or_else(|| io::Error::other("not readable")),
    }
}

/// A path below a folder.
fn below(path: &Path, base: &Path) -> PathBuf {
    if let Ok(below) = path.strip_prefix(base) {
        return below.to_owned();
    }
    let (path, base) = (tidy(path), tidy(base));
    path.strip_prefix(&base).map(Path::to_owned).unwrap_or(path)
}

/// The folder that a pattern begins with: `takes` for `takes/**/walk*.bvh`.
fn fixed_folder(pattern: &str) -> PathBuf {
    let parts = Path::new(pattern).components();
    parts.take_while(|part| !is_pattern(&part.as_os_str().to_string_lossy())).collect()
}

/// The folder that all of these lie in, so that the places below it tell all files apart.
fn shared_folder(folders: impl Iterator<Item = PathBuf>) -> PathBuf {
    let mut folders = folders.map(|folder| tidy(&folder));
    let first = folders.next().unwrap_or_default();
    folders.fold(first, |shared, folder| {
        let same = shared.components().zip(folder.components()).take_while(|(a, b)| a == b);
        same.map(|(part, _)| part).collect()
    })
}

/// A path from the root, without `.` and `..`. It names places in the results; nothing is opened by it.
fn tidy(path: &Path) -> PathBuf {
    let whole = std::env::current_dir().unwrap_or_default().join(path);
    let mut tidy = PathBuf::new();
    for part in whole.components() {
        match part {
            Component::ParentDir => {
                tidy.pop();
            }
            Component::CurDir => {}
            part => tidy.push(part),
        }
    }
    tidy
}
