//! A walk: stands, starts, walks straight ahead at the usual speed, stops.

use super::curve::Curve;
use super::foot::Roll;
use super::motion::{Gait, Motion, Trunk};
use super::steps::{Pace, Print, Step};
use retarget::internals::rig::Side;

/// Half the distance of the heels from side to side while walking, metres.
const HALF_WIDTH: f64 = 0.05;
/// Toes point slightly outwards, radians.
const TOE_OUT: f64 = 0.1;

/// The usual walk of adults: 1.3 m/s at 115 steps a minute, a foot on the floor for 62 % of its
/// stride, flat at 8 %, heel off at 35 % (Perry & Burnfield, Gait Analysis, 2nd ed., ch. 1 and 4).
pub fn pace() -> Pace {
    let step = 60.0 / 115.0;
    let stride = 2.0 * step;
    Pace {
        step,
        swing: 0.38 * stride,
        strike: 0.08 * stride,
        push: (0.62 - 0.35) * stride,
        landing: Roll::new(-0.3, 3.0),
        leaving: Roll::new(0.95, 3.0),
        full_step: 1.3 * step,
        lift: 0.05,
        peak: 0.35,
        launch: [15.0, 5.0],
        brake: [-30.0, 4.0],
        hips_low: 0.938,
        hips_high: 0.98,
        hips_standing: 0.989,
        hips_ahead: 0.09,
        sway: 0.25,
    }
}

/// How trunk and arms go with the steps: the pelvis turns by about 4° and the arms swing by about
/// 20° to each side (Perry & Burnfield, ch. 7 and 8).
pub fn gait() -> Gait {
    Gait {
        pelvis_turn: 0.11,
        chest_turn: 0.08,
        pelvis_drop: 0.35,
        arm_swing: 0.85,
        elbow_swing: 0.45,
    }
}

/// The trunk of somebody who walks upright and looks ahead.
pub fn trunk(heading: Curve) -> Trunk {
    Trunk {
        heading,
        pelvis_lean: Curve::constant(0.04),
        chest_lean: Curve::constant(0.06),
        head_lean: Curve::constant(0.05),
        look: Curve::constant(0.0),
        arm_swing: Curve::constant(0.0),
        arm_spread: Curve::constant(0.12),
        elbow: Curve::constant(0.32),
    }
}

/// A footprint of a walk along +Z.
pub fn print(side: Side, z: f64, half_width: f64) -> Print {
    let sign = super::body::sign(side);
    Print::new(sign * half_width, 0.0, z, sign * TOE_OUT)
}

/// Both feet side by side at `z`.
pub fn side_by_side(z: f64) -> [Print; 2] {
    Side::BOTH.map(|side| print(side, z, 0.08))
}

pub fn walk() -> Motion {
    let pace = pace();
    let last = 6;
    let steps: Vec<Step> = (0..=last)
        .map(|k| {
            let side = if k % 2 == 0 { Side::Right } else { Side::Left };
            // The first step is a short one, and the last one closes up to the foot before.
            let z = pace.full_step * (0.75 + (k.min(last - 1)) as f64);
            let half_width = if k + 1 >= last { 0.08 } else { HALF_WIDTH };
            Step { side, print: print(side, z, half_width) }
        })
        .collect();
    let way = pace.walk(side_by_side(0.0), &steps, 0.4, 0.0);
    Motion {
        name: "walk",
        about: "Stands, walks straight ahead at 1.3 m/s with 115 steps a minute, and stops.",
        duration: way.duration,
        feet: way.feet,
        hips: way.hips,
        trunk: trunk(way.heading),
        gait: gait(),
        flights: Vec::new(),
        kneels: Vec::new(),
        reach: None,
        stair: Vec::new(),
    }
}
