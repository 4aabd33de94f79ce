//! Reads the numbers that accessors point at.

use super::document::{Accessor, Document};
use super::error::GltfReadError;
use std::borrow::Cow;

/// The buffers of a file, by index.
pub type Buffers<'a> = [Cow<'a, [u8]>];

/// The most items of an accessor without bytes. Such an accessor costs nothing in the file, so the file's size does
/// not bound it.
const MOST_WITHOUT_BYTES: u64 = 1 << 20;

/// The items of an accessor, each of `N` numbers. Normalised integers become numbers of 0 to 1, or -1 to 1. Memory:
/// eight bytes per number.
pub fn numbers<const N: usize>(
    document: &Document,
    buffers: &Buffers,
    index: usize,
    from: &str,
) -> Result<Vec<[f64; N]>, GltfReadError> {
    let place = || format!("accessor {index}");
    let missing = |what, index| GltfReadError::Missing { place: place(), what, index };
    let accessor = document.accessors.get(index).ok_or_else(|| GltfReadError::Missing {
        place: from.to_owned(),
        what: "accessor",
        index,
    })?;
    let wanted = match N {
        1 => "SCALAR",
        3 => "VEC3",
        4 => "VEC4",
        _ => "MAT4",
    };
    if accessor.kind != wanted {
        let found = accessor.kind.clone();
        return Err(GltfReadError::Kind { place: place(), found, wanted });
    }
    let component = Component::of(accessor.component_type, &place)?;
    let item_len = N * component.len();
    let mut items = match accessor.buffer_view {
        Some(view) => {
            let bytes = viewed(document, buffers, view)
                .map_err(|error| error.unwrap_or_else(|| missing("bufferView", view)))?;
            let stride = stride(document, view).unwrap_or(item_len as u64);
            let at = Strided { bytes, offset: accessor.byte_offset, stride, item_len };
            at.check(accessor.count, &place)?;
            let item = |i: u64| component.read::<N>(at.item(i), accessor);
            (0..accessor.count).map(item).collect::<Vec<_>>()
        }
        None if accessor.count <= MOST_WITHOUT_BYTES => vec![[0.0; N]; accessor.count as usize],
        None => return Err(GltfReadError::Beyond { place: place(), bytes: 0 }),
    };
    if let Some(sparse) = &accessor.sparse {
        let of_view = |view: usize| {
            viewed(document, buffers, view)
                .map_err(|error| error.unwrap_or_else(|| missing("bufferView", view)))
        };
        let kind = Component::of(sparse.indices.component_type, &place)?;
        let (offset, bytes) = (sparse.indices.byte_offset, of_view(sparse.indices.buffer_view)?);
        let indices = Strided { bytes, offset, stride: kind.len() as u64, item_len: kind.len() };
        let (offset, bytes) = (sparse.values.byte_offset, of_view(sparse.values.buffer_view)?);
        let values = Strided { bytes, offset, stride: item_len as u64, item_len };
        indices.check(sparse.count, &place)?;
        values.check(sparse.count, &place)?;
        for i in 0..sparse.count {
            let [to] = kind.read_raw::<1>(indices.item(i));
            let item = items.get_mut(to as usize).ok_or_else(|| missing("item", to as usize))?;
            *item = component.read::<N>(values.item(i), accessor);
        }
    }
    match items.iter().flatten().all(|x| x.is_finite()) {
        true => Ok(items),
        false => Err(GltfReadError::NotFinite { place: place() }),
    }
}

/// The distance between the items of a view, where the file states one.
fn stride(document: &Document, view: usize) -> Option<u64> {
    document.buffer_views.get(view)?.byte_stride.filter(|stride| *stride > 0)
}

/// The bytes of a view. The error `None` means that there is no such view.
fn viewed<'a>(
    document: &Document,
    buffers: &'a Buffers,
    index: usize,
) -> Result<&'a [u8], Option<GltfReadError>> {
    let view = document.buffer_views.get(index).ok_or(None)?;
    let place = || format!("bufferView {index}");
    let compressed = view.extensions.keys().find(|name| name.ends_with("_compression"));
    if let Some(extension) = compressed {
        let extension = extension.clone();
        return Err(Some(GltfReadError::Compressed { place: place(), extension }));
    }
    let buffer = buffers.get(view.buffer).ok_or_else(|| {
        Some(GltfReadError::Missing { place: place(), what: "buffer", index: view.buffer })
    })?;
    let end = view.byte_offset.checked_add(view.byte_length);
    let range =
        end.and_then(|end| buffer.get(view.byte_offset as usize..usize::try_from(end).ok()?));
    range.ok_or_else(|| Some(GltfReadError::Beyond { place: place(), bytes: buffer.len() }))
}

/// Items of one length at equal distances in a buffer.
struct Strided<'a> {
    bytes: &'a [u8],
    offset: u64,
    stride: u64,
    item_len: usize,
}

impl<'a> Strided<'a> {
    fn check(&self, count: u64, place: &dyn Fn() -> String) -> Result<(), GltfReadError> {
        let end = count.checked_sub(1).map(|last| {
            last.checked_mul(self.stride)?
                .checked_add(self.offset)?
                .checked_add(self.item_len as u64)
        });
        match end {
            None => Ok(()),
            Some(Some(end)) if end <= self.bytes.len() as u64 => Ok(()),
            _ => Err(GltfReadError::Beyond { place: place(), bytes: self.bytes.len() }),
        }
    }

    fn item(&self, i: u64) -> &'a [u8] {
        let start = (self.offset + i * self.stride) as usize;
        &self.bytes[start..start + self.item_len]
    }
}

/// How a number is stored; glTF states it by OpenGL's constants.
#[derive(Clone, Copy)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(number: u32, place: &dyn Fn() -> String) -> Result<Self, GltfReadError> {
        Ok(match number {
            5120 => Component::I8,
            5121 => Component::U8,
            5122 => Component::I16,
            5123 => Component::U16,
            5125 => Component::U32,
            5126 => Component::F32,
            _ => {
                return Err(GltfReadError::Kind {
                    place: place(),
                    found: format!("component type {number}"),
                    wanted: "5120 to 5126",
                });
            }
        })
    }

    fn len(self) -> usize {
        match self {
            Component::I8 | Component::U8 => 1,
            Component::I16 | Component::U16 => 2,
            Component::U32 | Component::F32 => 4,
        }
    }

    fn read_raw<const N: usize>(self, bytes: &[u8]) -> [f64; N] {
        std::array::from_fn(|i| {
            let own = &bytes[i * self.len()..];
            match self {
                Component::I8 => (own[0] as i8).into(),
                Component::U8 => own[0].into(),
                Component::I16 => i16::from_le_bytes([own[0], own[1]]).into(),
                Component::U16 => u16::from_le_bytes([own[0], own[1]]).into(),
                Component::U32 => u32::from_le_bytes([own[0], own[1], own[2], own[3]]).into(),
                Component::F32 => f32::from_le_bytes([own[0], own[1], own[2], own[3]]).into(),
            }
        })
    }

    /// The numbers of an item, with normalised integers as numbers of 0 to 1, or -1 to 1.
    fn read<const N: usize>(self, bytes: &[u8], accessor: &Accessor) -> [f64; N] {
        let whole = match (accessor.normalized, self) {
            (true, Component::I8) => 127.0,
            (true, Component::U8) => 255.0,
            (true, Component::I16) => 32767.0,
            (true, Component::U16) => 65535.0,
            _ => return self.read_raw(bytes),
        };
        self.read_raw::<N>(bytes).map(|x| f64::max(x / whole, -1.0))
    }
}
