//! A trunk that leans: so that hands come to a floor that their arms are too short for, the trunk turns about the line
//! of the hip joints. Arms and head go along but stay turned as they were, the legs stay as they stand.

use super::body::saturated;
use super::foot::Frames;
use super::hands::HandPlan;
use super::transferred::TransferredLeg;
use crate::math::{Quat, Vec3, curve};
use crate::pose::WorldPose;
use crate::rig::UpAxis;
use crate::skeleton::{JointId, Skeleton};

/// The most that a trunk leans, radians.
const MOST_RAD: f64 = 0.6;

/// A trunk leans the less, the less that lowers its shoulders: a sine at which it does so by half.
const STEEP: f64 = 0.3;

/// A drop of the shoulder that is left to the legs by half, in lengths from the hips to it: they hardly show a small
/// one.
const LEGS_SHARE: f64 = 0.08;

/// A trunk does not lean where it points down more than the first and fully above the second: cosines to upwards. Who
/// stands on the hands bends no back for them.
const HEAD_DOWN: [f64; 2] = [-0.3, 0.0];

/// The line about which a trunk leans, world.
#[derive(Clone, Copy)]
pub(super) struct LeanAxis {
    from: Vec3,
    /// Unit vector to the body's left.
    left: Vec3,
}

impl LeanAxis {
    /// Through the left and the right hip joint; `None` where they are in one place.
    pub fn through([left, right]: [Vec3; 2]) -> Option<Self> {
        let along = (left - right).try_normalize(1e-300)?;
        Some(Self { from: (left + right) / 2.0, left: along })
    }

    fn turn(&self, trunk_lean_rad: f64) -> Quat {
        Quat::from_scaled_axis(self.left * trunk_lean_rad)
    }

    /// How far a point of the trunk moves.
    pub fn moved(&self, point: Vec3, trunk_lean_rad: f64) -> Vec3 {
        self.from + self.turn(trunk_lean_rad) * (point - self.from) - point
    }

    /// The lean that brings a shoulder down by `drop`, as far as a lean does that well.
    fn for_drop(&self, shoulder: Vec3, drop: f64, up: UpAxis) -> f64 {
        let arm = shoulder - self.from;
        let len = arm.norm();
        let down = -up.height(self.left.cross(&arm)) / len.max(1e-300);
        let share = drop / len.max(1e-300);
        let large = share / (share + LEGS_SHARE);
        let trunk_lean_rad = share * large * down / (down * down + STEEP * STEEP);
        let upright = curve::ramp(up.height(arm) / len.max(1e-300), HEAD_DOWN[0], HEAD_DOWN[1]);
        saturated(trunk_lean_rad.abs(), MOST_RAD).copysign(trunk_lean_rad) * upright
    }
}

/// How far the trunk leans in every frame for the hands that lean, radians forwards, which are told of it; `None` where
/// none needs it. `weight` is how much the goals of the hips count.
pub(super) fn leans(
    hands: &mut [HandPlan],
    transferred: &[Vec<TransferredLeg>],
    body: &[Vec3],
    weight: f64,
    up: UpAxis,
    frames: Frames,
) -> Option<Vec<f64>> {
    let [left, right] = transferred else { return None };
    let line = |f: usize| LeanAxis::through([left[f].thigh, right[f].thigh]);
    let trunk_lean = |f: usize| {
        let line = line(f);
        let of_hand = |hand: &HandPlan| {
            let drop = hand.drop_len(f, body[f], up);
            line.map_or(0.0, |line| line.for_drop(hand.shoulder(f), drop, up))
        };
        let larger = |a: f64, b: f64| if b.abs() > a.abs() { b } else { a };
        hands.iter().map(of_hand).fold(0.0, larger)
    };
    let trunk_leans: Vec<f64> = (0..body.len()).map(trunk_lean).collect();
    if trunk_leans.iter().all(|trunk_lean| *trunk_lean == 0.0) {
        return None;
    }
    // Forwards, and backwards.
    let [ahead, back] = [1.0, -1.0].map(|sign| {
        let trunk_leans: Vec<f64> =
            trunk_leans.iter().map(|trunk_lean| (sign * trunk_lean).max(0.0)).collect();
        curve::envelope(&curve::envelope(&trunk_leans, frames.hand / 2), frames.envelope)
    });
    let trunk_leans: Vec<f64> =
        ahead.into_iter().zip(back).map(|(ahead, back)| (ahead - back) * weight).collect();
    for hand in hands {
        let moved = |f: usize| {
            line(f).map_or(Vec3::zeros(), |line| line.moved(hand.shoulder(f), trunk_leans[f]))
        };
        let moved = (0..body.len()).map(moved).collect();
        hand.trunk_lean(moved);
    }
    Some(trunk_leans)
}

/// Bows a body of bones about its two hips; what hangs on `along` (arms, the head) goes with it, turned as it was.
/// No allocation.
pub(super) fn trunk_lean(
    skeleton: &Skeleton,
    hips: [JointId; 2],
    along: [Option<JointId>; 3],
    trunk_lean_rad: f64,
    places: &mut WorldPose,
) {
    let Some(line) = LeanAxis::through(hips.map(|hip| places.position(hip))) else { return };
    let turn = line.turn(trunk_lean_rad);
    let legs = hips.map(|hip| skeleton.subtree(hip));
    let along = along.map(|top| {
        let top = top?;
        Some((skeleton.subtree(top), line.moved(places.position(top), trunk_lean_rad)))
    });
    for i in (0..skeleton.len()).filter(|i| !legs.iter().any(|leg| leg.contains(i))) {
        match along.iter().flatten().find(|(range, _)| range.contains(&i)) {
            Some((_, moved)) => places.positions[i] += moved,
            None => {
                let moved = line.moved(places.positions[i], trunk_lean_rad);
                places.positions[i] += moved;
                places.rotations[i] = turn * places.rotations[i];
            }
        }
    }
}
