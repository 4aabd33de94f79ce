//! A glTF file in memory.

use super::append::Appending;
use super::container::{Container, Kind};
use super::document::Document;
use super::error::GltfReadError;
use super::look::{Look, look};
use super::{mesh, nodes, take};
use crate::scene::{Fetch, Scene, Surface, Track};
use std::borrow::Cow;

/// A glTF or VRM file: its scene, its animations, and everything that is needed to write it with further animations.
pub struct GltfFile {
    container: Container,
    document: Document,
    /// The bytes of the buffers that contain bodies and animations, except the chunk of a binary file.
    buffers: Vec<Vec<u8>>,
    scene: Scene,
    /// The time at which each animation begins, seconds.
    starts_s: Vec<f64>,
}

impl GltfFile {
    /// Reads a file. `fetch` gets the bytes of the files that it names, and is called only for those that contain
    /// bodies or animations. Time and memory grow with the file.
    pub fn read(bytes: &[u8], fetch: Fetch) -> Result<Self, GltfReadError> {
        let container = Container::open(bytes)?;
        let document = container.document()?;
        let asked_for = asked_for(&document);
        let buffers = container.buffers(&document, |index| asked_for.contains(&index), fetch)?;
        let takes = take::takes(&document, &buffers)?;
        let (starts_s, takes) = takes.into_iter().unzip();
        let scene = nodes::scene(&document, &buffers, takes)?;
        let own = |bytes: Cow<[u8]>| match bytes {
            Cow::Owned(bytes) => bytes,
            Cow::Borrowed(_) => Vec::new(),
        };
        let buffers = buffers.into_iter().map(own).collect();
        Ok(Self { container, document, buffers, scene, starts_s })
    }

    /// Whether the file is binary glTF, which contains JSON and bytes, and not JSON alone.
    pub fn is_binary(&self) -> bool {
        self.container.kind == Kind::Binary
    }

    /// Its nodes. Where the file states which way the body faces, they face +Z.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The tracks of the animation at an index of [`Scene::takes`]: for each node that moves, a value in each frame.
    /// Panics if there is no such animation.
    pub fn tracks(&self, take: usize) -> Result<Vec<Track>, GltfReadError> {
        let chunk = self.container.chunk.as_deref().unwrap_or_default();
        let bytes = self.buffers.iter().enumerate().map(|(index, own)| match index {
            0 if own.is_empty() => chunk,
            _ => own,
        });
        let buffers: Vec<Cow<[u8]>> = bytes.map(Cow::Borrowed).collect();
        take::tracks(&self.document, &buffers, &self.scene, take, self.starts_s[take])
    }

    /// The time at which the animation at an index of [`Scene::takes`] begins, seconds. Panics if there is no such
    /// animation.
    pub fn start_s(&self, take: usize) -> f64 {
        self.starts_s[take]
    }

    /// What a page can show of the file. `fetch` gets the bytes of the files that it names.
    pub fn look(&self, fetch: Fetch) -> Result<Look, GltfReadError> {
        look(&self.container, fetch)
    }

    /// Its meshes, in the order of their nodes. `fetch` gets the bytes of the files that it names. Memory: some ten
    /// times that of the meshes in the file.
    pub fn surfaces(&self, fetch: Fetch) -> Result<Vec<Surface>, GltfReadError> {
        mesh::surfaces(&self.container, &self.document, fetch)
    }

    /// The file, ready to be given animations one after the other; everything else stays byte for byte. An animation
    /// has a key at each frame, from time zero on. With `replace` it replaces one of the same name, which is an error
    /// otherwise.
    pub fn appending(&self, replace: bool) -> Appending<'_> {
        Appending::new(&self.container, &self.document, replace)
    }
}

/// The buffers that contain skins and animations.
fn asked_for(document: &Document) -> Vec<usize> {
    let samplers = document.animations.iter().flat_map(|animation| &animation.samplers);
    let accessors = samplers.flat_map(|sampler| [sampler.input, sampler.output]);
    let accessors =
        accessors.chain(document.skins.iter().filter_map(|it| it.inverse_bind_matrices));
    let accessors = accessors.filter_map(|index| document.accessors.get(index));
    let views = accessors.flat_map(|accessor| {
        let sparse = accessor.sparse.iter();
        let sparse = sparse.flat_map(|it| [it.indices.buffer_view, it.values.buffer_view]);
        accessor.buffer_view.into_iter().chain(sparse)
    });
    let mut buffers: Vec<usize> =
        views.filter_map(|index| Some(document.buffer_views.get(index)?.buffer)).collect();
    buffers.sort_unstable();
    buffers.dedup();
    buffers
}
