//! How far a person's joint may turn, as a test that is cheap enough for every frame.

use super::file::human;
use super::{Foot, Rig};
use crate::math::{Quat, Vec3, rotation_between};
use crate::skeleton::JointId;
use nalgebra::Quaternion;

/// A range of a joint's local rotation: bounds of its twist about the bone and of its swing, about the two other axes
/// of the body and in all.
///
/// A rotation is `swing · twist`. Angles are known by the tangent of their quarter, which grows with the angle up to
/// a half turn and takes no trigonometry: swing `(s, x, y, 0)` has `(x, y) / (1 + s)`, twist `(w, 0, 0, z)` has
/// `z / (1 + w)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct JointRange {
    /// `to_parent * local * from_joint` is the turn from the middle, in the body's axes.
    to_parent: Quat,
    from_joint: Quat,
    /// The axis along the bone, and the two that follow it.
    axes: [usize; 3],
    /// By axis of the body, tangents of quarter angles.
    bounds: [[f64; 2]; 3],
    /// The tangent of a quarter of the largest swing.
    most_swing: f64,
}

impl JointRange {
    /// The range of people for the role of a joint; `None` where the rig states a limit of its own or wants
    /// none, and for parts without a range.
    pub fn of(rig: &Rig, joint: JointId) -> Option<Self> {
        let stated = rig.limits.iter().any(|(limited, _)| *limited == joint);
        let role = rig.roles.role(joint).filter(|_| rig.human_limits && !stated)?;
        let range = human::range(role)?;
        let middle = Quat::from_scaled_axis(range.middle_rad);
        let above = rig.skeleton.parent(joint).map_or(Quat::identity(), |above| frame(rig, above));
        let bone = range.bone;
        Some(Self {
            to_parent: middle.inverse() * above,
            from_joint: frame(rig, joint).inverse(),
            axes: [bone, (bone + 1) % 3, (bone + 2) % 3],
            bounds: range.ranges_rad.map(|ends| ends.map(|angle| (0.25 * angle).tan())),
            most_swing: (0.25 * range.most_swing_rad).tan(),
        })
    }

    /// Whether the range has the local rotation in it. Some 80 multiplications and a root.
    pub fn holds(&self, local: Quat) -> bool {
        let (w, v) = self.turned(local);
        let [k, i, j] = self.axes;
        let s = (w * w + v[k] * v[k]).sqrt();
        // The turns of [`turns`](Self::turns), times what they are divided by.
        let (of_swing, of_twist) = (s * (1.0 + s), s + w);
        let swing = [w * v[i] - v[j] * v[k], w * v[j] + v[i] * v[k]];
        let most = (self.most_swing + ROUNDING) * of_swing;
        let within = |turn: f64, axis: usize, by: f64| {
            let [least, most] = self.bounds[axis];
            turn >= (least - ROUNDING) * by && turn <= (most + ROUNDING) * by
        };
        s > 0.0
            && within(swing[0], i, of_swing)
            && within(swing[1], j, of_swing)
            && within(v[k], k, of_twist)
            && swing[0] * swing[0] + swing[1] * swing[1] <= most * most
    }

    /// The range made wide enough for this local rotation.
    pub fn widened(mut self, local: Quat) -> Self {
        let turns = self.turns(local);
        for ([least, most], turn) in self.bounds.iter_mut().zip(turns) {
            (*least, *most) = (least.min(turn), most.max(turn));
        }
        let [_, i, j] = self.axes;
        self.most_swing = self.most_swing.max(turns[i].hypot(turns[j]));
        self
    }

    /// The local rotation with each of its turns brought into the range; it runs on smoothly from one that is in it.
    pub fn confine(&self, local: Quat) -> Quat {
        if self.holds(local) {
            return local;
        }
        let mut turns = self.turns(local);
        for (turn, [least, most]) in turns.iter_mut().zip(self.bounds) {
            *turn = turn.clamp(least, most);
        }
        let [k, i, j] = self.axes;
        let shorter = (self.most_swing / turns[i].hypot(turns[j])).min(1.0);
        (turns[i], turns[j]) = (turns[i] * shorter, turns[j] * shorter);
        let (mut swing, mut twist) = ([0.0; 3], [0.0; 3]);
        (swing[i], swing[j], twist[k]) = (turns[i], turns[j], turns[k]);
        self.to_parent.inverse() * rotation(swing) * rotation(twist) * self.from_joint.inverse()
    }

    /// The local rotation at an end (0 the least, 1 the most) of what it swings about an axis of the body, and turned
    /// no other way.
    pub fn swung(&self, axis: usize, end: usize) -> Quat {
        let mut swing = [0.0; 3];
        swing[axis] = self.bounds[axis][end];
        self.to_parent.inverse() * rotation(swing) * self.from_joint.inverse()
    }

    /// The largest swing in whatever direction, radians.
    pub fn most_swing_rad(&self) -> f64 {
        4.0 * self.most_swing.atan()
    }

    /// The turn from the middle in the body's axes, as the quaternion whose real part is not negative.
    fn turned(&self, local: Quat) -> (f64, [f64; 3]) {
        let q = self.to_parent * local * self.from_joint;
        let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
        (q.w * sign, [q.i * sign, q.j * sign, q.k * sign])
    }

    /// Swing and twist by axis of the body, as tangents of quarter angles.
    fn turns(&self, local: Quat) -> [f64; 3] {
        let (w, v) = self.turned(local);
        let [k, i, j] = self.axes;
        let s = (w * w + v[k] * v[k]).sqrt();
        let mut turns = [0.0; 3];
        // A half turn across the bone has no twist of its own.
        if s < 1e-12 {
            (turns[i], turns[j]) = (v[i], v[j]);
        } else {
            let share = 1.0 / (s * (1.0 + s));
            turns[i] = (w * v[i] - v[j] * v[k]) * share;
            turns[j] = (w * v[j] + v[i] * v[k]) * share;
            turns[k] = v[k] / (s + w);
        }
        turns
    }
}

/// The rotation with these tangents of quarter angles by axis.
fn rotation(about: [f64; 3]) -> Quat {
    let square = about.iter().map(|t| t * t).sum::<f64>();
    let [x, y, z] = about.map(|t| 2.0 * t / (1.0 + square));
    Quat::new_normalize(Quaternion::new((1.0 - square) / (1.0 + square), x, y, z))
}

/// What rounding may put a rotation outside by.
const ROUNDING: f64 = 1e-12;

/// The rotation from a joint's frame to body space in the stance, soles flat: a rig's zero pose may tilt its feet.
fn frame(rig: &Rig, joint: JointId) -> Quat {
    let frame = rig.stance.body_from_joint[joint.index()];
    let leveled = |foot: &Foot| {
        let up = frame * foot.up;
        let ahead = frame * foot.toe_ahead;
        let is_toe = foot.toe == Some(joint);
        let turn = match is_toe {
            true => rotation_between(ahead, Vec3::new(ahead.x, 0.0, ahead.z)),
            false => rotation_between(up, Vec3::y()),
        };
        (is_toe || foot.ankle == joint).then(|| turn * frame)
    };
    rig.feet.iter().find_map(leveled).unwrap_or(frame)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range() -> JointRange {
        let bounds = [[-0.3, 0.2], [-0.1, 0.4], [-1.0, 1.0]];
        JointRange {
            to_parent: Quat::from_euler_angles(0.3, -1.2, 0.4),
            from_joint: Quat::from_euler_angles(-2.0, 0.1, 0.9),
            axes: [1, 2, 0],
            bounds,
            most_swing: 0.45,
        }
    }

    fn rotations() -> impl Iterator<Item = Quat> {
        (0..500).map(|i| {
            let t = f64::from(i);
            Quat::from_euler_angles((t * 0.7).sin() * 3.0, (t * 1.3).sin() * 1.5, t * 0.37)
        })
    }

    #[test]
    fn what_is_in_the_range_stays_to_the_last_bit_and_what_is_not_comes_into_it() {
        let range = range();
        let (mut inside, mut outside) = (0, 0);
        for q in rotations() {
            let confined = range.confine(q);
            if range.holds(q) {
                assert_eq!(confined, q);
                inside += 1;
            } else {
                let again = range.confine(confined);
                assert!(again.angle_to(&confined) < 1e-7, "{q}: {confined} is outside");
                assert!(confined.angle_to(&q) > 1e-9);
                outside += 1;
            }
        }
        assert!(inside > 20 && outside > 100, "{inside} inside, {outside} outside");
    }

    #[test]
    fn a_range_that_is_widened_holds_both_and_little_beyond_is_little_held_back() {
        let range = range();
        let (axis, step_rad) = (Vec3::new(0.6, -0.2, 0.77).normalize(), 1e-4);
        for q in rotations() {
            let wide = range.widened(q);
            assert!(wide.holds(q));
            let beyond = Quat::from_scaled_axis(axis * step_rad) * q;
            // Near a half turn, coordinates run faster than angles do.
            if q.angle_to(&range.confine(q)) < 1.0 {
                assert!(wide.confine(beyond).angle_to(&beyond) < 20.0 * step_rad, "{q}");
            }
        }
    }

    #[test]
    fn what_is_swung_to_an_end_is_just_within() {
        let range = range();
        for end in [0, 1] {
            let [inside, beyond] = [0.999, 1.001].map(|share| {
                let mut wider = range;
                wider.bounds[0][end] *= share;
                wider.swung(0, end)
            });
            assert!(range.holds(range.swung(0, end)) && range.holds(inside), "{end}");
            assert!(!range.holds(beyond), "{end}");
        }
    }

    #[test]
    fn a_turn_about_one_axis_is_held_at_its_own_bound() {
        let (to_parent, from_joint) = (Quat::identity(), Quat::identity());
        let bound = |angle: f64| (0.25 * angle).tan();
        let bounds = [[bound(-0.5), bound(2.0)], [-1.0, 1.0], [-1.0, 1.0]];
        let range = JointRange { to_parent, from_joint, axes: [1, 2, 0], bounds, most_swing: 1.0 };
        for (angle, held) in [(-3.0, -0.5), (-0.4, -0.4), (1.9, 1.9), (2.7, 2.0)] {
            let bent = range.confine(Quat::from_scaled_axis(Vec3::x() * angle));
            assert!((bent.scaled_axis() - Vec3::x() * held).norm() < 1e-9, "{angle}");
        }
    }
}
