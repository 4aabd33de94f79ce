//! Drawings: a rig's stance ([`stance`]), clips over time ([`sheet`]), and what they share: lines
//! ([`svg`]), colours ([`palette`]), projection ([`view`]), limbs ([`limb`]), a clip's postures
//! ([`motion`]).

mod legend;
mod limb;
mod motion;
mod palette;
mod png;
mod sheet;
mod stance;
mod svg;
mod view;

pub use limb::Limb;
pub use motion::{Line, Motion, limb_of_foot};
pub use palette::variables;
pub use png::png;
pub use sheet::drawing as sheet;
pub use stance::drawing as stance;
pub use svg::escaped;
