//! How far a person's joint may turn, as a test that is cheap enough for every frame.

use super::file::human;
use super::{Foot, Rig};
use crate::math::{Quat, Vec3, rotation_between};
use crate::skeleton::JointId;
use nalgebra::Quaternion;

/// A range of a joint's local rotation: bounds of its twist about the bone and of its swing about the two other axes
/// of the body.
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
}

impl JointRange {
    /// The range of people for the part that a joint plays; `None` where the rig states a limit of its own or wants
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
        })
    }

    /// Whether the range has the local rotation in it. Some 80 multiplications.
    pub fn holds(&self, local: Quat) -> bool {
        let turns = self.turns(local);
        let within = |(turn, [least, most]): (f64, [f64; 2])| {
            turn >= least - ROUNDING && turn <= most + ROUNDING
        };
        turns.into_iter().zip(self.bounds).all(within)
    }

    /// The range made just wide enough for this local rotation.
    pub fn widened(mut self, local: Quat) -> Self {
        let turns = self.turns(local);
        for ([least, most], turn) in self.bounds.iter_mut().zip(turns) {
            (*least, *most) = (least.min(turn), most.max(turn));
        }
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
        let part = |about: [f64; 3]| {
            let square = about.iter().map(|t| t * t).sum::<f64>();
            let [x, y, z] = about.map(|t| 2.0 * t / (1.0 + square));
            Quat::new_normalize(Quaternion::new((1.0 - square) / (1.0 + square), x, y, z))
        };
        let (mut swing, mut twist) = ([0.0; 3], [0.0; 3]);
        (swing[i], swing[j], twist[k]) = (turns[i], turns[j], turns[k]);
        self.to_parent.inverse() * part(swing) * part(twist) * self.from_joint.inverse()
    }

    /// Swing and twist by axis of the body, as tangents of quarter angles.
    fn turns(&self, local: Quat) -> [f64; 3] {
        let q = self.to_parent * local * self.from_joint;
        let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
        let (w, v) = (q.w * sign, [q.i * sign, q.j * sign, q.k * sign]);
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
