//! The tree of records of a binary FBX file, from version 7000 on: it is read in place, and written again with some
//! records added or removed and all others byte for byte.
//!
//! A record has a name, properties and child records, and states where in the file it ends. Records behind a change
//! therefore state another end than before; nothing else in them changes. (There is no public specification; the
//! layout follows Blender's notes on the format and files of exporters.)

mod write;

use super::FbxError;
pub(super) use write::{Changes, NewRecord};

const MAGIC: &[u8; 23] = b"Kaydara FBX Binary  \0\x1a\0";
const HEADER_LEN: usize = 27;

/// The versions whose layout of records is known.
const FIRST: u32 = 7000;
const LAST: u32 = 7999;

/// From this version on, positions and counts have 64 bits.
const WIDE: u32 = 7500;

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
    /// Where the record begins in the file.
    pub at: usize,
    count: u64,
    props_at: usize,
    props_len: usize,
    end: usize,
}

/// A property of a record, of the types that are asked for here.
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

    /// The length of a record up to its name. As many zeros end a list of records.
    fn head_len(&self) -> usize {
        if self.is_wide { 25 } else { 13 }
    }

    fn number(&self, at: usize, index: usize) -> Option<u64> {
        match self.is_wide {
            true => Some(u64::from_le_bytes(array(self.bytes, at + 8 * index)?)),
            false => Some(u32::from_le_bytes(array(self.bytes, at + 4 * index)?).into()),
        }
    }

    /// The record that begins at a position, or `None` if the list ends there.
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

    /// The records of a list that begins at a position, and where the list ends.
    fn list(&self, at: usize, list_end: usize) -> Result<(Vec<Record<'a>>, usize), FbxError> {
        let (mut records, mut at) = (Vec::new(), at);
        while let Some(record) = self.record(at, list_end)? {
            at = record.end;
            records.push(record);
        }
        Ok((records, at + self.head_len()))
    }

    /// The records without a parent.
    pub fn top(&self) -> Result<Vec<Record<'a>>, FbxError> {
        Ok(self.list(HEADER_LEN, self.bytes.len())?.0)
    }

    /// The child records of a record.
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

    /// The position of the value of a record's first property, an integer of 32 bits.
    pub fn whole_at(&self, record: &Record<'a>) -> Option<usize> {
        (self.bytes.get(record.props_at) == Some(&b'I')).then_some(record.props_at + 1)
    }
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.get(..N)?.try_into().ok()
}
