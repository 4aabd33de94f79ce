//! How a rotation computed without limits is brought into a limit, for transferred motion, which no solve has limited.

use super::angle::{about, hinge_angle, unwind};
use super::cone::{Cone, Split};
use super::joint::{Joint, JointKind};
use crate::math::{Quat, bounded};
use std::f64::consts::PI;

/// How a rotation computed without limits is brought into a limit. Before the end of a range, over an angle in radians, it
/// is slowed down; with 0 it stops at the end at once.
///
/// The nearest allowed rotation flips from one end of a range to the other at the rotation opposite of the range's
/// middle. Near that, the rotation is led back to the middle instead, so a small change stays small everywhere, except
/// with [`Approach::NEAREST`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approach {
    before_rad: f64,
    /// How near to that opposite a rotation is led back, radians; half the way from the end to there if that is less.
    opposite_rad: f64,
}

impl Approach {
    /// Slowed down over the last 1.7°.
    pub const SOFT: Self = Self { before_rad: 0.03, opposite_rad: 1.0 };
    /// Slowed down over the last 8.6°.
    pub const EARLY: Self = Self { before_rad: 0.15, opposite_rad: 1.0 };
    /// Unchanged up to the end, where it stops.
    pub const HARD: Self = Self { before_rad: 0.0, opposite_rad: 1.0 };
    /// As [`EARLY`](Self::EARLY), but always to the nearer end.
    pub const NEAREST: Self = Self { before_rad: 0.15, opposite_rad: 0.0 };
    /// Vectors in a plane that are shorter than this share of a unit vector determine their direction less and less.
    const SHORT: f64 = 0.2;

    /// By how much a rotation exactly at the end of the range is held back.
    pub fn at_limit_rad(self) -> f64 {
        self.before_rad * (-1.0_f64).exp()
    }

    /// The angle within `half_rad` to either side of the middle for a vector in the plane of the rotation, whose first
    /// coordinate points to the middle. Inside it is approximately the vector's own angle.
    pub fn into(self, vector: [f64; 2], half_rad: f64) -> f64 {
        let angle = vector[1].atan2(vector[0]);
        let long = (vector[0].hypot(vector[1]) / Self::SHORT).min(1.0);
        let (inside, back) = self.of(angle.abs(), half_rad);
        (inside * back * long).copysign(angle)
    }

    /// The angle (0 to π) bounded by `most`, and the share of it that is left on the way to the opposite.
    fn of(self, angle: f64, most: f64) -> (f64, f64) {
        let soft = self.before_rad.min(0.2 * most);
        let inside = if most < PI { bounded(angle, most - soft, most) } else { angle };
        let opposite = self.opposite_rad.min(0.5 * (PI - most));
        let back = match opposite > 0.0 {
            true => {
                let left = ((PI - angle) / opposite).clamp(0.0, 1.0);
                left * left * (3.0 - 2.0 * left)
            }
            false => 1.0,
        };
        (inside, back)
    }
}

impl Cone {
    fn approach(&self, q: Quat, approach: Approach) -> Quat {
        let Split { swing: [x, y], twist } = self.split(q);
        let swing = x.hypot(y);
        let [a, b] = self.swing_rad.map(|radius| radius.max(1e-9));
        // The edge of the ellipse in the direction of the swing.
        let rim = match swing > 1e-12 {
            true => swing / (x / a).hypot(y / b),
            false => a.min(b),
        };
        let (inside, back) = approach.of(swing.min(PI), rim.min(PI));
        let share = if swing > 1e-12 { inside * back / swing } else { 1.0 };
        let middle = self.twist.middle();
        let half = 0.5 * (self.twist.max - self.twist.min);
        let turned = match self.twist.is_free() || half >= PI {
            true => unwind(twist, self.twist) - middle,
            false => approach.into([(twist - middle).cos(), (twist - middle).sin()], half),
        };
        self.join(&Split { swing: [x * share, y * share], twist: middle + turned * back })
    }
}

impl Joint {
    /// A rotation computed without limits, brought into this joint's: as [`confine`](Self::confine), but also
    /// continuous half a turn away from the middle, and slowed down before the ends as `approach` states.
    pub(crate) fn approach(&self, parent_from_link: Quat, approach: Approach) -> Quat {
        match self.kind {
            JointKind::Fixed | JointKind::Ball | JointKind::Slide { .. } => parent_from_link,
            JointKind::Cone(cone) => {
                self.rotation(cone.approach(self.motion(parent_from_link), approach))
            }
            JointKind::Hinge { axis, range } => {
                let off = hinge_angle(self.motion(parent_from_link), axis) - range.middle();
                let half = 0.5 * (range.max - range.min);
                let angle = range.middle() + approach.into([off.cos(), off.sin()], half);
                self.rotation(about(axis, angle))
            }
            JointKind::Euler { .. } => self.confine(parent_from_link),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::angle::Range;
    use super::super::cone::tests::{cone, rotations};
    use super::*;
    use crate::math::Vec3;

    #[test]
    fn what_comes_into_a_limit_changes_by_little_wherever_it_changes_by_little() {
        let cones = [cone(0.4, 1.1, Range::new(-0.2, 0.9)), cone(1.9, 1.9, Range::new(-0.7, 0.7))];
        let hinge = Joint::hinge(Vec3::y(), Range::new(0.0, 2.6));
        let joints: Vec<Joint> = cones.map(Joint::cone).into_iter().chain([hinge]).collect();
        for joint in joints {
            for q in rotations() {
                for approach in [Approach::SOFT, Approach::HARD] {
                    let inside = joint.approach(q, approach);
                    assert!(joint.confine(inside).angle_to(&inside) < 1e-7, "{joint:?}, {q}");
                    for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
                        let step = Quat::from_scaled_axis(axis * 1e-6);
                        let by = joint.approach(step * q, approach).angle_to(&inside);
                        assert!(by < 20.0 * 1e-6, "{joint:?}, {q}: {by}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_inside_and_stops_hard_stays() {
        let cone = cone(0.8, 1.1, Range::new(-0.5, 0.9));
        let joint = Joint::cone(cone);
        for q in rotations() {
            let inside = joint.confine(q);
            assert!(joint.approach(inside, Approach::HARD).angle_to(&inside) < 1e-6, "{q}");
        }
    }
}
