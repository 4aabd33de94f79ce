//! A character: a file of nodes with a body in it, which is given back as it came with an animation more.

use super::formats::{self, NodeFile};
use crate::clip::Clip;
use crate::error::Error;
use crate::rig::{Role, Roles, WrittenRoles, recognise};
use crate::scene::Body;
use crate::skeleton::Skeleton;
use std::fmt;
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

/// An animation as it is to be added to a character's file.
#[derive(Clone, Copy, Debug)]
pub struct NewAnimation<'a> {
    pub name: &'a str,
    /// Whether one of that name is to go.
    pub replace: bool,
}

impl Character {
    /// Reads a file's bytes, with the skeleton that a clip is carried onto, whose roots and hips have position channels,
    /// and the parts that the format names.
    pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<(Self, Skeleton, Roles), Error> {
        Self::of(path, NodeFile::read(path, bytes)?)
    }

    /// As [`read`](Self::read), of a file that was read.
    pub(super) fn of(path: &Path, file: NodeFile) -> Result<(Self, Skeleton, Roles), Error> {
        let body = formats::body(path, file.scene())?;
        let named = formats::named(file.scene(), &body);
        // Which joint the hips are is known once the rig is: here it is enough to find it where it can be found.
        let written = WrittenRoles { roles: named.clone(), ..WrittenRoles::default() };
        let recognised = recognise(body.skeleton(), &written);
        let hips = match recognised {
            Ok(found) => found.roles.joint(Role::Hips),
            Err(error) => error.guess.iter().find(|it| it.role == Role::Hips).map(|it| it.joint),
        };
        let is_root = |id| body.skeleton().parent(id).is_none();
        let skeleton = body.skeleton_moving(|id| is_root(id) || Some(id) == hips);
        Ok((Self { path: path.to_owned(), file, body }, skeleton, named))
    }

    /// Whether the file can be given back under this name.
    pub fn writes(&self, path: &Path) -> bool {
        let end = path.extension().map(|end| end.to_ascii_lowercase());
        let end = end.as_deref().and_then(|end| end.to_str()).unwrap_or_default();
        self.endings().split(" or ").any(|own| own[1..] == *end)
    }

    /// The endings of the names that the file can be given back under, for messages.
    pub fn endings(&self) -> &'static str {
        match &self.file {
            NodeFile::Gltf(file) if file.is_binary() => ".glb or .vrm or .bvh",
            NodeFile::Gltf(_) => ".gltf or .bvh",
        }
    }

    /// The file's own bytes with a result as an animation more. `roles` are the target's: their joints are keyed, and all
    /// others that move.
    pub fn with_animation(
        &self,
        result: &Clip,
        roles: &Roles,
        animation: NewAnimation,
    ) -> Result<Vec<u8>, Error> {
        let mut keyed: Vec<bool> =
            result.skeleton().ids().map(|id| roles.role(id).is_some()).collect();
        for frame in 0..result.len() {
            for (keyed, rotation) in keyed.iter_mut().zip(result.rotations(frame)) {
                *keyed |= rotation.angle() > STILL_RAD;
            }
        }
        let scene = self.file.scene();
        let tracks = self.body.tracks(scene, result, &keyed);
        let NewAnimation { name, replace } = animation;
        self.file.with_animation(&self.path, name, &tracks, result.frame_time(), replace)
    }
}

/// What turns less than this does not move, radians.
const STILL_RAD: f64 = 1e-6;
