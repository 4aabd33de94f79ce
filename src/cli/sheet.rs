//! `retarget sheet`.

use super::args::SheetArgs;
use super::draw::{self, SheetClip};
use super::failure::Failure;
use super::stream::Stream;
use retarget::contact::ContactSettings;
use retarget::convert::{self, Skinned};
use retarget::error::Error;
use retarget::rig::RigFile;
use std::path::Path;

/// Reads the clips and draws them on one sheet.
pub fn run(args: &SheetArgs) -> Result<(), Failure> {
    let from = args.from.as_deref();
    let written = convert::read_written(from)?;
    let clips: Vec<SheetClip> = args
        .files
        .iter()
        .map(|file| look(file, &written, args.clip.as_deref()))
        .collect::<Result<_, _>>()?;
    let inputs: Vec<&Path> = args.files.iter().map(|file| file.as_path()).chain(from).collect();
    draw::write(&draw::sheet(&clips), &args.output, &inputs)
}

fn look(file: &Path, written: &RigFile, take: Option<&str>) -> Result<SheetClip, Failure> {
    let (path, bytes) = Stream::new(file.to_owned()).read()?;
    Ok(looked(&path, &bytes, written, take)?)
}

/// A clip as a sheet takes it. Meshes that cannot be read are left out.
pub fn looked(
    path: &Path,
    bytes: &[u8],
    written: &RigFile,
    take: Option<&str>,
) -> Result<SheetClip, Error> {
    let found = convert::inspect(path, bytes, written, take, &ContactSettings::default())?;
    let skinned = Skinned::read(path, bytes, take).ok().flatten();
    Ok(SheetClip { name: path.display().to_string(), found, skinned })
}
