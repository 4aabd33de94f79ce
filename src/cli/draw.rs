//! Drawings: a rig's stance ([`stance`]), clips over time ([`sheet`]), and what they share: lines and
//! colours ([`svg`]), projection ([`view`]), limbs ([`limb`]), a clip's postures ([`motion`]).

mod limb;
mod motion;
mod png;
mod sheet;
mod stance;
mod svg;
mod view;

pub use png::png;
pub use sheet::drawing as sheet;
pub use stance::drawing as stance;
