//! The drops: how far the body comes down in every frame so that standing feet and leaning hands are in reach. A curve over
//! the clip, smooth in time.

use super::contact_interval::{Frames, frames_away, widened};
use super::foot::{FootPlan, Stand};
use super::hand_plan::HandPlan;
use super::leg_reach::{fold_room, leg_lowering, soft_lowering};
use super::limit_room::limit_room;
use super::sole::{FootGoals, penetration};
use super::trunk_lean::{TrunkLeans, turn};
use crate::blocks;
use crate::math::{Vec3, bounded, curve};
use crate::rig::UpAxis;

/// What the drops of a clip are made from.
pub(super) struct Drops<'a> {
    /// By foot.
    pub stands: &'a [Stand<'a>],
    pub goals: &'a [FootGoals],
    pub feet: &'a [FootPlan],
    pub hands: &'a [HandPlan],
    /// How the body moves, one a frame, target world.
    pub body: &'a [Vec3],
    pub leans: Option<&'a TrunkLeans>,
    pub up: UpAxis,
    pub frames: Frames,
}

impl Drops<'_> {
    /// The drop of the body in every frame, target length units.
    pub fn lens(&self) -> Vec<f64> {
        let away: Vec<Vec<usize>> = self.feet.iter().map(|foot| frames_away(&foot.down)).collect();
        // Feet before and after their contact intervals count less, the farther in time.
        let counts = |foot: usize, frame: usize| {
            curve::ramp(away[foot][frame] as f64, (self.frames.ease + 1) as f64, 0.0)
        };
        let of_legs = |frame: usize| {
            let of_leg = |foot: usize| match counts(foot, frame) {
                0.0 => 0.0,
                counts => self.of_leg(foot, frame) * counts,
            };
            (0..self.stands.len()).map(of_leg).fold(0.0, f64::max)
        };
        let mut needed = blocks::frames(self.body.len(), of_legs);
        if let Some(for_hands) = self.for_hands(counts) {
            needed
                .iter_mut()
                .zip(for_hands)
                .for_each(|(needed, hands)| *needed = needed.max(hands));
        }
        curve::envelope(&needed, self.frames.envelope)
    }

    /// How far the body must come down in a frame so that a foot is within reach.
    fn of_leg(&self, foot: usize, frame: usize) -> f64 {
        let Stand { leg, transferred, .. } = self.stands[foot];
        let (was, goal, body) = (&transferred[frame], self.goals[foot].at(frame), self.body[frame]);
        let hard = leg_lowering(leg, was, body, &goal, self.up);
        hard.max(soft_lowering(leg, was, body, &goal, self.up)).max(0.0)
    }

    /// How far the body may come down, at most by `most`, until a leg reaches a stated limit.
    fn room(&self, foot: usize, frame: usize, most: f64) -> f64 {
        let (goal, lean) = (self.goals[foot].at(frame), turn(self.leans, frame));
        limit_room(most, |by| {
            let body = self.body[frame] - self.up.vector() * by;
            self.stands[foot].beyond_limits_rad(frame, &goal, body, lean)
        })
    }

    /// How far the body must come down for leaning hands, but no farther than all legs can fold, those of feet in the
    /// air too. These first come down with the body to the floor. `None` if it comes down nowhere.
    fn for_hands(&self, counts: impl Fn(usize, usize) -> f64) -> Option<Vec<f64>> {
        let Self { body, up, frames, .. } = *self;
        let mut drops = vec![0.0; body.len()];
        for hand in self.hands {
            let of_hand = hand.drops(body, up, frames);
            drops.iter_mut().zip(of_hand).for_each(|(drop, hand)| *drop = f64::max(*drop, hand));
        }
        // So far the envelope of all drops carries one into other frames.
        let around = 2 * frames.envelope;
        let asked = (0..body.len()).filter(|&f| drops[f] > 0.0).map(|f| f..f + 1);
        let near = widened(asked, around, body.len());
        let room = |foot: usize, frame: usize| {
            let Stand { leg, transferred, track, binding, .. } = self.stands[foot];
            let goal = self.goals[foot].at(frame);
            let folds = fold_room(leg, &transferred[frame], body[frame], &goal, up);
            let ground = binding.target_height(track.floor_height);
            let in_air = (1.0 - counts(foot, frame)) * -penetration(&goal, leg, ground, up);
            self.room(foot, frame, folds.min(leg.len)) + in_air.max(0.0)
        };
        let of_legs =
            |frame| (0..self.stands.len()).map(|i| room(i, frame)).fold(f64::INFINITY, f64::min);
        for run in near.iter().cloned() {
            let missing: Vec<f64> = run.clone().map(|frame| -of_legs(frame)).collect();
            let missing = curve::highest_within(&missing, around);
            for (drop, missing) in drops[run].iter_mut().zip(missing) {
                *drop = bounded(*drop, -missing / 2.0, -missing);
            }
        }
        (!near.is_empty()).then_some(drops)
    }
}
