//! `retarget sheet`: draws clips over time.

use super::args::{Picture, PictureFile, SheetArgs};
use super::draw::{self, SheetClip};
use super::failure::Failure;
use super::made_for::{load_target, name_of_source, recorded, tell_recognised};
use super::stream::{Stream, print_text, tell_notes};
use super::typed::{Change, Typed, set_output};
use crate::contact::ContactSettings;
use crate::convert::{self, LoadedRig, Reading, Skinned};
use crate::error::Error;
use crate::formats::{self, ends_in};
use crate::rig::RigFile;
use crate::skeleton::Skeleton;
use std::path::{Path, PathBuf};

/// Reads the clips and draws them on one sheet.
pub fn run(args: &SheetArgs, typed: &Typed) -> Result<(), Failure> {
    let pictures = ["png", "svg"];
    let is_picture = |file: &&PathBuf| pictures.iter().any(|end| ends_in(file, end));
    if let (None, Some(sheet)) = (&args.output, args.files.iter().find(is_picture)) {
        let sentence =
            format!("{} is a picture and no clip; name the sheet with -o", sheet.display());
        return Err(Failure::Meant(
            sentence,
            vec![Change::Unname(sheet.clone()), set_output(sheet)],
        ));
    }
    let from = args.from.as_deref();
    let written = convert::read_written(from)?;
    let named: Vec<&Path> = args.files.iter().chain(&args.to).map(|path| &**path).collect();
    let reading = args.arrays.reading_among(&named, args.clip.as_deref());
    let of_rig = Reading { clip: None, ..reading };
    let target = args.to.as_deref().map(|to| load_target(to, &of_rig, false)).transpose()?;
    let mut clips = Vec::new();
    let mut unsaid = Vec::new();
    let source = name_of_source(&args.files[0], args.clip.as_deref());
    for (place, file) in args.files.iter().enumerate() {
        let reading = Reading { made_of: (place > 0).then_some(source.as_str()), ..reading };
        let (clip, said) = look(file, &written, target.as_ref(), &reading)?;
        tell_notes(file, &clip.found.notes);
        // What does not move is no result.
        if !said && from.is_none() && clip.found.clip.is_some() {
            unsaid.push((file, clip.found.skeleton.clone()));
        }
        clips.push(clip);
    }
    if target.is_none() {
        tell_unsaid(&unsaid, args.files.len(), typed);
    }
    let files = target.as_ref().map_or(Vec::new(), LoadedRig::files);
    let files = args.files.iter().chain(&files).map(|file| file.as_path());
    let inputs: Vec<&Path> = files.chain(from).chain(reading.model).collect();
    let output = args.output.clone().unwrap_or_else(default_output);
    draw::write(&draw::sheet(&clips), &output, &inputs)?;
    match args.output {
        Some(_) => Ok(()),
        None => print_text(&format!("{}: a row for each file\n", output.path.display())),
    }
}

fn default_output() -> PictureFile {
    PictureFile { path: PathBuf::from("sheet.png"), kind: Picture::Png }
}

/// Tells of what may be results, whose target nothing says, that their rig is recognised anew. The first of several
/// files is a source, as are those of its skeleton. A file alone may be either, but as a character it is taken for its
/// own.
fn tell_unsaid(unsaid: &[(&PathBuf, Skeleton)], files: usize, typed: &Typed) {
    let is_source = |skeleton: &Skeleton| {
        unsaid
            .first()
            .is_some_and(|(_, first)| RigFile::default().check_fit(first, skeleton).is_ok())
    };
    let results = unsaid.iter().filter(|(file, skeleton)| {
        let (is_bvh, is_character) =
            (convert::is_bvh_name(file), formats::character_ending(file).is_some());
        match files {
            1 => is_bvh,
            _ => (is_bvh || is_character) && !is_source(skeleton),
        }
    });
    for (file, _) in results {
        tell_recognised(file, typed);
    }
}

/// A file that has the skeleton of its target, the one that is named or that the journal beside it names, is read as
/// the target is, others with what was `written`. Last, whether such a target was.
fn look(
    file: &Path,
    written: &RigFile,
    target: Option<&LoadedRig>,
    reading: &Reading,
) -> Result<(SheetClip, bool), Failure> {
    let (path, bytes) = Stream::new(file.to_owned()).read()?;
    let recorded = if target.is_none() { recorded(&path, None)? } else { None };
    let recorded = recorded.map(|recorded| recorded.load()).transpose()?;
    if let Some(target) = target.or(recorded.as_ref()) {
        let clip = convert::read_as(&path, &bytes, reading)?.clip;
        if target.file.check_fit(&target.rig.skeleton, clip.skeleton()).is_ok() {
            return Ok((looked(&path, &bytes, &convert::lock(target), reading)?, true));
        }
    }
    Ok((looked(&path, &bytes, written, reading)?, false))
}

/// A clip as a sheet takes it. Meshes that cannot be read are left out.
pub fn looked(
    path: &Path,
    bytes: &[u8],
    written: &RigFile,
    reading: &Reading,
) -> Result<SheetClip, Error> {
    let found = convert::inspect(path, bytes, written, reading, &ContactSettings::default())?;
    let skinned = Skinned::read(path, bytes, reading).ok().flatten();
    Ok(SheetClip { name: path.display().to_string(), found, skinned })
}
