//! One frame of a knee that is held on the floor, or over it.
//!
//! A foot that stands rolls about its ball so that the shin spans from the knee to it. Else the shin lies from the knee
//! to where the foot is wanted, raised until no sole is under the floor.

use super::clearance::lifted;
use super::knees::KneeGoal;
use super::limb_ik::{roll, rolled_ankle, set_limb, turn_limb};
use super::sole::{FootGoal, penetration};
use super::transferred::Leg;
use crate::ik::middle_joint;
use crate::math::{Quat, Vec3, curve, rotation_between};
use crate::pose::WorldPose;
use crate::rig::UpAxis;
use crate::skeleton::{JointId, Skeleton};

/// How long a foot is from ankle to ball, in shins, to roll ever less about its ball below a knee that kneels: beyond the
/// second it would lift its ankle over the knee, and a little of either would turn the shin about.
const LONG: [f64; 2] = [0.6, 1.0];

/// Brings the knee of a solved leg to its goal, turned about its hip, and its shin from there to where the ankle is,
/// raised until the foot is on the floor, or to where a foot that stands rolls to; a knee that is lifted takes the
/// ankle along. No allocation.
pub(super) fn kneel(
    skeleton: &Skeleton,
    leg: &Leg,
    goal: &KneeGoal,
    foot: &FootGoal,
    up: UpAxis,
    places: &mut WorldPose,
) {
    let Some(shin) = leg.knee.map(|knee| knee.shin) else { return };
    let joints = [leg.hip(), shin, leg.ankle];
    let [hip, knee, ankle] = joints.map(|id| places.position(id));
    let (thigh_len, shin_len) = ((knee - hip).norm(), (ankle - knee).norm());
    let wanted = knee.lerp(&goal.place, goal.hold);
    let Some(along) = (wanted - hip).try_normalize(1e-9 * leg.len) else { return };
    let free = hip + along * thigh_len;
    // On its way down a knee leaves a standing foot where it is.
    let standing = middle_joint(hip, ankle, wanted, thigh_len, shin_len);
    let between = free.lerp(&standing, foot.lock_weight * (1.0 - goal.hold)) - hip;
    let Some(along) = between.try_normalize(1e-9 * leg.len) else { return };
    let held = hip + along * thigh_len;
    let knee = lifted(hip, held, goal.lift, up);
    let foot_rotation = places.rotation(leg.ankle);
    let Some(along) = (ankle - held).try_normalize(1e-9 * leg.len) else { return };
    let free = knee + along * shin_len;
    let arm = foot_rotation * leg.ball;
    let ball = foot.ankle + arm;
    let rolls = foot.lock_weight * curve::ramp(arm.norm() / shin_len.max(1e-300), LONG[1], LONG[0]);
    let mut ankle = rolled_ankle([knee, free], arm.norm(), ball, rolls);
    let foot_rotation = roll(arm, ball - ankle, rolls) * foot_rotation;
    // What has rolled, or lies free, may have come under the floor.
    for _ in 0..4 {
        let Some(along) = (ankle - knee).try_normalize(1e-9 * leg.len) else { return };
        ankle = knee + along * shin_len;
        let placed = FootGoal { ankle, foot_rotation, ..*foot };
        let tip = ankle + foot_rotation * leg.ball + foot.toe_rotation * leg.tip;
        let tip_penetration = leg.toe.map_or(f64::MIN, |_| goal.floor - up.height(tip));
        let deep = penetration(&placed, leg, goal.floor, up).max(tip_penetration).max(0.0);
        ankle += up.vector() * (deep * goal.hold);
    }
    let Some(along) = (ankle - knee).try_normalize(1e-9 * leg.len) else { return };
    let ankle = knee + along * shin_len;
    turn_leg(skeleton, leg, joints, [knee, ankle], places);
    set_limb(skeleton, joints, [knee, ankle], foot_rotation, places);
}

/// Turns a bent leg as a whole so that hip, knee and ankle lie in the plane in which they are to be: knees only bend.
fn turn_leg(
    skeleton: &Skeleton,
    leg: &Leg,
    joints: [JointId; 3],
    [knee, ankle]: [Vec3; 2],
    places: &mut WorldPose,
) {
    /// How far off the line from hip to ankle a knee must be to say in which plane its leg is bent, leg lengths: from
    /// the first it counts a little, from the second wholly.
    const BENT: [f64; 2] = [0.05, 0.15];
    let [hip, knee_was, ankle_was] = joints.map(|id| places.position(id));
    let Some(line) = (ankle - hip).try_normalize(1e-9 * leg.len) else { return };
    let swing = rotation_between(ankle_was - hip, line);
    let aside = |way: Vec3| way - line * line.dot(&way);
    let (was, is) = (aside(swing * (knee_was - hip)), aside(knee - hip));
    let bent = curve::ramp(was.norm().min(is.norm()) / leg.len.max(1e-300), BENT[0], BENT[1]);
    let swivel = Quat::from_scaled_axis(rotation_between(was, is).scaled_axis() * bent);
    turn_limb(skeleton, leg.hip(), swivel * swing, places);
}
