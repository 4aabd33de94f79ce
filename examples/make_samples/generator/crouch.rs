//! A crouch on both feet, while the right hand goes down to the floor and rests there.

use super::curve::Curve;
use super::foot::{FootPlan, Roll, Span, Stance};
use super::motion::{Gait, Motion, Reach, Trunk};
use retarget::Vec3;
use retarget::internals::rig::Side;

/// When the body begins to go down, is down, begins to rise, and stands again.
const TIMES: [f64; 4] = [0.4, 1.5, 2.1, 3.2];
const DURATION: f64 = 3.6;

/// A curve that goes from one value to another while crouched, and back.
fn down_and_up(standing: f64, crouched: f64) -> Curve {
    let [leave, low, rise, stand] = TIMES;
    Curve::easing(&[(leave, standing), (low, crouched), (rise, crouched), (stand, standing)])
}

pub fn crouch() -> Motion {
    let [_, low, rise, _] = TIMES;
    let feet = Side::BOTH.map(|side| {
        let sign = super::body::sign(side);
        let whole = Span::new(0.0, DURATION);
        let stance = Stance {
            place: Vec3::new(sign * 0.13, 0.0, 0.02 * sign),
            yaw: sign * 0.2,
            heel: whole,
            ball: whole,
            landing: Roll::FLAT,
            leaving: Roll::FLAT,
            pivot: 0.0,
            tucked: None,
        };
        FootPlan { stances: vec![stance], swings: Vec::new() }
    });
    let reach_weight = Curve::easing(&[(1.0, 0.0), (low, 1.0), (rise, 1.0), (2.6, 0.0)]);
    Motion {
        name: "crouch",
        about: "Crouches with both feet flat, touches the floor with the right hand, stands up.",
        duration: DURATION,
        feet,
        hips: [down_and_up(0.0, 0.01), down_and_up(0.993, 0.42), down_and_up(0.03, -0.17)],
        trunk: Trunk {
            heading: Curve::constant(0.0),
            pelvis_lean: down_and_up(0.03, 0.55),
            chest_lean: down_and_up(0.05, 1.3),
            head_lean: down_and_up(0.05, 0.75),
            look: down_and_up(0.0, -0.25),
            arm_swing: down_and_up(0.0, 1.3),
            arm_spread: down_and_up(0.12, 0.2),
            elbow: down_and_up(0.25, 1.3),
        },
        gait: Gait::STILL,
        flights: Vec::new(),
        kneels: Vec::new(),
        reach: Some(Reach {
            side: Side::Right,
            place: Vec3::new(-0.18, 0.0, 0.32),
            fingers: Vec3::new(0.05, -0.85, 0.5),
            back: Vec3::new(-0.3, 0.5, 0.8),
            weight: reach_weight,
            hold: Span::new(low, rise),
        }),
        stair: Vec::new(),
    }
}
