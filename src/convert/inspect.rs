//! What can be told of one file: how far its rig is recognised, and what its feet do.

use super::{
    LengthUnit, LoadedRig, check_fit, check_lengths, load_rig, parse_skeleton, recognise_in,
};
use crate::bvh::Mend;
use crate::clip::Clip;
use crate::contact::{self, ContactSettings, ContactTrack};
use crate::error::Error;
use crate::math::Vec3;
use crate::pose::{Pose, WorldPose};
use crate::rig::{Recognised, Rig, RigFile};
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
    pub mended: Vec<Mend>,
    pub recognised: Option<Recognised>,
    pub rig: Option<Rig>,
    /// When the feet stand, where there are a rig and a motion.
    pub contacts: Option<ContactTrack>,
    /// What stands in the way of retargeting it.
    pub problem: Option<Error>,
}

/// Inspects a `skeleton.toml`.
pub fn inspect_rig_file(path: &Path) -> Result<Inspection, Error> {
    let loaded = load_rig(path)?;
    let files = loaded.files();
    let LoadedRig { rig, recognised, mended, .. } = loaded;
    Ok(Inspection {
        path: path.to_owned(),
        files,
        skeleton: rig.skeleton.clone(),
        clip: None,
        mended,
        recognised: Some(recognised),
        rig: Some(rig),
        contacts: None,
        problem: None,
    })
}

/// Inspects the bytes of a BVH file; `path` is for messages alone, `written` is what the user said of
/// its rig. Fails only where the bytes cannot be read as BVH.
pub fn inspect_bvh(
    path: &Path,
    bytes: &[u8],
    written: &RigFile,
    settings: &ContactSettings,
) -> Result<Inspection, Error> {
    let (skeleton, clip, mended) = parse_skeleton(path, bytes)?;
    let mut found = Inspection {
        path: path.to_owned(),
        files: vec![path.to_owned()],
        skeleton,
        clip,
        mended,
        recognised: None,
        rig: None,
        contacts: None,
        problem: None,
    };
    found.problem = found.look(written, settings).err();
    Ok(found)
}

impl Inspection {
    /// Goes through the stages up to the first that fails.
    fn look(&mut self, written: &RigFile, settings: &ContactSettings) -> Result<(), Error> {
        let path = &self.path;
        let clip = self.clip.as_ref().filter(|clip| !clip.is_empty());
        check_fit(path, &self.skeleton, written)?;
        let wrong = |source| Error::RigFile { path: path.clone(), source };
        let roles = written.roles(&self.skeleton).map_err(wrong)?;
        let recognised = recognise_in(path, &self.skeleton, clip, &roles)?;
        let roles = self.recognised.insert(recognised).roles.clone();
        let hints = written.hints(&self.skeleton, clip).map_err(wrong)?;
        let rig = Rig::new(self.skeleton.clone(), roles, clip, &hints)
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
