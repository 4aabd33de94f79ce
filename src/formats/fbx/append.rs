//! Adds animations to a file: for each a stack, its layer, and curves of the nodes that move.

use super::added::{Added, Nodes, OF_CLASS, Unused};
use super::load;
use super::records::{Changes, File, NewRecord, Record, Value};
use super::transform::node_id;
use super::{FbxError, FbxFile};
use crate::scene::{NewAnimation, NodeId, Scene};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A file to which animations are added one after the other. Memory: the file, and some kilobytes per node and
/// animation; the keys of an animation are handed on at once.
pub struct Appending<'a> {
    scene: &'a Scene,
    file: File<'a>,
    document: Document<'a>,
    loaded: ufbx::SceneRoot,
    ids: HashMap<NodeId, i64>,
    unused: Unused,
    replace: bool,
    names: HashSet<String>,
    changes: Changes,
    /// How many objects of each class were added.
    counts: BTreeMap<&'static str, i32>,
    connections: Vec<u8>,
    takes: Vec<u8>,
    /// How many bytes of objects have been handed on.
    len: usize,
}

impl<'a> Appending<'a> {
    /// Begins with a file. With `replace`, a new animation replaces one of the same name.
    pub(super) fn new(read: &'a FbxFile, replace: bool) -> Result<Self, FbxError> {
        let file = File::new(&read.bytes)?;
        if read.loaded.metadata.mirror_axis != ufbx::MirrorAxis::None {
            return Err(FbxError::LeftHanded);
        }
        let document = Document::of(&file)?;
        let loaded = load::load(&read.bytes, load::Kept::Records)?;
        Ok(Self {
            scene: read.scene(),
            file,
            ids: ids(&loaded),
            loaded,
            unused: Unused::new(document.ids()),
            document,
            replace,
            names: HashSet::new(),
            changes: Changes::default(),
            counts: BTreeMap::new(),
            connections: Vec::new(),
            takes: Vec::new(),
            len: 0,
        })
    }

    /// Adds an animation, and returns the bytes of its objects, which must then be [relocated](Self::relocate).
    pub fn push(&mut self, new: &NewAnimation) -> Result<Vec<u8>, FbxError> {
        let stack = self.document.stack(new.name);
        if self.names.contains(new.name) || (stack.is_some() && !self.replace) {
            return Err(FbxError::NameTaken(new.name.to_owned()));
        }
        let nodes = Nodes { scene: self.scene, loaded: &self.loaded, ids: &self.ids };
        let mut added = Added::new(&mut self.unused);
        added.animation(&nodes, new)?;
        let Added { objects, connections, takes, counts, .. } = added;
        if let Some(stack) = stack {
            self.document.remove(stack, new.name, &mut self.changes, &mut self.counts);
        }
        self.names.insert(new.name.to_owned());
        for (class, count) in counts {
            *self.counts.entry(class).or_default() += count;
        }
        for (all, more) in [(&mut self.connections, connections), (&mut self.takes, takes)] {
            let mut loose = self.file.loose(&more);
            self.file.relocate(&mut loose, all.len());
            all.append(&mut loose);
        }
        let objects = self.file.loose(&objects);
        self.len += objects.len();
        Ok(objects)
    }

    /// The parts of the file before and behind the objects of all animations.
    pub fn around(&self) -> Result<[Vec<u8>; 2], FbxError> {
        let mut changes = self.changes.clone();
        changes.gap = Some((self.document.objects.at, self.len));
        changes.more.push((self.document.connections.at, self.connections.clone()));
        if let Some(takes) = &self.document.takes {
            changes.more.push((takes.at, self.takes.clone()));
        }
        self.document.count(&self.file, &self.counts, &mut changes)?;
        self.file.around(&changes)
    }

    /// The file with the objects of its only animation. Memory: the file once more.
    pub fn whole(&self, mut objects: Vec<u8>) -> Result<Vec<u8>, FbxError> {
        let [mut file, tail] = self.around()?;
        self.relocate(&mut objects, file.len());
        file.append(&mut objects);
        file.extend_from_slice(&tail);
        Ok(file)
    }

    /// Adapts the objects of an animation to their place in the file, since a record states where it ends.
    pub fn relocate(&self, objects: &mut [u8], place: usize) {
        self.file.relocate(objects, place);
    }
}

/// The records of a file that adding an animation changes or asks.
struct Document<'a> {
    objects: Record<'a>,
    connections: Record<'a>,
    takes: Option<Record<'a>>,
    definitions: Option<Record<'a>>,
    /// The objects: record, id, name.
    listed: Vec<(Record<'a>, i64, &'a [u8])>,
    /// The connections between objects: record, the id of the part, the id of the whole.
    links: Vec<(Record<'a>, i64, i64)>,
    /// The items of the list of takes: record, name.
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

    /// The id of the animation with this name.
    fn stack(&self, name: &str) -> Option<i64> {
        let is_it = |(record, _, own): &&(Record, i64, &[u8])| {
            record.name == b"AnimationStack" && plain(own) == name.as_bytes()
        };
        self.listed.iter().find(is_it).map(|(_, id, _)| *id)
    }

    /// Removes an animation, with its layers and with the objects that belong to these alone.
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
            // An object that also belongs to one that stays must stay.
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

    /// Updates the numbers of objects of each class, if the file states them.
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
        changes.more.push((definitions.at, file.loose(&missing.collect::<Vec<_>>())));
        Ok(())
    }
}

/// The classes of an animation's objects, each contained in the one before it.
const CLASSES: [&str; 4] =
    ["AnimationStack", "AnimationLayer", "AnimationCurveNode", "AnimationCurve"];

/// An object's name without its class.
fn plain(name: &[u8]) -> &[u8] {
    let end = name.windows(OF_CLASS.len()).position(|at| at == OF_CLASS);
    &name[..end.unwrap_or(name.len())]
}

/// The ids of the nodes' objects in the file.
fn ids(loaded: &ufbx::Scene) -> HashMap<NodeId, i64> {
    let id = |node: &ufbx::Node| {
        let record = node.element.dom_node.as_deref()?;
        Some((node_id(node)?, record.values.first()?.value_int))
    };
    loaded.nodes.into_iter().filter_map(id).collect()
}
