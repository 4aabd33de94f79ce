//! One of the two clips that are looked at, with what is known of its rig.

use super::error::BlenderError;
use crate::arrays;
use crate::cli::failure::Failure;
use crate::cli::stream::tell_notes;
use crate::clip::Clip;
use crate::contact::{self, ContactSettings, ContactTrack};
use crate::convert::{self, LoadedRig, Reading, Skinned};
use crate::error::Error;
use crate::math::{Quat, Vec3};
use crate::pose::{Pose, WorldPose};
use crate::rig::{Rig, RigFile};
use crate::settings::Settings;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// A point as Blender's importer turns it, −Z forward and Y up.
pub fn blender_from_file(point: Vec3) -> Vec3 {
    Vec3::new(point.x, -point.z, point.y)
}

/// Calls `see` with each of the frames: its place in the list, its number, its world pose.
pub fn for_each(clip: &Clip, frames: &[usize], mut see: impl FnMut(usize, usize, &WorldPose)) {
    let mut pose = Pose::rest(clip.skeleton());
    let mut world = WorldPose::new(clip.skeleton().len());
    for (place, &frame) in frames.iter().enumerate() {
        clip.read_pose(frame, &mut pose);
        world.set(clip.skeleton(), &pose);
        see(place, frame, &world);
    }
}

/// The diagonal of the box about points.
pub fn diagonal(points: &[Vec3]) -> f64 {
    let Some(first) = points.first() else { return 0.0 };
    let (mut least, mut most) = (*first, *first);
    for point in points {
        (least, most) = (least.inf(point), most.sup(point));
    }
    (most - least).norm()
}

/// A clip; of its rig as much as is recognised, since any clip can be compared.
pub struct Side {
    /// `source` or `result`; names its files in the scratch folder.
    pub name: &'static str,
    pub path: PathBuf,
    /// All files that were read of it and of its rig.
    pub files: Vec<PathBuf>,
    pub clip: Clip,
    /// The rig, and when its feet stand.
    pub known: Option<(Rig, ContactTrack)>,
    /// Its meshes, where it is a character's: then Blender is given the character's own file.
    pub skinned: Option<Skinned>,
    /// The file as it is, or its clip written anew where it took repairing or is of arrays.
    bvh: Vec<u8>,
}

impl Side {
    /// The source clip; `from` is what the user says of its rig, to which it is held.
    pub fn source(path: &Path, reading: &Reading, from: Option<&Path>) -> Result<Self, Failure> {
        let written = convert::read_written(from)?;
        let (mut side, problem) = Self::read("source", path, reading, &written)?;
        side.files.extend(from.map(Path::to_owned));
        match problem.filter(|_| from.is_some()) {
            Some(problem) => Err(convert::in_written(problem, from).into()),
            None => Ok(side),
        }
    }

    /// What came out of the source, and the target that it was made for. Of one without has the source's rig what has
    /// its skeleton; others, characters among them, have the one that is recognised in them.
    pub fn result(
        path: &Path,
        reading: &Reading,
        target: Option<LoadedRig>,
        source: &Self,
    ) -> Result<Self, Failure> {
        let (mut side, _) = Self::read("result", path, reading, &RigFile::default())?;
        if let Some(target) = target {
            convert::check_target(path, &side.clip, &target)?;
            side.files.extend(target.files());
            side.know(target.rig);
            return Ok(side);
        }
        if source.has_skeleton_of(&side) {
            match &source.known {
                Some((rig, _)) => side.know(rig.clone()),
                None => side.known = None,
            }
        }
        Ok(side)
    }

    /// The clip, and what stands in the way of knowing its rig.
    fn read(
        name: &'static str,
        path: &Path,
        reading: &Reading,
        written: &RigFile,
    ) -> Result<(Self, Option<Error>), Failure> {
        let bytes = convert::read_bytes(path)?;
        let found = convert::inspect(path, &bytes, written, reading, &ContactSettings::default())?;
        tell_notes(path, &found.notes);
        let skinned = Skinned::read(path, &bytes, reading)?;
        let (path, files) = (path.to_owned(), found.files);
        let Some(clip) = found.clip.filter(|clip| !clip.is_empty()) else {
            return Err(Error::NoFrames { path }.into());
        };
        let is_as_it_is = found.repaired.is_empty() && !arrays::is_one(&bytes);
        let bvh = if is_as_it_is { bytes } else { written_anew(&clip) };
        let known = found.rig.zip(found.contacts);
        Ok((Self { name, path, files, known, clip, skinned, bvh }, found.problem))
    }

    /// Whether the other has the same joints.
    pub fn has_skeleton_of(&self, other: &Self) -> bool {
        RigFile::default().check_fit(self.clip.skeleton(), other.clip.skeleton()).is_ok()
    }

    fn know(&mut self, rig: Rig) {
        let feet = contact::foot_paths(&self.clip, &rig);
        let frame_time_s = self.clip.frame_time().seconds();
        let track = contact::detect(&feet, &rig, frame_time_s, &ContactSettings::default());
        self.known = Some((rig, track));
    }

    /// Whether it is a character of FBX, of which Blender's importer shows less than of others.
    pub fn is_fbx(&self) -> bool {
        self.skinned.as_ref().is_some_and(|skinned| skinned.format().name == "FBX")
    }

    /// What Blender is given to open.
    pub fn bvh(&self) -> &[u8] {
        &self.bvh
    }

    /// The file's name.
    pub fn file_name(&self) -> Cow<'_, str> {
        self.path.file_name().unwrap_or_default().to_string_lossy()
    }

    /// The turn of the file's world in that of the clip.
    pub fn turn(&self) -> Quat {
        self.skinned.as_ref().map_or(Quat::identity(), Skinned::turn)
    }

    /// The places of the joints that are compared. Blender's importer of FBX leaves those that no key moves where the
    /// mesh was bound to them, whatever their nodes say.
    pub fn shown(&self) -> Vec<usize> {
        let all = 0..self.clip.skeleton().len();
        match &self.skinned {
            Some(skinned) if self.is_fbx() => {
                all.filter(|joint| skinned.moves(skinned.joints()[*joint])).collect()
            }
            _ => all.collect(),
        }
    }

    /// Of each point of a character's meshes whether it is compared: of FBX those that such joints alone move.
    pub fn shown_points(&self, skinned: &Skinned) -> Vec<bool> {
        let mut shown = Vec::new();
        for surface in skinned.surfaces() {
            if !self.is_fbx() {
                shown.resize(shown.len() + surface.points.len(), true);
                continue;
            }
            match &surface.skin {
                Some(skin) => shown.extend(skin.weights.iter().map(|weights| {
                    weights.iter().all(|(joint, _)| skinned.moves(skin.joints[*joint as usize]))
                })),
                None => shown.resize(shown.len() + surface.points.len(), false),
            }
        }
        shown
    }

    /// The frames in which a character's meshes are compared: the first, the last, and some between.
    pub fn shaped(&self) -> Vec<usize> {
        const COUNT: usize = 5;
        let last = self.clip.len() - 1;
        let mut frames: Vec<usize> = (0..COUNT).map(|i| i * last / (COUNT - 1)).collect();
        frames.dedup();
        frames
    }

    /// The frames that are compared: every tenth, and the last.
    pub fn compared(&self) -> Vec<usize> {
        const STEP: usize = 10;
        let last = self.clip.len() - 1;
        let mut frames: Vec<usize> = (0..self.clip.len()).step_by(STEP).collect();
        if !last.is_multiple_of(STEP) {
            frames.push(last);
        }
        frames
    }
}

/// The clip with as many digits as it has.
fn written_anew(clip: &Clip) -> Vec<u8> {
    let mut settings = Settings::default();
    settings.write.decimals = 12;
    clip.bvh_bytes(&settings)
}

/// Refuses two clips that cannot be played side by side.
pub fn check_pair([source, result]: &[Side; 2]) -> Result<(), Failure> {
    convert::check_frames(&result.path, &result.clip, &source.clip)?;
    let times = [source, result].map(|side| side.clip.frame_time());
    let ratio = times[0].seconds() / times[1].seconds();
    if !(0.999..1.001).contains(&ratio) {
        let [source_time, result_time] = times.map(|time| time.text().to_owned());
        let (source_clip, result) = (source.path.clone(), result.path.clone());
        return Err(
            BlenderError::OtherTimes { source_clip, source_time, result, result_time }.into()
        );
    }
    Ok(())
}
