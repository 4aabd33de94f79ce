//! `retarget sheet`.

use super::args::SheetArgs;
use super::draw;
use super::failure::Failure;
use super::stream::Stream;
use retarget::contact::ContactSettings;
use retarget::convert::{self, Inspection};
use retarget::error::Error;
use retarget::rig::RigFile;
use std::path::Path;

/// Reads the clips and draws them on one sheet.
pub fn run(args: &SheetArgs) -> Result<(), Failure> {
    let from = args.from.as_deref();
    let written = convert::read_written(from)?;
    let found: Vec<(String, Inspection)> = args
        .files
        .iter()
        .map(|file| look(file, &written, args.clip.as_deref()))
        .collect::<Result<_, _>>()?;
    let inputs: Vec<&Path> = args.files.iter().map(|file| file.as_path()).chain(from).collect();
    draw::write(&draw::sheet(&found), &args.output, &inputs)
}

fn look(
    file: &Path,
    written: &RigFile,
    take: Option<&str>,
) -> Result<(String, Inspection), Failure> {
    let (path, bytes) = Stream::new(file.to_owned()).read()?;
    Ok(looked(&path, &bytes, written, take)?)
}

/// A clip as a sheet takes it: the name that it is shown under, and what is found in it.
pub fn looked(
    path: &Path,
    bytes: &[u8],
    written: &RigFile,
    take: Option<&str>,
) -> Result<(String, Inspection), Error> {
    let found = convert::inspect(path, bytes, written, take, &ContactSettings::default())?;
    Ok((path.display().to_string(), found))
}
