//! Places in a text as lines.

use std::rc::Rc;

/// Where each line of a text begins.
#[derive(Clone)]
pub(crate) struct Lines(Rc<[usize]>);

impl Lines {
    pub fn new(text: &str) -> Self {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Self(std::iter::once(0).chain(after_breaks).collect())
    }

    /// Line of a byte place, counted from 1.
    pub fn line(&self, at: usize) -> usize {
        self.0.partition_point(|&start| start <= at)
    }
}
