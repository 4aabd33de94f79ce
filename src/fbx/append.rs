//! A file with an animation more: a stack, its layer, and curves of the nodes that move.

use super::load::{self, node_id};
use super::records::{Changes, File, NewRecord, Record, Value};
use super::space::Space;
use super::{FbxError, FbxFile};
use crate::math::Vec3;
use crate::scene::{NodeId, Scene, Track};
use std::collections::{BTreeMap, HashMap, HashSet};

/// An animation that is to be added.
#[derive(Clone, Copy, Debug)]
pub struct NewAnimation<'a> {
    pub name: &'a str,
    pub tracks: &'a [Track],
    pub frame_time_s: f64,
}

/// What a second is in the times of files.
const TICKS: f64 = 46_186_158_000.0;

/// Names of objects end in this and what they are.
const OF_CLASS: &[u8] = b"\0\x01";

/// A straight line from key to key.
const LINEAR: i32 = 4;
/// The version of the records of a curve.
const CURVE_VERSION: i32 = 4009;

/// See [`FbxFile::with_animations`].
pub(super) fn with_animations(
    read: &FbxFile,
    new: &[NewAnimation],
    replace: bool,
) -> Result<Vec<u8>, FbxError> {
    let file = File::new(&read.bytes)?;
    if read.loaded.metadata.mirror_axis != ufbx::MirrorAxis::None {
        return Err(FbxError::LeftHanded);
    }
    let document = Document::of(&file)?;
    let mut changes = Changes::default();
    let mut counts: BTreeMap<&str, i32> = BTreeMap::new();
    let loaded = load::load(&read.bytes, true)?;
    let nodes = Nodes { scene: read.scene(), loaded: &loaded, ids: ids(&loaded) };
    let mut added = Added::new(document.ids());
    let mut names = HashSet::new();
    for new in new {
        let stack = document.stack(new.name);
        if !names.insert(new.name) || (stack.is_some() && !replace) {
            return Err(FbxError::NameTaken(new.name.to_owned()));
        }
        if let Some(stack) = stack {
            document.remove(stack, new.name, &mut changes, &mut counts);
        }
        added.animation(&nodes, new)?;
    }
    for (class, count) in &added.counts {
        *counts.entry(class).or_default() += count;
    }
    changes.more.push((document.objects.at, added.objects));
    changes.more.push((document.connections.at, added.connections));
    if let Some(takes) = &document.takes {
        changes.more.push((takes.at, added.takes));
    }
    document.count(&file, &counts, &mut changes)?;
    file.written(&changes)
}

/// The nodes of a file: as they were read, as `ufbx` has them with their records, and the numbers of their objects.
struct Nodes<'a> {
    scene: &'a Scene,
    loaded: &'a ufbx::Scene,
    ids: HashMap<NodeId, i64>,
}

/// The records of a file that an animation has to do with.
struct Document<'a> {
    objects: Record<'a>,
    connections: Record<'a>,
    takes: Option<Record<'a>>,
    definitions: Option<Record<'a>>,
    /// The objects: record, number, name.
    listed: Vec<(Record<'a>, i64, &'a [u8])>,
    /// What belongs to what: record, the part, the whole.
    links: Vec<(Record<'a>, i64, i64)>,
    /// The takes of the list of them: record, name.
    listed_takes: Vec<(Record<'a>, &'a [u8])>,
}

impl<'a> Document<'a> {
    fn of(file: &File<'a>) -> Result<Self, FbxError> {
        let top = file.top()?;
        let named = |name: &str| top.iter().find(|record| record.name == name.as_bytes()).copied();
        let needed = |name| named(name).ok_or(FbxError::Records { at: 0 });
        let (objects, connections) = (needed("Objects")?, needed("Connections")?);
        let (takes, definitions) = (named("Takes"), named("Definitions"));
        let mut listed = Vec::new();
        for record in file.inner(&objects)? {
            if let [Value::Whole(id), Value::Text(name)] = file.values(&record, 2)?[..] {
                listed.push((record, id, name));
            }
        }
        let mut links = Vec::new();
        for record in file.inner(&connections)? {
            if let [_, Value::Whole(part), Value::Whole(whole)] = file.values(&record, 3)?[..] {
                links.push((record, part, whole));
            }
        }
        let mut listed_takes = Vec::new();
        for record in takes.iter().map(|it| file.inner(it)).collect::<Result<Vec<_>, _>>()?.concat()
        {
            if let [Value::Text(name)] = file.values(&record, 1)?[..] {
                listed_takes.push((record, name));
            }
        }
        Ok(Self { objects, connections, takes, definitions, listed, links, listed_takes })
    }

    fn ids(&self) -> HashSet<i64> {
        let linked = self.links.iter().flat_map(|(_, part, whole)| [*part, *whole]);
        self.listed.iter().map(|(_, id, _)| *id).chain(linked).collect()
    }

    /// The animation of a name.
    fn stack(&self, name: &str) -> Option<i64> {
        let is_it = |(record, _, own): &&(Record, i64, &[u8])| {
            record.name == b"AnimationStack" && plain(own) == name.as_bytes()
        };
        self.listed.iter().find(is_it).map(|(_, id, _)| *id)
    }

    /// Takes an animation out, with its layers and with what these alone hold.
    fn remove(
        &self,
        stack: i64,
        name: &str,
        changes: &mut Changes,
        counts: &mut BTreeMap<&'static str, i32>,
    ) {
        let (mut parts, mut wholes) = (HashMap::new(), HashMap::new());
        for (_, part, whole) in &self.links {
            parts.entry(*whole).or_insert_with(Vec::new).push(*part);
            wholes.entry(*part).or_insert_with(Vec::new).push(*whole);
        }
        let class: HashMap<i64, &[u8]> =
            self.listed.iter().map(|(record, id, _)| (*id, record.name)).collect();
        let mut gone = HashSet::from([stack]);
        let mut last = vec![stack];
        for [inner, outer] in CLASSES.windows(2).map(|pair| [pair[1], pair[0]]) {
            let is_inner = |id: &i64| class.get(id) == Some(&inner.as_bytes());
            let inside = last.iter().filter_map(|id| parts.get(id)).flatten().copied();
            let mut inside: Vec<i64> = inside.filter(is_inner).collect();
            // A part of what stays stays too.
            inside.retain(|id| {
                let mut wholes = wholes[id].iter();
                wholes.all(|it| gone.contains(it) || class.get(it) != Some(&outer.as_bytes()))
            });
            gone.extend(&inside);
            last = inside;
        }
        for (record, ..) in self.listed.iter().filter(|(_, id, _)| gone.contains(id)) {
            changes.less.insert(record.at);
            if let Some(class) = CLASSES.into_iter().find(|class| class.as_bytes() == record.name) {
                *counts.entry(class).or_default() -= 1;
            }
        }
        let ends =
            |(_, part, whole): &&(Record, i64, i64)| gone.contains(part) || gone.contains(whole);
        changes.less.extend(self.links.iter().filter(ends).map(|(record, ..)| record.at));
        let of_it = self.listed_takes.iter().filter(|(_, own)| *own == name.as_bytes());
        changes.less.extend(of_it.map(|(record, _)| record.at));
    }

    /// Says how many objects of each class there are, where the file does.
    fn count(
        &self,
        file: &File<'a>,
        counts: &BTreeMap<&str, i32>,
        changes: &mut Changes,
    ) -> Result<(), FbxError> {
        let Some(definitions) = &self.definitions else { return Ok(()) };
        let mut change = |record: &Record, more: i32| -> Result<(), FbxError> {
            if let ([Value::Whole(count)], Some(at)) =
                (&file.values(record, 1)?[..], file.whole_at(record))
            {
                changes.wholes.push((at, (*count as i32).saturating_add(more)));
            }
            Ok(())
        };
        let mut missing = counts.clone();
        for record in file.inner(definitions)? {
            if record.name == b"Count" {
                change(&record, counts.values().sum())?;
            }
            let [Value::Text(class)] = file.values(&record, 1)?[..] else { continue };
            let class = std::str::from_utf8(class).unwrap_or_default();
            let Some(more) = missing.remove(class) else { continue };
            for inner in file.inner(&record)?.iter().filter(|inner| inner.name == b"Count") {
                change(inner, more)?;
            }
        }
        let missing = missing.into_iter().filter(|(_, count)| *count > 0).map(|(class, count)| {
            let count = NewRecord::new("Count").whole(count);
            NewRecord::new("ObjectType").text(class.as_bytes()).inner(vec![count])
        });
        changes.more.push((definitions.at, missing.collect()));
        Ok(())
    }
}

/// What an animation is made of, each in the one before it.
const CLASSES: [&str; 4] =
    ["AnimationStack", "AnimationLayer", "AnimationCurveNode", "AnimationCurve"];

/// An object's name without its class.
fn plain(name: &[u8]) -> &[u8] {
    let end = name.windows(OF_CLASS.len()).position(|at| at == OF_CLASS);
    &name[..end.unwrap_or(name.len())]
}

/// The records of a new animation.
struct Added {
    taken: HashSet<i64>,
    last_id: i64,
    objects: Vec<NewRecord>,
    connections: Vec<NewRecord>,
    takes: Vec<NewRecord>,
    counts: BTreeMap<&'static str, i32>,
}

impl Added {
    fn new(taken: HashSet<i64>) -> Self {
        let (objects, connections, takes) = (Vec::new(), Vec::new(), Vec::new());
        Self { taken, last_id: 0, objects, connections, takes, counts: BTreeMap::new() }
    }

    /// A number that no object has. Those of the first billion are left to programs.
    fn id(&mut self) -> i64 {
        self.last_id = self.last_id.max(1_000_000_000) + 1;
        while self.taken.contains(&self.last_id) {
            self.last_id += 1;
        }
        self.last_id
    }

    fn object(
        &mut self,
        class: &'static str,
        short: &str,
        name: &str,
        inner: Vec<NewRecord>,
    ) -> i64 {
        let id = self.id();
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

    fn animation(&mut self, nodes: &Nodes, new: &NewAnimation) -> Result<(), FbxError> {
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

/// The numbers of the nodes' objects in the file.
fn ids(loaded: &ufbx::Scene) -> HashMap<NodeId, i64> {
    let id = |node: &ufbx::Node| {
        let record = node.element.dom_node.as_deref()?;
        Some((node_id(node)?, record.values.first()?.value_int))
    };
    loaded.nodes.into_iter().filter_map(id).collect()
}
