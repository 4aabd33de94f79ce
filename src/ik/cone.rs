//! The swing cone with its twist range.
//!
//! A rotation splits into `swing · twist`, the twist about the bone's axis. With the axis as z and
//! the rotation as (w, x, y, z), s = √(w² + z²):
//!
//! ```text
//! twist = (w/s, 0, 0, z/s)        swing = (s, (w·x − y·z)/s, (w·y + x·z)/s, 0)
//! ```
//!
//! Multiplying swing by the twist's conjugate on the right proves it, and a test recomposes the two;
//! Kenwright 2012 (app. A) prints the last component with the other sign. A half turn across the
//! axis (s = 0) has no twist of its own and is all swing.

use super::angle::{JointError, Range, confine_angle, unwind};
use crate::math::{Quat, Vec3, rejection};
use std::f64::consts::{PI, TAU};

/// An elliptic swing cone with a twist range: the limit of a shoulder or a hip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Along the bone, link's own frame, any length but zero.
    pub twist_axis: Vec3,
    /// Across the bone, link's own frame, any length but zero; made perpendicular to the twist axis.
    pub swing_axis: Vec3,
    /// Largest swing (radians, 0 to π) about the swing axis, and about twist axis × swing axis.
    pub swing_rad: [f64; 2],
    /// Range of the twist about the twist axis (radians).
    pub twist: Range,
}

/// A quaternion about an axis frame: rotation components about swing axis, the third axis, and twist axis.
pub(super) struct Split {
    pub swing: [f64; 2],
    pub twist: f64,
}

impl Split {
    /// A part of the way from `start` to this split.
    pub fn part_of_the_way_from(&self, start: &Split, share: f64, range: Range) -> Split {
        let between = |from: f64, to: f64| from + (to - from) * share;
        // A twist without bounds has no angle at which it wraps around.
        let turned = self.twist - start.twist;
        let twist = if range.max - range.min >= TAU {
            start.twist + (turned - TAU * (turned / TAU).round()) * share
        } else {
            between(unwind(start.twist, range), unwind(self.twist, range))
        };
        Split { swing: [0, 1].map(|i| between(start.swing[i], self.swing[i])), twist }
    }
}

impl Cone {
    pub(super) fn checked(mut self) -> Result<Self, JointError> {
        let z = self.twist_axis.try_normalize(1e-12).ok_or(JointError::Axis)?;
        let x = self.swing_axis.try_normalize(1e-12).ok_or(JointError::Axis)?;
        let x = rejection(x, z).try_normalize(1e-9).ok_or(JointError::Axis)?;
        if !x.iter().chain(z.iter()).all(|c| c.is_finite()) {
            return Err(JointError::Axis);
        }
        (self.twist_axis, self.swing_axis) = (z, x);
        if !self.swing_rad.iter().all(|a| (0.0..=PI).contains(a)) {
            return Err(JointError::Cone);
        }
        if self.twist.min > self.twist.max || self.twist.min.is_nan() || self.twist.max.is_nan() {
            return Err(JointError::Range);
        }
        Ok(self)
    }

    /// Swing vector (radians, about the two swing axes) and twist angle of a rotation.
    pub(super) fn split(&self, q: Quat) -> Split {
        let v = q.imag();
        let third_axis = self.twist_axis.cross(&self.swing_axis);
        let (x, y, z) = (v.dot(&self.swing_axis), v.dot(&third_axis), v.dot(&self.twist_axis));
        let s = q.w.hypot(z);
        let (sx, sy, twist) = if s < 1e-12 {
            (x, y, 0.0)
        } else {
            ((q.w * x - y * z) / s, (q.w * y + x * z) / s, 2.0 * z.atan2(q.w))
        };
        let across = sx.hypot(sy);
        // The swing's angle divided by half of its sine: 2 where both vanish.
        let scale = if across < 1e-150 { 2.0 } else { 2.0 * across.atan2(s) / across };
        Split { swing: [sx * scale, sy * scale], twist }
    }

    fn swing_vector(&self, split: &Split) -> Vec3 {
        let third_axis = self.twist_axis.cross(&self.swing_axis);
        self.swing_axis * split.swing[0] + third_axis * split.swing[1]
    }

    pub(super) fn join(&self, split: &Split) -> Quat {
        let swing = self.swing_vector(split);
        Quat::from_scaled_axis(swing) * Quat::from_scaled_axis(self.twist_axis * split.twist)
    }

    /// The rotation inside the limits that is nearest in swing and in twist.
    pub(super) fn confine(&self, q: Quat) -> Quat {
        let split = self.split(q);
        let inside = Split {
            swing: into_ellipse(split.swing, self.swing_rad),
            twist: confine_angle(split.twist, self.twist),
        };
        // The same bits if nothing is exceeded, except for whole turns.
        if inside.swing == split.swing && is_same_angle(inside.twist, split.twist) {
            return q;
        }
        self.join(&inside)
    }

    /// The rotation inside the limits after a small `step` (scaled axis, as seen from rest) from `motion`, itself
    /// inside them; continuous in both.
    ///
    /// Each of swing and twist changes by its component of the step and stops at its limit, so the rest of a step that
    /// limits cut off never turns against it. The two are not perpendicular, so the step is shortened by at most what
    /// they share.
    pub(super) fn stepped(&self, motion: Quat, step: Vec3) -> Split {
        const SHARED: f64 = 0.6;
        let from = self.split(motion);
        let swing = self.swing_vector(&from);
        let angle = swing.norm();
        // The derivative of the rotation by the swing vector: the left Jacobian of the exponential map.
        let along_swing = if angle < 1e-9 {
            step
        } else {
            let (axis, sinc) = (swing / angle, angle.sin() / angle);
            let about = axis * (axis.dot(&step) * (1.0 - sinc));
            step * sinc + about - axis.cross(&step) * ((1.0 - angle.cos()) / angle)
        };
        let third_axis = self.twist_axis.cross(&self.swing_axis);
        let along_twist = (Quat::from_scaled_axis(swing) * self.twist_axis).dot(&step);
        let wanted = [
            from.swing[0] + SHARED * along_swing.dot(&self.swing_axis),
            from.swing[1] + SHARED * along_swing.dot(&third_axis),
        ];
        let (range, turned) = (self.twist, SHARED * along_twist);
        let twist = if range.max - range.min >= TAU {
            from.twist + turned
        } else {
            range.clamp(range.clamp(unwind(from.twist, range)) + turned)
        };
        Split { swing: into_ellipse(wanted, self.swing_rad), twist }
    }
}

fn is_same_angle(a: f64, b: f64) -> bool {
    let off = a - b;
    (off - TAU * (off / TAU).round()).abs() < 1e-14
}

/// The point of the filled ellipse of these radii that is nearest to `p`.
pub(super) fn into_ellipse(p: [f64; 2], radii: [f64; 2]) -> [f64; 2] {
    let slack = 1.0 + 1e-14;
    let flat = 1e-9;
    let radii = radii.map(|r| r.max(flat));
    if (p[0] / radii[0]).powi(2) + (p[1] / radii[1]).powi(2) <= slack {
        return p;
    }
    // The nearest point is (a²x/(a²+t), b²y/(b²+t)) for the one t ≥ 0 that puts it on the rim; the
    // rim's function falls as t grows, so bisection cannot miss it.
    let at = |t: f64| [0, 1].map(|i| radii[i] * radii[i] * p[i] / (radii[i] * radii[i] + t));
    let outside = |q: [f64; 2]| (q[0] / radii[0]).powi(2) + (q[1] / radii[1]).powi(2) > 1.0;
    let (mut low, mut high) = (0.0, radii[0].max(radii[1]) * p[0].hypot(p[1]));
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if outside(at(middle)) { low = middle } else { high = middle }
    }
    at(high)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::angle::about;
    use super::*;

    pub fn cone(a: f64, b: f64, twist: Range) -> Cone {
        let (twist_axis, swing_axis) = (Vec3::new(0.3, -0.9, 0.2), Vec3::new(1.0, 0.4, 0.0));
        Cone { twist_axis, swing_axis, swing_rad: [a, b], twist }.checked().unwrap()
    }

    pub fn rotations() -> Vec<Quat> {
        let mut list = vec![Quat::identity()];
        for i in 0..400 {
            let t = i as f64;
            let axis = Vec3::new((t * 1.3).sin(), (t * 2.1).cos(), (t * 0.7).sin());
            list.push(Quat::from_scaled_axis(axis.normalize() * (t * 0.37 % PI)));
        }
        list
    }

    #[test]
    fn swing_and_twist_recompose() {
        let cone = cone(PI, PI, Range::free());
        for q in rotations() {
            let again = cone.join(&cone.split(q));
            assert!(again.angle_to(&q) < 1e-7, "{q:?}");
            assert!((again.coords - q.coords).norm().min((again.coords + q.coords).norm()) < 1e-12);
        }
    }

    #[test]
    fn a_half_turn_across_the_bone_is_all_swing() {
        let cone = cone(1.0, 1.0, Range::new(-0.5, 0.5));
        let q = about(cone.swing_axis, PI);
        let split = cone.split(q);
        assert!((split.swing[0].hypot(split.swing[1]) - PI).abs() < 1e-12 && split.twist == 0.0);
        let inside = cone.split(cone.confine(q));
        assert!((inside.swing[0].hypot(inside.swing[1]) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn confining_obeys_the_limits_and_leaves_what_obeys_them() {
        let cone = cone(0.4, 1.1, Range::new(-0.2, 0.9));
        for q in rotations() {
            let inside = cone.confine(q);
            let split = cone.split(inside);
            let rim = (split.swing[0] / 0.4).powi(2) + (split.swing[1] / 1.1).powi(2);
            assert!(rim <= 1.0 + 1e-9 && split.twist > -0.2 - 1e-9 && split.twist < 0.9 + 1e-9);
            assert!(cone.confine(inside).angle_to(&inside) < 1e-7);
        }
    }

    #[test]
    fn the_nearest_point_of_the_rim_is_found() {
        let radii = [0.3, 1.2];
        for i in 0..50 {
            let angle = i as f64 * 0.13;
            let p = [2.0 * angle.cos(), 1.5 * angle.sin()];
            let found = into_ellipse(p, radii);
            let off = (found[0] - p[0]).hypot(found[1] - p[1]);
            let best = (0..20000)
                .map(|k| k as f64 * TAU / 20000.0)
                .map(|t| (radii[0] * t.cos() - p[0]).hypot(radii[1] * t.sin() - p[1]))
                .fold(f64::INFINITY, f64::min);
            assert!(off <= best + 1e-6, "{p:?}: {off} against {best}");
        }
    }
}
