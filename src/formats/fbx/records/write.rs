//! Records written: those of a file again, with some more or less, and new ones.

use super::{File, HEADER_LEN, Record};
use crate::formats::fbx::FbxError;

/// How deep records may lie in each other; those of real files lie six deep.
const MOST_DEEP: usize = 64;

/// What stands after the records: 16 bytes, zeros up to a multiple of 16, and these last ones: the version, 120 zeros
/// and a mark of 16 bytes.
const MARK_LEN: usize = 16;
const LAST_LEN: usize = 4 + 120 + 16;
/// The least zeros between them.
const LEAST_ZEROS: usize = 5;

impl<'a> File<'a> {
    /// Records as bytes that say where they end from their own beginning on.
    pub fn loose(&self, records: &[NewRecord]) -> Vec<u8> {
        let mut out = Vec::with_capacity(records.iter().map(NewRecord::len).sum());
        records.iter().for_each(|record| record.write(self.is_wide, &mut out));
        out
    }

    /// Puts records that were [`loose`](Self::loose) at a place of a file.
    pub fn relocate(&self, loose: &mut [u8], place: usize) {
        self.patch_list(loose, 0, loose.len(), place);
    }

    fn patch_list(&self, loose: &mut [u8], mut at: usize, end: usize, place: usize) {
        let own = File { bytes: &*loose, is_wide: self.is_wide };
        let mut found = Vec::new();
        while at < end
            && let Ok(Some(record)) = own.record(at, end)
        {
            found.push((at, record.props_at + record.props_len, record.end));
            at = record.end;
        }
        for (at, inner_at, end) in found {
            put(self.is_wide, loose, at, (place + end) as u64);
            self.patch_list(loose, inner_at, end, place);
        }
    }

    /// The file with changes, before and behind the gap that they leave.
    pub fn around(&self, changes: &Changes) -> Result<[Vec<u8>; 2], FbxError> {
        let more: usize = changes.more.iter().map(|(_, more)| more.len()).sum();
        let bytes = Vec::with_capacity(self.bytes.len() + more + 4096);
        let mut out = Out { bytes, gap: None };
        out.bytes.extend_from_slice(&self.bytes[..HEADER_LEN]);
        let (top, end) = self.list(HEADER_LEN, self.bytes.len())?;
        for record in &top {
            self.copy(record, changes, &mut out, 0)?;
        }
        out.zeros(self.head_len());
        self.copy_last(end, &mut out);
        if !self.is_wide && u32::try_from(out.place()).is_err() {
            return Err(FbxError::TooLong);
        }
        let Out { mut bytes, gap } = out;
        let tail = gap.map_or_else(Vec::new, |(at, _)| bytes.split_off(at));
        Ok([bytes, tail])
    }

    fn copy(
        &self,
        record: &Record<'a>,
        changes: &Changes,
        out: &mut Out,
        deep: usize,
    ) -> Result<(), FbxError> {
        if deep > MOST_DEEP {
            return Err(FbxError::Records { at: record.at });
        }
        let start = out.bytes.len();
        let inner_at = record.props_at + record.props_len;
        out.bytes.extend_from_slice(&self.bytes[record.at..inner_at]);
        for (at, value) in &changes.wholes {
            if (record.props_at..inner_at).contains(at) {
                let at = start + at - record.at;
                out.bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            }
        }
        let inner = self.inner(record)?;
        for inner in inner.iter().filter(|inner| !changes.less.contains(&inner.at)) {
            self.copy(inner, changes, out, deep + 1)?;
        }
        let mut has_inner = inner_at < record.end;
        for (_, loose) in changes.more.iter().filter(|(at, _)| *at == record.at) {
            let (at, place) = (out.bytes.len(), out.place());
            out.bytes.extend_from_slice(loose);
            self.relocate(&mut out.bytes[at..], place);
            has_inner |= !loose.is_empty();
        }
        if let Some((_, len)) = changes.gap.filter(|(at, len)| *at == record.at && *len > 0) {
            out.gap = Some((out.bytes.len(), len));
            has_inner = true;
        }
        if has_inner {
            out.zeros(self.head_len());
        }
        let end = out.place();
        put(self.is_wide, &mut out.bytes, start, end as u64);
        Ok(())
    }

    /// What stands after the records: where it is as it is known, with as many zeros as bring its last part to the same
    /// place in a row of 16 bytes.
    fn copy_last(&self, at: usize, out: &mut Out) {
        let last = self.bytes.get(at..).unwrap_or_default();
        let zeros = last.len().checked_sub(MARK_LEN + LAST_LEN);
        let is_known = |zeros: &usize| {
            let between = &last[MARK_LEN..MARK_LEN + zeros];
            *zeros <= 64 && between.iter().all(|byte| *byte == 0)
        };
        let Some(zeros) = zeros.filter(is_known) else {
            out.bytes.extend_from_slice(last);
            return;
        };
        let place = (at + MARK_LEN + zeros) % 16;
        out.bytes.extend_from_slice(&last[..MARK_LEN]);
        let least = out.place() + LEAST_ZEROS;
        out.zeros(LEAST_ZEROS + (16 + place - least % 16) % 16);
        out.bytes.extend_from_slice(&last[MARK_LEN + zeros..]);
    }
}

/// A file that is being written.
struct Out {
    bytes: Vec<u8>,
    /// Where among the bytes others are to come, and how many.
    gap: Option<(usize, usize)>,
}

impl Out {
    /// Where in the file the next byte stands.
    fn place(&self) -> usize {
        self.bytes.len() + self.gap.map_or(0, |(_, len)| len)
    }

    fn zeros(&mut self, count: usize) {
        self.bytes.resize(self.bytes.len() + count, 0);
    }
}

fn put(is_wide: bool, out: &mut [u8], at: usize, value: u64) {
    match is_wide {
        true => out[at..at + 8].copy_from_slice(&value.to_le_bytes()),
        // A file that is too long for it is refused as a whole.
        false => out[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes()),
    }
}

/// What is to be other than it was.
#[derive(Clone, Default)]
pub(in crate::internals::formats::fbx) struct Changes {
    /// Records by the places where they begin, with those that are to stand at the end of them, which are loose.
    pub more: Vec<(usize, Vec<u8>)>,
    /// The record at the end of which a gap is left for records that are as long together.
    pub gap: Option<(usize, usize)>,
    /// Records that are to go, by the places where they begin.
    pub less: std::collections::HashSet<usize>,
    /// Whole numbers of 32 bits, by their places.
    pub wholes: Vec<(usize, i32)>,
}

/// A record that is to be written.
pub(in crate::internals::formats::fbx) struct NewRecord {
    name: &'static str,
    count: u64,
    props: Vec<u8>,
    inner: Vec<NewRecord>,
}

impl NewRecord {
    pub fn new(name: &'static str) -> Self {
        Self { name, count: 0, props: Vec::new(), inner: Vec::new() }
    }

    fn prop(mut self, kind: u8, bytes: &[u8]) -> Self {
        self.props.push(kind);
        self.props.extend_from_slice(bytes);
        self.count += 1;
        self
    }

    pub fn whole(self, value: i32) -> Self {
        self.prop(b'I', &value.to_le_bytes())
    }

    pub fn long(self, value: i64) -> Self {
        self.prop(b'L', &value.to_le_bytes())
    }

    pub fn double(self, value: f64) -> Self {
        self.prop(b'D', &value.to_le_bytes())
    }

    pub fn text(self, value: &[u8]) -> Self {
        let len = (value.len() as u32).to_le_bytes();
        self.prop(b'S', &[&len, value].concat())
    }

    fn list<const N: usize>(
        self,
        kind: u8,
        values: impl ExactSizeIterator<Item = [u8; N]>,
    ) -> Self {
        let len = values.len();
        let mut bytes = Vec::with_capacity(12 + N * len);
        // As many, not packed, in so many bytes.
        for number in [len, 0, N * len] {
            bytes.extend_from_slice(&(number as u32).to_le_bytes());
        }
        values.for_each(|value| bytes.extend_from_slice(&value));
        self.prop(kind, &bytes)
    }

    pub fn longs(self, values: &[i64]) -> Self {
        self.list(b'l', values.iter().map(|value| value.to_le_bytes()))
    }

    pub fn wholes(self, values: &[i32]) -> Self {
        self.list(b'i', values.iter().map(|value| value.to_le_bytes()))
    }

    pub fn floats(self, values: &[f32]) -> Self {
        self.list(b'f', values.iter().map(|value| value.to_le_bytes()))
    }

    pub fn inner(mut self, inner: Vec<NewRecord>) -> Self {
        self.inner.extend(inner);
        self
    }

    /// Its length where places have 64 bits.
    fn len(&self) -> usize {
        let inner: usize = self.inner.iter().map(NewRecord::len).sum();
        50 + self.name.len() + self.props.len() + inner
    }

    fn write(&self, is_wide: bool, out: &mut Vec<u8>) {
        let (start, size) = (out.len(), if is_wide { 8 } else { 4 });
        out.resize(start + 3 * size, 0);
        put(is_wide, out, start + size, self.count);
        put(is_wide, out, start + 2 * size, self.props.len() as u64);
        out.push(self.name.len() as u8);
        out.extend_from_slice(self.name.as_bytes());
        out.extend_from_slice(&self.props);
        self.inner.iter().for_each(|inner| inner.write(is_wide, out));
        // Records without properties have a list, be it an empty one.
        if !self.inner.is_empty() || self.count == 0 {
            out.resize(out.len() + 3 * size + 1, 0);
        }
        let end = out.len() as u64;
        put(is_wide, out, start, end);
    }
}
