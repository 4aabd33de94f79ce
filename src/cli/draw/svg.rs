//! Drawings as SVG.

use super::page::{Anchor, Drawing, FRAME_RADIUS, Form, Shape};
use super::style;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt::Write;

/// The drawing as the text of an SVG file, with colours for a light background and for a dark one.
pub fn svg(drawing: &Drawing) -> String {
    let [width, height] = drawing.size;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\">\n<style>\n{}</style>\n\
         <rect class=\"page\" width=\"{width}\" height=\"{height}\"/>\n",
        style::sheet(),
    );
    for shape in &drawing.shapes {
        push(&mut svg, shape);
    }
    svg.push_str("</svg>\n");
    svg
}

fn push(svg: &mut String, Shape { form, class }: &Shape) {
    // Writing to a String cannot fail.
    let _ = match form {
        Form::Line([[x1, y1], [x2, y2]]) => writeln!(
            svg,
            r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#
        ),
        Form::Path(points) => {
            let points: Vec<String> =
                points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
            writeln!(svg, r#"<polyline class="{class}" points="{}"/>"#, points.join(" "))
        }
        Form::Dot { middle: [x, y], radius } => {
            writeln!(svg, r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="{radius:.1}"/>"#)
        }
        Form::Frame { corner: [x, y], size: [w, h] } => writeln!(
            svg,
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{w:.1}" height="{h:.1}" rx="{FRAME_RADIUS}"/>"#
        ),
        Form::Picture { corner: [x, y], size: [w, h], picture } => match picture.encode_png() {
            Ok(png) => writeln!(
                svg,
                r#"<image class="{class}" x="{x:.1}" y="{y:.1}" width="{w:.1}" height="{h:.1}" href="data:image/png;base64,{}"/>"#,
                STANDARD.encode(png)
            ),
            Err(_) => Ok(()),
        },
        Form::Text { at: [x, y], anchor, text } => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            writeln!(
                svg,
                r#"<text class="{class}" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{}</text>"#,
                escaped(text)
            )
        }
    };
}

/// A text escaped for XML and HTML: joint names may contain anything.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // XML cannot express most control characters, nor the two non-characters.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
