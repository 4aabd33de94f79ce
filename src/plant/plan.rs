//! The goals of feet, hands, knees and body, as curves over the clip, so that they are smooth in time.

mod arms;
mod body;
mod feet;

use super::body_ground::BodyGround;
use super::clearance;
use super::contact_interval::Frames;
use super::drops::Drops;
use super::foot::{FootPlan, Stand};
use super::hands;
use super::handstand;
use super::head_clearance::HeadClearance;
use super::knees::{self, KneeGoal};
use super::leap;
use super::let_go::LetGo;
use super::miss::MissReason;
use super::sole::FootGoals;
use super::support;
use super::touch::PlantedLegs;
use super::transferred::{Leg, TransferredLegs, transferred_legs};
use super::trunk_lean;
use super::{BodyMove, FootPlants, HandMove, PlantSettings};
use crate::binding::Binding;
use crate::blocks;
use crate::clip::Clip;
use crate::contact::{ContactTrack, LowestHeights};
use crate::rig::FootId;
use body::BodyPath;
use feet::Feet;

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
        let stands: Vec<Stand> = binding.target.foot_ids().map(stand).collect();
        let mut knees = knees::plans(source, track, binding, legs, &was, &transferred_feet);
        let parts = stands.iter().zip(transferred_feet).collect();
        let plans = blocks::each(count, parts, |(stand, foot)| FootPlan::new(stand, foot));
        let (mut body, mut plans) =
            BodyPath::of_standing(&stands, plans, &mut knees, binding, count, frames);
        body.rise(leap);
        body.rise(handstand::rises(&hands, &stands, &plans, &body.offsets, up, frames));
        let goals = feet::at_anchors(&stands, &mut plans, &body);
        let leans = trunk_lean::leans(&mut hands, &stands, &goals, &body.offsets, body.weight);
        let leans = leans.as_ref();
        let drops = Drops {
            stands: &stands,
            goals: &goals,
            feet: &plans,
            hands: &hands,
            body: &body.offsets,
            leans,
            up,
            frames,
        };
        body.come_down(drops.lens());
        let clearances = clearance::of_legs(source_heights, &stands, &plans, &knees);
        body.take_back(clearance::rises(&clearances, &body.offsets, &goals));
        body.follow(knees::fit(&knees, &body.offsets, frames));
        let BodyPath { offsets: body, drops, .. } = body;
        let feet = Feet::new(&stands, &plans, &forwards, source_heights, &body, leans);
        let goals = feet.even(goals);
        let mut knees = knees::goals(knees, &body, frames);
        clearance::lift(&clearances, &goals, &body, &mut knees);
        // Frees what is not needed before more memory is.
        drop(clearances);
        let goals = feet.turn_away(goals, &knees);
        drop(feet);
        let body_ground = BodyGround {
            heights: source_heights,
            track,
            binding,
            body: &body,
            trunk_leans: leans,
            frames,
        };
        let planted_legs = PlantedLegs { legs, goals: &goals, body: &body };
        let planted_legs = planted.then_some(&planted_legs);
        let hands = arms::moves(source, hands, planted_legs, &body_ground);
        let head = planted.then(|| HeadClearance::of(source, &body_ground, &was)).flatten();
        // Frees the transferred legs before more memory is needed.
        drop(was);
        let support = support::supports(track, legs.len(), frames);
        let moves = (0..count).map(|f| BodyMove {
            offset: body[f],
            drop_len: drops[f],
            trunk_lean_rad: leans.map_or(0.0, |leans| leans.leans_rad[f]),
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
