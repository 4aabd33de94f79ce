//! Work over a clip's frames in blocks, shared among threads. Nothing else within a clip knows threads.
//!
//! A clip is always cut into the same blocks and their results are taken in order, so that no number of
//! threads changes a bit. A clip of a single block stays on the caller's thread and starts no other.
//!
//! ```
//! use retarget::internals::blocks;
//!
//! let squares = blocks::frames(1000, |frame| frame * frame);
//! assert_eq!(squares[999], 999 * 999);
//! ```

mod stream;

use rayon_core::ThreadPoolBuilder;
use std::cell::Cell;
use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
pub use stream::{Steps, stream};

thread_local! {
    /// Whether this thread is to be one of the threads once they start.
    static LEADS: Cell<bool> = const { Cell::new(false) };
}

/// Frames in a block: enough that the cost of handing out a block does not matter, few enough that the data of a block
/// stays in the cache from stage to stage.
const FRAMES: usize = 256;

/// The blocks of a clip with this many frames, in order, as half-open ranges.
pub fn of_frames(frames: usize) -> Vec<Range<usize>> {
    of_range(0..frames).collect()
}

/// A range of a clip's frames in blocks, in order.
pub fn of_range(frames: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let Range { start, end } = frames;
    (start..end).step_by(FRAMES).map(move |start| start..(start + FRAMES).min(end))
}

/// Does `work` on each block and gives the results in the blocks' order.
///
/// `buffers` makes buffers that a thread uses for one block after the other. Results must not depend on what is in them.
pub fn map<B: Send, S, R: Send>(
    blocks: Vec<B>,
    buffers: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, B) -> R + Sync + Send,
) -> Vec<R> {
    if is_alone(blocks.len()) {
        let mut own = buffers();
        return blocks.into_iter().map(|block| work(&mut own, block)).collect();
    }
    let count = blocks.len();
    let mut results: Vec<Option<R>> = blocks.iter().map(|_| None).collect();
    let (left, done) = (Mutex::new(blocks.into_iter().enumerate()), Mutex::new(&mut results));
    let next = || locked(&left).next();
    on_threads(count, &|| {
        let mut own = None;
        while let Some((place, block)) = next() {
            let result = work(own.get_or_insert_with(&buffers), block);
            locked(&done)[place] = Some(result);
        }
    });
    results.into_iter().flatten().collect()
}

/// The value of every frame of a clip, each computed from its frame alone.
pub fn frames<T: Clone + Default + Send>(
    frames: usize,
    of_frame: impl Fn(usize) -> T + Sync + Send,
) -> Vec<T> {
    if is_alone(frames.div_ceil(FRAMES)) {
        return (0..frames).map(of_frame).collect();
    }
    let mut values = vec![T::default(); frames];
    fill(&mut values, |first, values| {
        for (i, value) in values.iter_mut().enumerate() {
            *value = of_frame(first + i);
        }
    });
    values
}

/// As [`frames`], of values whose neighbours are computed along: `of_block` gets the number of a block's first frame and
/// the places of its values.
pub fn fill<T: Send>(values: &mut [T], of_block: impl Fn(usize, &mut [T]) + Sync + Send) {
    let blocks = values.chunks_mut(FRAMES).enumerate().collect();
    map(blocks, || (), |(), (block, values): (usize, &mut [T])| of_block(block * FRAMES, values));
}

/// As [`map`], and hands the results on in order while others are worked on.
pub fn gather<B: Send, S, R: Send>(
    blocks: Vec<B>,
    buffers: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, B) -> R + Sync + Send,
    mut take: impl FnMut(R) + Send,
) {
    let take = |result| {
        take(result);
        Ok::<(), Infallible>(())
    };
    let Ok(()) = stream(
        blocks,
        Steps { buffers, work, in_order: |_: &mut R| (), finish: |result| result, take },
    );
}

/// As [`map`], for a few parts that each run over a whole clip of this many frames, such as its feet. A
/// clip of one block stays on the caller's thread.
pub fn each<P: Send, R: Send>(
    frames: usize,
    parts: Vec<P>,
    work: impl Fn(P) -> R + Sync + Send,
) -> Vec<R> {
    if frames <= FRAMES {
        return parts.into_iter().map(work).collect();
    }
    map(parts, || (), |(), part| work(part))
}

/// Runs `work` on the caller's thread and on others, on at most `count` in all. It has no type parameter, so that the
/// code that starts threads is compiled once and not for each kind of work.
fn on_threads(count: usize, work: &(dyn Fn() + Sync)) {
    rayon_core::scope(|scope| {
        for _ in 1..count.min(rayon_core::current_num_threads()) {
            scope.spawn(|_| work());
        }
        work();
    });
}

/// Runs `work` on every thread at once.
fn on_every_thread(work: &(dyn Fn() + Sync)) {
    rayon_core::broadcast(|_| work());
}

/// The value behind a lock, also after a panic in another thread, which is reported by that thread.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the caller's thread does this many blocks by itself.
fn is_alone(blocks: usize) -> bool {
    // The number of blocks comes first: asking for the number of threads starts them.
    if blocks <= 1 {
        return true;
    }
    if LEADS.take() {
        // Fails if the threads were started before.
        let _ = ThreadPoolBuilder::new().use_current_thread().build_global();
    }
    rayon_core::current_num_threads() == 1
}

/// Runs `work` with this many threads for its blocks. Without this call there is one for each core.
pub fn with_threads<R: Send>(threads: NonZeroUsize, work: impl FnOnce() -> R + Send) -> R {
    match ThreadPoolBuilder::new().num_threads(threads.get()).build() {
        Ok(pool) => pool.install(work),
        // The system refuses to start threads.
        Err(_) => {
            alone();
            work()
        }
    }
}

/// From now on this thread is one of those that do blocks, unless another thread asked for them first. Call it on a
/// thread that lasts as long as the process and would otherwise wait for its blocks. Without this call one thread more
/// is started, and all work is handed over to the threads and back.
pub fn lead() {
    LEADS.set(true);
}

/// From now on this thread does all its blocks by itself. It is for threads that each have clips of their own.
pub fn alone() {
    // Fails if this thread was told before.
    let _ = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn threads(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).expect("some")
    }

    #[test]
    fn blocks_are_the_whole_clip_in_order() {
        for frames in [0, 1, FRAMES, FRAMES + 1, 10 * FRAMES - 1] {
            let all: Vec<usize> = of_frames(frames).into_iter().flatten().collect();
            assert_eq!(all, (0..frames).collect::<Vec<_>>());
        }
    }

    #[test]
    fn results_come_in_order_whatever_the_threads() {
        let wanted: Vec<usize> = (0..1000).map(|i| i * i).collect();
        for count in [1, 2, 3, 8] {
            let (mapped, streamed) = with_threads(threads(count), || {
                let mut streamed = Vec::new();
                let square = |_: &mut (), i: usize| {
                    if i.is_multiple_of(7) {
                        thread::yield_now();
                    }
                    i * i
                };
                let mut sum = 0;
                let steps = Steps {
                    buffers: || (),
                    work: square,
                    in_order: |square: &mut usize| {
                        sum += *square;
                        *square = sum;
                    },
                    finish: |sum: usize| 2 * sum,
                    take: |twice| {
                        streamed.push(twice);
                        Ok::<(), ()>(())
                    },
                };
                stream((0..1000).collect(), steps).expect("takes all");
                (map((0..1000).collect(), || (), square), streamed)
            });
            let twice = |sum: &mut usize, square: &usize| {
                *sum += square;
                Some(2 * *sum)
            };
            let sums: Vec<usize> = wanted.iter().scan(0, twice).collect();
            assert_eq!((&mapped, &streamed), (&wanted, &sums), "{count} threads");
        }
    }

    #[test]
    fn an_error_of_the_taker_ends_it() {
        for count in [1, 3] {
            let ended = with_threads(threads(count), || {
                let steps = Steps {
                    buffers: || (),
                    work: |_: &mut (), i: usize| i,
                    in_order: |_: &mut usize| (),
                    finish: |i| i,
                    take: |i| if i < 100 { Ok(()) } else { Err(i) },
                };
                stream((0..10_000).collect(), steps)
            });
            assert_eq!(ended, Err(100));
        }
    }

    #[test]
    fn a_panic_goes_on_to_the_caller_and_no_thread_waits_for_its_block() {
        for count in [1, 2, 3] {
            let panics = std::panic::catch_unwind(|| {
                with_threads(threads(count), || {
                    let work = |_: &mut (), i: usize| if i == 100 { panic!("a test's") } else { i };
                    gather((0..1000).collect(), || (), work, |_| ());
                });
            });
            assert!(panics.is_err(), "{count} threads");
        }
    }

    #[test]
    fn a_thread_that_is_alone_does_its_blocks_itself() {
        let own = thread::spawn(|| {
            alone();
            let who = map(vec![(); 64], || (), |_, ()| thread::current().id());
            who.iter().all(|id| *id == thread::current().id())
        });
        assert!(own.join().expect("no panic"));
    }
}
