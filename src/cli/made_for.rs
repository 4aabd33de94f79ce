//! The rig that a result was made for. It is not recognised anew in the result, where the same mistake would be made
//! again and so stay hidden.

use super::failure::Failure;
use super::stream::tell_notes;
use crate::convert::{self, LoadedRig, Reading, SourceClip};
use crate::rig::RigFile;
use crate::settings::Settings;
use std::path::Path;

/// Reads a target, and prints what was assumed.
pub fn load_target(
    path: &Path,
    reading: &Reading,
    accept_doubt: bool,
) -> Result<LoadedRig, Failure> {
    let target = convert::load_rig_as(path, reading, accept_doubt)?;
    tell_notes(&target.path, &target.notes);
    Ok(target)
}

/// What `to` says, `reading` of arrays, else the character in a result that is one, or the source's own rig where the
/// result has its skeleton; `written` is what the user said of that. Beside its own rig a result keeps its height.
pub fn target_of(
    to: Option<&Path>,
    reading: &Reading,
    [source, result]: [&SourceClip; 2],
    written: &RigFile,
    settings: &mut Settings,
) -> Result<LoadedRig, Failure> {
    if let Some(to) = to {
        let target = load_target(to, reading, false)?;
        let fits = |clip: &SourceClip| {
            RigFile::default().check_fit(&target.rig.skeleton, clip.clip.skeleton()).is_ok()
        };
        if fits(source) && !fits(result) {
            let [source, result] = [source, result].map(|clip| clip.path.display());
            return Err(Failure::Usage(format!(
                "{source} has the target's skeleton and {result} has not; the source comes first and then the result, so \
                 swap them: {result} {source} --to {}",
                to.display()
            )));
        }
        return Ok(target);
    }
    // A character's own file is its target's, with an animation more.
    if convert::character_ending(&result.path).is_some() {
        return Ok(convert::load_rig(&result.path)?);
    }
    let skeletons = [source, result].map(|clip| clip.clip.skeleton());
    if RigFile::default().check_fit(skeletons[0], skeletons[1]).is_err() {
        let result = result.path.display();
        return Err(Failure::Usage(format!(
            "{result} does not say which target it was made for; add --to TARGET, or --to {result} to have its rig \
             recognised in it (the source comes first, then the result)"
        )));
    }
    settings.keep_floor = true;
    Ok(convert::source_rig(source, written.clone())?)
}
