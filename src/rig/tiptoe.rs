//! A foot that rests on its toes or in the air, beside the other one that rests flat.
//!
//! The two feet of a body have the same slope from the ankle down to the ball while they stand flat. A dancer may hold one
//! of them still on its toes alone, or lifted; what is seen of its sole is no flat foot's then, and the other one's holds
//! for both.

use super::bone::own_piece;
use super::foot_rest::{FootRest, quartiles};
use super::{Role, Roles, Side};
use crate::math::{Quat, Vec3};
use crate::skeleton::Skeleton;
use std::f64::consts::FRAC_PI_2;

/// A foot that is steeper than the other one by more than this does not rest flat, radians. Those of people who stand
/// differ by up to half of it.
const STEEPER_RAD: f64 = 0.3;

/// An ankle that rests higher than the other one by more than this is lifted, leg lengths.
const HIGHER: f64 = 0.03;

/// A bone that is steeper than this leads down to the sole and not ahead, and its slope is not that of the foot, radians.
const LEADS_DOWN_RAD: f64 = 1.3;

/// Feet whose lengths differ by a larger share are not alike.
const ALIKE_SHARE: f64 = 0.1;

/// Takes what was seen of a foot that is steeper and higher than the other one while both rest (left and right) for that of
/// a foot on its toes, and lays it as flat as the other one, its toes too.
pub(super) fn lay_flat(skeleton: &Skeleton, roles: &Roles, rests: &mut [Option<FootRest>; 2]) {
    let [Some(left), Some(right)] = Side::BOTH.map(|side| Bones::of(skeleton, roles, side)) else {
        return;
    };
    let [Some(left_rest), Some(right_rest)] = rests else { return };
    if (left.foot.norm() / right.foot.norm()).ln().abs() > ALIKE_SHARE {
        return;
    }
    let slopes_rad = [slope_rad(left.foot, left_rest), slope_rad(right.foot, right_rest)];
    if slopes_rad.iter().any(|slope_rad| *slope_rad > LEADS_DOWN_RAD) {
        return;
    }
    let steeper_rad = slopes_rad[0] - slopes_rad[1];
    let higher = height(left_rest) - height(right_rest);
    if steeper_rad > STEEPER_RAD && higher > HIGHER {
        lay_as(&left, left_rest, &right, right_rest);
    } else if steeper_rad < -STEEPER_RAD && higher < -HIGHER {
        lay_as(&right, right_rest, &left, left_rest);
    }
}

/// The bones of a foot and of its toes, each in its joint's frame (local).
struct Bones {
    foot: Vec3,
    toe: Option<Vec3>,
}

impl Bones {
    /// `None` where the foot has no length.
    fn of(skeleton: &Skeleton, roles: &Roles, side: Side) -> Option<Self> {
        let bone = |role: Role| {
            let id = roles.joint(role)?;
            own_piece(skeleton, roles, id)
        };
        Some(Self { foot: bone(Role::Foot(side))?, toe: bone(Role::Toe(side)) })
    }

    /// The bone of the toes as they rest, in the foot's frame.
    fn toe_in_foot(&self, rest: &FootRest) -> Option<Vec3> {
        Some(rest.toe_rotation? * self.toe?)
    }
}

/// By how much a bone of a foot's frame leads down from the level, as the median of the frames in which the foot rests,
/// radians.
fn slope_rad(bone_local: Vec3, rest: &FootRest) -> f64 {
    let [_, middle, _] = quartiles(rest.ups_local.iter().map(|up| up.angle(&bone_local)));
    middle - FRAC_PI_2
}

/// The median height of the ankle while the foot rests, leg lengths.
fn height(rest: &FootRest) -> f64 {
    quartiles(rest.heights.iter().copied())[1]
}

/// Turns a foot and its toes, as they were seen to rest, about the axis across the foot, until they lead down as those of
/// the other one.
fn lay_as(bones: &Bones, rest: &mut FootRest, other: &Bones, other_rest: &FootRest) {
    let up_local: Vec3 = rest.ups_local.iter().sum();
    let Some(axis_local) = bones.foot.cross(&up_local).try_normalize(1e-12) else { return };
    // The turn of up that makes a bone lead down less steeply by an angle.
    let raising = |less_rad: f64| Quat::from_scaled_axis(-axis_local * less_rad);
    let raised = raising(slope_rad(bones.foot, rest) - slope_rad(other.foot, other_rest));
    rest.ups_local.iter_mut().for_each(|up| *up = raised * *up);
    let toes = bones.toe_in_foot(rest).zip(other.toe_in_foot(other_rest));
    let raised_toe = toes.map(|(toe, other_toe)| {
        raising(slope_rad(toe, rest) - slope_rad(other_toe, other_rest)).inverse()
    });
    rest.toe_rotation = raised_toe.and_then(|turn| Some(turn * rest.toe_rotation?));
}
