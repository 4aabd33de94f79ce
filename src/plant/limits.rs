//! A rig's stated limits as joints of the tree that is solved.

use crate::ik::{Cone, Joint, Range};
use crate::math::{Quat, Vec3};
use crate::rig::{JointLimit, Rig, bone_end};
use crate::skeleton::JointId;

/// The joint with the rig's limit, counted from the reference stance; `None` where it turns freely.
///
/// A joint whose channels cannot hold every rotation is limited to what they hold.
pub(crate) fn limited(rig: &Rig, id: JointId) -> Option<Joint> {
    let limit = rig.limits.iter().find(|(joint, _)| *joint == id).map(|(_, limit)| *limit);
    let joint = match limit {
        None | Some(JointLimit::Free) => {
            let order = rig.skeleton.joint(id).channels.euler_order();
            return match order.axes().len() {
                0 => Some(Joint::fixed()),
                1 | 2 => Some(Joint::euler(order, [Range::free(); 3])),
                _ => None,
            };
        }
        Some(JointLimit::Hinge { axis, min_rad, max_rad }) => {
            Joint::hinge(axis, Range::new(min_rad, max_rad))
        }
        Some(JointLimit::Ball { swing_rad, twist_rad: [least, most] }) => {
            let twist_axis = bone_axis(rig, id);
            Joint::cone(Cone {
                twist_axis,
                swing_axis: crate::math::any_perpendicular(twist_axis),
                swing_rad,
                twist: Range::new(least, most),
            })
        }
    };
    Some(joint.with_rest(stance_rotation(rig, id)))
}

/// Along the joint's bone, in its own frame: to the next role joint, or to the farthest child.
fn bone_axis(rig: &Rig, id: JointId) -> Vec3 {
    let named = bone_end(&rig.skeleton, &rig.roles, id)
        .map(|end| if end.joint == id { end.point } else { rig.skeleton.joint(end.joint).offset });
    let children = rig.skeleton.children(id).map(|child| rig.skeleton.joint(child).offset);
    let ends = rig.skeleton.joint(id).end_sites.iter().copied();
    let longest = children.chain(ends).max_by(|a, b| a.norm().total_cmp(&b.norm()));
    named.or(longest).and_then(|bone| bone.try_normalize(1e-12)).unwrap_or(Vec3::y())
}

/// The joint's local rotation in the straightened reference stance.
fn stance_rotation(rig: &Rig, id: JointId) -> Quat {
    let frame = |joint: JointId| rig.stance.body_from_joint[joint.index()];
    match rig.skeleton.parent(id) {
        Some(parent) => frame(parent).inverse() * frame(id),
        None => frame(id),
    }
}
