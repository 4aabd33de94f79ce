//! Euler angles as BVH files write them: rotations about named axes, applied in the listed order.

use super::{Quat, Vec3};
use nalgebra::Unit;
use std::f64::consts::{PI, TAU};

/// One of the three coordinate axes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    /// The index of the axis in a vector: 0, 1 or 2.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The axis as a unit vector.
    pub fn unit(self) -> Unit<Vec3> {
        match self {
            Axis::X => Vec3::x_axis(),
            Axis::Y => Vec3::y_axis(),
            Axis::Z => Vec3::z_axis(),
        }
    }
}

/// Up to three distinct axes in the order in which a file lists its rotation channels.
///
/// The rotation of angles `a` is `R(axis 0, a0) * R(axis 1, a1) * R(axis 2, a2)`: the last listed
/// axis turns the joint first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EulerOrder {
    axes: [Axis; 3],
    len: u8,
}

impl EulerOrder {
    /// An order of up to three axes; `None` if there are more, or if one occurs twice.
    pub fn new(listed: &[Axis]) -> Option<Self> {
        let mut axes = [Axis::X; 3];
        if listed.len() > 3 {
            return None;
        }
        for (i, &axis) in listed.iter().enumerate() {
            if listed[..i].contains(&axis) {
                return None;
            }
            axes[i] = axis;
        }
        Some(Self { axes, len: listed.len() as u8 })
    }

    /// The axes as listed.
    pub fn axes(&self) -> &[Axis] {
        &self.axes[..self.len as usize]
    }

    /// The rotation of these angles (radians, in listed order). Angles beyond the number of axes are ignored.
    pub fn compose(&self, angles_rad: [f64; 3]) -> Quat {
        let mut q = Quat::identity();
        for (&axis, &angle) in self.axes().iter().zip(&angles_rad) {
            q *= Quat::from_axis_angle(&axis.unit(), angle);
        }
        q
    }

    /// The angles of `q` in listed order, the solution and the turns of 360° nearest to `previous`.
    ///
    /// With three axes the angles compose to `q` again. At gimbal lock the first angle keeps its previous value, and
    /// the last takes the rest. With fewer axes the angles give the part of `q` that those axes can express: the twist
    /// about one axis, or the nearest pair of angles.
    pub fn decompose(&self, q: Quat, previous: [f64; 3]) -> [f64; 3] {
        let mut angles = match self.axes() {
            [] => return [0.0; 3],
            [axis] => {
                let i = axis.index();
                return [nearest_turn(2.0 * q.imag()[i].atan2(q.w), previous[0]), 0.0, 0.0];
            }
            // The third axis is the missing one; leaving its angle out keeps the first two.
            [a, b] => Self { axes: [*a, *b, third(*a, *b)], len: 3 }.triple(q, previous),
            _ => self.triple(q, previous),
        };
        angles[self.len as usize..].fill(0.0);
        angles
    }

    /// All three angles of `q` about three distinct axes, nearest to `previous`.
    fn triple(&self, q: Quat, previous: [f64; 3]) -> [f64; 3] {
        let [i, j, k] = self.axes.map(Axis::index);
        // +1 where i, j, k is a cyclic order of X, Y, Z, else -1.
        let sign = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
        let (w, v) = (q.w, q.imag());
        // Half sums and differences of the outer angles (Bernardes & Viollet 2022, for Tait-Bryan
        // orders): they stay exact near gimbal lock, where matrix entries lose half of their digits.
        let (sum_sin, sum_cos) = (v[i] + sign * v[k], w + v[j]);
        let (difference_sin, difference_cos) = (v[i] - sign * v[k], w - v[j]);
        let sum_norm = (sum_sin * sum_sin + sum_cos * sum_cos).sqrt();
        let difference_norm =
            (difference_sin * difference_sin + difference_cos * difference_cos).sqrt();
        let second = 2.0 * sum_norm.atan2(difference_norm) - PI / 2.0;
        let half_sum = sum_sin.atan2(sum_cos);
        let half_difference = difference_sin.atan2(difference_cos);
        const LOCK: f64 = 1e-8;
        if sum_norm < LOCK || difference_norm < LOCK {
            let first = previous[0];
            let third = if sum_norm < LOCK {
                sign * (first - 2.0 * half_difference)
            } else {
                sign * (2.0 * half_sum - first)
            };
            return nearest([first, second, third], previous);
        }
        let first = half_sum + half_difference;
        let third = sign * (half_sum - half_difference);
        let one = nearest([first, second, third], previous);
        // The other solution's outer angles lie half a turn from these, so it is farther still.
        if distance(one, previous) < PI {
            return one;
        }
        let other = nearest([first + PI, PI - second, third + PI], previous);
        if distance(other, previous) < distance(one, previous) { other } else { one }
    }
}

fn third(a: Axis, b: Axis) -> Axis {
    [Axis::X, Axis::Y, Axis::Z]
        .into_iter()
        .find(|&c| c != a && c != b)
        .expect("three axes, two taken")
}

/// `angle` moved by whole turns to lie nearest to `near`.
fn nearest_turn(angle: f64, near: f64) -> f64 {
    // The usual case needs no rounding, which is costly.
    if (angle - near).abs() < PI {
        return angle;
    }
    angle - TAU * ((angle - near) / TAU).round()
}

fn nearest(angles: [f64; 3], near: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| nearest_turn(angles[i], near[i]))
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orders() -> Vec<EulerOrder> {
        let all = [Axis::X, Axis::Y, Axis::Z];
        let mut orders = Vec::new();
        for a in all {
            for b in all {
                for c in all {
                    orders.extend(EulerOrder::new(&[a, b, c]));
                }
            }
        }
        assert_eq!(orders.len(), 6);
        orders
    }

    #[test]
    fn decompose_gives_the_angles_back_in_every_order() {
        for order in orders() {
            for a in [-3.0, -1.2, 0.0, 0.4, 2.9] {
                for b in [-1.5, -0.3, 0.0, 0.7, 1.5] {
                    for c in [-2.8, -0.6, 0.0, 1.1, 3.1] {
                        let angles = [a, b, c];
                        let found = order.decompose(order.compose(angles), angles);
                        let error = distance(found, angles);
                        assert!(error < 1e-12, "{order:?} {angles:?}: off by {error}");
                    }
                }
            }
        }
    }

    #[test]
    fn angles_recompose_at_and_near_gimbal_lock() {
        for order in orders() {
            for b in [-PI / 2.0, PI / 2.0] {
                for near in [0.0, 1e-15, 1e-12, 1e-9, 1e-8, 1e-6] {
                    let q = order.compose([0.3, b - near, -0.8]);
                    let found = order.decompose(q, [0.1, b, 0.2]);
                    let error = order.compose(found).angle_to(&q);
                    assert!(error < 3e-8, "{order:?} at {b} - {near}: off by {error}");
                }
            }
        }
    }

    #[test]
    fn angles_run_on_through_half_turns_and_gimbal_lock() {
        for order in orders() {
            let mut previous = [0.0; 3];
            for step in 0..4000 {
                let t = step as f64 * 0.005;
                let truth = [0.9 * t, 0.37 * t, -0.6 * t];
                let found = order.decompose(order.compose(truth), previous);
                let jump = distance(found, previous);
                assert!(jump < 0.05, "{order:?}: jumped by {jump} at step {step}");
                previous = found;
            }
        }
    }
}
