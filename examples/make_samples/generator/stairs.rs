//! Steps up a stair, one foot a step.

use super::curve::Curve;
use super::foot::Roll;
use super::motion::{Gait, Motion, Tread, Trunk};
use super::steps::{Pace, Print, Step};
use super::walk;
use retarget::internals::rig::Side;

/// A stair of 17 cm by 28 cm; people climb it at about 95 steps a minute with a foot on the floor
/// for 60 % of its stride (Riener et al., Gait & Posture 15, 2002; McFadyen & Winter, J.
/// Biomechanics 21, 1988).
const RISE: f64 = 0.17;
const DEPTH: f64 = 0.28;
const FIRST: f64 = 0.42;
const TREADS: usize = 5;
/// From a step's edge to the ankle: the heel stands just behind the edge.
const ANKLE: f64 = 0.06;

pub fn stairs() -> Motion {
    let step = 60.0 / 95.0;
    let pace = Pace {
        step,
        swing: 0.4 * 2.0 * step,
        strike: 0.0,
        push: 0.16,
        landing: Roll::FLAT,
        leaving: Roll::new(0.4, 3.0),
        full_step: DEPTH,
        lift: 0.17,
        peak: 0.35,
        launch: [-8.0, 12.0],
        brake: [-4.0, 6.0],
        hips_low: 0.965,
        hips_high: 0.925,
        hips_standing: 0.993,
        hips_ahead: 0.04,
        sway: 0.3,
    };
    let stair: Vec<Tread> = (0..TREADS)
        .map(|k| Tread { from_z: FIRST + DEPTH * k as f64, height: RISE * (k + 1) as f64 })
        .collect();
    let steps: Vec<Step> = (0..=TREADS)
        .map(|k| {
            let side = if k % 2 == 0 { Side::Right } else { Side::Left };
            let tread = stair[k.min(TREADS - 1)];
            let foot = walk::print(side, tread.from_z + ANKLE, 0.08);
            Step { side, print: Print::new(foot.place.x, tread.height, foot.place.z, foot.yaw) }
        })
        .collect();
    let start = walk::side_by_side(FIRST - 0.26);
    let way = pace.walk(start, &steps, 0.4, 0.0);
    Motion {
        name: "stairs",
        about: "Stands, climbs five steps of 17 cm with one foot a step, stands on the top.",
        duration: way.duration,
        feet: way.feet,
        hips: way.hips,
        trunk: Trunk {
            pelvis_lean: Curve::constant(0.1),
            chest_lean: Curve::constant(0.14),
            head_lean: Curve::constant(0.15),
            ..walk::trunk(way.heading)
        },
        gait: Gait { pelvis_drop: 0.0, arm_swing: 0.8, ..walk::gait() },
        flights: Vec::new(),
        kneels: Vec::new(),
        reach: None,
        stair,
    }
}
