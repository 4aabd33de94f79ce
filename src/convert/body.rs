//! The rig of a file: recognised, checked, and its clip steadied.

use super::character::Character;
use super::doubt::rig_by_format;
use super::files::read_bytes;
use super::nodes::{Native, NodeFile};
use super::reading::refuse_misnamed;
use super::{LoadedRig, Reading, SourceClip, read_as};
use crate::arrays;
use crate::bvh::{self, BvhFile, Repair};
use crate::clip::Clip;
use crate::error::Error;
use crate::rig::{
    Description, Recognised, Rig, RigFile, RigFileError, Roles, SkeletonSource, WrittenRoles,
    describe, recognise, recognise_clip, steadied,
};
use crate::skeleton::Skeleton;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

/// A skeleton as its file has it, before its rig is known.
pub(super) struct ReadBody {
    pub skeleton: Skeleton,
    /// Its motion, where the file shows any that tells of the rig.
    pub clip: Option<Clip>,
    pub repaired: Vec<Repair>,
    /// What was taken for granted as it was read, a sentence each.
    pub notes: Vec<String>,
    /// What the file's format itself says of it.
    pub native: Native,
    pub character: Option<Character>,
}

/// Reads the skeleton of a file of any format; `reading` is about files of arrays alone.
pub(super) fn read_body(path: &Path, reading: &Reading) -> Result<ReadBody, Error> {
    parse_body(path, &read_bytes(path)?, reading)
}

/// As [`read_body`], of a file's bytes.
pub(super) fn parse_body(path: &Path, bytes: &[u8], reading: &Reading) -> Result<ReadBody, Error> {
    refuse_misnamed(path, bytes)?;
    if NodeFile::is_one(bytes) {
        let (character, skeleton, native) = Character::read(path, bytes)?;
        return Ok(ReadBody { native, character: Some(character), ..ReadBody::of(skeleton) });
    }
    if arrays::is_one(bytes) {
        let SourceClip { clip, notes, native, .. } = read_as(path, bytes, reading)?;
        let skeleton = clip.skeleton().clone();
        return Ok(ReadBody { clip: Some(clip), notes, native, ..ReadBody::of(skeleton) });
    }
    let wrong = |source| Error::Bvh { path: path.to_owned(), source };
    match bvh::read(bytes) {
        Ok(BvhFile { clip, repaired }) => {
            let skeleton = clip.skeleton().clone();
            Ok(ReadBody { clip: Some(clip), repaired, ..ReadBody::of(skeleton) })
        }
        Err(error) if error.is_no_motion() => {
            let hierarchy = bvh::read_hierarchy(bytes).map_err(wrong)?;
            Ok(ReadBody { repaired: hierarchy.repaired, ..ReadBody::of(hierarchy.skeleton) })
        }
        Err(source) => Err(wrong(source)),
    }
}

impl ReadBody {
    /// A skeleton of which nothing else is known.
    pub fn of(skeleton: Skeleton) -> Self {
        let (clip, repaired, notes) = (None, Vec::new(), Vec::new());
        Self { skeleton, clip, repaired, notes, native: Native::default(), character: None }
    }

    /// The rig. `path` is that of `file`, which says more of it, or the skeleton's own.
    pub fn rig(self, path: &Path, file: RigFile, accept_doubt: bool) -> Result<LoadedRig, Error> {
        let Self { skeleton, clip, repaired, notes, native, character } = self;
        let (mut loaded, _) =
            build_rig(path, file, skeleton, &native, clip.as_ref(), accept_doubt)?;
        if let Some(character) = &character {
            character.dress(&mut loaded.rig);
        }
        Ok(LoadedRig { repaired, notes, character: character.map(Arc::new), ..loaded })
    }
}

/// A rig, and its clip without turns of joints that cancel each other, where it had any.
fn build_rig(
    path: &Path,
    file: RigFile,
    skeleton: Skeleton,
    native: &Native,
    clip: Option<&Clip>,
    accept_doubt: bool,
) -> Result<(LoadedRig, Option<Clip>), Error> {
    let wrong = |source| Error::RigFile { path: path.to_owned(), source };
    let mut written = written_roles(&file, &skeleton, &native.roles).map_err(wrong)?;
    written.accept_doubt = accept_doubt;
    let recognised = recognise_in(path, &skeleton, clip, &written)?;
    let steady = clip.and_then(|clip| steadied(clip, &recognised.roles));
    let clip = steady.as_ref().or(clip);
    let mut hints = file.hints(&skeleton, clip).map_err(wrong)?;
    hints.modelled = native.modelled;
    let rig = rig_by_format(skeleton, recognised.roles.clone(), clip, hints, native)
        .map_err(|source| Error::Rig { path: path.to_owned(), source })?;
    file.check_lengths(rig.leg_len).map_err(wrong)?;
    let (path, shape) = (path.to_owned(), native.shape.clone().unwrap_or_default());
    let (repaired, notes, character) = (Vec::new(), Vec::new(), None);
    // Every tool that shows such files draws its ground there.
    let floor = file.floor.unwrap_or(0.0);
    Ok((
        LoadedRig { path, rig, recognised, file, floor, repaired, notes, shape, character },
        steady,
    ))
}

/// All that is known of a rig, in the form in which a user says it. Clips of the same skeleton that are read with it
/// get that rig.
pub fn lock(loaded: &LoadedRig) -> RigFile {
    RigFile::parse(&lock_text(loaded)).expect("what was described is read")
}

/// The text of a [`lock`], with comments that say how sure each is.
pub fn lock_text(loaded: &LoadedRig) -> String {
    described(loaded, SkeletonSource::Joints)
}

/// The text of a file that says which joint has which role and which axis is up, for all clips with joints of these
/// names in this tree, with comments that say how sure each is.
pub fn meaning_text(loaded: &LoadedRig) -> String {
    described(loaded, SkeletonSource::Clips)
}

fn described(loaded: &LoadedRig, source: SkeletonSource) -> String {
    let (skeleton, recognised) = (&loaded.rig.skeleton, &loaded.recognised);
    describe(&Description { skeleton, source, recognised, rig: Some(&loaded.rig), floor: None })
}

/// What the user wrote of a skeleton's roles, and what its format names that he did not.
pub(super) fn written_roles(
    file: &RigFile,
    skeleton: &Skeleton,
    named: &Roles,
) -> Result<WrittenRoles, RigFileError> {
    let mut written = file.roles(skeleton)?;
    for (role, joint) in named.iter() {
        let is_taken = written.roles.joint(role).is_some()
            || written.roles.role(joint).is_some()
            || written.ignored.contains(&joint);
        if !is_taken {
            written.roles.insert(role, joint);
        }
    }
    Ok(written)
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

/// As [`source_rig`], of a clip of which nothing is written; where the evidence is weak or contradicts itself the
/// likeliest reading, whose [`doubts`](super::doubts) say so.
pub fn likeliest_rig(source: &SourceClip) -> Result<LoadedRig, Error> {
    source_body(source, RigFile::default(), true).map(|(loaded, _)| loaded)
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
    let (loaded, steady) = build_rig(
        &source.path,
        written,
        skeleton,
        &source.native,
        Some(&source.clip),
        accept_doubt,
    )?;
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
