//! `retarget skeleton`: writes a `skeleton.toml`.

use super::args::SkeletonArgs;
use super::failure::{Failure, say};
use super::stream::{Stream, tell_notes};
use crate::contact::ContactSettings;
use crate::convert;
use crate::error::Error;
use crate::rig::{Description, SkeletonSource, describe};
use std::io;
use std::path::{Component, Path, absolute};

/// Reads a rig and writes a `skeleton.toml` about it.
pub fn run(args: &SkeletonArgs) -> Result<(), Failure> {
    if convert::is_rig_file(&args.rig) {
        let rig = args.rig.display();
        return Err(Failure::Usage(format!(
            "{rig} is a skeleton.toml already; give the file of a rig"
        )));
    }
    let output = args.output.clone().map_or(Stream::Standard, Stream::new);
    let input = Stream::new(args.rig.clone());
    let (path, bytes) = input.read()?;
    let from = args.from.as_deref();
    let written = convert::read_written(from)?;
    let reading = args.arrays.reading(args.clip.as_deref());
    let inspect = if args.as_target { convert::inspect_target } else { convert::inspect };
    let mut found = inspect(&path, &bytes, &written, &reading, &ContactSettings::default())?;
    tell_notes(&found.path, &found.notes);
    found.problem = found.problem.map(|problem| convert::in_written(problem, from));
    let Some(recognised) = &found.recognised else {
        return Err(Failure::from(found.problem.expect("what was not recognised has a reason")));
    };
    if let Some(problem) = found.problem.take_if(|_| args.lock && found.rig.is_none()) {
        // A lock has to state everything, so that nothing is left to be found.
        return Err(Failure::from(problem));
    }
    let bvh = match &input {
        Stream::Standard => None,
        Stream::File(_) if args.lock => None,
        Stream::File(rig) => Some(
            path_between(output.file(), rig)
                .map_err(|source| Error::Read { path: rig.clone(), source })?,
        ),
    };
    let text = describe(&Description {
        skeleton: &found.skeleton,
        source: bvh.as_deref().map_or(SkeletonSource::Joints, SkeletonSource::Bvh),
        recognised,
        rig: found.rig.as_ref(),
        floor: None,
    });
    let model = args.arrays.smpl_model.as_deref();
    let inputs: Vec<&Path> = input.file().into_iter().chain(from).chain(model).collect();
    output.write(text.into_bytes(), &inputs)?;
    if let Some(problem) = &found.problem {
        // The file that is written is the way to solve this problem, so it is no failure here.
        say(&format!("note: {}", problem.with_causes()));
    }
    Ok(())
}

/// How a `skeleton.toml` at `from` (or in the current folder) names the file `to`: relative, with
/// slashes, so that the two can move together.
fn path_between(from: Option<&Path>, to: &Path) -> io::Result<String> {
    let folder = match from {
        Some(from) => absolute(from)?.parent().map_or(from.to_owned(), Path::to_owned),
        None => std::env::current_dir()?,
    };
    // Folders may be symbolic links, in which case `..` leads elsewhere.
    let folder = folder.canonicalize().unwrap_or(folder);
    let to = absolute(to)?;
    let to_folder = to.parent().map_or(to.clone(), Path::to_owned);
    let to = to_folder.canonicalize().unwrap_or(to_folder).join(to.file_name().unwrap_or_default());
    let relative = pathdiff::diff_paths(&to, &folder).unwrap_or(to);
    let not_text = || io::Error::other("its path is not UTF-8, so skeleton.toml cannot name it");
    let parts = relative.components().map(|part| match part {
        Component::RootDir => Some(""),
        part => part.as_os_str().to_str(),
    });
    Ok(parts.collect::<Option<Vec<_>>>().ok_or_else(not_text)?.join("/"))
}
