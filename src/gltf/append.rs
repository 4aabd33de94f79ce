//! A file given back with animations more: new accessors, views and bytes behind the old ones, and every other member
//! of the JSON as it stood.

use super::container::{Container, Kind, members};
use super::document::Document;
use super::error::GltfReadError;
use super::json::{
    Animation, Channel, ChannelTarget, Index, Interpolation, Property, Sampler, push,
};
use super::pack::{Pack, binary};
use super::{json, quaternion, single};
use crate::math::Quat;
use crate::scene::Track;
use base64::Engine;
use serde::Serialize;

/// An animation that a file is to have.
pub struct New<'a> {
    pub name: &'a str,
    pub tracks: &'a [Track],
    pub frame_time_s: f64,
}

/// The file with these animations behind its own. Memory: the file again, and the animations.
pub fn with_animations(
    container: &Container,
    document: &Document,
    new: &[New],
    replace: bool,
) -> Result<Vec<u8>, GltfReadError> {
    let mut pack = Pack::new();
    for new in new {
        add(&mut pack, new);
    }
    let bytes = pack.take_bytes();
    // In a binary file the bytes go behind those of its chunk, else into a buffer of their own.
    let in_chunk = container.kind == Kind::Binary
        && document.buffers.first().is_none_or(|first| first.uri.is_none());
    let chunk = container.chunk.as_deref().unwrap_or_default();
    // Chunks are filled up to four bytes; the new bytes begin there.
    let (buffer, start) = match in_chunk {
        true => (0, chunk.len().next_multiple_of(4)),
        false => (document.buffers.len(), 0),
    };
    let mut root = pack.root;
    for accessor in &mut root.accessors {
        accessor.buffer_view += document.buffer_views.len();
    }
    for view in &mut root.buffer_views {
        (view.buffer, view.byte_offset) = (buffer, view.byte_offset + start);
    }
    for sampler in root.animations.iter_mut().flat_map(|animation| &mut animation.samplers) {
        sampler.input += document.accessors.len();
        sampler.output += document.accessors.len();
    }
    let json = json(
        container,
        document,
        &root,
        in_chunk.then_some(start + bytes.len()),
        &bytes,
        new,
        replace,
    )?;
    match container.kind {
        Kind::Text => Ok(json),
        Kind::Binary => {
            let fill = vec![0; start.saturating_sub(chunk.len())];
            let pieces: &[&[u8]] = match in_chunk {
                true => &[chunk, &fill, &bytes],
                false => &[chunk],
            };
            let mut json = json;
            json.resize(json.len().next_multiple_of(4), b' ');
            binary(&json, pieces, &container.others).ok_or(GltfReadError::TooLarge)
        }
    }
}

/// Adds an animation with a key each frame.
fn add(pack: &mut Pack, new: &New) {
    let frames = |track: &Track| {
        let rotations = track.rotations.as_ref().map(Vec::len);
        rotations.or(track.translations.as_ref().map(Vec::len)).unwrap_or_default()
    };
    let frames = new.tracks.iter().map(frames).max().unwrap_or_default();
    let times = (0..frames).map(|frame| [(frame as f64 * new.frame_time_s) as f32]);
    let input = pack.push(times, json::Kind::Scalar, None, true);
    let mut animation = Animation { name: new.name.to_owned(), ..Animation::default() };
    let mut add = |node: usize, path, output: Index| {
        let sampler = Sampler { input, interpolation: Interpolation::Linear, output };
        let sampler = push(&mut animation.samplers, sampler);
        animation.channels.push(Channel { sampler, target: ChannelTarget { node, path } });
    };
    for track in new.tracks {
        if let Some(rotations) = &track.rotations {
            let keys = run_on(rotations).map(quaternion);
            add(track.node, Property::Rotation, pack.push(keys, json::Kind::Vec4, None, false));
        }
        if let Some(translations) = &track.translations {
            let keys = translations.iter().map(|place| single(*place));
            add(track.node, Property::Translation, pack.push(keys, json::Kind::Vec3, None, false));
        }
    }
    pack.root.animations.push(animation);
}

/// Rotations with signs that do not jump, for players that mix the four numbers as they are.
fn run_on(rotations: &[Quat]) -> impl Iterator<Item = Quat> {
    let mut before = Quat::identity();
    rotations.iter().map(move |q| {
        before = if q.coords.dot(&before.coords) < 0.0 { Quat::new_unchecked(-**q) } else { *q };
        before
    })
}

/// The JSON with what is new. `chunk_len` is the new length of the first buffer, where that is what grew.
fn json(
    container: &Container,
    document: &Document,
    root: &json::Root,
    chunk_len: Option<usize>,
    bytes: &[u8],
    new: &[New],
    replace: bool,
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
    written.push(("animations", animations(container, document, root, new, replace)?));
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

/// The animations with the new ones, without those that they replace.
fn animations(
    container: &Container,
    document: &Document,
    root: &json::Root,
    new: &[New],
    replace: bool,
) -> Result<String, GltfReadError> {
    let is_new = |name: &Option<String>| new.iter().any(|new| name.as_deref() == Some(new.name));
    let items = list(&root.animations);
    let own = container.members.iter().find(|(own, _)| own == "animations");
    let Some((_, own)) = own else { return Ok(format!("[{items}]")) };
    if let Some(taken) = document.animations.iter().find(|own| is_new(&own.name)) {
        if !replace {
            return Err(GltfReadError::NameTaken(taken.name.clone().unwrap_or_default()));
        }
        let read: Vec<Box<serde_json::value::RawValue>> = serde_json::from_str(own.get())
            .map_err(|error| GltfReadError::Json(error.to_string()))?;
        let kept = read.iter().zip(&document.animations).filter(|(_, own)| !is_new(&own.name));
        let kept: Vec<&str> = kept.map(|(text, _)| text.get()).collect();
        let all: Vec<&str> = kept.into_iter().chain([items.as_str()]).collect();
        return Ok(format!("[{}]", all.join(",")));
    }
    Ok(appended(own.get(), &items))
}

/// Items as they stand in a JSON list, without its brackets.
fn list<T: Serialize>(items: &[T]) -> String {
    let texts =
        items.iter().map(|item| serde_json::to_string(item).expect("names and numbers alone"));
    texts.collect::<Vec<_>>().join(",")
}

/// A JSON list with items more.
fn appended(list: &str, items: &str) -> String {
    let Some(open) = list.trim_end().strip_suffix(']') else { return list.to_owned() };
    let is_empty = open.trim_end().ends_with('[');
    match (items.is_empty(), is_empty) {
        (true, _) => list.to_owned(),
        (_, true) => format!("{open}{items}]"),
        _ => format!("{open},{items}]"),
    }
}

/// The list of buffers, the first of which has so many bytes.
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
