//! The frames of a clip at which is looked first: what is there, and how it moves from one to the next, says which frames
//! between them need a look.

use crate::clip::Clip;
use std::ops::Range;

/// Time between two quick looks, seconds.
const QUICK_S: f64 = 0.1;

/// The longest time from one frame in which the places of hands on the body are computed to the next, seconds: that of a
/// clip of 30 frames a second, of which every frame is. Between them the places are interpolated, and then smoothed over
/// several times as long.
const PLACES_S: f64 = 0.034;

/// Every so many frames from the first one on, and the last one.
pub(super) struct Samples {
    pub step: usize,
    /// The last frame of the clip.
    last: usize,
}

impl Samples {
    /// One every `step` frames of a clip with at least one frame.
    pub fn new(step: usize, source: &Clip) -> Self {
        Self { step, last: source.len() - 1 }
    }

    /// Those of the quick looks.
    pub fn quick(source: &Clip) -> Self {
        Self::new(((QUICK_S / source.frame_time().seconds()).round() as usize).max(1), source)
    }

    /// Those of the places of hands on the body.
    pub fn places(source: &Clip) -> Self {
        Self::new(((PLACES_S / source.frame_time().seconds()) as usize).max(1), source)
    }

    pub fn holds(&self, frame: usize) -> bool {
        frame.is_multiple_of(self.step) || frame == self.last
    }

    /// The frames from the sample before a block to the one after it.
    pub fn about(&self, block: &Range<usize>) -> Range<usize> {
        let after = (block.end - 1).next_multiple_of(self.step).min(self.last);
        block.start / self.step * self.step..after + 1
    }

    /// Whether each frame of the clip needs a look for what is not `[false; 2]` in these runs of it: the samples, and all
    /// frames beside a change, so that nothing changes between two looks.
    pub fn with_changes(
        &self,
        runs: &[Range<usize>],
        of_frame: impl Fn(usize) -> [bool; 2],
    ) -> Vec<bool> {
        let nothing = [false; 2];
        let mut needs = vec![false; self.last + 1];
        for run in runs {
            let at = |frame: usize| if run.contains(&frame) { of_frame(frame) } else { nothing };
            for frame in run.clone() {
                let (before, is) = (frame.checked_sub(1).map_or(nothing, at), at(frame));
                let changes = before != is || is != at(frame + 1);
                needs[frame] = is != nothing && (changes || self.holds(frame));
            }
        }
        needs
    }

    /// Whether a frame needs a look, by the samples that found something, in order: those before and after it.
    pub fn ask(&self, frame: usize, found: &[usize]) -> bool {
        let after = found.partition_point(|sample| *sample < frame);
        let about = &found[after.saturating_sub(1)..found.len().min(after + 1)];
        about.iter().any(|sample| sample.abs_diff(frame) < self.step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::curve;

    #[test]
    fn nothing_changes_between_two_looks() {
        let samples = Samples { step: 4, last: 59 };
        let of_frame = |f: usize| [(7..31).contains(&f), (20..30).contains(&f) || f > 45];
        let (runs, mut between) = ([0..18, 18..60], 0);
        let needs = samples.with_changes(&runs, of_frame);
        for run in runs {
            let of_run: Vec<usize> = run.clone().filter(|f| of_frame(*f) != [false; 2]).collect();
            assert!(needs[of_run[0]] && needs[of_run[of_run.len() - 1]], "the ends of {run:?}");
            for f in of_run.into_iter().filter(|f| !needs[*f]) {
                let near = |mut at: std::ops::RangeInclusive<usize>| at.any(|at| needs[at]);
                assert!(near(f - 3..=f) && near(f..=f + 3), "{f} is far from a look");
                assert_eq!([of_frame(f - 1), of_frame(f + 1)], [of_frame(f); 2], "{f}");
                between += 1;
            }
        }
        assert!(between > 20, "{between} frames need no look");
    }

    #[test]
    fn every_frame_of_a_touch_that_lasts_is_looked_at() {
        let mut lasting = 0;
        for (radius, count) in [(1, 1), (1, 2), (1, 14), (2, 23), (3, 31)] {
            let samples = Samples { step: 2 * radius + 1, last: count - 1 };
            for (start, end) in
                (0..count).flat_map(|start| (start..count).map(move |e| (start, e + 1)))
            {
                let touch: Vec<f64> =
                    (0..count).map(|f| f64::from((start..end).contains(&f))).collect();
                if curve::lasting(&touch, radius)[start] == 0.0 {
                    continue;
                }
                let touched: Vec<usize> = (start..end).filter(|f| samples.holds(*f)).collect();
                let is_asked = |frame: usize| samples.ask(frame, &touched);
                assert!((start..end).all(is_asked), "{start} to {end} of {count}, radius {radius}");
                lasting += 1;
            }
        }
        assert!(lasting > 500, "{lasting}");
    }
}
