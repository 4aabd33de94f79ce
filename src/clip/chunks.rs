//! The frames of a clip in the chunks in which they were added, so that adding frames never copies others. Clones share
//! chunks until one of them changes a frame.

use super::Frames;
use crate::math::{Quat, Vec3};
use std::ops::Range;
use std::sync::Arc;

/// Frames one after the other, each with the same number of rotations and translations. How they are divided into
/// chunks changes nothing but the layout in memory.
#[derive(Clone, Debug)]
pub(super) struct Chunks {
    joints: usize,
    moving: usize,
    chunks: Vec<Chunk>,
    /// The mean number of chunks for each frame, without the last chunk, which may be short.
    per_frame: f64,
}

#[derive(Clone, Debug)]
struct Chunk {
    /// Its frames, by their numbers in the clip.
    range: Range<usize>,
    frames: Arc<Frames>,
}

impl Chunks {
    /// No frames, with room for `capacity` of them in one chunk. Each has `joints` rotations and `moving` translations.
    pub fn with_capacity(joints: usize, moving: usize, capacity: usize) -> Self {
        let frames = Frames::with_capacity(joints, moving, capacity);
        let first = Chunk { range: 0..0, frames: Arc::new(frames) };
        Self { joints, moving, chunks: vec![first], per_frame: 0.0 }
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.chunks.last().map_or(0, |last| last.range.end)
    }

    /// Adds frames as a chunk of their own. Panics unless they are whole.
    pub fn append(&mut self, frames: Frames) {
        let count = frames.rotations.len() / self.joints;
        assert_eq!(frames.rotations.len(), count * self.joints, "one rotation a joint");
        let translations = frames.translations.len();
        assert_eq!(translations, count * self.moving, "one translation a moving joint");
        if count == 0 {
            return;
        }
        let start = self.len();
        if start == 0 {
            self.chunks.clear();
        }
        self.per_frame = self.chunks.len() as f64 / start.max(1) as f64;
        self.chunks.push(Chunk { range: start..start + count, frames: Arc::new(frames) });
    }

    /// The same frames in one chunk. The old chunks are freed one by one as they are copied.
    pub fn join(&mut self) {
        if self.chunks.len() == 1 {
            return;
        }
        let count = self.len();
        let mut frames = Frames::with_capacity(self.joints, self.moving, count);
        for chunk in self.chunks.drain(..) {
            frames.rotations.extend_from_slice(&chunk.frames.rotations);
            frames.translations.extend_from_slice(&chunk.frames.translations);
        }
        self.chunks.push(Chunk { range: 0..count, frames: Arc::new(frames) });
        self.per_frame = 0.0;
    }

    /// All rotations and all translations; `None` if they are in several chunks.
    pub fn whole(&self) -> Option<(&[Quat], &[Vec3])> {
        match &*self.chunks {
            [Chunk { frames, .. }] => Some((&frames.rotations, &frames.translations)),
            _ => None,
        }
    }

    /// Adds a frame at the end, to the last chunk.
    pub fn push(&mut self, add: impl FnOnce(&mut Frames)) {
        let Some(last) = self.chunks.last_mut() else { return };
        add(Arc::make_mut(&mut last.frames));
        last.range.end += 1;
    }

    /// Puts another pose in the place of a frame. A chunk that a clone shares is copied first. Panics if there is no such
    /// frame, or on another number of rotations or translations.
    pub fn replace(&mut self, frame: usize, rotations: &[Quat], translations: &[Vec3]) {
        let (joints, moving) = (self.joints, self.moving);
        let place = self.chunk_of(frame);
        let Chunk { range, frames } = &mut self.chunks[place];
        let (at, frames) = (frame - range.start, Arc::make_mut(frames));
        frames.rotations[at * joints..(at + 1) * joints].copy_from_slice(rotations);
        frames.translations[at * moving..(at + 1) * moving].copy_from_slice(translations);
    }

    /// Rotations and translations of a frame. Panics if there is no such frame. Takes constant time if chunks have nearly
    /// the same length, else time that grows with the logarithm of their number.
    pub fn frame(&self, frame: usize) -> (&[Quat], &[Vec3]) {
        let chunk = &self.chunks[self.chunk_of(frame)];
        let at = frame - chunk.range.start;
        let rotations = &chunk.frames.rotations[at * self.joints..(at + 1) * self.joints];
        let translations = &chunk.frames.translations[at * self.moving..(at + 1) * self.moving];
        (rotations, translations)
    }

    /// The place of the chunk that holds a frame.
    fn chunk_of(&self, frame: usize) -> usize {
        let likely = (frame as f64 * self.per_frame) as usize;
        match self.chunks.get(likely) {
            Some(chunk) if chunk.range.contains(&frame) => likely,
            _ => self.chunks.partition_point(|chunk| chunk.range.start <= frame) - 1,
        }
    }
}

/// Equal frames are equal, whatever their chunks.
impl PartialEq for Chunks {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && (0..self.len()).all(|i| self.frame(i) == other.frame(i))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOINTS: usize = 3;

    /// Frames that all differ.
    fn frames(range: Range<usize>) -> Frames {
        let mut frames = Frames::default();
        for frame in range {
            let angle = |joint: usize| 0.01 * (frame * JOINTS + joint) as f64;
            let turn = |joint: usize| Quat::from_axis_angle(&Vec3::x_axis(), angle(joint));
            frames.rotations.extend((0..JOINTS).map(turn));
            frames.translations.push(Vec3::new(frame as f64, 0.0, 0.0));
        }
        frames
    }

    fn push(chunks: &mut Chunks, frames: &Frames) {
        for (rotations, at) in frames.rotations.chunks(JOINTS).zip(&frames.translations) {
            chunks.push(|frames| {
                frames.rotations.extend_from_slice(rotations);
                frames.translations.push(*at);
            });
        }
    }

    #[test]
    fn nobody_can_tell_which_frames_came_together() {
        const COUNT: usize = 300;
        let mut whole = Chunks::with_capacity(JOINTS, 1, 0);
        push(&mut whole, &frames(0..COUNT));
        let all = frames(0..COUNT);
        let lens: [&dyn Fn(usize) -> usize; 5] =
            [&|_| 1, &|_| 37, &|i| 30 + i % 3, &|i| 1 + i * i, &|i| if i < 5 { 50 } else { 1 }];
        for (cut, len) in lens.into_iter().enumerate() {
            for pushed in [0, 3, 100] {
                let mut chunks = Chunks::with_capacity(JOINTS, 1, 0);
                push(&mut chunks, &frames(0..pushed));
                for i in 0.. {
                    let start = chunks.len();
                    let end = (start + len(i)).min(COUNT - pushed).max(start);
                    chunks.append(frames(start..end));
                    if start == end {
                        break;
                    }
                }
                let rest = frames(chunks.len()..COUNT);
                push(&mut chunks, &rest);
                assert_eq!(chunks.len(), COUNT);
                for frame in 0..COUNT {
                    let rotations = &all.rotations[JOINTS * frame..JOINTS * (frame + 1)];
                    let wanted = (rotations, &all.translations[frame..frame + 1]);
                    assert_eq!(chunks.frame(frame), wanted, "cut {cut}, frame {frame}");
                }
                assert_eq!(chunks, whole);
                let (mut changed, frame) = (chunks.clone(), COUNT / 2);
                let (rotations, translations) = whole.frame(COUNT - 1);
                changed.replace(frame, rotations, translations);
                assert_eq!(chunks, whole, "a clone changed what it was made from");
                for i in 0..COUNT {
                    let wanted = whole.frame(if i == frame { COUNT - 1 } else { i });
                    assert_eq!(changed.frame(i), wanted, "cut {cut}, frame {i}");
                }
                chunks.join();
                assert_eq!(chunks, whole);
                assert_eq!(chunks.whole(), Some((&*all.rotations, &*all.translations)));
            }
        }
        let mut fewer = Chunks::with_capacity(JOINTS, 1, 0);
        fewer.append(frames(0..COUNT - 1));
        assert_ne!(fewer, whole);
        fewer.append(frames(0..1));
        assert_ne!(fewer, whole);
    }
}
