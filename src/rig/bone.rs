//! Bones: where the joint of each role ends.

use super::{Role, Roles, Side};
use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::skeleton::{JointId, Skeleton};

/// Where the bone of a role joint points in the given pose, from positions of role joints so that
/// joints without a role in between do no harm; not normalised. `None` for joints without a role and
/// bones without length.
pub(crate) fn bone_vector(
    skeleton: &Skeleton,
    roles: &Roles,
    world: &WorldPose,
    id: JointId,
) -> Option<Vec3> {
    let end = bone_end(skeleton, roles, id)?;
    let vector = end.world(world) - world.position(id);
    (vector.norm() > 1e-9).then_some(vector)
}

/// The far end of a bone: a point fixed in some joint's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BoneEnd {
    pub joint: JointId,
    /// In that joint's frame (local).
    pub point: Vec3,
}

impl BoneEnd {
    pub fn world(&self, world: &WorldPose) -> Vec3 {
        // Most bones end at a joint, which no rotation has to place.
        match self.point == Vec3::zeros() {
            true => world.position(self.joint),
            false => world.point(self.joint, self.point),
        }
    }
}

/// The far end of a role joint's bone: the next role joint, else the child or End Site that lies
/// farthest away; of a forearm the End Site. That of the hips leads up the trunk.
pub(crate) fn bone_end(skeleton: &Skeleton, roles: &Roles, id: JointId) -> Option<BoneEnd> {
    let at = |role: Role| roles.joint(role).map(|joint| BoneEnd { joint, point: Vec3::zeros() });
    let neck_or_head = || at(Role::Neck(1)).or_else(|| at(Role::Head));
    match roles.role(id)? {
        Role::Hips => at(Role::Spine(1)).or_else(neck_or_head),
        Role::Spine(n) => at(Role::Spine(n.saturating_add(1))).or_else(neck_or_head),
        Role::Neck(n) => at(Role::Neck(n.saturating_add(1))).or_else(|| at(Role::Head)),
        Role::Clavicle(s) => at(Role::UpperArm(s)),
        Role::Thigh(s) => at(Role::Shin(s)),
        Role::Shin(s) => at(Role::Foot(s)),
        Role::UpperArm(s) => at(Role::Forearm(s)),
        // Without a hand its joints may be of what the hand holds.
        Role::Forearm(s) => at(Role::Hand(s)).or_else(|| farthest(end_sites(skeleton, id))),
        Role::Foot(s) => at(Role::Toe(s)).or_else(|| farthest_end(skeleton, id)),
        Role::Hand(s) => knuckles(roles, s).or_else(|| farthest_end(skeleton, id)),
        Role::Chain(name, number) => {
            let next = number.checked_add(1).and_then(|next| at(Role::Chain(name, next)));
            next.or_else(|| farthest_end(skeleton, id))
        }
        Role::Finger(s, digit, n) => {
            at(Role::Finger(s, digit, n.saturating_add(1))).or_else(|| farthest_end(skeleton, id))
        }
        Role::Head | Role::Toe(_) => farthest_end(skeleton, id),
    }
}

/// The bone of a role joint as far as its own frame fixes it. `None` without length.
pub(crate) fn own_piece(skeleton: &Skeleton, roles: &Roles, id: JointId) -> Option<Vec3> {
    first_piece(skeleton, id, bone_end(skeleton, roles, id)?)
}

/// The bone from a joint as far as the joint's own frame fixes it: to the next joint on the way to the
/// bone's end. `None` without length.
pub(crate) fn first_piece(skeleton: &Skeleton, id: JointId, end: BoneEnd) -> Option<Vec3> {
    let piece = if end.joint == id {
        end.point
    } else {
        let below = std::iter::once(end.joint).chain(skeleton.ancestors(end.joint));
        let next = below.take_while(|&below| below != id).last()?;
        skeleton.joint(next).offset
    };
    (piece.norm() > 1e-9).then_some(piece)
}

/// The middle finger's base, or that of the finger next to it.
fn knuckles(roles: &Roles, side: Side) -> Option<BoneEnd> {
    use super::Digit::{Index, Middle, Pinky, Ring};
    [Middle, Ring, Index, Pinky].into_iter().find_map(|digit| {
        let joint = (1..=3).find_map(|n| roles.joint(Role::Finger(side, digit, n)))?;
        Some(BoneEnd { joint, point: Vec3::zeros() })
    })
}

/// The child or End Site of a joint that lies farthest from it, if any has a distance at all.
pub(crate) fn farthest_end(skeleton: &Skeleton, id: JointId) -> Option<BoneEnd> {
    let children = skeleton.children(id).map(|child| skeleton.joint(child).offset);
    let children = children.map(|point| BoneEnd { joint: id, point });
    farthest(children.chain(end_sites(skeleton, id)))
}

fn end_sites(skeleton: &Skeleton, id: JointId) -> impl Iterator<Item = BoneEnd> + '_ {
    skeleton.joint(id).end_sites.iter().map(move |&point| BoneEnd { joint: id, point })
}

fn farthest(ends: impl Iterator<Item = BoneEnd>) -> Option<BoneEnd> {
    ends.max_by(|a, b| a.point.norm().total_cmp(&b.point.norm()))
        .filter(|end| end.point.norm() > 1e-9)
}
