//! Feet of an actor's stance, laid alike: authors lay both feet of a body alike, and actors hardly ever hold them so.

use super::flat_feet::{actors_share, axis_across, turn_below};
use super::{Stance, shows_heading};
use crate::math::{Quat, Vec3};
use crate::rig::bone::own_piece;
use crate::rig::{Role, Roles, Side};
use crate::skeleton::{JointId, Skeleton};

/// Feet whose lengths differ by a larger share are not alike.
const ALIKE_SHARE: f64 = 0.1;

/// Gives both feet the slope and the roll that they have on the mean, as far as what they differ by may be the actor's;
/// toes stay as they are. Feet that lead down to the sole show neither.
pub(crate) fn lay_feet_alike(skeleton: &Skeleton, roles: &Roles, stance: &mut Stance) {
    let foot = |side: Side| Foot::of(skeleton, roles, side, stance);
    let [Some(left), Some(right)] = Side::BOTH.map(foot) else { return };
    if (left.len / right.len).ln().abs() > ALIKE_SHARE {
        return;
    }
    let half_rad = |left_rad: f64, right_rad: f64| actors_share(0.5 * (left_rad - right_rad));
    let slope_rad = half_rad(left.slope_rad, right.slope_rad);
    let roll_rad = half_rad(left.roll_rad, right.roll_rad);
    for (side, foot, sign) in [(Side::Left, left, -1.0), (Side::Right, right, 1.0)] {
        let turn = Quat::from_axis_angle(&Vec3::x_axis(), sign * slope_rad)
            * Quat::from_axis_angle(&Vec3::z_axis(), sign * roll_rad);
        turn_below(skeleton, foot.joint, turn, stance);
        if let Some(toe) = roles.joint(Role::Toe(side)) {
            turn_below(skeleton, toe, turn.inverse(), stance);
        }
    }
}

/// How a foot lies in a stance.
struct Foot {
    joint: JointId,
    len: f64,
    /// How far its bone leads down, and how far the axis of its frame that lies across the body is from level, turning
    /// about the body's X and Z; radians.
    slope_rad: f64,
    roll_rad: f64,
}

impl Foot {
    fn of(skeleton: &Skeleton, roles: &Roles, side: Side, stance: &Stance) -> Option<Self> {
        let joint = roles.joint(Role::Foot(side))?;
        let frame = stance.body_from_joint[joint.index()];
        let bone = frame * own_piece(skeleton, roles, joint)?;
        let across = frame * axis_across(frame);
        shows_heading(bone).then(|| Self {
            joint,
            len: bone.norm(),
            slope_rad: (-bone.y).atan2(bone.z),
            roll_rad: (across.y / across.x).atan(),
        })
    }
}
