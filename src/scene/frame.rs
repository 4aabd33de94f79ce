//! Transforms of nodes: local, as files have them, and in the world.

use crate::math::{Quat, Vec3};
use nalgebra::{Matrix3, Rotation3};

/// A node's transform in the frame of its parent: first scale, then rotation, then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Local {
    pub translation: Vec3,
    pub rotation: Quat,
    pub scale: Vec3,
}

impl Default for Local {
    fn default() -> Self {
        Self { translation: Vec3::zeros(), rotation: Quat::identity(), scale: Vec3::repeat(1.0) }
    }
}

impl Local {
    /// The transform as a frame.
    pub fn frame(&self) -> NodeFrame {
        let turn = self.rotation.to_rotation_matrix().into_inner();
        NodeFrame { linear: turn * Matrix3::from_diagonal(&self.scale), place: self.translation }
    }
}

/// A frame within another one: axes of any lengths and angles, and an origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeFrame {
    pub linear: Matrix3<f64>,
    pub place: Vec3,
}

impl Default for NodeFrame {
    fn default() -> Self {
        Self { linear: Matrix3::identity(), place: Vec3::zeros() }
    }
}

impl NodeFrame {
    /// A frame that is `inner` within this one, in the frame that this one is in.
    pub fn then(&self, inner: &NodeFrame) -> NodeFrame {
        NodeFrame {
            linear: self.linear * inner.linear,
            place: self.linear * inner.place + self.place,
        }
    }

    /// The inverse of this frame; `None` if the frame is flat.
    pub fn inverse(&self) -> Option<NodeFrame> {
        let linear = self.linear.try_inverse()?;
        linear
            .iter()
            .all(|x| x.is_finite())
            .then(|| NodeFrame { linear, place: -(linear * self.place) })
    }

    /// The mean factor by which lengths inside the frame grow outside of it; negative for a mirrored frame.
    pub fn size(&self) -> f64 {
        self.linear.determinant().cbrt()
    }

    pub fn is_finite(&self) -> bool {
        self.linear.iter().chain(self.place.iter()).all(|x| x.is_finite())
    }
}

/// The rotation of a frame's axes. It is exact if all axes have the same length, otherwise the nearest one. `None` for
/// a flat or mirrored frame.
pub fn rotation_in(linear: &Matrix3<f64>) -> Option<Quat> {
    /// Off by less than this, a matrix is a rotation but for the digits of its file.
    const ROUNDED: f64 = 1e-3;
    let size = linear.determinant().cbrt();
    if !(size.is_finite() && size > 0.0) {
        return None;
    }
    let turn = linear / size;
    let off = (turn.transpose() * turn - Matrix3::identity()).amax();
    let turn = match off {
        off if off < 1e-9 => turn,
        off if off < ROUNDED => rounded_away(turn)?,
        _ => {
            let svd = turn.svd(true, true);
            let turn = svd.u? * svd.v_t?;
            if turn.determinant() < 0.0 { return None } else { turn }
        }
    };
    let rotation = Quat::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
    rotation.coords.iter().all(|x| x.is_finite()).then_some(rotation)
}

/// The rotation nearest to a matrix that is nearly one: Newton's iteration for the polar decomposition (Higham 1986). Each
/// step squares what is off, and costs a tenth of a singular value decomposition.
fn rounded_away(mut turn: Matrix3<f64>) -> Option<Matrix3<f64>> {
    for _ in 0..3 {
        turn = 0.5 * (turn + turn.try_inverse()?.transpose());
    }
    Some(turn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rotation_of_a_frame_is_the_nearest_one_however_far_its_axes_are_off() {
        for seed in 1..200 {
            let number = |i: i32| (f64::from(seed) * 1.618 + f64::from(i) * 2.399).sin();
            let turn = Quat::from_scaled_axis(3.0 * Vec3::new(number(0), number(1), number(2)));
            let off = Matrix3::from_fn(|row, column| number((10 + 3 * row + column) as i32));
            for size in [1e-8, 1e-5, 4e-4, 2e-3, 0.1] {
                let linear = 0.01 * (turn.to_rotation_matrix().into_inner() + size * off);
                let svd = linear.svd(true, true);
                let nearest = svd.u.expect("asked for") * svd.v_t.expect("asked for");
                let found = rotation_in(&linear).expect("a rotation").to_rotation_matrix();
                assert!((found.into_inner() - nearest).amax() < 1e-12, "{seed}, {size}");
            }
        }
    }
}
