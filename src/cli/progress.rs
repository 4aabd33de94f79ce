//! The stage at work, shown on a terminal to a user who waits.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Display;
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long to wait before anything shows: most clips are done sooner.
const PATIENCE: Duration = Duration::from_millis(400);
const TICK: Duration = Duration::from_millis(100);

/// A line on standard error that names the stage at work. It shows after a moment, on a terminal only,
/// and disappears when this value is dropped.
pub struct Progress {
    bar: ProgressBar,
    waiting: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts to wait. Nothing will ever show if `quiet`, or off a terminal.
    pub fn new(quiet: bool) -> Self {
        let style = ProgressStyle::with_template("{spinner} {msg}").expect("a sound template");
        let bar =
            ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_style(style);
        let waiting = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let (done, wait) = channel();
            let bar = bar.clone();
            let thread = thread::spawn(move || {
                if wait.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(TICK);
                }
            });
            (done, thread)
        });
        Self { bar, waiting }
    }

    /// Names the stage that begins.
    pub fn stage(&self, stage: impl Display) {
        self.bar.set_message(stage.to_string());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((done, thread)) = self.waiting.take() {
            drop(done);
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}
