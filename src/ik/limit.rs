//! The limits of a joint: the nearest rotation inside, small steps, windows, and the active limits.

use super::angle::{Range, about, confine_angle, hinge_angle, unwind};
use super::cone::into_ellipse;
use super::euler::{euler_angles, euler_excess};
use super::joint::{Joint, JointKind};
use crate::math::{EulerOrder, Quat, Vec3};

/// A bound at which a joint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// The lower end of a range: of an Euler joint's axis with this number (listed order, from 0), or of a hinge or
    /// slide (0).
    Min(u8),
    /// The upper end of a range: of an Euler joint's axis with this number (listed order, from 0), or of a hinge or
    /// slide (0).
    Max(u8),
    /// The rim of the swing cone.
    Swing,
    /// The lower end of the twist range.
    TwistMin,
    /// The upper end of the twist range.
    TwistMax,
    /// The largest rotation from the beginning of the solve, [`Joint::window_rad`].
    Window,
}

impl Joint {
    /// The rotation away from rest, to which limits apply.
    pub(super) fn motion(&self, parent_from_link: Quat) -> Quat {
        let q = if self.reversed { parent_from_link.inverse() } else { parent_from_link };
        self.rest.inverse() * q
    }

    /// The inverse of [`motion`](Self::motion).
    pub(super) fn rotation(&self, motion: Quat) -> Quat {
        let q = self.rest * motion;
        if self.reversed { q.inverse() } else { q }
    }

    /// The slide along the joint's axis for a shift.
    pub(super) fn slide_of(&self, axis: Vec3, rotation: Quat, shift: Vec3) -> f64 {
        if self.reversed { -axis.dot(&(rotation.inverse() * shift)) } else { axis.dot(&shift) }
    }

    /// The shift for a slide along the joint's axis.
    pub(super) fn shift_of(&self, axis: Vec3, rotation: Quat, slide: f64) -> Vec3 {
        if self.reversed { rotation * (axis * -slide) } else { axis * slide }
    }

    /// The allowed rotation nearest to `parent_from_link`, by the shorter way. The joint's axes must have unit length,
    /// as in a joint that a [`Tree`](super::Tree) has. A window has no effect.
    pub fn confine(&self, parent_from_link: Quat) -> Quat {
        match self.kind {
            JointKind::Fixed | JointKind::Ball | JointKind::Slide { .. } => parent_from_link,
            JointKind::Cone(cone) => {
                let motion = self.motion(parent_from_link);
                let inside = cone.confine(motion);
                if inside == motion { parent_from_link } else { self.rotation(inside) }
            }
            JointKind::Hinge { axis, range } => {
                let angle = hinge_angle(self.motion(parent_from_link), axis);
                self.rotation(about(axis, confine_angle(angle, range)))
            }
            JointKind::Euler { order, ranges } => {
                let mut angles = euler_angles(order, ranges, self.motion(parent_from_link));
                for (angle, range) in angles.iter_mut().zip(ranges) {
                    *angle = confine_angle(*angle, range);
                }
                self.rotation(order.compose(angles))
            }
        }
    }

    /// The rotation of a ball joint after a small step (scaled axis, parent's frame) from inside its limits; `start` is
    /// its rotation at the beginning of the solve. Continuous in all three.
    pub(super) fn stepped(&self, start: Quat, from: Quat, step: Vec3) -> Quat {
        let JointKind::Cone(cone) = self.kind else {
            let local = Quat::from_scaled_axis(step) * from;
            let away = start.inverse() * local;
            let angle = away.angle();
            let is_within = angle <= self.window_rad;
            return if is_within { local } else { start * away.powf(self.window_rad / angle) };
        };
        let motion = self.motion(from);
        let inverse = self.rest.inverse();
        let step = if self.reversed { -(motion * step) } else { inverse * step };
        let mut to = cone.stepped(motion, step);
        let mut local = self.rotation(cone.join(&to));
        if self.window_rad < f64::INFINITY {
            // Any part of the way from the start is inside the cone; so many halvings meet the window's edge to
            // rounding.
            let start_split = cone.split(self.motion(start));
            for _ in 0..8 {
                let angle = start.angle_to(&local);
                if angle <= self.window_rad {
                    break;
                }
                to = to.part_of_the_way_from(&start_split, self.window_rad / angle, cone.twist);
                local = self.rotation(cone.join(&to));
            }
        }
        local
    }

    /// The part of a range inside the joint's window around an angle.
    pub(super) fn windowed(&self, range: Range, start: impl FnOnce() -> f64) -> Range {
        if self.window_rad == f64::INFINITY {
            return range;
        }
        let start = unwind(start(), range);
        Range::new(range.clamp(start - self.window_rad), range.clamp(start + self.window_rad))
    }

    /// The parts of a per-axis joint's ranges inside its window; `start` is its rotation at the beginning of the solve.
    pub(super) fn windowed_axes(
        &self,
        order: EulerOrder,
        ranges: [Range; 3],
        start: Quat,
    ) -> [Range; 3] {
        if self.window_rad == f64::INFINITY {
            return ranges;
        }
        let starts = euler_angles(order, ranges, self.motion(start));
        [0, 1, 2].map(|i| self.windowed(ranges[i], || starts[i]))
    }

    /// Whether the joint is rotated from `start` by no more than its window.
    pub(super) fn is_within_window(&self, start: Quat, rotation: Quat) -> bool {
        const ROUNDING_RAD: f64 = 1e-9;
        if self.window_rad == f64::INFINITY {
            return true;
        }
        match self.kind {
            JointKind::Euler { order, ranges } => {
                let ranges = self.windowed_axes(order, ranges, start);
                euler_excess(order, ranges, self.motion(rotation)) == 0.0
            }
            _ => start.angle_to(&rotation) <= self.window_rad + ROUNDING_RAD,
        }
    }

    /// The allowed shift nearest to `shift`; only slides bound it.
    pub(super) fn confine_shift(&self, rotation: Quat, shift: Vec3) -> Vec3 {
        match self.kind {
            JointKind::Slide { axis, range } => {
                let slide = range.clamp(self.slide_of(axis, rotation, shift));
                self.shift_of(axis, rotation, slide)
            }
            _ => shift,
        }
    }

    /// The limits at which the joint is; `start` is its rotation at the beginning of the solve.
    pub(super) fn active(
        &self,
        rotation: Quat,
        shift: Vec3,
        start: Quat,
        mut note: impl FnMut(Limit),
    ) {
        const NEAR_RAD: f64 = 1e-6;
        let mut ends = |value: f64, range: Range, near: f64, min: Limit, max: Limit| {
            if value <= range.min + near {
                note(min);
            } else if value >= range.max - near {
                note(max);
            }
        };
        match self.kind {
            JointKind::Fixed | JointKind::Ball => {}
            JointKind::Hinge { axis, range } => {
                let angle = unwind(hinge_angle(self.motion(rotation), axis), range);
                ends(angle, range, NEAR_RAD, Limit::Min(0), Limit::Max(0));
            }
            JointKind::Euler { order, ranges } => {
                let angles = euler_angles(order, ranges, self.motion(rotation));
                for i in 0..order.axes().len() {
                    let place = i as u8;
                    let angle = unwind(angles[i], ranges[i]);
                    ends(angle, ranges[i], NEAR_RAD, Limit::Min(place), Limit::Max(place));
                }
            }
            JointKind::Slide { axis, range } => {
                let near = 1e-9 * (range.max - range.min).min(1.0);
                let slide = self.slide_of(axis, rotation, shift);
                ends(slide, range, near, Limit::Min(0), Limit::Max(0));
            }
            JointKind::Cone(cone) => {
                let split = cone.split(self.motion(rotation));
                let twist = unwind(split.twist, cone.twist);
                ends(twist, cone.twist, NEAR_RAD, Limit::TwistMin, Limit::TwistMax);
                let radii = cone.swing_rad.map(|r| (r - NEAR_RAD).max(1e-9));
                if into_ellipse(split.swing, radii) != split.swing {
                    note(Limit::Swing);
                }
            }
        }
        if self.window_rad.is_finite() && start.angle_to(&rotation) >= self.window_rad - NEAR_RAD {
            note(Limit::Window);
        }
    }
}
