//! Moving lines and dots as an SVG that plays by itself.

use retarget::Vec3;
use std::fmt::Write;

/// Frames of one round, after which everything begins anew.
pub const FRAMES: usize = 48;
const ROUND_S: f64 = 4.0;

pub struct Page {
    body: String,
    size: [u32; 2],
}

/// A part of the page with its own scale.
pub struct Panel<'a> {
    page: &'a mut Page,
    corner: [f64; 2],
    /// Where the world's origin is, from the corner, and how large a length unit is.
    pub origin: [f64; 2],
    pub scale: f64,
}

impl Page {
    pub fn new(width: u32, height: u32) -> Self {
        Self { body: String::new(), size: [width, height] }
    }

    pub fn panel(&mut self, corner: [f64; 2], title: &str) -> Panel<'_> {
        let [x, y] = corner;
        let _ = writeln!(self.body, r#"<text x="{}" y="{}">{title}</text>"#, x + 16.0, y + 24.0);
        Panel { page: self, corner, origin: [160.0, 160.0], scale: 100.0 }
    }

    pub fn finish(self) -> String {
        let [width, height] = self.size;
        let style = "text{font:13px sans-serif;fill:#555}polyline{fill:none;stroke-width:3;\
            stroke-linecap:round;stroke-linejoin:round}.cone{stroke-width:1;fill:#d9822b22}";
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\">\n\
             <style>{style}</style>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n{}</svg>\n",
            self.body
        )
    }
}

impl Panel<'_> {
    /// Where a point of the world is on the page, seen from the front and a little from the right and above.
    fn place(&self, p: Vec3) -> [f64; 2] {
        let (x, y) = (p.x - 0.35 * p.z, p.y - 0.2 * p.z);
        [
            self.corner[0] + self.origin[0] + self.scale * x,
            self.corner[1] + self.origin[1] - self.scale * y,
        ]
    }

    fn points(&self, line: &[Vec3]) -> String {
        let text = line.iter().map(|p| self.place(*p)).map(|[x, y]| format!("{x:.0},{y:.0}"));
        text.collect::<Vec<_>>().join(" ")
    }

    /// A line that takes another shape in each frame.
    pub fn line(&mut self, color: &str, class: &str, frames: &[Vec<Vec3>]) {
        let shapes: Vec<String> = frames.iter().map(|line| self.points(line)).collect();
        let Some(first) = shapes.first() else { return };
        let (first, values) = (first.clone(), shapes.join(";"));
        let _ = writeln!(
            self.page.body,
            r#"<polyline class="{class}" stroke="{color}" points="{first}"><animate attributeName="points" dur="{ROUND_S}s" repeatCount="indefinite" values="{values};{first}"/></polyline>"#
        );
    }

    /// A dot that goes from place to place.
    pub fn dot(&mut self, color: &str, frames: &[Vec3]) {
        let places: Vec<[f64; 2]> = frames.iter().map(|p| self.place(*p)).collect();
        let animated = |axis: usize| {
            let values = places.iter().chain(places.first()).map(|p| format!("{:.0}", p[axis]));
            values.collect::<Vec<_>>().join(";")
        };
        let animate = |name: &str, axis: usize| {
            format!(
                r#"<animate attributeName="{name}" dur="{ROUND_S}s" repeatCount="indefinite" values="{}"/>"#,
                animated(axis)
            )
        };
        let _ = writeln!(
            self.page.body,
            r#"<circle r="4" fill="{color}">{}{}</circle>"#,
            animate("cx", 0),
            animate("cy", 1)
        );
    }
}
