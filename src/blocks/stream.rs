//! Blocks that go through several steps and are passed on in order, in bounded memory.

use super::{is_alone, locked, on_every_thread};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};

/// How many blocks for each thread may be in hand until the first of them is taken.
const AHEAD: usize = 8;

/// What is done with each block of a [`stream`], in four steps.
pub struct Steps<Buffers, Work, InOrder, Finish, Take> {
    /// Makes what a thread uses again from block to block.
    pub buffers: Buffers,
    /// The work, on any thread.
    pub work: Work,
    /// The part that needs the blocks one after the other, in order. It should be cheap compared with the work.
    pub in_order: InOrder,
    /// The rest of the work, on any thread.
    pub finish: Finish,
    /// Takes the results in order, while other blocks are worked on.
    pub take: Take,
}

/// As [`map`](super::map), but passes each result on, so that memory does not grow with the clip: at most eight blocks a
/// thread are in hand. The first error of `take` ends it.
///
/// No thread waits for another while there is a block that it could work on.
pub fn stream<B, S, R, T, E>(
    blocks: Vec<B>,
    steps: Steps<
        impl Fn() -> S + Sync + Send,
        impl Fn(&mut S, B) -> R + Sync + Send,
        impl FnMut(&mut R) + Send,
        impl Fn(R) -> T + Sync + Send,
        impl FnMut(T) -> Result<(), E> + Send,
    >,
) -> Result<(), E>
where
    B: Send,
    R: Send,
    T: Send,
    E: Send,
{
    let Steps { buffers, work, mut in_order, finish, mut take } = steps;
    if is_alone(blocks.len()) {
        let mut own = buffers();
        return blocks.into_iter().try_for_each(|block| {
            let mut result = work(&mut own, block);
            in_order(&mut result);
            take(finish(result))
        });
    }
    let line = Line::new(blocks, AHEAD * rayon_core::current_num_threads());
    // The line gives them to one thread at a time; the locks only show this to the compiler.
    let (in_order, take) = (Mutex::new(in_order), Mutex::new(take));
    on_every_thread(&|| {
        let mut watch = Watch { line: &line, is_over: false };
        let mut own = None;
        while let Some(task) = line.next() {
            match task {
                Task::Work(place, block) => {
                    line.worked(place, work(own.get_or_insert_with(&buffers), block));
                }
                Task::InOrder(place, mut result) => {
                    locked(&in_order)(&mut result);
                    line.one_more_in_order();
                    line.finished(place, finish(result));
                }
                Task::Take(result) => {
                    let taken = locked(&take)(result);
                    line.taken(taken);
                }
            }
        }
        watch.is_over = true;
    });
    line.outcome()
}

/// Where every block stands, shared by all threads.
struct Line<B, R, T, E> {
    state: Mutex<State<B, R, T, E>>,
    changed: Condvar,
    /// Blocks in hand at a time.
    most: usize,
}

struct State<B, R, T, E> {
    left: std::vec::IntoIter<B>,
    /// The blocks that were begun and are not taken, in order.
    in_hand: VecDeque<Step<R, T>>,
    /// Index of the first of them among all blocks.
    first: usize,
    /// Index of the first block whose part in order is not done.
    next_in_order: usize,
    settling: bool,
    taking: bool,
    ended: bool,
    error: Option<E>,
}

/// How far a block has come.
enum Step<R, T> {
    /// A thread works on it.
    Busy,
    Worked(R),
    Finished(T),
}

/// What a thread is to do next, with the block's index among all blocks.
enum Task<B, R, T> {
    Work(usize, B),
    InOrder(usize, R),
    Take(T),
}

impl<B, R, T, E> Line<B, R, T, E> {
    fn new(blocks: Vec<B>, most: usize) -> Self {
        let state = State {
            left: blocks.into_iter(),
            in_hand: VecDeque::with_capacity(most),
            first: 0,
            next_in_order: 0,
            settling: false,
            taking: false,
            ended: false,
            error: None,
        };
        Self { state: Mutex::new(state), changed: Condvar::new(), most }
    }

    /// Waits for the next task; `None` if there is none left for this thread.
    fn next(&self) -> Option<Task<B, R, T>> {
        let mut state = locked(&self.state);
        while !state.ended {
            if let Some(task) = state.task(self.most) {
                return Some(task);
            }
            if state.in_hand.is_empty() {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    fn worked(&self, place: usize, result: R) {
        self.change(|state| *state.step(place) = Step::Worked(result));
    }

    fn one_more_in_order(&self) {
        self.change(|state| {
            state.settling = false;
            state.next_in_order += 1;
        });
    }

    fn finished(&self, place: usize, result: T) {
        self.change(|state| *state.step(place) = Step::Finished(result));
    }

    fn taken(&self, taken: Result<(), E>) {
        self.change(|state| {
            state.taking = false;
            if let Err(error) = taken {
                state.error = Some(error);
                state.ended = true;
            }
        });
    }

    fn change(&self, change: impl FnOnce(&mut State<B, R, T, E>)) {
        change(&mut locked(&self.state));
        self.changed.notify_all();
    }

    fn outcome(self) -> Result<(), E> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.error.map_or(Ok(()), Err)
    }
}

impl<B, R, T, E> State<B, R, T, E> {
    fn step(&mut self, place: usize) -> &mut Step<R, T> {
        &mut self.in_hand[place - self.first]
    }

    /// The block that is nearest to its end comes first, so that few blocks are in hand.
    fn task(&mut self, most: usize) -> Option<Task<B, R, T>> {
        if !self.taking && matches!(self.in_hand.front(), Some(Step::Finished(_))) {
            let Some(Step::Finished(result)) = self.in_hand.pop_front() else { return None };
            self.first += 1;
            self.taking = true;
            return Some(Task::Take(result));
        }
        let place = self.next_in_order;
        if !self.settling
            && let Some(step) = self.in_hand.get_mut(place - self.first)
            && matches!(step, Step::Worked(_))
        {
            let Step::Worked(result) = std::mem::replace(step, Step::Busy) else { return None };
            self.settling = true;
            return Some(Task::InOrder(place, result));
        }
        if self.in_hand.len() >= most {
            return None;
        }
        let block = self.left.next()?;
        self.in_hand.push_back(Step::Busy);
        Some(Task::Work(self.first + self.in_hand.len() - 1, block))
    }
}

/// Ends the line if its thread panics before the end, so that no other thread waits for its block.
struct Watch<'a, B, R, T, E> {
    line: &'a Line<B, R, T, E>,
    is_over: bool,
}

impl<B, R, T, E> Drop for Watch<'_, B, R, T, E> {
    fn drop(&mut self) {
        if !self.is_over {
            self.line.change(|state| state.ended = true);
        }
    }
}
