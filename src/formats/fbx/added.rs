//! Makes the records of an animation that is added to a file.

use super::FbxError;
use super::records::NewRecord;
use super::space::Space;
use crate::math::Vec3;
use crate::scene::{NewAnimation, NodeId, Scene, Track};
use std::collections::{BTreeMap, HashMap, HashSet};

/// An object's name ends in this separator and the object's class.
pub(super) const OF_CLASS: &[u8] = b"\0\x01";

/// How many of FBX's units of time a second has.
const TICKS: f64 = 46_186_158_000.0;

/// FBX's number for linear interpolation between keys.
const LINEAR: i32 = 4;
/// The version of the records of a curve.
const CURVE_VERSION: i32 = 4009;

/// The nodes of a file: as a scene, as `ufbx` read them with their records, and the ids of their objects.
pub(super) struct Nodes<'a> {
    pub scene: &'a Scene,
    pub loaded: &'a ufbx::Scene,
    pub ids: &'a HashMap<NodeId, i64>,
}

/// Added objects have ids above this one. Programs often give small ids to their own objects.
const FIRST_ID: i64 = 1_000_000_000;

/// Ids that no object of the file has.
pub(super) struct Unused {
    taken: HashSet<i64>,
    last: i64,
}

impl Unused {
    pub fn new(taken: HashSet<i64>) -> Self {
        Self { taken, last: FIRST_ID }
    }

    fn next(&mut self) -> i64 {
        self.last += 1;
        while self.taken.contains(&self.last) {
            self.last += 1;
        }
        self.last
    }
}

/// The records of a new animation.
pub(super) struct Added<'a> {
    unused: &'a mut Unused,
    pub objects: Vec<NewRecord>,
    pub connections: Vec<NewRecord>,
    pub takes: Vec<NewRecord>,
    pub counts: BTreeMap<&'static str, i32>,
}

impl<'a> Added<'a> {
    pub fn new(unused: &'a mut Unused) -> Self {
        let (objects, connections, takes) = (Vec::new(), Vec::new(), Vec::new());
        Self { unused, objects, connections, takes, counts: BTreeMap::new() }
    }

    fn object(
        &mut self,
        class: &'static str,
        short: &str,
        name: &str,
        inner: Vec<NewRecord>,
    ) -> i64 {
        let id = self.unused.next();
        let full = [name.as_bytes(), OF_CLASS, short.as_bytes()].concat();
        self.objects.push(NewRecord::new(class).long(id).text(&full).text(b"").inner(inner));
        *self.counts.entry(class).or_default() += 1;
        id
    }

    fn connect(&mut self, part: i64, whole: i64, property: Option<&str>) {
        let kind: &[u8] = if property.is_some() { b"OP" } else { b"OO" };
        let link = NewRecord::new("C").text(kind).long(part).long(whole);
        self.connections.push(match property {
            Some(property) => link.text(property.as_bytes()),
            None => link,
        });
    }

    pub fn animation(&mut self, nodes: &Nodes, new: &NewAnimation) -> Result<(), FbxError> {
        let Nodes { scene, loaded, ids } = nodes;
        let frames = new.tracks.iter().map(len).max().unwrap_or(0);
        let tick = |frame: usize| (frame as f64 * new.frame_time_s * TICKS).round() as i64;
        let times: Vec<i64> = (0..frames).map(tick).collect();
        let end = times.last().copied().unwrap_or(0);
        let span = |name: &str, value: i64| {
            let record = NewRecord::new("P").text(name.as_bytes()).text(b"KTime").text(b"Time");
            record.text(b"").long(value)
        };
        let names =
            [("LocalStart", 0), ("LocalStop", end), ("ReferenceStart", 0), ("ReferenceStop", end)];
        let spans = names.map(|(name, value)| span(name, value)).into();
        let properties = vec![NewRecord::new("Properties70").inner(spans)];
        let stack = self.object("AnimationStack", "AnimStack", new.name, properties);
        let layer = self.object("AnimationLayer", "AnimLayer", "BaseLayer", Vec::new());
        self.connect(layer, stack, None);
        let take = NewRecord::new("Take").text(new.name.as_bytes());
        let file = NewRecord::new("FileName").text(format!("{}.tak", new.name).as_bytes());
        let local = NewRecord::new("LocalTime").long(0).long(end);
        let reference = NewRecord::new("ReferenceTime").long(0).long(end);
        self.takes.push(take.inner(vec![file, local, reference]));
        for track in new.tracks {
            let node = &loaded.nodes[track.node + 1];
            let unfit = || FbxError::Unfit {
                node: scene.nodes[track.node].name.clone(),
                why: "is no object of the file",
            };
            let id = *ids.get(&track.node).ok_or_else(unfit)?;
            let animated =
                Space::of(loaded, node)?.raw(&scene.nodes[track.node].local, track, len(track));
            let properties = [
                ("T", "Lcl Translation", animated.translation),
                ("R", "Lcl Rotation", animated.rotation),
                ("S", "Lcl Scaling", animated.scaling),
            ];
            for (short, property, values) in properties {
                if !values.is_empty() {
                    self.curves(id, layer, short, property, &times[..values.len()], &values);
                }
            }
        }
        Ok(())
    }

    fn curves(
        &mut self,
        node: i64,
        layer: i64,
        short: &str,
        property: &str,
        times: &[i64],
        values: &[Vec3],
    ) {
        let axes = ["d|X", "d|Y", "d|Z"];
        let first = axes.iter().enumerate().map(|(axis, name)| {
            let record =
                NewRecord::new("P").text(name.as_bytes()).text(b"Number").text(b"").text(b"A");
            record.double(values[0][axis])
        });
        let properties = vec![NewRecord::new("Properties70").inner(first.collect())];
        let all = self.object("AnimationCurveNode", "AnimCurveNode", short, properties);
        self.connect(all, layer, None);
        self.connect(all, node, Some(property));
        for (axis, name) in axes.into_iter().enumerate() {
            let keys: Vec<f32> = values.iter().map(|value| value[axis] as f32).collect();
            let inner = vec![
                NewRecord::new("Default").double(values[0][axis]),
                NewRecord::new("KeyVer").whole(CURVE_VERSION),
                NewRecord::new("KeyTime").longs(times),
                NewRecord::new("KeyValueFloat").floats(&keys),
                NewRecord::new("KeyAttrFlags").wholes(&[LINEAR]),
                NewRecord::new("KeyAttrDataFloat").floats(&[0.0; 4]),
                NewRecord::new("KeyAttrRefCount").wholes(&[times.len() as i32]),
            ];
            let curve = self.object("AnimationCurve", "AnimCurve", "", inner);
            self.connect(curve, all, Some(name));
        }
    }
}

/// How many frames a track has.
fn len(track: &Track) -> usize {
    let vectors = |values: &Option<Vec<Vec3>>| values.as_ref().map_or(0, Vec::len);
    let turns = track.rotations.as_ref().map_or(0, Vec::len);
    vectors(&track.translations).max(turns).max(vectors(&track.scales))
}
