//! What is in doubt of a rig: refused, or gone on with and told.

use super::formats::Native;
use crate::binding::Binding;
use crate::clip::Clip;
use crate::error::Error;
use crate::rig::{Recognised, Rig, RigError, RigHints, Roles, UpDoubt};
use crate::skeleton::Skeleton;
use std::path::Path;

/// The rig of a skeleton whose roles are known. Which axis is up is found, but where that is in doubt, or where another
/// one is found than the zero pose stands along, the format says it: a clip in which a body lies shows none.
pub(super) fn rig_by_format(
    skeleton: Skeleton,
    roles: Roles,
    clip: Option<&Clip>,
    mut hints: RigHints,
    native: &Native,
) -> Result<Rig, RigError> {
    let rig = Rig::new(skeleton, roles, clip, &hints)?;
    let found = rig.up_found;
    let stands = |up| found.up != up && found.other == up && found.speaks[1].zero_pose > 0.0;
    let is_doubtful = UpDoubt::of(&rig).is_some();
    match native.up.filter(|up| hints.up.is_none() && (is_doubtful || stands(*up))) {
        Some(up) => {
            hints.up = Some(up);
            Rig::new(rig.skeleton, rig.roles, clip, &hints)
        }
        None => Ok(rig),
    }
}

/// Refuses a rig whose up axis two readings compete for.
pub(super) fn check_doubt(path: &Path, rig: &Rig) -> Result<(), Error> {
    match UpDoubt::of(rig) {
        Some(doubt) => Err(Error::Doubt { path: path.to_owned(), doubt: Box::new(doubt) }),
        None => Ok(()),
    }
}

/// Refuses a pair of rigs of which one stands in a way that nothing shows; the files are those of the source and of the
/// target.
pub(super) fn check_stances(files: [&Path; 2], binding: &Binding) -> Result<(), Error> {
    let rigs = [&binding.source, &binding.target];
    let doubt = |(path, rig): (&Path, &Rig)| {
        binding.stance_doubt(rig).map(|doubt| Error::StanceDoubt { path: path.to_owned(), doubt })
    };
    files.into_iter().zip(rigs).find_map(doubt).map_or(Ok(()), Err)
}

/// What was in doubt of a rig and gone on with all the same, since the user said so.
pub fn doubts(recognised: &Recognised, rig: &Rig) -> Vec<String> {
    let up = UpDoubt::of(rig).map(|doubt| doubt.to_string());
    recognised.doubts.iter().cloned().chain(up).collect()
}
