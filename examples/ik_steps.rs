//! Bodies that walk by their feet alone: a biped of 20 links and a hexapod, both rooted anew at a
//! standing foot with every step, so that no standing foot slides.
//!
//! `cargo run --release --example ik_steps [OUT.bvh]`, with `-- OUT.bvh hexapod` for six legs.

mod ik_common;

use ik_common::{Bone, Film, Totals, skeleton};
use retarget::Vec3;
use retarget::ik::*;
use retarget::internals::pose::{Pose, WorldPose};
use retarget::internals::skeleton::Skeleton;
use std::error::Error;
use std::time::Instant;

/// Which way legs go and how the body hangs on them.
struct Body {
    skeleton: Skeleton,
    tree: Tree,
    /// Thigh and foot of every leg.
    legs: Vec<(usize, usize)>,
    /// Legs that swing together.
    gaits: Vec<Vec<usize>>,
    hips_up: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let body = match std::env::args().nth(2).as_deref() {
        Some("hexapod") => hexapod()?,
        Some(other) => return Err(format!("no body called {other:?}; there is hexapod").into()),
        None => biped()?,
    };
    walk(&body)
}

fn biped() -> Result<Body, Box<dyn Error>> {
    let v = Vec3::new;
    let mut bones: Vec<Bone> = vec![("hips".into(), None, Vec3::zeros())];
    let mut legs = Vec::new();
    for (side, x) in [("left", 1.0), ("right", -1.0)] {
        let thigh = bones.len();
        bones.push((format!("{side} thigh"), Some(0), v(0.1 * x, -0.05, 0.0)));
        bones.push((format!("{side} shin"), Some(thigh), v(0.0, -0.44, 0.02)));
        bones.push((format!("{side} foot"), Some(thigh + 1), v(0.0, -0.44, -0.02)));
        bones.push((format!("{side} toe"), Some(thigh + 2), v(0.0, -0.06, 0.13)));
        legs.push((thigh, thigh + 2));
    }
    let chest = bones.len();
    for (name, up) in [("chest", 0.25), ("neck", 0.3), ("head", 0.1)] {
        let parent = if name == "chest" { 0 } else { bones.len() - 1 };
        bones.push((name.into(), Some(parent), v(0.0, up, 0.0)));
    }
    for (side, x) in [("left", 1.0), ("right", -1.0)] {
        bones.push((format!("{side} clavicle"), Some(chest), v(0.04 * x, 0.22, 0.0)));
        for (name, place) in [
            ("arm", v(0.14 * x, 0.0, 0.0)),
            ("forearm", v(0.03 * x, -0.28, 0.0)),
            ("hand", v(0.0, -0.25, 0.04)),
        ] {
            bones.push((format!("{side} {name}"), Some(bones.len() - 1), place));
        }
    }
    let skeleton = skeleton(&bones, v(0.0, 0.0, 0.08))?;
    let mut tree = Tree::from_skeleton(&skeleton)?;
    for (thigh, _) in &legs {
        tree.set_joint(LinkId::new(thigh + 1), Joint::ball().with_bend_axis(Vec3::x()))?;
    }
    Ok(Body { skeleton, tree, legs, gaits: vec![vec![0], vec![1]], hips_up: 0.93 })
}

fn hexapod() -> Result<Body, Box<dyn Error>> {
    let v = Vec3::new;
    let mut bones: Vec<Bone> = vec![("body".into(), None, Vec3::zeros())];
    let mut legs = Vec::new();
    for (row, z) in [0.5, 0.0, -0.5].into_iter().enumerate() {
        for x in [1.0, -1.0] {
            let thigh = bones.len();
            let side = if x > 0.0 { "left" } else { "right" };
            bones.push((format!("{side} thigh {row}"), Some(0), v(0.2 * x, 0.0, z)));
            bones.push((format!("{side} shin {row}"), Some(thigh), v(0.4 * x, 0.3, 0.0)));
            bones.push((format!("{side} foot {row}"), Some(thigh + 1), v(0.25 * x, -0.7, 0.0)));
            legs.push((thigh, thigh + 2));
        }
    }
    let skeleton = skeleton(&bones, v(0.0, -0.05, 0.0))?;
    let tree = Tree::from_skeleton(&skeleton)?;
    // Two tripods in turn.
    Ok(Body { skeleton, tree, legs, gaits: vec![vec![0, 3, 4], vec![1, 2, 5]], hips_up: 0.4 })
}

fn walk(body: &Body) -> Result<(), Box<dyn Error>> {
    let name = |joint: usize| LinkId::new(joint);
    // One plan for each foot that the body may stand on; link ids are the same in all of them.
    let plan_on = |base: usize| -> Result<Plan, Box<dyn Error>> {
        let mut effectors = vec![
            Effector::new(name(0), Vec3::zeros())
                .with_tolerance_ratio(1e-9)
                .with_tolerance_rad(1e-9),
        ];
        for (leg, &(thigh, foot)) in body.legs.iter().enumerate() {
            let effector = Effector::new(name(foot), Vec3::zeros())
                .with_priority(1 + leg as u32)
                .with_span(Span::UpTo(name(thigh)))
                .with_tolerance_ratio(1e-9)
                .with_tolerance_rad(1e-9);
            effectors.push(effector);
        }
        let tree = body.tree.rerooted(name(body.legs[base].1))?;
        Ok(Plan::new(tree, &effectors)?)
    };
    let plans: Vec<Plan> = (0..body.legs.len()).map(plan_on).collect::<Result<_, _>>()?;
    let mut scratch = Scratch::new(&plans[0]);
    let settings = Settings::default();

    let mut at_hips = TreePose::rest(&body.tree);
    at_hips.shifts[0] = Vec3::y() * body.hips_up;
    let mut world = WorldPose::new(body.tree.len());
    body.tree.world(&at_hips, &mut world);
    let home: Vec<Vec3> = body.legs.iter().map(|&(_, foot)| world.positions[foot]).collect();
    let turned: Vec<_> = body.legs.iter().map(|&(_, foot)| world.rotations[foot]).collect();
    let mut standing = home.clone();

    let (mut film, mut totals) = (Film::new(&body.skeleton, "ik_steps")?, Totals::default());
    let mut frame_pose = Pose::rest(&body.skeleton);
    let (step_frames, stride) = (15, 0.3);
    let mut slid: f64 = 0.0;
    for frame in 0..16 * step_frames {
        let (step, along) =
            (frame / step_frames, (frame % step_frames + 1) as f64 / step_frames as f64);
        let swinging = &body.gaits[step % body.gaits.len()];
        let base = (0..body.legs.len()).find(|leg| !swinging.contains(leg)).unwrap_or(0);
        let plan = &plans[base];
        let travelled = stride * (step as f64 + along) / body.gaits.len() as f64;
        let down = if body.legs.len() == 2 { 0.03 + 0.02 * (along - 0.5).abs() } else { 0.0 };
        let sway = 0.01 * (std::f64::consts::PI * (step as f64 + along)).cos();
        let hips = Vec3::new(sway, body.hips_up - down, travelled);
        let mut goals = vec![Goal::pose(hips, world.rotations[0])];
        for (leg, home) in home.iter().enumerate() {
            let mut at = standing[leg];
            if swinging.contains(&leg) {
                let from = standing[leg].z;
                let to = home.z + stride * (step as f64 + 1.5) / body.gaits.len() as f64;
                let ease = along * along * (3.0 - 2.0 * along);
                at.z = from + (to - from) * ease;
                at.y = home.y + 0.08 * (std::f64::consts::PI * along).sin();
                if frame % step_frames == step_frames - 1 {
                    standing[leg] = Vec3::new(at.x, home.y, at.z);
                }
            }
            // The base is where it is; asking for it again would move nothing.
            goals.push(if leg == base { Goal::none() } else { Goal::pose(at, turned[leg]) });
        }
        let clock = Instant::now();
        let mut at_foot = TreePose::rest(plan.tree());
        at_foot.set_rerooted(plan.tree(), &body.tree, &at_hips);
        let outcome = solve(&Job::new(plan, &goals, &settings), &mut at_foot, &mut scratch);
        totals.add(&outcome, &scratch, clock.elapsed().as_secs_f64());
        at_hips.set_rerooted(&body.tree, plan.tree(), &at_foot);
        body.tree.world(&at_hips, &mut world);
        slid = slid.max((world.positions[body.legs[base].1] - standing[base]).norm());
        at_hips.write_skeleton(&body.tree, &mut frame_pose);
        film.push(&frame_pose);
        if frame == step_frames * 5 / 2 {
            draw(&body.skeleton, &world);
        }
    }
    println!("{} links", body.tree.len());
    totals.print();
    println!("a standing base slid by {slid:.1e} at most");
    film.write()
}

/// The body from its left side, walking to the right, as characters.
fn draw(skeleton: &Skeleton, world: &WorldPose) {
    let (wide, high, scale) = (64_usize, 30_usize, 16.0);
    let mut page = vec![vec![' '; wide]; high];
    let middle = world.positions[0].z;
    let mut plot = |p: Vec3, mark: char| {
        let column = (wide as f64 / 2.0 + (p.z - middle) * scale * 2.0).round();
        let row = (high as f64 - 2.0 - p.y * scale).round();
        if (0.0..wide as f64).contains(&column) && (0.0..high as f64).contains(&row) {
            page[row as usize][column as usize] = mark;
        }
    };
    for (place, joint) in skeleton.joints().iter().enumerate() {
        let Some(parent) = joint.parent else { continue };
        let mark = match joint.name.chars().next() {
            Some('l') => 'l',
            Some('r') => 'r',
            _ => '|',
        };
        let (from, to) = (world.positions[parent.index()], world.positions[place]);
        for i in 0..=20 {
            plot(from + (to - from) * (f64::from(i) / 20.0), mark);
        }
    }
    for p in &world.positions {
        plot(*p, 'o');
    }
    for row in page {
        println!("{}", row.into_iter().collect::<String>().trim_end());
    }
}
