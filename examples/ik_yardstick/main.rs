//! The published yardstick for chains: 20 links of length 1, straight, 1,000 goals in a ball of 0.95 of
//! the reach, there within 1 % of the length, 200 iterations at most. Prints the table of `docs/IK.md`
//! and, below it, how much plain descent depends on which goals are drawn.
//!
//! `cargo run --release --example ik_yardstick [PART OF A STRATEGY'S NAME | draws]`

mod chain;

use chain::{GOALS, LINKS, chain, goals};
use retarget::ik::*;
use std::time::Instant;

const MAX_ITERATIONS: u32 = 200;

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    if wanted != "draws" {
        table(&wanted);
    }
    if wanted.is_empty() || wanted == "draws" {
        draws(60);
    }
}

fn table(wanted: &str) {
    let sweeps = [
        ("tip to base", Sweep::TipToBase),
        ("base to tip", Sweep::BaseToTip),
        ("alternating", Sweep::Alternating),
        ("bounce", Sweep::Bounce),
        ("smart bounce 0.001 rad", Sweep::SmartBounce { threshold_rad: 0.001 }),
        ("smart bounce 0.1 rad", Sweep::SmartBounce { threshold_rad: 0.1 }),
        ("bounce forward", Sweep::BounceForward),
        ("smart bounce forward 0.1 rad", Sweep::SmartBounceForward { threshold_rad: 0.1 }),
        ("largest error first", Sweep::LargestError),
    ];
    let steps = [
        ("exact", Step::exact()),
        ("damped 0.8", Step::damped(0.8)),
        ("over-relaxed 1.2", Step::over_relaxed(1.2)),
        ("capped 0.2 rad", Step::exact().with_max_turn(0.2)),
    ];
    println!("| strategy | step | failed | iterations | µs a solve | ns a joint update |");
    println!("|---|---|---|---|---|---|");
    let measure = |sweep: &str, step: &str, settings: Settings| {
        if format!("{sweep}, {step}").contains(wanted) {
            measure(sweep, step, settings);
        }
    };
    measure("default", "–", Settings::default());
    measure("relaxation", "–", Settings { method: Method::Relaxation, ..Settings::default() });
    let helped = Settings { method: Method::Sweeps, ..Settings::default() };
    measure("alternating, unstuck", "exact", helped);
    measure("tracking", "capped 0.05 rad", Settings::tracking());
    for (sweep_name, sweep) in sweeps {
        for (step_name, step) in steps {
            measure(sweep_name, step_name, Settings { sweep, step, ..Settings::plain() });
        }
    }
}

/// Solves of one draw of goals, each from the straight chain.
struct Yardstick {
    plan: Plan,
    scratch: Scratch,
    straight: TreePose,
    pose: TreePose,
}

impl Yardstick {
    fn new() -> Self {
        let plan = chain(0.01);
        let straight = TreePose::rest(plan.tree());
        Self { scratch: Scratch::new(&plan), pose: straight.clone(), straight, plan }
    }

    /// How many goals are not reached, and the mean of the iterations; `times_us` keeps the quickest
    /// time of each goal, which is the one that least else came between.
    fn run(&mut self, draw: u64, settings: Settings, times_us: &mut [f64]) -> (usize, f64) {
        let settings = Settings { max_iterations: MAX_ITERATIONS, ..settings };
        let (mut failed, mut iterations) = (0, 0);
        for (goal, best_us) in goals(draw).into_iter().zip(times_us) {
            self.pose.copy_from(&self.straight);
            let goals = [Goal::at(goal)];
            let job = Job::new(&self.plan, &goals, &settings);
            let clock = Instant::now();
            let outcome = solve(&job, &mut self.pose, &mut self.scratch);
            *best_us = best_us.min(clock.elapsed().as_secs_f64() * 1e6);
            failed += usize::from(outcome.status != Status::Reached);
            iterations += outcome.iterations as usize;
        }
        (failed, iterations as f64 / GOALS as f64)
    }
}

fn measure(sweep: &str, step: &str, settings: Settings) {
    let mut yardstick = Yardstick::new();
    let (mut failed, mut mean) = (0, 0.0);
    let mut times_us = vec![f64::INFINITY; GOALS];
    for _ in 0..5 {
        (failed, mean) = yardstick.run(0, settings, &mut times_us);
    }
    let solve_us = times_us.iter().sum::<f64>() / GOALS as f64;
    let update_ns = solve_us * 1e3 / (mean * LINKS as f64);
    println!("| {sweep} | {step} | {failed} | {mean:.1} | {solve_us:.1} | {update_ns:.0} |");
}

/// Plain descent over many draws: mean, spread and extremes.
fn draws(count: u64) {
    let mut yardstick = Yardstick::new();
    let mut times_us = vec![0.0; GOALS];
    let mut run = |draw| yardstick.run(draw, Settings::plain(), &mut times_us);
    let runs: Vec<_> = (0..count).map(&mut run).collect();
    let failed: Vec<f64> = runs.iter().map(|run| run.0 as f64).collect();
    let iterations: Vec<f64> = runs.iter().map(|run| run.1).collect();
    println!("\nplain descent over {count} draws of goals:");
    for (name, values) in [("failed", failed), ("iterations", iterations)] {
        let mean = values.iter().sum::<f64>() / count as f64;
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        let spread = (squares / (count as f64 - 1.0)).sqrt();
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(0.0, f64::max);
        println!("{name} {mean:.1} ± {spread:.1}, from {least:.1} to {most:.1}");
    }
}
