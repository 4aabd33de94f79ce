//! The bodies of the picture, each solved frame by frame.

use crate::svg::{FRAMES, Panel};
use retarget::ik::*;
use retarget::internals::pose::WorldPose;
use retarget::{Quat, Vec3};
use std::error::Error;
use std::f64::consts::TAU;

type Done = Result<(), Box<dyn Error>>;

const BONE: &str = "#2b6cb0";
const GOAL: &str = "#c53030";
const LIMIT: &str = "#d9822b";

fn v(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z)
}

/// All frames of a second round; the first one is there to come into the rhythm. Angles run once around in a round.
fn second_round(mut frame: impl FnMut(usize, f64, bool)) {
    for i in 0..2 * FRAMES {
        frame(i % FRAMES, TAU * (i % FRAMES) as f64 / FRAMES as f64, i >= FRAMES);
    }
}

/// A row of so many links, all ball joints.
fn row(count: usize, len: f64) -> Result<(Plan, Vec3), Box<dyn Error>> {
    let mut body = TreeBuilder::new();
    let mut last = body.base("base");
    for i in 0..count {
        let place = if i == 0 { Vec3::zeros() } else { Vec3::y() * len };
        last = body.link(format!("link {i}"), last, place, Joint::ball());
    }
    let tip = Vec3::y() * len;
    Ok((Plan::new(body.build()?, &[Effector::new(last, tip)])?, tip))
}

/// A row of links whose tip follows a goal.
fn follow(
    panel: &mut Panel,
    count: usize,
    len: f64,
    settings: &Settings,
    goal: fn(f64) -> Vec3,
) -> Done {
    let (plan, tip) = row(count, len)?;
    let (mut pose, mut scratch) = (TreePose::rest(plan.tree()), Scratch::new(&plan));
    let (mut lines, mut goals) = (Vec::new(), Vec::new());
    second_round(|_, angle, is_drawn| {
        let at = goal(angle);
        solve_pose(&Job::new(&plan, &[Goal::at(at)], settings), &mut pose, &mut scratch);
        if is_drawn {
            let world = scratch.world();
            let end = world.positions[count] + world.rotations[count] * tip;
            lines.push([&world.positions[1..], &[end]].concat());
            goals.push(at);
        }
    });
    panel.line(BONE, "bone", &lines);
    panel.dot(GOAL, &goals);
    Ok(())
}

pub fn snake(mut panel: Panel) -> Done {
    panel.origin = [160.0, 240.0];
    let settings = Settings { sweep: Sweep::TipToBase, ..Settings::tracking() };
    follow(&mut panel, 24, 0.09, &settings, |angle| {
        v(1.1 * angle.sin(), 1.2 + 0.5 * (2.0 * angle).sin(), 0.3 * angle.cos())
    })
}

pub fn hundred(mut panel: Panel) -> Done {
    panel.origin = [160.0, 240.0];
    follow(&mut panel, 100, 0.03, &Settings::default(), |angle| {
        v(1.1 * angle.cos(), 1.2 + 0.6 * angle.sin(), 0.4 * (3.0 * angle).sin())
    })
}

pub fn arm(mut panel: Panel) -> Done {
    (panel.origin, panel.scale) = ([110.0, 150.0], 220.0);
    let cone = Cone {
        twist_axis: Vec3::x(),
        swing_axis: Vec3::y(),
        swing_rad: [0.9, 0.5],
        twist: Range::new(-1.5, 1.5),
    };
    let mut body = TreeBuilder::new();
    let chest = body.base("chest");
    let upper_arm = body.link("upper arm", chest, Vec3::zeros(), Joint::cone(cone));
    let elbow = Joint::hinge(-Vec3::y(), Range::new(0.0, 2.6));
    let forearm = body.link("forearm", upper_arm, v(0.45, 0.0, 0.0), elbow);
    let hand = body.link("hand", forearm, v(0.4, 0.0, 0.0), Joint::ball());
    let plan = Plan::new(body.build()?, &[Effector::new(hand, Vec3::zeros())])?;
    let (mut pose, mut scratch) = (TreePose::rest(plan.tree()), Scratch::new(&plan));
    let (mut lines, mut goals, mut poles) = (Vec::new(), Vec::new(), Vec::new());
    let settings = Settings { max_iterations: 100, ..Settings::tracking() };
    second_round(|_, angle, is_drawn| {
        let at = v(0.6, 0.25 * angle.sin(), 0.15 + 0.15 * angle.cos());
        let pole = v(0.3, -0.6, -0.4);
        let goal = Goal::at(at).with_pole(pole);
        solve_pose(&Job::new(&plan, &[goal], &settings), &mut pose, &mut scratch);
        if is_drawn {
            lines.push(scratch.world().positions[1..].to_vec());
            goals.push(at);
            poles.push(pole);
        }
    });
    // The rim of the cone, as far out as the elbow.
    let third_axis = cone.twist_axis.cross(&cone.swing_axis);
    let rim = (0..=48).map(|i| {
        let (sin, cos) = (TAU * f64::from(i) / 48.0).sin_cos();
        let [a, b] = cone.swing_rad;
        let swing = cone.swing_axis * (a * cos) + third_axis * (b * sin);
        Quat::from_scaled_axis(swing) * (cone.twist_axis * 0.45)
    });
    let rim: Vec<Vec3> = rim.collect();
    let mut outline = vec![Vec3::zeros()];
    outline.extend(&rim[..25]);
    outline.push(Vec3::zeros());
    outline.extend(&rim[24..]);
    outline.push(Vec3::zeros());
    panel.line(LIMIT, "cone", &[outline]);
    panel.line(BONE, "bone", &lines);
    panel.dot(GOAL, &goals);
    panel.dot(LIMIT, &poles);
    Ok(())
}

/// Where a foot is in a gait that goes on by `stride` a round: it stands for a share of the round and swings for the
/// rest.
fn step(angle: f64, phase: f64, stride: f64, height: f64) -> Vec3 {
    let share = (angle / TAU + phase).rem_euclid(1.0);
    let swing = 0.35;
    if share < swing {
        let t = share / swing;
        let ease = t * t * (3.0 - 2.0 * t);
        v(stride * (1.0 - swing) * (ease - 0.5), height * (TAU * 0.5 * t).sin(), 0.0)
    } else {
        let t = (share - swing) / (1.0 - swing);
        v(stride * (1.0 - swing) * (0.5 - t), 0.0, 0.0)
    }
}

pub fn spider(mut panel: Panel) -> Done {
    (panel.origin, panel.scale) = ([230.0, 170.0], 110.0);
    let mut body = TreeBuilder::new();
    let trunk = body.base("trunk");
    let (mut effectors, mut homes) = (Vec::new(), Vec::new());
    for (row, x) in [0.3, 0.1, -0.1, -0.3].into_iter().enumerate() {
        for side in [1.0, -1.0] {
            let name = |part: &str| format!("{part} {row} {side}");
            let knee = Joint::ball().with_bend_axis(Vec3::x() * side);
            let upper = body.link(name("upper"), trunk, v(x, 0.0, 0.15 * side), Joint::ball());
            let lower = body.link(name("lower"), upper, v(0.0, 0.35, 0.35 * side), knee);
            let foot = v(0.0, -0.75, 0.3 * side);
            effectors.push(Effector::new(lower, foot));
            homes.push(v(2.2 * x, -0.4, 0.8 * side));
        }
    }
    let plan = Plan::new(body.build()?, &effectors)?;
    let (mut pose, mut scratch) = (TreePose::rest(plan.tree()), Scratch::new(&plan));
    let mut legs = vec![Vec::new(); homes.len()];
    second_round(|_, angle, is_drawn| {
        pose.set_base(plan.tree(), Vec3::y() * (0.03 * (2.0 * angle).sin()), Quat::identity());
        let goals = homes.iter().enumerate().map(|(leg, home)| {
            let phase = if (leg / 2 + leg % 2).is_multiple_of(2) { 0.0 } else { 0.5 };
            let up = Vec3::y() * 1.5 + *home;
            Goal::at(home + step(angle, phase, 0.5, 0.25)).with_pole(up)
        });
        let goals: Vec<Goal> = goals.collect();
        solve_pose(&Job::new(&plan, &goals, &Settings::default()), &mut pose, &mut scratch);
        let world = scratch.world();
        for (leg, line) in legs.iter_mut().enumerate().filter(|_| is_drawn) {
            let (upper, lower) = (2 * leg + 1, 2 * leg + 2);
            let foot = effectors[leg].point().unwrap_or_default();
            let foot = world.positions[lower] + world.rotations[lower] * foot;
            line.push(vec![
                world.positions[0],
                world.positions[upper],
                world.positions[lower],
                foot,
            ]);
        }
    });
    for line in &legs {
        panel.line(BONE, "bone", line);
    }
    Ok(())
}

pub fn biped(mut panel: Panel) -> Done {
    (panel.origin, panel.scale) = ([220.0, 215.0], 110.0);
    let mut body = TreeBuilder::new();
    let hips = body.base("hips");
    let (mut legs, mut arms) = (Vec::new(), Vec::new());
    let chest = body.link("chest", hips, v(0.0, 0.45, 0.0), Joint::ball());
    body.link("head", chest, v(0.0, 0.25, 0.0), Joint::fixed());
    for (side, z) in [("left", -0.1), ("right", 0.1)] {
        let knee = Joint::ball().with_bend_axis(-Vec3::z());
        let elbow = Joint::hinge(Vec3::z(), Range::new(0.1, 2.4));
        let thigh = body.link(format!("{side} thigh"), hips, v(0.0, 0.0, z), Joint::ball());
        let shin = body.link(format!("{side} shin"), thigh, v(0.0, -0.45, 0.0), knee);
        legs.push((
            thigh,
            body.link(format!("{side} foot"), shin, v(0.0, -0.45, 0.0), Joint::ball()),
        ));
        let arm = body.link(format!("{side} arm"), chest, v(0.0, 0.0, 2.0 * z), Joint::ball());
        let forearm = body.link(format!("{side} forearm"), arm, v(0.0, -0.28, 0.0), elbow);
        arms.push((
            arm,
            body.link(format!("{side} hand"), forearm, v(0.0, -0.25, 0.0), Joint::ball()),
        ));
    }
    let tree = body.build()?;
    let plan_from = |base: usize| {
        let exact = |link, top| Effector::new(link, Vec3::zeros()).with_span(Span::UpTo(top));
        let tree = tree.rerooted(legs[base].1)?;
        let other = legs[1 - base];
        // Seen from the standing foot the shin is the first to turn.
        let shin = LinkId::new(legs[base].1.index() - 1);
        let mut effectors = vec![exact(hips, shin), exact(other.1, other.0)];
        effectors.extend(arms.iter().map(|(arm, hand)| exact(*hand, *arm).with_priority(1)));
        Ok::<Plan, Box<dyn Error>>(Plan::new(tree, &effectors)?)
    };
    let plans = [plan_from(0)?, plan_from(1)?];
    let (mut at_hips, mut scratch) = (TreePose::rest(&tree), Scratch::new(&plans[0]));
    let mut world = WorldPose::new(tree.len());
    let mut drawn = vec![Vec::new(); 5];
    second_round(|_, angle, is_drawn| {
        let feet = [0.0, 0.5].map(|phase| step(angle, phase, 1.1, 0.15));
        let feet = [feet[0] - Vec3::z() * 0.1, feet[1] + Vec3::z() * 0.1];
        // The foot that stands carries the body.
        let base = usize::from(feet[0].y > 0.0);
        let up = 0.82 + 0.02 * (2.0 * angle).cos();
        at_hips.set_base(&tree, Vec3::y() * up, Quat::identity());
        let plan = &plans[base];
        let mut at_foot = TreePose::rest(plan.tree());
        at_foot.set_rerooted(plan.tree(), &tree, &at_hips);
        at_foot.set_base(plan.tree(), feet[base], Quat::identity());
        let hand =
            |side: usize| v(-0.45 * feet[side].x, up + 0.05, if side == 0 { -0.25 } else { 0.25 });
        let goals = [
            Goal::pose(Vec3::y() * up, Quat::identity()),
            Goal::pose(feet[1 - base], Quat::identity()),
            Goal::at(hand(0)),
            Goal::at(hand(1)),
        ];
        solve_pose(&Job::new(plan, &goals, &Settings::default()), &mut at_foot, &mut scratch);
        at_hips.set_rerooted(&tree, plan.tree(), &at_foot);
        tree.world(&at_hips, &mut world);
        if is_drawn {
            let at = |link: usize| world.positions[link];
            let toe =
                |foot: usize| world.positions[foot] + world.rotations[foot] * v(0.15, -0.03, 0.0);
            drawn[0].push(vec![at(0), at(1), at(2)]);
            for (i, ((thigh, foot), (arm, hand))) in legs.iter().zip(&arms).enumerate() {
                let (thigh, foot) = (thigh.index(), foot.index());
                drawn[1 + i].push(vec![at(0), at(thigh), at(foot - 1), at(foot), toe(foot)]);
                drawn[3 + i].push(vec![
                    at(1),
                    at(arm.index()),
                    at(hand.index() - 1),
                    at(hand.index()),
                ]);
            }
        }
    });
    for (i, line) in drawn.iter().enumerate() {
        panel.line(if i % 2 == 0 { BONE } else { "#63a4e0" }, "bone", line);
    }
    Ok(())
}
