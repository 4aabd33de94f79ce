//! What is seen in those frames of a clip that several steps ask for, each frame looked at once.

use crate::math::runs;
use std::ops::Range;

/// One value for each frame that was looked at.
pub(super) struct Seen<T> {
    /// The place of each frame in `values`; empty while there is none.
    places: Vec<Option<usize>>,
    values: Vec<T>,
    /// How many frames the clip has.
    frames: usize,
}

impl<T> Seen<T> {
    /// Of a clip with so many frames.
    pub fn new(frames: usize) -> Self {
        Self { places: Vec::new(), values: Vec::new(), frames }
    }

    /// The runs of frames in these runs that are still to be looked at.
    pub fn missing(&self, wanted: &[Range<usize>]) -> Vec<Range<usize>> {
        let is_missing = |f: usize| self.places.get(f).is_none_or(Option::is_none);
        wanted.iter().flat_map(|run| runs(run.clone(), is_missing)).collect()
    }

    /// Adds what is seen in these runs of frames, one after the other.
    pub fn add(&mut self, runs: Vec<Range<usize>>, values: impl IntoIterator<Item = T>) {
        if !runs.is_empty() {
            self.places.resize(self.frames, None);
        }
        for (f, value) in runs.into_iter().flatten().zip(values) {
            self.places[f] = Some(self.values.len());
            self.values.push(value);
        }
    }

    /// What is seen in a frame; panics if it was not looked at.
    pub fn at(&self, frame: usize) -> &T {
        &self.values[self.places[frame].expect("a frame that was looked at")]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_frame_is_looked_at_twice() {
        let mut seen = Seen::new(100);
        let mut looked_at = 0;
        for wanted in [vec![10..20, 30..35], vec![5..32, 90..100], vec![5..20, 20..35]] {
            let missing = seen.missing(&wanted);
            looked_at += missing.iter().map(Range::len).sum::<usize>();
            seen.add(missing.clone(), missing.into_iter().flatten());
            assert!(wanted.into_iter().flatten().all(|f| *seen.at(f) == f));
        }
        assert_eq!(looked_at, 30 + 10);
    }
}
