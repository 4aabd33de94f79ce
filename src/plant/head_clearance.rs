//! Head clearance: keeps heads over the ground. On a body whose neck and head are long for its trunk, the head of somebody who
//! falls, bows or gets up would be below the floor. Such a head turns up about its neck.
//!
//! The turn is a curve over the clip. Heads are transferred in those frames alone in which they may be so low, and shortly
//! before and after.

use super::body_ground::BodyGround;
use super::contact_interval::widened;
use super::hand_clearance::{TRUNK_SLACK, trunk_len};
use super::hanging::{Hanging, forwards};
use super::transferred::{TransferredLeg, transfer_limbs};
use crate::binding::Binding;
use crate::clip::Clip;
use crate::ik::Approach;
use crate::math::{Quat, Vec3, runs, with_values};
use crate::pose::{Pose, WorldPose};
use crate::rig::{Rig, Role, Side};
use crate::skeleton::{JointId, Skeleton};
use std::ops::Range;

/// How a head turns over a clip.
pub(super) struct HeadClearance {
    /// The joint about which it turns, of the target.
    neck: JointId,
    /// Scaled axes, target world, one a frame.
    pub tilts: Vec<Vec3>,
}

/// A head in one frame of the transferred clip, target world.
struct TransferredHead {
    neck: Vec3,
    /// Its points that may come to the floor, from the neck.
    ways: Vec<Vec3>,
    hanging: Hanging,
}

/// How much the front of the body counts for a head: it turns along its own way, and to the chest where it hangs straight down.
const FRONT: f64 = 0.25;

/// How far a head turns at most, and from where on less and less, radians.
const MOST_RAD: [f64; 2] = [0.91, 1.3];

/// A turn below this does nothing that anyone sees, radians.
const LEAST_RAD: f64 = 1e-4;

impl HeadClearance {
    /// `legs` are the transferred ones. `None` where the target has no head or one of both rigs no shoulders, and where no frame needs a turn.
    pub fn of(source: &Clip, ground: &BodyGround, legs: &[Vec<TransferredLeg>]) -> Option<Self> {
        let BodyGround { binding, body, frames, .. } = *ground;
        let target = &binding.target;
        let (up, hips) = (target.up, binding.root.hips);
        let head = target.joint(Role::Head)?;
        let arms = Side::BOTH.into_iter().filter_map(|side| target.joint(Role::UpperArm(side)));
        let arms: Vec<JointId> = arms.collect();
        let neck = turned(&target.skeleton, head, target.joint(Role::Neck(1)), &arms);
        let points = points(&target.skeleton, neck, head);
        let len = len(target, neck, &points);
        let near = near(ground, legs, len)?;
        let see = |_: &(), world: &WorldPose| {
            let neck = world.position(neck);
            let way = |(id, local): &(JointId, Vec3)| world.point(*id, *local) - neck;
            let ways: Vec<Vec3> = points.iter().map(way).collect();
            let ahead = forwards(target, hips, world) * FRONT;
            let hanging = Hanging::along(ways.iter().sum(), ahead, target.up);
            TransferredHead { neck, ways, hanging }
        };
        let mut heads = Vec::new();
        transfer_limbs(source, binding, near.iter().cloned(), [head], &[()], see, |_, mut seen| {
            heads.append(&mut seen);
        });
        let weight = target.weight(head);
        let tilt_rad = |(f, head): (usize, &TransferredHead)| {
            let room = up.height(ground.carried(f, head.neck)) - lowest(ground, f);
            let tilt_rad = |way: &Vec3| {
                let hangs = -up.height(*way);
                head.hanging.tilt_rad(hangs, hangs - room, way.norm(), MOST_RAD)
            };
            head.ways.iter().map(tilt_rad).fold(0.0, f64::max) * weight
        };
        let mut tilts = vec![Vec3::zeros(); body.len()];
        let mut is_turned = false;
        for (run, heads) in with_values(&near, &heads) {
            let needed_rad: Vec<f64> = run.clone().zip(heads).map(tilt_rad).collect();
            is_turned |= needed_rad.iter().any(|needed_rad| *needed_rad >= LEAST_RAD);
            let hanging: Vec<Hanging> = heads.iter().map(|head| head.hanging).collect();
            let even = Hanging::tilts(&hanging, &needed_rad, frames.hand / 2, up);
            tilts[run].copy_from_slice(&even);
        }
        if !is_turned {
            return None;
        }
        Some(Self { neck, tilts })
    }

    /// Turns the head of a solved pose, as far as the stated limit of its neck lets it. Allocates nothing.
    pub fn turn(&self, binding: &Binding, frame: usize, pose: &mut Pose, world: &mut WorldPose) {
        let (tilt, neck) = (self.tilts[frame], self.neck);
        if tilt == Vec3::zeros() {
            return;
        }
        let skeleton = &binding.target.skeleton;
        let above = skeleton.parent(neck).map_or(Quat::identity(), |above| world.rotation(above));
        let local = above.inverse() * Quat::from_scaled_axis(tilt) * world.rotation(neck);
        let limit = binding.limits.of(neck);
        let local = limit.map_or(local, |limit| limit.approach(local, Approach::HARD));
        pose.rotations[neck.index()] = local;
        world.set_from(skeleton, pose, neck.index());
    }
}

/// How low a head may be in a frame: the height of the ground, or less where the source's soles are below it.
fn lowest(ground: &BodyGround, frame: usize) -> f64 {
    let BodyGround { heights, track, binding, .. } = *ground;
    let sole = |foot| heights.sole(foot).get(frame).copied();
    let soles = binding.source.foot_ids().filter_map(sole);
    binding.target_height(soles.fold(track.floor_height, f64::min))
}

/// The runs of frames in which a head of this length may be too low, or whose turn passes over from such a frame.
fn near(ground: &BodyGround, legs: &[Vec<TransferredLeg>], len: f64) -> Option<Vec<Range<usize>>> {
    let BodyGround { heights, binding, body, frames, .. } = *ground;
    let Binding { source, target, .. } = binding;
    let trunk = |side: Side| {
        let target_len = trunk_len(target, side)?;
        let own_len = trunk_len(source, side)?.max(1e-9 * source.leg_len);
        Some((heights.shoulder(side)?, target_len / own_len, TRUNK_SLACK * target_len))
    };
    let trunks: Vec<_> = Side::BOTH.into_iter().filter_map(trunk).collect();
    let may_be_low = |f: usize| {
        let hip = legs.iter().map(|leg| target.up.height(leg[f].thigh + body[f]));
        let hip = hip.fold(f64::INFINITY, f64::min);
        let shoulder = |(heights, times, slack): &(&[f64], f64, f64)| heights[f] * times - slack;
        let shoulder = trunks.iter().map(shoulder).fold(f64::INFINITY, f64::min);
        hip + shoulder - len < lowest(ground, f)
    };
    let near = widened(runs(0..body.len(), may_be_low), frames.hand, body.len());
    (!near.is_empty()).then_some(near)
}

/// The joint about which a head turns: the lowest one from its `neck` on that carries no arm, or else its own. Some rigs hang
/// clavicles on the neck, and hands must stay where they are.
fn turned(skeleton: &Skeleton, head: JointId, neck: Option<JointId>, arms: &[JointId]) -> JointId {
    let carries_arm = |joint: JointId| arms.iter().any(|arm| skeleton.is_ancestor(joint, *arm));
    let is_of_neck = |joint: JointId| {
        neck.is_some_and(|neck| joint == neck || skeleton.is_ancestor(neck, joint))
    };
    let free = |joint: &JointId| is_of_neck(*joint) && !carries_arm(*joint);
    skeleton.ancestors(head).take_while(free).last().unwrap_or(head)
}

/// The points of a head that may come to the floor: its joints above the one about which it turns, and the ends of the last.
fn points(skeleton: &Skeleton, neck: JointId, head: JointId) -> Vec<(JointId, Vec3)> {
    let way = skeleton.with_ancestors([head]);
    let above = way.into_iter().skip_while(|joint| *joint != neck).skip(1);
    let ends = skeleton.joint(head).end_sites.iter().map(|end| (head, *end));
    above.map(|joint| (joint, Vec3::zeros())).chain(ends).collect()
}

/// From the joint about which it turns to the farthest point of the head in the rig's stance, length units.
fn len(target: &Rig, neck: JointId, points: &[(JointId, Vec3)]) -> f64 {
    let world = WorldPose::of(&target.skeleton, &target.stance.local);
    let far =
        |(id, local): &(JointId, Vec3)| (world.point(*id, *local) - world.position(neck)).norm();
    points.iter().map(far).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::Joint;

    /// Joints that hang on those with these numbers, each with an End Site.
    fn skeleton(parents: &[Option<usize>]) -> Skeleton {
        let joint = |(i, parent): (usize, &Option<usize>)| {
            let parent = parent.map(JointId::new);
            let joint = Joint::new(format!("joint {i}"), parent, Vec3::y());
            Joint { end_sites: vec![Vec3::y()], ..joint }
        };
        Skeleton::new(parents.iter().enumerate().map(joint).collect()).expect("a tree")
    }

    #[test]
    fn a_head_turns_about_the_lowest_joint_that_takes_no_arm_along() {
        let [neck, upper_neck, head, arm] = [1, 2, 3, 4].map(JointId::new);
        for (hangs_on, turned_about) in [(0, neck), (1, upper_neck), (2, head)] {
            let skeleton = skeleton(&[None, Some(0), Some(1), Some(2), Some(hangs_on)]);
            assert_eq!(turned(&skeleton, head, Some(neck), &[arm]), turned_about);
            assert_eq!(turned(&skeleton, head, None, &[arm]), head, "a head without a neck");
        }
    }

    #[test]
    fn what_is_below_the_joint_about_which_a_head_turns_is_no_point_of_it() {
        let skeleton = skeleton(&[None, Some(0), Some(1), Some(2)]);
        let [neck, upper_neck, head] = [1, 2, 3].map(JointId::new);
        let of = |from: JointId| -> Vec<JointId> {
            points(&skeleton, from, head).into_iter().map(|(joint, _)| joint).collect()
        };
        assert_eq!(of(neck), [upper_neck, head, head]);
        assert_eq!(of(head), [head], "its End Site alone");
    }
}
