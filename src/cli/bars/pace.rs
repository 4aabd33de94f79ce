//! How long the rest of a library takes, from what its clips have taken so far.

use std::time::Duration;

/// The clips of a library that are done, in hand and to come. A clip is taken to last as long as it has bytes, at the
/// pace of those that are done: threads that work on large clips count with what they have spent on them.
pub struct Pace {
    /// Bytes of the clips that are not begun, and how many clips those are.
    to_come: (u64, usize),
    /// What each thread has in hand: the bytes of the clip, and when it was begun, from the start of the run.
    in_hand: Vec<Option<(u64, Duration)>>,
    /// Bytes of the clips that are done, and the time of all threads that they took.
    done: (u64, Duration),
}

impl Pace {
    pub fn new(clips: usize, bytes: u64, threads: usize) -> Self {
        let (in_hand, done) = (vec![None; threads], (0, Duration::ZERO));
        Self { to_come: (bytes, clips), in_hand, done }
    }

    /// A thread takes a clip of so many bytes in hand, `at` so long from the start of the run.
    pub fn begins(&mut self, thread: usize, bytes: u64, at: Duration) {
        self.to_come.0 = self.to_come.0.saturating_sub(bytes);
        self.to_come.1 = self.to_come.1.saturating_sub(1);
        if let Some(hand) = self.in_hand.get_mut(thread) {
            *hand = Some((bytes, at));
        }
    }

    /// The clip that a thread had in hand is done. One that was only passed over says nothing about the pace.
    pub fn ends(&mut self, thread: usize, passed_over: bool, at: Duration) {
        let Some((bytes, began)) = self.in_hand.get_mut(thread).and_then(Option::take) else {
            return;
        };
        if !passed_over {
            self.done.0 += bytes;
            self.done.1 += at.saturating_sub(began);
        }
    }

    /// How long it is `at` that time until the last clip is done; `None` before the first clip is.
    pub fn left(&self, at: Duration) -> Option<Duration> {
        let (bytes, took) = self.done;
        if bytes == 0 {
            return None;
        }
        let per_byte_s = took.as_secs_f64() / bytes as f64;
        // A clip that lasts longer than its bytes let expect may end at any moment.
        let of_clip = |&(bytes, began): &(u64, Duration)| {
            (bytes as f64 * per_byte_s - at.saturating_sub(began).as_secs_f64()).max(0.0)
        };
        let in_hand = || self.in_hand.iter().flatten().map(of_clip);
        let longest_s = in_hand().fold(0.0, f64::max);
        let all_s = in_hand().sum::<f64>() + self.to_come.0 as f64 * per_byte_s;
        let busy = self.in_hand.iter().flatten().count() + self.to_come.1;
        let threads = busy.min(self.in_hand.len()).max(1);
        Duration::try_from_secs_f64(longest_s.max(all_s / threads as f64)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(s: f64) -> Duration {
        Duration::from_secs_f64(s)
    }

    /// What was thought to be left at a moment, and by how much it may be wrong: by the longest clip that is to come,
    /// since nobody knows which thread will have it.
    struct Said {
        at_s: f64,
        left: Duration,
        longest_to_come_s: f64,
    }

    /// Runs clips of these bytes, the largest first, at a second for 1000 bytes, on so many threads. Gives when all are
    /// done, and what was said whenever a clip ended and halfway to the next end.
    fn run(bytes: &[u64], threads: usize) -> (f64, Vec<Said>) {
        let mut pace = Pace::new(bytes.len(), bytes.iter().sum(), threads);
        let (mut clips, mut ends) = (bytes.iter().copied().peekable(), vec![None; threads]);
        let (mut now, mut said) = (0.0, Vec::new());
        loop {
            for (thread, end) in ends.iter_mut().enumerate().filter(|(_, end)| end.is_none()) {
                let Some(bytes) = clips.next() else { break };
                pace.begins(thread, bytes, seconds(now));
                *end = Some(now + bytes as f64 / 1000.0);
            }
            let in_hand = ends.iter().enumerate();
            let in_hand = in_hand.filter_map(|(thread, end)| Some((thread, (*end)?)));
            let Some((thread, end)) = in_hand.min_by(|a, b| a.1.total_cmp(&b.1)) else { break };
            for at_s in [now, (now + end) / 2.0] {
                let longest_to_come_s = clips.peek().map_or(0.0, |bytes| *bytes as f64 / 1000.0);
                let left = pace.left(seconds(at_s));
                said.extend(left.map(|left| Said { at_s, left, longest_to_come_s }));
            }
            now = end;
            ends[thread] = None;
            pace.ends(thread, false, seconds(now));
        }
        (now, said)
    }

    #[test]
    fn what_is_said_to_be_left_is_left_however_uneven_the_clips() {
        let mut mixed: Vec<u64> = (1..60).map(|i| 100 + i * i * 7 % 997 + i * i * i).collect();
        mixed.sort_unstable_by_key(|bytes| std::cmp::Reverse(*bytes));
        let even = vec![5000; 20];
        let one_large = [vec![50_000], vec![400; 80]].concat();
        for bytes in [mixed, even, one_large] {
            for threads in [1, 2, 3, 8] {
                let (end, said) = run(&bytes, threads);
                assert!(said.len() > 10, "too little is said");
                for Said { at_s, left, longest_to_come_s } in said {
                    let wrong_s = (left.as_secs_f64() - (end - at_s)).abs();
                    let is_true = wrong_s < longest_to_come_s + 1e-6 * end;
                    assert!(is_true, "{left:?} left at {at_s} s of {end} s");
                }
            }
        }
    }

    #[test]
    fn nothing_is_said_before_a_clip_is_done_and_clips_passed_over_do_not_count() {
        let mut pace = Pace::new(3, 3000, 1);
        assert_eq!(pace.left(seconds(0.0)), None);
        pace.begins(0, 1000, seconds(0.0));
        pace.ends(0, true, seconds(0.001));
        assert_eq!(pace.left(seconds(0.001)), None);
        pace.begins(0, 1000, seconds(1.0));
        pace.ends(0, false, seconds(3.0));
        assert_eq!(pace.left(seconds(3.0)), Some(seconds(2.0)));
    }
}
