//! The limb that a joint belongs to: its colour in every drawing.

use crate::rig::{Role, Side};

/// A limb, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limb {
    LeftArm,
    LeftLeg,
    RightArm,
    RightLeg,
    Trunk,
    None,
}

impl Limb {
    pub const ALL: [Limb; 6] =
        [Limb::LeftArm, Limb::LeftLeg, Limb::RightArm, Limb::RightLeg, Limb::Trunk, Limb::None];

    /// The limb of a joint with this role. Only the words in the names of named legs and chains say which side
    /// they are on.
    pub fn of(role: Role) -> Self {
        if let Role::Chain(name, _) = role {
            let has = |word| name.as_str().split(['_', '-']).any(|w| w == word);
            return match (has("left"), has("right")) {
                (true, false) => Limb::LeftLeg,
                (false, true) => Limb::RightLeg,
                _ => Limb::Trunk,
            };
        }
        let leg = matches!(role, Role::Thigh(_) | Role::Shin(_) | Role::Foot(_) | Role::Toe(_));
        match (role.side(), leg) {
            (Some(Side::Left), true) => Limb::LeftLeg,
            (Some(Side::Left), false) => Limb::LeftArm,
            (Some(Side::Right), true) => Limb::RightLeg,
            (Some(Side::Right), false) => Limb::RightArm,
            (None, _) => Limb::Trunk,
        }
    }

    /// The limb's class in the style sheet of drawings.
    pub fn class(self) -> &'static str {
        match self {
            Limb::LeftArm => "left-arm",
            Limb::LeftLeg => "left-leg",
            Limb::RightArm => "right-arm",
            Limb::RightLeg => "right-leg",
            Limb::Trunk => "trunk",
            Limb::None => "none",
        }
    }
}
