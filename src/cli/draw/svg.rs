//! An SVG page of lines, dots and texts.

use super::palette::{DARK, LIGHT};
use std::fmt::Write;

/// Which end of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// Shapes and types; colours are in the palettes.
const STYLE: &str = "\
text { font-family: system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; }
.title { font-size: 24px; font-weight: 650; }
.head { font-size: 17px; font-weight: 650; }
.sub, .key, .caption, .unused, .lane-name { font-size: 12.5px; }
.name { font-size: 12.5px; font-weight: 600; }
.role { font-size: 11px; }
.side { font-size: 17px; font-weight: 700; }
.bone { stroke-width: 5.5; stroke-linecap: round; }
.bone.none { stroke-width: 2; }
.bone.end { stroke-width: 2.5; }
.bone.guess { stroke-dasharray: 3 8; }
.joint { stroke-width: 2; }
.lead { stroke-width: 0.8; opacity: 0.55; }
.ground, .rule, .frame { stroke-width: 1; }
.limb { stroke-width: 2.8; stroke-linecap: round; }
.limb.none { stroke-width: 1.6; }
.trace { stroke-width: 1.4; }
.way { stroke-width: 1; opacity: 0.6; }
.stay { stroke-width: 3.6; }
.print { fill-opacity: 0.75; }
";

/// A page that is being drawn, downwards from its top; what is drawn later covers what was before.
pub struct Page {
    width: f64,
    body: String,
}

impl Page {
    pub fn new(width: f64) -> Self {
        Self { width, body: String::new() }
    }

    pub fn line(&mut self, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2], class: &str) {
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(
            self.body,
            r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#
        );
    }

    pub fn path(&mut self, points: &[[f64; 2]], class: &str) {
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(self.body, r#"<polyline class="{class}" points="{}"/>"#, points.join(" "));
    }

    pub fn dot(&mut self, [x, y]: [f64; 2], radius: f64, class: &str) {
        let _ = writeln!(
            self.body,
            r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="{radius:.1}"/>"#
        );
    }

    /// The outline of a box (left, top, width, height).
    pub fn frame(&mut self, [x, y, w, h]: [f64; 4]) {
        let _ = writeln!(
            self.body,
            r#"<rect class="frame" x="{x:.1}" y="{y:.1}" width="{w:.1}" height="{h:.1}" rx="6"/>"#
        );
    }

    pub fn text(&mut self, [x, y]: [f64; 2], anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let _ = writeln!(
            self.body,
            r#"<text class="{class}" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{}</text>"#,
            escaped(text)
        );
    }

    /// The whole file, `height` page units high.
    pub fn finish(self, height: f64) -> String {
        let Self { width, body } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height:.0}\" \
             width=\"{width}\" height=\"{height:.0}\">\n<style>\n{STYLE}{}\
             @media (prefers-color-scheme: dark) {{\n{}}}\n</style>\n\
             <rect class=\"page\" width=\"{width}\" height=\"{height:.0}\"/>\n{body}</svg>\n",
            LIGHT.rules(),
            DARK.rules(),
        )
    }
}

/// A text as XML and HTML take it: joint names may hold anything.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // XML has no way to write most control characters, nor the two non-characters.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
