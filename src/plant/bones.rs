//! The body as a solve sees it: a small skeleton of the joints that turn and of those that they hang on.
//!
//! All that lies between is rigid in a solve, however it is posed in a frame, and is left out: fingers, toes,
//! twist joints, most of the spine.

use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::skeleton::{Joint, JointId, Skeleton};

/// Some joints of a skeleton as one of their own; their frames are those of the whole one's joints.
pub(super) struct Bones {
    pub skeleton: Skeleton,
    /// The joints of the whole skeleton that are in it, in its order.
    joints: Vec<JointId>,
}

impl Bones {
    /// Of these joints, of those that each of them hangs on, and of all roots.
    pub fn new(whole: &Skeleton, needed: &[JointId]) -> Self {
        let is_needed = |id: &JointId| {
            let hangs_on_it = |other: &JointId| whole.parent(*other) == Some(*id);
            let is_root = whole.parent(*id).is_none();
            is_root || needed.contains(id) || needed.iter().any(hangs_on_it)
        };
        let joints: Vec<JointId> = whole.ids().filter(is_needed).collect();
        let own = |id: JointId| {
            let place = joints.iter().position(|joint| *joint == id);
            place.map(JointId::new)
        };
        let joint = |&id: &JointId| {
            let parent = whole.ancestors(id).find_map(own);
            let left_out = whole.ancestors(id).take_while(|above| own(*above).is_none());
            let way: Vec3 = left_out.map(|above| whole.joint(above).offset).sum();
            Joint { parent, offset: whole.joint(id).offset + way, ..whole.joint(id).clone() }
        };
        let skeleton = Skeleton::new(joints.iter().map(joint).collect());
        Self { skeleton: skeleton.expect("an order that is kept, and finite sums"), joints }
    }

    /// The place in here of a joint that is needed.
    pub fn own(&self, joint: JointId) -> JointId {
        let place = self.joints.iter().position(|own| *own == joint);
        JointId::new(place.expect("a joint that is needed"))
    }

    /// Where the joints are in a world pose of the whole skeleton, all moved by `way`.
    pub fn place(&self, world: &WorldPose, way: Vec3, own: &mut WorldPose) {
        let places = own.rotations.iter_mut().zip(&mut own.positions);
        for ((rotation, position), id) in places.zip(&self.joints) {
            *rotation = world.rotation(*id);
            *position = world.position(*id) + way;
        }
    }
}
