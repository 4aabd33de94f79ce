//! Reads the solved bones back into a pose of the whole target.

use super::{Body, Moved};
use crate::binding::Binding;
use crate::math::Quat;
use crate::plant::sole::FootGoal;
use crate::pose::{Pose, WorldPose};
use crate::rig::JointRange;
use crate::skeleton::{JointId, Skeleton};
use crate::transfer::{move_root, unplace_root};

/// What the last solve did to the target's joints.
pub(crate) struct ReadBack {
    /// By joint, whether it turned against the world.
    turned: Vec<bool>,
    /// Joints that a person's range held back, and by how much (radians).
    pub held_back: Vec<(JointId, f64)>,
}

impl ReadBack {
    pub(super) fn new(body: &Body) -> Self {
        Self {
            turned: vec![false; body.count],
            held_back: Vec::with_capacity(body.moved.len() + body.toes.len()),
        }
    }
}

impl Body {
    /// Roots the solved body at the hips again: computes local rotations from world ones, gives toes their goals'
    /// rotations, and moves the root so that the hips are where the solve left them.
    ///
    /// Joints that the solve only takes along keep their local rotations to the bit. Where it did not turn the hips, only
    /// those below a turned one are placed anew: most joints of many a rig are fingers.
    pub(super) fn read_back(
        &self,
        binding: &Binding,
        feet: &[FootGoal],
        places: &WorldPose,
        pose: &mut Pose,
        world: &mut WorldPose,
        ReadBack { turned, held_back }: &mut ReadBack,
    ) {
        held_back.clear();
        let mut note = |joint, by_rad| held_back.push((joint, by_rad));
        let local = |own: JointId, rotation: Quat| match self.bones.skeleton.parent(own) {
            Some(parent) => places.rotation(parent).inverse() * rotation,
            None => rotation,
        };
        turned.fill(false);
        let stays = |own: JointId| places.rotation(own) == world.rotation(self.bones.whole(own));
        for Moved { joint, own, range } in &self.moved {
            if stays(*own) && self.bones.skeleton.parent(*own).is_none_or(stays) {
                continue;
            }
            turned[joint.index()] = true;
            let solved = local(*own, places.rotation(*own));
            let rotation = &mut pose.rotations[joint.index()];
            *rotation = held(range.as_ref(), *joint, *rotation, solved, &mut note);
        }
        for &[palm, hand] in &self.palms {
            turned[palm.index()] = turned[hand.index()];
            pose.rotations[palm.index()] = pose.rotations[hand.index()];
        }
        for ((toe, foot), range) in self.toes.iter().zip(feet).zip(&self.toe_ranges) {
            let Some([id, own]) = *toe else { continue };
            turned[id.index()] = true;
            let laid = local(own, foot.toe_rotation);
            let rotation = &mut pose.rotations[id.index()];
            *rotation = held(range.as_ref(), id, *rotation, laid, &mut note);
        }
        let (skeleton, hips) = (&binding.target.skeleton, binding.root.hips);
        if stays(self.hips) && !self.above.iter().any(|id| turned[id.index()]) {
            let off = places.position(self.hips) - world.position(hips);
            move_root(binding, pose, world, off);
            place_turned(skeleton, pose, world, turned);
            return;
        }
        // Joints above the hips keep their own pose.
        world.set_joints(skeleton, pose, &self.above);
        let above = skeleton.parent(hips).map_or(Quat::identity(), |above| world.rotation(above));
        pose.rotations[hips.index()] = above.inverse() * places.rotation(self.hips);
        unplace_root(binding, pose);
        world.set(skeleton, pose);
        move_root(binding, pose, world, places.position(self.hips) - world.position(hips));
    }
}

/// Places the `turned` joints and all below them anew, and notes those too.
fn place_turned(skeleton: &Skeleton, pose: &Pose, world: &mut WorldPose, turned: &mut [bool]) {
    for id in skeleton.ids() {
        let (i, parent) = (id.index(), skeleton.parent(id));
        turned[i] |= parent.is_some_and(|parent| turned[parent.index()]);
        if turned[i] {
            world.set_joint(parent, i, pose.rotations[i], pose.translations[i]);
        }
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
