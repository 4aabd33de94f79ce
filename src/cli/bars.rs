//! The progress of a library's run on a terminal: how much is done, how fast, how much time is left, and which clips
//! are in hand.

mod pace;

use super::text::visible;
use crate::batch::{Job, Outcome, Plan};
use indicatif::{
    HumanDuration, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use pace::Pace;
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many clips in hand are named at most.
const MOST_LINES: usize = 8;
const TICK: Duration = Duration::from_millis(200);

/// Bars on standard error; none off a terminal.
pub struct Bars {
    all: MultiProgress,
    /// Counts bytes, since clips come large ones first.
    total: ProgressBar,
    /// One for each thread.
    in_hand: Vec<ProgressBar>,
    clips: usize,
    ended: AtomicUsize,
    failed: AtomicUsize,
    began: Instant,
    pace: Arc<Mutex<Pace>>,
}

impl Bars {
    pub fn new(plan: &Plan, threads: usize, quiet: bool) -> Self {
        let shows = !quiet && std::io::stderr().is_terminal();
        let all = MultiProgress::with_draw_target(match shows {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        });
        let (bytes, began) = (plan.jobs.iter().map(|job| job.size).sum(), Instant::now());
        let pace = Arc::new(Mutex::new(Pace::new(plan.jobs.len(), bytes, threads)));
        let total = all.add(ProgressBar::new(bytes));
        let style = |template| ProgressStyle::with_template(template).expect("a sound template");
        // Written whenever the bar is drawn, so that it counts down while clips are in hand.
        let left = {
            let pace = Arc::clone(&pace);
            move |_: &ProgressState, out: &mut dyn Write| {
                let left =
                    pace.lock().unwrap_or_else(PoisonError::into_inner).left(began.elapsed());
                if let Some(left) = left {
                    let _ = write!(out, ", {} left", HumanDuration(left));
                }
            }
        };
        total.set_style(style("{wide_bar} {percent:>3} %  {msg}{left}").with_key("left", left));
        let lines = 0..threads.min(MOST_LINES).min(plan.jobs.len());
        let in_hand =
            lines.map(|_| all.add(ProgressBar::new_spinner().with_style(style("  {msg}"))));
        let bars = Self {
            total,
            in_hand: in_hand.collect(),
            all: all.clone(),
            clips: plan.jobs.len() + plan.lost.len(),
            ended: AtomicUsize::new(0),
            failed: AtomicUsize::new(0),
            began,
            pace,
        };
        bars.tell();
        if shows {
            bars.total.enable_steady_tick(TICK);
        }
        bars
    }

    /// A thread takes a clip in hand.
    pub fn begins(&self, thread: usize, job: &Job) {
        self.with_pace(|pace, at| pace.begins(thread, job.size, at));
        if let Some(line) = self.in_hand.get(thread) {
            line.set_message(visible(&job.name).replace('\n', " "));
        }
    }

    /// A clip is done with; `None` for one that could not be looked at.
    pub fn ends(&self, thread: usize, job: Option<&Job>, outcome: &Outcome) {
        let passed_over = matches!(outcome, Outcome::Kept);
        if job.is_some() {
            self.with_pace(|pace, at| pace.ends(thread, passed_over, at));
        }
        self.ended.fetch_add(1, Ordering::Relaxed);
        if let Outcome::Failed(_) = outcome {
            self.failed.fetch_add(1, Ordering::Relaxed);
        }
        if let Some(line) = self.in_hand.get(thread) {
            line.set_message("");
        }
        self.total.inc(job.map_or(0, |job| job.size));
        self.tell();
    }

    /// Prints something above the bars.
    pub fn aside(&self, print: impl FnOnce()) {
        self.all.suspend(print);
    }

    fn with_pace(&self, change: impl FnOnce(&mut Pace, Duration)) {
        let at = self.began.elapsed();
        change(&mut self.pace.lock().unwrap_or_else(PoisonError::into_inner), at);
    }

    fn tell(&self) {
        let ended = self.ended.load(Ordering::Relaxed);
        let rate = ended as f64 / self.began.elapsed().as_secs_f64().max(1e-3);
        let mut text = format!("{ended} of {} clips, {rate:.1} a second", self.clips);
        match self.failed.load(Ordering::Relaxed) {
            0 => {}
            failed => text += &format!(", {failed} failed"),
        }
        self.total.set_message(text);
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        for line in &self.in_hand {
            line.finish_and_clear();
        }
        self.total.finish_and_clear();
    }
}
