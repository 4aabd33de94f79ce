//! Clavicles that a motion holds in other frames than the stance.
//!
//! A file may turn a clavicle by half a turn about its own bone in every frame, and its arm back: nothing of the body
//! shows it. On a body whose clavicles lie otherwise that roll would throw the shoulders aside. Axes of frames are laid
//! in another order or another sense, so that such a roll is one of quarter turns, the same in every part of a clip.

use super::{Ground, Stance};
use crate::clip::Clip;
use crate::math::{Quat, Vec3, median_rotation, swing_twist};
use crate::rig::bone::own_piece;
use crate::rig::{Role, Roles, Side};
use crate::skeleton::{JointId, Skeleton};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_3};

/// People's clavicles roll by some 50° at most. One that a motion rolls by more than this, as its median, is rolled by
/// its file.
const FILES_ROLL_RAD: f64 = FRAC_PI_3;

/// Frames that are looked at, at most.
const MOST_FRAMES: usize = 64;

/// Rolls the frames of such clavicles in the stance as the motion holds them.
pub(super) fn roll_as_held(skeleton: &Skeleton, roles: &Roles, clip: &Clip, stance: &mut Stance) {
    for id in Side::BOTH.into_iter().filter_map(|side| roles.joint(Role::Clavicle(side))) {
        let Some(bone) = bone_body(skeleton, roles, id, stance) else { continue };
        let Some(held) = turn_held(skeleton, roles, clip, id, stance) else { continue };
        let (_, roll) = swing_twist(held, bone);
        if roll.angle() < FILES_ROLL_RAD {
            continue;
        }
        let roll_rad = 2.0 * roll.imag().dot(&bone).atan2(roll.w);
        let roll = Quat::from_scaled_axis(bone * (roll_rad / FRAC_PI_2).round() * FRAC_PI_2);
        let mut is_rolled = vec![false; skeleton.len()];
        for below in skeleton.at_and_below(id) {
            let is_carried =
                || skeleton.parent(below).is_some_and(|above| is_rolled[above.index()]);
            if below == id || roles.role(below).is_none() && is_carried() {
                is_rolled[below.index()] = true;
                let frame = &mut stance.body_from_joint[below.index()];
                *frame = roll * *frame;
            }
        }
        stance.bases[id.index()].roll = Ground::Motion;
    }
}

/// Where a clavicle's bone points in the stance, body space, unit length.
fn bone_body(skeleton: &Skeleton, roles: &Roles, id: JointId, stance: &Stance) -> Option<Vec3> {
    let bone_local = own_piece(skeleton, roles, id)?;
    (stance.body_from_joint[id.index()] * bone_local).try_normalize(1e-12)
}

/// How a motion holds a joint, as its median: the turn from the stance, body space, against the joint above it that
/// has a role.
fn turn_held(
    skeleton: &Skeleton,
    roles: &Roles,
    clip: &Clip,
    id: JointId,
    stance: &Stance,
) -> Option<Quat> {
    let above = skeleton.ancestors(id).find(|&joint| roles.role(joint).is_some())?;
    let [body_from_above, body_from_own] =
        [above, id].map(|joint| stance.body_from_joint[joint.index()]);
    let turn = |frame: usize| {
        let local = clip.rotations(frame);
        let way = std::iter::once(id).chain(skeleton.ancestors(id));
        let above_from_own = way
            .take_while(|&joint| joint != above)
            .fold(Quat::identity(), |below, joint| local[joint.index()] * below);
        (body_from_above * above_from_own * body_from_own.inverse(), 1.0)
    };
    let stride = clip.len().div_ceil(MOST_FRAMES).max(1);
    let turns: Vec<(Quat, f64)> = (0..clip.len()).step_by(stride).map(turn).collect();
    (!turns.is_empty()).then(|| median_rotation(&turns))
}
