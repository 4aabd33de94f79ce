//! The world's up direction, and the turn from one world to another.

use crate::math::{Axis, Quat, Vec3, rotation_between};
use std::fmt;
use std::str::FromStr;

/// The coordinate axis that points up in a file's world, with its sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[deny(missing_docs)]
pub struct UpAxis {
    /// The coordinate axis that up lies along.
    pub axis: Axis,
    /// Whether up points the other way along that axis.
    pub negative: bool,
}

impl UpAxis {
    /// +Y, what BVH files use most.
    pub const Y: UpAxis = UpAxis { axis: Axis::Y, negative: false };
    /// +Z.
    pub const Z: UpAxis = UpAxis { axis: Axis::Z, negative: false };

    /// The axis nearest to a direction of any length; +Y for a zero vector.
    pub fn nearest(direction: Vec3) -> Self {
        let abs = direction.abs();
        let axis = if abs.y >= abs.x && abs.y >= abs.z {
            Axis::Y
        } else if abs.z >= abs.x {
            Axis::Z
        } else {
            Axis::X
        };
        Self { axis, negative: direction[axis.index()] < 0.0 }
    }

    /// The up direction as a unit vector (world).
    pub fn vector(self) -> Vec3 {
        let unit = self.axis.unit().into_inner();
        if self.negative { -unit } else { unit }
    }

    /// The height of a point (world) over the origin along this axis, in the point's length unit.
    pub fn height(self, point_world: Vec3) -> f64 {
        let value = point_world[self.axis.index()];
        if self.negative { -value } else { value }
    }

    /// The horizontal part of a vector (world): what is perpendicular to this axis.
    pub fn level(self, way: Vec3) -> Vec3 {
        way - self.vector() * self.height(way)
    }

    /// The quarter or half turn that takes this world's up onto `other`'s: never a mirror, and the
    /// identity between equal axes. Y to Z is a quarter turn about X, as Blender does it.
    pub fn turn_to(self, other: UpAxis) -> Quat {
        if self.axis == other.axis && self.negative != other.negative {
            let about = if self.axis == Axis::X { Axis::Z } else { Axis::X };
            return Quat::from_axis_angle(&about.unit(), std::f64::consts::PI);
        }
        rotation_between(self.vector(), other.vector())
    }
}

impl fmt::Display for UpAxis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negative {
            f.write_str("-")?;
        }
        f.write_str(match self.axis {
            Axis::X => "x",
            Axis::Y => "y",
            Axis::Z => "z",
        })
    }
}

/// The text that names no axis.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no up axis; expected x, y, z, -x, -y or -z")]
pub struct UpAxisError(pub String);

impl FromStr for UpAxis {
    type Err = UpAxisError;

    fn from_str(text: &str) -> Result<Self, UpAxisError> {
        let trimmed = text.trim().to_ascii_lowercase();
        let (negative, letter) = match trimmed.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, trimmed.strip_prefix('+').unwrap_or(&trimmed)),
        };
        let axis = match letter {
            "x" => Axis::X,
            "y" => Axis::Y,
            "z" => Axis::Z,
            _ => return Err(UpAxisError(text.to_owned())),
        };
        Ok(Self { axis, negative })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> [UpAxis; 6] {
        ["x", "y", "z", "-x", "-y", "-z"].map(|t| t.parse().expect("an axis"))
    }

    #[test]
    fn a_turn_takes_up_to_up_and_back() {
        for from in all() {
            for to in all() {
                let turn = from.turn_to(to);
                assert!((turn * from.vector() - to.vector()).norm() < 1e-12, "{from} to {to}");
                assert!((turn * to.turn_to(from)).angle() < 1e-7, "{from} to {to} and back");
            }
        }
    }

    #[test]
    fn z_up_becomes_y_up_as_in_blender() {
        let turned = UpAxis::Z.turn_to(UpAxis::Y) * Vec3::new(1.0, 2.0, 3.0);
        assert!((turned - Vec3::new(1.0, 3.0, -2.0)).norm() < 1e-12);
    }

    #[test]
    fn text_reads_back() {
        for up in all() {
            assert_eq!(up.to_string().parse(), Ok(up));
        }
        assert!("w".parse::<UpAxis>().is_err());
    }
}
