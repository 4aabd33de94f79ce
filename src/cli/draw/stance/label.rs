//! Names beside the figure, placed so that none covers another, with lines that lead to their joints.

use super::figure::Joint;
use crate::cli::draw::page::{Anchor, Page};
use crate::cli::draw::view::View;
use std::cmp::Ordering;

/// The distance from one name to the next, page units.
const LINE: f64 = 30.0;
/// The number of letters after which a name is cut.
const LONGEST: usize = 24;

/// A joint's name and the height at which it stands.
pub struct Label<'a> {
    joint: &'a Joint,
    at: [f64; 2],
    y: f64,
    line: f64,
}

impl<'a> Label<'a> {
    /// The labels of joints in one column, as near to their joints' heights as `span` allows.
    pub fn column(joints: &[&'a Joint], view: &View, span: [f64; 2]) -> Vec<Self> {
        let mut labels: Vec<Label> = joints
            .iter()
            .map(|&joint| {
                let at = view.place(joint.place);
                Label { joint, at, y: at[1], line: LINE }
            })
            .collect();
        // Of joints at one height the inner ones come first; then their lines do not cross.
        let step = |label: &Label| (label.at[1] / (0.6 * LINE)).round();
        let inward = |label: &Label| ((label.at[0] - view.centre[0]).abs() / LINE).round();
        let key = |label: &Label| [step(label), inward(label), label.at[1]];
        labels.sort_by(|a, b| key(a).partial_cmp(&key(b)).unwrap_or(Ordering::Equal));
        let line = LINE.min((span[1] - span[0]) / labels.len().max(1) as f64);
        // Labels that touch form a group; a group is centred at the mean of its joints' heights.
        let mut groups: Vec<(f64, usize)> = Vec::new();
        for label in &labels {
            let mut group = (label.at[1], 1);
            while let Some(&(mean, count)) = groups.last() {
                let room = 0.5 * line * (count + group.1) as f64;
                if group.0 - mean >= room {
                    break;
                }
                groups.pop();
                let total = count + group.1;
                group = ((mean * count as f64 + group.0 * group.1 as f64) / total as f64, total);
            }
            let half = 0.5 * line * (group.1 - 1) as f64;
            group.0 = group.0.max(span[0] + half).min((span[1] - half).max(span[0] + half));
            groups.push(group);
        }
        let heights = groups.into_iter().flat_map(|(mean, count)| {
            (0..count).map(move |i| mean + line * (i as f64 - 0.5 * (count - 1) as f64))
        });
        for (label, y) in labels.iter_mut().zip(heights) {
            label.y = y;
            label.line = line;
        }
        labels
    }
}

/// Writes a column of labels to the left or to the right of `x`, with lines to the joints.
pub fn write(page: &mut Page, labels: &[Label], x: f64, anchor: Anchor) {
    let side = if anchor == Anchor::End { 1.0 } else { -1.0 };
    for Label { joint, at, y, line } in labels {
        let name = if joint.name.is_empty() { "(no name)" } else { &joint.name };
        let class = joint.class();
        let lead = vec![[x + side * 4.0, *y], [x + side * 16.0, *y], *at];
        page.path(lead, &format!("lead {class}"));
        if *line >= 26.0 {
            page.text([x, y - 1.0], anchor, "name", &cut(name));
            page.text([x, y + 12.0], anchor, &format!("role {class}"), &joint.role);
        } else {
            let text = format!("{}  {}", cut(name), joint.role);
            page.text([x, y + 4.0], anchor, &format!("role {class}"), &text);
        }
    }
}

fn cut(name: &str) -> String {
    match name.chars().count() > LONGEST {
        // Joints have a common prefix and differ at the end.
        true => {
            let skipped = name.chars().count() - LONGEST + 1;
            std::iter::once('…').chain(name.chars().skip(skipped)).collect()
        }
        false => name.to_owned(),
    }
}

/// Puts words into lines of at most `width` letters, and into a few lines at most.
pub fn wrapped(words: &[String], width: usize) -> Vec<String> {
    const MOST: usize = 6;
    let mut lines: Vec<String> = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let letters = |line: &String| line.chars().count() + word.chars().count() + 2;
        if lines.last().is_some_and(|line| letters(line) <= width) {
            let line = lines.last_mut().expect("there is one");
            line.push_str("  ");
            line.push_str(word);
        } else if lines.len() == MOST {
            lines.push(format!("and {} more", words.len() - i));
            break;
        } else {
            lines.push(word.clone());
        }
    }
    lines
}
