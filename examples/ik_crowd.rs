//! A crowd of 100 bipeds of 11 links, each with 4 goals, all moving at an interactive rate on one
//! core.
//!
//! `cargo run --release --example ik_crowd [OUT.bvh]`

mod ik_common;

use ik_common::{Bone, Film, RATE_HZ, Totals, skeleton};
use retarget::ik::*;
use retarget::internals::pose::Pose;
use retarget::{Quat, Vec3};
use std::error::Error;
use std::time::Instant;

const BIPEDS: usize = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let v = Vec3::new;
    // Hips and trunk, two legs of three, two arms of three less the hands: 11 links.
    let one: [(&str, Option<usize>, Vec3); 11] = [
        ("hips", None, v(0.0, 0.0, 0.0)),
        ("thigh.l", Some(0), v(0.1, 0.0, 0.0)),
        ("shin.l", Some(1), v(0.0, -0.45, 0.02)),
        ("foot.l", Some(2), v(0.0, -0.45, -0.02)),
        ("thigh.r", Some(0), v(-0.1, 0.0, 0.0)),
        ("shin.r", Some(4), v(0.0, -0.45, 0.02)),
        ("foot.r", Some(5), v(0.0, -0.45, -0.02)),
        ("arm.l", Some(0), v(0.18, 0.5, 0.0)),
        ("forearm.l", Some(7), v(0.0, -0.28, 0.0)),
        ("arm.r", Some(0), v(-0.18, 0.5, 0.0)),
        ("forearm.r", Some(9), v(0.0, -0.28, 0.0)),
    ];
    let mut bones: Vec<Bone> = Vec::new();
    for biped in 0..BIPEDS {
        for (name, parent, offset) in one {
            let parent = parent.map(|p| p + biped * one.len());
            bones.push((format!("{name}.{biped}"), parent, offset));
        }
    }
    let skeleton = skeleton(&bones, v(0.0, -0.1, 0.1))?;
    let links = one.map(|(_, parent, offset)| match parent {
        Some(parent) => Link::child(LinkId::new(parent), offset, Joint::ball()),
        None => Link::base(),
    });
    let mut tree = Tree::new(&links)?;
    for (middle, axis) in [(2, Vec3::x()), (5, Vec3::x()), (8, -Vec3::x()), (10, -Vec3::x())] {
        tree.set_joint(LinkId::new(middle), Joint::ball().with_bend_axis(axis))?;
    }
    let hand = v(0.0, -0.25, 0.05);
    let effectors = [
        Effector::new(LinkId::new(3), Vec3::zeros()),
        Effector::new(LinkId::new(6), Vec3::zeros()),
        Effector::new(LinkId::new(8), hand).with_priority(1),
        Effector::new(LinkId::new(10), hand).with_priority(1),
    ];
    let plan = Plan::new(tree, &effectors)?;
    let settings = Settings::default();
    let mut scratch = Scratch::new(&plan);
    let mut poses = vec![TreePose::rest(plan.tree()); BIPEDS];
    let (mut film, mut totals) = (Film::new(&skeleton, "ik_crowd")?, Totals::default());
    let mut frame_pose = Pose::rest(&skeleton);
    // The quickest frame is the one that least else came between.
    let mut quickest_s = f64::INFINITY;
    for frame in 0..120 {
        let before_s = totals.seconds;
        let t = f64::from(frame) / RATE_HZ;
        for (biped, pose) in poses.iter_mut().enumerate() {
            let phase = biped as f64 * 0.7;
            let place = v((biped % 10) as f64 * 1.2, 0.0, (biped / 10) as f64 * 1.2);
            let hips = place + v(0.0, 0.84 + 0.03 * (3.0 * t + phase).sin(), 0.0);
            pose.shifts[0] = hips;
            pose.rotations[0] = Quat::from_axis_angle(&Vec3::y_axis(), 0.3 * (t + phase).sin());
            let stamp = |x: f64, side: f64| {
                let lift = (3.0 * t + phase + side).sin().max(0.0) * 0.15;
                Goal::pose(place + v(x, lift, 0.3 * lift), Quat::identity())
            };
            let wave = |x: f64, side: f64| {
                let up = 0.15 * (2.0 * t + phase + side).sin();
                Goal::at(hips + v(x, 0.35 + up, 0.3))
            };
            let goals = [stamp(0.1, 0.0), stamp(-0.1, 3.1), wave(0.25, 0.0), wave(-0.25, 1.5)];
            let clock = Instant::now();
            let outcome = solve(&Job::new(&plan, &goals, &settings), pose, &mut scratch);
            totals.add(&outcome, &scratch, clock.elapsed().as_secs_f64());
            let joints = biped * one.len()..(biped + 1) * one.len();
            frame_pose.rotations[joints.clone()].copy_from_slice(&pose.rotations);
            frame_pose.translations[joints.start] = pose.shifts[0];
        }
        film.push(&frame_pose);
        quickest_s = quickest_s.min(totals.seconds - before_s);
    }
    totals.print();
    let mean_s = totals.seconds / 120.0;
    println!(
        "crowds of {BIPEDS} a second: {:.0} on average, {:.0} in the quickest frame",
        1.0 / mean_s,
        1.0 / quickest_s
    );
    film.write()
}
