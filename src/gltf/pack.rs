//! The two chunks of a binary glTF file: the JSON, and the numbers that it points into.

use gltf_json::accessor::{Accessor, ComponentType, GenericComponentType, Type};
use gltf_json::buffer::{Buffer, Target, View};
use gltf_json::validation::{Checked::Valid, USize64};
use gltf_json::{Extras, Index, Root, Value};

/// A number as glTF stores it.
pub trait Component: Copy + PartialOrd + Into<f64> {
    const TYPE: ComponentType;
    fn put(self, bytes: &mut Vec<u8>);
}

impl Component for f32 {
    const TYPE: ComponentType = ComponentType::F32;
    fn put(self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.to_le_bytes());
    }
}

impl Component for u16 {
    const TYPE: ComponentType = ComponentType::U16;
    fn put(self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.to_le_bytes());
    }
}

impl Component for u32 {
    const TYPE: ComponentType = ComponentType::U32;
    fn put(self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.to_le_bytes());
    }
}

/// A file that grows.
pub struct Pack {
    pub root: Root,
    bytes: Vec<u8>,
}

impl Pack {
    pub fn new() -> Self {
        let mut root = Root::default();
        root.asset.generator = Some(concat!("retarget ", env!("CARGO_PKG_VERSION")).to_owned());
        Self { root, bytes: Vec::new() }
    }

    /// Appends items of one type with an accessor of their own. `target` is given for what a mesh has;
    /// `bounds` adds least and most, which glTF asks for of times and of places.
    pub fn push<C: Component, const N: usize>(
        &mut self,
        items: impl Iterator<Item = [C; N]>,
        type_: Type,
        target: Option<Target>,
        bounds: bool,
    ) -> Index<Accessor> {
        let start = self.bytes.len();
        let mut count = 0u64;
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
        let length = self.bytes.len() - start;
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let buffer_view = self.root.push(View {
            buffer: Index::new(0),
            byte_length: USize64(length as u64),
            byte_offset: Some(USize64(start as u64)),
            byte_stride: None,
            name: None,
            target: target.map(Valid),
            extensions: None,
            extras: Extras::default(),
        });
        let list = |item: [C; N]| Value::from(item.map(Into::<f64>::into).to_vec());
        let range = range.filter(|_| bounds);
        self.root.push(Accessor {
            buffer_view: Some(buffer_view),
            byte_offset: None,
            count: USize64(count),
            component_type: Valid(GenericComponentType(C::TYPE)),
            type_: Valid(type_),
            min: range.map(|(least, _)| list(least)),
            max: range.map(|(_, most)| list(most)),
            name: None,
            normalized: false,
            sparse: None,
            extensions: None,
            extras: Extras::default(),
        })
    }

    /// The whole file; `None` where it would be longer than a file can say.
    pub fn finish(mut self) -> Option<Vec<u8>> {
        self.root.push(Buffer {
            byte_length: USize64(self.bytes.len() as u64),
            name: None,
            uri: None,
            extensions: None,
            extras: Extras::default(),
        });
        let mut json = self.root.to_vec().expect("names and numbers alone");
        json.resize(json.len().next_multiple_of(4), b' ');
        let length = 12 + 8 + json.len() + 8 + self.bytes.len();
        let mut file = Vec::with_capacity(length);
        file.extend_from_slice(b"glTF");
        file.extend_from_slice(&2u32.to_le_bytes());
        file.extend_from_slice(&u32::try_from(length).ok()?.to_le_bytes());
        for (kind, chunk) in [(b"JSON", &json), (b"BIN\0", &self.bytes)] {
            file.extend_from_slice(&u32::try_from(chunk.len()).ok()?.to_le_bytes());
            file.extend_from_slice(kind);
            file.extend_from_slice(chunk);
        }
        Some(file)
    }
}
