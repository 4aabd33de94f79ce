//! Reads the takes of a file, and their values in each frame.

use super::transform::{local, node_id};
use super::{FbxError, FbxFile};
use crate::scene::{Local, NodeId, Scene, Take, Track};
use ufbx::ElementType;

/// The frame rates that a file may have, per second. Any other is a mistake in the file.
const RATES_HZ: std::ops::RangeInclusive<f64> = 0.1..=100_000.0;

/// How many values a take of any file may have, and how many more for each byte of the file.
const ALWAYS_ALLOWED: usize = 2_000_000;
const MORE_PER_BYTE: usize = 1;

/// A smaller difference from a node's values at rest is rounding, since keys have 32 bits.
const SAME: f64 = 1e-6;

/// Lists the takes of the file.
pub(super) fn add_takes(loaded: &ufbx::Scene, scene: &mut Scene) -> Result<(), FbxError> {
    let rate_hz = loaded.settings.frames_per_second;
    if !loaded.anim_stacks.is_empty() && !RATES_HZ.contains(&rate_hz) {
        return Err(FbxError::FrameRate(rate_hz.to_string()));
    }
    scene.takes = loaded
        .anim_stacks
        .into_iter()
        .map(|stack| {
            let (begin_s, end_s) = span_s(stack);
            Take {
                name: stack.element.name.to_string(),
                len_s: end_s - begin_s,
                frame_time_s: key_step_s(stack)
                    .filter(|step_s| (step_s * rate_hz - 1.0).abs() > SAME_STEP)
                    .unwrap_or(1.0 / rate_hz),
                moves: curves(stack).any(changes),
            }
        })
        .collect();
    Ok(())
}

/// The time from one key to the next, seconds, if all curves that change have their keys at the same even steps.
/// Otherwise the file's frame rate counts.
fn key_step_s(stack: &ufbx::AnimStack) -> Option<f64> {
    let mut step_s: Option<f64> = None;
    for curve in curves(stack).filter(|curve| changes(curve)) {
        let keys = &curve.keyframes;
        if keys.len() < LEAST_KEYS {
            return None;
        }
        let own_s = (curve.max_time - curve.min_time) / (keys.len() - 1) as f64;
        let is_like = |other_s: f64| (other_s - own_s).abs() <= SAME_STEP * own_s;
        let is_even = keys.windows(2).all(|pair| is_like(pair[1].time - pair[0].time));
        if !is_even || !is_like(*step_s.get_or_insert(own_s)) {
            return None;
        }
    }
    step_s.filter(|step_s| KEYED_HZ.contains(&(1.0 / step_s)))
}

/// Fewer keys tell no frame rate.
const LEAST_KEYS: usize = 3;
/// The frame rates that keys may tell, per second. Keys that people set by hand are farther apart.
const KEYED_HZ: std::ops::RangeInclusive<f64> = 10.0..=480.0;
/// Steps that differ by a smaller share are equal, since times are whole numbers of ticks.
const SAME_STEP: f64 = 1e-4;

/// The start and end of a take, seconds: those that it states, otherwise those of its keys.
fn span_s(stack: &ufbx::AnimStack) -> (f64, f64) {
    if stack.time_end > stack.time_begin {
        return (stack.time_begin, stack.time_end);
    }
    let keyed = curves(stack).filter(|curve| !curve.keyframes.is_empty());
    let spans = keyed.map(|curve| (curve.min_time, curve.max_time));
    let whole = spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    whole.filter(|(begin_s, end_s)| end_s > begin_s).unwrap_or((stack.time_begin, stack.time_begin))
}

/// The curves of a take for each property of a node.
fn node_props(stack: &ufbx::AnimStack) -> impl Iterator<Item = &ufbx::AnimProp> {
    let props = stack.layers.into_iter().flat_map(|layer| layer.anim_props.iter());
    props.filter(|prop| prop.element.type_ == ElementType::Node)
}

fn curves(stack: &ufbx::AnimStack) -> impl Iterator<Item = &ufbx::AnimCurve> {
    node_props(stack).flat_map(|prop| prop.anim_value.curves.iter().flatten().map(|curve| &**curve))
}

fn changes(curve: &ufbx::AnimCurve) -> bool {
    let most = curve.max_value.abs().max(curve.min_value.abs());
    curve.max_value - curve.min_value > SAME * most
}

/// The nodes for which a take has curves, each once.
pub(super) fn moved(stack: &ufbx::AnimStack) -> Vec<NodeId> {
    let place = |prop: &ufbx::AnimProp| (prop.element.typed_id as usize).checked_sub(1);
    let mut moved: Vec<NodeId> = node_props(stack).filter_map(place).collect();
    moved.sort_unstable();
    moved.dedup();
    moved
}

/// The values of a take; see [`FbxFile::tracks`].
pub(super) fn tracks(file: &FbxFile, take: usize) -> Result<Vec<Track>, FbxError> {
    let (loaded, scene) = (&file.loaded, &file.scene);
    let listed = &scene.takes[take];
    let stack = &loaded.anim_stacks[take];
    // A node's position depends on its parent's scale, also where that is in an extra node.
    let has_helpers = loaded.nodes.into_iter().any(|node| node.is_scale_helper);
    let nodes = match has_helpers {
        true => (0..scene.nodes.len()).collect(),
        false => moved(stack),
    };
    let frames = listed.frames();
    if frames.saturating_mul(nodes.len()) > ALWAYS_ALLOWED + MORE_PER_BYTE * file.bytes.len() {
        let name = listed.name.clone();
        return Err(FbxError::LongTake { name, frames, nodes: nodes.len() });
    }
    let (begin_s, _) = span_s(stack);
    let mut tracks = Vec::new();
    let mut values = Vec::with_capacity(frames);
    for id in nodes {
        let node = &loaded.nodes[id + 1];
        debug_assert_eq!(node_id(node), Some(id));
        values.clear();
        values.extend((0..frames).map(|frame| {
            let time_s = begin_s + frame as f64 * listed.frame_time_s;
            local(loaded, node, &ufbx::evaluate_transform(&stack.anim, node, time_s))
        }));
        tracks.extend(track(id, &scene.nodes[id].local, &values));
    }
    Ok(tracks)
}

/// A node's values that differ from those at rest; `None` if all are equal.
fn track(node: NodeId, rest: &Local, values: &[Local]) -> Option<Track> {
    let apart = |a: &crate::math::Vec3, b: &crate::math::Vec3| (a - b).norm() > SAME * b.norm();
    let moves = values.iter().any(|at| apart(&at.translation, &rest.translation));
    let turns = values.iter().any(|at| at.rotation.angle_to(&rest.rotation) > SAME);
    let grows = values.iter().any(|at| apart(&at.scale, &rest.scale));
    (moves || turns || grows).then(|| Track {
        node,
        translations: moves.then(|| values.iter().map(|at| at.translation).collect()),
        rotations: turns.then(|| values.iter().map(|at| at.rotation).collect()),
        scales: grows.then(|| values.iter().map(|at| at.scale).collect()),
    })
}
