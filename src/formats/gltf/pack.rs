//! Writes the two chunks of a binary glTF file: the JSON, and the bytes that it points into.

use super::json::{Accessor, Asset, Buffer, BufferView, Index, Kind, Root, Target, push};

/// A type of number that glTF stores.
pub trait Component: Copy + PartialOrd + Into<f64> {
    /// OpenGL's constant for the type, which glTF uses.
    const TYPE: u32;
    fn put(self, bytes: &mut Vec<u8>);
}

impl Component for f32 {
    const TYPE: u32 = 5126;
    fn put(self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.to_le_bytes());
    }
}

impl Component for u16 {
    const TYPE: u32 = 5123;
    fn put(self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.to_le_bytes());
    }
}

impl Component for u32 {
    const TYPE: u32 = 5125;
    fn put(self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.to_le_bytes());
    }
}

/// A file that is being made.
pub struct Pack {
    pub root: Root,
    bytes: Vec<u8>,
}

impl Pack {
    pub fn new() -> Self {
        let root = Root {
            accessors: Vec::new(),
            animations: Vec::new(),
            asset: Asset {
                generator: concat!("retarget ", env!("CARGO_PKG_VERSION")),
                version: "2.0",
            },
            buffers: Vec::new(),
            buffer_views: Vec::new(),
            extensions: None,
            extensions_used: Vec::new(),
            scene: 0,
            images: Vec::new(),
            materials: Vec::new(),
            meshes: Vec::new(),
            nodes: Vec::new(),
            scenes: Vec::new(),
            skins: Vec::new(),
            textures: Vec::new(),
        };
        Self { root, bytes: Vec::new() }
    }

    /// Appends items of one type with an accessor of their own. `target` is for numbers of a mesh; `bounds` adds the
    /// least and greatest values, which glTF asks for with times and positions.
    pub fn push<C: Component, const N: usize>(
        &mut self,
        items: impl Iterator<Item = [C; N]>,
        kind: Kind,
        target: Option<Target>,
        bounds: bool,
    ) -> Index {
        let start = self.bytes.len();
        let mut count = 0;
        let mut range: Option<([C; N], [C; N])> = None;
        for item in items {
            count += 1;
            let (least, most) = range.get_or_insert((item, item));
            for (i, value) in item.into_iter().enumerate() {
                value.put(&mut self.bytes);
                if value < least[i] {
                    least[i] = value;
                }
                if value > most[i] {
                    most[i] = value;
                }
            }
        }
        let buffer_view = self.view_from(start, target);
        let list = |item: [C; N]| item.map(Into::<f64>::into).to_vec();
        let range = range.filter(|_| bounds);
        let accessor = Accessor {
            buffer_view,
            count,
            component_type: C::TYPE,
            kind,
            min: range.map(|(least, _)| list(least)),
            max: range.map(|(_, most)| list(most)),
        };
        push(&mut self.root.accessors, accessor)
    }

    /// Appends bytes as they are, and returns the index of their view.
    pub fn view(&mut self, bytes: &[u8]) -> Index {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.view_from(start, None)
    }

    /// Adds a view of all bytes from a position on.
    fn view_from(&mut self, start: usize, target: Option<Target>) -> Index {
        let length = self.bytes.len() - start;
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let view = BufferView { buffer: 0, byte_length: length, byte_offset: start, target };
        push(&mut self.root.buffer_views, view)
    }

    /// Takes the bytes that the accessors point into, and leaves none.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// The whole file; `None` if it would be longer than 32 bits can state.
    pub fn finish(mut self) -> Option<Vec<u8>> {
        self.root.buffers.push(Buffer { byte_length: self.bytes.len() });
        let mut json = serde_json::to_vec(&self.root).expect("names and numbers alone");
        json.resize(json.len().next_multiple_of(4), b' ');
        binary(&json, &[&self.bytes], 0, &[])
    }
}

/// A binary glTF file up to the end of the given pieces of its chunk of bytes: first the JSON, padded with blanks,
/// then the pieces. `more` bytes of the chunk and the `others` are to follow. `None` if the file would be longer than
/// 32 bits can state.
pub fn binary(json: &[u8], pieces: &[&[u8]], more: usize, others: &[u8]) -> Option<Vec<u8>> {
    let bytes = more + pieces.iter().map(|piece| piece.len()).sum::<usize>();
    let length = 12 + 8 + json.len() + 8 + bytes + others.len();
    let mut file = Vec::with_capacity(length - more - others.len());
    file.extend_from_slice(b"glTF");
    file.extend_from_slice(&2u32.to_le_bytes());
    file.extend_from_slice(&u32::try_from(length).ok()?.to_le_bytes());
    for (kind, len, pieces) in [(b"JSON", json.len(), &[json][..]), (b"BIN\0", bytes, pieces)] {
        file.extend_from_slice(&u32::try_from(len).ok()?.to_le_bytes());
        file.extend_from_slice(kind);
        pieces.iter().for_each(|piece| file.extend_from_slice(piece));
    }
    Some(file)
}
