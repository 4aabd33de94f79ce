//! Runs of frames.

use std::ops::Range;

/// Maximal runs of frames for which `holds` is true.
pub fn runs(frames: Range<usize>, holds: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for f in frames.filter(|&f| holds(f)) {
        match found.last_mut() {
            Some(last) if last.end == f => last.end = f + 1,
            _ => found.push(f..f + 1),
        }
    }
    found
}

/// These runs, each with its part of `values`, which has one for each of their frames, one after the other.
pub fn with_values<'a, T>(
    runs: &'a [Range<usize>],
    values: &'a [T],
) -> impl Iterator<Item = (Range<usize>, &'a [T])> {
    let mut later = values;
    runs.iter().map(move |run| {
        let (own, rest) = later.split_at(run.len());
        later = rest;
        (run.clone(), own)
    })
}
