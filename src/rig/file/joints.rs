//! `[[joints]]`: a skeleton written out in full.

use super::{RigFile, RigFileError, RigFileProblem};
use crate::math::{Axis, Vec3};
use crate::rig::names::{JointNameError, nearest};
use crate::skeleton::{Channel, Channels, Joint, JointId, MOST_JOINTS, Skeleton};
use std::collections::{BTreeMap, BTreeSet};

/// One entry of `[[joints]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct FileJoint {
    pub name: String,
    /// Name of the parent, or `name#2` for the second listed joint of that name; `None` for a root.
    pub parent: Option<String>,
    /// Place in the parent's frame (local, length units).
    pub offset: Vec3,
    /// In file order; `None` for the usual: positions and rotations for a root, rotations for all
    /// others, rotations in the order Z, X, Y.
    pub channels: Option<Channels>,
    /// Ends of the bone (local, length units).
    pub end_sites: Vec<Vec3>,
}

impl FileJoint {
    /// The joint's channels, written or usual.
    pub fn channels(&self) -> Channels {
        self.channels.unwrap_or_else(|| Channels::usual(self.parent.is_none()))
    }
}

/// The spellings of the channels, as BVH has them.
pub(super) const CHANNELS: [(&str, Channel); 6] = [
    ("Xposition", Channel::Position(Axis::X)),
    ("Yposition", Channel::Position(Axis::Y)),
    ("Zposition", Channel::Position(Axis::Z)),
    ("Xrotation", Channel::Rotation(Axis::X)),
    ("Yrotation", Channel::Rotation(Axis::Y)),
    ("Zrotation", Channel::Rotation(Axis::Z)),
];

impl RigFile {
    /// The skeleton of `[[joints]]`, sorted so that each subtree stands together and siblings keep their order; `None`
    /// where `bvh` names a file instead. Refuses a file that says both or neither, more than 10 000 joints, a parent
    /// that is not listed or is its joint's own descendant, and numbers that are not finite.
    pub fn skeleton(&self) -> Result<Option<Skeleton>, RigFileError> {
        match (&self.bvh, self.joints.is_empty()) {
            (Some(_), true) => return Ok(None),
            (None, false) => {}
            (Some(_), false) => return Err(self.error("joints", RigFileProblem::TwoSkeletons)),
            (None, true) => return Err(self.error("", RigFileProblem::NoSkeleton)),
        }
        if self.joints.len() > MOST_JOINTS {
            return Err(self.error("joints", RigFileProblem::TooManyJoints { most: MOST_JOINTS }));
        }
        let parents = self.parents()?;
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.joints.len()];
        let mut next: Vec<usize> = Vec::new();
        for (i, parent) in parents.iter().enumerate() {
            match parent {
                Some(parent) => children[*parent].push(i),
                None => next.push(i),
            }
        }
        next.reverse();
        let mut id_of: BTreeMap<usize, JointId> = BTreeMap::new();
        let mut joints = Vec::with_capacity(self.joints.len());
        while let Some(i) = next.pop() {
            id_of.insert(i, JointId::new(joints.len()));
            let joint = &self.joints[i];
            joints.push(Joint {
                name: joint.name.clone(),
                parent: parents[i].map(|p| id_of[&p]),
                offset: joint.offset,
                channels: joint.channels(),
                end_sites: joint.end_sites.clone(),
            });
            next.extend(children[i].iter().rev());
        }
        // Joints that no root leads to go round in a circle.
        if let Some(i) = (0..self.joints.len()).find(|i| !id_of.contains_key(i)) {
            let joint = self.joints[i].name.clone();
            return Err(self.joint_error(i, RigFileProblem::Loop { joint }));
        }
        let problem = |_| self.error("joints", RigFileProblem::NotFinite);
        Skeleton::new(joints).map(Some).map_err(problem)
    }

    /// The place of each joint's parent in the list.
    fn parents(&self) -> Result<Vec<Option<usize>>, RigFileError> {
        let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (i, joint) in self.joints.iter().enumerate() {
            places.entry(&joint.name).or_default().push(i);
        }
        let find = |text: &str| -> Result<usize, JointNameError> {
            match places.get(text).map(Vec::as_slice) {
                Some([only]) => return Ok(*only),
                Some(several) => {
                    let count = several.len();
                    return Err(JointNameError::Ambiguous { text: text.to_owned(), count });
                }
                None => {}
            }
            let counted = text.rsplit_once('#').and_then(|(name, place)| {
                let place: usize = place.parse().ok()?;
                places.get(name)?.get(place.checked_sub(1)?).copied()
            });
            counted.ok_or_else(|| {
                let names: BTreeSet<&str> = places.keys().copied().collect();
                let nearest = nearest(text, names.into_iter()).map(str::to_owned);
                JointNameError::Unknown { text: text.to_owned(), nearest }
            })
        };
        let parent = |(i, joint): (usize, &FileJoint)| {
            let found = joint.parent.as_deref().map(find).transpose();
            found.map_err(|e| self.joint_error(i, e.into()))
        };
        self.joints.iter().enumerate().map(parent).collect()
    }

    fn joint_error(&self, index: usize, problem: RigFileProblem) -> RigFileError {
        let line = self.lines.0.get(&format!("joints.{index}")).copied();
        RigFileError { line, key: "joints.parent".to_owned(), problem }
    }
}
