//! The frames of a clip at which is looked first: what is there, and how it moves from one to the next, says which frames
//! between them need a look.

use crate::clip::Clip;
use std::ops::Range;

/// Time between two quick looks, seconds.
const QUICK_S: f64 = 0.1;

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

    pub fn holds(&self, frame: usize) -> bool {
        frame.is_multiple_of(self.step) || frame == self.last
    }

    /// The frames from the sample before a block to the one after it.
    pub fn about(&self, block: &Range<usize>) -> Range<usize> {
        let after = (block.end - 1).next_multiple_of(self.step).min(self.last);
        block.start / self.step * self.step..after + 1
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
