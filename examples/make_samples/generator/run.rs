//! A run straight ahead, in the middle of it from the first frame to the last.

use super::curve::Curve;
use super::foot::{FootPlan, Roll, Span, Stance, Swing};
use super::jet::Jet;
use super::motion::{Flight, GRAVITY, Gait, Motion, Trunk};
use retarget::Vec3;
use retarget::internals::rig::Side;

/// 3 m/s at 165 steps a minute with a foot on the floor for 0.26 s, so that 0.10 s of each step are
/// flight: an easy run (Novacheck, The biomechanics of running, Gait & Posture 7, 1998).
const SPEED: f64 = 3.0;
const STEP: f64 = 60.0 / 165.0;
const CONTACT: f64 = 0.26;
/// From heel strike to flat, and from heel off to toe off.
const STRIKE: f64 = 0.045;
const PUSH: f64 = 0.13;
/// The hips joint as a foot lands and as it leaves.
const HIPS_LANDING: f64 = 0.935;
const HIPS_LEAVING: f64 = 0.945;
/// How far behind the hips a foot is in the middle of its stance.
const BEHIND: f64 = 0.13;
const STEPS: i32 = 7;

pub fn run() -> Motion {
    let duration = STEP * STEPS as f64;
    // Two steps more on either side, so that the clip begins and ends in full motion.
    let landings = -3..STEPS + 3;
    let land = |k: i32| STEP * (k as f64 + 0.15);
    let feet = Side::BOTH.map(|side| {
        let own = landings.clone().filter(|k| (k.rem_euclid(2) == 0) == (side == Side::Left));
        let stances: Vec<Stance> = own.map(|k| stance(side, land(k))).collect();
        let swing = Swing { lift: 0.22, peak: 0.36, launch: [10.0, 10.0], brake: [-70.0, 4.0] };
        FootPlan { swings: vec![swing; stances.len() - 1], stances }
    });
    let flight = STEP - CONTACT;
    let rise = (HIPS_LANDING - HIPS_LEAVING + GRAVITY * flight * flight / 2.0) / flight;
    let mut height = Vec::new();
    let mut ahead = Vec::new();
    let mut flights = Vec::new();
    for k in landings {
        let (down, up) = (land(k), land(k) + CONTACT);
        height.push((down, Jet::new(HIPS_LANDING, rise - GRAVITY * flight, -GRAVITY)));
        height.push((up, Jet::new(HIPS_LEAVING, rise, -GRAVITY)));
        ahead.push((down, Jet::new(SPEED * down, SPEED, 0.0)));
        let air = Flight::new(up.max(0.0), (up + flight).min(duration));
        if air.start < air.end {
            flights.push(air);
        }
    }
    Motion {
        name: "run",
        about: "Runs straight ahead at 3 m/s, with flights of 0.1 s between the steps.",
        duration,
        feet,
        hips: [Curve::constant(0.0), Curve::knots(height), Curve::knots(ahead)],
        trunk: Trunk {
            heading: Curve::constant(0.0),
            pelvis_lean: Curve::constant(0.12),
            chest_lean: Curve::constant(0.14),
            head_lean: Curve::constant(0.05),
            look: Curve::constant(0.0),
            arm_swing: Curve::constant(-0.1),
            arm_spread: Curve::constant(0.2),
            elbow: Curve::constant(1.5),
        },
        gait: Gait {
            pelvis_turn: 0.1,
            chest_turn: 0.12,
            pelvis_drop: 0.1,
            arm_swing: 0.75,
            elbow_swing: 0.35,
        },
        flights,
        kneels: Vec::new(),
        reach: None,
        stair: Vec::new(),
    }
}

fn stance(side: Side, land: f64) -> Stance {
    let sign = super::body::sign(side);
    let middle = land + CONTACT / 2.0;
    Stance {
        place: Vec3::new(sign * 0.04, 0.0, SPEED * middle - BEHIND),
        yaw: sign * 0.08,
        heel: Span::new(land, land + CONTACT - PUSH),
        ball: Span::new(land + STRIKE, land + CONTACT),
        landing: Roll::new(-0.18, 3.5),
        leaving: Roll { pitch: 1.0, rate: 9.0, acceleration: -40.0 },
        pivot: 0.0,
        tucked: None,
    }
}
