//! Lays a stance's feet flat as a motion shows that they rest.

use super::{Stance, StanceOrigin, point_ahead, shows_heading};
use crate::math::{Axis, Quat, Vec3, rotation_between};
use crate::pose::WorldPose;
use crate::rig::bone::bone_vector;
use crate::rig::foot_rest::{FootRest, quartiles};
use crate::rig::{Role, Roles, Side};
use crate::skeleton::{JointId, Skeleton};

/// A foot farther from its pose's than this is not taken for one that stands flat, radians.
const FLAT_RAD: f64 = 0.6;

/// A slope is known from motion where half of the frames lie within this of one another, radians. Along
/// the foot heel and ball hold it to the floor, so that most of what is seen is flat; across it nothing
/// does.
const AGREED_ALONG_RAD: f64 = 0.16;
const AGREED_ACROSS_RAD: f64 = 0.07;

/// A zero pose that stands says how its feet lie unless motion shows them farther off than this, radians: actors hold
/// their feet otherwise by some degrees from clip to clip, and one rig has one sole. See [`share_of`].
const ZERO_POSE_RAD: f64 = 0.14;

/// Actors roll and slope their feet otherwise than authors by up to this much while these stand, radians.
const ACTORS_RAD: f64 = 0.07;

/// A foot that ends at no toe joint and whose bone lies within this of level while it rests was laid along its sole, radians.
/// See [`share_of`]. A bone that ends at the ball leads down to it.
const LEVEL_RAD: f64 = 0.035;

impl FootRest {
    /// Whether the foot's bone leads down to the sole while the foot rests as it does in a posture (body space), rather
    /// than ahead. Seen over all such frames, so that it does not depend on how the actor tilts the foot in one of them.
    pub fn leads_down(
        &self,
        skeleton: &Skeleton,
        roles: &Roles,
        side: Side,
        body: &WorldPose,
    ) -> bool {
        let Some(foot) = roles.joint(Role::Foot(side)) else { return false };
        let Some(bone) = bone_vector(skeleton, roles, body, foot) else { return false };
        let ups = self.ups_local.iter().map(|up| body.rotation(foot) * up);
        let up: Vec3 = ups.filter(|up| up.angle(&Vec3::y()) < FLAT_RAD).sum();
        up.norm() > 0.0 && !shows_heading(rotation_between(up, Vec3::y()) * bone)
    }

    /// Lays the sole of a stance's foot flat as it rests in motion, along and across the foot each for itself, where the
    /// frames agree; the heading stays, and a bone that leads down does so. Where the rig shows a direction in the ankle
    /// joint's frame (local) that lies level across the foot, it is believed unless the motion clearly says otherwise, and
    /// so is a zero pose that stands, along the foot and in its toes too.
    /// Whether anything was known.
    pub fn lay(
        &self,
        skeleton: &Skeleton,
        roles: &Roles,
        side: Side,
        across_local: Option<Vec3>,
        leads_down: bool,
        stance: &mut Stance,
    ) -> bool {
        let Some(foot) = roles.joint(Role::Foot(side)) else { return false };
        let frame = stance.body_from_joint[foot.index()];
        let [along_small, across_small] = match stance.origin {
            StanceOrigin::Rest => [ZERO_POSE_RAD; 2],
            _ => [0.0, ACTORS_RAD],
        };
        let ups = || self.ups_local.iter().map(|up| frame * up);
        let along = agreed(ups().map(|up| up.z.atan2(up.y)), AGREED_ALONG_RAD)
            .map(|slope_rad| slope_rad - share_of(slope_rad, along_small));
        let across = agreed(ups().map(|up| up.x.atan2(up.y)), AGREED_ACROSS_RAD);
        let local = WorldPose::of(skeleton, &stance.local);
        let bone = bone_vector(skeleton, roles, &local, foot)
            .map(|bone| frame * local.rotation(foot).inverse() * bone);
        let laid = |across_rad: f64| {
            let up = Vec3::new(across_rad.tan(), 1.0, along.unwrap_or(0.0).tan());
            let level = rotation_between(up, Vec3::y());
            let bone = bone.map(|bone| level * bone);
            match bone.filter(|bone| leads_down && shows_heading(*bone)) {
                Some(tilted) => rotation_between(tilted, -Vec3::y()) * level,
                None => point_ahead(bone) * level,
            }
        };
        let seen = across.unwrap_or(0.0);
        let tilt_rad = across_local.map_or(0.0, |across| {
            let across = laid(seen) * frame * across;
            (across.y / across.x).atan()
        });
        let turn = laid(seen - share_of(tilt_rad, across_small));
        let has_toe = roles.joint(Role::Toe(side)).is_some();
        let whole = bone.filter(|_| along.is_some() && !leads_down && !has_toe);
        let leveled = whole.map_or(Quat::identity(), |bone| leveling(turn * bone));
        turn_below(skeleton, foot, leveled * turn, stance);
        let toe = roles.joint(Role::Toe(side)).filter(|_| along.is_some());
        if let (Some(toe), Some(rotation)) = (toe, self.toe_rotation) {
            let parent = skeleton.parent(toe).expect("a toe hangs on a foot");
            let straight = stance.body_from_joint[parent.index()] * rotation;
            let turn = straight * stance.body_from_joint[toe.index()].inverse();
            let turn =
                turn.powf(1.0 - share_of(turn.angle(), along_small) / turn.angle().max(1e-12));
            turn_below(skeleton, toe, turn, stance);
        }
        along.is_some() || across.is_some()
    }
}

/// The axis of a joint that lies most across the body (local, unit length): authors lay a foot's frame along its sole.
pub(crate) fn axis_across(frame: Quat) -> Vec3 {
    let axes = [Axis::X, Axis::Y, Axis::Z].map(|axis| axis.unit().into_inner());
    let across = |axis: &Vec3| (frame * axis).x.abs();
    axes.into_iter().max_by(|a, b| across(a).total_cmp(&across(b))).expect("three axes")
}

/// How much of a tilt of a foot is the actor's, who holds the feet otherwise by this much from clip to clip, and not the
/// rig's, radians. See [`share_of`].
pub(crate) fn actors_share(tilt_rad: f64) -> f64 {
    share_of(tilt_rad, ACTORS_RAD)
}

/// The turn that lays the bone of a whole foot (body space), which points ahead, level if it nearly is.
fn leveling(bone_body: Vec3) -> Quat {
    let slope_rad = match shows_heading(bone_body) {
        true => (-bone_body.y).atan2(bone_body.z),
        false => 0.0,
    };
    Quat::from_axis_angle(&Vec3::x_axis(), -share_of(slope_rad, LEVEL_RAD))
}

/// All of a tilt up to `small_rad`, nothing of one three times as large, without a jump between them. Radians.
fn share_of(tilt_rad: f64, small_rad: f64) -> f64 {
    let share = tilt_rad.abs().min(small_rad).min(0.5 * (3.0 * small_rad - tilt_rad.abs()));
    share.max(0.0).copysign(tilt_rad)
}

/// Turns a joint and all below it in body space.
pub(crate) fn turn_below(skeleton: &Skeleton, top: JointId, turn: Quat, stance: &mut Stance) {
    for id in skeleton.at_and_below(top) {
        let frame = &mut stance.body_from_joint[id.index()];
        *frame = turn * *frame;
    }
}

/// The median of some slopes, where they agree and are those of a flat foot.
fn agreed(slopes_rad: impl Iterator<Item = f64> + Clone, within_rad: f64) -> Option<f64> {
    let [low, middle, high] = quartiles(slopes_rad);
    (middle.abs() < FLAT_RAD && high - low < within_rad).then_some(middle)
}
