//! Values of arguments, read from what was typed; each error says what was expected.

use crate::formats::{self, ends_in};
use crate::positions::Layout;
use crate::rig::Scale;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// A kind of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    Png,
    Svg,
}

/// Where a picture goes, and its kind, which follows from the name.
#[derive(Clone, Debug)]
pub struct PictureFile {
    pub path: PathBuf,
    pub kind: Picture,
}

/// A file whose name has to end so.
pub(super) fn ending(text: &str, wanted: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    ends_in(&path, wanted)
        .then_some(path)
        .ok_or_else(|| format!("expected a file that ends in .{wanted}"))
}

/// The same, or standard output.
pub(super) fn ending_or_dash(text: &str, wanted: &str) -> Result<PathBuf, String> {
    if text == "-" { Ok(PathBuf::from(text)) } else { ending(text, wanted) }
}

pub(super) fn contact_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let fits = ["toml", "json"].iter().any(|end| ends_in(&path, end));
    fits.then_some(path).ok_or_else(|| "expected a file that ends in .toml or .json".to_owned())
}

/// The ending of results, with or without its dot.
pub(super) fn result_ending(text: &str) -> Result<&'static str, String> {
    let is_it = |end: &&str| end[1..].eq_ignore_ascii_case(text.trim_start_matches('.'));
    let names = || formats::result_endings().map(|end| &end[1..]).collect::<Vec<_>>().join(", ");
    formats::result_endings().find(is_it).ok_or_else(|| format!("expected one of {}", names()))
}

pub(super) fn picture(text: &str) -> Result<PictureFile, String> {
    let path = PathBuf::from(text);
    let kind = match (ends_in(&path, "png"), ends_in(&path, "svg")) {
        (true, _) => Picture::Png,
        (_, true) => Picture::Svg,
        _ => return Err("expected a file that ends in .png or .svg".to_owned()),
    };
    Ok(PictureFile { path, kind })
}

/// More than any machine has cores.
const MOST_THREADS: usize = 512;

pub(super) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads = text.parse().ok().filter(|threads: &NonZeroUsize| threads.get() <= MOST_THREADS);
    threads.ok_or_else(|| format!("expected a number from 1 to {MOST_THREADS}"))
}

pub(super) fn frame(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected the number of a frame, from 0".to_owned())
}

pub(super) fn layout(text: &str) -> Result<Layout, String> {
    let names = || Layout::ALL.map(|layout| layout.name()).join(", ");
    Layout::named(&text.to_ascii_lowercase()).ok_or_else(|| format!("expected one of {}", names()))
}

pub(super) fn fps(text: &str) -> Result<f64, String> {
    let fps = text.parse().ok().filter(|fps| (0.001..=100_000.0).contains(fps));
    fps.ok_or_else(|| "expected a number from 0.001 to 100000".to_owned())
}

pub(super) fn scale(text: &str) -> Result<Scale, String> {
    let [least, most] = [Scale::BOUNDS.start(), Scale::BOUNDS.end()];
    let factor = || text.parse().ok().filter(|factor| Scale::BOUNDS.contains(factor));
    Scale::named(&text.to_ascii_lowercase())
        .or_else(|| factor().map(Scale::Factor))
        .ok_or_else(|| format!("expected leg, height, none, or a number from {least} to {most}"))
}
