//! The drops: how far the body comes down in every frame so that standing feet and leaning hands are in reach, and so that
//! the knees of standing legs bend evenly. A curve over the clip, smooth in time.

use super::contact_interval::{Frames, frames_away, widened};
use super::foot::{FootPlan, Stand};
use super::hands::HandPlan;
use super::leg_reach::{above, fold_room, leg_lowering, soft_lowering};
use super::limit_room::limit_room;
use super::reach::{lowering, stretched};
use super::side;
use super::sole::{FootGoals, penetration};
use super::trunk_lean::{TrunkLeans, turn};
use crate::blocks;
use crate::math::{Vec3, curve};
use crate::rig::UpAxis;

/// What the drops of a clip are made from.
pub(super) struct Drops<'a> {
    /// By foot.
    pub stands: &'a [Stand<'a>],
    pub goals: &'a [FootGoals],
    pub feet: &'a [FootPlan],
    /// How far forwards the source's knee is bent, by foot and frame.
    pub forwards: &'a [Vec<f64>],
    pub hands: &'a [HandPlan],
    /// How the body moves, one a frame, target world.
    pub body: &'a [Vec3],
    pub leans: Option<&'a TrunkLeans>,
    pub up: UpAxis,
    pub frames: Frames,
}

/// The time over which knees of standing legs bend evenly, as a share of that of legs in the swing phase.
const EVEN: f64 = 0.7;

/// A knee may bend so much less than evenly, radians (0.3°): so much nobody sees, and the body need not come down for it.
const UNEVEN_RAD: f64 = 0.005;

/// How much nearer to its limit a joint counts as if the body comes down for the evenness of a knee alone: what is
/// foreseen of a leg with limits is not exact, and a foot that drifts is seen before an uneven knee.
const CAREFUL: f64 = 2.5;

impl Drops<'_> {
    /// The drop of the body in every frame, target length units. Evening the knees of two legs takes some 2,800 instructions
    /// a frame.
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
        let mut drops = curve::envelope(&needed, self.frames.envelope);
        let mut farther = vec![0.0; drops.len()];
        for foot in 0..self.stands.len() {
            self.even_knee(foot, &drops, |frame| counts(foot, frame), &mut farther);
        }
        let farther = curve::envelope(&farther, self.frames.envelope / 2);
        let farther = self.within_limits(farther, &drops);
        drops.iter_mut().zip(farther).for_each(|(drop, farther)| *drop += farther);
        drops
    }

    /// What is left of coming down `farther` than by `drops` where legs have stated limits.
    fn within_limits(&self, mut farther: Vec<f64>, drops: &[f64]) -> Vec<f64> {
        let limited = (0..self.stands.len()).filter(|&foot| !self.stands[foot].turns.is_empty());
        let limited: Vec<usize> = limited.collect();
        if limited.is_empty() {
            return farther;
        }
        let given_up = |frame: usize| {
            let most = farther[frame];
            if most == 0.0 {
                return 0.0;
            }
            let room = |foot: &usize| self.room(*foot, frame, drops[frame], most, CAREFUL);
            1.0 - limited.iter().map(room).fold(most, f64::min) / most
        };
        let given_up = blocks::frames(farther.len(), given_up);
        let given_up = curve::envelope(&given_up, self.frames.envelope / 2);
        farther.iter_mut().zip(given_up).for_each(|(farther, by)| *farther *= 1.0 - by);
        farther
    }

    /// How far the body must come down in a frame so that a foot is within reach.
    fn of_leg(&self, foot: usize, frame: usize) -> f64 {
        let Stand { leg, transferred, .. } = self.stands[foot];
        let (was, goal, body) = (&transferred[frame], self.goals[foot].at(frame), self.body[frame]);
        let hard = leg_lowering(leg, was, body, &goal, self.up);
        hard.max(soft_lowering(leg, was, body, &goal, self.up)).max(0.0)
    }

    /// How far the body, lower by `drop`, may come down farther, at most by `most`, until a leg reaches a stated limit,
    /// or is so many times `nearer` to it.
    fn room(&self, foot: usize, frame: usize, drop: f64, most: f64, nearer: f64) -> f64 {
        let (goal, lean) = (self.goals[foot].at(frame), turn(self.leans, frame));
        limit_room(most, |by| {
            let body = self.body[frame] - self.up.vector() * (drop + by);
            let beyond = self.stands[foot].beyond_limits_rad(frame, &goal, body, lean)?;
            Some(beyond.map(|by| by * nearer))
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
            self.room(foot, frame, 0.0, folds.min(leg.len), 1.0) + in_air.max(0.0)
        };
        let of_legs =
            |frame| (0..self.stands.len()).map(|i| room(i, frame)).fold(f64::INFINITY, f64::min);
        for run in near.iter().cloned() {
            let missing: Vec<f64> = run.clone().map(|frame| -of_legs(frame)).collect();
            let missing = curve::highest_within(&missing, around);
            for (drop, missing) in drops[run].iter_mut().zip(missing) {
                *drop = stretched(*drop, -missing / 2.0, -missing);
            }
        }
        (!near.is_empty()).then_some(drops)
    }

    /// Raises `farther` to how much farther than by `drops` the body must come down so that the knee of a leg bends
    /// evenly against the transferred one. On a nearly straight leg a goal that trembles by a millimetre would bend it by
    /// degrees.
    fn even_knee(
        &self,
        foot: usize,
        drops: &[f64],
        counts: impl Fn(usize) -> f64,
        farther: &mut [f64],
    ) {
        let Stand { leg, transferred, .. } = self.stands[foot];
        let Some(bones) = leg.two_bones() else { return };
        let way = |frame: usize| {
            let goal = self.goals[foot].at(frame);
            let above = above(leg, &transferred[frame], self.body[frame], &goal);
            above - self.up.vector() * drops[frame]
        };
        let bend = |way: Vec3| bones.bend_rad(way.norm());
        let (stand, goals) = (&self.stands[foot], &self.goals[foot]);
        let sides = side::shares(stand, &self.forwards[foot], &goals.ankles, self.body);
        let was = transferred.iter().zip(sides).map(|(was, side)| bend(was.way()) * side);
        let was: Vec<f64> = was.collect();
        let bends: Vec<f64> = (0..drops.len()).map(|frame| bend(way(frame))).collect();
        let held = vec![false; drops.len()];
        let even = bones.evenly_farther(&was, &bends, &held, EVEN * self.frames.limb);
        for (frame, farther) in farther.iter_mut().enumerate() {
            let (counts, wanted) = (counts(frame), was[frame] + even[frame] - UNEVEN_RAD);
            if counts > 0.0 && wanted > bends[frame] {
                let by = lowering(way(frame), bones.span(wanted), self.up);
                *farther = farther.max(by * counts);
            }
        }
    }
}
