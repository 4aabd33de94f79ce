//! Places of nodes: in the frame of their parent as files have them, and in the world.

use crate::math::{Quat, Vec3};
use nalgebra::{Matrix3, Rotation3};

/// A node's place, turn and size in the frame of its parent: size first, then turn, then place.
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
    /// The same as a frame.
    pub fn frame(&self) -> NodeFrame {
        let turn = self.rotation.to_rotation_matrix().into_inner();
        NodeFrame { linear: turn * Matrix3::from_diagonal(&self.scale), place: self.translation }
    }
}

/// A frame in another one: axes that may have any length and angle, and a place.
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
    /// The frame of what is `inner` in this one.
    pub fn then(&self, inner: &NodeFrame) -> NodeFrame {
        NodeFrame {
            linear: self.linear * inner.linear,
            place: self.linear * inner.place + self.place,
        }
    }

    /// The frame that undoes this one; `None` where it is flat.
    pub fn inverse(&self) -> Option<NodeFrame> {
        let linear = self.linear.try_inverse()?;
        linear
            .iter()
            .all(|x| x.is_finite())
            .then(|| NodeFrame { linear, place: -(linear * self.place) })
    }

    /// How much larger a length is outside of it, the mean over all directions; below zero where it is a mirror.
    pub fn size(&self) -> f64 {
        self.linear.determinant().cbrt()
    }

    pub fn is_finite(&self) -> bool {
        self.linear.iter().chain(self.place.iter()).all(|x| x.is_finite())
    }
}

/// The rotation in a frame's axes, whatever their lengths: exact where all have one length, else the nearest.
/// `None` where they are flat or mirror.
pub fn rotation_in(linear: &Matrix3<f64>) -> Option<Quat> {
    let size = linear.determinant().cbrt();
    if !(size.is_finite() && size > 0.0) {
        return None;
    }
    let turn = linear / size;
    let off = (turn.transpose() * turn - Matrix3::identity()).amax();
    let turn = match off < 1e-9 {
        true => turn,
        false => {
            let svd = turn.svd(true, true);
            let turn = svd.u? * svd.v_t?;
            if turn.determinant() < 0.0 { return None } else { turn }
        }
    };
    let rotation = Quat::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
    rotation.coords.iter().all(|x| x.is_finite()).then_some(rotation)
}
