//! Drawings: a rig's stance ([`stance`]) and clips over time ([`sheet`]). Both share the shapes on a page
//! ([`page`]), how shapes look ([`style`], [`palette`]), the page as a file ([`svg`], [`png`]), the projection
//! ([`view`]), limbs ([`limb`]) and a clip's poses ([`motion`]).

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

/// Writes a drawing in the format that the file's ending names, and never over an input.
pub fn write(drawing: &Drawing, to: &PictureFile, inputs: &[&Path]) -> Result<(), Failure> {
    let too_large =
        || Failure::Usage("the drawing is too large for a PNG; name an .svg file".to_owned());
    let bytes = match to.kind {
        Picture::Svg => svg(drawing).into_bytes(),
        Picture::Png => png::png(drawing).ok_or_else(too_large)?,
    };
    Stream::File(to.path.clone()).write(bytes, inputs)
}
