//! A way to a box, a turn before it, a sit, and up again.

use super::curve::Curve;
use super::motion::{Gait, Motion, Trunk};
use super::steps::{Print, Step};
use super::{turn, walk};
use retarget::internals::rig::Side;
use retarget::{Quat, Vec3};

/// The box is half a leg high; the hip joints of one who sits on it are this much higher, metres.
const BOX: f64 = 0.445;
const HIP_HEIGHT: f64 = 0.09;

/// How long it takes to sit down, to sit, to rise, and to stand at the end, seconds.
const TIMES: [f64; 4] = [1.3, 0.7, 1.3, 0.3];

/// How far the hips go back to sit, metres.
const BACK: f64 = 0.42;

/// A foot of somebody whose feet are about (0, 0, `z`) and who faces `yaw`.
fn print(side: Side, z: f64, yaw: f64) -> Print {
    let sign = super::body::sign(side);
    let aside = Quat::from_axis_angle(&Vec3::y_axis(), yaw) * (Vec3::x() * (sign * 0.1));
    Print::new(aside.x, 0.0, aside.z + z, yaw + sign * 0.12)
}

pub fn sit() -> Motion {
    let right = -std::f64::consts::FRAC_PI_2;
    let steps: Vec<Step> = [
        (Side::Left, 0.4, 0.0),
        // Each right foot opens the turn, each left foot follows it.
        (Side::Right, 0.75, 0.45 * right),
        (Side::Left, 0.75, 0.6 * right),
        (Side::Right, 0.75, right),
        (Side::Left, 0.75, right),
    ]
    .into_iter()
    .map(|(side, z, yaw)| Step { side, print: print(side, z, yaw) })
    .collect();
    let start = Side::BOTH.map(|side| print(side, 0.0, 0.0));
    let mut way = turn::pace().walk(start, &steps, 0.25, 0.3);
    let [down, rest, up, stand] = TIMES;
    let sits = way.duration;
    let [sat, rises, stood] = [sits + down, sits + down + rest, sits + down + rest + up];
    let duration = stood + stand;
    for plan in &mut way.feet {
        let last = plan.stances.last_mut().expect("both feet step");
        (last.heel.end, last.ball.end) = (duration, duration);
    }
    let there = |curve: Curve, sitting: f64| {
        let standing = curve.value(sits);
        curve.then(&[(sat, sitting), (rises, sitting), (stood, standing)])
    };
    let [x, y, z] = way.hips;
    let (x_back, hips) = (x.value(sits) + BACK, BOX + HIP_HEIGHT + 0.03);
    let z_there = z.value(sits);
    let bow = |standing: f64, bent: f64, sitting: f64| {
        Curve::easing(&[
            (sits - 0.1, standing),
            (sits + 0.6 * down, bent),
            (sat + 0.2, sitting),
            (rises - 0.2, sitting),
            (rises + 0.4 * up, bent),
            (stood, standing),
        ])
    };
    Motion {
        name: "sit",
        about: "Walks to a box of half a leg's height, turns its back to it, sits down, rises.",
        duration,
        feet: way.feet,
        hips: [there(x, x_back), there(y, hips), there(z, z_there)],
        trunk: Trunk {
            pelvis_lean: bow(0.04, 0.5, -0.05),
            chest_lean: bow(0.06, 0.75, 0.08),
            head_lean: bow(0.05, 0.35, 0.1),
            arm_swing: bow(0.0, 0.4, -0.05),
            elbow: bow(0.32, 0.45, 1.05),
            ..walk::trunk(way.heading)
        },
        gait: Gait { pelvis_drop: 0.2, ..walk::gait() },
        flights: Vec::new(),
        kneels: Vec::new(),
        reach: None,
        stair: Vec::new(),
    }
}
