//! The numbers of a row from the rotations and translations of its frame, independent of other frames.

use super::arctangent::{atan2_deg, quadrant_deg};
use crate::math::{Axis, Quat, Vec3};
use crate::skeleton::{Channel, Channels, Skeleton};
use arrayvec::ArrayVec;

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
    /// How many angles are listed.
    pub len: usize,
}

/// A position channel.
struct PositionPlace {
    /// Its joint, counted among the joints with position channels.
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
    /// at most a quarter. No other frame matters.
    ///
    /// At gimbal lock (a second angle of exactly ±90) the first of three angles is zero and the last takes all.
    /// Of two angles that the rotation does not fit, the pair is taken whose missing third is the least.
    ///
    /// A joint whose rotation is among the `known` ones, to the bit, keeps the angles that `row` has of it; there are
    /// as many of those as joints, or none.
    pub fn fill(&self, rotations: &[Quat], translations: &[Vec3], known: &[Quat], row: &mut [f64]) {
        let bits = |q: &Quat| q.coords.map(f64::to_bits);
        let is_new = |joint: &&AnglePlaces| {
            let known = known.get(joint.joint);
            known.is_none_or(|known| bits(known) != bits(&rotations[joint.joint]))
        };
        let mut joints = self.triples.iter().filter(is_new);
        loop {
            let group: ArrayVec<&AnglePlaces, LANES> = joints.by_ref().take(LANES).collect();
            if group.is_empty() {
                break;
            }
            let angles = Triples::of(&group, rotations);
            for (n, joint) in group.iter().enumerate() {
                for (&place, angle) in joint.places.iter().zip(angles.of_joint(n)) {
                    row[place] = angle;
                }
            }
        }
        for joint in self.fewer.iter().filter(is_new) {
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

/// Joints whose angles are computed at once.
const LANES: usize = 8;

/// The three angles of some joints, in listed order.
struct Triples {
    first: [f64; LANES],
    second: [f64; LANES],
    third: [f64; LANES],
}

impl Triples {
    /// The angles of up to [`LANES`] joints.
    ///
    /// From half sums and differences of the outer angles (Bernardes & Viollet 2022, for Tait-Bryan orders): they
    /// stay exact near gimbal lock, where matrix entries lose half of their digits.
    fn of(joints: &[&AnglePlaces], rotations: &[Quat]) -> Self {
        let mut signs = [1.0; LANES];
        let [mut sum_y, mut sum_x, mut difference_y, mut difference_x] = [[1.0; LANES]; 4];
        for (n, joint) in joints.iter().enumerate() {
            let q = &rotations[joint.joint].coords;
            let [first, second, third] = joint.axes;
            let last = joint.sign * q[third];
            (sum_y[n], sum_x[n]) = (q[first] + last, q.w + q[second]);
            (difference_y[n], difference_x[n]) = (q[first] - last, q.w - q[second]);
            signs[n] = joint.sign;
        }
        let [mut first, mut second, mut third] = [[0.0; LANES]; 3];
        let (sum_norm, difference_norm) =
            (norms(&sum_y, &sum_x), norms(&difference_y, &difference_x));
        quadrant_deg(&sum_norm, &difference_norm, &mut second);
        atan2_deg(&sum_y, &sum_x, &mut first);
        atan2_deg(&difference_y, &difference_x, &mut third);
        for n in 0..LANES {
            let (half_sum, half_difference) = (first[n], third[n]);
            first[n] = half_turns(half_sum + half_difference);
            second[n] = 2.0 * second[n] - 90.0;
            third[n] = half_turns(signs[n] * (half_sum - half_difference));
            const LOCK: f64 = 1e-8;
            if sum_norm[n].min(difference_norm[n]) < LOCK {
                let is_down = sum_norm[n] < LOCK;
                let all = if is_down { -half_difference } else { half_sum };
                (first[n], third[n]) = (0.0, half_turns(2.0 * signs[n] * all));
                second[n] = if is_down { -90.0 } else { 90.0 };
            }
        }
        Self { first, second, third }
    }

    fn of_joint(&self, n: usize) -> [f64; 3] {
        [self.first[n], self.second[n], self.third[n]]
    }
}

fn norms(y: &[f64; LANES], x: &[f64; LANES]) -> [f64; LANES] {
    let mut norms = [0.0; LANES];
    for ((norm, y), x) in norms.iter_mut().zip(y).zip(x) {
        *norm = (y * y + x * x).sqrt();
    }
    norms
}

/// The one or two angles of a joint that lists no more.
fn fewer_angles(joint: &AnglePlaces, rotations: &[Quat]) -> [f64; 2] {
    let q = &rotations[joint.joint].coords;
    if joint.len == 1 {
        let mut half = [0.0];
        atan2_deg(&[q[joint.axes[0]]], &[q.w], &mut half);
        return [half_turns(2.0 * half[0]), 0.0];
    }
    let [first, second, third] = Triples::of(&[joint], rotations).of_joint(0);
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
