//! A tree of 100 links with 14 effectors, in three priorities.
//!
//! `cargo run --release --example ik_hundred [OUT.bvh]`

mod ik_common;

use ik_common::{Bone, Film, RATE_HZ, Totals, skeleton};
use retarget::Vec3;
use retarget::ik::*;
use retarget::internals::pose::{Pose, WorldPose};
use std::error::Error;
use std::f64::consts::TAU;
use std::time::Instant;

const BRANCHES: usize = 14;

fn main() -> Result<(), Box<dyn Error>> {
    // A stem of 16 links; on every one but the first two a branch of 6.
    let mut bones: Vec<Bone> = Vec::new();
    let mut tips = Vec::new();
    let mut stem = None;
    for i in 0..16 {
        bones.push((
            format!("stem{i}"),
            stem,
            if i == 0 { Vec3::zeros() } else { Vec3::y() * 0.3 },
        ));
        stem = Some(bones.len() - 1);
        if i < 2 {
            continue;
        }
        let turn = (i - 2) as f64 * TAU * 0.382;
        let out = Vec3::new(turn.cos(), 0.3, turn.sin()) * 0.2;
        for k in 0..6 {
            let parent = if k == 0 { stem } else { Some(bones.len() - 1) };
            bones.push((format!("branch{i}.{k}"), parent, out));
        }
        tips.push((bones.len() - 1, out));
    }
    assert_eq!((bones.len(), tips.len()), (100, BRANCHES));
    let skeleton = skeleton(&bones, Vec3::y() * 0.1)?;
    let mut tree = Tree::from_skeleton(&skeleton)?;
    for (place, (name, ..)) in bones.iter().enumerate() {
        if name.starts_with("stem") && place > 0 {
            // The stem is stiff: half of every step.
            tree.set_joint(LinkId::new(place), Joint::ball().with_weight(0.5))?;
        }
    }
    let effectors: Vec<Effector> = tips
        .iter()
        .enumerate()
        .map(|(e, &(tip, out))| {
            // The first two branches lead and may bend the stem; the others reach with their own links.
            let effector = Effector::new(LinkId::new(tip), out)
                .with_tolerance_ratio(5e-3)
                .with_tolerance_rad(1e-2);
            if e < 2 {
                effector.with_priority(e as u32)
            } else {
                effector.with_priority(2).with_span(Span::Joints(6))
            }
        })
        .collect();
    let plan = Plan::new(tree, &effectors)?;
    let mut rest = WorldPose::new(plan.tree().len());
    plan.tree().world(&TreePose::rest(plan.tree()), &mut rest);

    let settings = Settings::default();
    let (mut pose, mut scratch) = (TreePose::rest(plan.tree()), Scratch::new(&plan));
    let (mut film, mut totals) = (Film::new(&skeleton, "ik_hundred")?, Totals::default());
    let mut frame_pose = Pose::rest(&skeleton);
    for frame in 0..240 {
        let t = f64::from(frame) / RATE_HZ;
        let goals: Vec<Goal> = tips
            .iter()
            .enumerate()
            .map(|(e, &(tip, out))| {
                let phase = e as f64;
                let way = Vec3::new((t + phase).sin(), (1.3 * t).sin(), (0.8 * t - phase).cos());
                Goal::at(rest.positions[tip] - out * 1.5 + way * 0.2)
            })
            .collect();
        let clock = Instant::now();
        let outcome = solve(&Job::new(&plan, &goals, &settings), &mut pose, &mut scratch);
        totals.add(&outcome, &scratch, clock.elapsed().as_secs_f64());
        pose.write_skeleton(plan.tree(), &mut frame_pose);
        film.push(&frame_pose);
    }
    totals.print();
    film.write()
}
