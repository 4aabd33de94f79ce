//! What the journals of a run say, all clips together.

use super::{Ending, Journals, Line, Made, Shard};
use crate::math::percentile;
use crate::report::{NUMBERS, Number, Numbers, SNAP};
use serde::Serialize;
use std::collections::BTreeMap;

/// How many of the worst clips are named.
const WORST: usize = 20;

/// A run as a whole.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Digest {
    pub clips: usize,
    pub done: usize,
    pub failed: usize,
    pub frames: usize,
    /// Of all clips together, seconds.
    pub duration_s: f64,
    /// That the machines worked, seconds of one thread.
    pub took_s: f64,
    /// Clips whose files were repaired.
    pub repaired: usize,
    /// Clips that are cut short, and the frames that are missing in them.
    pub cut_short: usize,
    pub missing_frames: u64,
    /// Frames in which a planted foot was out of reach.
    pub misses: usize,
    /// Clips in whose results a limb snaps.
    pub snapped: usize,
    /// Shards that have no journal.
    pub missing_shards: Vec<String>,
    /// Lines of the journals that cannot be read; their clips are not counted.
    pub unreadable_lines: usize,
    /// How many different rigs, settings and versions the lines speak of; one, if all is of one run.
    pub setups: usize,
    /// Each number of the report over all clips.
    pub numbers: Vec<Spread>,
    /// The worst first: those in which a limb snaps, then those whose numbers are most times over what a good result
    /// reaches.
    pub worst: Vec<Worst>,
    /// The most frequent first.
    pub failures: Vec<FailureCount>,
    /// Source rigs, the most frequent first.
    pub rigs: Vec<RigCount>,
}

/// A number over all clips.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    pub name: &'static str,
    pub p50: f64,
    pub p90: f64,
    pub p95: f64,
    pub p99: f64,
    pub max: f64,
    /// What a good result stays under.
    pub threshold: f64,
    /// How many clips do not.
    pub over: usize,
}

/// A clip and its worst number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Worst {
    pub clip: String,
    pub number: &'static str,
    pub value: f64,
    /// The value over what a good result reaches.
    pub times_threshold: f64,
    /// The single worst value, and where it is.
    pub worst: f64,
    pub joint: String,
    pub frame: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailureCount {
    pub reason: String,
    pub clips: usize,
    /// One of them, and what was said of it.
    pub clip: String,
    pub error: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RigCount {
    /// None where names are of no known rig.
    pub family: Option<String>,
    pub joints: usize,
    pub clips: usize,
}

/// Sums up a run. Costs one pass over the lines and one sort for each number.
pub fn digest(journals: &Journals) -> Digest {
    let lines = || journals.lines.values();
    let made: Vec<(&Line<Numbers>, &Made<Numbers>)> = lines().filter_map(done).collect();
    let mut setups: Vec<_> = lines().map(|line| &line.setup).collect();
    setups.dedup();
    setups.sort_by_key(|setup| format!("{setup:?}"));
    setups.dedup();
    Digest {
        clips: journals.lines.len(),
        done: made.len(),
        failed: journals.lines.len() - made.len(),
        frames: made.iter().map(|(_, made)| made.frames).sum(),
        duration_s: made.iter().map(|(_, made)| made.duration_s).sum(),
        took_s: lines().map(|line| line.took_s).sum(),
        repaired: made.iter().filter(|(_, made)| made.repaired > 0).count(),
        cut_short: made.iter().filter(|(_, made)| made.missing_frames > 0).count(),
        missing_frames: made
            .iter()
            .fold(0, |sum, (_, made)| sum.saturating_add(made.missing_frames)),
        misses: made.iter().map(|(_, made)| made.misses).sum(),
        snapped: made.iter().filter(|(_, made)| snaps(&made.report)).count(),
        missing_shards: journals.missing.iter().map(Shard::to_string).collect(),
        unreadable_lines: journals.unreadable,
        setups: setups.len(),
        numbers: spreads(&made),
        worst: worst(&made),
        failures: failures(journals),
        rigs: rigs(&made),
    }
}

/// A line's result, if it has one.
pub(super) fn done(line: &Line<Numbers>) -> Option<(&Line<Numbers>, &Made<Numbers>)> {
    match &line.ending {
        Ending::Done(made) => Some((line, made)),
        Ending::Failed(_) => None,
    }
}

fn spreads(made: &[(&Line<Numbers>, &Made<Numbers>)]) -> Vec<Spread> {
    let spread = |number: &crate::report::Number| {
        let values = made.iter().filter_map(|(_, made)| Some(made.report.get(number.name)?.value));
        let values: Vec<f64> = values.collect();
        let at = |share| percentile(values.clone(), share);
        (!values.is_empty()).then(|| Spread {
            name: number.name,
            p50: at(0.5),
            p90: at(0.9),
            p95: at(0.95),
            p99: at(0.99),
            max: at(1.0),
            threshold: number.threshold,
            over: values.iter().filter(|value| **value > number.threshold).count(),
        })
    };
    NUMBERS.iter().filter_map(spread).collect()
}

/// Whether a limb snaps in a result.
fn snaps(report: &Numbers) -> bool {
    let threshold = Number::named(SNAP).map(|number| number.threshold);
    report.get(SNAP).is_some_and(|measure| Some(measure.value) > threshold)
}

fn worst(made: &[(&Line<Numbers>, &Made<Numbers>)]) -> Vec<Worst> {
    let of_clip = |(line, made): &(&Line<Numbers>, &Made<Numbers>)| {
        let measures = NUMBERS.iter().filter_map(|n| Some((n, made.report.get(n.name)?)));
        let times = |threshold: f64, value: f64| value / threshold;
        let is_snap = |number: &Number| number.name == SNAP && snaps(&made.report);
        let (number, measure) = measures.max_by(|(n, a), (m, b)| {
            let times = times(n.threshold, a.value).total_cmp(&times(m.threshold, b.value));
            is_snap(n).cmp(&is_snap(m)).then(times)
        })?;
        Some(Worst {
            clip: line.output.clone(),
            number: number.name,
            value: measure.value,
            times_threshold: times(number.threshold, measure.value),
            worst: measure.worst,
            joint: measure.joint.clone(),
            frame: measure.frame,
        })
    };
    let mut worst: Vec<Worst> = made.iter().filter_map(of_clip).collect();
    let is_snap = |worst: &Worst| worst.number == SNAP && worst.times_threshold > 1.0;
    let times = |a: &Worst, b: &Worst| b.times_threshold.total_cmp(&a.times_threshold);
    worst.sort_by(|a, b| is_snap(b).cmp(&is_snap(a)).then(times(a, b)));
    worst.truncate(WORST);
    worst
}

fn failures(journals: &Journals) -> Vec<FailureCount> {
    let mut counts: BTreeMap<&str, FailureCount> = BTreeMap::new();
    for line in journals.lines.values() {
        let Ending::Failed(failed) = &line.ending else { continue };
        let count = counts.entry(&failed.reason).or_insert_with(|| FailureCount {
            reason: failed.reason.clone(),
            clips: 0,
            clip: line.output.clone(),
            error: failed.error.clone(),
        });
        count.clips += 1;
    }
    let mut failures: Vec<FailureCount> = counts.into_values().collect();
    failures.sort_by_key(|count| std::cmp::Reverse(count.clips));
    failures
}

fn rigs(made: &[(&Line<Numbers>, &Made<Numbers>)]) -> Vec<RigCount> {
    let mut counts: BTreeMap<(Option<&str>, usize), usize> = BTreeMap::new();
    for (_, made) in made {
        *counts.entry((made.family.as_deref(), made.joints)).or_default() += 1;
    }
    let rig = |((family, joints), clips): ((Option<&str>, usize), usize)| RigCount {
        family: family.map(str::to_owned),
        joints,
        clips,
    };
    let mut rigs: Vec<RigCount> = counts.into_iter().map(rig).collect();
    rigs.sort_by_key(|rig| std::cmp::Reverse(rig.clips));
    rigs
}
