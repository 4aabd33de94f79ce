//! The rig of a creature, written otherwise: other names, another unit, bones divided in two.

use super::{joint, rig_of};
use retarget::internals::convert::LoadedRig;
use retarget::internals::rig::RigFile;
use retarget::internals::skeleton::{JointId, Skeleton};
use std::collections::BTreeMap;

/// A rig like the one of `file` over `skeleton`, written otherwise.
pub struct Rewritten {
    pub skeleton: Skeleton,
    pub file: RigFile,
    /// The new joint of each old one.
    pub joint_of: Vec<JointId>,
    pub units: f64,
}

impl Rewritten {
    pub fn new(skeleton: &Skeleton, file: RigFile) -> Self {
        let joint_of = skeleton.ids().collect();
        Self { skeleton: skeleton.clone(), file, joint_of, units: 1.0 }
    }

    pub fn renamed(mut self) -> Self {
        let mut joints = self.skeleton.joints().to_vec();
        let mut names = BTreeMap::new();
        for (i, joint) in joints.iter_mut().enumerate() {
            names.insert(
                std::mem::replace(&mut joint.name, format!("n{}", 7 * i)),
                format!("n{}", 7 * i),
            );
        }
        let rename = |name: &mut String| *name = names[name].clone();
        self.file.roles.values_mut().for_each(rename);
        self.file.legs.values_mut().flat_map(|leg| &mut leg.joints).for_each(rename);
        self.file.chains.values_mut().flatten().for_each(rename);
        self.skeleton = Skeleton::new(joints).expect("a skeleton");
        self
    }

    pub fn scaled(mut self, units: f64) -> Self {
        let mut joints = self.skeleton.joints().to_vec();
        for joint in &mut joints {
            joint.offset *= units;
            joint.end_sites.iter_mut().for_each(|end| *end *= units);
        }
        self.skeleton = Skeleton::new(joints).expect("a skeleton");
        self.units *= units;
        self
    }

    /// Divides the bone that ends in each of these joints in two, the new joint named where the old
    /// chain is.
    pub fn divided(mut self, divided: &[&str]) -> Self {
        for name in divided {
            let id = joint(&self.skeleton, name);
            let mut joints = self.skeleton.joints().to_vec();
            let at = id.index();
            let half = joints[at].offset * 0.4;
            let mut extra = joints[at].clone();
            extra.name = format!("{name}_half");
            extra.offset = half;
            extra.end_sites = Vec::new();
            joints[at].offset -= half;
            for other in &mut joints[at..] {
                other.parent = other.parent.map(|p| match p.index() >= at {
                    true => JointId::new(p.index() + 1),
                    false => p,
                });
            }
            joints[at].parent = Some(id);
            joints.insert(at, extra.clone());
            self.skeleton = Skeleton::new(joints).expect("a skeleton");
            for old in &mut self.joint_of {
                if old.index() >= at {
                    *old = JointId::new(old.index() + 1);
                }
            }
            let lists = self.file.legs.values_mut().map(|leg| &mut leg.joints);
            for list in lists.chain(self.file.chains.values_mut()) {
                if let Some(place) = list.iter().position(|joint| joint == name) {
                    list.insert(place, extra.name.clone());
                }
            }
        }
        self
    }

    pub fn load(&self) -> LoadedRig {
        let mut file = self.file.clone();
        let name = |id: JointId| self.skeleton.name(id).to_owned();
        file.joints = self
            .skeleton
            .joints()
            .iter()
            .map(|joint| retarget::internals::rig::FileJoint {
                name: joint.name.clone(),
                parent: joint.parent.map(name),
                offset: joint.offset,
                channels: Some(joint.channels),
                end_sites: joint.end_sites.clone(),
            })
            .collect();
        rig_of(&file.to_toml()).unwrap_or_else(|e| panic!("{e}"))
    }
}
