//! Two sets of points laid over each other by a rotation and a shift, a mirror never.

#![allow(dead_code)]

use nalgebra::Matrix3;
use retarget::internals::math::{Quat, Vec3};

/// A rotation, then a shift.
#[derive(Clone, Copy, Debug)]
pub struct Rigid {
    pub turn: Quat,
    pub shift: Vec3,
}

impl Rigid {
    /// What brings `from` as near to `to` as can be, in the mean of squares (Kabsch 1976).
    pub fn between(from: &[Vec3], to: &[Vec3]) -> Self {
        let middle = |all: &[Vec3]| all.iter().sum::<Vec3>() / all.len() as f64;
        let (a, b) = (middle(from), middle(to));
        let pairs = from.iter().zip(to);
        let spread: Matrix3<f64> = pairs.map(|(p, q)| (q - b) * (p - a).transpose()).sum();
        let svd = spread.svd(true, true);
        let (u, v_t) = (svd.u.expect("asked for"), svd.v_t.expect("asked for"));
        let handed = Vec3::new(1.0, 1.0, (u * v_t).determinant().signum());
        let turn = Quat::from_matrix(&(u * Matrix3::from_diagonal(&handed) * v_t));
        Self { turn, shift: b - turn * a }
    }

    pub fn point(&self, point: Vec3) -> Vec3 {
        self.turn * point + self.shift
    }
}
