//! Feet on the floor give way a little, so that their knees bend evenly.
//!
//! On a nearly straight leg a millimetre at the ankle is degrees at the knee. Where a foot rolls from heel to ball, comes
//! down or leaves, or where the transferred knee stops at its limit, the path of the ankle has a corner that the smooth
//! pelvis offset cannot follow. There a foot gives way: one that stands up or down, by less than is seen, and one that is
//! on the floor but does not stand yet, or stands no more, mostly along the floor.

use super::contact_interval::{Frames, evenly_away};
use super::even::{BEND, Bent};
use super::foot::{FootPlan, Stand};
use super::side;
use super::sole::FootGoals;
use crate::math::{Vec3, bounded, curve};

/// How many times as much a move of a foot counts in a direction in which it is in contact as in another.
const IN_CONTACT: f64 = 70.0;

/// From a standing foot to one that is free to move along the floor it takes this share of the time over which corrections
/// ease in: a foot that is taken for standing a frame longer or shorter gives way by nearly the same.
const FREE: f64 = 0.33;

/// A foot that can only move nearly square to its leg, by this cosine, gives way less and less.
const LEAST_COS: f64 = 0.1;

/// Up to the first a foot gives way as far as its knee asks, leg lengths, and never farther than the second: one that lies
/// beside its own hip can hardly change its knee, however far it moves.
const MOST_GIVEN: [f64; 2] = [0.05, 0.1];

/// Moves a foot in the frames in which it is on the floor, so that its knee bends evenly against the transferred one.
/// `forwards` tells how far forwards the source's knee is bent, `body` is the pelvis offset.
///
/// In the air, where the whole leg is evened later, the foot only lets the knee go on evenly. Takes some 0.2 µs a frame.
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
    let knee = |f: usize| {
        let to_ankle = goals.ankles[f] - transferred[f].thigh - body[f];
        let along = to_ankle / to_ankle.norm().max(1e-9 * bones.len());
        let (up, [level_weight, up_weight]) = (stand.up.vector(), weights[f]);
        // Of all moves that bend the knee as far, the lightest one.
        let way = stand.up.level(along) / level_weight + up * (along.dot(&up) / up_weight);
        let by_weight = way.dot(&along) + LEAST_COS * LEAST_COS / up_weight;
        let bend_rad = bones.bend_rad(to_ankle.norm());
        let knee = Bent { bend_rad, farther_rad: bend_rad - was[f], weight: 1.0 / by_weight };
        (knee, way / by_weight.max(f64::MIN_POSITIVE))
    };
    let (knees, ways): (Vec<Bent>, Vec<Vec3>) = (0..body.len()).map(knee).unzip();
    let [from, most] = MOST_GIVEN.map(|most| most * bones.len());
    let farther_lens = bones.give_way(&knees, frames.leg);
    for (f, (way, farther_len)) in ways.iter().zip(farther_lens).enumerate() {
        let by = way * farther_len;
        let len = by.norm();
        if plan.down[f] && len > 0.0 {
            goals.ankles[f] += by * (bounded(len, from, most) / len);
        }
    }
}

/// The weights of a foot's move along the floor and up or down, in each frame.
fn weights(plan: &FootPlan, frames: Frames) -> Vec<[f64; 2]> {
    let away = evenly_away(&plan.stands);
    let (light, heavy) = (BEND * BEND, BEND * BEND * IN_CONTACT * IN_CONTACT);
    let weight = |f: usize| match [plan.stands[f], plan.down[f]] {
        [true, true] => [f64::INFINITY, heavy],
        [true, false] => [f64::INFINITY; 2],
        [false, true] => {
            let stands = curve::ramp(away[f], FREE * frames.ease as f64, 0.0);
            [light * IN_CONTACT.powf(2.0 * stands), heavy]
        }
        [false, false] => [light; 2],
    };
    (0..away.len()).map(weight).collect()
}
