//! Plants the feet of a carried clip: anchors where the source stands, curves that bring the body
//! within reach, and per frame a solve of the whole body from the foot that carries it.
//!
//! What must be smooth in time is computed as curves over the clip first, the [`PlantPlan`]; then every frame
//! is solved on its own, from its own carried pose.

mod body;
mod bones;
mod carried;
mod foot;
mod hands;
mod knees;
mod limits;
mod plan;
mod ranges;
mod rooted;
mod short;
mod sole;
mod solve;
mod stay;
mod support;
mod swing;
mod touch;

use crate::binding::Binding;
use crate::clip::Clip;
use crate::contact::{ContactTrack, SoleHeights};
use crate::math::Vec3;
use crate::pose::{Pose, WorldPose};
use crate::rig::{BodyPart, FootId, Rig, Role, Side};
pub(crate) use body::{drop_to_reach, leg_reach};
pub(crate) use carried::Leg;
use knees::KneeGoal;
pub(crate) use limits::limited;
use plan::Curves;
pub use ranges::HeldBack;
use serde::{Deserialize, Serialize};
pub(crate) use sole::{FootGoal, bend_toes, sunk};
pub(crate) use solve::{Body, BodyScratch, FrameGoal, HandGoal};

/// What is done about the feet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FootPlants {
    /// Contacts are found on the source, and the feet locked to them.
    #[default]
    Auto,
    /// Feet are kept above the ground but move freely.
    Ground,
    /// Nothing: the pure transfer.
    Off,
}

/// Settings of a [`PlantPlan`]; times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlantSettings {
    pub foot_plants: FootPlants,
    /// A foot comes to its anchor and leaves it over this time.
    pub ease_s: f64,
    /// A hand comes to what it leans on or rests on and leaves it over this time, and moves aside for the trunk.
    pub hand_s: f64,
    /// Hands come to each other over this time.
    pub touch_s: f64,
    /// Slopes at the ends of a contact are taken over this time.
    pub slope_s: f64,
    /// A foot rolls freely about its ball from this long after its heel has left the ground.
    pub free_s: f64,
    /// The body's shift is smoothed over this time to either side.
    pub body_s: f64,
    /// What must not be exceeded (reach, ground) is eased over this time to either side.
    pub envelope_s: f64,
    /// A foot stands firmly, and is held, from this long after its contact began until this long
    /// before it ends; in between it comes down and lifts as it was carried.
    pub settle_s: f64,
}

impl Default for PlantSettings {
    fn default() -> Self {
        Self {
            foot_plants: FootPlants::Auto,
            ease_s: 0.2,
            hand_s: 0.4,
            touch_s: 0.1,
            slope_s: 0.01,
            free_s: 0.05,
            body_s: 0.18,
            envelope_s: 0.15,
            settle_s: 0.03,
        }
    }
}

/// What has a goal of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effector {
    Foot(FootId),
    Hand(Side),
    Knee(Side),
}

/// A foot, a hand or a knee that could not come to its goal in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Miss {
    pub frame: usize,
    pub effector: Effector,
    /// How far off it is, target length units.
    pub distance_len: f64,
    pub reason: MissReason,
}

/// What keeps a foot, a hand or a knee from its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissReason {
    /// The limb is straight and too short.
    OutOfReach,
    /// The limb could reach it, but for a limit of its joints, or its own shape.
    Limit,
}

/// What planting did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlantOutcome {
    /// Standing feet, and hands that lean or touch something, off their goal by more than a thousandth of a leg, in
    /// time.
    pub misses: Vec<Miss>,
    /// Joints that the ranges of people held back, in time.
    pub held_back: Vec<HeldBack>,
    /// What was done with the body, a frame each.
    pub body: Vec<BodyMove>,
    /// The same of each hand that ever leans or touches something.
    pub hands: Vec<(Side, Vec<HandMove>)>,
}

/// What was done with a hand in a frame, after the body as a whole was moved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HandMove {
    /// From where the body carries it, target world, target length units.
    pub shift: Vec3,
    /// How much it leans on a floor, is near the other hand, and is near the body; 0 to 1 each.
    pub floor: f64,
    pub other_hand: f64,
    pub body: f64,
    /// What of the body it is nearest to, where it is near any.
    pub part: Option<BodyPart>,
    /// How much of the shift keeps the arm out of the trunk, target length units.
    pub aside_len: f64,
    /// How far the elbow turns about the line from shoulder to wrist for the same, radians.
    pub swivel_rad: f64,
    /// How far off its goal the arm's length leaves it, target length units.
    pub short_len: f64,
}

impl HandMove {
    /// Whether anything but a floor has to do with it.
    fn is_held(&self) -> bool {
        let aside = self.aside_len > 0.0 || self.swivel_rad != 0.0;
        self.other_hand > 0.0 || self.body > 0.0 || aside
    }

    /// Whether it has to come to its goal: what is on the way there need not.
    fn counts(&self) -> bool {
        self.floor.max(self.other_hand).max(self.body) > 0.999
    }

    /// Lets it count by so much alone.
    fn weigh(&mut self, weight: f64) {
        self.shift *= weight;
        for part in [
            &mut self.floor,
            &mut self.other_hand,
            &mut self.body,
            &mut self.aside_len,
            &mut self.swivel_rad,
            &mut self.short_len,
        ] {
            *part *= weight;
        }
    }
}

/// What is to be told of the frames that were solved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    pub misses: Vec<Miss>,
    pub held_back: Vec<HeldBack>,
}

impl Told {
    /// Adds what is told of later frames.
    pub fn append(&mut self, mut next: Told) {
        self.misses.append(&mut next.misses);
        self.held_back.append(&mut next.held_back);
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.misses.clear();
        self.held_back.clear();
    }
}

/// How the body as a whole was moved in a frame, before its limbs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyMove {
    /// From where it was carried, target world, target length units.
    pub shift: Vec3,
    /// How much of that is down, to keep the feet in reach; target length units.
    pub drop_len: f64,
    /// The foot from which the body was solved; the hips in flight.
    pub support: Option<FootId>,
}

impl PlantOutcome {
    /// The farthest that the body came down to keep its feet in reach, target length units.
    pub fn deepest_drop_len(&self) -> f64 {
        self.body.iter().map(|moved| moved.drop_len).fold(0.0, f64::max)
    }
}

/// Where feet and body are to be in every frame of a clip, and the body that is to come there. After it is
/// made, no frame can fail.
pub struct PlantPlan {
    /// `None` where nothing is planted.
    planted: Option<Planted>,
}

struct Planted {
    legs: Vec<Leg>,
    body: Body,
    curves: Curves,
}

/// Buffers of [`PlantPlan::solve`], sized once.
pub struct PlantScratch(Option<(BodyScratch, Vec<FootGoal>)>);

impl PlantPlan {
    /// Plans what is to be done over `source`, with its soles and the `track` that was found in it; panics if their frame counts differ or the track does not fit its clip.
    ///
    /// Carries the legs alone. Memory: some 900 bytes a frame of two feet while it is made, 250 afterwards.
    pub fn new(
        source: &Clip,
        source_soles: &SoleHeights,
        track: &ContactTrack,
        binding: &Binding,
        settings: &PlantSettings,
    ) -> Self {
        assert_eq!(source.len(), track.frames, "contacts of the same clip");
        assert!(track.fits(), "contacts within the clip");
        if settings.foot_plants == FootPlants::Off || source.is_empty() {
            return Self { planted: None };
        }
        let legs = Leg::all(binding);
        let curves = Curves::new(source, source_soles, track, binding, settings, &legs);
        let body = Body::new(&binding.target, binding.root.hips, &legs);
        Self { planted: Some(Planted { legs, body, curves }) }
    }

    /// Buffers for [`solve`](Self::solve).
    pub fn scratch(&self) -> PlantScratch {
        PlantScratch(self.planted.as_ref().map(|planted| {
            let feet = vec![FootGoal::default(); planted.legs.len()];
            (BodyScratch::new(&planted.body), feet)
        }))
    }

    /// Brings a frame's carried pose to where the plan has it, `pose` and `world` alike, and adds the feet that
    /// cannot come there, and the joints that are held back, to `told`. No allocation but for these.
    pub fn solve(
        &self,
        binding: &Binding,
        frame: usize,
        pose: &mut Pose,
        world: &mut WorldPose,
        scratch: &mut PlantScratch,
        told: &mut Told,
    ) {
        let Some(Planted { legs, body, curves }) = &self.planted else { return };
        let Some((scratch, feet)) = &mut scratch.0 else { return };
        for (goal, goals) in feet.iter_mut().zip(&curves.goals) {
            *goal = goals[frame];
        }
        let BodyMove { shift, support, .. } = curves.moves[frame];
        let mut hands = [HandGoal::default(); 2];
        let mut wanted = [None; 2];
        for (side, moves) in &curves.hands {
            let (hand, i) = (&moves[frame], side.index());
            hands[i] = HandGoal { shift: hand.shift, swivel_rad: hand.swivel_rad };
            let joint = binding.target.joint(Role::Hand(*side)).filter(|_| hand.counts());
            wanted[i] = joint.map(|joint| world.position(joint) + shift + hand.shift);
        }
        let mut knees = [None; 2];
        for (side, goals) in &curves.knees {
            knees[side.index()] = Some(goals[frame]);
        }
        let goal = FrameGoal { body: shift, feet, hands, knees, support };
        body.solve(binding, &goal, pose, world, scratch);
        // A foot behind a held knee lies where its shin leaves it.
        let kneels = |foot: &FootId| {
            knees.get(foot.index()).is_some_and(|knee| knee.is_some_and(|knee| knee.hold > 0.0))
        };
        let missed = |foot: &FootId| curves.stands[foot.index()][frame] && !kneels(foot);
        let missed = binding.target.foot_ids().filter(missed).filter_map(|foot| {
            let place = foot.index();
            let (distance_len, reason) = missed_by(&legs[place], &feet[place], world)?;
            Some(Miss { frame, effector: Effector::Foot(foot), distance_len, reason })
        });
        told.misses.extend(missed);
        for (side, moves) in &curves.hands {
            let missed = wanted[side.index()].and_then(|goal| {
                missed_by_hand(&binding.target, *side, goal, &moves[frame], world)
            });
            told.misses.extend(missed.map(|(distance_len, reason)| Miss {
                frame,
                effector: Effector::Hand(*side),
                distance_len,
                reason,
            }));
        }
        let knee_misses =
            legs.iter().zip(&knees).zip(Side::BOTH).filter_map(|((leg, knee), side)| {
                let goal = knee.as_ref().filter(|knee| knee.hold == 1.0)?;
                let (distance_len, reason) = missed_by_knee(leg, goal, world)?;
                Some(Miss { frame, effector: Effector::Knee(side), distance_len, reason })
            });
        told.misses.extend(knee_misses);
        let held_back = scratch.held_back.iter();
        told.held_back.extend(held_back.map(|&(joint, by_rad)| HeldBack { frame, joint, by_rad }));
    }

    /// What planting did, with what was told of all frames in time.
    pub fn outcome(self, told: Told) -> PlantOutcome {
        let Told { misses, held_back } = told;
        let (body, hands) = match self.planted {
            Some(Planted { curves, .. }) => (curves.moves, curves.hands),
            None => Default::default(),
        };
        PlantOutcome { misses, held_back, body, hands }
    }
}

/// How far a standing foot is off its goal, and why, if that is worth telling.
fn missed_by(leg: &Leg, wanted: &FootGoal, is: &WorldPose) -> Option<(f64, MissReason)> {
    let (place, len) = short::held(leg, wanted.ankle, wanted.foot_rotation);
    // A foot that can only be turned less than is wanted still stands on its ball.
    let off = is.point(leg.ankle, leg.ball) - (wanted.ankle + wanted.foot_rotation * leg.ball);
    let far = (place - is.position(leg.hip())).norm() > STRAIGHT * len;
    let reason = if far { MissReason::OutOfReach } else { MissReason::Limit };
    (off.norm() > MISSED * leg.len).then(|| (off.norm(), reason))
}

/// How far a knee that kneels is off its goal, and why, if that is worth telling.
fn missed_by_knee(leg: &Leg, goal: &KneeGoal, is: &WorldPose) -> Option<(f64, MissReason)> {
    let (hip, knee) = (is.position(leg.hip()), is.position(leg.knee?.shin));
    let off = (knee - goal.place).norm();
    let far = (goal.place - hip).norm() > (knee - hip).norm();
    let reason = if far { MissReason::OutOfReach } else { MissReason::Limit };
    (off > MISSED * leg.len).then_some((off, reason))
}

/// How far a hand is off its goal, and why, if that is worth telling.
fn missed_by_hand(
    rig: &Rig,
    side: Side,
    goal: Vec3,
    hand: &HandMove,
    is: &WorldPose,
) -> Option<(f64, MissReason)> {
    let [shoulder, elbow, wrist] = rooted::arm(rig, side)?.map(|id| is.position(id));
    let off = (wrist - goal).norm() + hand.short_len;
    let len = (elbow - shoulder).norm() + (wrist - elbow).norm();
    let far = hand.short_len > 0.0 || (goal - shoulder).norm() > STRAIGHT * len;
    let reason = if far { MissReason::OutOfReach } else { MissReason::Limit };
    (off > MISSED * rig.leg_len).then_some((off, reason))
}

/// A standing foot, a hand or a knee farther off its goal than this share of a leg is a miss.
const MISSED: f64 = 1e-3;

/// A limb that would have to be longer than this share of itself is straight.
const STRAIGHT: f64 = 0.999;
