//! Numbers and lists as people read them.

use crate::math::{Axis, Vec3};
use crate::rig::{UpAxis, is_shown};
use std::borrow::Cow;

/// A number with at most `decimals` decimals, without zeros at its end.
pub fn number(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A length in a file's own unit, with so many digits that a leg has four of them.
pub fn length(value: f64, leg_len: f64) -> String {
    let digits_before = leg_len.log10().floor() as i32 + 1;
    number(value, (4 - digits_before).clamp(0, 9) as usize)
}

/// The first line of an error or a doubt, which is a sentence by itself: its other lines are what a user may paste.
pub fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim_end_matches(':')
}

/// A text without what moves a terminal's cursor, colours it or turns its lines round, as names of files and joints
/// may: such characters are shown by their numbers. Ends of lines stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    replaced(text, |c| c.escape_unicode().to_string())
}

/// A text with errors, verdicts and warnings in colour, for a stream that leaves colours out where it is no terminal.
pub fn styled(text: &str) -> String {
    text.split_inclusive('\n').map(styled_line).collect()
}

fn styled_line(line: &str) -> String {
    let (word, style) = match line {
        _ if line.starts_with("error:") => ("error:", RED),
        _ if line.starts_with("warning:") => ("warning:", YELLOW),
        _ if line.starts_with("note:") => ("note:", YELLOW),
        _ if line.starts_with("exceeded:") => ("exceeded:", RED),
        _ if line.starts_with("look at ") => ("look at", RED),
        // A row of the table whose number is over its limit.
        _ if line.contains(" ! ") && line.ends_with('\n') => {
            return format!("{RED}{}{PLAIN}\n", line.trim_end());
        }
        _ => return line.to_owned(),
    };
    format!("{style}{word}{PLAIN}{}", &line[word.len()..])
}

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const PLAIN: &str = "\x1b[0m";

/// JSON in which such characters are escaped.
pub fn visible_json(text: &str) -> Cow<'_, str> {
    replaced(text, |c| format!("\\u{:04x}", u32::from(c)))
}

fn replaced(text: &str, written: impl Fn(char) -> String) -> Cow<'_, str> {
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let shown = |c| if acts(c) { written(c) } else { String::from(c) };
    Cow::Owned(text.chars().map(shown).collect())
}

/// Whether a character controls the terminal instead of being shown.
fn acts(c: char) -> bool {
    c != '\n' && !is_shown(c)
}

/// `1 frame`, `2 frames`.
pub fn count(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}

/// A share in whole per cent, rounded down, so that 100 % means all.
pub fn percent(share: f64) -> String {
    format!("{:.0} %", (100.0 * share + 1e-9).floor())
}

/// The axis nearest to a direction, with its sign, and how many degrees off it the direction is.
pub fn axis(direction: Vec3) -> (String, f64) {
    let nearest = UpAxis::nearest(direction);
    let letter = match nearest.axis {
        Axis::X => "x",
        Axis::Y => "y",
        Axis::Z => "z",
    };
    let sign = if nearest.negative { "-" } else { "+" };
    (format!("{sign}{letter}"), direction.angle(&nearest.vector()).to_degrees())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_needless_digits() {
        assert_eq!(number(30.0, 2), "30");
        assert_eq!(number(29.970_03, 2), "29.97");
        assert_eq!(number(-0.001, 2), "0");
        assert_eq!(number(100.0, 0), "100");
        assert_eq!(length(0.891_23, 0.891_23), "0.8912");
        assert_eq!(length(85.873, 85.873), "85.87");
        assert_eq!(length(-1e-9, 85.873), "0");
        assert_eq!(length(12_345.6, 12_345.6), "12346");
        assert_eq!(percent(0.97), "97 %");
        assert_eq!(percent(0.999), "99 %");
    }
}
