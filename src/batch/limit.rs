//! Limits that a run must keep, for those who watch over its quality.

use super::digest::done;
use super::{Digest, Ending, Journals};
use crate::math::percentile;
use crate::report::{Measure, NUMBERS, Number, Report};
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// The most that a number may be: of every clip, of a percentile over the clips, or the number of
/// failures.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    what: What,
    most: f64,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    Failed,
    Number { name: &'static str, percentile: Option<u8> },
}

/// A limit that is not kept.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Broken {
    pub limit: String,
    pub value: f64,
    /// The worst of the clips that do not keep it, and how many do not; none of a percentile.
    pub clip: Option<String>,
    pub clips: usize,
}

impl Limit {
    /// Whether a run keeps this limit, and if not, what breaks it. Where no clip has the number, there
    /// is nothing to break it.
    pub fn check(&self, journals: &Journals, digest: &Digest) -> Option<Broken> {
        let lines = || journals.lines.values();
        let mut failed = lines().filter(|line| matches!(line.ending, Ending::Failed(_)));
        let failed = (digest.failed, failed.next().map(|line| &*line.output));
        self.broken(failed, |name| {
            let done = lines().filter_map(done);
            done.filter_map(|(line, made)| Some((made.report.get(name)?.value, &*line.output)))
                .collect()
        })
    }

    /// As [`check`](Self::check), of results in hand and of the names of what failed.
    pub fn check_reports(&self, done: &[(&str, &Report)], failed: &[&str]) -> Option<Broken> {
        self.broken((failed.len(), failed.first().copied()), |name| {
            let number = Number::named(name);
            let values = number.into_iter().flat_map(|number| {
                done.iter().map(|(clip, report)| (number.of(report).value, *clip))
            });
            values.collect()
        })
    }

    /// What breaks the limit: of how many clips that failed and the first of them, and of what gives a number's value
    /// for each clip that has it.
    fn broken<'a>(
        &self,
        (failed, first): (usize, Option<&str>),
        values: impl Fn(&str) -> Vec<(f64, &'a str)>,
    ) -> Option<Broken> {
        let (value, clip, clips) = match self.what {
            What::Failed => (failed as f64, first.map(str::to_owned), failed),
            What::Number { name, percentile: share } => {
                let values = values(name);
                let over = values.iter().filter(|(value, _)| *value > self.most).count();
                match share {
                    Some(share) => {
                        let all = values.iter().map(|(value, _)| *value);
                        (percentile(all, f64::from(share) / 100.0), None, over)
                    }
                    None => {
                        let worst = values.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
                        (worst.0, Some(worst.1.to_owned()), over)
                    }
                }
            }
        };
        (value > self.most).then(|| Broken { limit: self.to_string(), value, clip, clips })
    }
}

impl Limit {
    /// What breaks the limit in a single result, which did not fail; `None` if it keeps it.
    pub fn check_one<'a>(&self, report: &'a Report) -> Option<&'a Measure> {
        let What::Number { name, .. } = self.what else { return None };
        Number::named(name)
            .map(|number| number.of(report))
            .filter(|measure| measure.value > self.most)
    }

    /// The most that a number of a single result may be: the least that is asked of it, else its own threshold.
    pub fn most_of(number: &Number, limits: &[Limit]) -> f64 {
        let is_about =
            |limit: &&Limit| matches!(limit.what, What::Number { name, .. } if name == number.name);
        let asked = limits.iter().filter(is_about).map(|limit| limit.most);
        asked.min_by(f64::total_cmp).unwrap_or(number.threshold)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            What::Failed => write!(f, "failed={}", self.most),
            What::Number { name, percentile: None } => write!(f, "{name}={}", self.most),
            What::Number { name, percentile: Some(share) } => {
                write!(f, "{name}.p{share}={}", self.most)
            }
        }
    }
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            let names: Vec<&str> = NUMBERS.iter().map(|number| number.name).collect();
            format!(
                "expected NAME=MOST or NAME.p95=MOST, where NAME is failed, {}",
                names.join(", ")
            )
        };
        let (what, most) = text.split_once('=').ok_or_else(expected)?;
        let most = most.parse().ok().filter(|most: &f64| most.is_finite()).ok_or_else(expected)?;
        if what == "failed" {
            return Ok(Self { what: What::Failed, most });
        }
        let (name, share) = match what.split_once(".p") {
            None => (what, None),
            Some((name, share)) => {
                let share =
                    share.parse().ok().filter(|share| *share <= 100).ok_or_else(expected)?;
                (name, Some(share))
            }
        };
        let number = Number::named(name).ok_or_else(expected)?;
        Ok(Self { what: What::Number { name: number.name, percentile: share }, most })
    }
}
