//! Goals that were missed in a frame, by how much, and why.

use super::knees::KneeGoal;
use super::sole::{FootGoal, penetration};
use super::transferred::Leg;
use super::{HandMove, arm, kneeless};
use crate::contact::Limb;
use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::rig::{FootId, Rig, Side};
use serde::{Deserialize, Serialize};

/// A limb with a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalLimb {
    Foot(FootId),
    Limb(Limb),
}

/// A foot, a hand or a knee that missed its goal in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Miss {
    pub frame: usize,
    pub limb: GoalLimb,
    /// Distance from the goal, target length units.
    pub distance_len: f64,
    pub reason: MissReason,
}

/// Why a foot, a hand or a knee missed its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissReason {
    /// The limb is straight and too short.
    OutOfReach,
    /// The limb is long enough, but a limit of its joints or the body's own shape keeps it away.
    Limit,
    /// The foot lets go of the floor before its source's does, or stands later, since the body rises onto its hands.
    LetGo,
    /// The foot lets go of the floor, since it is long: while its knee kneels, or while it turns about its ball.
    LongFoot,
    /// The foot lets go of the floor sooner than its source's and stands later, since it would step to its next place too
    /// fast.
    FastStep,
}

impl MissReason {
    /// Why a foot lets go of the floor, as the end of a sentence; `None` if it does not.
    pub fn why_let_go(self) -> Option<&'static str> {
        match self {
            Self::OutOfReach | Self::Limit => None,
            Self::LetGo => Some("as hands carry the body"),
            Self::LongFoot => Some("as long feet kneel or turn about their balls"),
            Self::FastStep => Some("as feet would step to their next place too fast"),
        }
    }
}

/// The goals of a frame's solve.
pub(super) struct GoalsToMeet<'a, Stands, LetGo, Leans> {
    /// By foot.
    pub feet: &'a [FootGoal],
    /// Which feet stand.
    pub stands: Stands,
    /// Why a foot lets go of the floor while its source's stands.
    pub let_go: LetGo,
    /// Height of the ground, target length units.
    pub ground: f64,
    pub knees: &'a [Option<KneeGoal>; 2],
    /// The goal of the wrist of a hand that leans or touches, target world, and the hand's move.
    pub leans: Leans,
}

impl<'a, Stands, LetGo, Leans> GoalsToMeet<'a, Stands, LetGo, Leans>
where
    Stands: Fn(FootId) -> bool,
    LetGo: Fn(FootId) -> Option<MissReason>,
    Leans: Fn(Side) -> Option<(Vec3, &'a HandMove)>,
{
    /// The misses of a solved frame: feet, hands, knees.
    pub fn misses(
        &self,
        frame: usize,
        rig: &Rig,
        legs: &[Leg],
        is: &WorldPose,
    ) -> impl Iterator<Item = Miss> {
        // A foot behind a held knee is where its shin ends.
        let kneels = |foot: FootId| {
            self.knees.get(foot.index()).is_some_and(|knee| knee.is_some_and(|k| k.hold > 0.0))
        };
        let foot = move |foot: FootId| {
            let (leg, goal) = (&legs[foot.index()], &self.feet[foot.index()]);
            if let Some(reason) = (self.let_go)(foot) {
                let off_len = -penetration(goal, leg, self.ground, rig.up);
                let is_told = reason != MissReason::LetGo || off_len > MISSED * leg.len;
                return is_told.then_some((GoalLimb::Foot(foot), (off_len.max(0.0), reason)));
            }
            if !(self.stands)(foot) || kneels(foot) {
                return None;
            }
            let missed = missed_by(leg, goal, is)?;
            Some((GoalLimb::Foot(foot), missed))
        };
        let hand = move |side: Side| {
            let (goal, hand) = (self.leans)(side)?;
            Some((GoalLimb::Limb(Limb::Hand(side)), missed_by_hand(rig, side, goal, hand, is)?))
        };
        let knee = move |side: Side| {
            let goal = self.knees[side.index()].filter(|knee| knee.hold == 1.0)?;
            let leg = legs.get(side.index())?;
            Some((GoalLimb::Limb(Limb::Knee(side)), missed_by_knee(leg, &goal, is)?))
        };
        let feet = rig.foot_ids().filter_map(foot);
        let hands = Side::BOTH.into_iter().filter_map(hand);
        let knees = Side::BOTH.into_iter().filter_map(knee);
        let miss = move |(limb, (distance_len, reason))| Miss { frame, limb, distance_len, reason };
        feet.chain(hands).chain(knees).map(miss)
    }
}

/// Distance of a standing foot from its goal, and why; `None` below the threshold.
fn missed_by(leg: &Leg, wanted: &FootGoal, is: &WorldPose) -> Option<(f64, MissReason)> {
    let ball = wanted.ankle + wanted.foot_rotation * leg.ball;
    let (place, len) = kneeless::held(leg, wanted.ankle, ball);
    // A foot that cannot rotate as far as its goal still stands on its ball.
    let off_len = (is.point(leg.ankle, leg.ball) - ball).norm() + wanted.given_up_len;
    let far = (place - is.position(leg.hip())).norm() > FULL_LENGTH * len;
    let reason = if far { MissReason::OutOfReach } else { MissReason::Limit };
    (off_len > MISSED * leg.len).then_some((off_len, reason))
}

/// Distance of a kneeling knee from its goal, and why; `None` below the threshold.
fn missed_by_knee(leg: &Leg, goal: &KneeGoal, is: &WorldPose) -> Option<(f64, MissReason)> {
    let (hip, knee) = (is.position(leg.hip()), is.position(leg.knee?.shin));
    let off = (knee - goal.place).norm();
    let far = (goal.place - hip).norm() > (knee - hip).norm();
    let reason = if far { MissReason::OutOfReach } else { MissReason::Limit };
    (off > MISSED * leg.len).then_some((off, reason))
}

/// Distance of a hand from its goal, and why; `None` below the threshold.
fn missed_by_hand(
    rig: &Rig,
    side: Side,
    goal: Vec3,
    hand: &HandMove,
    is: &WorldPose,
) -> Option<(f64, MissReason)> {
    let [shoulder, elbow, wrist] = arm::arm_joints(rig, side)?.map(|id| is.position(id));
    let off = (wrist - goal).norm() + hand.short_len + hand.limited_len;
    let len = (elbow - shoulder).norm() + (wrist - elbow).norm();
    let far = hand.short_len > 0.0 || (goal - shoulder).norm() > FULL_LENGTH * len;
    let reason = if far { MissReason::OutOfReach } else { MissReason::Limit };
    (off > MISSED * rig.leg_len).then_some((off, reason))
}

/// A standing foot, a hand or a knee farther from its goal than this share of a leg length is a miss.
const MISSED: f64 = 1e-3;

/// If a goal is farther than this share of a limb's length, the limb is straight there.
const FULL_LENGTH: f64 = 0.999;
