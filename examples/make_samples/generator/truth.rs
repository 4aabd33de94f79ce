//! What is known of a sample: where and when each part of each foot stands.

use super::body::{Body, sign};
use super::foot::{Span, Stance};
use super::motion::{Kneel, Motion};
use super::rig::Rig;
use retarget::Vec3;
use retarget::internals::rig::{Role, Side};
use serde::Serialize;

/// The side file of a clip. Lengths are the clip's units, places are in its world, times seconds,
/// frame ranges half-open.
#[derive(Serialize)]
pub struct Truth {
    motion: &'static str,
    about: &'static str,
    rig: &'static str,
    up: &'static str,
    units_in_a_metre: f64,
    /// Thigh plus shin.
    leg: f64,
    frame_time: f64,
    frames: usize,
    /// Points of soles and hands, fixed to joints.
    points: Vec<Point>,
    /// Heights of the floor, each from a line across the way on.
    floor: Vec<Floor>,
    contacts: Vec<Contact>,
    /// No foot stands and the hips fall freely.
    flights: Vec<Time>,
    /// Knees that rest on the floor.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kneels: Vec<KneeRest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reach: Option<HandRest>,
}

#[derive(Serialize)]
struct Point {
    side: &'static str,
    part: &'static str,
    joint: String,
    /// In the joint's frame.
    offset: [f64; 3],
}

#[derive(Serialize)]
struct Floor {
    height: f64,
    /// Where it begins, and the way on which it lies behind that; absent for the ground.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    towards: Option<[f64; 3]>,
}

#[derive(Serialize)]
struct Time {
    start_s: f64,
    end_s: f64,
    first_frame: usize,
    end_frame: usize,
}

#[derive(Serialize)]
struct Contact {
    foot: &'static str,
    part: &'static str,
    #[serde(flatten)]
    time: Time,
    place: [f64; 3],
    floor: f64,
}

#[derive(Serialize)]
struct KneeRest {
    knee: &'static str,
    #[serde(flatten)]
    time: Time,
    /// Of the knee joint.
    place: [f64; 3],
}

#[derive(Serialize)]
struct HandRest {
    hand: &'static str,
    #[serde(flatten)]
    time: Time,
    /// Of the finger tips.
    place: [f64; 3],
}

fn word(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

/// A millionth of a unit is finer than the clip.
fn round(x: f64) -> f64 {
    (x * 1e6).round() / 1e6 + 0.0
}

fn array(v: Vec3) -> [f64; 3] {
    [v.x, v.y, v.z].map(round)
}

/// The truth of a motion as a rig writes it.
pub fn truth(body: &Body, rig: &Rig, motion: &Motion) -> Truth {
    let dt = rig.frame_time().seconds();
    let frames = rig.frames(motion);
    let time = |span: Span| Time {
        start_s: round(span.start),
        end_s: round(span.end),
        first_frame: (span.start / dt - 1e-9).ceil() as usize,
        end_frame: ((span.end / dt - 1e-9).ceil() as usize).min(frames),
    };
    // The last frame of the clip still belongs to what stands there.
    let within = |span: Span| {
        let end = if span.end >= motion.duration { frames as f64 * dt } else { span.end };
        Span::new(span.start.max(0.0), end)
    };
    let mut contacts = Vec::new();
    for side in Side::BOTH {
        for stance in &motion.feet[side.index()].stances {
            for (part, span, local) in parts(body, stance) {
                let span = within(span);
                if span.end - span.start > dt && span.start < motion.duration {
                    contacts.push(Contact {
                        foot: word(side),
                        part,
                        time: time(span),
                        place: array(rig.place(stance.point(&body.proportions, local))),
                        floor: round(stance.place.y * rig.units),
                    });
                }
            }
        }
    }
    contacts.sort_by(|a, b| a.time.start_s.total_cmp(&b.time.start_s));
    let kneel = |kneel: &Kneel| {
        let posture = motion.posture(body, kneel.hold.start);
        let place = posture.places[body.index(Role::Shin(kneel.side))];
        KneeRest { knee: word(kneel.side), time: time(kneel.hold), place: array(rig.place(place)) }
    };
    let mut floor = vec![Floor { height: 0.0, from: None, towards: None }];
    floor.extend(motion.stair.iter().map(|tread| Floor {
        height: round(tread.height * rig.units),
        from: Some(array(rig.place(Vec3::new(0.0, tread.height, tread.from_z)))),
        towards: Some(array(rig.world * Vec3::z())),
    }));
    Truth {
        motion: motion.name,
        about: motion.about,
        rig: rig.about,
        up: if (rig.world * Vec3::y()).z > 0.5 { "z" } else { "y" },
        units_in_a_metre: round(rig.units),
        leg: round(body.proportions.leg() * rig.units),
        frame_time: dt,
        frames,
        points: points(body, rig),
        floor,
        contacts,
        flights: motion.flights.iter().map(|&span| time(within(span))).collect(),
        kneels: motion.kneels.iter().map(kneel).collect(),
        reach: motion.reach.as_ref().map(|reach| HandRest {
            hand: word(reach.side),
            time: time(reach.hold),
            place: array(rig.place(reach.place)),
        }),
    }
}

/// The parts of a foot that stand in a stance: name, when, and the point as seen from the ankle.
pub fn parts(body: &Body, stance: &Stance) -> [(&'static str, Span, Vec3); 3] {
    let p = &body.proportions;
    // Over the ball the toes stay flat on the floor, but their tip goes round where the foot pivots.
    let tip = p.toe_joint() + p.tip_point();
    let until = if stance.pivot == 0.0 { stance.ball.end } else { stance.heel.end };
    [
        ("heel", stance.heel, p.heel_point()),
        ("ball", stance.ball, p.ball_point()),
        ("tip", Span::new(stance.ball.start, until), tip),
    ]
}

/// The points of a rig. The ball hangs on the toe joint: while the heel is lifted the toes stand
/// still and the foot turns.
fn points(body: &Body, rig: &Rig) -> Vec<Point> {
    let p = &body.proportions;
    let mut points = Vec::new();
    for side in Side::BOTH {
        for (part, role, way) in [
            ("heel", Role::Foot(side), p.heel_point()),
            ("ball", Role::Toe(side), -Vec3::y() * p.ball_height),
            ("tip", Role::Toe(side), p.tip_point()),
            ("fingers", Role::Hand(side), Vec3::x() * (sign(side) * p.hand)),
        ] {
            let joint = rig.joint(role);
            let offset = array(rig.local(joint, way));
            points.push(Point { side: word(side), part, joint: joint.name.clone(), offset });
        }
    }
    points
}
