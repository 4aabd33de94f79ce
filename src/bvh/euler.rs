//! From the numbers of a motion row to the rotations and translations of a frame.

use crate::math::{Axis, Quat, Vec3};
use crate::skeleton::{Channel, Skeleton};
use nalgebra::Quaternion;

/// Where each number of a row goes, and in what order each joint's angles compose. Made once a file.
///
/// A frame's `values` are three angles in degrees a joint, zero where a channel is missing, then three
/// coordinates a joint with position channels, the OFFSET's where a channel is missing.
pub(super) struct RowPlan {
    /// For each channel of a row, its place in the values.
    pub places: Vec<u32>,
    orders: Vec<Order>,
    /// The values where no channel says otherwise.
    pub rest: Vec<f64>,
}

/// All three axes in the order of a joint's channels, missing ones last.
struct Order {
    axes: [usize; 3],
    /// +1 where the axes are a cyclic order of X, Y, Z, else -1.
    sign: f64,
}

impl RowPlan {
    pub fn new(skeleton: &Skeleton) -> Self {
        let mut places = Vec::with_capacity(skeleton.channel_count());
        let mut orders = Vec::with_capacity(skeleton.len());
        let mut rest = vec![0.0; 3 * skeleton.len()];
        for (i, joint) in skeleton.joints().iter().enumerate() {
            let mut angle = 3 * i;
            let position = rest.len();
            for channel in joint.channels.as_slice() {
                let place = match channel {
                    Channel::Position(axis) => position + axis.index(),
                    Channel::Rotation(_) => {
                        angle += 1;
                        angle - 1
                    }
                };
                places.push(place as u32);
            }
            if joint.channels.has_position() {
                rest.extend(joint.offset.iter());
            }
            orders.push(Order::new(joint.channels.euler_order().axes()));
        }
        Self { places, orders, rest }
    }

    /// The frame's rotations, one a joint, into `rotations`, and its translations, one a joint with
    /// position channels, into `translations`.
    pub fn frame(&self, values: &[f64], rotations: &mut Vec<Quat>, translations: &mut Vec<Vec3>) {
        let (angles, positions) = values.split_at(3 * self.orders.len());
        rotations.clear();
        rotations.extend(self.orders.iter().zip(angles.as_chunks().0).map(|(o, a)| o.compose(a)));
        translations.clear();
        translations.extend(positions.as_chunks::<3>().0.iter().map(|&p| Vec3::from(p)));
    }
}

impl Order {
    fn new(listed: &[Axis]) -> Self {
        let mut axes = [0; 3];
        let missing = [Axis::X, Axis::Y, Axis::Z].into_iter().filter(|a| !listed.contains(a));
        for (place, axis) in axes.iter_mut().zip(listed.iter().copied().chain(missing)) {
            *place = axis.index();
        }
        let sign = if (axes[0] + 1) % 3 == axes[1] { 1.0 } else { -1.0 };
        Self { axes, sign }
    }

    /// The product of the rotations by `degrees` about the axes.
    fn compose(&self, degrees: &[f64; 3]) -> Quat {
        let [i, j, k] = self.axes;
        let [(si, ci), (sj, cj), (sk, ck)] = degrees.map(|d| (0.5 * d.to_radians()).sin_cos());
        let (ss, cc) = (self.sign * sj * sk, cj * ck);
        let (sc, cs) = (sj * ck, self.sign * cj * sk);
        let mut v = [0.0; 3];
        v[i] = si * cc + ci * ss;
        v[j] = ci * sc - si * cs;
        v[k] = self.sign * (si * sc + ci * cs);
        Quat::new_unchecked(Quaternion::new(ci * cc - si * ss, v[0], v[1], v[2]))
    }
}
