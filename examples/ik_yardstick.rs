//! The published yardstick for chains: 20 links of length 1, straight, 1,000 goals in a ball of 0.95 of
//! the reach, there within 1 % of the length, 200 iterations at most. Prints the table of `docs/IK.md`.
//!
//! `cargo run --release --example ik_yardstick [PART OF A STRATEGY'S NAME]`

use retarget::ik::*;
use retarget::math::Vec3;
use std::time::Instant;

const LINKS: usize = 20;
const GOALS: usize = 1000;

fn main() {
    let step = |name: &str, step: Step| (name.to_owned(), step);
    let sweeps = [
        ("tip to base", Sweep::TipToBase),
        ("base to tip", Sweep::BaseToTip),
        ("alternating", Sweep::Alternating),
        ("bounce", Sweep::Bounce),
        ("smart bounce 0.001 rad", Sweep::SmartBounce { threshold_rad: 0.001 }),
        ("smart bounce 0.1 rad", Sweep::SmartBounce { threshold_rad: 0.1 }),
    ];
    let steps = [
        step("exact", Step::exact()),
        step("damped 0.8", Step::damped(0.8)),
        step("over-relaxed 1.2", Step::over_relaxed(1.2)),
        step("capped 0.2 rad", Step::exact().with_max_turn(0.2)),
    ];
    println!("| strategy | step | failed | iterations | µs a solve | ns a joint update |");
    println!("|---|---|---|---|---|---|");
    measure("default", "–", Settings { max_iterations: 200, ..Settings::default() });
    let relaxation = Settings { method: Method::Relaxation, ..Settings::default() };
    measure("relaxation", "–", Settings { max_iterations: 200, ..relaxation });
    let helped = Settings { method: Method::Sweeps, ..Settings::default() };
    measure("alternating, unstuck", "exact", Settings { max_iterations: 200, ..helped });
    for (sweep_name, sweep) in sweeps {
        for (step_name, step) in &steps {
            let settings =
                Settings { sweep, step: *step, max_iterations: 200, ..Settings::plain() };
            measure(sweep_name, step_name, settings);
        }
    }
}

fn measure(sweep: &str, step: &str, settings: Settings) {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    if !format!("{sweep}, {step}").contains(&wanted) {
        return;
    }
    let mut links = vec![Link::base()];
    for i in 0..LINKS {
        let offset = if i == 0 { Vec3::zeros() } else { Vec3::x() };
        links.push(Link::child(LinkId::new(i), offset, Joint::ball()));
    }
    let tree = Tree::new(&links).expect("a chain is a tree");
    let tip = Effector::new(LinkId::new(LINKS), Vec3::x()).with_tolerance(0.01, 0.01);
    let plan = Plan::new(tree, &[tip]).expect("the effector is on the chain");
    let mut scratch = Scratch::new(&plan);
    let straight = TreePose::rest(plan.tree());
    let mut pose = straight.clone();
    let goals = goals();
    let (mut failed, mut iterations) = (0, 0);
    let mut best_us = f64::INFINITY;
    // The quickest of several runs is the one that least else came between.
    for _ in 0..7 {
        (failed, iterations) = (0, 0);
        let clock = Instant::now();
        for &goal in &goals {
            pose.copy_from(&straight);
            let goals = &[Goal::at(goal)];
            let job = Job::new(&plan, goals, &settings);
            let outcome = solve(&job, &mut pose, &mut scratch);
            failed += usize::from(outcome.status != Status::Reached);
            iterations += outcome.iterations as usize;
        }
        best_us = best_us.min(clock.elapsed().as_secs_f64() * 1e6 / GOALS as f64);
    }
    let mean = iterations as f64 / GOALS as f64;
    let update_ns = best_us * 1e3 / (mean * LINKS as f64);
    println!("| {sweep} | {step} | {failed} | {mean:.1} | {best_us:.1} | {update_ns:.0} |");
}

/// Goals uniform in a ball of 0.95 of the reach, the same every time.
fn goals() -> Vec<Vec3> {
    let mut state = 1_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    };
    let mut goals = Vec::new();
    while goals.len() < GOALS {
        let p = Vec3::new(uniform(), uniform(), uniform());
        if p.norm() <= 1.0 {
            goals.push(p * 0.95 * LINKS as f64);
        }
    }
    goals
}
