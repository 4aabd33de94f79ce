//! Limits of a joint: angle ranges, and the swing cone with its twist range.
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

use super::euler::{euler_angles, euler_excess};
use super::joint::{Joint, JointError, JointKind, Range};
use crate::math::{EulerOrder, Quat, Vec3};
use nalgebra::Quaternion;
use std::f64::consts::{PI, TAU};

/// An elliptic swing cone with a twist range: the limit of a shoulder or a hip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Along the bone, link's own frame.
    pub twist_axis: Vec3,
    /// Across the bone, link's own frame; made perpendicular to the twist axis.
    pub swing_axis: Vec3,
    /// Largest swing (radians, 0 to π) about the swing axis, and about twist axis × swing axis.
    pub swing_rad: [f64; 2],
    /// Range of the twist (radians).
    pub twist: Range,
}

/// A bound that a joint stands at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// The lower end of the hinge's, the slide's or this Euler axis's range (listed order).
    Min(u8),
    /// The upper end of the hinge's, the slide's or this Euler axis's range (listed order).
    Max(u8),
    /// The rim of the swing cone.
    Swing,
    /// The lower end of the twist range.
    TwistMin,
    /// The upper end of the twist range.
    TwistMax,
    /// The largest turn from where the solve began.
    Window,
}

/// A quaternion about an axis frame: rotation components about swing axis, the third axis, and twist axis.
struct Split {
    swing: [f64; 2],
    twist: f64,
}

impl Split {
    /// A share of the way from another one to this one.
    fn part_of_the_way_from(&self, start: &Split, share: f64, range: Range) -> Split {
        let between = |from: f64, to: f64| from + (to - from) * share;
        // A twist without bounds has no angle at which it begins anew.
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
        let x = (x - z * z.dot(&x)).try_normalize(1e-9).ok_or(JointError::Axis)?;
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
    fn split(&self, q: Quat) -> Split {
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
        // The swing's angle over its sine's half: 2 where the two run out together.
        let scale = if across < 1e-150 { 2.0 } else { 2.0 * across.atan2(s) / across };
        Split { swing: [sx * scale, sy * scale], twist }
    }

    fn swing_vector(&self, split: &Split) -> Vec3 {
        let third_axis = self.twist_axis.cross(&self.swing_axis);
        self.swing_axis * split.swing[0] + third_axis * split.swing[1]
    }

    fn join(&self, split: &Split) -> Quat {
        let swing = self.swing_vector(split);
        Quat::from_scaled_axis(swing) * Quat::from_scaled_axis(self.twist_axis * split.twist)
    }

    /// The rotation inside the limits that is nearest in swing and in twist.
    fn confine(&self, q: Quat) -> Quat {
        let split = self.split(q);
        let inside = Split {
            swing: into_ellipse(split.swing, self.swing_rad),
            twist: confine_angle(split.twist, self.twist),
        };
        // Bit for bit the same where nothing is exceeded, but for whole turns.
        if inside.swing == split.swing && is_same_angle(inside.twist, split.twist) {
            return q;
        }
        self.join(&inside)
    }

    /// The rotation inside the limits after a step from `motion`, itself inside them, that would turn it by the small
    /// `step` (scaled axis, as seen from rest); runs continuously with both.
    ///
    /// Each of swing and twist changes by what the step has along it and stops at its limit, so what is left
    /// of a step that limits hold back never turns against it. The two are not at right angles, so the step is shortened by
    /// what they share at most.
    fn stepped(&self, motion: Quat, step: Vec3) -> Split {
        const SHARED: f64 = 0.6;
        let from = self.split(motion);
        let swing = self.swing_vector(&from);
        let angle = swing.norm();
        // How the rotation turns with the swing vector: the left Jacobian of the exponential map.
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

/// The angle moved by whole turns to within half a turn of the range's middle.
pub(crate) fn unwind(angle: f64, range: Range) -> f64 {
    let middle = range.middle();
    angle - TAU * ((angle - middle) / TAU).round()
}

/// The nearest angle inside the range, going the shorter way round.
pub(super) fn confine_angle(angle: f64, range: Range) -> f64 {
    if range.is_free() { angle } else { range.clamp(unwind(angle, range)) }
}

/// The point of the filled ellipse of these radii that is nearest to `p`.
fn into_ellipse(p: [f64; 2], radii: [f64; 2]) -> [f64; 2] {
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

/// How a turn that knows no limit comes into one, continuously wherever it is: by an amount before the end (radians) it is
/// slowed down, and is stopped at once where that is 0.
///
/// What is nearest to a turn flips from one end of a range to the other where the turn is just opposite of the range's
/// middle. Within [`Approach::OPPOSITE_RAD`] of that place, the turn is led back to the middle instead; so what changes
/// by little changes little.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approach {
    before_rad: f64,
}

impl Approach {
    /// Slowed down over the last 1.7°.
    pub const SOFT: Self = Self { before_rad: 0.03 };
    /// As it is until it stops.
    pub const HARD: Self = Self { before_rad: 0.0 };
    /// How near to the place opposite of a range's middle a turn is led back to it, radians; half the way from the end
    /// to there where that is less.
    const OPPOSITE_RAD: f64 = 1.0;
    /// Vectors in a plane that are shorter than this share of a unit vector show their direction ever less.
    const SHORT: f64 = 0.2;

    /// The angle within `half` to either side of the middle for a vector in the plane of a turn, the middle along its
    /// first coordinate: about its own angle inside.
    pub fn into(self, vector: [f64; 2], half_rad: f64) -> f64 {
        let angle = vector[1].atan2(vector[0]);
        let long = (vector[0].hypot(vector[1]) / Self::SHORT).min(1.0);
        let (inside, back) = self.of(angle.abs(), half_rad);
        (inside * back * long).copysign(angle)
    }

    /// The angle (0 to π) as far as `most` allows, and how much is left of it on the way to the opposite.
    fn of(self, angle: f64, most: f64) -> (f64, f64) {
        let soft = self.before_rad.min(0.2 * most);
        let inside = match angle > most - soft && most < PI {
            true if soft > 0.0 => most - soft * (-(angle - (most - soft)) / soft).exp(),
            true => most,
            false => angle,
        };
        let opposite = Self::OPPOSITE_RAD.min(0.5 * (PI - most));
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
        // The rim in the direction of the swing.
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
    /// A rotation that knows no limit, brought into this one: as [`confine`](Self::confine), but continuous half a turn
    /// away from the middle too, and as `approach` has it before the ends.
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

    /// The rotation away from rest, as the limits judge it.
    pub(super) fn motion(&self, parent_from_link: Quat) -> Quat {
        let q = if self.reversed { parent_from_link.inverse() } else { parent_from_link };
        self.rest.inverse() * q
    }

    /// The inverse of [`motion`](Self::motion).
    pub(super) fn rotation(&self, motion: Quat) -> Quat {
        let q = self.rest * motion;
        if self.reversed { q.inverse() } else { q }
    }

    /// The slide along the joint's axis that a shift stands for.
    pub(super) fn slide_of(&self, axis: Vec3, rotation: Quat, shift: Vec3) -> f64 {
        if self.reversed { -axis.dot(&(rotation.inverse() * shift)) } else { axis.dot(&shift) }
    }

    /// The shift that a slide along the joint's axis stands for.
    pub(super) fn shift_of(&self, axis: Vec3, rotation: Quat, slide: f64) -> Vec3 {
        if self.reversed { rotation * (axis * -slide) } else { axis * slide }
    }

    /// The allowed rotation nearest to `parent_from_link`, the shorter way round.
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

    /// Where a ball joint comes to by a small step (scaled axis, parent's frame) from inside its limits, `start` being its
    /// rotation when the solve began; runs continuously with all three.
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
            // Any part of the way from the start is inside the cone; so often the window's edge is met to rounding.
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

    /// The part of a range that lies in the joint's window around an angle in it.
    pub(super) fn windowed(&self, range: Range, start: impl FnOnce() -> f64) -> Range {
        if self.window_rad == f64::INFINITY {
            return range;
        }
        let start = unwind(start(), range);
        Range::new(range.clamp(start - self.window_rad), range.clamp(start + self.window_rad))
    }

    /// The parts of a per-axis joint's ranges that lie in its window, `start` being its rotation when
    /// the solve began.
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

    /// Whether the joint has turned no farther from `start` than its window allows.
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

    /// The allowed shift nearest to `shift`: only slides bound it.
    pub(super) fn confine_shift(&self, rotation: Quat, shift: Vec3) -> Vec3 {
        match self.kind {
            JointKind::Slide { axis, range } => {
                let slide = range.clamp(self.slide_of(axis, rotation, shift));
                self.shift_of(axis, rotation, slide)
            }
            _ => shift,
        }
    }

    /// The limits that the joint stands at, `start` being its rotation when the solve began.
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

/// Angle of the part of a rotation that turns about `axis`.
pub(super) fn hinge_angle(motion: Quat, axis: Vec3) -> f64 {
    2.0 * motion.imag().dot(&axis).atan2(motion.w)
}

/// The rotation about a unit axis.
pub(super) fn about(axis: Vec3, angle: f64) -> Quat {
    let (sin, cos) = (0.5 * angle).sin_cos();
    let v = axis * sin;
    Quat::new_unchecked(Quaternion::new(cos, v.x, v.y, v.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cone(a: f64, b: f64, twist: Range) -> Cone {
        let (twist_axis, swing_axis) = (Vec3::new(0.3, -0.9, 0.2), Vec3::new(1.0, 0.4, 0.0));
        Cone { twist_axis, swing_axis, swing_rad: [a, b], twist }.checked().unwrap()
    }

    fn rotations() -> Vec<Quat> {
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

    #[test]
    fn an_angle_beyond_its_range_returns_the_shorter_way() {
        let range = Range::new(-1.0, 2.0);
        assert_eq!(confine_angle(2.5, range), 2.0);
        assert_eq!(confine_angle(-2.0, range), -1.0);
        assert_eq!(confine_angle(-2.0 + TAU, range), -1.0);
        assert_eq!(confine_angle(-3.0, range), 2.0);
        assert!((confine_angle(1.0 - TAU, range) - 1.0).abs() < 1e-12);
    }

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
