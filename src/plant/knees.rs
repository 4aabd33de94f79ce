//! Knees that carry weight: they are held on the floor, and the body moves to where the thighs reach them.
//!
//! Only one bone is between a knee and the body, so the body has to move: it follows kneeling knees as it follows
//! standing feet, and then moves until each hip is at its thigh's length from the knee. A knee comes down where the
//! shin of its standing foot reaches.

use super::contact_interval::{Frames, lock_weights};
use super::foot::FootPlan;
use super::transferred::{Knee, Leg, TransferredLeg};
use crate::binding::Binding;
use crate::clip::Clip;
use crate::contact::{ContactTrack, Limb};
use crate::math::{Quat, Vec3, curve};
use crate::rig::{Side, UpAxis};
use std::ops::Range;

/// The plan of one knee that carries weight in a clip.
pub(super) struct KneePlan<'a> {
    pub side: Side,
    /// Index of its foot.
    foot: usize,
    /// Offset from the transferred position, known in frames in which it kneels; target length units.
    pub offsets: Vec<Vec3>,
    pub kneels: Vec<bool>,
    /// Height of the floor under it, target length units.
    floors: Vec<f64>,
    /// Its transferred leg in every frame.
    transferred: &'a [TransferredLeg],
    /// Its transferred distance from the ball in every frame.
    from_ball_lens: Vec<f64>,
    knee: Knee,
    /// From the ankle to the ball, in the ankle's frame (local).
    ball: Vec3,
    /// The runs of frames in which it kneels, each with the height at which the joint is held.
    holds: Vec<(Range<usize>, f64)>,
    up: UpAxis,
}

/// The goal of a knee in one frame, target world.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KneeGoal {
    pub place: Vec3,
    pub floor: f64,
    /// Its lock weight: 1 where it kneels, 0 far from there.
    pub hold: f64,
    /// How far it is lifted in frames in which it does not kneel, target length units.
    pub lift: f64,
}

impl KneeGoal {
    /// Whether the knee is held or lifted.
    pub fn is_held(&self) -> bool {
        self.hold > 0.0 || self.lift > 0.0
    }
}

/// The plans of the knees that carry weight, for legs transferred with `feet` as foot rotations. Costs nothing if no
/// knee carries weight.
pub(super) fn plans<'a>(
    source: &Clip,
    track: &ContactTrack,
    binding: &Binding,
    legs: &[Leg],
    transferred: &'a [Vec<TransferredLeg>],
    feet: &[Vec<[Quat; 2]>],
) -> Vec<KneePlan<'a>> {
    let kneels = |side: &Side| track.of_limb(Limb::Knee(*side)).next().is_some();
    let plan = |side: Side| {
        let foot = legs.iter().position(|leg| leg.side(&binding.target) == Some(side))?;
        let transferred = (&transferred[foot][..], &feet[foot][..]);
        KneePlan::new(side, foot, &legs[foot], transferred, source, track, binding)
    };
    Side::BOTH.into_iter().filter(kneels).filter_map(plan).collect()
}

impl<'a> KneePlan<'a> {
    fn new(
        side: Side,
        foot: usize,
        leg: &Leg,
        (transferred, feet): (&'a [TransferredLeg], &[[Quat; 2]]),
        source: &Clip,
        track: &ContactTrack,
        binding: &Binding,
    ) -> Option<Self> {
        let (knee, ball) = (leg.knee?, leg.ball);
        let up = binding.target.up;
        let mut kneels = vec![false; transferred.len()];
        let ground = binding.target_height(track.floor_height);
        let mut floors = vec![ground; transferred.len()];
        let mut holds = Vec::new();
        for contact in track.of_limb(Limb::Knee(side)) {
            let run = contact.frames.clone();
            let floor = binding.target_height(contact.floor_height);
            // The flesh under the joint is as thick as the source's.
            let [knee, _] = contact.heights(source, &binding.source);
            let height = floor + knee * binding.scale;
            kneels[run.clone()].fill(true);
            floors[run.clone()].fill(floor);
            holds.push((run, height));
        }
        let from_ball_len = |(was, [foot, _]): (&TransferredLeg, &[Quat; 2])| {
            (was.knee_or_ball - was.ankle - *foot * ball).norm()
        };
        let from_ball_lens = transferred.iter().zip(feet).map(from_ball_len).collect();
        let offsets = vec![Vec3::zeros(); transferred.len()];
        Some(Self {
            side,
            foot,
            offsets,
            kneels,
            floors,
            transferred,
            from_ball_lens,
            knee,
            ball,
            holds,
            up,
        })
    }

    /// Holds the knee at the horizontal mean of where the shin of its foot reaches while the foot stands. If the foot
    /// never stands, holds it at the mean of its transferred positions.
    pub fn stand_by(&mut self, feet: &[FootPlan]) {
        for (run, height) in &self.holds {
            let by_shin = |f: usize| {
                let foot = &feet[self.foot];
                let TransferredLeg { knee_or_ball: knee, ankle: was, .. } = self.transferred[f];
                let ankle = foot.standing_ankle(f, was, self.up)?;
                let [_, shin_len] = self.knee.bones.lens;
                let ahead = self.up.level(knee - was).try_normalize(1e-9 * shin_len)?;
                let far = |from: Vec3, len: f64| {
                    let above = height - self.up.height(from);
                    from + ahead * (len * len - above * above).max(0.0).sqrt()
                };
                let by_shin = far(ankle, shin_len);
                // As near to its ball as a person's ankle bends, or as transferred.
                let ball = ankle + foot.rotations[f][0] * self.ball;
                let by_ball = far(ball, self.from_ball_lens[f].min(self.knee.from_ball_len));
                let ahead_of = |place: Vec3| ahead.dot(&(place - ankle));
                Some(if ahead_of(by_ball) > ahead_of(by_shin) { by_ball } else { by_shin })
            };
            let transferred = || run.clone().map(|f| self.transferred[f].knee_or_ball);
            let mut places: Vec<Vec3> = run.clone().filter_map(by_shin).collect();
            if places.is_empty() {
                places = transferred().collect();
            }
            let mean = places.iter().sum::<Vec3>() / places.len() as f64;
            let held = self.up.level(mean) + self.up.vector() * *height;
            self.offsets[run.clone()]
                .iter_mut()
                .zip(transferred())
                .for_each(|(s, was)| *s = held - was);
        }
    }

    /// The weight of the knee for the position of the body, and the knee's position. The weight is 1 where the knee
    /// kneels and falls with the distance in time from there; the position is that of the nearest frame in which it
    /// kneels.
    fn counts(&self, frame: usize, ease: usize) -> (f64, Vec3) {
        let nearest = |(run, _): &(Range<usize>, f64)| frame.clamp(run.start, run.end - 1);
        let near = self.holds.iter().map(nearest).min_by_key(|near| near.abs_diff(frame));
        let Some(near) = near else { return (0.0, Vec3::zeros()) };
        let weight = curve::ramp(near.abs_diff(frame) as f64, ease as f64, 0.0);
        (weight, self.transferred[near].knee_or_ball + self.offsets[near])
    }

    /// The goals of the knee, once `body` is known. Outside of the frames in which it kneels they ease to where the
    /// body carries the knee.
    fn goals(self, body: &[Vec3], frames: Frames) -> Vec<KneeGoal> {
        let mut offsets: Vec<Vec3> =
            self.offsets.iter().zip(body).map(|(to, by)| to - by).collect();
        curve::bridge(&mut offsets, &self.kneels, frames.hand, frames.slope);
        let holds = lock_weights(self.kneels, frames);
        let goal = |f: usize| KneeGoal {
            place: self.transferred[f].knee_or_ball + body[f] + offsets[f],
            floor: self.floors[f],
            hold: holds[f],
            lift: 0.0,
        };
        (0..body.len()).map(goal).collect()
    }
}

/// The goals of the knees that kneel, by side and frame, once `body` is known.
pub(super) fn goals(
    plans: Vec<KneePlan>,
    body: &[Vec3],
    frames: Frames,
) -> [Option<Vec<KneeGoal>>; 2] {
    let mut goals = [None, None];
    for plan in plans {
        let side = plan.side.index();
        goals[side] = Some(plan.goals(body, frames));
    }
    goals
}

/// Rounds in which the body moves towards where all thighs reach their knees.
const ROUNDS: usize = 24;

/// The offset of the body in every frame that puts each hip at its thigh's length from its held knee. It eases from one
/// knee to both, and to 0 where no knee is held. `None` if none ever kneels.
pub(super) fn fit(plans: &[KneePlan], body: &[Vec3], frames: Frames) -> Option<Vec<Vec3>> {
    if plans.is_empty() {
        return None;
    }
    let kneels = |f: usize| plans.iter().any(|plan| plan.kneels[f]);
    let known: Vec<bool> = (0..body.len()).map(kneels).collect();
    // The offset for those of the `knees` (each with weight and position) whose weight is at least `least`.
    let fitted = |f: usize, knees: &[(&KneePlan, f64, Vec3)], least: f64| {
        let held = || knees.iter().filter(|(_, weight, _)| *weight >= least);
        let count = held().count() as f64;
        let mut by = Vec3::zeros();
        for _ in 0..ROUNDS {
            let off = |&(plan, _, knee): &(&KneePlan, f64, Vec3)| {
                let thigh = plan.transferred[f].thigh + body[f] + by - knee;
                let [len, _] = plan.knee.bones.lens;
                thigh.try_normalize(1e-12 * len).unwrap_or_default() * (len - thigh.norm())
            };
            let step: Vec3 = held().map(off).sum::<Vec3>() / count;
            by += step;
        }
        by
    };
    let mut moves: Vec<Vec3> = vec![Vec3::zeros(); body.len()];
    let mut knees = Vec::with_capacity(plans.len());
    for f in (0..body.len()).filter(|&f| known[f]) {
        knees.clear();
        knees.extend(plans.iter().map(|plan| {
            let (weight, place) = plan.counts(f, frames.hand);
            (plan, weight, place)
        }));
        let weights = knees.iter().map(|(_, weight, _)| *weight);
        let least = weights.filter(|weight| *weight > 0.0).fold(1.0, f64::min);
        moves[f] = fitted(f, &knees, 1.0);
        if least < 1.0 {
            moves[f] = moves[f].lerp(&fitted(f, &knees, least), least);
        }
    }
    curve::bridge(&mut moves, &known, frames.hand, frames.slope);
    Some(moves)
}
