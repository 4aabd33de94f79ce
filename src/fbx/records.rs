//! The tree of records that a binary FBX file is, from version 7000 on: read in place, and written again with some records
//! more or less, all others byte for byte.
//!
//! A record has a name, properties and records in it. It says where in the file it ends, so that those after a change say
//! another place than before; nothing else of them changes. (No specification is public; the layout is that of Blender's
//! notes on the format and of what exporters write.)

use super::FbxError;

const MAGIC: &[u8; 23] = b"Kaydara FBX Binary  \0\x1a\0";
const HEADER_LEN: usize = 27;

/// Versions whose records are known.
const FIRST: u32 = 7000;
const LAST: u32 = 7999;

/// From this version on places and counts have 64 bits.
const WIDE: u32 = 7500;

/// How deep records may lie in each other; those of real files lie six deep.
const MOST_DEEP: usize = 64;

/// What stands after the records: 16 bytes, zeros up to a multiple of 16, and these last ones: the version, 120 zeros and
/// a mark of 16 bytes.
const MARK_LEN: usize = 16;
const LAST_LEN: usize = 4 + 120 + 16;
/// The least zeros between them.
const LEAST_ZEROS: usize = 5;

/// A binary file.
#[derive(Clone, Copy)]
pub(super) struct File<'a> {
    bytes: &'a [u8],
    is_wide: bool,
}

/// One record of a file.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    pub name: &'a [u8],
    /// Where it begins in the file.
    pub at: usize,
    count: u64,
    props_at: usize,
    props_len: usize,
    end: usize,
}

/// A property, as far as anything here asks for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value<'a> {
    Whole(i64),
    Text(&'a [u8]),
    Other,
}

impl<'a> File<'a> {
    pub fn new(bytes: &'a [u8]) -> Result<Self, FbxError> {
        if !bytes.starts_with(MAGIC) || bytes.len() < HEADER_LEN {
            return Err(FbxError::NotBinary);
        }
        let version = u32::from_le_bytes(array(bytes, MAGIC.len()).ok_or(FbxError::CutShort)?);
        match version {
            FIRST..=LAST => Ok(Self { bytes, is_wide: version >= WIDE }),
            _ => Err(FbxError::OldVersion(version)),
        }
    }

    /// How long the start of a record is, up to its name. So many zeros end a list of records.
    fn head_len(&self) -> usize {
        if self.is_wide { 25 } else { 13 }
    }

    fn number(&self, at: usize, index: usize) -> Option<u64> {
        match self.is_wide {
            true => Some(u64::from_le_bytes(array(self.bytes, at + 8 * index)?)),
            false => Some(u32::from_le_bytes(array(self.bytes, at + 4 * index)?).into()),
        }
    }

    /// The record that begins at a place, or `None` where the list ends there.
    fn record(&self, at: usize, list_end: usize) -> Result<Option<Record<'a>>, FbxError> {
        let unknown = || FbxError::Records { at };
        let head_len = self.head_len();
        let number = |index| self.number(at, index).ok_or_else(unknown);
        let name_len = *self.bytes.get(at + head_len - 1).ok_or_else(unknown)?;
        let (end, count, props_len) = (number(0)?, number(1)?, number(2)?);
        if end == 0 {
            let is_end = count == 0 && props_len == 0 && name_len == 0;
            return if is_end { Ok(None) } else { Err(unknown()) };
        }
        let name_at = at + head_len;
        let props_at = name_at + usize::from(name_len);
        let end = usize::try_from(end).ok().filter(|end| *end <= list_end).ok_or_else(unknown)?;
        let props_len = usize::try_from(props_len).map_err(|_| unknown())?;
        let props_end = props_at.checked_add(props_len).filter(|it| *it <= end);
        props_end.ok_or_else(unknown)?;
        let name = &self.bytes[name_at..props_at];
        Ok(Some(Record { name, at, count, props_at, props_len, end }))
    }

    /// The records of a list that begins at a place, and where it ends.
    fn list(&self, at: usize, list_end: usize) -> Result<(Vec<Record<'a>>, usize), FbxError> {
        let (mut records, mut at) = (Vec::new(), at);
        while let Some(record) = self.record(at, list_end)? {
            at = record.end;
            records.push(record);
        }
        Ok((records, at + self.head_len()))
    }

    /// The records that stand in none.
    pub fn top(&self) -> Result<Vec<Record<'a>>, FbxError> {
        Ok(self.list(HEADER_LEN, self.bytes.len())?.0)
    }

    /// The records in one.
    pub fn inner(&self, record: &Record<'a>) -> Result<Vec<Record<'a>>, FbxError> {
        let at = record.props_at + record.props_len;
        if at == record.end {
            return Ok(Vec::new());
        }
        let (records, end) = self.list(at, record.end)?;
        match end == record.end {
            true => Ok(records),
            false => Err(FbxError::Records { at: record.at }),
        }
    }

    /// The first properties of a record, at most `most`.
    pub fn values(&self, record: &Record<'a>, most: usize) -> Result<Vec<Value<'a>>, FbxError> {
        let unknown = || FbxError::Records { at: record.at };
        let props = &self.bytes[record.props_at..record.props_at + record.props_len];
        let (mut values, mut at) = (Vec::new(), 0);
        while values.len() < most && (values.len() as u64) < record.count {
            let kind = *props.get(at).ok_or_else(unknown)?;
            at += 1;
            let len_at = |at| array(props, at).map(u32::from_le_bytes).ok_or_else(unknown);
            let (value, len) = match kind {
                b'B' | b'C' => (Value::Other, 1),
                b'Y' => (Value::Other, 2),
                b'F' => (Value::Other, 4),
                b'D' => (Value::Other, 8),
                b'I' => {
                    let whole = array(props, at).map(i32::from_le_bytes).ok_or_else(unknown)?;
                    (Value::Whole(whole.into()), 4)
                }
                b'L' => {
                    (Value::Whole(array(props, at).map(i64::from_le_bytes).ok_or_else(unknown)?), 8)
                }
                b'S' | b'R' => {
                    let len = len_at(at)? as usize;
                    let text = props.get(at + 4..).and_then(|rest| rest.get(..len));
                    (Value::Text(text.ok_or_else(unknown)?), 4 + len)
                }
                b'b' | b'c' | b'i' | b'f' | b'l' | b'd' => {
                    (Value::Other, 12 + len_at(at + 8)? as usize)
                }
                _ => return Err(unknown()),
            };
            at += len;
            values.push(value);
        }
        Ok(values)
    }

    /// Where the value of a record's first property stands, which is a whole number of 32 bits.
    pub fn whole_at(&self, record: &Record<'a>) -> Option<usize> {
        (self.bytes.get(record.props_at) == Some(&b'I')).then_some(record.props_at + 1)
    }

    /// The file with changes.
    pub fn written(&self, changes: &Changes) -> Result<Vec<u8>, FbxError> {
        let more: usize = changes.more.iter().flat_map(|(_, more)| more).map(NewRecord::len).sum();
        let mut out = Vec::with_capacity(self.bytes.len() + more + 4096);
        out.extend_from_slice(&self.bytes[..HEADER_LEN]);
        let (top, end) = self.list(HEADER_LEN, self.bytes.len())?;
        for record in &top {
            self.copy(record, changes, &mut out, 0)?;
        }
        out.resize(out.len() + self.head_len(), 0);
        self.copy_last(end, &mut out);
        if !self.is_wide && u32::try_from(out.len()).is_err() {
            return Err(FbxError::TooLong);
        }
        Ok(out)
    }

    fn copy(
        &self,
        record: &Record<'a>,
        changes: &Changes,
        out: &mut Vec<u8>,
        deep: usize,
    ) -> Result<(), FbxError> {
        if deep > MOST_DEEP {
            return Err(FbxError::Records { at: record.at });
        }
        let start = out.len();
        let inner_at = record.props_at + record.props_len;
        out.extend_from_slice(&self.bytes[record.at..inner_at]);
        for (at, value) in &changes.wholes {
            if (record.props_at..inner_at).contains(at) {
                let at = start + at - record.at;
                out[at..at + 4].copy_from_slice(&value.to_le_bytes());
            }
        }
        let inner = self.inner(record)?;
        for inner in inner.iter().filter(|inner| !changes.less.contains(&inner.at)) {
            self.copy(inner, changes, out, deep + 1)?;
        }
        let more = changes.more.iter().filter(|(at, _)| *at == record.at);
        let more: Vec<&NewRecord> = more.flat_map(|(_, more)| more).collect();
        more.iter().for_each(|new| new.write(self.is_wide, out));
        if inner_at < record.end || !more.is_empty() {
            out.resize(out.len() + self.head_len(), 0);
        }
        let end = out.len();
        put(self.is_wide, out, start, end as u64);
        Ok(())
    }

    /// What stands after the records: where it is as it is known, with as many zeros as bring its last part to the same
    /// place in a row of 16 bytes.
    fn copy_last(&self, at: usize, out: &mut Vec<u8>) {
        let last = self.bytes.get(at..).unwrap_or_default();
        let zeros = last.len().checked_sub(MARK_LEN + LAST_LEN);
        let is_known = |zeros: &usize| {
            let between = &last[MARK_LEN..MARK_LEN + zeros];
            *zeros <= 64 && between.iter().all(|byte| *byte == 0)
        };
        let Some(zeros) = zeros.filter(is_known) else {
            out.extend_from_slice(last);
            return;
        };
        let place = (at + MARK_LEN + zeros) % 16;
        out.extend_from_slice(&last[..MARK_LEN]);
        let least = out.len() + LEAST_ZEROS;
        out.resize(least + (16 + place - least % 16) % 16, 0);
        out.extend_from_slice(&last[MARK_LEN + zeros..]);
    }
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.get(..N)?.try_into().ok()
}

fn put(is_wide: bool, out: &mut [u8], at: usize, value: u64) {
    match is_wide {
        true => out[at..at + 8].copy_from_slice(&value.to_le_bytes()),
        // A file that is too long for it is refused as a whole.
        false => out[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes()),
    }
}

/// What is to be other than it was.
#[derive(Default)]
pub(super) struct Changes {
    /// Records by the places where they begin, with those that are to stand at the end of them.
    pub more: Vec<(usize, Vec<NewRecord>)>,
    /// Records that are to go, by the places where they begin.
    pub less: std::collections::HashSet<usize>,
    /// Whole numbers of 32 bits, by their places.
    pub wholes: Vec<(usize, i32)>,
}

/// A record that is to be written.
pub(super) struct NewRecord {
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
