//! The parts of a glTF file: the members of its JSON as they are written there, and the bytes that the JSON points
//! into.

use super::document::Document;
use super::error::GltfReadError;
use crate::scene::Fetch;
use base64::Engine;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Binary glTF: JSON, and a chunk of bytes.
    Binary,
    /// JSON, with the bytes in it or in other files.
    Text,
}

/// The parts of a glTF file.
pub struct Container {
    pub kind: Kind,
    /// The members of the JSON in their order, each as the file has it.
    pub members: Vec<(String, Box<RawValue>)>,
    /// The chunk of bytes of a binary file, with its padding.
    pub chunk: Option<Vec<u8>>,
    /// Chunks of other kinds behind it, each with its header.
    pub others: Vec<u8>,
}

const MAGIC: &[u8] = b"glTF";

impl Container {
    /// Splits the bytes of a file into its parts. Memory: as many bytes again.
    pub fn open(bytes: &[u8]) -> Result<Self, GltfReadError> {
        if !bytes.starts_with(MAGIC) {
            let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            let members = members(text)?;
            return Ok(Self { kind: Kind::Text, members, chunk: None, others: Vec::new() });
        }
        let number = |at: usize| {
            let four = bytes.get(at..at + 4).ok_or(GltfReadError::Cut)?;
            Ok::<usize, GltfReadError>(u32::from_le_bytes(four.try_into().expect("four")) as usize)
        };
        match number(4)? {
            2 => {}
            version => return Err(GltfReadError::Version(version.to_string())),
        }
        // Some exporters state a wrong length of the file; the lengths of the chunks suffice.
        let (mut at, mut json, mut chunk, mut others) = (12, None, None, Vec::new());
        while at + 8 <= bytes.len() {
            let (len, kind) = (number(at)?, &bytes[at + 4..at + 8]);
            let end = at.checked_add(8 + len).ok_or(GltfReadError::Cut)?;
            let content = bytes.get(at + 8..end).ok_or(GltfReadError::Cut)?;
            match kind {
                b"JSON" if json.is_none() => json = Some(members(content)?),
                b"BIN\0" if chunk.is_none() => chunk = Some(content.to_vec()),
                _ => others.extend_from_slice(&bytes[at..end]),
            }
            at = end;
        }
        let members = json.ok_or(GltfReadError::Cut)?;
        Ok(Self { kind: Kind::Binary, members, chunk, others })
    }

    /// The part of the JSON that is read here.
    pub fn document(&self) -> Result<Document, GltfReadError> {
        // Meshes and materials may be long, so only the members that are read are parsed a second time.
        let read = [
            "accessors",
            "animations",
            "asset",
            "buffers",
            "bufferViews",
            "extensions",
            "nodes",
            "scene",
            "scenes",
            "skins",
        ];
        let document: Document = self.part(&read)?;
        let version = document.asset.min_version.as_ref().unwrap_or(&document.asset.version);
        match version.starts_with("2.") {
            true => Ok(document),
            false => Err(GltfReadError::Version(version.clone())),
        }
    }

    /// A JSON object of the members with these names.
    pub fn part<T: serde::de::DeserializeOwned>(&self, names: &[&str]) -> Result<T, GltfReadError> {
        let mut text = String::from("{");
        for (key, value) in self.members.iter().filter(|(key, _)| names.contains(&key.as_str())) {
            let comma = if text.len() > 1 { "," } else { "" };
            text.push_str(&format!("{comma}\"{key}\":{}", value.get()));
        }
        text.push('}');
        serde_json::from_str(&text).map_err(json_error)
    }

    /// The bytes of the buffers that are asked for; the other buffers are empty.
    pub fn buffers<'a>(
        &'a self,
        document: &Document,
        is_asked_for: impl Fn(usize) -> bool,
        fetch: Fetch,
    ) -> Result<Vec<Cow<'a, [u8]>>, GltfReadError> {
        let bytes = |(index, buffer): (usize, &super::document::Buffer)| {
            if !is_asked_for(index) {
                return Ok(Cow::Borrowed(&[][..]));
            }
            let failed = |why: String| GltfReadError::Buffer { index, why };
            let bytes = match (&buffer.uri, &self.chunk) {
                (Some(uri), _) => Cow::Owned(content(uri, fetch).map_err(failed)?),
                (None, Some(chunk)) if index == 0 => Cow::Borrowed(&chunk[..]),
                _ => return Err(failed("the file does not say where its bytes are".to_owned())),
            };
            match bytes.len() as u64 >= buffer.byte_length {
                true => Ok(bytes),
                false => Err(failed(format!(
                    "it has {} bytes of the {} that the file says; copy or export the file again",
                    bytes.len(),
                    buffer.byte_length
                ))),
            }
        };
        document.buffers.iter().enumerate().map(bytes).collect()
    }
}

/// The members of a JSON object in their order.
pub fn members(text: &[u8]) -> Result<Vec<(String, Box<RawValue>)>, GltfReadError> {
    struct Members(Vec<(String, Box<RawValue>)>);
    impl<'de> serde::Deserialize<'de> for Members {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Visitor;
            impl<'de> serde::de::Visitor<'de> for Visitor {
                type Value = Members;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("an object")
                }
                fn visit_map<A: serde::de::MapAccess<'de>>(
                    self,
                    mut map: A,
                ) -> Result<Members, A::Error> {
                    let mut members = Vec::new();
                    while let Some(member) = map.next_entry()? {
                        members.push(member);
                    }
                    Ok(Members(members))
                }
            }
            deserializer.deserialize_map(Visitor)
        }
    }
    // Some exporters pad the chunk with zeros.
    let end = text.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    serde_json::from_slice::<Members>(&text[..end]).map(|members| members.0).map_err(json_error)
}

fn json_error(error: serde_json::Error) -> GltfReadError {
    GltfReadError::Json(error.to_string())
}

/// The bytes that a URI contains, or those of the file that it names.
pub fn content(uri: &str, fetch: Fetch) -> Result<Vec<u8>, String> {
    let Some(data) = uri.strip_prefix("data:") else { return fetch(&unescaped(uri)?) };
    let (head, data) = data.split_once(',').ok_or("its data URI has no data")?;
    if !head.ends_with(";base64") {
        return Err("its data URI is not in base64".to_owned());
    }
    let engine = base64::engine::GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        base64::engine::GeneralPurposeConfig::new()
            .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent),
    );
    engine.decode(data).map_err(|error| format!("its data URI cannot be read: {error}"))
}

/// A URI's path with its percent signs decoded.
fn unescaped(uri: &str) -> Result<String, String> {
    let (mut bytes, mut rest) = (Vec::new(), uri.as_bytes());
    while let [first, tail @ ..] = rest {
        rest = tail;
        let digits = tail.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match (first, digits.and_then(|two| u8::from_str_radix(two, 16).ok())) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8(bytes).map_err(|_| format!("the name {uri} is not UTF-8"))
}
