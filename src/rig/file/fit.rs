//! Whether a clip has the skeleton that a file lists: what makes a written mapping safe to reuse.

use super::RigFile;
use crate::rig::Role;
use crate::skeleton::{JointId, Skeleton};

/// How far a joint may lie from where the listed skeleton has it, in its parent's frame, as a share of
/// the longest way down the body: actors differ by less, other rest poses and units by more.
const SAME_PLACE: f64 = 0.06;

/// The first joint in which a clip's skeleton is another than the listed one. Joints count from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Misfit {
    #[error("joint {number} is {found:?}, where the rig has {wanted:?}")]
    Name { number: usize, found: String, wanted: String },
    #[error("joint {number}, {name:?}, hangs on {found}, in the rig on {wanted}")]
    Parent { number: usize, name: String, found: String, wanted: String },
    #[error("it ends after {joints} joints, where the rig goes on with {wanted:?}")]
    Fewer { joints: usize, wanted: String },
    #[error("joint {number}, {found:?}, is one more than the rig has")]
    More { number: usize, found: String },
    #[error(
        "joint {number}, {name:?}, has the OFFSET {found}, in the rig {wanted}: this is another rest \
         pose, another length unit or another body"
    )]
    Place { number: usize, name: String, found: String, wanted: String },
}

impl RigFile {
    /// Checks that a clip has the skeleton `listed`, that of this file: names and parents in their order, and OFFSETs
    /// to within 6 % of the longest way down the body. OFFSETs of the hips and of what lies above may differ, since
    /// many writers let them say where the clip begins. The error is the first joint that differs. One pass over the
    /// joints.
    pub fn check_fit(&self, listed: &Skeleton, clip: &Skeleton) -> Result<(), Misfit> {
        let hips = self.roles.get(&Role::Hips).and_then(|name| listed.find(name));
        let above = |id: JointId| {
            listed.parent(id).is_none()
                || hips.is_some_and(|h| h == id || listed.is_ancestor(id, h))
        };
        let slack = SAME_PLACE * longest_way(listed, above);
        for id in listed.ids() {
            let number = id.index() + 1;
            let wanted = listed.joint(id);
            let Some(found) = clip.joints().get(id.index()) else {
                return Err(Misfit::Fewer { joints: clip.len(), wanted: wanted.name.clone() });
            };
            let name = found.name.clone();
            if found.name != wanted.name {
                return Err(Misfit::Name { number, found: name, wanted: wanted.name.clone() });
            }
            if found.parent != wanted.parent {
                let on = |skeleton: &Skeleton, parent: Option<JointId>| match parent {
                    Some(parent) => format!("{:?}", skeleton.name(parent)),
                    None => "nothing".to_owned(),
                };
                let (found, wanted) = (on(clip, found.parent), on(listed, wanted.parent));
                return Err(Misfit::Parent { number, name, found, wanted });
            }
            if !above(id) && (found.offset - wanted.offset).norm() > slack {
                let text = |v: crate::math::Vec3| format!("({}, {}, {})", v.x, v.y, v.z);
                let (found, wanted) = (text(found.offset), text(wanted.offset));
                return Err(Misfit::Place { number, name, found, wanted });
            }
        }
        match clip.joints().get(listed.len()) {
            Some(more) => Err(Misfit::More { number: listed.len() + 1, found: more.name.clone() }),
            None => Ok(()),
        }
    }
}

/// The longest way down the OFFSETs, those of `skipped` joints left out; length units.
fn longest_way(skeleton: &Skeleton, skipped: impl Fn(JointId) -> bool) -> f64 {
    let mut ways: Vec<f64> = Vec::with_capacity(skeleton.len());
    for id in skeleton.ids() {
        let joint = skeleton.joint(id);
        let above = joint.parent.map_or(0.0, |p| ways[p.index()]);
        ways.push(if skipped(id) { 0.0 } else { above + joint.offset.norm() });
    }
    ways.into_iter().fold(0.0, f64::max)
}
