//! `retarget view`: a page on which a result is looked at beside its source.

mod curves;
mod mesh;
mod pack;
mod page;
mod scene;

use super::args::ViewArgs;
use super::failure::Failure;
use super::stream::Stream;
use pack::Pack;
use retarget::convert::{self, LoadedRig, Looks, SourceClip};
use retarget::error::Error;
use retarget::rig::RigFile;
use retarget::settings::Settings;
use scene::Scene;
use std::path::{Path, PathBuf};

/// Writes the page of a result.
pub fn run(args: &ViewArgs) -> Result<(), Failure> {
    let from = args.from.as_deref();
    let written = convert::read_written(from)?;
    let target = args.to.as_deref().map(convert::load_rig).transpose()?;
    let files = target.as_ref().map_or(Vec::new(), LoadedRig::files);
    let page = html(
        [&args.source, &args.result],
        [args.clip.as_deref(), args.result_clip.as_deref()],
        written,
        target,
    )
    .map_err(|error| convert::in_written(error, from))?;
    let files = files.iter().map(|file| file.as_path());
    let inputs: Vec<&Path> =
        [&*args.source, &*args.result].into_iter().chain(from).chain(files).collect();
    let output = args.output.clone().unwrap_or_else(|| default_output(&args.result));
    Stream::new(output).write(page.into_bytes(), &inputs)
}

/// Reads a source and its result, of which `takes` names the animations, measures, and makes the page. `written` is what the user said of the
/// source's rig, `target` the rig that the result was made for.
pub fn html(
    files: [&Path; 2],
    takes: [Option<&str>; 2],
    written: RigFile,
    target: Option<LoadedRig>,
) -> Result<String, Error> {
    let source = convert::load_take(files[0], takes[0])?;
    let result = convert::load_take(files[1], takes[1])?;
    let looks = [convert::looks(files[0], takes[0])?, convert::looks(files[1], takes[1])?];
    page_of([&source, &result], &looks, written, target)
}

/// The page of a result beside its source, of joints alone.
pub fn view_page(
    source: &SourceClip,
    result: &SourceClip,
    written: RigFile,
    target: Option<LoadedRig>,
) -> Result<String, Error> {
    page_of([source, result], &[Looks::Bones, Looks::Bones], written, target)
}

fn page_of(
    clips: [&SourceClip; 2],
    looks: &[Looks; 2],
    written: RigFile,
    target: Option<LoadedRig>,
) -> Result<String, Error> {
    let check = convert::check(clips[0], written, clips[1], target, &Settings::default())?;
    let mut pack = Pack::default();
    let scene = Scene::new(clips, looks, &check, &mut pack);
    Ok(page::page(&scene, &pack))
}

/// `walk.hero.html` in the current folder, for walk.hero.bvh.
fn default_output(result: &Path) -> PathBuf {
    let mut name = convert::unpacked_name(result).file_stem().unwrap_or_default().to_owned();
    name.push(".html");
    PathBuf::from(name)
}
