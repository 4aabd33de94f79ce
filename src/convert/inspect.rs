//! What can be told of one file: how far its rig is recognised, and what its feet do.

use super::body::{ReadBody, parse_body, written_roles};
use super::character::Character;
use super::doubt::rig_by_format;
use super::nodes::{Native, NodeClip, NodeFile};
use super::reading::refuse_misnamed;
use super::{LengthUnit, LoadedRig, Reading, check_fit, check_lengths, load_rig_as, recognise_in};
use crate::arrays;
use crate::bvh::Repair;
use crate::clip::Clip;
use crate::contact::{self, ContactSettings, ContactTrack};
use crate::error::Error;
use crate::math::Vec3;
use crate::pose::{Pose, WorldPose};
use crate::rig::{Recognised, Rig, RigFile, steadied};
use crate::scene::{Base, Take};
use crate::skeleton::Skeleton;
use std::path::{Path, PathBuf};

/// All that was found in a file, as far as it goes.
#[derive(Debug)]
pub struct Inspection {
    /// As the user named it, or what messages call it.
    pub path: PathBuf,
    /// The files that were read: of a `skeleton.toml` the one that it names, too.
    pub files: Vec<PathBuf>,
    pub skeleton: Skeleton,
    /// The motion, where the file has any.
    pub clip: Option<Clip>,
    /// The animations of a file of nodes.
    pub takes: Vec<Take>,
    /// Where the zero pose of a file of nodes is from.
    pub base: Option<Base>,
    /// What the file's format itself says of its skeleton.
    pub native: Native,
    pub repaired: Vec<Repair>,
    /// What was taken for granted as it was read, a sentence each.
    pub notes: Vec<String>,
    pub recognised: Option<Recognised>,
    pub rig: Option<Rig>,
    /// When the feet stand, where there are a rig and a motion.
    pub contacts: Option<ContactTrack>,
    /// What stands in the way of retargeting it.
    pub problem: Option<Error>,
}

/// Inspects a `skeleton.toml`; `reading` is about a file of arrays that it names.
pub fn inspect_rig_file(path: &Path, reading: &Reading) -> Result<Inspection, Error> {
    let loaded = load_rig_as(path, reading, false)?;
    let files = loaded.files();
    let LoadedRig { rig, recognised, repaired, notes, character, .. } = loaded;
    Ok(Inspection {
        files,
        repaired,
        notes,
        base: character.map(|character| character.body.base),
        recognised: Some(recognised),
        ..Inspection { rig: Some(rig.clone()), ..Inspection::of(path, rig.skeleton) }
    })
}

/// Inspects the bytes of a file of any format; `path` is for messages, and for files beside it that it names, `written`
/// is what the user said of its rig, `reading` which of its animations is meant, and what arrays leave open. Where it
/// holds several and none is named its rig alone is looked at. Fails only where the bytes cannot be read.
pub fn inspect(
    path: &Path,
    bytes: &[u8],
    written: &RigFile,
    reading: &Reading,
    settings: &ContactSettings,
) -> Result<Inspection, Error> {
    inspect_as(path, bytes, written, reading, settings, false)
}

/// As [`inspect`], of a file as it is looked at where it is a target: glTF, VRM and FBX without their animations.
pub fn inspect_target(
    path: &Path,
    bytes: &[u8],
    written: &RigFile,
    reading: &Reading,
    settings: &ContactSettings,
) -> Result<Inspection, Error> {
    inspect_as(path, bytes, written, reading, settings, true)
}

fn inspect_as(
    path: &Path,
    bytes: &[u8],
    written: &RigFile,
    reading: &Reading,
    settings: &ContactSettings,
    as_target: bool,
) -> Result<Inspection, Error> {
    refuse_misnamed(path, bytes)?;
    if !arrays::is_one(bytes) {
        reading.refuse_other(path)?;
    }
    let (mut found, character) = match NodeFile::is_one(bytes) {
        true => {
            let (mut found, character) = of_nodes(path, bytes, reading)?;
            found.clip.take_if(|_| as_target);
            (found, Some(character))
        }
        false => {
            let ReadBody { skeleton, clip, repaired, notes, .. } =
                parse_body(path, bytes, reading)?;
            (Inspection { clip, repaired, notes, ..Inspection::of(path, skeleton) }, None)
        }
    };
    found.problem = found.look(written, settings).err();
    if let (Some(character), Some(rig)) = (&character, &mut found.rig) {
        character.dress(rig);
    }
    Ok(found)
}

/// The skeleton has the channels that it has as a target, whichever of them the motion has.
fn of_nodes(
    path: &Path,
    bytes: &[u8],
    reading: &Reading,
) -> Result<(Inspection, Character), Error> {
    let file = NodeFile::read(path, bytes)?;
    let takes = file.scene().takes.clone();
    let (clip, notes) = match file.clip(path, reading) {
        Ok(NodeClip { clip, notes, .. }) => (Some(clip), notes),
        Err(Error::Takes { .. }) if reading.clip.is_none() => (None, Vec::new()),
        Err(error) => return Err(error),
    };
    let (character, skeleton, native) = Character::of(path, file)?;
    let base = Some(character.body.base);
    Ok((
        Inspection { clip, native, takes, base, notes, ..Inspection::of(path, skeleton) },
        character,
    ))
}

impl Inspection {
    /// Of a file of which nothing is known but its skeleton.
    fn of(path: &Path, skeleton: Skeleton) -> Self {
        Self {
            path: path.to_owned(),
            files: vec![path.to_owned()],
            skeleton,
            clip: None,
            takes: Vec::new(),
            base: None,
            native: Native::default(),
            repaired: Vec::new(),
            notes: Vec::new(),
            recognised: None,
            rig: None,
            contacts: None,
            problem: None,
        }
    }

    /// Goes through the stages up to the first that fails.
    fn look(&mut self, written: &RigFile, settings: &ContactSettings) -> Result<(), Error> {
        let path = &self.path;
        let clip = self.clip.as_ref().filter(|clip| !clip.is_empty());
        check_fit(path, &self.skeleton, written)?;
        let wrong = |source| Error::RigFile { path: path.clone(), source };
        let roles = written_roles(written, &self.skeleton, &self.native.roles).map_err(wrong)?;
        let recognised = recognise_in(path, &self.skeleton, clip, &roles)?;
        let roles = self.recognised.insert(recognised).roles.clone();
        let steady = clip.and_then(|clip| steadied(clip, &roles));
        let clip = steady.as_ref().or(clip);
        let mut hints = written.hints(&self.skeleton, clip).map_err(wrong)?;
        hints.modelled = self.native.modelled;
        let rig = rig_by_format(self.skeleton.clone(), roles, clip, hints, &self.native)
            .map_err(|source| Error::Rig { path: path.clone(), source })?;
        let rig = self.rig.insert(rig);
        if let Some(clip) = clip {
            check_lengths(path, clip, rig)?;
            let feet = contact::foot_paths(clip, rig);
            let track = contact::detect(&feet, rig, clip.frame_time().seconds(), settings);
            self.contacts = Some(track);
        }
        Ok(())
    }

    /// The length unit that a file with such legs is probably in; of people alone.
    pub fn unit(&self) -> Option<LengthUnit> {
        LengthUnit::of(self.rig.as_ref()?)
    }

    /// Where the body faces in the first frame, or in the stance without any: level, world, unit
    /// length. `None` without a rig, or where it faces up or down.
    pub fn facing(&self) -> Option<Vec3> {
        let rig = self.rig.as_ref()?;
        let pose = match &self.clip {
            Some(clip) if !clip.is_empty() => clip.pose(0),
            _ => Pose::clone(&rig.stance.local),
        };
        rig.facing(&WorldPose::of(&rig.skeleton, &pose))
    }
}
