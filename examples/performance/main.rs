//! Measures what a frame costs, stage by stage, and prints the tables of docs/results/performance.md.
//!
//!     cargo run --release --example performance
//!     cargo run --release --example performance -- --stages
//!     cargo run --release --example performance -- --job FRAMES
//!     cargo run --release --example performance -- --once STAGE JOINTS
//!
//! The second prints the stages alone, the third the whole job on clips of so many frames. The fourth does one stage
//! once, for a tool that counts instructions (benches/instructions.sh), and prints its frames.

mod bodies;
mod job;
#[path = "../results/plain.rs"]
mod plain;
mod stages;

use bodies::Body;
use job::Job;
use retarget::internals::blocks::with_threads;
use retarget::internals::math::median;
use stages::STAGES;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::time::{Duration, Instant};

/// Joints of the two bodies.
const JOINTS: [usize; 2] = [31, 78];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match &args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            with_threads(NonZeroUsize::MIN, stage_table);
            job_table(50_000);
        }
        ["--stages"] => with_threads(NonZeroUsize::MIN, stage_table),
        ["--job", frames] => job_table(frames.parse().expect("--job FRAMES")),
        ["--once", stage, joints] => {
            let joints = joints.parse().expect("--once STAGE JOINTS");
            with_threads(NonZeroUsize::MIN, || once(stage, joints));
        }
        _ => panic!("unknown arguments {args:?}"),
    }
}

/// Nanoseconds a frame of each stage on one thread, beside the yardstick's.
fn stage_table() {
    println!("| stage | 31 joints | yardstick | 78 joints | yardstick |");
    println!("|---|---|---|---|---|");
    let bodies = JOINTS.map(Body::new);
    for stage in STAGES {
        print!("| {} ", stage.name);
        for (body, yardstick) in bodies.iter().zip(stage.yardstick) {
            let frames = body.clip.len() as f64;
            let ns = quickest(&mut *(stage.work)(body)).as_nanos() as f64 / frames;
            let yardstick = yardstick.map_or(String::new(), |ns: u32| ns.to_string());
            print!("| {ns:.0} | {yardstick} ");
        }
        println!("|");
    }
}

/// The whole job, file to file, and the start of the program, which is the job on a short clip.
fn job_table(frames: usize) {
    const ROUNDS: usize = 15;
    const ONE: Range<usize> = 0..1;
    const TWO: Range<usize> = 0..2;
    job::build();
    println!("\n| whole job, {frames} frames | 31 joints | yardstick | 78 joints | yardstick |");
    println!("|---|---|---|---|---|");
    let bodies = JOINTS.map(Body::new);
    let jobs = bodies.each_ref().map(|body| Job::new(body, frames));
    // By turns, so that the machine is the same for all.
    let round = |job: &Job| {
        let runs: [&[Range<usize>]; 3] = [&[ONE], &[TWO], &[ONE, 1..2]];
        runs.map(|runs| job.time(runs).as_secs_f64())
    };
    let rounds = jobs.each_ref().map(|job| [(); ROUNDS].map(|()| round(job)));
    for (place, name, yardsticks) in [
        (0, "frames a second, one core", ["100000", "51000"]),
        (1, "frames a second, two cores", [""; 2]),
    ] {
        let quickest = |rounds: &[[f64; 3]; ROUNDS]| {
            frames as f64 / rounds.iter().map(|times| times[place]).fold(f64::MAX, f64::min)
        };
        let [small, large] = rounds.each_ref().map(quickest);
        println!("| {name} | {small:.0} | {} | {large:.0} | {} |", yardsticks[0], yardsticks[1]);
    }
    // Two programs side by side do twice the work.
    for (place, work, name) in
        [(1, 1.0, "two cores over one"), (2, 2.0, "two programs side by side over one")]
    {
        let ratio = |times: [f64; 3]| work * times[0] / times[place];
        let [small, large] = rounds.each_ref().map(|rounds| median(rounds.map(ratio)));
        println!("| {name}, median of {ROUNDS} | {small:.2} | | {large:.2} | |");
    }
    for cores in [ONE, TWO] {
        let over = |job: &Job| job.peak_bytes(&cores) as f64 / job.input_bytes as f64;
        let [small, large] = jobs.each_ref().map(over);
        println!(
            "| peak memory over input, {} threads | {small:.2} | | {large:.2} | |",
            cores.len()
        );
    }
    let [small, large] = bodies.each_ref().map(|body| {
        let job = Job::new(body, 30);
        median([(); 50].map(|()| job.time(&[TWO]).as_secs_f64() * 1e3))
    });
    println!("| a clip of 30 frames, ms, median of 50 | {small:.1} | | {large:.1} | |");
}

/// The quickest of many runs: what the work takes when nothing else does.
fn quickest(work: &mut dyn FnMut()) -> Duration {
    const FOR: Duration = Duration::from_millis(700);
    let start = Instant::now();
    let mut quickest = Duration::MAX;
    while start.elapsed() < FOR {
        let run = Instant::now();
        measured(work);
        quickest = quickest.min(run.elapsed());
    }
    quickest
}

/// A name for profilers to find the work by.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
}

fn once(name: &str, joints: usize) {
    let stage = STAGES.iter().find(|stage| stage.name == name).expect("a stage of the table");
    let body = Body::new(joints);
    measured(&mut *(stage.work)(&body));
    println!("{}", body.clip.len());
}
