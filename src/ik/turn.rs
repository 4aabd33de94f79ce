//! One joint's step: the best motion that its kind, its limits and the step settings allow.

use super::angle::{Range, about, hinge_angle, unwind};
use super::euler::euler_angles;
use super::joint::{Joint, JointKind};
use super::pull::{Pull, half_angle};
use crate::math::{EulerOrder, Quat, Vec3};
use nalgebra::Quaternion;

/// How far a joint moves towards its best rotation in one step (Kenwright 2012, §8).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Share of the best rotation while the error is a chain length or more, from 0 to 1.9; above 1 overshoots.
    pub far_factor: f64,
    /// The same share as the error vanishes; in between it is linear in the error.
    pub near_factor: f64,
    /// Largest rotation of a joint in one step (radians); infinite for no cap.
    pub max_turn_rad: f64,
}

impl Step {
    /// Each joint moves all the way to its best rotation.
    pub const fn exact() -> Self {
        Self { far_factor: 1.0, near_factor: 1.0, max_turn_rad: f64::INFINITY }
    }

    /// Each joint moves only a share of the way, `factor` from 0 to 1, so that more joints take part.
    pub const fn damped(factor: f64) -> Self {
        Self { far_factor: factor, near_factor: factor, ..Self::exact() }
    }

    /// Each joint overshoots, less so the smaller the error is. At an error of a chain length or more it moves `factor`
    /// times the way, from 1 to 1.9.
    pub const fn over_relaxed(factor: f64) -> Self {
        Self { far_factor: factor, ..Self::exact() }
    }

    /// The same step with a cap on the rotation (radians). A solve with a cap uses sweeps alone: it leaves out closed
    /// form and relaxation, which rotate joints all at once.
    pub const fn with_max_turn(self, max_turn_rad: f64) -> Self {
        Self { max_turn_rad, ..self }
    }

    /// Whether the cap can ever bind.
    pub(super) fn is_capped(&self) -> bool {
        (0.0..std::f64::consts::PI).contains(&self.max_turn_rad)
    }

    /// The share for an error of `error_ratio` chain lengths. It stays below 2; beyond that a step makes the error
    /// larger.
    pub(super) fn step_size(&self, error_ratio: f64) -> StepSize {
        let far = if error_ratio.is_finite() { error_ratio.min(1.0) } else { 1.0 };
        let factor = self.near_factor + (self.far_factor - self.near_factor) * far;
        let factor = if factor.is_finite() { factor.clamp(0.0, 1.9) } else { 1.0 };
        let max = if self.max_turn_rad >= 0.0 { self.max_turn_rad } else { f64::INFINITY };
        let most = if factor > 1.0 { OVERSHOOT_RAD } else { std::f64::consts::PI };
        let half = 0.5 * max.min(most);
        let (half_cos, half_sin) = (half.cos(), half.sin());
        StepSize { factor, max, max_len: f64::INFINITY, half_cos, half_sin, softness: None }
    }
}

/// The largest rotation of an overshooting step: less than half a turn, at which rounding would decide from which side
/// limits and windows bring the joint back.
const OVERSHOOT_RAD: f64 = 3.0;

/// A step's share and cap, ready for use without trigonometry.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepSize {
    pub factor: f64,
    pub max: f64,
    /// Largest slide in one step, length units.
    max_len: f64,
    half_cos: f64,
    half_sin: f64,
    /// If set, the step is continuous in its pull, and this is the magnitude of pull below which the step fades.
    pub softness: Option<f64>,
}

impl StepSize {
    pub const EXACT: Self = Self {
        factor: 1.0,
        max: f64::INFINITY,
        max_len: f64::INFINITY,
        half_cos: 0.0,
        half_sin: 1.0,
        softness: None,
    };

    /// The same cap with a smaller share.
    pub fn times(self, share: f64) -> Self {
        Self { factor: self.factor * share, ..self }
    }

    /// The same step size with steps that are continuous in their pulls.
    pub fn easing(self) -> Self {
        Self { max: self.max.min(std::f64::consts::FRAC_PI_2), softness: Some(0.0), ..self }
    }

    /// An easing step size for one visit, with this softness.
    pub fn eased(self, softness: f64, max_len: f64) -> Self {
        Self { softness: Some(softness), max_len, ..self }
    }

    pub fn is_whole(&self, weight: f64) -> bool {
        self.factor * weight == 1.0 && self.max == f64::INFINITY
    }

    /// A share of a turn. The share is taken of the quaternion, which is its angle to second order.
    #[inline]
    fn share(&self, turn: Quat, weight: f64) -> Quat {
        let factor = self.factor * weight;
        let mut q = *turn.quaternion();
        if factor != 1.0 {
            let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
            let w = 1.0 + factor * (sign * q.w - 1.0);
            let v = q.imag() * (sign * factor);
            q = Quaternion::new(w, v.x, v.y, v.z).normalize();
        }
        if q.w < self.half_cos {
            let v = q.imag();
            let v = v * (self.half_sin / v.norm());
            q = Quaternion::new(self.half_cos, v.x, v.y, v.z);
        }
        Quat::new_unchecked(q)
    }

    /// Whether a rotation is within the cap.
    fn spans(&self, turn: Quat) -> bool {
        turn.w.abs() >= self.half_cos - 1e-12
    }

    /// A share of an angle.
    fn share_angle(&self, angle: f64, weight: f64) -> f64 {
        (self.factor * weight * angle).clamp(-self.max, self.max)
    }
}

/// The motion of the link, and of all links below it, in the world.
#[derive(Clone, Copy, Debug)]
pub(super) enum Motion {
    Still,
    /// About the joint's pivot.
    Turn(Quat),
    Slide(Vec3),
}

/// The joint's place in a pose, changed by [`turn`].
pub(super) struct Seat<'a> {
    pub joint: &'a Joint,
    pub parent_world: Quat,
    /// World rotation of the link before the step.
    pub world: Quat,
    /// `parent_from_link` when the solve began.
    pub start: Quat,
    pub local: &'a mut Quat,
    pub shift: &'a mut Vec3,
}

impl Seat<'_> {
    /// Makes the step and returns the link's motion.
    #[inline(always)]
    pub fn turn(&mut self, pull: &Pull, step_size: &StepSize) -> Motion {
        let joint = self.joint;
        if let Some(softness) = step_size.softness {
            return self.ease(pull, step_size, softness);
        }
        match joint.kind {
            JointKind::Fixed => Motion::Still,
            JointKind::Ball if joint.window_rad == f64::INFINITY => {
                let Some(best) = pull.best_turn(self.world) else { return Motion::Still };
                let turn = if step_size.is_whole(joint.weight) {
                    best
                } else {
                    step_size.share(best, joint.weight)
                };
                *self.local = self.parent_world.inverse() * (turn * self.world);
                Motion::Turn(turn)
            }
            JointKind::Ball | JointKind::Cone(_) => self.turn_bounded(pull, step_size),
            JointKind::Hinge { axis, range } => self.turn_hinge(axis, range, pull, step_size),
            JointKind::Euler { order, ranges } => self.turn_euler(order, ranges, pull, step_size),
            JointKind::Slide { axis, range } => self.slide(axis, range, pull, step_size),
        }
    }

    /// World axis about which a growing angle of the joint turns the link; `axis` is in the frame of the side on which
    /// the joint states it.
    fn world_axis(&self, axis: Vec3, from_parent: Quat) -> Vec3 {
        if self.joint.reversed {
            -(self.world * (from_parent * axis))
        } else {
            self.parent_world * (from_parent * axis)
        }
    }

    /// World axis of a hinge.
    pub fn hinge_axis(&self, axis: Vec3) -> Vec3 {
        if self.joint.reversed { -(self.parent_world * axis) } else { self.world * axis }
    }

    /// A step of a ball joint with limits. If limits make the step worse, it is shortened a few times, and the try that
    /// gains most is made.
    fn turn_bounded(&mut self, pull: &Pull, step_size: &StepSize) -> Motion {
        /// A try with this share of the gain without limits is good enough.
        const ENOUGH: f64 = 0.01;
        let joint = self.joint;
        let Some(best) = pull.best_turn(self.world) else { return Motion::Still };
        let (mut turn, before) =
            (step_size.share(best, joint.weight), pull.value(Quat::identity()));
        let enough = before + ENOUGH * (pull.value(turn) - before);
        // Rounding alone is no gain.
        let mut most = before + 1e-13 * pull.size();
        let mut made = Motion::Still;
        for _ in 0..5 {
            let wanted = self.parent_world.inverse() * (turn * self.world);
            let local = joint.confine(self.within_window(wanted));
            let tried = self.parent_world * local * self.world.inverse();
            let value = pull.value(tried);
            if value > most && step_size.spans(tried) && joint.is_within_window(self.start, local) {
                most = value;
                *self.local = local;
                made = Motion::Turn(tried);
                if value >= enough {
                    break;
                }
            }
            turn = StepSize { factor: 0.5, ..StepSize::EXACT }.share(turn, 1.0);
        }
        made
    }

    fn within_window(&self, local: Quat) -> Quat {
        if self.joint.window_rad == f64::INFINITY {
            return local;
        }
        let away = self.start.inverse() * local;
        let angle = away.angle();
        if angle <= self.joint.window_rad {
            return local;
        }
        self.start * away.powf(self.joint.window_rad / angle)
    }

    fn turn_hinge(
        &mut self,
        axis: Vec3,
        range: Range,
        pull: &Pull,
        step_size: &StepSize,
    ) -> Motion {
        let world_axis = self.hinge_axis(axis);
        let (even, odd) = pull.about(world_axis);
        let joint = self.joint;
        if range.is_free() && joint.window_rad == f64::INFINITY {
            let Some((cos, sin)) = half_angle(even, odd) else { return Motion::Still };
            let turned = |v: Vec3| Quat::new_unchecked(Quaternion::new(cos, v.x, v.y, v.z));
            let turn = step_size.share(turned(world_axis * sin), joint.weight);
            // The link's own axis, not the world's, so that no rounding tilts the hinge.
            let own = step_size.share(turned(axis * sin), joint.weight);
            *self.local =
                if joint.reversed { own.inverse() * *self.local } else { *self.local * own };
            return Motion::Turn(turn);
        }
        let angle = hinge_angle(joint.motion(*self.local), axis);
        let start = || hinge_angle(joint.motion(self.start), axis);
        let range = joint.windowed(range, start);
        let (to, by) = best_angle(angle, even, odd, range, step_size, joint.weight);
        if by == 0.0 {
            return Motion::Still;
        }
        *self.local = joint.rotation(about(axis, to));
        Motion::Turn(about(world_axis, by))
    }

    fn turn_euler(
        &mut self,
        order: EulerOrder,
        ranges: [Range; 3],
        pull: &Pull,
        step_size: &StepSize,
    ) -> Motion {
        let joint = self.joint;
        let ranges = joint.windowed_axes(order, ranges, self.start);
        let angles = euler_angles(order, ranges, joint.motion(*self.local));
        self.turn_axes(order, angles, pull, |i, angle, (even, odd)| {
            best_angle(angle, even, odd, ranges[i], step_size, joint.weight)
        })
    }

    /// Turns a joint about one axis after the other. For an axis's index, its angle and the gain of rotations about it,
    /// `step` returns the new angle and the change.
    #[inline(always)]
    pub fn turn_axes(
        &mut self,
        order: EulerOrder,
        mut angles: [f64; 3],
        pull: &Pull,
        step: impl Fn(usize, f64, (f64, f64)) -> (f64, f64),
    ) -> Motion {
        let joint = self.joint;
        let mut pull = *pull;
        let mut total = Quat::identity();
        let (world, mut before) = (self.world, joint.rest);
        for (i, &axis) in order.axes().iter().enumerate() {
            let axis = axis.unit().into_inner();
            let world_axis = self.world_axis(axis, before);
            let (to, by) = step(i, angles[i], pull.about(world_axis));
            if by != 0.0 {
                angles[i] = to;
                let turn = about(world_axis, by);
                pull = pull.turned(turn);
                total = turn * total;
                self.world = turn * self.world;
            }
            before *= about(axis, angles[i]);
        }
        self.world = world;
        if total == Quat::identity() {
            return Motion::Still;
        }
        *self.local = joint.rotation(order.compose(angles));
        Motion::Turn(total)
    }

    pub fn slide(&mut self, axis: Vec3, range: Range, pull: &Pull, step_size: &StepSize) -> Motion {
        let joint = self.joint;
        let world_axis =
            if joint.reversed { -(self.world * axis) } else { self.parent_world * axis };
        let from = joint.slide_of(axis, *self.local, *self.shift);
        let way = pull.slide(world_axis).clamp(-step_size.max_len, step_size.max_len);
        let wish = step_size.factor.min(1.0) * joint.weight * way;
        let to = range.clamp(from + wish);
        if !to.is_finite() || to == from {
            return Motion::Still;
        }
        *self.shift = joint.shift_of(axis, *self.local, to);
        Motion::Slide(world_axis * (to - from))
    }
}

/// The angle to which a joint turns, and the change, if the change gains `even · cos + odd · sin`: the angle of the
/// largest gain, or, if the range forbids it, the end of the range that the joint meets first on the way there.
fn best_angle(
    angle: f64,
    even: f64,
    odd: f64,
    range: Range,
    step_size: &StepSize,
    weight: f64,
) -> (f64, f64) {
    if even == 0.0 && odd == 0.0 {
        return (angle, 0.0);
    }
    let angle = unwind(angle, range);
    let best = odd.atan2(even);
    if !step_size.is_whole(weight) {
        let to = range.clamp(angle + step_size.share_angle(best, weight));
        return (to, to - angle);
    }
    let nearest = range.clamp(angle + best);
    let (round, is_inside) = (unwind(angle + best, range), |to: f64| range.clamp(to) == to);
    let to = if nearest != angle + best && is_inside(round) { round } else { nearest };
    (to, to - angle)
}
