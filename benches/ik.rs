//! Speed of the solver: the yardstick chain, plain sweeps, limbs and crowds.

#[path = "../examples/ik_yardstick/chain.rs"]
mod chain;

use chain::{GOALS, LINKS, chain, goals};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use retarget::ik::*;
use retarget::{Quat, Vec3};
use std::hint::black_box;

/// 1,000 solves of the yardstick from the straight chain.
fn yardstick(c: &mut Criterion) {
    let mut group = c.benchmark_group("yardstick, 1000 solves of 20 links");
    group.throughput(Throughput::Elements(GOALS as u64)).sample_size(20);
    let plan = chain(0.01);
    let goals = goals(0);
    let straight = TreePose::rest(plan.tree());
    let (mut pose, mut scratch) = (straight.clone(), Scratch::new(&plan));
    for (name, settings) in [("default", Settings::default()), ("plain", Settings::plain())] {
        let settings = Settings { max_iterations: 200, ..settings };
        group.bench_function(name, |b| {
            b.iter(|| {
                for &goal in &goals {
                    pose.copy_from(&straight);
                    let goal = [Goal::at(goal)];
                    black_box(solve(&Job::new(&plan, &goal, &settings), &mut pose, &mut scratch));
                }
            });
        });
    }
    group.finish();
}

/// 200 passes over 20 joints towards a goal that they never quite reach: nothing but joint updates.
fn joint_update(c: &mut Criterion) {
    let mut group = c.benchmark_group("joint update, 200 passes of 20 joints");
    group.throughput(Throughput::Elements(200 * LINKS as u64));
    // No tolerance, so that no pass is the last.
    let plan = chain(0.0);
    let straight = TreePose::rest(plan.tree());
    let (mut pose, mut scratch) = (straight.clone(), Scratch::new(&plan));
    let goal = [Goal::at(Vec3::new(4.0, 14.0, 12.0))];
    let settings = Settings { max_iterations: 200, ..Settings::plain() };
    group.bench_function("tip to base", |b| {
        b.iter(|| {
            pose.copy_from(&straight);
            let outcome = solve(&Job::new(&plan, &goal, &settings), &mut pose, &mut scratch);
            assert_eq!(black_box(outcome.iterations), 200);
        });
    });
    group.finish();
}

/// A frame of 100 bipeds of 11 links with 4 goals each, moving coherently.
fn crowd(c: &mut Criterion) {
    let v = Vec3::new;
    let knee = Joint::ball().with_bend_axis(Vec3::x());
    let elbow = Joint::ball().with_bend_axis(-Vec3::x());
    let child = |parent, place, joint| Link::child(LinkId::new(parent), place, joint);
    let links = [
        Link::base(),
        child(0, v(0.1, 0.0, 0.0), Joint::ball()),
        child(1, v(0.0, -0.45, 0.02), knee),
        child(2, v(0.0, -0.45, -0.02), Joint::ball()),
        child(0, v(-0.1, 0.0, 0.0), Joint::ball()),
        child(4, v(0.0, -0.45, 0.02), knee),
        child(5, v(0.0, -0.45, -0.02), Joint::ball()),
        child(0, v(0.18, 0.5, 0.0), Joint::ball()),
        child(7, v(0.0, -0.28, 0.0), elbow),
        child(0, v(-0.18, 0.5, 0.0), Joint::ball()),
        child(9, v(0.0, -0.28, 0.0), elbow),
    ];
    let hand = v(0.0, -0.25, 0.05);
    let effectors = [
        Effector::new(LinkId::new(3), Vec3::zeros()),
        Effector::new(LinkId::new(6), Vec3::zeros()),
        Effector::new(LinkId::new(8), hand).with_priority(1),
        Effector::new(LinkId::new(10), hand).with_priority(1),
    ];
    let plan = Plan::new(Tree::new(&links).expect("a body"), &effectors).expect("its ends");
    let settings = Settings::default();
    let mut scratch = Scratch::new(&plan);
    let mut poses = vec![TreePose::rest(plan.tree()); 100];
    let mut frame = 0;
    c.bench_function("crowd of 100 bipeds", |b| {
        b.iter(|| {
            frame += 1;
            let t = f64::from(frame) / 30.0;
            let mut reached = 0;
            for (biped, pose) in poses.iter_mut().enumerate() {
                let phase = biped as f64 * 0.7 + t;
                let (sin, cos) = phase.sin_cos();
                let hips = v(0.0, 0.84 + 0.03 * sin, 0.0);
                pose.shifts[0] = hips;
                let step = |x: f64, lift: f64| {
                    Goal::pose(v(x, lift.max(0.0) * 0.15, 0.1 * cos), Quat::identity())
                };
                let wave = |x: f64| Goal::at(hips + v(x, 0.35 + 0.15 * cos, 0.3));
                let goals = [step(0.1, sin), step(-0.1, -sin), wave(0.25), wave(-0.25)];
                let outcome = solve(&Job::new(&plan, &goals, &settings), pose, &mut scratch);
                reached += usize::from(outcome.status == Status::Reached);
            }
            assert_eq!(reached, 100);
        });
    });
}

/// Sixteen arms of one body, of free joints and of hinges: as one solve, part by part, and on two threads.
fn arms(c: &mut Criterion) {
    let mut group = c.benchmark_group("16 arms of one body");
    let hinge = Joint::hinge(Vec3::x(), Range::new(-0.3, 0.4));
    for (name, bones, middle) in
        [("2 bones", 2, Joint::ball()), ("20 bones", 20, Joint::ball()), ("60 hinges", 60, hinge)]
    {
        let mut body = TreeBuilder::new();
        let trunk = body.base("trunk");
        let (mut effectors, mut goals) = (Vec::new(), Vec::new());
        for arm in 0..16 {
            let at = Vec3::new(f64::from(arm), 0.0, 0.0);
            let mut last = body.link(format!("{arm}"), trunk, at, Joint::ball());
            for bone in 1..bones {
                last = body.link(format!("{arm}, {bone}"), last, Vec3::y(), middle);
            }
            effectors.push(Effector::new(last, Vec3::y()));
            goals.push(Goal::at(at + Vec3::new(0.2, 0.5, 0.6) * f64::from(bones)));
        }
        let plan = Plan::new(body.build().expect("a body"), &effectors).expect("its ends");
        let settings = Settings::default();
        let rest = TreePose::rest(plan.tree());
        let (mut pose, mut scratch) = (rest.clone(), Scratch::new(&plan));
        group.bench_function(format!("{name}, one solve"), |b| {
            b.iter(|| {
                pose.copy_from(&rest);
                black_box(solve(&Job::new(&plan, &goals, &settings), &mut pose, &mut scratch));
            });
        });
        let mut parts = plan.parts();
        group.bench_function(format!("{name}, part by part"), |b| {
            b.iter(|| {
                pose.copy_from(&rest);
                for arm in &mut parts {
                    black_box(arm.solve(&goals, &settings, &rest));
                }
                parts.iter().for_each(|part| part.write(&mut pose));
            });
        });
        group.bench_function(format!("{name}, two threads"), |b| {
            b.iter(|| {
                pose.copy_from(&rest);
                std::thread::scope(|scope| {
                    let (rest, goals, settings) = (&rest, &goals, &settings);
                    for half in parts.chunks_mut(8) {
                        scope.spawn(move || {
                            for arm in half {
                                arm.solve(goals, settings, rest);
                            }
                        });
                    }
                });
                parts.iter().for_each(|part| part.write(&mut pose));
            });
        });
    }
    group.finish();
}

criterion_group!(benches, yardstick, joint_update, crowd, arms);
criterion_main!(benches);
