//! Reads the solved bones back into a pose of the whole target.

use super::{Body, Moved};
use crate::binding::Binding;
use crate::math::Quat;
use crate::plant::sole::FootGoal;
use crate::pose::{Pose, WorldPose};
use crate::rig::JointRange;
use crate::skeleton::JointId;
use crate::transfer::{place_root, unplace_root};

impl Body {
    /// Roots the solved body at the hips again: computes local rotations from world ones, gives toes their goals'
    /// rotations, and moves the root so that the hips are where the solve left them. `note` receives each joint that
    /// its range held back, and by how much (radians).
    pub(super) fn read_back(
        &self,
        binding: &Binding,
        feet: &[FootGoal],
        places: &WorldPose,
        pose: &mut Pose,
        world: &mut WorldPose,
        mut note: impl FnMut(JointId, f64),
    ) {
        let local = |own: JointId, rotation: Quat| match self.bones.skeleton.parent(own) {
            Some(parent) => places.rotation(parent).inverse() * rotation,
            None => rotation,
        };
        for Moved { joint, own, range } in &self.moved {
            let solved = local(*own, places.rotation(*own));
            let rotation = &mut pose.rotations[joint.index()];
            *rotation = held(range.as_ref(), *joint, *rotation, solved, &mut note);
        }
        for ((toe, foot), range) in self.toes.iter().zip(feet).zip(&self.toe_ranges) {
            let Some([id, own]) = *toe else { continue };
            let laid = local(own, foot.toe_rotation);
            let rotation = &mut pose.rotations[id.index()];
            *rotation = held(range.as_ref(), id, *rotation, laid, &mut note);
        }
        // Joints above the hips keep their own pose; the solve only takes them along.
        let (skeleton, hips) = (&binding.target.skeleton, binding.root.hips);
        world.set_joints(skeleton, pose, &self.above);
        let above = skeleton.parent(hips).map_or(Quat::identity(), |above| world.rotation(above));
        pose.rotations[hips.index()] = above.inverse() * places.rotation(self.hips);
        unplace_root(binding, pose);
        world.set(skeleton, pose);
        place_root(binding, pose, world, places.position(self.hips) - world.position(hips));
    }
}

/// The local rotation `wanted` of a joint, bounded by its range. The range is widened to include the `transferred`
/// rotation. `note` receives what is held back.
fn held(
    range: Option<&JointRange>,
    joint: JointId,
    transferred: Quat,
    wanted: Quat,
    note: &mut impl FnMut(JointId, f64),
) -> Quat {
    let Some(range) = range.filter(|range| !range.holds(wanted)) else { return wanted };
    let bounded = range.widened(transferred).confine(wanted);
    if bounded != wanted {
        note(joint, bounded.angle_to(&wanted));
    }
    bounded
}
