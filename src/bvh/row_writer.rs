//! The rows of a motion, written in blocks of frames on any number of threads.

use super::angles::RowLayout;
use super::decimal::Decimals;
use super::euler_filter::EulerFilter;
use crate::math::{Quat, Vec3};
use crate::skeleton::Skeleton;
use serde::{Deserialize, Serialize};

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WriteSettings {
    /// Decimals of every number in the motion.
    pub decimals: u8,
}

impl Default for WriteSettings {
    fn default() -> Self {
        Self { decimals: 6 }
    }
}

/// Turns frames into rows of text, a block of any size at a time.
///
/// Three steps, of which the first and the last, nearly all of the work, know nothing of other frames and may run on
/// any thread; the bytes do not depend on where a clip is cut into blocks:
///
/// 1. [`push_frame`](Self::push_frame) puts a frame's numbers into a block;
/// 2. [`run_on`](Self::run_on) lets the angles of a block run on from those before it, one block after the other;
/// 3. [`push_text`](Self::push_text) writes a block as text.
pub struct RowWriter {
    layout: RowLayout,
    decimals: Decimals,
    start_deg: f64,
}

/// The numbers of some rows: lengths in the clip's unit, angles in degrees.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    pub(super) numbers: Vec<f64>,
    frames: usize,
    /// The rotations of the last frame, where its angles still are what they are without those of other frames; else none.
    last: Vec<Quat>,
}

impl Rows {
    /// Empties the block and keeps its memory.
    pub fn clear(&mut self) {
        self.numbers.clear();
        self.frames = 0;
        self.last.clear();
    }

    /// How many frames it holds.
    pub fn frames(&self) -> usize {
        self.frames
    }
}

impl RowWriter {
    pub fn new(skeleton: &Skeleton, settings: &WriteSettings) -> Self {
        Self {
            layout: RowLayout::new(skeleton),
            decimals: Decimals(settings.decimals),
            // Just above zero, so that a half turn that was rounded either way always starts at +180°.
            start_deg: 10f64.powi(-i32::from(settings.decimals)),
        }
    }

    /// An empty block with room for so many frames.
    pub fn rows(&self, frames: usize) -> Rows {
        let numbers = Vec::with_capacity(frames * self.layout.channels);
        Rows { numbers, ..Rows::default() }
    }

    /// Appends a frame to a block. Rotations are one a joint, translations one a joint with position channels, as in
    /// a [`Clip`](crate::clip::Clip). Allocates only where the block has no room.
    pub fn push_frame(&self, rotations: &[Quat], translations: &[Vec3], rows: &mut Rows) {
        let Rows { numbers, frames, last } = rows;
        let start = numbers.len();
        match last.is_empty() {
            true => numbers.resize(start + self.layout.channels, 0.0),
            false => numbers.extend_from_within(start - self.layout.channels..),
        }
        *frames += 1;
        self.layout.fill(rotations, translations, last, &mut numbers[start..]);
        last.clear();
        last.extend_from_slice(rotations);
    }

    /// The state before the first row of a clip.
    pub fn euler_filter(&self) -> EulerFilter {
        EulerFilter::new(&self.layout, self.start_deg)
    }

    /// Lets the angles of a block run on from those of the block before, to which `filter` came last.
    pub fn run_on(&self, filter: &mut EulerFilter, rows: &mut Rows) {
        rows.last.clear();
        filter.run_on(&self.layout, &mut rows.numbers);
    }

    /// Appends the lines of a block. Allocates only where `text` has no room.
    pub fn push_text(&self, rows: &Rows, text: &mut Vec<u8>) {
        // What most numbers take, so that what is written is hardly ever copied for more room.
        text.reserve(rows.numbers.len() * (usize::from(self.decimals.0) + 4));
        let channels = self.layout.channels;
        let line = |frame| &rows.numbers[frame * channels..][..channels];
        self.decimals.push_lines((0..rows.frames).map(line), text);
    }
}
