//! Feet on the floor give way a little, so that their knees bend evenly.
//!
//! On a nearly straight leg a millimetre at the ankle is degrees at the knee. Where a foot rolls from heel to ball, comes
//! down or leaves, or where the transferred knee stops at its limit, the path of the ankle has a corner that the smooth
//! pelvis offset cannot follow. There a foot gives way: one that stands up or down, by less than is seen, and one that is
//! on the floor but does not stand yet, or stands no more, mostly along the floor.

use super::contact_interval::{Frames, frames_away};
use super::even::{BEND, TwoBones};
use super::foot::{FootPlan, Stand};
use super::side;
use super::sole::FootGoals;
use crate::math::{BandSystem, Vec3, curve};

/// How many times as much a move of a foot counts in a direction in which it is in contact as in another.
const IN_CONTACT: f64 = 70.0;

/// From a standing foot to one that is free to move along the floor it takes this share of the time over which corrections
/// ease in: a foot that is taken for standing a frame longer or shorter gives way by nearly the same.
const FREE: f64 = 0.25;

/// The weight of a foot that cannot give way, against the unevenness of its knee.
const HELD: f64 = 1e6;

/// A knee that is straighter than this (6°), radians, counts as bent so far: the slope at a straight one is infinite.
const LEAST_BEND_RAD: f64 = 0.1;

/// No knee is bent farther, radians.
const MOST_BEND_RAD: f64 = 3.0;

/// A foot that can only move nearly square to its leg, by this cosine, gives way less and less.
const LEAST_COS: f64 = 0.1;

/// A knee in one frame, and how its foot bends it.
struct Knee {
    bend_rad: f64,
    /// How much farther it is bent than transferred.
    farther_rad: f64,
    /// The foot's move (world) that brings it away from the hip by 1.
    way: Vec3,
    /// How much the knee extends for an ankle that is farther from the hip by the leg's length, radians.
    slope: f64,
    /// The weight of such a move.
    weight: f64,
}

/// Moves a foot in the frames in which it is on the floor, so that its knee bends evenly against the transferred one.
/// `forwards` tells how far forwards the source's knee is bent, `body` is the pelvis offset.
///
/// The moves minimise, over the clip, the sum of the squares of the knee's unevenness, of the moves, and of the unevenness
/// of the leg's length. In the air, where the whole leg is evened later, the foot only lets the knee go on evenly. Takes
/// some 0.2 µs a frame.
pub(super) fn give_way(
    goals: &mut FootGoals,
    plan: &FootPlan,
    stand: &Stand,
    forwards: &[f64],
    body: &[Vec3],
) {
    let Stand { leg, transferred, frames, .. } = *stand;
    let Some(bones) = leg.two_bones().filter(|bones| bones.lens.iter().all(|len| *len > 0.0))
    else {
        return;
    };
    if !plan.down.contains(&true) {
        return;
    }
    let sides = side::shares(stand, forwards, &goals.ankles, body);
    let was = transferred.iter().zip(sides).map(|(was, side)| was.bend_rad() * side);
    // A transferred knee that stops at its limit stops abruptly, which nobody wants to see again.
    let was = curve::smooth(&was.collect::<Vec<f64>>(), frames.limb.round() as usize);
    let weights = weights(plan, frames);
    let stiffness = frames.limb.powi(4);
    let knee = |f: usize| {
        let to_ankle = goals.ankles[f] - transferred[f].thigh - body[f];
        let along = to_ankle / to_ankle.norm().max(1e-9 * bones.len());
        let (up, [level_weight, up_weight]) = (stand.up.vector(), weights[f]);
        // Of all moves that bend the knee as far, the lightest one.
        let way = stand.up.level(along) / level_weight + up * (along.dot(&up) / up_weight);
        let by_weight = way.dot(&along) + LEAST_COS * LEAST_COS / up_weight;
        let bend_rad = bones.bend_rad(to_ankle.norm());
        Knee {
            bend_rad,
            farther_rad: bend_rad - was[f],
            way: way / by_weight.max(f64::MIN_POSITIVE),
            slope: bones.len() / bones.span_by_bend(bend_rad.max(LEAST_BEND_RAD)),
            weight: (1.0 / by_weight).min(HELD * stiffness.max(1.0)),
        }
    };
    let knees: Vec<Knee> = (0..body.len()).map(knee).collect();
    let mut system = BandSystem::<2>::default();
    system.restart(knees.len());
    for (f, knee) in knees.iter().enumerate() {
        system.add::<1, 1>(knee.weight, f, &[1.0], 0.0);
    }
    for (first, three) in knees.windows(3).enumerate() {
        let [a, b, c] = [&three[0], &three[1], &three[2]];
        let uneven = a.farther_rad - 2.0 * b.farther_rad + c.farther_rad;
        system.add::<1, 3>(stiffness, first, &[a.slope, -2.0 * b.slope, c.slope], uneven);
        system.add::<1, 3>(BEND * BEND * stiffness, first, &[1.0, -2.0, 1.0], 0.0);
    }
    let moves = system.solve();
    let on_floor = goals.ankles.iter_mut().zip(&plan.down).zip(knees.iter().zip(moves));
    for ((ankle, _), (knee, by)) in on_floor.filter(|((_, down), _)| **down) {
        *ankle += knee.moved(&bones, *by);
    }
}

/// The weights of a foot's move along the floor and up or down, in each frame.
fn weights(plan: &FootPlan, frames: Frames) -> Vec<[f64; 2]> {
    let away = frames_away(&plan.stands);
    let (light, heavy) = (BEND * BEND, BEND * BEND * IN_CONTACT * IN_CONTACT);
    let weight = |f: usize| match [plan.stands[f], plan.down[f]] {
        [true, true] => [f64::INFINITY, heavy],
        [true, false] => [f64::INFINITY; 2],
        [false, true] => {
            let stands = curve::ramp(away[f] as f64, FREE * frames.ease as f64, 0.0);
            [light * IN_CONTACT.powf(2.0 * stands), heavy]
        }
        [false, false] => [light; 2],
    };
    (0..away.len()).map(weight).collect()
}

impl Knee {
    /// The foot's move, of any length, for a solved one in leg lengths: the one that bends the knee as far as the solved one
    /// would if that were linear.
    fn moved(&self, bones: &TwoBones, by: f64) -> Vec3 {
        let bend_rad = (self.bend_rad - self.slope * by).clamp(0.0, MOST_BEND_RAD);
        self.way * (bones.span(bend_rad) - bones.span(self.bend_rad))
    }
}
