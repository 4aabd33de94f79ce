//! From a frame's rotations and translations to the numbers of its row, each frame for itself.

use super::arctangent::{atan2_deg, quadrant_deg};
use crate::math::{Axis, Quat, Vec3};
use crate::skeleton::{Channel, Channels, Skeleton};
use std::array;

/// Where the numbers of a row come from.
pub(super) struct RowLayout {
    /// How many numbers a row holds.
    pub channels: usize,
    /// Joints with three angles.
    pub triples: Vec<AnglePlaces>,
    /// Joints with one angle or two.
    pub fewer: Vec<AnglePlaces>,
    positions: Vec<PositionPlace>,
}

/// A joint's rotation channels.
pub(super) struct AnglePlaces {
    joint: usize,
    /// The axes as places in a vector, in listed order, missing ones last.
    axes: [usize; 3],
    /// +1 where the axes are a cyclic order of X, Y, Z, else -1.
    pub sign: f64,
    /// Places in a row of the angles that are listed.
    pub places: [usize; 3],
    /// How many are.
    pub len: usize,
}

/// A position channel.
struct PositionPlace {
    /// Which of the joints with position channels it belongs to.
    moving: usize,
    axis: usize,
    place: usize,
}

impl RowLayout {
    pub fn new(skeleton: &Skeleton) -> Self {
        let (mut triples, mut fewer, mut positions) = (Vec::new(), Vec::new(), Vec::new());
        let (mut place, mut moving) = (0, 0);
        for (i, joint) in skeleton.joints().iter().enumerate() {
            let mut angles = AnglePlaces::new(i, joint.channels);
            for channel in joint.channels.as_slice() {
                match channel {
                    Channel::Position(axis) => {
                        positions.push(PositionPlace { moving, axis: axis.index(), place });
                    }
                    Channel::Rotation(_) => {
                        angles.places[angles.len] = place;
                        angles.len += 1;
                    }
                }
                place += 1;
            }
            moving += usize::from(joint.channels.has_position());
            match angles.len {
                0 => {}
                3 => triples.push(angles),
                _ => fewer.push(angles),
            }
        }
        Self { channels: place, triples, fewer, positions }
    }

    /// Fills in a frame's row: coordinates, and angles in degrees of at most half a turn, the second of three
    /// at most a quarter. Knows nothing of other frames.
    ///
    /// At gimbal lock (a second angle of exactly ±90) the first of three angles is zero and the last takes all.
    /// Of two angles that the rotation does not fit, the pair is taken whose missing third is the least.
    pub fn fill(&self, rotations: &[Quat], translations: &[Vec3], row: &mut [f64]) {
        // As many at once as keep the divisions busy.
        const LANES: usize = 8;
        for joints in self.triples.chunks(LANES) {
            let angles = angles_of::<LANES>(joints, rotations);
            for (joint, angles) in joints.iter().zip(angles) {
                for (&place, angle) in joint.places.iter().zip(angles) {
                    row[place] = angle;
                }
            }
        }
        for joint in &self.fewer {
            let listed = joint.places[..joint.len].iter();
            for (&place, angle) in listed.zip(fewer_angles(joint, rotations)) {
                row[place] = angle;
            }
        }
        for position in &self.positions {
            row[position.place] = translations[position.moving][position.axis];
        }
    }
}

impl AnglePlaces {
    fn new(joint: usize, channels: Channels) -> Self {
        let order = channels.euler_order();
        let missing = [Axis::X, Axis::Y, Axis::Z].into_iter().filter(|a| !order.axes().contains(a));
        let mut axes = [0; 3];
        for (place, axis) in axes.iter_mut().zip(order.axes().iter().copied().chain(missing)) {
            *place = axis.index();
        }
        let sign = if (axes[0] + 1) % 3 == axes[1] { 1.0 } else { -1.0 };
        Self { joint, axes, sign, places: [0; 3], len: 0 }
    }
}

/// The three angles of up to `N` joints, in listed order.
///
/// Half sums and differences of the outer angles (Bernardes & Viollet 2022, for Tait-Bryan orders): they stay
/// exact near gimbal lock, where matrix entries lose half of their digits.
#[inline(always)]
fn angles_of<const N: usize>(joints: &[AnglePlaces], rotations: &[Quat]) -> [[f64; 3]; N] {
    let mut sum_y = [0.0; N];
    let mut sum_x = [1.0; N];
    let mut difference_y = [0.0; N];
    let mut difference_x = [1.0; N];
    for (n, joint) in joints.iter().enumerate().take(N) {
        let q = &rotations[joint.joint].coords;
        let [first, second, third] = joint.axes;
        let last = joint.sign * q[third];
        (sum_y[n], sum_x[n]) = (q[first] + last, q.w + q[second]);
        (difference_y[n], difference_x[n]) = (q[first] - last, q.w - q[second]);
    }
    let norm = |y: [f64; N], x: [f64; N]| array::from_fn(|n| (y[n] * y[n] + x[n] * x[n]).sqrt());
    let sum_norm: [f64; N] = norm(sum_y, sum_x);
    let difference_norm: [f64; N] = norm(difference_y, difference_x);
    let second = quadrant_deg(sum_norm, difference_norm).map(|half| 2.0 * half - 90.0);
    let half_sum = atan2_deg(sum_y, sum_x);
    let half_difference = atan2_deg(difference_y, difference_x);
    let mut angles = [[0.0; 3]; N];
    for (n, joint) in joints.iter().enumerate().take(N) {
        const LOCK: f64 = 1e-8;
        let third = joint.sign * (half_sum[n] - half_difference[n]);
        angles[n] = if sum_norm[n] < LOCK {
            [0.0, -90.0, half_turns(joint.sign * -2.0 * half_difference[n])]
        } else if difference_norm[n] < LOCK {
            [0.0, 90.0, half_turns(joint.sign * 2.0 * half_sum[n])]
        } else {
            [half_turns(half_sum[n] + half_difference[n]), second[n], half_turns(third)]
        };
    }
    angles
}

/// The one or two angles of a joint that lists no more.
fn fewer_angles(joint: &AnglePlaces, rotations: &[Quat]) -> [f64; 2] {
    let q = &rotations[joint.joint].coords;
    if joint.len == 1 {
        let [half] = atan2_deg([q[joint.axes[0]]], [q.w]);
        return [half_turns(2.0 * half), 0.0];
    }
    let [[first, second, third]] = angles_of::<1>(std::slice::from_ref(joint), rotations);
    if second.abs() == 90.0 {
        // All of the turn that the outer angles share.
        let sign = if second > 0.0 { joint.sign } else { -joint.sign };
        [sign * third, second]
    } else if third.abs() > 90.0 {
        [half_turns(first + 180.0), half_turns(180.0 - second)]
    } else {
        [first, second]
    }
}

/// An angle of at most 360° either way as one of at most 180°.
#[inline(always)]
fn half_turns(angle: f64) -> f64 {
    let turn = if angle.abs() > 180.0 { 360f64.copysign(angle) } else { 0.0 };
    angle - turn
}
