//! A contact sheet: a row for each file, with poses at even times from two sides, the height of the feet, the times
//! at which they stand, and their paths seen from above.

mod mesh;
mod row;
mod ways;

use super::legend::legend;
use super::motion::Motion;
use super::page::{Anchor, Drawing, Page};
use crate::convert::{Inspection, Skinned};
use row::Row;

/// Page units, as are all lengths below and in [`row`].
const WIDTH: f64 = 1600.0;
const MARGIN: f64 = 36.0;
/// The width of the words at the left of a row.
const GUTTER: f64 = 94.0;
/// The side of the square that shows the paths of the feet from above.
const MAP: f64 = 250.0;
/// How many poses a row shows.
const POSES: usize = 10;

/// A file on a sheet.
pub struct SheetClip {
    /// The title of its row.
    pub name: String,
    pub found: Inspection,
    /// Its meshes, if it is a character.
    pub skinned: Option<Skinned>,
}

/// The sheet of the files, in their order. A file that is not recognised is drawn in grey; a file without motion is
/// only named.
pub fn drawing(clips: &[SheetClip]) -> Drawing {
    let mut page = Page::new(WIDTH);
    legend(&mut page, [WIDTH - MARGIN - 570.0, 36.0], "limb");
    let mut top = 62.0;
    for SheetClip { name, found, skinned } in clips {
        top = match Motion::of(found) {
            Some(motion) => Row::new(name, found, motion, skinned.as_ref()).draw(&mut page, top),
            None => without_motion(&mut page, name, top),
        };
    }
    page.finish(top)
}

fn without_motion(page: &mut Page, name: &str, top: f64) -> f64 {
    page.text([MARGIN, top + 22.0], Anchor::Start, "head", name);
    page.text([MARGIN, top + 42.0], Anchor::Start, "sub", "no motion");
    top + 70.0
}
