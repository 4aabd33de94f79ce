//! A glTF file that was read.

use super::append::Appending;
use super::container::{Container, Fetch, Kind};
use super::document::Document;
use super::error::GltfReadError;
use super::look::{Look, look};
use super::{mesh, nodes, take};
use crate::scene::{Scene, Surface, Track};
use std::borrow::Cow;

/// A glTF or VRM file: its scene, its animations, and all that is needed to give it back with one more.
pub struct GltfFile {
    container: Container,
    document: Document,
    /// The bytes of the buffers that bodies and animations are in, but for the chunk of a binary file.
    buffers: Vec<Vec<u8>>,
    scene: Scene,
    /// When each animation begins, seconds.
    starts_s: Vec<f64>,
}

impl GltfFile {
    /// Reads a file. `fetch` gets the bytes of the files that it names; only those are asked for that bodies and
    /// animations are in. Time and memory grow with the file.
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

    /// Whether it is one file of JSON and bytes, and not JSON alone.
    pub fn is_binary(&self) -> bool {
        self.container.kind == Kind::Binary
    }

    /// Its nodes, with +Z ahead where the file says what is.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// What the animation at a place of [`Scene::takes`] does with the nodes, a value for each of its frames. Panics
    /// where there is none.
    pub fn tracks(&self, take: usize) -> Result<Vec<Track>, GltfReadError> {
        let chunk = self.container.chunk.as_deref().unwrap_or_default();
        let bytes = self.buffers.iter().enumerate().map(|(index, own)| match index {
            0 if own.is_empty() => chunk,
            _ => own,
        });
        let buffers: Vec<Cow<[u8]>> = bytes.map(Cow::Borrowed).collect();
        take::tracks(&self.document, &buffers, &self.scene, take, self.starts_s[take])
    }

    /// When the animation at a place of [`Scene::takes`] begins, seconds. Panics where there is none.
    pub fn start_s(&self, take: usize) -> f64 {
        self.starts_s[take]
    }

    /// What there is to show. `fetch` gets the bytes of the files that it names.
    pub fn look(&self, fetch: Fetch) -> Result<Look, GltfReadError> {
        look(&self.container, fetch)
    }

    /// Its meshes, in the order of the nodes that carry them. `fetch` gets the bytes of the files that it names.
    /// Memory: some ten times that of the meshes in the file.
    pub fn surfaces(&self, fetch: Fetch) -> Result<Vec<Surface>, GltfReadError> {
        mesh::surfaces(&self.container, &self.document, fetch)
    }

    /// The file as one to which animations are added one after the other, all else as it was byte for byte: a key for
    /// each frame, from zero on. Those of the same names are taken away where they are to be `replace`d, else they are
    /// errors.
    pub fn appending(&self, replace: bool) -> Appending<'_> {
        Appending::new(&self.container, &self.document, replace)
    }
}

/// The buffers that skins and animations are in.
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
