//! Which clip is begun next, so that no core is left waiting and memory has a bound.

use super::Job;
use crate::blocks;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What the clips in hand may have of text for each thread, bytes. A clip takes two to five times its text,
/// mostly two and a half, so that a thread stays within 100 MB unless a single clip needs more.
const MOST_PER_THREAD: u64 = 32 << 20;

/// The clips that are left. The largest is begun first; where there is no room beside those in hand,
/// the smallest; where there is none even for that, threads wait. A clip larger than all the room
/// there is goes alone.
pub(super) struct Queue<'a> {
    /// The largest first.
    jobs: &'a [Job],
    /// Bytes of text that may be in hand.
    most: u64,
    state: Mutex<State>,
    /// Told when a clip is out of hand.
    room: Condvar,
}

struct State {
    left: Range<usize>,
    /// Bytes of text in hand.
    in_hand: u64,
}

impl<'a> Queue<'a> {
    pub fn new(jobs: &'a [Job], threads: usize) -> Self {
        Self::with_room(jobs, MOST_PER_THREAD.saturating_mul(threads as u64))
    }

    fn with_room(jobs: &'a [Job], most: u64) -> Self {
        let state = Mutex::new(State { left: 0..jobs.len(), in_hand: 0 });
        Self { jobs, most, state, room: Condvar::new() }
    }

    /// Has this many threads take clips until none is left or `stops` says so, each told which thread it is on, from 0.
    /// `works` gives the size that its clip has at the end.
    pub fn work_off(
        &self,
        threads: usize,
        stops: impl Fn() -> bool + Sync,
        works: impl Fn(usize, &'a Job) -> u64 + Sync,
    ) {
        let (stops, works) = (&stops, &works);
        std::thread::scope(|scope| {
            for thread in 0..threads.min(self.jobs.len()) {
                scope.spawn(move || {
                    // There are as many clips in hand as threads.
                    blocks::alone();
                    while let Some(job) = self.take(stops) {
                        self.done(works(thread, job));
                    }
                });
            }
        });
    }

    /// Takes a clip in hand, once there is room for one; none when none is left or `stops` says so.
    fn take(&self, stops: impl Fn() -> bool) -> Option<&'a Job> {
        let mut state = self.state();
        while !stops() && !state.left.is_empty() {
            if let Some(job) = self.pick(&mut state) {
                return Some(job);
            }
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// A clip in hand of `was` bytes turns out to have `size` of them: waits until there is room for it. What it took
    /// goes to the others meanwhile, so that two that wait do not wait for each other.
    pub fn grow(&self, was: u64, size: u64) {
        self.done(was);
        let mut state = self.state();
        while state.in_hand > 0 && state.in_hand.saturating_add(size) > self.most {
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.in_hand = state.in_hand.saturating_add(size);
    }

    /// A clip of so many bytes is out of hand.
    fn done(&self, size: u64) {
        self.state().in_hand -= size;
        self.room.notify_all();
    }

    fn pick(&self, state: &mut State) -> Option<&'a Job> {
        let (largest, smallest) = (state.left.start, state.left.end.checked_sub(1)?);
        let in_hand = state.in_hand;
        let fits = |job: &Job| in_hand == 0 || in_hand.saturating_add(job.size) <= self.most;
        let job = if fits(self.jobs.get(largest)?) {
            state.left.start += 1;
            &self.jobs[largest]
        } else if fits(&self.jobs[smallest]) {
            state.left.end -= 1;
            &self.jobs[smallest]
        } else {
            return None;
        };
        state.in_hand = in_hand.saturating_add(job.size);
        Some(job)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};

    fn jobs(sizes: &[u64]) -> Vec<Job> {
        let job = |size: &u64| Job { input: "in".into(), name: "out".to_owned(), size: *size };
        sizes.iter().map(job).collect()
    }

    #[test]
    fn the_largest_first_and_small_ones_where_it_does_not_fit() {
        let jobs = jobs(&[90, 50, 30, 8, 5]);
        let queue = Queue::with_room(&jobs, 100);
        let take = || queue.take(|| false).expect("a clip").size;
        assert_eq!([take(), take()], [90, 5]);
        queue.done(90);
        assert_eq!([take(), take(), take()], [50, 30, 8]);
        assert!(queue.take(|| false).is_none());
    }

    #[test]
    fn no_more_is_in_hand_than_there_is_room_for_and_every_clip_gets_its_turn() {
        let sizes: Vec<u64> = (0..400).map(|i| (400 - i) * 7 % 331 + 1).collect();
        let mut jobs = jobs(&sizes);
        jobs.sort_by_key(|job| std::cmp::Reverse(job.size));
        // The largest is larger than all the room there is.
        let room = 300;
        let queue = Queue::with_room(&jobs, room);
        let (in_hand, taken) = (AtomicU64::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    while let Some(job) = queue.take(|| false) {
                        let before = in_hand.fetch_add(job.size, SeqCst);
                        assert!(before == 0 || before + job.size <= room, "{before} {}", job.size);
                        std::thread::yield_now();
                        taken.fetch_add(1, SeqCst);
                        in_hand.fetch_sub(job.size, SeqCst);
                        queue.done(job.size);
                    }
                });
            }
        });
        assert_eq!(taken.into_inner(), jobs.len());
    }

    #[test]
    fn clips_that_turn_out_larger_wait_for_room_and_not_for_each_other() {
        let jobs = jobs(&[10; 40]);
        let queue = Queue::with_room(&jobs, 100);
        let (in_hand, most) = (AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for i in 0..4 {
                let (queue, in_hand, most) = (&queue, &in_hand, &most);
                scope.spawn(move || {
                    while let Some(job) = queue.take(|| false) {
                        // The larger one is larger than all the room there is.
                        let size = if i == 0 { 150 } else { 60 };
                        queue.grow(job.size, size);
                        most.fetch_max(in_hand.fetch_add(size, SeqCst) + size, SeqCst);
                        std::thread::yield_now();
                        in_hand.fetch_sub(size, SeqCst);
                        queue.done(size);
                    }
                });
            }
        });
        assert!(most.into_inner() <= 150);
    }

    #[test]
    fn who_waits_for_room_is_let_go_by_a_stop() {
        let jobs = jobs(&[90, 90]);
        let queue = Queue::with_room(&jobs, 100);
        let first = queue.take(|| false).expect("a clip");
        let asked = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| queue.take(|| asked.fetch_add(1, SeqCst) > 0));
            while asked.load(SeqCst) == 0 {
                std::thread::yield_now();
            }
            queue.done(first.size);
            assert!(waits.join().expect("an end").is_none());
        });
    }
}
