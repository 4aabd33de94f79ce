//! Drawings as PNG, for programs that do not show SVG.

use super::letters::Letters;
use super::page::{Anchor, Drawing, FRAME_RADIUS, Form, Point, Shape};
use super::style::{Look, Style};
use tiny_skia::{
    Color, FillRule, FilterQuality, LineCap, Paint, Path, PathBuilder, Pixmap, PixmapPaint, Stroke,
    StrokeDash, Transform,
};

/// Pixels per page unit, unless the picture would be too large.
const PIXELS: f64 = 2.0;
/// Pixels that a picture may have in height; most viewers refuse far larger ones.
const HIGHEST: f64 = 20_000.0;

/// The drawing in the colours for a light background. `None` where it has no size.
pub fn png(drawing: &Drawing) -> Option<Vec<u8>> {
    let [width, height] = drawing.size;
    let scale = PIXELS.min(HIGHEST / height);
    let pixels = |length: f64| ((length * scale).ceil() as u32).max(1);
    let style = Style::new();
    let mut brush = Brush {
        picture: Pixmap::new(pixels(width), pixels(height))?,
        scale: Transform::from_scale(scale as f32, scale as f32),
        letters: Letters::new(),
    };
    let ground = style.look("page").fill.unwrap_or([u8::MAX; 3]);
    brush.picture.fill(colour(ground, 1.0));
    for shape in &drawing.shapes {
        brush.draw(shape, &style);
    }
    brush.picture.encode_png().ok()
}

/// A picture that is being drawn, and what it is drawn with.
struct Brush {
    picture: Pixmap,
    scale: Transform,
    letters: Letters,
}

impl Brush {
    fn draw(&mut self, Shape { form, class }: &Shape, style: &Style) {
        if let Form::Picture { corner: [x, y], size: [w, h], picture } = form {
            let own = Transform::from_scale(
                *w as f32 / picture.width() as f32,
                *h as f32 / picture.height() as f32,
            );
            let place = own.post_translate(*x as f32, *y as f32).post_concat(self.scale);
            let paint = PixmapPaint { quality: FilterQuality::Bilinear, ..PixmapPaint::default() };
            self.picture.draw_pixmap(0, 0, picture.as_ref(), &paint, place, None);
            return;
        }
        let (path, look) = match form {
            Form::Text { at, anchor, text } => {
                let look = style.look(&format!("text {class}"));
                (self.text(*at, *anchor, text, &look), look)
            }
            form => (outline(form), style.look(class)),
        };
        // A shape without an extent, or with one that is no number, shows nothing.
        let Some(path) = path else { return };
        if let Some(fill) = look.fill {
            let paint = paint(fill, look.opacity * look.fill_opacity);
            self.picture.fill_path(&path, &paint, FillRule::Winding, self.scale, None);
        }
        if let Some(stroke) = look.stroke {
            let line = Stroke {
                width: look.stroke_width,
                line_cap: if look.round_ends { LineCap::Round } else { LineCap::Butt },
                dash: StrokeDash::new(look.dashes, 0.0),
                ..Stroke::default()
            };
            self.picture.stroke_path(&path, &paint(stroke, look.opacity), &line, self.scale, None);
        }
    }

    /// A text's letters at their places. Several spaces count as one, as in SVG.
    fn text(&self, [x, y]: Point, anchor: Anchor, text: &str, look: &Look) -> Option<Path> {
        let words: Vec<&str> = text
            .split(|c: char| c.is_whitespace() || c.is_control())
            .filter(|w| !w.is_empty())
            .collect();
        let (outline, width) =
            self.letters.line(&words.join(" "), look.font_weight, look.font_size);
        let before = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5 * width,
            Anchor::End => width,
        };
        outline?.transform(Transform::from_translate(x as f32 - before, y as f32))
    }
}

/// The outline of a shape other than a text.
fn outline(form: &Form) -> Option<Path> {
    let mut path = PathBuilder::new();
    match form {
        Form::Line(ends) => chain(&mut path, ends),
        Form::Path(points) => chain(&mut path, points),
        Form::Dot { middle: [x, y], radius } => {
            path.push_circle(*x as f32, *y as f32, *radius as f32);
        }
        Form::Frame { corner, size } => round_box(&mut path, *corner, *size),
        Form::Text { .. } | Form::Picture { .. } => {}
    }
    path.finish()
}

fn chain(path: &mut PathBuilder, points: &[Point]) {
    for (i, [x, y]) in points.iter().map(|point| point.map(|x| x as f32)).enumerate() {
        match i {
            0 => path.move_to(x, y),
            _ => path.line_to(x, y),
        }
    }
}

fn round_box(path: &mut PathBuilder, [x, y]: Point, [w, h]: Point) {
    // The distance of a quarter circle's control points from its ends, as a share of its radius.
    const HANDLE: f64 = 0.5523;
    let radius = FRAME_RADIUS.min(0.5 * w).min(0.5 * h);
    let corners = [[x + w, y], [x + w, y + h], [x, y + h], [x, y]];
    // The direction of each side; the first is the top one, from left to right.
    let ways = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    for (i, corner) in corners.into_iter().enumerate() {
        let (along, after) = (ways[i], ways[(i + 1) % 4]);
        let place = |way: Point, by: f64| [0, 1].map(|k| (corner[k] + by * way[k]) as f32);
        let [x, y] = place(along, -radius);
        if i == 0 {
            path.move_to(x, y)
        } else {
            path.line_to(x, y)
        }
        let [x1, y1] = place(along, -radius * (1.0 - HANDLE));
        let [x2, y2] = place(after, radius * (1.0 - HANDLE));
        let [x, y] = place(after, radius);
        path.cubic_to(x1, y1, x2, y2, x, y);
    }
    path.close();
}

fn colour([red, green, blue]: [u8; 3], opacity: f32) -> Color {
    Color::from_rgba8(red, green, blue, (255.0 * opacity).round() as u8)
}

fn paint(rgb: [u8; 3], opacity: f32) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(colour(rgb, opacity));
    paint
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::draw::page::Page;

    fn picture(page: Page, height: f64) -> Pixmap {
        Pixmap::decode_png(&png(&page.finish(height)).expect("a picture")).expect("a PNG")
    }

    /// How many pixels of a page do not have its background colour.
    fn inked(page: Page) -> usize {
        let picture = picture(page, 60.0);
        assert_eq!((picture.width(), picture.height()), (800, 120));
        let ground = picture.pixel(0, 0).expect("a corner");
        picture.pixels().iter().filter(|pixel| **pixel != ground).count()
    }

    #[test]
    fn texts_are_drawn_without_any_font_of_the_machine() {
        for text in ["walk 12.5 s · ×", "Ölçü", "Βάδην", "Ходьба", ""] {
            let mut page = Page::new(400.0);
            page.text([20.0, 40.0], Anchor::Start, "title", text);
            let inked = inked(page);
            assert!(if text.is_empty() { inked == 0 } else { inked > 300 }, "{text}: {inked}");
        }
    }

    #[test]
    fn a_shape_is_where_it_is_said_to_be() {
        let mut page = Page::new(400.0);
        page.line([20.0, 10.0], [120.0, 10.0], "bone trunk");
        page.dot([200.0, 30.0], 10.0, "print left-leg");
        page.frame([300.0, 10.0, 60.0, 40.0]);
        page.path(vec![[20.0, 50.0], [40.0, 30.0], [60.0, 50.0]], "trace right-leg");
        page.text([395.0, 55.0], Anchor::End, "title", "x");
        let picture = picture(page, 60.0);
        let pixel = |x: f64, y: f64| {
            let pixel = picture.pixel((2.0 * x) as u32, (2.0 * y) as u32).expect("inside");
            [pixel.red(), pixel.green(), pixel.blue()]
        };
        let ground = pixel(1.0, 1.0);
        assert_eq!(pixel(70.0, 10.0), [0x6f, 0x56, 0xa8]);
        // A round end reaches beyond the line's end, by half its width at most.
        assert_ne!(pixel(122.0, 10.0), ground);
        assert_eq!(pixel(124.0, 10.0), ground);
        assert_ne!(pixel(200.0, 38.0), ground);
        assert_eq!(pixel(200.0, 41.0), ground);
        assert_ne!(pixel(330.0, 10.0), ground);
        assert_eq!((pixel(330.0, 30.0), pixel(300.0, 10.0)), (ground, ground));
        assert_ne!(pixel(40.0, 30.5), ground);
        // A path is a line and is not filled.
        assert_eq!(pixel(40.0, 45.0), ground);
        assert_eq!(pixel(396.0, 50.0), ground);
        assert!((380..395).any(|x| pixel(x.into(), 50.0) != ground));
    }

    #[test]
    fn numbers_beyond_all_bounds_leave_out_what_has_them() {
        let mut page = Page::new(400.0);
        page.line([f64::NAN, 10.0], [120.0, 10.0], "bone trunk");
        page.path(vec![[1e300, 50.0], [f64::INFINITY, 30.0]], "trace trunk");
        page.dot([200.0, 30.0], f64::NAN, "joint trunk");
        page.text([f64::NAN, 55.0], Anchor::End, "title", "x");
        assert_eq!(inked(page), 0);
    }

    #[test]
    fn a_drawing_of_many_rows_is_drawn_smaller() {
        let picture = picture(Page::new(100.0), 40_000.0);
        assert_eq!((picture.width(), picture.height()), (50, 20_000));
    }
}
