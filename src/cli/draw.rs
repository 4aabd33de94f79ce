//! Drawings: a rig's stance ([`stance`]), clips over time ([`sheet`]), and what they share: lines
//! on a page ([`page`]), what they look like ([`style`], [`palette`]), the page as a file ([`svg`], [`png`]),
//! projection ([`view`]), limbs ([`limb`]), a clip's postures ([`motion`]).

mod legend;
mod letters;
mod limb;
mod motion;
mod page;
mod palette;
mod png;
mod shade;
mod sheet;
mod stance;
mod style;
mod svg;
mod view;

pub use limb::Limb;
pub use motion::{Line, Motion, limb_of_foot, limb_of_lean};
pub use palette::variables;
pub use sheet::{SheetClip, drawing as sheet};
pub use stance::drawing as stance;
pub use svg::{escaped, svg};

use super::args::{Picture, PictureFile};
use super::failure::Failure;
use super::stream::Stream;
use page::Drawing;
use std::path::Path;

/// Writes a drawing as the kind of picture that the file is, over none of the inputs.
pub fn write(drawing: &Drawing, to: &PictureFile, inputs: &[&Path]) -> Result<(), Failure> {
    let too_large =
        || Failure::Usage("so large a drawing makes no PNG; name an .svg file".to_owned());
    let bytes = match to.kind {
        Picture::Svg => svg(drawing).into_bytes(),
        Picture::Png => png::png(drawing).ok_or_else(too_large)?,
    };
    Stream::File(to.path.clone()).write(bytes, inputs)
}
