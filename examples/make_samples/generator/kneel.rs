//! A kneel: down on one knee, on both, and up again.

use super::body::Proportions;
use super::curve::Curve;
use super::foot::{FootPlan, Roll, Span, Stance, Swing};
use super::jet::Jet;
use super::motion::{Gait, Kneel, Motion, Trunk};
use retarget::Vec3;
use retarget::internals::rig::Side;

/// When the left foot leaves and lands ahead, the right knee is down, the left foot leaves and is down beside the right
/// one with its knee; and the way back.
const STEP: [f64; 2] = [0.4, 1.0];
const DOWN: f64 = 1.8;
const BACK: [f64; 2] = [2.1, 2.9];
const FORTH: [f64; 2] = [4.0, 4.8];
const RISE: f64 = 5.0;
const CLOSE: [f64; 2] = [5.8, 6.5];
const DURATION: f64 = 6.9;

/// When the right heel leaves the floor, and is over tucked toes.
const HEEL: [f64; 2] = [0.8, 1.28];
/// How far ahead the front foot stands, metres.
const AHEAD: f64 = 0.86;
/// How far a foot is pitched on its tucked toes, radians.
const TUCKED: Roll = Roll { pitch: 1.3, rate: 0.0, acceleration: 0.0 };
/// A knee joint over the floor that it kneels on, metres.
const KNEE_HEIGHT: f64 = 0.055;

fn stance(side: Side, ahead: f64, heel: Span, ball: Span) -> Stance {
    let sign = super::body::sign(side);
    Stance {
        place: Vec3::new(sign * 0.1, 0.0, ahead),
        yaw: sign * 0.06,
        heel,
        ball,
        landing: Roll::FLAT,
        leaving: Roll::FLAT,
        pivot: 0.0,
        tucked: None,
    }
}

/// A foot that leaves these places on its ball.
fn rolling(stance: Stance, push: f64) -> Stance {
    let heel = Span::new(stance.heel.start, stance.ball.end - push);
    Stance { heel, leaving: Roll::new(0.45, 1.5), ..stance }
}

fn feet() -> [FootPlan; 2] {
    let (left, right) = (Side::Left, Side::Right);
    let flat = |side, ahead, from: f64, to: f64| {
        stance(side, ahead, Span::new(from, to), Span::new(from, to))
    };
    let swing = |lift: f64| Swing { lift, peak: 0.4, launch: [0.0, 3.0], brake: [0.0, 2.0] };
    let tucked = |side: Side, heel: Span, ball: Span, from: f64| Stance {
        leaving: TUCKED,
        tucked: Some(from),
        ..stance(side, 0.0, heel, ball)
    };
    let kneels = Span::new(BACK[1], FORTH[0]);
    let no_heel = Span::new(kneels.end, kneels.end);
    [
        FootPlan {
            stances: vec![
                rolling(flat(left, 0.0, 0.0, STEP[0]), 0.15),
                rolling(flat(left, AHEAD, STEP[1], BACK[0]), 0.2),
                tucked(left, no_heel, kneels, kneels.start),
                flat(left, AHEAD, FORTH[1], DURATION),
            ],
            swings: vec![swing(0.08), swing(0.03), swing(0.04)],
        },
        FootPlan {
            stances: vec![
                tucked(right, Span::new(0.0, HEEL[0]), Span::new(0.0, CLOSE[0]), HEEL[1]),
                flat(right, AHEAD, CLOSE[1], DURATION),
            ],
            swings: vec![swing(0.06)],
        },
    ]
}

/// Where the hips are while the right knee is down: upright over it.
fn kneeling(feet: &[FootPlan; 2]) -> Vec3 {
    let p = &Proportions::ADULT;
    let ankle = feet[1].at(p, DOWN).ankle_place();
    let drop = ankle.y - KNEE_HEIGHT;
    let knee = ankle.z + (p.shin * p.shin - drop * drop).sqrt();
    Vec3::new(-0.02, KNEE_HEIGHT + p.thigh + p.pelvis, knee)
}

pub fn kneel() -> Motion {
    let feet = feet();
    let low = kneeling(&feet);
    // Standing, with the foot in the air, as it lands, on the knee, and as the other foot leaves.
    let way = |standing: f64, steps: [Jet; 2], low: f64, risen: Jet, stood: f64| {
        Curve::knots(vec![
            (STEP[0] - 0.3, Jet::still(standing)),
            (STEP[0] + 0.25, steps[0]),
            (STEP[1], steps[1]),
            (DOWN, Jet::still(low)),
            (RISE, Jet::still(low)),
            (CLOSE[0], risen),
            (DURATION - 0.1, Jet::still(stood)),
        ])
    };
    let at = |x: f64, rate: f64| Jet::new(x, rate, 0.0);
    let bow = |standing: f64, bent: f64, kneeling: f64, bowed: f64| {
        Curve::easing(&[
            (0.2, standing),
            (1.2, bent),
            (DOWN + 0.2, kneeling),
            (BACK[1] - 0.1, kneeling),
            (3.4, bowed),
            (FORTH[0] - 0.1, kneeling),
            (RISE - 0.2, kneeling),
            (CLOSE[0] - 0.2, bent),
            (DURATION - 0.2, standing),
        ])
    };
    Motion {
        name: "kneel",
        about: "Steps ahead, kneels down on one knee, on both, bows, and rises by the same way.",
        duration: DURATION,
        feet,
        hips: [
            way(0.0, [at(0.0, 0.0), at(0.0, 0.0)], low.x, at(0.02, 0.05), 0.0),
            way(0.985, [at(0.93, -0.4), at(0.79, -0.42)], low.y, at(0.745, 0.45), 0.993),
            way(0.02, [at(0.19, 0.6), at(0.41, 0.5)], low.z, at(0.75, 0.2), AHEAD + 0.03),
        ],
        trunk: Trunk {
            heading: Curve::constant(0.0),
            pelvis_lean: Curve::constant(0.0),
            chest_lean: bow(0.05, 0.35, 0.06, 0.75),
            head_lean: bow(0.05, 0.3, 0.1, 0.9),
            look: Curve::constant(0.0),
            arm_swing: bow(0.0, 0.25, 0.1, 0.35),
            arm_spread: Curve::constant(0.15),
            elbow: bow(0.3, 0.5, 0.35, 0.6),
        },
        gait: Gait::STILL,
        flights: Vec::new(),
        kneels: vec![
            Kneel { side: Side::Right, hold: Span::new(DOWN, RISE) },
            Kneel { side: Side::Left, hold: Span::new(BACK[1], FORTH[0]) },
        ],
        reach: None,
        stair: Vec::new(),
    }
}
