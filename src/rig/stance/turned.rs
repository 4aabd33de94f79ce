//! The stance that comes next where nothing shows how a trunk is turned.

use super::geometry::over_thighs;
use super::{Ground, Stance};
use crate::math::{Axis, Quat, Vec3};
use crate::rig::bone::own_piece;
use crate::rig::{Role, Roles};
use crate::skeleton::Skeleton;
use std::f64::consts::{FRAC_PI_2, PI};

/// A bone within this of the line that a trunk may be turned about stays where it is, radians.
const ALONG_RAD: f64 = 0.02;

impl Stance {
    /// The same stance with hips, and with all of trunk and legs that lies in line with them, a quarter turn on about the
    /// line of the hips' bone: so that the other axis of their frame points ahead. Hips without a bone whose thighs lie
    /// below and to both sides are turned until their thighs lie ahead, as those of hips in the place of the sacrum.
    pub(crate) fn turned_on(&self, skeleton: &Skeleton, roles: &Roles) -> Self {
        let mut turned = self.clone();
        let Some(hips) = roles.joint(Role::Hips) else { return turned };
        let frame = self.body_from_joint[hips.index()];
        let bone = own_piece(skeleton, roles, hips);
        if bone.is_none() && over_thighs(skeleton, roles).is_some() {
            let ahead_from_down = Quat::from_axis_angle(&Vec3::x_axis(), -FRAC_PI_2);
            turned.body_from_joint[hips.index()] = ahead_from_down * frame;
            return turned;
        }
        let line = bone.and_then(|bone| (frame * bone).try_normalize(1e-9)).unwrap_or(Vec3::y());
        // The axis that lies most across both the line and what points ahead now comes to point ahead.
        let side = line.cross(&Vec3::z()).try_normalize(1e-9).unwrap_or(Vec3::x());
        let axes = [Axis::X, Axis::Y, Axis::Z].map(|axis| frame * axis.unit().into_inner());
        let across = |axis: &Vec3| axis.dot(&side);
        let next = axes.into_iter().max_by(|a, b| across(a).abs().total_cmp(&across(b).abs()));
        let is_on_side = next.is_some_and(|axis| across(&axis) > 0.0);
        let angle_rad = if is_on_side { -FRAC_PI_2 } else { FRAC_PI_2 };
        let turn = Quat::from_scaled_axis(line * angle_rad);
        for (role, id) in roles.iter() {
            let frame = &mut turned.body_from_joint[id.index()];
            let is_in_line = skeleton.children(id).all(|child| {
                let bone = *frame * self.local.translations[child.index()];
                let angle_rad = bone.angle(&line);
                bone.norm() < 1e-9 || angle_rad.min(PI - angle_rad) < ALONG_RAD
            });
            let is_trunk_or_leg = matches!(
                role,
                Role::Hips
                    | Role::Spine(_)
                    | Role::Neck(_)
                    | Role::Head
                    | Role::Thigh(_)
                    | Role::Shin(_)
            );
            let is_assumed = self.bases[id.index()].roll == Ground::Assumed;
            if id == hips || is_trunk_or_leg && is_in_line && is_assumed {
                *frame = turn * *frame;
            }
        }
        turned
    }
}
