//! A tree of 32 links: a trunk that forks into three arms, each following its own goal.
//!
//! `cargo run --release --example ik_branches [OUT.bvh]`

mod ik_common;

use ik_common::{Bone, Film, RATE_HZ, Totals, skeleton};
use retarget::Vec3;
use retarget::ik::*;
use retarget::internals::pose::Pose;
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    // The base, 7 links of trunk and 3 arms of 8 links.
    let mut bones: Vec<Bone> = vec![("base".into(), None, Vec3::zeros())];
    for i in 0..7 {
        let offset = if i == 0 { Vec3::zeros() } else { Vec3::y() * 0.3 };
        bones.push((format!("trunk{i}"), Some(i), offset));
    }
    let mut tips = Vec::new();
    for arm in 0..3 {
        let turn = arm as f64 * std::f64::consts::TAU / 3.0;
        let out = Vec3::new(turn.sin(), 1.0, turn.cos()).normalize() * 0.25;
        for i in 0..8 {
            let parent = if i == 0 { 7 } else { bones.len() - 1 };
            bones.push((format!("arm{arm}.{i}"), Some(parent), out));
        }
        tips.push((bones.len() - 1, out));
    }
    let skeleton = skeleton(&bones, Vec3::y() * 0.25)?;
    let tree = Tree::from_skeleton(&skeleton)?;
    println!("{} links", tree.len());
    let effectors: Vec<Effector> =
        tips.iter().map(|&(tip, out)| Effector::new(LinkId::new(tip), out)).collect();
    let plan = Plan::new(tree, &effectors)?;
    let settings = Settings::default();
    let (mut pose, mut scratch) = (TreePose::rest(plan.tree()), Scratch::new(&plan));
    let (mut film, mut totals) = (Film::new(&skeleton, "ik_branches")?, Totals::default());
    let mut frame_pose = Pose::rest(&skeleton);
    for frame in 0..240 {
        let t = f64::from(frame) / RATE_HZ;
        let goal = |arm: usize| {
            let turn = arm as f64 * std::f64::consts::TAU / 3.0 + 0.4 * t;
            let far = 1.3 + 0.5 * (1.1 * t + arm as f64).sin();
            Goal::at(Vec3::new(far * turn.sin(), 2.0 + 0.8 * (0.7 * t).cos(), far * turn.cos()))
        };
        let goals = [goal(0), goal(1), goal(2)];
        let clock = Instant::now();
        let outcome = solve(&Job::new(&plan, &goals, &settings), &mut pose, &mut scratch);
        totals.add(&outcome, &scratch, clock.elapsed().as_secs_f64());
        pose.write_skeleton(plan.tree(), &mut frame_pose);
        film.push(&frame_pose);
    }
    totals.print();
    film.write()
}
