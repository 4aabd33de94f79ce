//! glTF as one of the formats of files of nodes.

use super::{Appending, GltfFile, GltfReadError};
use crate::scene::{
    AppendingFile, Fetch, FormatError, NewAnimation, Reader, Scene, SceneFile, Shown, Surface,
    Track,
};

/// Reads glTF and VRM, binary or as JSON.
pub(super) const READER: Reader = Reader {
    read: |bytes, fetch| Ok(Box::new(GltfFile::read(bytes, fetch)?)),
    nodes: |bytes, fetch| Ok(GltfFile::read(bytes, fetch)?.scene().clone()),
};

impl SceneFile for GltfFile {
    fn scene(&self) -> &Scene {
        self.scene()
    }

    fn tracks(&self, take: usize) -> Result<Vec<Track>, FormatError> {
        Ok(self.tracks(take)?)
    }

    fn surfaces(&self, fetch: Fetch) -> Result<Vec<Surface>, FormatError> {
        Ok(self.surfaces(fetch)?)
    }

    fn shown(&self, take: usize, fetch: Fetch) -> Shown {
        let look = match self.look(fetch) {
            Ok(look) => look,
            Err(error) => return Shown::Hidden(error.to_string()),
        };
        match look.packed_by {
            _ if !look.has_meshes => Shown::Bones,
            Some(extension) => Shown::Hidden(format!("it is compressed with {extension}")),
            None => Shown::Itself { outside: look.outside, start_s: self.start_s(take) },
        }
    }

    fn endings(&self) -> &'static [&'static str] {
        if self.is_binary() { &[".glb", ".vrm"] } else { &[".gltf"] }
    }

    fn appending(&self, replace: bool) -> Result<Box<dyn AppendingFile + '_>, FormatError> {
        Ok(Box::new(self.appending(replace)))
    }
}

impl AppendingFile for Appending<'_> {
    fn push(&mut self, new: &NewAnimation) -> Result<Vec<u8>, FormatError> {
        Ok(self.push(new)?)
    }

    fn relocate(&self, _: &mut [u8], _: usize) {
        // They do not depend on their place.
    }

    fn around(&self) -> Result<[Vec<u8>; 2], FormatError> {
        Ok(self.around()?.ok_or(GltfReadError::NoChunk)?)
    }

    fn whole(&self, numbers: Vec<u8>) -> Result<Vec<u8>, FormatError> {
        Ok(self.whole(&numbers)?)
    }
}
