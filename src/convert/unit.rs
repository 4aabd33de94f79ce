//! What a file's length unit may be, judged by the length of a leg.

use crate::rig::{Rig, Role, Side};
use serde::Serialize;
use std::fmt;

/// A length unit that files use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LengthUnit {
    Millimetre,
    Centimetre,
    Inch,
    /// What the CMU library's BVH files are in: an inch over 0.45.
    Cmu,
    Decimetre,
    Foot,
    Metre,
}

/// Legs (thigh plus shin) of grown people, metres, with room for actors and for toon bodies.
const GROWN_M: std::ops::Range<f64> = 0.72..1.02;
/// Legs of children, metres.
const CHILD_M: std::ops::Range<f64> = 0.42..0.72;
/// Legs longer than people's, as drawn figures have them, metres.
const LONG_M: std::ops::Range<f64> = 1.02..1.4;

impl LengthUnit {
    const ALL: [LengthUnit; 7] = [
        LengthUnit::Millimetre,
        LengthUnit::Centimetre,
        LengthUnit::Inch,
        LengthUnit::Cmu,
        LengthUnit::Decimetre,
        LengthUnit::Foot,
        LengthUnit::Metre,
    ];

    /// Metres that one unit stands for.
    pub fn metres(self) -> f64 {
        match self {
            LengthUnit::Millimetre => 0.001,
            LengthUnit::Centimetre => 0.01,
            LengthUnit::Inch => 0.0254,
            LengthUnit::Cmu => 0.0254 / 0.45,
            LengthUnit::Decimetre => 0.1,
            LengthUnit::Foot => 0.3048,
            LengthUnit::Metre => 1.0,
        }
    }

    /// The unit that a rig is probably in; of people alone.
    pub fn of(rig: &Rig) -> Option<Self> {
        rig.joint(Role::Thigh(Side::Left))?;
        Self::guess(rig.leg_len)
    }

    /// The unit in which a leg of this length is a grown person's, else a child's, else too long;
    /// `None` where it is none of them in any. A file does not say its unit: this is a guess for people to read.
    pub fn guess(leg_len: f64) -> Option<Self> {
        [GROWN_M, CHILD_M, LONG_M].iter().find_map(|legs| {
            Self::ALL.into_iter().find(|unit| legs.contains(&(leg_len * unit.metres())))
        })
    }
}

impl fmt::Display for LengthUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LengthUnit::Millimetre => "millimetres",
            LengthUnit::Centimetre => "centimetres",
            LengthUnit::Inch => "inches",
            LengthUnit::Cmu => "the CMU library's unit of 5.64 cm",
            LengthUnit::Decimetre => "decimetres",
            LengthUnit::Foot => "feet",
            LengthUnit::Metre => "metres",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leg_of_ninety_centimetres_tells_every_unit() {
        for unit in LengthUnit::ALL {
            assert_eq!(LengthUnit::guess(0.9 / unit.metres()), Some(unit));
        }
    }

    #[test]
    fn a_child_in_inches_is_told_and_an_ant_is_not() {
        assert_eq!(LengthUnit::guess(21.7), Some(LengthUnit::Inch));
        assert_eq!(LengthUnit::guess(116.0), Some(LengthUnit::Centimetre));
        assert_eq!(LengthUnit::guess(1e-5), None);
        assert_eq!(LengthUnit::guess(f64::NAN), None);
    }
}
