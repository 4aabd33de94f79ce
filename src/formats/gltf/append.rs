//! Adds animations to a file: new accessors, views and bytes go behind the old ones, and every other member of the
//! JSON stays as it was.

use super::container::{Container, Kind, members};
use super::document::Document;
use super::error::GltfReadError;
use super::json::{Animation, Property};
use super::pack::{Pack, binary};
use super::{json, quaternion, run_on, single};
use crate::scene::{NewAnimation, Track};
use base64::Engine;
use serde::Serialize;

/// A file to which animations are added one after the other. Memory: some hundred bytes per node and animation; the
/// numbers of an animation are handed on at once.
pub struct Appending<'a> {
    container: &'a Container,
    document: &'a Document,
    root: json::Root,
    names: Vec<String>,
    /// How many bytes of numbers have been handed on.
    len: usize,
    replace: bool,
}

impl<'a> Appending<'a> {
    /// Begins with a file. With `replace`, a new animation replaces one of the same name.
    pub fn new(container: &'a Container, document: &'a Document, replace: bool) -> Self {
        let root = Pack::new().root;
        Self { container, document, root, names: Vec::new(), len: 0, replace }
    }

    /// Adds an animation, and returns the bytes of its numbers.
    pub fn push(&mut self, new: &NewAnimation) -> Result<Vec<u8>, GltfReadError> {
        let is_own = |own: &super::document::Animation| own.name.as_deref() == Some(new.name);
        let is_taken = !self.replace && self.document.animations.iter().any(is_own);
        if is_taken || self.names.iter().any(|name| name == new.name) {
            return Err(GltfReadError::NameTaken(new.name.to_owned()));
        }
        self.names.push(new.name.to_owned());
        let mut pack = Pack::new();
        add(&mut pack, new);
        let bytes = pack.take_bytes();
        let (views, accessors) = (
            self.document.buffer_views.len() + self.root.buffer_views.len(),
            self.document.accessors.len() + self.root.accessors.len(),
        );
        let (buffer, start) = self.place();
        for mut accessor in pack.root.accessors {
            accessor.buffer_view += views;
            self.root.accessors.push(accessor);
        }
        for mut view in pack.root.buffer_views {
            (view.buffer, view.byte_offset) = (buffer, view.byte_offset + start + self.len);
            self.root.buffer_views.push(view);
        }
        for mut animation in pack.root.animations {
            for sampler in &mut animation.samplers {
                sampler.input += accessors;
                sampler.output += accessors;
            }
            self.root.animations.push(animation);
        }
        self.len += bytes.len();
        Ok(bytes)
    }

    /// The buffer of the new bytes, and where they begin in it. In a binary file they follow the bytes of its chunk, at
    /// a multiple of four; otherwise they have a buffer of their own.
    fn place(&self) -> (usize, usize) {
        match self.in_chunk() {
            true => (0, self.chunk().len().next_multiple_of(4)),
            false => (self.document.buffers.len(), 0),
        }
    }

    fn in_chunk(&self) -> bool {
        self.container.kind == Kind::Binary
            && self.document.buffers.first().is_none_or(|first| first.uri.is_none())
    }

    fn chunk(&self) -> &'a [u8] {
        self.container.chunk.as_deref().unwrap_or_default()
    }

    /// The parts of the file before and behind the bytes of all animations. `None` for a file that keeps these bytes in
    /// its text: [`whole`](Self::whole) writes it.
    pub fn around(&self) -> Result<Option<[Vec<u8>; 2]>, GltfReadError> {
        if !self.in_chunk() {
            return Ok(None);
        }
        let mut json = self.json(&[])?;
        json.resize(json.len().next_multiple_of(4), b' ');
        let (_, start) = self.place();
        let fill = vec![0; start - self.chunk().len()];
        let head = binary(&json, &[self.chunk(), &fill], self.len, &self.container.others);
        Ok(Some([head.ok_or(GltfReadError::TooLarge)?, self.container.others.clone()]))
    }

    /// The whole file with the bytes of all animations. Memory: the file once more.
    pub fn whole(&self, bytes: &[u8]) -> Result<Vec<u8>, GltfReadError> {
        if let Some([mut file, tail]) = self.around()? {
            file.reserve_exact(bytes.len() + tail.len());
            file.extend_from_slice(bytes);
            file.extend_from_slice(&tail);
            return Ok(file);
        }
        let mut json = self.json(bytes)?;
        match self.container.kind {
            Kind::Text => Ok(json),
            Kind::Binary => {
                json.resize(json.len().next_multiple_of(4), b' ');
                let others = &self.container.others;
                let file =
                    binary(&json, &[self.chunk()], 0, others).ok_or(GltfReadError::TooLarge)?;
                Ok([&file[..], others].concat())
            }
        }
    }

    /// The JSON with the new animations; `bytes` are all their numbers, if they belong into the JSON.
    fn json(&self, bytes: &[u8]) -> Result<Vec<u8>, GltfReadError> {
        let chunk_len = self.in_chunk().then(|| self.place().1 + self.len);
        json(self.container, self.document, &self.root, chunk_len, bytes, &self.names)
    }
}

/// Adds an animation with a key at each frame.
fn add(pack: &mut Pack, new: &NewAnimation) {
    let frames = |track: &Track| {
        let rotations = track.rotations.as_ref().map(Vec::len);
        rotations.or(track.translations.as_ref().map(Vec::len)).unwrap_or_default()
    };
    let frames = new.tracks.iter().map(frames).max().unwrap_or_default();
    let times = (0..frames).map(|frame| [(frame as f64 * new.frame_time_s) as f32]);
    let input = pack.push(times, json::Kind::Scalar, None, true);
    let mut animation = Animation { name: new.name.to_owned(), ..Animation::default() };
    let mut add = |node, path, output| animation.add(node, path, input, output);
    for track in new.tracks {
        if let Some(rotations) = &track.rotations {
            let keys = run_on(rotations.iter().copied()).map(quaternion);
            add(track.node, Property::Rotation, pack.push(keys, json::Kind::Vec4, None, false));
        }
        if let Some(translations) = &track.translations {
            let keys = translations.iter().map(|place| single(*place));
            add(track.node, Property::Translation, pack.push(keys, json::Kind::Vec3, None, false));
        }
    }
    pack.root.animations.push(animation);
}

/// The JSON with the new animations. `chunk_len` is the new length of the first buffer, if that buffer grew.
fn json(
    container: &Container,
    document: &Document,
    root: &json::Root,
    chunk_len: Option<usize>,
    bytes: &[u8],
    names: &[String],
) -> Result<Vec<u8>, GltfReadError> {
    let mut written: Vec<(&str, String)> = Vec::new();
    let mut is_there = |key: &'static str, items: String| {
        let own = container.members.iter().find(|(own, _)| own == key);
        written.push((
            key,
            match own {
                Some((_, list)) => appended(list.get(), &items),
                None => format!("[{items}]"),
            },
        ));
    };
    is_there("accessors", list(&root.accessors));
    is_there("bufferViews", list(&root.buffer_views));
    match chunk_len {
        None => {
            let data = base64::engine::general_purpose::STANDARD.encode(bytes);
            let uri = format!("data:application/octet-stream;base64,{data}");
            is_there("buffers", format!("{{\"byteLength\":{},\"uri\":\"{uri}\"}}", bytes.len()));
        }
        Some(len) => {
            let own = container.members.iter().find(|(own, _)| own == "buffers");
            let grown = match own {
                Some((_, list)) if !document.buffers.is_empty() => grown(list.get(), len)?,
                _ => format!("[{{\"byteLength\":{len}}}]"),
            };
            written.push(("buffers", grown));
        }
    }
    written.push(("animations", animations(container, document, root, names)?));
    let mut text = String::from("{");
    let mut push = |key: &str, value: &str| {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&serde_json::to_string(key).expect("a text"));
        text.push(':');
        text.push_str(value);
    };
    for (key, value) in &container.members {
        let changed = written.iter().position(|(own, _)| own == key);
        match changed {
            Some(at) => push(key, &written.remove(at).1),
            None => push(key, value.get()),
        }
    }
    written.iter().for_each(|(key, value)| push(key, value));
    text.push('}');
    Ok(text.into_bytes())
}

/// The old animations without the replaced ones, then the new ones.
fn animations(
    container: &Container,
    document: &Document,
    root: &json::Root,
    names: &[String],
) -> Result<String, GltfReadError> {
    let is_new = |name: &Option<String>| name.as_ref().is_some_and(|name| names.contains(name));
    let items = list(&root.animations);
    let own = container.members.iter().find(|(own, _)| own == "animations");
    let Some((_, own)) = own else { return Ok(format!("[{items}]")) };
    if !document.animations.iter().any(|own| is_new(&own.name)) {
        return Ok(appended(own.get(), &items));
    }
    let read: Vec<Box<serde_json::value::RawValue>> =
        serde_json::from_str(own.get()).map_err(|error| GltfReadError::Json(error.to_string()))?;
    let kept = read.iter().zip(&document.animations).filter(|(_, own)| !is_new(&own.name));
    let all: Vec<&str> = kept.map(|(text, _)| text.get()).chain([items.as_str()]).collect();
    Ok(format!("[{}]", all.join(",")))
}

/// Items as a JSON list has them, without its brackets.
fn list<T: Serialize>(items: &[T]) -> String {
    let texts =
        items.iter().map(|item| serde_json::to_string(item).expect("names and numbers alone"));
    texts.collect::<Vec<_>>().join(",")
}

/// A JSON list with items added at its end.
fn appended(list: &str, items: &str) -> String {
    let Some(open) = list.trim_end().strip_suffix(']') else { return list.to_owned() };
    let is_empty = open.trim_end().ends_with('[');
    match (items.is_empty(), is_empty) {
        (true, _) => list.to_owned(),
        (_, true) => format!("{open}{items}]"),
        _ => format!("{open},{items}]"),
    }
}

/// The list of buffers; the first one gets this length in bytes.
fn grown(list: &str, len: usize) -> Result<String, GltfReadError> {
    let wrong = |error: serde_json::Error| GltfReadError::Json(error.to_string());
    let buffers: Vec<Box<serde_json::value::RawValue>> =
        serde_json::from_str(list).map_err(wrong)?;
    let mut texts: Vec<String> = buffers.iter().map(|buffer| buffer.get().to_owned()).collect();
    if let Some(first) = texts.first_mut() {
        let own = members(first.as_bytes())?;
        let member = |(key, value): &(String, Box<serde_json::value::RawValue>)| {
            let value = if key == "byteLength" { len.to_string() } else { value.get().to_owned() };
            format!("{}:{value}", serde_json::to_string(key).expect("a text"))
        };
        *first = format!("{{{}}}", own.iter().map(member).collect::<Vec<_>>().join(","));
    }
    Ok(format!("[{}]", texts.join(",")))
}
