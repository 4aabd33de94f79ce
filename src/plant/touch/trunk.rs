//! Keeps arms out of the trunk: an arm that hangs beside a narrow body must not sink into a broad one.
//!
//! An arm may be as deep in the target's trunk as the source's arm is in its own, since the body proxy is only a model.

use crate::ik::middle_joint;
use crate::math::{Quat, Vec3, curve};
use crate::pose::WorldPose;
use crate::rig::{Arm, BodyProxy, Shape};

/// Points of an arm that are kept out of the trunk.
pub(super) const POINTS: usize = 4;

/// Rounds in which a hand is moved aside, each by what the previous ones left.
const ROUNDS: usize = 3;

/// The range of distances over which an arm's weight rises, arm lengths.
const MARGIN: f64 = 0.05;

/// Elbow, middle of the forearm, wrist and middle of the hand.
pub(super) fn points(arm: &Arm, world: &WorldPose) -> [Vec3; POINTS] {
    let [wrist, tips] = arm.hand(world);
    points_of(world.position(arm.joints[1]), wrist, tips)
}

fn points_of(elbow: Vec3, wrist: Vec3, tips: Vec3) -> [Vec3; POINTS] {
    [elbow, (elbow + wrist) / 2.0, wrist, (wrist + tips) / 2.0]
}

/// The distance from the trunk, in the source's length units, below which a source's arm may make the target's arm sink
/// into its trunk; `None` if the target is no broader or deeper beside its arms.
pub(super) fn sinks_below([source, target]: &[BodyProxy; 2]) -> Option<f64> {
    let [own, other] = [source, target].map(BodyProxy::mean_arm_len);
    let ratio = other / own;
    let room = |proxy: &BodyProxy, end: usize| proxy.trunk.shoulders - proxy.trunk.breadths[end];
    let aside = [0, 1].map(|end| ratio * room(source, end) - room(target, end));
    let ahead = target.trunk.depth - ratio * source.trunk.depth;
    let most = aside.into_iter().fold(ahead, f64::max);
    (most > 1e-6 * other).then(|| (most + MARGIN * other) / ratio)
}

/// The distances of an arm's points from a trunk; below 0 inside. Length units.
fn distances(points: [Vec3; POINTS], trunk: &Shape) -> [f64; POINTS] {
    points.map(|point| trunk.distance(&trunk.place(point)))
}

fn least(lens: [f64; POINTS]) -> f64 {
    lens.into_iter().fold(f64::INFINITY, f64::min)
}

/// The distance of the nearest point of a source's arm from its trunk; below 0 inside. Length units.
pub(super) fn clearance(arm: &Arm, world: &WorldPose, trunk: &Shape) -> f64 {
    least(distances(points(arm, world), trunk))
}

/// How an arm of a source is at its own trunk.
#[derive(Clone, Copy, Default)]
pub(super) struct Beside {
    /// How deep each point of the target's arm may be in its trunk: as deep as the source's in its own, and at least a little.
    /// Target length units, below 0 inside.
    pub allowed: [f64; POINTS],
    /// The weight with which the target's arm is kept out of its trunk.
    pub sinks: f64,
}

impl Beside {
    /// Of a source's arm and trunk. A target's arm can sink only where its source's is nearer to its trunk than `most`, at
    /// which distance the weight falls to 0; `ratio` is the size of the target's trunk against the source's.
    pub fn of(arm: &Arm, world: &WorldPose, trunk: &Shape, most: Option<f64>, ratio: f64) -> Self {
        let (off, free) = (distances(points(arm, world), trunk), -FREE * ratio * arm.len());
        let sinks = |most: f64| curve::ramp(least(off), most, most - MARGIN * arm.len());
        Self { allowed: off.map(|off| (off * ratio).min(free)), sinks: most.map_or(0.0, sinks) }
    }
}

/// One arm of a pose.
#[derive(Clone, Copy)]
pub(super) struct ArmSight {
    pub shoulder: Vec3,
    pub elbow: Vec3,
    pub wrist: Vec3,
    /// From the wrist to the finger tips.
    pub hand: Vec3,
    pub bones: [f64; 2],
    /// The offset from its transferred position to the same place on the body; zero until that is computed.
    pub offset: Vec3,
    /// How its source's is at its own trunk; without weight until that is computed.
    pub beside: Beside,
}

impl ArmSight {
    /// The points that are kept out of the trunk if the hand moves by so much and the elbow turns by so much about the line
    /// from shoulder to wrist, and that line.
    fn moved(&self, by: Vec3, swivel_rad: f64) -> ([Vec3; POINTS], Vec3) {
        let wrist = self.wrist + by;
        let near = self.elbow + by / 2.0;
        let elbow = middle_joint(self.shoulder, wrist, near, self.bones[0], self.bones[1]);
        let len = self.bones[0] + self.bones[1];
        let axis = (wrist - self.shoulder).try_normalize(1e-9 * len).unwrap_or_default();
        let elbow =
            self.shoulder + Quat::from_scaled_axis(axis * swivel_rad) * (elbow - self.shoulder);
        (points_of(elbow, wrist, wrist + self.hand), axis)
    }

    /// How far the arm is from being too deep in the trunk if its hand moves by so much; below 0 where it is. Length units.
    pub fn clear_len(&self, trunk: &Shape, by: Vec3) -> f64 {
        let (points, _) = self.moved(by, 0.0);
        let off = distances(points, trunk);
        least(std::array::from_fn(|i| off[i] - self.beside.allowed[i]))
    }
}

/// What moves an arm out of the trunk.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Aside {
    /// The offset of its hand.
    pub push: Vec3,
    /// How far its elbow turns about the line from shoulder to wrist, radians.
    pub swivel_rad: f64,
    /// The way out of the trunk, whether it is needed or not.
    pub out: Vec3,
}

impl Aside {
    pub fn is_none(&self) -> bool {
        self.push == Vec3::zeros() && self.swivel_rad == 0.0
    }

    /// For an arm whose hand moves by `offset` from its transferred position.
    pub fn of(arm: &ArmSight, trunk: &Shape, offset: Vec3) -> Self {
        let (len, Beside { allowed, sinks }) = (arm.bones[0] + arm.bones[1], arm.beside);
        let mut aside = Self::default();
        for round in 0..ROUNDS {
            let (points, axis) = arm.moved(offset + aside.push, aside.swivel_rad);
            let (mut deepest, mut way) = (0.0, Vec3::zeros());
            for (i, point) in points.into_iter().enumerate() {
                let place = trunk.place(point);
                let outward = trunk.outward(&place).unwrap_or_default();
                if i == 1 && round == 0 {
                    aside.out = outward;
                }
                let mut excess = (allowed[i] - trunk.distance(&place)).max(0.0);
                if i == 0 && excess > 0.0 {
                    let off = point - arm.shoulder;
                    let turning = axis.cross(&off);
                    let bent = curve::ramp(turning.norm() / len, BENT[0], BENT[1]);
                    let gain = turning.dot(&outward);
                    let turn =
                        excess * gain / (gain * gain).max(0.1 * turning.norm_squared()).max(1e-300);
                    aside.swivel_rad += bent * turn.clamp(-MOST_TURN_RAD, MOST_TURN_RAD);
                    // The elbow of a straight arm moves half as far as its hand.
                    excess *= 2.0 * (1.0 - bent);
                }
                deepest = f64::max(deepest, excess);
                way += outward * excess;
            }
            // If this round found nothing, the next ones find nothing either.
            if deepest == 0.0 && aside.swivel_rad == 0.0 {
                break;
            }
            aside.push += way.try_normalize(1e-300).unwrap_or_default() * deepest;
        }
        let swivel_rad = aside.swivel_rad.clamp(-MOST_SWIVEL_RAD, MOST_SWIVEL_RAD);
        let share = (MOST_PUSH * len / aside.push.norm().max(1e-300)).min(1.0);
        Self { push: aside.push * share * sinks, swivel_rad: swivel_rad * sinks, ..aside }
    }
}

/// How deep an arm may always be in the trunk, arm lengths: arms press into flesh, and the trunk is only a model.
const FREE: f64 = 0.03;

/// The distance of an elbow from the line between shoulder and wrist over which it begins to turn about that line, arm
/// lengths: below the first it does not turn, from the second on it turns fully.
const BENT: [f64; 2] = [0.08, 0.2];

/// The largest angle by which an elbow turns in a round and in all, and the largest way of a hand in arm lengths.
const MOST_TURN_RAD: f64 = 0.4;
const MOST_SWIVEL_RAD: f64 = 0.8;
const MOST_PUSH: f64 = 0.25;
