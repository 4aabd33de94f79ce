//! Rigs in doubt: they are refused, or used and reported where the user accepts doubt.

use super::formats::Native;
use crate::binding::Binding;
use crate::clip::Clip;
use crate::error::Error;
use crate::rig::{Recognised, Rig, RigError, RigHints, Roles, UpDoubt};
use crate::skeleton::Skeleton;
use std::path::Path;

/// The rig of a skeleton whose roles are known. Its up axis is found from the motion. The format decides instead where
/// the found axis is in doubt or is not the one that the zero pose stands along, as in a clip in which the body lies.
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

/// Refuses a rig where two readings give different up axes.
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

/// What was in doubt in a rig that is used all the same, since the user accepts doubt.
pub fn doubts(recognised: &Recognised, rig: &Rig) -> Vec<String> {
    let up = UpDoubt::of(rig).map(|doubt| doubt.to_string());
    recognised.doubts.iter().cloned().chain(up).collect()
}
