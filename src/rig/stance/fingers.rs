//! How hands lie in the stance: palms down by the row of their fingers, and fingers as they rest.
//!
//! The zero pose shows how fingers rest where it is a hand's, even if the body does not stand in it; so do
//! fingers that a clip never moves. All others are laid straight, as far apart as people hold them.

use super::flat_feet::turn_below;
use super::straighten::outwards;
use super::{Basis, Ground, Stance};
use crate::clip::Clip;
use crate::math::{Quat, Vec3, median_rotation, rejection, rotation_between};
use crate::pose::{Pose, WorldPose};
use crate::rig::bone::bone_vector;
use crate::rig::{Digit, Role, Roles, Side, standing};
use crate::skeleton::{JointId, Skeleton};

/// A finger that lies farther than this from its hand's direction in a zero pose does not rest.
const RESTING_RAD: f64 = 1.0;
/// Fingers that lie within this of one another were laid along one axis by a program.
const PARALLEL_RAD: f64 = 0.03;
/// Joints that turn by less than this against their hand are held still.
const STILL_RAD: f64 = 0.35;
/// A row of knuckles that is rolled by less than this against the level is a hand's own shape.
const LEVEL_RAD: f64 = 0.3;
/// A row of knuckles shorter than this against its distance from the wrist shows no roll.
const ROW: f64 = 0.3;
/// How far people's fingers point apart against how far their knuckles do, as both lie about the wrist.
const FAN: f64 = 0.5;

/// Rolls hands whose knuckles show that their palms do not face down, and all that hangs on them.
pub(super) fn face_palms_down(skeleton: &Skeleton, roles: &Roles, stance: &mut Stance) {
    let world = WorldPose::of(skeleton, &stance.local);
    for side in Side::BOTH {
        let Some(hand) = roles.joint(Role::Hand(side)) else { continue };
        let from_wrist = |digit: Digit| {
            let knuckle = world.position(knuckle(roles, side, digit)?) - world.position(hand);
            let local = world.rotation(hand).inverse() * knuckle;
            Some(stance.body_from_joint[hand.index()] * local)
        };
        let row: Vec<Vec3> = Digit::ALL[1..].iter().filter_map(|&d| from_wrist(d)).collect();
        let (Some(first), Some(last)) = (row.first(), row.last()) else { continue };
        let ahead = first - last;
        let out = outwards(side);
        let level = rejection(ahead, out);
        if level.norm() < ROW * first.norm().max(last.norm()) || level.angle(&Vec3::z()) < LEVEL_RAD
        {
            continue;
        }
        turn_below(skeleton, hand, rotation_between(level, Vec3::z()), stance);
        stance.bases[hand.index()].roll = Ground::Bones;
    }
}

/// Lays the fingers of a stance that no pose shows.
pub(super) fn lay(skeleton: &Skeleton, roles: &Roles, clip: Option<&Clip>, stance: &mut Stance) {
    for side in Side::BOTH {
        let Some(hand) = roles.joint(Role::Hand(side)) else { continue };
        let is_finger = |role: Role| matches!(role, Role::Finger(of, ..) if of == side);
        let fingers: Vec<(Role, JointId)> = skeleton
            .at_and_below(hand)
            .filter_map(|id| Some((roles.role(id).filter(|role| is_finger(*role))?, id)))
            .collect();
        if fingers.is_empty() {
            continue;
        }
        let hand_frame = stance.body_from_joint[hand.index()];
        if rests_in_zero_pose(skeleton, roles, side, hand) {
            for (_, id) in fingers {
                stance.body_from_joint[id.index()] = hand_frame;
                stance.bases[id.index()] = Basis { direction: Ground::Bones, roll: Ground::Bones };
            }
        } else if let Some(still) = clip.and_then(|clip| held_still(clip, hand, &fingers)) {
            for ((_, id), hand_from_finger) in fingers.into_iter().zip(still) {
                stance.body_from_joint[id.index()] = hand_frame * hand_from_finger;
                stance.bases[id.index()] =
                    Basis { direction: Ground::Motion, roll: Ground::Motion };
            }
        } else {
            lay_straight(skeleton, roles, side, hand, &fingers, stance);
        }
    }
}

/// The joint of a finger that is nearest to its knuckle.
fn knuckle(roles: &Roles, side: Side, digit: Digit) -> Option<JointId> {
    (1..=3).find_map(|n| roles.joint(Role::Finger(side, digit, n)))
}

/// Whether the zero pose shows a hand: its fingers point away from the wrist, and not all the same way.
fn rests_in_zero_pose(skeleton: &Skeleton, roles: &Roles, side: Side, hand: JointId) -> bool {
    let world = WorldPose::of(skeleton, &Pose::rest(skeleton));
    let bone = |id: JointId| bone_vector(skeleton, roles, &world, id);
    let Some(palm) = bone(hand) else { return false };
    let of = |digit: Digit, n: u8| roles.joint(Role::Finger(side, digit, n));
    // The last joint's bone ends in whatever an exporter put there.
    let before_another = |digit: Digit, n: u8| of(digit, n + 1).and(of(digit, n)).and_then(bone);
    let fingers = &Digit::ALL[1..];
    let is_curled = |way: Vec3| way.angle(&palm) > RESTING_RAD;
    let first = |digit: &Digit| knuckle(roles, side, *digit).and_then(bone);
    let firsts: Vec<Vec3> = fingers.iter().filter_map(first).collect();
    let mut inner = fingers.iter().flat_map(|&d| (1..3).filter_map(move |n| before_another(d, n)));
    let apart = |way: &Vec3| firsts.iter().any(|other| other.angle(way) > PARALLEL_RAD);
    firsts.iter().any(apart) && !firsts.iter().copied().any(is_curled) && !inner.any(is_curled)
}

/// The rotations from each finger joint's frame to the hand's, if a clip holds them all still.
fn held_still(clip: &Clip, hand: JointId, fingers: &[(Role, JointId)]) -> Option<Vec<Quat>> {
    let mut seen: Vec<Vec<(Quat, f64)>> = vec![Vec::new(); fingers.len()];
    clip.each_world(standing::sampled_frames(clip), |_, world| {
        for (seen, (_, id)) in seen.iter_mut().zip(fingers) {
            seen.push((world.rotation(hand).inverse() * world.rotation(*id), 1.0));
        }
    });
    let still = |seen: Vec<(Quat, f64)>| {
        let middle = median_rotation(&seen);
        seen.iter().all(|(q, _)| q.angle_to(&middle) < STILL_RAD).then_some(middle)
    };
    seen.into_iter().map(still).collect()
}

/// Points every bone of a hand's fingers where people's point while their hands are flat, each by the smallest turn
/// from where the one before carries it.
fn lay_straight(
    skeleton: &Skeleton,
    roles: &Roles,
    side: Side,
    hand: JointId,
    fingers: &[(Role, JointId)],
    stance: &mut Stance,
) {
    let world = WorldPose::of(skeleton, &stance.local);
    let hand_frame = stance.body_from_joint[hand.index()];
    let out = outwards(side);
    let along = |digit: Digit| match digit {
        Digit::Thumb => out - 0.47 * Vec3::y() + 0.75 * Vec3::z(),
        _ => {
            let knuckle = knuckle(roles, side, digit).map_or(out, |id| {
                let way = world.position(id) - world.position(hand);
                hand_frame * (world.rotation(hand).inverse() * way)
            });
            let fan_rad = FAN * knuckle.z.atan2(knuckle.dot(&out).max(0.0)).clamp(-1.0, 1.0);
            out * fan_rad.cos() + Vec3::z() * fan_rad.sin()
        }
    };
    for &(role, id) in fingers {
        let Role::Finger(_, digit, _) = role else { continue };
        let frame = stance.body_from_joint[id.index()];
        if let Some(bone) = bone_vector(skeleton, roles, &world, id) {
            let bone = frame * (world.rotation(id).inverse() * bone);
            turn_below(skeleton, id, rotation_between(bone, along(digit)), stance);
        }
        stance.bases[id.index()].direction = Ground::Assumed;
    }
}
