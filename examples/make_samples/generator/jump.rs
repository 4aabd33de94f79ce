//! A jump forwards from standing: both feet leave together and land together.

use super::curve::Curve;
use super::foot::{FootPlan, Roll, Span, Stance, Swing};
use super::jet::Jet;
use super::motion::{Flight, GRAVITY, Gait, Motion, Trunk};
use retarget::Vec3;
use retarget::internals::rig::Side;

/// Lowest point of the crouch before, take-off, and how long the crouch after the landing takes.
const CROUCH: f64 = 0.95;
const TAKE_OFF: f64 = 1.25;
const ABSORB: f64 = 0.32;
/// Speeds of the hips at take-off: upwards it lifts them by about 0.29 m, the countermovement jump
/// of a healthy adult (Bosco & Komi, Eur. J. Appl. Physiol. 45, 1980, give 0.3 to 0.4 m).
const UP: f64 = 2.4;
const AHEAD: f64 = 0.85;
/// Heights of the hips joint at take-off, at landing and at the bottom of both crouches.
const HIPS_LEAVING: f64 = 1.0;
const HIPS_LANDING: f64 = 0.93;
const HIPS_CROUCHED: f64 = 0.64;
const STANDING: f64 = 0.993;

pub fn jump() -> Motion {
    // From HIPS_LEAVING up and down again to HIPS_LANDING.
    let fall = HIPS_LEAVING - HIPS_LANDING;
    let flight = (UP + (UP * UP + 2.0 * GRAVITY * fall).sqrt()) / GRAVITY;
    let land = TAKE_OFF + flight;
    let low = land + ABSORB;
    let stood = low + 0.75;
    let duration = stood + 0.35;
    // The feet land ahead of where the hips are.
    let (leave_z, land_z) = (0.12, 0.12 + AHEAD * flight);
    let feet_z = land_z + 0.10;
    let feet = Side::BOTH.map(|side| FootPlan {
        stances: vec![
            stance(side, 0.0, Span::new(0.0, TAKE_OFF - 0.15), Span::new(0.0, TAKE_OFF)),
            stance(side, feet_z, Span::new(land + 0.06, duration), Span::new(land, duration)),
        ],
        swings: vec![Swing { lift: 0.3, peak: 0.45, launch: [0.0, 25.0], brake: [0.0, 50.0] }],
    });
    let height = vec![
        (0.0, Jet::still(STANDING)),
        (0.35, Jet::still(STANDING)),
        (CROUCH, Jet::new(HIPS_CROUCHED, 0.0, 7.0)),
        (TAKE_OFF, Jet::new(HIPS_LEAVING, UP, -GRAVITY)),
        (land, Jet::new(HIPS_LANDING, UP - GRAVITY * flight, -GRAVITY)),
        (low, Jet::new(HIPS_CROUCHED, 0.0, 7.0)),
        (stood, Jet::still(STANDING)),
    ];
    let ahead = vec![
        (0.0, Jet::still(0.02)),
        (0.35, Jet::still(0.02)),
        (CROUCH, Jet::still(-0.12)),
        (TAKE_OFF, Jet::new(leave_z, AHEAD, 0.0)),
        (land, Jet::new(land_z, AHEAD, 0.0)),
        (low, Jet::still(feet_z - 0.10)),
        (stood, Jet::still(feet_z + 0.02)),
    ];
    let easing = |stand: f64, crouch: f64, leave: f64, touch: f64| {
        Curve::easing(&[
            (0.25, stand),
            (CROUCH, crouch),
            (TAKE_OFF, leave),
            (land, touch),
            (low, crouch),
            (stood, stand),
        ])
    };
    Motion {
        name: "jump",
        about: "Stands, crouches, jumps forwards with both feet, lands on the balls, stands.",
        duration,
        feet,
        hips: [Curve::constant(0.0), Curve::knots(height), Curve::knots(ahead)],
        trunk: Trunk {
            heading: Curve::constant(0.0),
            pelvis_lean: easing(0.03, 0.55, 0.08, 0.25),
            chest_lean: easing(0.05, 0.8, 0.0, 0.3),
            head_lean: easing(0.05, 0.2, -0.1, 0.25),
            look: Curve::constant(0.0),
            arm_swing: Curve::easing(&[
                (0.25, 0.0),
                (CROUCH - 0.05, -0.9),
                (TAKE_OFF + 0.08, 2.3),
                (land + 0.05, 0.9),
                (low + 0.05, 0.5),
                (stood, 0.0),
            ]),
            arm_spread: easing(0.12, 0.25, 0.3, 0.4),
            elbow: easing(0.25, 0.35, 0.5, 0.5),
        },
        gait: Gait::STILL,
        flights: vec![Flight::new(TAKE_OFF, land)],
        kneels: Vec::new(),
        reach: None,
        stair: Vec::new(),
    }
}

fn stance(side: Side, z: f64, heel: Span, ball: Span) -> Stance {
    let sign = super::body::sign(side);
    Stance {
        // The right foot stands slightly further back, as nobody stands quite even.
        place: Vec3::new(sign * 0.11, 0.0, z + 0.01 * (sign - 1.0)),
        yaw: sign * 0.1,
        heel,
        ball,
        landing: Roll::new(0.4, -5.0),
        leaving: Roll { pitch: 0.8, rate: 9.0, acceleration: -80.0 },
        pivot: 0.0,
        tucked: None,
    }
}
