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
pub use motion::{Line, Motion, limb_of_foot, limb_of_lean};
pub use palette::variables;
pub use sheet::drawing as sheet;
pub use stance::drawing as stance;
pub use svg::escaped;

use super::args::{Picture, PictureFile};
use super::failure::Failure;
use super::stream::Stream;
use std::path::Path;

/// Writes an SVG drawing as the kind of picture that the file is, over none of the inputs.
pub fn write(svg: String, to: &PictureFile, inputs: &[&Path]) -> Result<(), Failure> {
    let too_large =
        || Failure::Usage("so large a drawing makes no PNG; name an .svg file".to_owned());
    let bytes = match to.kind {
        Picture::Svg => svg.into_bytes(),
        Picture::Png => png::png(&svg).ok_or_else(too_large)?,
    };
    Stream::File(to.path.clone()).write(bytes, inputs)
}
