//! FBX as one of the formats of files of nodes.

use super::{Appending, FbxFile, read, read_nodes};
use crate::scene::{
    AppendingFile, Fetch, FormatError, NewAnimation, Reader, Scene, SceneFile, Shown, Surface,
    Track,
};

/// Reads FBX. No other file is fetched.
pub(super) const READER: Reader = Reader {
    read: |bytes, _| Ok(Box::new(read(bytes)?)),
    nodes: |bytes, _| Ok(read_nodes(bytes)?),
};

impl SceneFile for FbxFile {
    fn scene(&self) -> &Scene {
        self.scene()
    }

    fn tracks(&self, take: usize) -> Result<Vec<Track>, FormatError> {
        Ok(self.tracks(take)?)
    }

    fn surfaces(&self, _: Fetch) -> Result<Vec<Surface>, FormatError> {
        let none = |_: &str| Err("pictures are not asked for".to_owned());
        Ok(self.meshes(&none)?.surfaces)
    }

    fn shown(&self, _: usize, fetch: Fetch) -> Shown {
        // Exporters write names of pictures as they stood on their own disks.
        match self.meshes(fetch) {
            Ok(meshes) => Shown::Meshes(meshes),
            Err(error) => Shown::Hidden(error.to_string()),
        }
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".fbx"]
    }

    fn appending(&self, replace: bool) -> Result<Box<dyn AppendingFile + '_>, FormatError> {
        Ok(Box::new(self.appending(replace)?))
    }

    fn sized_bone(&self) -> Option<String> {
        self.sized_bone()
    }
}

impl AppendingFile for Appending<'_> {
    fn push(&mut self, new: &NewAnimation) -> Result<Vec<u8>, FormatError> {
        Ok(self.push(new)?)
    }

    fn relocate(&self, numbers: &mut [u8], place: usize) {
        self.relocate(numbers, place);
    }

    fn around(&self) -> Result<[Vec<u8>; 2], FormatError> {
        Ok(self.around()?)
    }

    fn whole(&self, numbers: Vec<u8>) -> Result<Vec<u8>, FormatError> {
        Ok(self.whole(numbers)?)
    }
}
