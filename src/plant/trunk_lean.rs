//! Trunk lean: where arms are too short for hands to reach the floor, the trunk turns about the line through the hip
//! joints. Arms and head move along and keep their rotations; the legs do not move.

use super::foot::Stand;
use super::hand_plan::HandPlan;
use super::limit_room::limit_room;
use super::sole::FootGoals;
use crate::math::{Quat, Vec3, bounded, curve, saturated};
use crate::pose::WorldPose;
use crate::rig::UpAxis;
use crate::skeleton::{JointId, Skeleton};

/// The most that a trunk leans, radians.
const MOST_RAD: f64 = 0.6;

/// A lean of a trunk that is nearly upright moves its shoulders forwards and hardly down, so such a trunk leans less.
/// This is the sine of its tilt at which it leans by half.
const STEEP: f64 = 0.3;

/// Legs show a small drop of the body less than a trunk shows a lean, so they take small drops. At this drop of the
/// shoulder, in lengths from hips to shoulder, each takes half.
const LEGS_SHARE: f64 = 0.08;

/// Cosines between trunk and up: below the first the trunk does not lean, above the second it leans fully. A body that
/// stands on its hands must not bend its back for them.
const HEAD_DOWN: [f64; 2] = [-0.3, 0.0];

/// The axis of a trunk lean: the line through both hip joints, world.
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

    /// The offset of a point of the trunk, world.
    pub fn moved(&self, point: Vec3, trunk_lean_rad: f64) -> Vec3 {
        self.from + self.turn(trunk_lean_rad) * (point - self.from) - point
    }

    /// The lean that lowers a shoulder by its share of `drop`, radians; the legs take the rest.
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

/// How far the trunk leans over a clip.
pub(super) struct TrunkLeans {
    /// Radians forwards, one a frame.
    pub leans_rad: Vec<f64>,
    lines: Vec<Option<LeanAxis>>,
}

impl TrunkLeans {
    /// The offset of an arm whose shoulder was transferred to this place, in a frame, world.
    pub fn moved(&self, frame: usize, shoulder: Vec3) -> Vec3 {
        let line = self.lines[frame];
        line.map_or(Vec3::zeros(), |line| line.moved(shoulder, self.leans_rad[frame]))
    }

    fn turn(&self, frame: usize) -> Quat {
        self.lines[frame].map_or(Quat::identity(), |line| line.turn(self.leans_rad[frame]))
    }
}

/// How the pelvis turns in a frame, world.
pub(super) fn turn(leans: Option<&TrunkLeans>, frame: usize) -> Quat {
    leans.map_or(Quat::identity(), |leans| leans.turn(frame))
}

/// The trunk lean in every frame that lets hands reach the floor, as far as stated limits of the hips allow. Each
/// hand's plan receives the offset of its shoulder. `None` if no hand needs a lean. `weight` is that of the goals of
/// the hips.
pub(super) fn leans(
    hands: &mut [HandPlan],
    stands: &[Stand],
    goals: &[FootGoals],
    body: &[Vec3],
    weight: f64,
) -> Option<TrunkLeans> {
    let [left, right] = stands else { return None };
    let Stand { up, frames, .. } = *left;
    let lines: Vec<Option<LeanAxis>> = (0..body.len())
        .map(|f| LeanAxis::through([left, right].map(|leg| leg.transferred[f].thigh)))
        .collect();
    let line = |f: usize| lines[f];
    let is_limited = stands.iter().any(|stand| !stand.turns.is_empty());
    let trunk_lean = |f: usize| {
        let line = line(f);
        let of_hand = |hand: &HandPlan| {
            let drop = hand.drop_len(f, body[f], up);
            line.map_or(0.0, |line| line.for_drop(hand.shoulder(f), drop, up))
        };
        let larger = |a: f64, b: f64| if b.abs() > a.abs() { b } else { a };
        let wanted = hands.iter().map(of_hand).fold(0.0, larger);
        let Some(line) = line.filter(|_| wanted != 0.0 && is_limited) else { return wanted };
        let room = |(stand, goals): (&Stand, &FootGoals)| {
            let goal = goals.at(f);
            limit_room(MOST_RAD, |lean| {
                let turn = line.turn(lean.copysign(wanted));
                stand.beyond_limits_rad(f, &goal, body[f], turn)
            })
        };
        let room = stands.iter().zip(goals).map(room).fold(f64::INFINITY, f64::min);
        bounded(wanted.abs(), room / 2.0, room).copysign(wanted)
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
    let leans_rad = ahead.into_iter().zip(back).map(|(ahead, back)| (ahead - back) * weight);
    let leans = TrunkLeans { leans_rad: leans_rad.collect(), lines };
    for hand in hands {
        let moved = (0..body.len()).map(|f| leans.moved(f, hand.shoulder(f))).collect();
        hand.trunk_lean(moved);
    }
    Some(leans)
}

/// Leans the trunk of a pose about the line through its hip joints. The subtrees of `along` (arms, the head) move along
/// and keep their rotations. Allocates nothing.
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
