//! A turn to the left by 180° on the spot, in small steps that pivot on the ball, then a way back.

use super::curve::Curve;
use super::foot::Roll;
use super::motion::{Motion, Trunk};
use super::steps::{Pace, Print, Step};
use super::walk;
use retarget::internals::rig::Side;
use retarget::{Quat, Vec3};

/// A foot of somebody who stands at (0, 0, `z`) and faces `yaw`, turned by `toes` more.
fn print(side: Side, z: f64, yaw: f64, toes: f64) -> Print {
    let aside = Vec3::x() * (super::body::sign(side) * 0.09);
    let place = Quat::from_axis_angle(&Vec3::y_axis(), yaw) * aside;
    Print::new(place.x, 0.0, place.z + z, yaw + toes)
}

/// How somebody steps who turns.
pub(super) fn pace() -> Pace {
    Pace {
        step: 0.5,
        swing: 0.36,
        strike: 0.0,
        push: 0.16,
        landing: Roll::FLAT,
        leaving: Roll::new(0.7, 3.0),
        launch: [8.0, 8.0],
        brake: [-10.0, 6.0],
        hips_low: 0.955,
        hips_high: 0.975,
        hips_ahead: 0.03,
        ..walk::pace()
    }
}

pub fn turn() -> Motion {
    let half_turn = std::f64::consts::PI;
    let toes = |side| super::body::sign(side) * 0.1;
    let steps: Vec<Step> = [
        // Each left foot opens the turn, each right foot follows it.
        (Side::Left, 0.0, 0.26 * half_turn),
        (Side::Right, 0.0, 0.40 * half_turn),
        (Side::Left, 0.0, 0.66 * half_turn),
        (Side::Right, 0.0, 0.80 * half_turn),
        (Side::Left, -0.05, half_turn),
        (Side::Right, -0.45, half_turn),
        (Side::Left, -0.85, half_turn),
        (Side::Right, -0.85, half_turn),
    ]
    .into_iter()
    .map(|(side, z, yaw)| Step { side, print: print(side, z, yaw, toes(side)) })
    .collect();
    let start = Side::BOTH.map(|side| print(side, 0.0, 0.0, toes(side)));
    let way = pace().walk(start, &steps, 0.45, 0.35);
    Motion {
        name: "turn",
        about: "Turns to the left by 180° on the spot in steps that pivot on the ball, walks back.",
        duration: way.duration,
        feet: way.feet,
        hips: way.hips,
        trunk: Trunk {
            // The head goes ahead of the body into the turn.
            look: Curve::easing(&[(0.2, 0.0), (0.8, 0.55), (2.2, 0.35), (3.0, 0.0)]),
            ..walk::trunk(way.heading)
        },
        gait: walk::gait(),
        flights: Vec::new(),
        kneels: Vec::new(),
        reach: None,
        stair: Vec::new(),
    }
}
