//! The rig of a file: recognised, checked, and its clip steadied.

use super::{LoadedRig, SourceClip};
use crate::bvh::Mend;
use crate::clip::Clip;
use crate::error::Error;
use crate::rig::{Recognised, Rig, RigFile, WrittenRoles, recognise, recognise_clip, steadied};
use crate::skeleton::Skeleton;
use std::borrow::Cow;
use std::path::Path;

/// A rig and, where turns were taken out of its clip that cancel each other, the clip without them.
pub(super) fn build_rig(
    path: &Path,
    file: RigFile,
    skeleton: Skeleton,
    clip: Option<&Clip>,
    mended: Vec<Mend>,
    accept_doubt: bool,
) -> Result<(LoadedRig, Option<Clip>), Error> {
    let wrong = |source| Error::RigFile { path: path.to_owned(), source };
    let mut written = file.roles(&skeleton).map_err(wrong)?;
    written.accept_doubt = accept_doubt;
    let recognised = recognise_in(path, &skeleton, clip, &written)?;
    let steady = clip.and_then(|clip| steadied(clip, &recognised.roles));
    let clip = steady.as_ref().or(clip);
    let hints = file.hints(&skeleton, clip).map_err(wrong)?;
    let rig = Rig::new(skeleton, recognised.roles.clone(), clip, &hints)
        .map_err(|source| Error::Rig { path: path.to_owned(), source })?;
    file.check_lengths(rig.leg_len).map_err(wrong)?;
    Ok((LoadedRig { path: path.to_owned(), rig, recognised, file, mended }, steady))
}

/// Roles from the motion too, where there is any.
pub(super) fn recognise_in(
    path: &Path,
    skeleton: &Skeleton,
    clip: Option<&Clip>,
    written: &WrittenRoles,
) -> Result<Recognised, Error> {
    match clip.filter(|clip| !clip.is_empty()) {
        Some(clip) => recognise_clip(clip, written),
        None => recognise(skeleton, written),
    }
    .map_err(|source| Error::Recognise { path: path.to_owned(), source: Box::new(source) })
}

/// Recognises the rig that a clip moves. `written` is what the user said of it.
pub fn source_rig(source: &SourceClip, written: RigFile) -> Result<LoadedRig, Error> {
    source_body(source, written, false).map(|(loaded, _)| loaded)
}

/// The rig that a clip moves, and the clip with turns taken out that cancel each other.
pub(super) fn source_body(
    source: &SourceClip,
    written: RigFile,
    accept_doubt: bool,
) -> Result<(LoadedRig, Cow<'_, Clip>), Error> {
    if source.clip.is_empty() {
        return Err(Error::NoFrames { path: source.path.clone() });
    }
    let skeleton = source.clip.skeleton().clone();
    check_fit(&source.path, &skeleton, &written)?;
    let (loaded, steady) =
        build_rig(&source.path, written, skeleton, Some(&source.clip), Vec::new(), accept_doubt)?;
    check_lengths(&source.path, &source.clip, &loaded.rig)?;
    Ok((loaded, steady.map_or(Cow::Borrowed(&source.clip), Cow::Owned)))
}

/// Refuses clips of another rig than the one that the user listed.
pub(super) fn check_fit(path: &Path, skeleton: &Skeleton, written: &RigFile) -> Result<(), Error> {
    if written.joints.is_empty() {
        return Ok(());
    }
    let wrong = |source| Error::RigFile { path: path.to_owned(), source };
    let Some(listed) = written.skeleton().map_err(wrong)? else { return Ok(()) };
    let other = |source| Error::OtherRig { path: path.to_owned(), source };
    written.check_fit(&listed, skeleton).map_err(other)
}

/// Refuses clips whose position channels pull the body to pieces, as some exporters' zeros do.
pub(super) fn check_lengths(path: &Path, clip: &Clip, rig: &Rig) -> Result<(), Error> {
    for frame in [0, clip.len() / 2, clip.len() - 1] {
        let ratio = rig.leg_len_in(&clip.pose(frame)) / rig.leg_len;
        if !(0.5..2.0).contains(&ratio) {
            return Err(Error::Collapsed { path: path.to_owned(), frame, ratio });
        }
    }
    Ok(())
}
