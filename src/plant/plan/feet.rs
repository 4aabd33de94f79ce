//! The goals of feet over the clip: first where each foot stands at its anchor, then, once the path of the body is known,
//! an even way in between. Nothing else writes them.

use super::body::BodyPath;
use crate::blocks;
use crate::contact::LowestHeights;
use crate::math::{Quat, Vec3};
use crate::plant::above_ground::Ground;
use crate::plant::foot::{FootPlan, Stand};
use crate::plant::foot_give;
use crate::plant::knee_swivel;
use crate::plant::knees::KneeGoal;
use crate::plant::leg_reach;
use crate::plant::limited_goals;
use crate::plant::side;
use crate::plant::sole::FootGoals;
use crate::plant::swing_phase;
use crate::plant::trunk_lean::TrunkLeans;

/// The goals of feet that stand at their anchors, and of those in the air between them, by foot.
pub(super) fn at_anchors(
    stands: &[Stand],
    plans: &mut [FootPlan],
    body: &BodyPath,
) -> Vec<FootGoals> {
    let parts = stands.iter().zip(plans).collect();
    blocks::each(body.offsets.len(), parts, |(stand, plan): (&Stand, &mut FootPlan)| {
        let mut goals = anchored(plan, stand, &body.offsets);
        swing_phase::ease_places(&mut goals, plan, stand, &body.offsets);
        goals
    })
}

/// The goals of one foot in frames in which it stands at its anchor. Moves the offsets and rotations out of the plan.
fn anchored(plan: &mut FootPlan, stand: &Stand, body: &[Vec3]) -> FootGoals {
    let Stand { transferred, up, .. } = *stand;
    let weight = stand.weight();
    let mut ankles = std::mem::take(&mut plan.offsets);
    let mut lock_weights = std::mem::take(&mut plan.rises);
    for (f, (ankle, rise)) in ankles.iter_mut().zip(&lock_weights).enumerate() {
        let moved = *ankle + up.vector() * *rise;
        *ankle = transferred[f].ankle + body[f].lerp(&moved, weight);
    }
    let mut rotations = std::mem::take(&mut plan.rotations);
    for ([foot, toe], was) in
        rotations.iter_mut().zip(plan.transferred.take().into_iter().flatten())
    {
        *foot = part(was[0], *foot, weight);
        *toe = part(was[1], *toe, weight);
    }
    lock_weights.fill(1.0);
    let backwards = vec![0.0; body.len()];
    let [swivels_rad, given_up_lens] = [Vec::new(), Vec::new()];
    FootGoals { ankles, rotations, lock_weights, backwards, swivels_rad, given_up_lens }
}

/// The rotation that lies `weight` of the way from one to the other.
fn part(from: Quat, to: Quat, weight: f64) -> Quat {
    from.try_slerp(&to, weight, 1e-9).unwrap_or(to)
}

/// What is known of the feet once the path of the body is, beside their goals.
pub(super) struct Feet<'a> {
    stands: &'a [Stand<'a>],
    plans: &'a [FootPlan],
    /// How far forwards the source's knees are bent, by foot and frame.
    forwards: &'a [Vec<f64>],
    grounds: Vec<Ground<'a>>,
    body: &'a [Vec3],
    leans: Option<&'a TrunkLeans>,
}

impl<'a> Feet<'a> {
    pub fn new(
        stands: &'a [Stand<'a>],
        plans: &'a [FootPlan],
        forwards: &'a [Vec<f64>],
        heights: &'a LowestHeights,
        body: &'a [Vec3],
        leans: Option<&'a TrunkLeans>,
    ) -> Self {
        let ground = |(plan, stand)| Ground::new(plan, stand, heights);
        let grounds = plans.iter().zip(stands).map(ground).collect();
        Self { stands, plans, forwards, grounds, body, leans }
    }

    /// Brings the goals within reach and limits, over the ground, and evenly from one contact to the next.
    pub fn even(&self, goals: Vec<FootGoals>) -> Vec<FootGoals> {
        let (body, leans) = (self.body, self.leans);
        self.each(goals, |foot, goals| {
            let (stand, plan, forwards) =
                (&self.stands[foot], &self.plans[foot], &self.forwards[foot]);
            limited_goals::turn_foot(goals, plan, stand, body);
            // The path of the body has changed since they stood at their anchors.
            swing_phase::ease_places(goals, plan, stand, body);
            leg_reach::pull_in(goals, plan, stand, body);
            self.grounds[foot].lift(goals, body);
            foot_give::give_way(goals, plan, stand, forwards, body);
            swing_phase::even_leg(goals, plan, stand, forwards, body);
            limited_goals::foot(goals, stand, body, leans);
            goals.backwards = side::backwards(stand, forwards, &goals.ankles, body);
            knee_swivel::even(goals, stand, body);
        })
    }

    /// Turns feet away from the ground, whose knees have these goals, by side.
    pub fn turn_away(
        &self,
        goals: Vec<FootGoals>,
        knees: &[Option<Vec<KneeGoal>>; 2],
    ) -> Vec<FootGoals> {
        self.each(goals, |foot, goals| {
            let side = self.stands[foot].side();
            let knee = side.and_then(|side| knees[side.index()].as_deref());
            self.grounds[foot].turn_away(goals, self.body, self.leans, knee);
        })
    }

    /// Changes the goals of each foot.
    fn each(
        &self,
        goals: Vec<FootGoals>,
        change: impl Fn(usize, &mut FootGoals) + Sync + Send,
    ) -> Vec<FootGoals> {
        let parts = goals.into_iter().enumerate().collect();
        blocks::each(self.body.len(), parts, |(foot, mut goals): (usize, FootGoals)| {
            change(foot, &mut goals);
            goals
        })
    }
}
