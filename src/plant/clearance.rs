//! Knee clearance: keeps knees that carry no weight above the ground. The lowest height allowed for such a knee is the
//! lower of two: the source's, scaled, and the height at which the knee's thickness just clears the ground.
//!
//! A leg that would have to fold farther than people's do holds its foot away from the hip: below the floor, where the hip
//! has come down to it. The body rises for such a leg as for a knee.
//!
//! A knee sinks into the ground if the body comes down for another limb, or if its foot is put down. If the foot
//! stands, the body rises until the knee is clear. If the foot is free, the leg moves: the thigh turns up about the hip
//! and takes shin and foot along. Both corrections are curves over the clip. If a hip is higher than its thigh is long,
//! the knee cannot reach the ground, and the check costs one comparison.

use super::contact_interval::evenly_away;
use super::foot::{FootPlan, Stand};
use super::knees::{KneeGoal, KneePlan};
use super::leg_reach::leg_lowering;
use super::sole::{FootGoal, FootGoals};
use crate::blocks;
use crate::contact::LowestHeights;
use crate::math::{Quat, Vec3, curve};
use crate::rig::{Side, UpAxis, knee_radius};

/// Rounds of the correction; each corrects what the previous rounds left.
const ROUNDS: usize = 12;

/// If a source's knee is deeper below the ground than this, in leg lengths, it is taken to be beside that ground and
/// not in it.
const ELSEWHERE: f64 = 0.2;

/// A lift is divided by how free the foot is, but by no less than this. A foot that is less free lifts its knee by less
/// than needed.
const LEAST_FREE: f64 = 0.1;

/// A leg whose knee is kept above the ground.
pub(super) struct LegClearance<'a> {
    stand: Stand<'a>,
    side: Side,
    /// The frames in which the knee carries weight; empty if it never does.
    kneels: Vec<bool>,
    /// How free the foot is in every frame: from 0, where it stands, to 1.
    free: Vec<f64>,
    /// The heights of the source's knee, one a frame, source length units.
    source_knee: &'a [f64],
    /// Height of the ground, source length units.
    source_ground: f64,
    /// The length of the thigh, target length units.
    thigh_len: f64,
    /// The distance of hip and ankle from which on the leg folds less and less, target length units.
    folded_len: f64,
    /// Height of the knee joint when the knee rests on the ground, target length units.
    thickness_len: f64,
    envelope: usize,
}

impl<'a> LegClearance<'a> {
    /// For a leg whose foot is held in the frames `stands`; `None` if source or target has no such knee.
    fn new(
        source_heights: &'a LowestHeights,
        stand: &Stand<'a>,
        stands: &[bool],
        knees: &[KneePlan],
    ) -> Option<Self> {
        let Stand { leg, track, frames, .. } = *stand;
        let side = stand.side()?;
        let source_knee = source_heights.knee(side)?;
        let knee = leg.knee.filter(|_| leg.joints.len() == 3)?;
        let kneels = knees.iter().find(|knee| knee.side == side).map(|knee| knee.kneels.clone());
        let ease = frames.ease as f64;
        let free = evenly_away(stands).into_iter().map(|away| curve::ramp(away, 0.0, ease));
        Some(Self {
            stand: *stand,
            side,
            kneels: kneels.unwrap_or_default(),
            free: free.collect(),
            source_knee,
            source_ground: track.floor_height,
            thigh_len: knee.bones.lens[0],
            folded_len: knee.bones.folded_lens[1],
            thickness_len: knee_radius(knee.bones.lens[1]),
            envelope: frames.envelope,
        })
    }

    fn up(&self) -> UpAxis {
        self.stand.up
    }

    /// The position of the knee that the leg's solve finds for this position of the hip and this goal of the foot.
    fn knee(&self, frame: usize, hip: Vec3, goal: &FootGoal) -> Option<Vec3> {
        let reached = self.stand.reached(frame, hip, goal)?;
        let swivel = Quat::from_scaled_axis(reached.line * goal.swivel_rad);
        Some(hip + swivel * reached.knee())
    }

    /// The height at which a knee's thickness just clears the ground.
    fn enough(&self) -> f64 {
        self.stand.binding.target_height(self.source_ground) + self.thickness_len
    }

    /// Whether a knee can be too low with its hip in this position.
    fn may_be_low(&self, frame: usize, hip: Vec3) -> bool {
        let lowest = self.up().height(hip) - self.thigh_len;
        lowest < self.enough() && self.kneels.get(frame) != Some(&true)
    }

    /// How far a knee in this position is below its lowest allowed height.
    fn too_low_by(&self, knee: Vec3, frame: usize) -> f64 {
        let (height, enough) = (self.up().height(knee), self.enough());
        if height >= enough {
            return 0.0;
        }
        (self.least_height(frame).unwrap_or(f64::MIN).min(enough) - height).max(0.0)
    }

    /// The lowest allowed height of the knee: the source's, scaled. `None` if the source's knee is not above this
    /// ground.
    fn least_height(&self, frame: usize) -> Option<f64> {
        let height = self.source_knee[frame];
        let is_here = height > self.source_ground - ELSEWHERE * self.stand.binding.source.leg_len;
        is_here.then(|| self.stand.binding.target_height(height))
    }

    /// How far the body has to rise for the knee, as far as the thigh of a free foot cannot lift it.
    fn rise(&self, frame: usize, body: Vec3, goal: &FootGoal) -> f64 {
        let (up, hip) = (self.up(), self.stand.transferred[frame].thigh + body);
        let mut rise = 0.0;
        for _ in 0..ROUNDS {
            let hip = hip + up.vector() * rise;
            if !self.may_be_low(frame, hip) {
                break;
            }
            let Some(knee) = self.knee(frame, hip, goal) else { break };
            let low_by = self.too_low_by(knee, frame);
            if low_by == 0.0 {
                break;
            }
            rise += (low_by - most_lift(knee - hip, up) * self.free[frame]).max(0.0);
        }
        rise
    }

    /// How far the body has to rise so that a leg that would have to fold farther than it can does not push its foot into the
    /// floor, as far as the foot is not free.
    fn unfolding_rise(&self, frame: usize, body: Vec3, goal: &FootGoal) -> f64 {
        let bound = 1.0 - self.free[frame];
        if bound == 0.0 {
            return 0.0;
        }
        let (up, hip) = (self.up(), self.stand.transferred[frame].thigh + body);
        let way = goal.ankle - hip;
        let len = way.norm();
        if len >= self.folded_len {
            return 0.0;
        }
        let Some(reached) = self.stand.reached(frame, hip, goal) else { return 0.0 };
        if reached.distance <= len {
            return 0.0;
        }
        let (hangs, level) = (-up.height(way), up.level(way).norm_squared());
        let rise = (reached.distance.powi(2) - level).max(0.0).sqrt() - hangs;
        rise * bound * curve::ramp(hangs / len.max(1e-300), STANDS[0], STANDS[1])
    }

    /// How far the body may rise before the leg no longer reaches its foot; farther if the foot is free.
    fn room(&self, frame: usize, body: Vec3, goal: &FootGoal) -> f64 {
        let lowering =
            leg_lowering(self.stand.leg, &self.stand.transferred[frame], body, goal, self.up());
        let room = (-lowering).max(0.0);
        match self.free[frame] {
            1.0 => f64::INFINITY,
            free => room / (1.0 - free),
        }
    }

    /// How far the knee of a free foot is lifted in every frame, from where the goals of foot and knee put it. `None`
    /// if no frame needs it.
    fn lifts(
        &self,
        goals: &FootGoals,
        knees: Option<&[KneeGoal]>,
        body: &[Vec3],
    ) -> Option<Vec<f64>> {
        let low_by = |f: usize| {
            let (hip, free) = (self.stand.transferred[f].thigh + body[f], self.free[f]);
            if free == 0.0 || !self.may_be_low(f, hip) {
                return 0.0;
            }
            let Some(knee) = self.knee(f, hip, &goals.at(f)) else { return 0.0 };
            let held = knees.map_or(knee, |knees| knee.lerp(&knees[f].place, knees[f].hold));
            self.too_low_by(held, f) / free.max(LEAST_FREE)
        };
        let low_by = blocks::frames(body.len(), low_by);
        if low_by.iter().all(|low_by| *low_by == 0.0) {
            return None;
        }
        let mut lifts = curve::envelope(&low_by, self.envelope);
        lifts.iter_mut().zip(&self.free).for_each(|(lift, free)| *lift *= free);
        Some(lifts)
    }
}

/// How steeply the foot is below the hip from where on a body rises for a folded leg, and rises wholly, as sines.
const STANDS: [f64; 2] = [0.3, 0.7];

/// The most that a thigh turns to lift its knee: some 20° if the thigh is level, less the more it hangs down. A lift of
/// a thigh that hangs down would swing it from behind to ahead within a frame.
const STEEPEST: f64 = 0.36;

/// The most that the knee at the end of this thigh is lifted.
fn most_lift(thigh: Vec3, up: UpAxis) -> f64 {
    let len = thigh.norm();
    if len == 0.0 { 0.0 } else { STEEPEST * up.level(thigh).norm_squared() / len }
}

/// The position of the knee after its thigh turned up about the hip, at most `lift` higher.
pub(super) fn lifted(hip: Vec3, knee: Vec3, lift: f64, up: UpAxis) -> Vec3 {
    let thigh = knee - hip;
    let lift = lift.min(most_lift(thigh, up));
    let height = (up.height(thigh) + lift).min(thigh.norm());
    let level = (thigh.norm_squared() - height * height).max(0.0).sqrt();
    match up.level(thigh).try_normalize(1e-9 * thigh.norm()) {
        Some(ahead) => hip + ahead * level + up.vector() * height,
        None => knee,
    }
}

/// Every leg whose knee is kept above the ground, by foot.
pub(super) fn of_legs<'a>(
    source_heights: &'a LowestHeights,
    stands: &[Stand<'a>],
    feet: &[FootPlan],
    knees: &[KneePlan],
) -> Vec<Option<LegClearance<'a>>> {
    let leg = |(stand, foot): (&Stand<'a>, &FootPlan)| {
        LegClearance::new(source_heights, stand, &foot.stands, knees)
    };
    stands.iter().zip(feet).map(leg).collect()
}

/// How far the body rises in every frame so that knees over standing feet are clear and their legs fold no farther than they
/// can, as far as all legs still reach their `goals`. `None` if no frame needs it.
pub(super) fn rises(
    legs: &[Option<LegClearance>],
    body: &[Vec3],
    goals: &[FootGoals],
) -> Option<Vec<f64>> {
    let known = || legs.iter().zip(goals).filter_map(|(leg, goals)| Some((leg.as_ref()?, goals)));
    let rise = |f: usize| {
        let rise = known().map(|(leg, goals)| {
            let goal = goals.at(f);
            leg.rise(f, body[f], &goal).max(leg.unfolding_rise(f, body[f], &goal))
        });
        rise.fold(0.0, f64::max)
    };
    let rises = blocks::frames(body.len(), rise);
    if rises.iter().all(|rise| *rise == 0.0) {
        return None;
    }
    let mut rises = curve::envelope(&rises, known().next()?.0.envelope);
    for (f, rise) in rises.iter_mut().enumerate().filter(|(_, rise)| **rise > 0.0) {
        let room = known().map(|(leg, goals)| leg.room(f, body[f], &goals.at(f)));
        *rise = room.fold(*rise, f64::min);
    }
    Some(rises)
}

/// Lifts knees of free feet that would be too low. `knees` holds the goals of kneeling knees; the lifts are added to
/// it.
pub(super) fn lift(
    legs: &[Option<LegClearance>],
    goals: &[FootGoals],
    body: &[Vec3],
    knees: &mut [Option<Vec<KneeGoal>>; 2],
) {
    for (leg, goals) in legs.iter().zip(goals) {
        let Some(leg) = leg else { continue };
        let own = &mut knees[leg.side.index()];
        let Some(lifts) = leg.lifts(goals, own.as_deref(), body) else { continue };
        let own = own.get_or_insert_with(|| vec![KneeGoal::default(); body.len()]);
        own.iter_mut().zip(lifts).for_each(|(knee, lift)| knee.lift = lift);
    }
}
