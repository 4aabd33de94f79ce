//! A page of lines, dots, pictures and texts, independent of the format it is written in.

use tiny_skia::Pixmap;

/// Which part of a text lies at its place: its start, middle or end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// A place on the page, or a size: right and down, page units.
pub type Point = [f64; 2];

/// What is drawn. Its class says how it looks: words that [`super::style`] has rules for.
pub struct Shape {
    pub form: Form,
    pub class: String,
}

/// Where a shape is.
pub enum Form {
    Line([Point; 2]),
    Path(Vec<Point>),
    Dot {
        middle: Point,
        radius: f64,
    },
    /// The outline of a box with rounded corners.
    Frame {
        corner: Point,
        size: Point,
    },
    Picture {
        corner: Point,
        size: Point,
        picture: Pixmap,
    },
    Text {
        at: Point,
        anchor: Anchor,
        text: String,
    },
}

/// The radius of a frame's corners, page units.
pub const FRAME_RADIUS: f64 = 6.0;

/// A page that is being drawn, downwards from its top. A later shape covers an earlier one.
pub struct Page {
    width: f64,
    shapes: Vec<Shape>,
}

/// A finished page.
pub struct Drawing {
    /// Width and height.
    pub size: Point,
    pub shapes: Vec<Shape>,
}

impl Page {
    pub fn new(width: f64) -> Self {
        Self { width, shapes: Vec::new() }
    }

    pub fn line(&mut self, from: Point, to: Point, class: &str) {
        self.push(Form::Line([from, to]), class);
    }

    pub fn path(&mut self, points: Vec<Point>, class: &str) {
        self.push(Form::Path(points), class);
    }

    pub fn dot(&mut self, middle: Point, radius: f64, class: &str) {
        self.push(Form::Dot { middle, radius }, class);
    }

    /// The outline of a box (left, top, width, height).
    pub fn frame(&mut self, [x, y, w, h]: [f64; 4]) {
        self.push(Form::Frame { corner: [x, y], size: [w, h] }, "frame");
    }

    /// A picture in a box.
    pub fn picture(&mut self, corner: Point, size: Point, picture: Pixmap) {
        self.push(Form::Picture { corner, size, picture }, "picture");
    }

    pub fn text(&mut self, at: Point, anchor: Anchor, class: &str, text: &str) {
        self.push(Form::Text { at, anchor, text: text.to_owned() }, class);
    }

    /// The whole drawing, `height` page units high.
    pub fn finish(self, height: f64) -> Drawing {
        Drawing { size: [self.width, height.round()], shapes: self.shapes }
    }

    fn push(&mut self, form: Form, class: &str) {
        self.shapes.push(Shape { form, class: class.to_owned() });
    }
}
