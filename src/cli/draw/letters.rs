//! The letters of pictures: outlines of the font Inter, in Latin, Greek and Cyrillic. A machine may have no fonts
//! at all; with built-in letters a picture is the same everywhere.
//!
//! `font/outlines.py` made the outlines from the font, and says which letters they cover.

use std::collections::HashMap;
use tiny_skia::{Path, PathBuilder};

const REGULAR: &str = include_str!("font/Inter-Regular.txt");
const SEMI_BOLD: &str = include_str!("font/Inter-SemiBold.txt");

/// Text of this weight and above is drawn with the bolder letters.
const BOLD: f32 = 600.0;

/// Drawn for a letter that the font lacks.
const UNKNOWN: char = '?';

pub struct Letters {
    regular: Font,
    semi_bold: Font,
}

impl Letters {
    pub fn new() -> Self {
        Self { regular: Font::new(REGULAR), semi_bold: Font::new(SEMI_BOLD) }
    }

    /// The outline of a line of text of this size that begins at the origin, Y down, and its width.
    /// A text of spaces alone has no outline.
    pub fn line(&self, text: &str, weight: f32, size: f32) -> (Option<Path>, f32) {
        let font = if weight < BOLD { &self.regular } else { &self.semi_bold };
        let scale = size / font.em;
        let mut path = PathBuilder::new();
        let mut x = 0.0;
        for letter in text.chars() {
            let Some(glyph) = font.glyphs.get(&letter).or_else(|| font.glyphs.get(&UNKNOWN)) else {
                continue;
            };
            outline(&mut path, glyph.outline, x, scale);
            x += glyph.advance * scale;
        }
        (path.finish(), x)
    }
}

struct Font {
    /// Length units of the outlines in the height of a line.
    em: f32,
    glyphs: HashMap<char, Glyph>,
}

struct Glyph {
    /// From the beginning of this letter to that of the next.
    advance: f32,
    outline: &'static str,
}

impl Font {
    fn new(text: &'static str) -> Self {
        let mut lines = text.lines();
        let em = lines.next().and_then(|em| em.parse().ok()).unwrap_or(1.0);
        Self { em, glyphs: lines.filter_map(glyph).collect() }
    }
}

fn glyph(line: &'static str) -> Option<(char, Glyph)> {
    let (code, rest) = line.split_once(' ')?;
    let letter = char::from_u32(u32::from_str_radix(code, 16).ok()?)?;
    let (advance, outline) = rest.split_once(' ').unwrap_or((rest, ""));
    Some((letter, Glyph { advance: advance.parse().ok()?, outline }))
}

/// Adds an outline to a path, with its origin at `x`.
fn outline(path: &mut PathBuilder, outline: &str, x: f32, scale: f32) {
    let (mut at, mut is_open) = ([0.0; 2], false);
    let mut words = outline.split(' ');
    while let Some(command) = words.next().filter(|word| !word.is_empty()) {
        let mut number = || words.next().and_then(|word| word.parse::<f32>().ok()).unwrap_or(0.0);
        // The coordinates of a command are relative to the end of the command before it.
        let mut next = || [at[0] + number(), at[1] + number()];
        let place = |[px, py]: [f32; 2]| [x + scale * px, -scale * py];
        at = match command {
            "c" => {
                let [first, second, to] = [next(), next(), next()];
                let [[x1, y1], [x2, y2], [x, y]] = [first, second, to].map(place);
                path.cubic_to(x1, y1, x2, y2, x, y);
                to
            }
            "l" => {
                let to = next();
                let [x, y] = place(to);
                path.line_to(x, y);
                to
            }
            _ => {
                if is_open {
                    path.close();
                }
                is_open = true;
                let to = next();
                let [x, y] = place(to);
                path.move_to(x, y);
                to
            }
        };
    }
    if is_open {
        path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_fonts_is_a_letter_of_known_commands() {
        for text in [REGULAR, SEMI_BOLD] {
            let font = Font::new(text);
            assert!(font.em > 1000.0);
            assert_eq!(font.glyphs.len(), text.lines().count() - 1);
            for (letter, glyph) in &font.glyphs {
                let mut words = glyph.outline.split(' ').filter(|word| !word.is_empty());
                while let Some(command) = words.next() {
                    let count = ["m", "l", "c"].iter().position(|known| *known == command);
                    let count = [2, 2, 6][count.unwrap_or_else(|| panic!("{letter}: {command}"))];
                    let numbers = words.by_ref().take(count).filter(|n| n.parse::<f32>().is_ok());
                    assert_eq!(numbers.count(), count, "{letter}");
                }
            }
        }
    }

    #[test]
    fn a_text_is_as_long_as_its_letters_and_stands_on_its_line() {
        let letters = Letters::new();
        let width = |text, size| letters.line(text, 400.0, size).1;
        assert!((width("walk", 10.0) - width("wa", 10.0) - width("lk", 10.0)).abs() < 1e-4);
        assert!((width("walk", 20.0) - 2.0 * width("walk", 10.0)).abs() < 1e-4);
        for text in ["H", "o", "8", "S", "&", "walk"] {
            let (outline, width) = letters.line(text, 400.0, 10.0);
            let bounds = outline.expect("letters").bounds();
            assert!(bounds.left() > 0.0 && bounds.right() < width, "{text}: {bounds:?}");
            assert!(bounds.bottom().abs() < 0.2, "{text}: {bounds:?}");
            assert!((-8.0..-5.0).contains(&bounds.top()), "{text}: {bounds:?}");
        }
        let bold = letters.line("walk", 650.0, 10.0).1;
        assert!(bold > letters.line("walk", 400.0, 10.0).1);
        // A letter that the font lacks still shows something.
        assert!(letters.line("歩", 400.0, 10.0).0.is_some());
        assert!(letters.line("  ", 400.0, 10.0).0.is_none());
    }
}
