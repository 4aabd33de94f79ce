//! The goals of feet, hands, knees and body, as curves over the clip, so that they are smooth in time.

use super::above_ground::Ground;
use super::arm::ArmFrames;
use super::body_ground::BodyGround;
use super::clearance::{self, LegClearance};
use super::contact_interval::Frames;
use super::drops::Drops;
use super::elbow_clearance;
use super::elbows;
use super::foot::{FootPlan, Stand};
use super::foot_give;
use super::hand_clearance;
use super::hands;
use super::handstand;
use super::head_clearance::HeadClearance;
use super::knee_swivel;
use super::knees::{self, KneeGoal, KneePlan};
use super::leap;
use super::leg_reach;
use super::let_go::LetGo;
use super::limited_goals;
use super::miss::MissReason;
use super::pelvis_offset::{self, Standing};
use super::side;
use super::sole::FootGoals;
use super::support;
use super::swing_phase;
use super::touch::{PlantedLegs, Touches};
use super::transferred::{Leg, TransferredLegs, transferred_legs};
use super::trunk_lean;
use super::{BodyMove, FootPlants, HandMove, PlantSettings};
use crate::binding::Binding;
use crate::blocks;
use crate::clip::Clip;
use crate::contact::{ContactTrack, LowestHeights};
use crate::math::{Quat, Vec3};
use crate::rig::{FootId, Side};

/// The goals of the whole body, frame by frame.
pub(super) struct Curves {
    /// By foot.
    pub goals: Vec<FootGoals>,
    /// When each foot stands firmly, by foot and frame.
    pub stands: Vec<Vec<bool>>,
    /// Why each foot lets go of the floor while its source's stands, by foot and frame; empty where none does.
    pub let_go: Vec<Vec<Option<MissReason>>>,
    /// Height of the ground, target length units.
    pub ground: f64,
    pub moves: Vec<BodyMove>,
    /// The moves of each hand that leans, touches something or is lifted, or whose elbow is, in the clip, by side and frame.
    pub hands: [Option<Vec<HandMove>>; 2],
    /// The goals of each knee that kneels or is lifted in the clip, by side and frame.
    pub knees: [Option<Vec<KneeGoal>>; 2],
    /// How the head turns; `None` where it never does.
    pub head: Option<HeadClearance>,
}

impl Curves {
    /// Plans a clip with at least one frame; `legs` are all legs of the target.
    pub fn new(
        source: &Clip,
        source_heights: &LowestHeights,
        track: &ContactTrack,
        binding: &Binding,
        settings: &PlantSettings,
        legs: &[Leg],
    ) -> Self {
        let planted = settings.foot_plants == FootPlants::Auto;
        let track = &match planted {
            true => track.with_feet(|foot| binding.target_foot(foot)),
            false => track.without_intervals(),
        };
        let frames = Frames::new(settings, source.frame_time().seconds());
        let TransferredLegs { legs: was, forwards, feet: transferred_feet, turns } =
            transferred_legs(source, binding, legs);
        let up = binding.target.up;
        let count = source.len();
        let feet: Vec<FootId> = binding.target.foot_ids().collect();
        let mut hands = hands::plans(source, track, binding, frames);
        let leg_len = legs.iter().map(|leg| leg.len).fold(1e-300, f64::max);
        let ground = binding.target_height(track.floor_height);
        let leap = leap::rises(&hands, &was, track, ground, leg_len, up, frames);
        hands.iter_mut().for_each(|hand| hand.judge(track, leap.as_deref(), up));
        let leaps = leap.as_ref().map(|rises| leap::lets_go(rises, leg_len, frames));
        let let_go = LetGo::new(track, binding, legs, leaps, (&was, &transferred_feet), frames);
        let track = let_go.as_ref().map_or(track, |let_go| &let_go.track);
        let stand = |foot: FootId| Stand {
            foot,
            leg: &legs[foot.index()],
            transferred: &was[foot.index()],
            turns: &turns[foot.index()],
            track,
            binding,
            up,
            frames,
        };
        let mut knees = knees::plans(source, track, binding, legs, &was, &transferred_feet);
        let parts = feet.iter().copied().zip(transferred_feet).collect();
        let plan = |(foot, transferred)| FootPlan::new(&stand(foot), transferred);
        let plans = blocks::each(count, parts, plan);
        let stands: Vec<Stand> = feet.iter().copied().map(stand).collect();
        let weights = pelvis_offset::weights(&plans, &knees, count, frames);
        let offsets = |plans: &[FootPlan], knees: &mut [KneePlan], last: Option<&[Vec3]>| {
            knees.iter_mut().for_each(|knee| knee.stand_by(plans));
            let standing =
                Standing { feet: plans, knees, stands: &stands, weights: &weights, up, frames };
            pelvis_offset::offsets(&standing, last, count)
        };
        let near = offsets(&plans, &mut knees, None);
        let parts = feet.iter().copied().zip(plans).collect();
        let mut plans = blocks::each(count, parts, |(foot, mut plan): (FootId, FootPlan)| {
            plan.roll(&stand(foot), &near);
            plan
        });
        let mut body = offsets(&plans, &mut knees, Some(&near));
        // The terms of stated limits are far from linear, so they need more rounds.
        if stands.iter().any(|stand| !stand.turns.is_empty()) {
            for _ in 0..2 {
                body = offsets(&plans, &mut knees, Some(&body));
            }
        }
        drop(near);
        drop(weights);
        let hips_weight = binding.target.weight(binding.root.hips);
        body.iter_mut().for_each(|offset| *offset *= hips_weight);
        let rise = |body: &mut [Vec3], rises: Vec<f64>| {
            for (offset, rise) in body.iter_mut().zip(rises) {
                *offset += up.vector() * rise * hips_weight;
            }
        };
        if let Some(rises) = leap {
            rise(&mut body, rises);
        }
        if let Some(rises) = handstand::rises(&hands, &stands, &plans, &body, up, frames) {
            rise(&mut body, rises);
        }
        let parts = feet.iter().copied().zip(&mut plans).collect();
        let goals = blocks::each(count, parts, |(foot, plan): (FootId, &mut FootPlan)| {
            let stand = stand(foot);
            let mut goals = goals(plan, &stand, &body);
            swing_phase::ease_places(&mut goals, plan, &stand, &body);
            goals
        });
        let trunk_leans = trunk_lean::leans(&mut hands, &stands, &goals, &body, hips_weight);
        let mut drops = Drops {
            stands: &stands,
            goals: &goals,
            feet: &plans,
            hands: &hands,
            body: &body,
            leans: trunk_leans.as_ref(),
            up,
            frames,
        }
        .lens();
        for (offset, drop) in body.iter_mut().zip(&drops) {
            *offset -= up.vector() * *drop * hips_weight;
        }
        let clearance = |foot: FootId| {
            let stands = &plans[foot.index()].stands;
            LegClearance::new(source_heights, &stand(foot), stands, &knees)
        };
        let clearances: Vec<Option<LegClearance>> = feet.iter().copied().map(clearance).collect();
        if let Some(rises) = clearance::rises(&clearances, &body, &goals) {
            for ((offset, drop), rise) in body.iter_mut().zip(&mut drops).zip(rises) {
                *offset += up.vector() * rise * hips_weight;
                *drop = f64::max(*drop - rise, 0.0);
            }
        }
        if !knees.is_empty() {
            let moves = knees::fit(&knees, &body, frames);
            body.iter_mut().zip(moves).for_each(|(offset, by)| *offset += by * hips_weight);
        }
        let grounds = plans.iter().zip(&stands);
        let grounds: Vec<Ground> =
            grounds.map(|(plan, stand)| Ground::new(plan, stand, source_heights)).collect();
        let parts = feet.iter().copied().zip(goals).collect();
        let goals = blocks::each(count, parts, |(foot, mut goals): (FootId, FootGoals)| {
            let (stand, plan) = (stand(foot), &plans[foot.index()]);
            limited_goals::turn_foot(&mut goals, plan, &stand, &body);
            // Once more, since the pelvis offset has changed.
            swing_phase::ease_places(&mut goals, plan, &stand, &body);
            leg_reach::pull_in(&mut goals, plan, &stand, &body);
            grounds[foot.index()].lift(&mut goals, &body);
            let forwards = &forwards[foot.index()];
            foot_give::give_way(&mut goals, plan, &stand, forwards, &body);
            swing_phase::even_leg(&mut goals, plan, &stand, forwards, &body);
            limited_goals::foot(&mut goals, &stand, &body, trunk_leans.as_ref());
            goals.backwards = side::backwards(&stand, forwards, &goals.ankles, &body);
            knee_swivel::even(&mut goals, &stand, &body);
            goals
        });
        let mut knees = knees::goals(knees, &body, frames);
        clearance::lift(&clearances, &goals, &body, &mut knees);
        // Frees what is not needed before more memory is.
        drop(clearances);
        let parts = feet.iter().copied().zip(goals).collect();
        let goals = blocks::each(count, parts, |(foot, mut goals): (FootId, FootGoals)| {
            let side = stands[foot.index()].side();
            let knee = side.and_then(|side| knees[side.index()].as_deref());
            grounds[foot.index()].turn_away(&mut goals, &body, trunk_leans.as_ref(), knee);
            goals
        });
        drop(grounds);
        let touches = planted.then(|| Touches::new(source, binding, frames)).flatten();
        let legs_planted = PlantedLegs { legs, goals: &goals, body: &body };
        let touches = touches.as_ref().map(|touches| (touches, &legs_planted));
        let mut hands = hands::moves(hands, touches, binding, &body, frames);
        let (heights, leans) = (source_heights, trunk_leans.as_ref());
        let body_ground =
            BodyGround { heights, track, binding, body: &body, trunk_leans: leans, frames };
        for mut arm in
            Side::BOTH.into_iter().filter_map(|side| ArmFrames::of(side, source, binding))
        {
            let moves = &mut hands[arm.arm.side.index()];
            let low = if planted {
                hand_clearance::may_be_low(&body_ground, &arm.arm)
            } else {
                Vec::new()
            };
            hand_clearance::lift(&body_ground, &low, &mut arm, moves);
            if let Some(moves) = moves {
                elbows::even(moves, &mut arm, binding, frames);
            }
            elbow_clearance::turn_up(&body_ground, &low, &mut arm, moves);
            if let Some(moves) = moves {
                limited_goals::hand(moves, &mut arm, binding, leans, frames);
            }
        }
        let head = planted.then(|| HeadClearance::of(source, &body_ground, &was)).flatten();
        // Frees the transferred legs before more memory is needed.
        drop(was);
        let support = support::supports(track, legs.len(), frames);
        let moves = (0..count).map(|f| BodyMove {
            offset: body[f],
            drop_len: drops[f],
            trunk_lean_rad: trunk_leans.as_ref().map_or(0.0, |leans| leans.leans_rad[f]),
            support: support[f],
        });
        let stands = plans.into_iter().map(|plan| plan.stands).collect();
        let let_go = let_go.map(|let_go| let_go.told).unwrap_or_default();
        Self { goals, stands, let_go, ground, moves: moves.collect(), hands, knees, head }
    }

    /// Why a foot lets go of the floor in a frame in which its source's stands; `None` if it does not.
    pub fn lets_go(&self, foot: FootId, frame: usize) -> Option<MissReason> {
        self.let_go.get(foot.index()).and_then(|reasons| reasons[frame])
    }
}

/// A foot's goals in frames in which it stands at its anchor. Moves the offsets and rotations out of the plan.
fn goals(plan: &mut FootPlan, stand: &Stand, body: &[Vec3]) -> FootGoals {
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
