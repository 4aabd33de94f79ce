//! One joint's step for [`Strategy::Tracking`](super::Strategy::Tracking): a continuous function of the pull.
//!
//! The best rotation is not continuous: its direction flips where arm and aim are opposite, it has none where one of
//! the two vanishes or where pulls cancel each other, and a step that limits make worse is shortened by halves. Here
//! the step fades to nothing in these three cases, and limits only cut off what is beyond them.

use super::angle::{Range, about, hinge_angle, unwind};
use super::euler::euler_angles;
use super::joint::JointKind;
use super::pull::Pull;
use super::turn::{Motion, Seat, StepSize};
use crate::math::{EulerOrder, Vec3};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

impl Seat<'_> {
    /// Makes the step and returns the link's motion.
    pub fn ease(&mut self, pull: &Pull, step_size: &StepSize, softness: f64) -> Motion {
        let step = |even, odd| eased_angle(even, odd, step_size, softness) * self.joint.weight;
        match self.joint.kind {
            JointKind::Fixed => Motion::Still,
            JointKind::Ball | JointKind::Cone(_) => {
                let Some((axis, even, odd)) = pull.steepest() else { return Motion::Still };
                let angle = step(even, odd);
                if matches!(self.joint.kind, JointKind::Ball)
                    && self.joint.window_rad == f64::INFINITY
                {
                    let turn = about(axis, angle);
                    *self.local = self.parent_world.inverse() * (turn * self.world);
                    return Motion::Turn(turn);
                }
                let by = self.parent_world.inverse() * (axis * angle);
                *self.local = self.joint.stepped(self.start, *self.local, by);
                Motion::Turn(self.parent_world * *self.local * self.world.inverse())
            }
            JointKind::Hinge { axis, range } => {
                let world_axis = self.hinge_axis(axis);
                let (even, odd) = pull.about(world_axis);
                self.ease_hinge(axis, world_axis, range, step(even, odd))
            }
            JointKind::Euler { order, ranges } => {
                self.ease_euler(order, ranges, pull, step_size, softness)
            }
            JointKind::Slide { axis, range } => self.slide(axis, range, pull, step_size),
        }
    }

    fn ease_hinge(&mut self, axis: Vec3, world_axis: Vec3, range: Range, by: f64) -> Motion {
        let joint = self.joint;
        let angle = hinge_angle(joint.motion(*self.local), axis);
        let start = || hinge_angle(joint.motion(self.start), axis);
        let (to, by) = eased_within(angle, by, joint.windowed(range, start));
        if by == 0.0 {
            return Motion::Still;
        }
        *self.local = joint.rotation(about(axis, to));
        Motion::Turn(about(world_axis, by))
    }

    fn ease_euler(
        &mut self,
        order: EulerOrder,
        ranges: [Range; 3],
        pull: &Pull,
        step_size: &StepSize,
        softness: f64,
    ) -> Motion {
        let joint = self.joint;
        let ranges = joint.windowed_axes(order, ranges, self.start);
        let angles = euler_angles(order, ranges, joint.motion(*self.local));
        self.turn_axes(order, angles, pull, |axis, angle, (even, odd)| {
            eased_within(
                angle,
                eased_angle(even, odd, step_size, softness) * joint.weight,
                ranges[axis],
            )
        })
    }
}

/// The angle of a step towards the best rotation, where `even · cos + odd · sin` is largest: the whole angle or the cap
/// while the best rotation is ahead, less and less the farther it is behind, 0 where it is opposite or does not exist.
fn eased_angle(even: f64, odd: f64, step_size: &StepSize, softness: f64) -> f64 {
    let both = even.hypot(odd);
    if both == 0.0 {
        return 0.0;
    }
    let best = odd.atan2(even);
    let ahead = best.abs().min(step_size.max);
    let behind = step_size.max * ((PI - best.abs()) / FRAC_PI_2);
    let size = if best.abs() <= FRAC_PI_2 { ahead } else { behind };
    let size = (step_size.factor * size).min(step_size.max);
    size.copysign(best) * (both / both.max(softness))
}

/// The angle at which a step from an angle in the range ends, and the change. The step stops at the first end of the
/// range.
fn eased_within(angle: f64, by: f64, range: Range) -> (f64, f64) {
    if range.max - range.min >= TAU {
        return (angle + by, by);
    }
    let angle = range.clamp(unwind(angle, range));
    let to = range.clamp(angle + by);
    (to, to - angle)
}
