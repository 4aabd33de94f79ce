//! What is to be changed in a command so that an error about formats or outputs goes away.

use super::typed::{Change, Typed, folder_of, make_folder, name_beside, set_output};
use crate::batch::BatchError;
use crate::convert::{self, is_rig_file};
use crate::error::{Error, shell_path};
use crate::formats;
use crate::rig::RigFile;
use crate::scene::WayOut;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The options that name a file or a folder that is written.
const OUTPUTS: [&str; 7] = ["output", "report", "contacts", "glb", "render", "draw", "html"];

/// The changes that lead out of what is wrong with a file, where there are any.
pub fn of_file(error: &Error, typed: &Typed) -> Option<Vec<Change>> {
    match error {
        Error::OtherFormat { path, wanted, .. } => {
            let end = wanted.split([',', ' ']).next().filter(|end| end.starts_with('.'))?;
            Some(vec![written_as(typed, path, end)])
        }
        Error::Write { path, source } if source.kind() == ErrorKind::NotFound => {
            let folder = path.parent().filter(|folder| !folder.exists())?;
            Some(vec![Change::Before(make_folder(folder))])
        }
        Error::OutputIsInput { path } => {
            let option = OUTPUTS.into_iter().find(|name| {
                typed.value(name).is_some_and(|value| Path::new(&value) == path.as_path())
            });
            Some(vec![Change::Set(option?, name_beside(path).display().to_string())])
        }
        Error::Takes { path, names, .. } => {
            let option = animation_option(path, typed);
            match names.first() {
                Some(name) => Some(vec![Change::Set(option, name.clone())]),
                None => typed.value(option).map(|_| vec![Change::Leave(option)]),
            }
        }
        Error::RigForClip { path } => Some(as_target(path, typed)),
        Error::ClipForRig { path } => Some(as_written_rig(path, typed)),
        Error::NotArrays { .. } => Some(["layout", "fps", "smpl-model"].map(Change::Leave).into()),
        Error::Nodes { source, .. } | Error::Unwritable { source, .. } => {
            match formats::way_out(source)? {
                WayOut::Replace => Some(vec![Change::Give("replace")]),
                WayOut::OtherFormat => {
                    let path = match error {
                        Error::Unwritable { path, .. } => path.clone(),
                        _ => typed.value("output").map_or_else(|| "out".into(), PathBuf::from),
                    };
                    Some(vec![written_as(typed, &path, ".bvh")])
                }
            }
        }
        _ => None,
    }
}

/// A rig that is named as a clip as the target: in the place of the only clip it has changed places with the target.
fn as_target(rig: &Path, typed: &Typed) -> Vec<Change> {
    let target = typed.value("to").map(PathBuf::from);
    match target.filter(|to| typed.files() == [rig] && !is_rig_file(to)) {
        Some(to) => vec![Change::Swap(rig.to_owned(), to)],
        None => vec![Change::Unname(rig.to_owned()), Change::Set("to", rig.display().to_string())],
    }
}

/// A clip that is named as what is said of a rig: that it is said by a file made of it. Of the clip itself, and of one
/// with another skeleton, it is left out, since it would say nothing of the clip.
fn as_written_rig(clip: &Path, typed: &Typed) -> Vec<Change> {
    let is_of_it = |source: &PathBuf| {
        let skeletons = (convert::read_tree(source), convert::read_tree(clip));
        !matches!(skeletons, (Some(of), Some(own)) if RigFile::default().check_fit(&of, &own).is_err())
    };
    match typed.files().first() {
        Some(source) if source != clip && is_of_it(source) => {
            let name = convert::unpacked_name(clip).with_extension("toml");
            let written = free(PathBuf::from(name.file_name().unwrap_or_default()));
            let [read, made] = [clip, &written].map(shell_path);
            let write = format!("retarget skeleton {read} --lock -o {made}");
            vec![Change::Before(write), Change::Set("from", written.display().to_string())]
        }
        _ => vec![Change::Leave("from")],
    }
}

/// The changes that lead out of what stops a library's run.
pub fn of_batch(error: &BatchError, typed: &Typed) -> Option<Vec<Change>> {
    let output = match error {
        BatchError::OutputIsFile { output } => folder_of(output),
        BatchError::OutputIsInput { .. } | BatchError::AtWork { .. } => {
            name_beside(Path::new(&typed.value("output")?))
        }
        BatchError::OutputInside { output, input } => outside(output, input)?,
        _ => return None,
    };
    Some(vec![set_output(&output)])
}

/// This name, or another beside it where there is such a file.
fn free(path: PathBuf) -> PathBuf {
    if path.exists() { name_beside(&path) } else { path }
}

/// A folder of the same name beside the one that is searched.
fn outside(output: &Path, input: &Path) -> Option<PathBuf> {
    let name = output.canonicalize().ok().and_then(|real| real.file_name().map(PathBuf::from));
    let name = name.or_else(|| output.file_name().map(PathBuf::from))?;
    let beside = match input.file_name() {
        Some(_) => input.with_file_name(&name),
        None => input.join("..").join(&name),
    };
    Some(free(beside))
}

/// The result under a name of this ending: of a library its format, of one file another name.
fn written_as(typed: &Typed, path: &Path, end: &str) -> Change {
    if typed.value("format").is_some() {
        return Change::Set("format", end.trim_start_matches('.').to_owned());
    }
    set_output(&free(path.with_extension(&end[1..])))
}

/// The option that says which animation of a file is meant.
fn animation_option(file: &Path, typed: &Typed) -> &'static str {
    const PAIRS: [&str; 3] = ["check", "view", "blender"];
    let is_pair = typed.command().is_some_and(|name| PAIRS.contains(&&*name));
    let places = typed.places_of(file);
    let is_source = places.contains(&0) && typed.value("clip").is_none();
    if is_pair && places.contains(&1) && !is_source { "result-clip" } else { "clip" }
}
