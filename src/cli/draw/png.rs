//! Drawings as PNG, for where no SVG is shown.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::sync::Arc;

/// Latin, Greek and Cyrillic letters of Inter: a machine may have no fonts at all, and with these a
/// drawing is the same everywhere.
const FONTS: [&[u8]; 2] =
    [include_bytes!("font/Inter-Regular.otf"), include_bytes!("font/Inter-SemiBold.otf")];

/// Pixels a page unit, unless the picture would be too large.
const PIXELS: f32 = 2.0;
/// Pixels that a picture may have in height; most viewers refuse far larger ones.
const HIGHEST: f32 = 20_000.0;

/// The picture of an SVG drawing in the colours of its light ground. `None` where it has no size.
pub fn png(svg: &str) -> Option<Vec<u8>> {
    const FAMILY: &str = "Inter";
    let mut options = Options { font_family: FAMILY.to_owned(), ..Options::default() };
    let fonts = Arc::make_mut(&mut options.fontdb);
    FONTS.iter().for_each(|font| fonts.load_font_data(font.to_vec()));
    fonts.set_sans_serif_family(FAMILY);
    fonts.set_serif_family(FAMILY);
    let tree = Tree::from_str(svg, &options).ok()?;
    let size = tree.size();
    let scale = PIXELS.min(HIGHEST / size.height());
    let pixels = |length: f32| ((length * scale).ceil() as u32).max(1);
    let mut picture = Pixmap::new(pixels(size.width()), pixels(size.height()))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut picture.as_mut());
    picture.encode_png().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::draw::svg::{Anchor, Page};

    /// How many pixels of a page with this text are not its ground.
    fn inked(text: &str) -> usize {
        let mut page = Page::new(400.0);
        page.text([20.0, 40.0], Anchor::Start, "title", text);
        let picture = Pixmap::decode_png(&png(&page.finish(60.0)).expect("a picture"));
        let picture = picture.expect("a PNG");
        assert_eq!((picture.width(), picture.height()), (800, 120));
        let ground = picture.pixel(0, 0).expect("a corner");
        picture.pixels().iter().filter(|pixel| **pixel != ground).count()
    }

    #[test]
    fn texts_are_drawn_without_any_font_of_the_machine() {
        for text in ["walk 12.5 s · ×", "Ölçü", "Βάδην", "Ходьба"] {
            assert!(inked(text) > 300, "{text}");
        }
        assert_eq!(inked(""), 0);
    }

    #[test]
    fn a_drawing_of_many_rows_is_drawn_smaller() {
        let png = png(&Page::new(100.0).finish(40_000.0)).expect("a picture");
        let picture = Pixmap::decode_png(&png).expect("a PNG");
        assert_eq!((picture.width(), picture.height()), (50, 20_000));
    }
}
