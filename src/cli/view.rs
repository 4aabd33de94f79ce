//! `retarget view`: a page that shows a result beside its source.

mod curves;
mod mesh;
mod pack;
mod page;
mod scene;

use super::args::ViewArgs;
use super::failure::Failure;
use super::made_for::{MadeWith, Pair, tell_checked};
use super::stream::{Stream, print_text, tell_notes};
use super::typed::Typed;
use crate::convert::{self, Check, LoadedRig, Looks, Reading, SourceClip};
use crate::error::Error;
use crate::rig::RigFile;
use crate::settings::Settings;
use pack::Pack;
use scene::Scene;
use std::path::{Path, PathBuf};

/// Writes the page of a result.
pub fn run(args: &ViewArgs, typed: &Typed) -> Result<(), Failure> {
    let meant = Pair::meant(&args.pair)?;
    let pair = &meant.args;
    let [source, result] = meant.readings().map(|(path, reading)| Shown::read(path, &reading));
    let (mut source, result) = (source?, result?);
    pair.asked.set_contacts(&mut source.clip)?;
    for shown in [&source, &result] {
        tell_notes(&shown.clip.path, &shown.clip.notes);
    }
    let clips = [&source.clip, &result.clip];
    let MadeWith { target, written, from, settings } = meant.made_with(typed, clips)?;
    let from = from.as_deref();
    let reading = pair.arrays.reading(None);
    let files = target.files();
    let check = convert::check(clips[0], written, clips[1], Some(target), &settings)
        .map_err(|error| convert::in_written(error, from))?;
    tell_checked(&check, clips, &settings, typed);
    let page = page_of_check(clips, [&source.looks, &result.looks], &check);
    let files = files.iter().map(|file| file.as_path());
    let inputs: Vec<&Path> =
        pair.files().into_iter().chain(from).chain(files).chain(reading.model).collect();
    let output = args.output.clone().unwrap_or_else(|| default_output(&pair.result));
    Stream::new(output.clone()).write(page.into_bytes(), &inputs)?;
    match args.output {
        Some(_) => Ok(()),
        None => print_text(&format!("{}: open it in a browser\n", output.display())),
    }
}

/// A clip, and what a page can show of its body: a mesh, or its bones.
pub struct Shown {
    pub clip: SourceClip,
    pub looks: Looks,
}

impl Shown {
    /// Reads a clip.
    pub fn read(path: &Path, reading: &Reading) -> Result<Self, Error> {
        let clip = convert::load_as(path, reading)?;
        Ok(Self { clip, looks: convert::looks(path, reading)? })
    }
}

/// The page of a result beside its source, without meshes. `written` is what the user said of the source's rig,
/// `target` the rig that the result was made for.
pub fn view_page(
    source: &SourceClip,
    result: &SourceClip,
    written: RigFile,
    target: Option<LoadedRig>,
) -> Result<String, Error> {
    page_of([source, result], [&Looks::Bones; 2], written, target, &Settings::default())
}

/// As [`view_page`], with the meshes of both bodies.
pub fn page_of(
    clips: [&SourceClip; 2],
    looks: [&Looks; 2],
    written: RigFile,
    target: Option<LoadedRig>,
    settings: &Settings,
) -> Result<String, Error> {
    Ok(page_of_check(clips, looks, &convert::check(clips[0], written, clips[1], target, settings)?))
}

fn page_of_check(clips: [&SourceClip; 2], looks: [&Looks; 2], check: &Check) -> String {
    let mut pack = Pack::default();
    let scene = Scene::new(clips, looks, check, &mut pack);
    page::page(&scene, &pack)
}

/// `walk.hero.html` in the current folder, for walk.hero.bvh.
fn default_output(result: &Path) -> PathBuf {
    let mut name = convert::unpacked_name(result).file_stem().unwrap_or_default().to_owned();
    name.push(".html");
    PathBuf::from(name)
}
