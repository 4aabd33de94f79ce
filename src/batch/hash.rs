//! What a result depends on, as hashes: the clip, the rig, the settings, the program's version.

use super::Request;
use crate::convert;
use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The first 128 bits of a BLAKE3 hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Hash([u8; 16]);

impl Hash {
    /// Of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut hasher = Hasher::default();
        hasher.update(bytes);
        hasher.finish()
    }

    /// Of several byte strings, told apart: moving bytes from one to the next gives another hash.
    pub(super) fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self::first(&hasher.finalize())
    }

    fn first(hash: &blake3::Hash) -> Self {
        let mut first = [0; 16];
        first.copy_from_slice(&hash.as_bytes()[..16]);
        Self(first)
    }

    /// As a number that is spread evenly over all of `u64`.
    pub(super) fn spread(self) -> u64 {
        u64::from_le_bytes(self.0[..8].try_into().expect("eight bytes"))
    }
}

/// The [`Hash`] of bytes that come piece by piece.
#[derive(Default)]
pub(super) struct Hasher(blake3::Hasher);

impl Hasher {
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub fn finish(&self) -> Hash {
        Hash::first(&self.0.finalize())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl From<Hash> for String {
    fn from(hash: Hash) -> Self {
        hash.to_string()
    }
}

impl TryFrom<String> for Hash {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let number = u128::from_str_radix(&text, 16).ok().filter(|_| text.len() == 32);
        number.map(|n| Self(n.to_be_bytes())).ok_or_else(|| format!("{text:?} is no hash"))
    }
}

/// What all clips of a run have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// Of the bytes of all files that the target was read from.
    pub rig: Hash,
    /// Of all settings, and of what the user says of the sources' rig and animation, of the scale and of the result.
    pub settings: Hash,
    /// The program's version.
    pub version: String,
}

impl Setup {
    /// Of a run. Reads the target's files once more, and what the user wrote of the sources' rig.
    pub fn of(request: &Request) -> Result<Self, Error> {
        let &Request { target, from, settings, ref reading, replace, .. } = request;
        let files =
            target.files().iter().map(|p| convert::read_raw(p)).collect::<Result<Vec<_>, _>>()?;
        let from = from.map(convert::read_raw).transpose()?;
        // Every setting is in its Debug text; a new one cannot be forgotten. The text may differ
        // from version to version, but then so does the version.
        let settings = format!("{settings:?} {:?} {reading:?} {replace}", target.file.scale);
        let model = reading.model.map(convert::read_raw).transpose()?.unwrap_or_default();
        let given = [u8::from(from.is_some())];
        Ok(Self {
            rig: Hash::of_parts(files.iter().map(Vec::as_slice)),
            settings: Hash::of_parts([
                settings.as_bytes(),
                &given,
                &from.unwrap_or_default(),
                &model,
            ]),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        })
    }
}
