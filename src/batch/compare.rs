//! Two runs over the same library, clip by clip.

use super::digest::done;
use super::{Ending, Journals, Line};
use crate::report::{NUMBERS, Numbers};
use serde::Serialize;

/// How many of the clips that changed most are named.
const MOST: usize = 20;

/// What a second run made of the clips of a first.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Comparison {
    /// Clips that only the first run has.
    pub only_first: Vec<String>,
    pub only_second: Vec<String>,
    /// Clips that the second run did and the first could not, and the other way round.
    pub repaired: Vec<String>,
    pub broken: Vec<String>,
    /// Clips that both did.
    pub both: usize,
    /// Those of them whose results are the same to the last byte.
    pub same: usize,
    pub numbers: Vec<NumberChange>,
    /// The clips of which one number changed most, for the worse and for the better, measured by what a
    /// good result reaches.
    pub worse: Vec<Change>,
    pub better: Vec<Change>,
}

/// A number over all clips that both runs did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NumberChange {
    pub name: &'static str,
    /// The mean over the clips.
    pub first: f64,
    pub second: f64,
    /// How many clips have less, and how many more.
    pub better: usize,
    pub worse: usize,
}

/// A number of a clip in both runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    pub clip: String,
    pub number: &'static str,
    pub first: f64,
    pub second: f64,
    /// The difference over what a good result reaches.
    pub times_threshold: f64,
    /// Where the second run is worst.
    pub joint: String,
    pub frame: usize,
}

/// Compares two runs.
pub fn compare(first: &Journals, second: &Journals) -> Comparison {
    let mut found = Comparison::default();
    let mut changes = Vec::new();
    for (name, line) in &first.lines {
        match second.lines.get(name) {
            None => found.only_first.push(name.clone()),
            Some(other) => found.note(line, other, &mut changes),
        }
    }
    let new = second.lines.keys().filter(|name| !first.lines.contains_key(*name));
    found.only_second = new.cloned().collect();
    for number in &NUMBERS {
        let of: Vec<&Change> = changes.iter().filter(|c| c.number == number.name).collect();
        if of.is_empty() {
            continue;
        }
        let mean = |value: fn(&Change) -> f64| {
            of.iter().map(|change| value(change)).sum::<f64>() / of.len() as f64
        };
        found.numbers.push(NumberChange {
            name: number.name,
            first: mean(|change| change.first),
            second: mean(|change| change.second),
            better: of.iter().filter(|change| change.second < change.first).count(),
            worse: of.iter().filter(|change| change.second > change.first).count(),
        });
    }
    changes.sort_by(|a, b| b.times_threshold.total_cmp(&a.times_threshold));
    let worse = changes.iter().filter(|change| change.times_threshold > 0.0);
    let better = changes.iter().rev().filter(|change| change.times_threshold < 0.0);
    found.worse = worse.take(MOST).cloned().collect();
    found.better = better.take(MOST).cloned().collect();
    found
}

impl Comparison {
    /// A clip that both runs know.
    fn note(&mut self, first: &Line<Numbers>, second: &Line<Numbers>, changes: &mut Vec<Change>) {
        let name = &first.output;
        match (&first.ending, &second.ending) {
            (Ending::Failed(_), Ending::Done(_)) => self.repaired.push(name.clone()),
            (Ending::Done(_), Ending::Failed(_)) => self.broken.push(name.clone()),
            _ => {}
        }
        let (Some((_, a)), Some((_, b))) = (done(first), done(second)) else { return };
        self.both += 1;
        self.same += usize::from(a.result == b.result);
        for number in &NUMBERS {
            let pair = (a.report.get(number.name), b.report.get(number.name));
            let (Some(a), Some(b)) = pair else { continue };
            changes.push(Change {
                clip: name.clone(),
                number: number.name,
                first: a.value,
                second: b.value,
                times_threshold: (b.value - a.value) / number.threshold,
                joint: b.joint.clone(),
                frame: b.frame,
            });
        }
    }
}
