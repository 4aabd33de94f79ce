//! Feet in the air stay above the ground, where bodies of other proportions would scuff with them.
//!
//! A foot is lifted before its leg is made to turn and bend evenly, and what it still lacks afterwards is turned away about its
//! ankle, which moves nothing of the leg.

use super::contact_interval::evenly_away;
use super::foot::{FootPlan, Stand};
use super::knees::KneeGoal;
use super::leg_reach;
use super::limit_room::given_up;
use super::passing::Passing;
use super::sole::{self, FootGoal, FootGoals};
use super::toes;
use super::trunk_lean::{self, TrunkLeans};
use crate::contact::LowestHeights;
use crate::math::{Quat, Vec3, curve};

/// The share of the time over which corrections ease in after which a foot that has left the floor turns by all that it
/// must: the nearer it is to its contact, the less it is off the height of its floor.
const TURNS: f64 = 0.35;

/// The share of the time over which a bound is approached in which a foot turns: it is light, and turned for longer it points
/// elsewhere than the source's.
const TURNS_EARLY: f64 = 0.5;

/// How deep in the ground a sole is not seen to be, leg lengths.
const SEEN: f64 = 0.003;

/// From this lock weight of a knee on, and from this lift of one on (leg lengths), the foot below it lies as its shin does.
const HELD: f64 = 0.1;
const LIFTED: f64 = 0.03;

/// By how much a ball rises with a small turn of its toes up, as a share of the foot's length and that turn, from which on a
/// foot turns so, and wholly. That of a foot that points down and backwards first sinks, but less than it rises afterwards.
const RAISES: [f64; 2] = [-0.6, -0.2];

/// Rounds in which a foot turns: heel and ball move along a circle, and one that lies on its side by more.
const ROUNDS: usize = 2;

/// The ground under a foot, over the clip.
pub(super) struct Ground<'a> {
    stand: &'a Stand<'a>,
    height: f64,
    /// How low the sole may be in each frame: the height of the ground, or less where the source's is below it.
    lowest: Vec<f64>,
    /// How many frames it is until the sole is down, or since.
    away: Vec<f64>,
}

impl<'a> Ground<'a> {
    pub fn new(plan: &FootPlan, stand: &'a Stand<'a>, source_heights: &LowestHeights) -> Self {
        let Stand { foot, track, binding, .. } = *stand;
        let height = binding.target_height(track.floor_height);
        let source = binding.source_foot(foot).map(|foot| source_heights.sole(foot));
        let sinks = |f: usize| {
            let lowest = source.and_then(|heights| heights.get(f)).unwrap_or(&track.floor_height);
            ((track.floor_height - lowest) * binding.scale).max(0.0)
        };
        let lowest = (0..plan.down.len()).map(|f| height - sinks(f)).collect();
        Self { stand, height, lowest, away: evenly_away(&plan.down) }
    }

    /// How far a foot is free of its contacts, from 0 where it stands to 1 after `frames`.
    fn free(&self, frame: usize, frames: f64) -> f64 {
        curve::ramp(self.away[frame], 0.0, frames)
    }

    /// Lifts a foot that would sink deeper into the ground than the source's does, and turns its toes up if the lift would
    /// be large.
    pub fn lift(&self, goals: &mut FootGoals, body: &[Vec3]) {
        let Stand { leg, transferred, up, frames, .. } = *self.stand;
        let lifts = |goals: &FootGoals| {
            let deeper = |(f, lowest): (usize, &f64)| {
                sole::penetration(&goals.at(f), leg, *lowest, up).max(0.0)
            };
            let deeper: Vec<f64> = self.lowest.iter().enumerate().map(deeper).collect();
            curve::envelope(&deeper, frames.envelope)
        };
        // A standing foot stays in place; the lift begins as it leaves.
        let free = |f: usize| self.free(f, frames.ease as f64);
        if leg.turns_toes_up() {
            let turn_rad = |(f, lift): (usize, f64)| {
                sole::toes_up_rad(goals.rotations[f][0] * leg.ball, leg.len, lift, up)
            };
            let turns_rad: Vec<f64> = lifts(goals).into_iter().enumerate().map(turn_rad).collect();
            let turns_rad = self.to_its_side(goals, turns_rad);
            for (f, turn_rad) in turns_rad.into_iter().enumerate() {
                let turn = self.turning(goals, f, turn_rad * free(f));
                goals.rotations[f].iter_mut().for_each(|rotation| *rotation = turn * *rotation);
            }
        }
        for (f, lift) in lifts(goals).into_iter().enumerate() {
            let free = free(f);
            let hip = transferred[f].thigh + body[f];
            goals.ankles[f] = leg_reach::lifted(leg, hip, goals.ankles[f], lift * free, up);
            goals.lock_weights[f] = 1.0 - free;
        }
    }

    /// Turns a foot whose ball or heel is still too low about its ankle, as far as the limit of its ankle lets it, and bends
    /// its toes up. A foot whose `knee` kneels is laid down with its shin instead. Takes some 0.1 µs a frame.
    pub fn turn_away(
        &self,
        goals: &mut FootGoals,
        body: &[Vec3],
        leans: Option<&TrunkLeans>,
        knee: Option<&[KneeGoal]>,
    ) {
        let Stand { leg, up, frames, .. } = *self.stand;
        let rounds = if leg.turns_toes_up() { ROUNDS } else { 0 };
        for _ in 0..rounds {
            let mut turns_rad = self.turns_rad(goals);
            let kneels = knee.unwrap_or_default().iter();
            let turns = turns_rad.iter_mut().zip(kneels);
            turns.for_each(|(turn, knee)| *turn *= 1.0 - hold(knee, leg.len));
            if turns_rad.iter().all(|turn_rad| *turn_rad == 0.0) {
                break;
            }
            let given_up = self.given_up(goals, &turns_rad, body, leans);
            for (f, turn_rad) in turns_rad.into_iter().enumerate().filter(|(_, turn)| *turn != 0.0)
            {
                let given_up = given_up.as_ref().map_or(0.0, |given_up| given_up[f]);
                self.turn_up(goals, f, turn_rad * (1.0 - given_up));
            }
        }
        toes::bend_evenly(goals, leg, self.height, frames, up);
    }

    /// How far toes turn up in each frame where a foot must come up by a turn of so much, to whichever side raises it.
    fn to_its_side(&self, goals: &FootGoals, turns_rad: Vec<f64>) -> Vec<f64> {
        if turns_rad.iter().all(|turn_rad| *turn_rad == 0.0) {
            return turns_rad;
        }
        let passing = self.passing(goals);
        let [ahead, back] = passing.sides(&turns_rad);
        let to_side: Vec<f64> = ahead.iter().zip(back).map(|(ahead, back)| ahead - back).collect();
        let to_side = curve::smooth(&to_side, self.early());
        let turn_rad = |(f, (turn_rad, to_side)): (usize, (f64, f64))| {
            passing.part(f, self.raising(goals, f, turn_rad), to_side)
        };
        turns_rad.into_iter().zip(to_side).enumerate().map(turn_rad).collect()
    }

    /// How far toes turn up in each frame so that neither ball nor heel is too low, radians.
    fn turns_rad(&self, goals: &FootGoals) -> Vec<f64> {
        let raising =
            |f: usize| if self.away[f] > 0.0 { self.raising_rad(goals, f) } else { [0.0; 2] };
        let (toes, heels): (Vec<f64>, Vec<f64>) =
            (0..self.lowest.len()).map(raising).map(|[toes, heel]| (toes, heel)).unzip();
        if [&toes, &heels].into_iter().flatten().all(|turn_rad| *turn_rad == 0.0) {
            return toes;
        }
        let passing = self.passing(goals);
        let [ahead, back] = passing.sides(&toes);
        let [ahead, back, heels] =
            [ahead, back, heels].map(|rads| curve::envelope(&rads, self.early()));
        let turn_rad = |f: usize| {
            let stays = self.raising(goals, f, ahead[f] - heels[f]);
            let passes = ahead[f] - back[f] - self.raising(goals, f, heels[f]);
            passing.part(f, stays, passes) * self.free(f, TURNS * self.stand.frames.ease as f64)
        };
        (0..toes.len()).map(turn_rad).collect()
    }

    /// The frames over which a foot begins to turn before it must.
    fn early(&self) -> usize {
        ((self.stand.frames.envelope as f64 * TURNS_EARLY).round() as usize).max(1)
    }

    fn passing(&self, goals: &FootGoals) -> Passing {
        let rises: Vec<f64> = (0..self.lowest.len()).map(|f| self.rises(goals, f)).collect();
        Passing::new(&rises, self.early())
    }

    /// The part of a turn of a foot's toes up that raises its ball: that of a foot on its instep sinks.
    fn raising(&self, goals: &FootGoals, frame: usize, toes_up_rad: f64) -> f64 {
        if toes_up_rad == 0.0 {
            return 0.0;
        }
        toes_up_rad * curve::ramp(self.rises(goals, frame), RAISES[0], RAISES[1])
    }

    /// By how much the ball of a foot rises with a small turn of its toes up, as a share of the foot's length and that turn.
    fn rises(&self, goals: &FootGoals, frame: usize) -> f64 {
        let (foot, leg) = (goals.rotations[frame][0], self.stand.leg);
        let way = (foot * leg.ball).cross(&(foot * leg.foot_aside));
        self.stand.up.height(way) / leg.ball.norm().max(1e-300)
    }

    /// The share of its turn that a foot gives up in each frame for the stated limit of its ankle; `None` if it has none.
    fn given_up(
        &self,
        goals: &FootGoals,
        turns_rad: &[f64],
        body: &[Vec3],
        leans: Option<&TrunkLeans>,
    ) -> Option<Vec<f64>> {
        let Stand { leg, binding, frames, .. } = *self.stand;
        binding.limits.of(leg.ankle)?;
        let beyond = |f: usize, share: f64| {
            if turns_rad[f] == 0.0 {
                return None;
            }
            let turn = self.turning(goals, f, turns_rad[f] * share);
            let goal = goals.at(f);
            let goal = FootGoal { foot_rotation: turn * goal.foot_rotation, ..goal };
            let lean = trunk_lean::turn(leans, f);
            let [_, ankle] = self.stand.beyond_limits_rad(f, &goal, body[f], lean)?;
            Some([ankle])
        };
        Some(given_up(body.len(), frames.ease / 2, beyond))
    }

    /// How far a foot must turn so that its ball, and how far so that its heel is no longer too low, radians.
    fn raising_rad(&self, goals: &FootGoals, frame: usize) -> [f64; 2] {
        let Stand { leg, up, .. } = *self.stand;
        let foot = goals.rotations[frame][0];
        let lowest = self.lowest[frame] - up.height(goals.ankles[frame]);
        let raising = |point: Vec3, own_height: f64| {
            let way = foot * point;
            sole::raising_rad(way, lowest + own_height - SEEN * leg.len - up.height(way), up)
        };
        let ball = raising(leg.ball, leg.ball_height);
        let toes = if leg.toe.is_none() { ball.max(raising(leg.tip, 0.0)) } else { ball };
        [toes, raising(leg.heel, 0.0)]
    }

    /// Turns the ball of a foot up by this angle, and its toes as far along as their tip is too low: else they would flick up,
    /// and bend down to the ground in the next frame.
    fn turn_up(&self, goals: &mut FootGoals, frame: usize, turn_rad: f64) {
        let Stand { leg, up, .. } = *self.stand;
        let turn = self.turning(goals, frame, turn_rad);
        goals.rotations[frame][0] = turn * goals.rotations[frame][0];
        let goal = goals.at(frame);
        let tip = goal.toe_rotation * leg.tip;
        let place = goal.ankle + goal.foot_rotation * leg.ball + tip;
        let needed_rad = sole::raising_rad(tip, self.height - up.height(place), up);
        let turn = self.turning(goals, frame, needed_rad.min(turn_rad.max(0.0)));
        goals.rotations[frame][1] = turn * goals.rotations[frame][1];
    }

    /// The rotation (world) that turns a foot's toes up by this angle.
    fn turning(&self, goals: &FootGoals, frame: usize, toes_up_rad: f64) -> Quat {
        Quat::from_scaled_axis(goals.rotations[frame][0] * self.stand.leg.foot_aside * -toes_up_rad)
    }
}

/// From 0 to 1, how far a foot lies as the shin of such a knee does.
fn hold(knee: &KneeGoal, leg_len: f64) -> f64 {
    let [held, lifted] = [knee.hold / HELD, knee.lift / (LIFTED * leg_len).max(1e-300)];
    curve::ramp(held.max(lifted), 0.0, 1.0)
}
