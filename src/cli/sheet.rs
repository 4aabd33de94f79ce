//! `retarget sheet`.

use super::args::SheetArgs;
use super::draw::{self, SheetClip};
use super::failure::Failure;
use super::stream::Stream;
use retarget::contact::ContactSettings;
use retarget::convert::{self, LoadedRig, Skinned};
use retarget::error::Error;
use retarget::rig::RigFile;
use std::path::Path;

/// Reads the clips and draws them on one sheet.
pub fn run(args: &SheetArgs) -> Result<(), Failure> {
    let from = args.from.as_deref();
    let written = convert::read_written(from)?;
    let target = args.to.as_deref().map(convert::load_rig).transpose()?;
    let of_target = target.as_ref().map(|target| (target, convert::lock(target)));
    let clips: Vec<SheetClip> = args
        .files
        .iter()
        .map(|file| look(file, &written, of_target.as_ref(), args.clip.as_deref()))
        .collect::<Result<_, _>>()?;
    let files = target.as_ref().map_or(Vec::new(), LoadedRig::files);
    let files = args.files.iter().chain(&files).map(|file| file.as_path());
    let inputs: Vec<&Path> = files.chain(from).collect();
    draw::write(&draw::sheet(&clips), &args.output, &inputs)
}

/// A file that has the target's skeleton is read as the target is, others with what was `written`.
fn look(
    file: &Path,
    written: &RigFile,
    of_target: Option<&(&LoadedRig, RigFile)>,
    take: Option<&str>,
) -> Result<SheetClip, Failure> {
    let (path, bytes) = Stream::new(file.to_owned()).read()?;
    if let Some((target, lock)) = of_target {
        let clip = convert::read_take(&path, &bytes, take)?.clip;
        if target.file.check_fit(&target.rig.skeleton, clip.skeleton()).is_ok() {
            return Ok(looked(&path, &bytes, lock, take)?);
        }
    }
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
