//! A character: a file of nodes with a body in it, which is given back as it came with an animation more.

use super::nodes::{self, AnimationTracks, Native, NodeAppending, NodeFile};
use super::results::endings_of_character;
use crate::clip::Clip;
use crate::error::Error;
use crate::formats::ends_in;
use crate::rig::{Rig, Role, Roles, WrittenRoles, recognise};
use crate::scene::{Body, Track};
use crate::skeleton::{JointId, Skeleton};
use std::fmt;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// A file of nodes, and its joints as a skeleton.
pub struct Character {
    /// As the user named it, or what messages call it.
    pub path: PathBuf,
    pub file: NodeFile,
    pub body: Body,
}

impl fmt::Debug for Character {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Character").field("path", &self.path).finish_non_exhaustive()
    }
}

/// An animation as it is to be added to a character's file, such as glTF or FBX. Results in other formats do not have
/// it.
#[derive(Clone, Copy, Debug)]
#[deny(missing_docs)]
pub struct NewAnimation<'a> {
    /// What it is called.
    pub name: &'a str,
    /// Whether it replaces an animation of that name in the file, which is an error otherwise.
    pub replace: bool,
}

impl Character {
    /// Reads a file's bytes, with the skeleton that a clip is transferred onto, whose roots and hips have position
    /// channels, and what the format says of it.
    pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<(Self, Skeleton, Native), Error> {
        Self::of(path, NodeFile::read(path, bytes)?)
    }

    /// As [`read`](Self::read), of a file that was read.
    pub(super) fn of(path: &Path, file: NodeFile) -> Result<(Self, Skeleton, Native), Error> {
        let body = nodes::body(path, file.scene())?;
        let native = nodes::native(file.scene(), &body);
        // Which joint the hips are is known once the rig is: here it is enough to find it where it can be found.
        let written = WrittenRoles { roles: native.roles.clone(), ..WrittenRoles::default() };
        let recognised = recognise(body.skeleton(), &written);
        let hips = match recognised {
            Ok(found) => found.roles.joint(Role::Hips),
            Err(error) => error.guess.iter().find(|it| it.role == Role::Hips).map(|it| it.joint),
        };
        // What the hips hang on may be asked to carry the travel.
        let tree = body.skeleton();
        let carries = |id| hips.is_some_and(|hips| id == hips || tree.is_ancestor(id, hips));
        let skeleton = body.skeleton_moving(|id| tree.parent(id).is_none() || carries(id));
        Ok((Self { path: path.to_owned(), file, body }, skeleton, native))
    }

    /// Tells a rig of the file which joints above the hips wear skin, unless somebody wrote it: those that the file's
    /// skins name, or its humanoid, are part of a body, and no holders of one.
    pub(super) fn dress(&self, rig: &mut Rig) {
        let Some(hips) = rig.joint(Role::Hips).filter(|_| rig.worn.is_empty()) else { return };
        let is_joint = |id: &JointId| {
            let node = self.body.nodes()[id.index()];
            self.file.scene().nodes[node].is_joint
        };
        rig.worn = rig.skeleton.ancestors(hips).filter(is_joint).collect();
    }

    /// Whether the file can be given back under this name.
    pub fn writes(&self, path: &Path) -> bool {
        self.file.endings().iter().any(|end| ends_in(path, end))
    }

    /// The endings of its results' names, for messages.
    pub fn endings(&self) -> String {
        endings_of_character(self.file.endings())
    }

    /// The file's own bytes with a result as an animation more. `roles` are the target's.
    pub fn with_animation(
        &self,
        result: &Clip,
        roles: &Roles,
        animation: NewAnimation,
    ) -> Result<Vec<u8>, Error> {
        let tracks = self.tracks(result, roles);
        let NewAnimation { name, replace } = animation;
        let mut file = self.file.appending(&self.path, replace)?;
        let new = AnimationTracks { name, tracks: &tracks, time: result.frame_time() };
        let numbers = file.push(&self.path, &new)?;
        file.whole(&self.path, numbers)
    }

    /// A result as tracks of the file's nodes. `roles` are the target's: their joints are keyed, and all others that
    /// move.
    pub fn tracks(&self, result: &Clip, roles: &Roles) -> Vec<Track> {
        let mut keyed: Vec<bool> =
            result.skeleton().ids().map(|id| roles.role(id).is_some()).collect();
        for frame in 0..result.len() {
            for (keyed, rotation) in keyed.iter_mut().zip(result.rotations(frame)) {
                *keyed |= rotation.angle() > STILL_RAD;
            }
        }
        self.body.tracks(self.file.scene(), result, &keyed)
    }

    /// The file as one to which animations are added one after the other.
    pub fn appending(&self, replace: bool) -> Result<Appending<'_>, Error> {
        let file = self.file.appending(&self.path, replace)?;
        // What cannot be written is told before anything is transferred.
        file.around(&self.path)?;
        Ok(Appending { path: &self.path, file, lens: Vec::new() })
    }
}

/// A character's file that gets one animation after the other, whose numbers wait elsewhere until all are known.
/// Memory: the file, and one animation.
pub struct Appending<'a> {
    path: &'a Path,
    file: NodeAppending<'a>,
    /// How many bytes each animation has.
    lens: Vec<usize>,
}

impl Appending<'_> {
    /// Adds an animation, whose numbers are written to `out`, behind those before.
    pub fn push(&mut self, new: &AnimationTracks, out: &mut impl Write) -> Result<(), Error> {
        let bytes = self.file.push(self.path, new)?;
        self.lens.push(bytes.len());
        let failed = |source| Error::Write { path: self.path.to_owned(), source };
        out.write_all(&bytes).map_err(failed)
    }

    /// What stands before and behind the numbers of all animations in the file.
    pub fn around(&self) -> Result<[Vec<u8>; 2], Error> {
        self.file.around(self.path)
    }

    /// Copies the numbers that [`push`](Self::push) wrote into the file, in which they begin at `place`.
    pub fn copy(
        &self,
        numbers: &mut impl Read,
        mut place: usize,
        out: &mut (impl Write + ?Sized),
    ) -> io::Result<()> {
        let mut bytes = Vec::new();
        for &len in &self.lens {
            bytes.resize(len, 0);
            numbers.read_exact(&mut bytes)?;
            self.file.relocate(&mut bytes, place);
            out.write_all(&bytes)?;
            place += len;
        }
        Ok(())
    }
}

/// What turns less than this does not move, radians.
const STILL_RAD: f64 = 1e-6;
