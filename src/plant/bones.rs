//! The body that a solve uses: a small skeleton of the joints that it rotates and their parents.
//!
//! The joints between them (fingers, toes, twist joints, most of the spine) are rigid in a solve, whatever their pose
//! in a frame, and are left out.

use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::skeleton::{Joint, JointId, Skeleton};

/// Some joints of a skeleton as a skeleton of their own; joint frames are those of the whole skeleton.
pub(super) struct Bones {
    pub skeleton: Skeleton,
    /// The joints of the whole skeleton that are in this one, in its order.
    joints: Vec<JointId>,
}

impl Bones {
    /// From these joints, their parents and all roots.
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

    /// The id in this skeleton of a needed joint.
    pub fn own(&self, joint: JointId) -> JointId {
        let place = self.joints.iter().position(|own| *own == joint);
        JointId::new(place.expect("a joint that is needed"))
    }

    /// The joint of the whole skeleton that a joint of this one stands for.
    pub fn whole(&self, own: JointId) -> JointId {
        self.joints[own.index()]
    }

    /// The world pose of these joints in a world pose of the whole skeleton, moved by `way`.
    pub fn place(&self, world: &WorldPose, way: Vec3, own: &mut WorldPose) {
        let places = own.rotations.iter_mut().zip(&mut own.positions);
        for ((rotation, position), id) in places.zip(&self.joints) {
            *rotation = world.rotation(*id);
            *position = world.position(*id) + way;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Axis, Quat};
    use crate::pose::Pose;
    use crate::skeleton::Channels;

    /// A trunk of four joints with an arm of three and two fingers, and a leg on the first of the trunk.
    fn whole() -> Skeleton {
        let parents =
            [None, Some(0), Some(1), Some(2), Some(3), Some(4), Some(5), Some(5), Some(0), Some(8)];
        let joint = |(i, parent): (usize, &Option<usize>)| Joint {
            name: i.to_string(),
            parent: parent.map(JointId::new),
            offset: Vec3::new(0.1, 1.0, 0.01 * i as f64),
            channels: Channels::rotations([Axis::Z, Axis::X, Axis::Y]).expect("three axes"),
            end_sites: Vec::new(),
        };
        Skeleton::new(parents.iter().enumerate().map(joint).collect()).expect("sound")
    }

    #[test]
    fn what_is_needed_hangs_on_its_own_parent_and_nothing_else_is_there() {
        let whole = whole();
        // The arm's first and last joint, and the leg's last.
        let needed = [3, 5, 9].map(JointId::new);
        let bones = Bones::new(&whole, &needed);
        let joints: Vec<usize> = bones.joints.iter().map(|id| id.index()).collect();
        assert_eq!(joints, [0, 2, 3, 4, 5, 8, 9]);
        for id in needed {
            let parent = bones.skeleton.parent(bones.own(id)).expect("not a root");
            assert_eq!(Some(parent), whole.parent(id).map(|id| bones.own(id)));
        }
    }

    #[test]
    fn they_are_where_the_whole_body_has_them() {
        let whole = whole();
        let bones = Bones::new(&whole, &[5, 9].map(JointId::new));
        let mut pose = Pose::rest(&whole);
        let rest = WorldPose::of(&bones.skeleton, &Pose::rest(&bones.skeleton));
        let mut own = WorldPose::new(bones.skeleton.len());
        bones.place(&WorldPose::of(&whole, &pose), Vec3::zeros(), &mut own);
        for (is, wanted) in own.positions.iter().zip(&rest.positions) {
            assert!((is - wanted).norm() < 1e-12, "offsets of what is left out are kept");
        }
        pose.rotations[3] = Quat::from_euler_angles(0.3, 0.2, 0.1);
        let (world, way) = (WorldPose::of(&whole, &pose), Vec3::new(1.0, 2.0, 3.0));
        bones.place(&world, way, &mut own);
        let hand = JointId::new(5);
        assert_eq!(own.position(bones.own(hand)), world.position(hand) + way);
        assert_eq!(own.rotation(bones.own(hand)), world.rotation(hand));
    }
}
