//! Plants the feet of a transferred clip: holds each foot at an anchor while its source's foot stands, moves the pelvis
//! so that legs reach their anchors, and solves the whole body in each frame.
//!
//! Everything that must be smooth in time is first computed as curves over the clip, the [`PlantPlan`]. Then each frame
//! is solved alone, from its own transferred pose.
//!
//! ```
//! use retarget::internals::contact;
//! use retarget::internals::plant::{PlantPlan, PlantSettings};
//! use retarget::{Binding, LoadedRig, Settings, SourceClip};
//!
//! let source = LoadedRig::load("samples/walk.bvh")?;
//! let target = LoadedRig::load("samples/skeletons/hero.toml")?;
//! let binding = Binding::between(&source, &target, &Settings::default())?;
//! let clip = SourceClip::load("samples/walk.bvh")?.clip;
//! let (paths, seconds) = (contact::foot_paths(&clip, &source.rig), clip.frame_time().seconds());
//! let track = contact::detect(&paths, &source.rig, seconds, &Default::default());
//! let heights = paths.into_heights(source.rig.up);
//! PlantPlan::new(&clip, &heights, &track, &binding, &PlantSettings::default());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod above_ground;
mod arm;
mod arm_ik;
mod body_ground;
mod bones;
mod clearance;
mod contact_interval;
mod drops;
mod elbow_clearance;
mod elbows;
mod even;
mod foot;
mod foot_give;
mod hand_clearance;
mod hand_plan;
mod hands;
mod handstand;
mod hanging;
mod head_clearance;
mod knee_swivel;
mod kneel;
mod kneeless;
mod knees;
mod leap;
mod leg_ik;
mod leg_reach;
mod let_go;
mod limb_ik;
mod limit_room;
mod limited_goals;
mod long_foot;
mod miss;
mod outcome;
mod palm;
mod passing;
mod pelvis_offset;
mod plan;
mod reach;
mod rooted;
mod seen;
mod side;
mod sole;
mod solve;
mod stated;
mod support;
mod swing_phase;
mod toes;
mod touch;
mod transferred;
mod trunk_lean;
mod turning;

use crate::binding::Binding;
use crate::clip::Clip;
use crate::contact::{ContactTrack, LowestHeights};
use crate::pose::{Pose, WorldPose};
use crate::rig::{FootId, Role, Side};
pub(crate) use arm::HandGoal;
pub(crate) use leg_reach::leg_reach;
use miss::GoalsToMeet;
pub use miss::{GoalLimb, Miss, MissReason};
pub use outcome::{BodyMove, Diagnostics, HandMove, HeldBack, PlantOutcome, Swept};
use plan::Curves;
pub(crate) use reach::drop_to_reach;
use serde::{Deserialize, Serialize};
pub(crate) use sole::{FootGoal, penetration};
pub(crate) use solve::{Body, BodyScratch, FrameGoal};
use stated::Sweeps;
pub(crate) use toes::bend_toes;
pub(crate) use transferred::Leg;

/// How the feet of a result are planted. A [`Retargeter`](crate::Retargeter) plants them in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[deny(missing_docs)]
pub enum FootPlants {
    /// Each foot is held in its place while the source's foot stands.
    #[default]
    Auto,
    /// Feet are kept above the ground but move freely.
    Ground,
    /// Feet, hands and body stay as transferred; feet may slide and sink.
    Off,
}

/// Settings of a [`PlantPlan`]; times in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlantSettings {
    pub foot_plants: FootPlants,
    /// The time over which a foot moves to its anchor before a contact interval, and leaves it afterwards.
    pub ease_s: f64,
    /// The time over which a hand moves to what it leans or rests on and leaves it, and over which it moves aside for
    /// the trunk.
    pub hand_s: f64,
    /// The time over which hands move to each other.
    pub touch_s: f64,
    /// The time over which slopes at the ends of a contact interval are measured.
    pub slope_s: f64,
    /// A foot rolls freely about its ball from this long after its heel has left the ground.
    pub free_s: f64,
    /// The pelvis offset is as smooth as a mean over this time.
    pub body_s: f64,
    /// The time over which knees of standing legs bend evenly.
    pub knee_s: f64,
    /// The time over which arms bend evenly; legs take 1.5 times as long.
    pub limb_s: f64,
    /// The time over which the weight of a foot or knee for the pelvis offset rises after its contact begins, and falls
    /// before it ends.
    pub taper_s: f64,
    /// The time to either side over which a bound (reach, ground) is approached.
    pub envelope_s: f64,
    /// A foot is held from this long after its contact begins until this long before it ends. Outside of that it comes
    /// down and lifts as transferred.
    pub firm_s: f64,
}

impl Default for PlantSettings {
    fn default() -> Self {
        Self {
            foot_plants: FootPlants::Auto,
            ease_s: 0.2,
            hand_s: 0.4,
            touch_s: 0.1,
            slope_s: 0.01,
            free_s: 0.1,
            body_s: 0.12,
            knee_s: 0.09,
            limb_s: 0.05,
            taper_s: 0.05,
            envelope_s: 0.12,
            firm_s: 0.03,
        }
    }
}

/// The goals of feet and body in every frame of a clip, and the body to be solved. Once it is made, no frame can fail.
pub struct PlantPlan {
    /// `None` if feet are not planted.
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
    /// Plans the goals for `source`, with its lowest points and the `track` that was found in it; panics if their frame
    /// counts differ or the track does not fit the clip.
    ///
    /// Transfers the legs, and the arms near floors and touches. Memory: some 470 bytes a frame of two feet and 2 MB a
    /// thread while the plan is made, 270 bytes a frame afterwards.
    pub fn new(
        source: &Clip,
        source_heights: &LowestHeights,
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
        let curves = Curves::new(source, source_heights, track, binding, settings, &legs);
        let body = Body::new(binding, &legs);
        Self { planted: Some(Planted { legs, body, curves }) }
    }

    /// Whether a foot of the target lets go of the floor in a frame in which its source's stands.
    pub(crate) fn lets_go(&self, foot: FootId, frame: usize) -> bool {
        self.planted.as_ref().is_some_and(|planted| planted.curves.lets_go(foot, frame).is_some())
    }

    /// Buffers for [`solve`](Self::solve).
    pub fn scratch(&self) -> PlantScratch {
        PlantScratch(self.planted.as_ref().map(|planted| {
            let feet = vec![FootGoal::default(); planted.legs.len()];
            (BodyScratch::new(&planted.body), feet)
        }))
    }

    /// Moves a frame's transferred pose to the plan's goals, in `pose` and `world` alike. Appends to `diagnostics` the
    /// goals that were missed, the joints that a person's range held back and the legs that were swept. Allocates nothing
    /// else.
    pub fn solve(
        &self,
        binding: &Binding,
        frame: usize,
        pose: &mut Pose,
        world: &mut WorldPose,
        scratch: &mut PlantScratch,
        diagnostics: &mut Diagnostics,
    ) {
        let Some(Planted { legs, body, curves }) = &self.planted else { return };
        let Some((scratch, feet)) = &mut scratch.0 else { return };
        for (goal, goals) in feet.iter_mut().zip(&curves.goals) {
            *goal = goals.at(frame);
        }
        let BodyMove { offset, trunk_lean_rad, support, .. } = curves.moves[frame];
        let mut hands = [HandGoal::default(); 2];
        let mut wanted = [None; 2];
        for (side, moves) in Side::BOTH.into_iter().zip(&curves.hands) {
            let Some(moves) = moves else { continue };
            let (hand, i) = (&moves[frame], side.index());
            hands[i] =
                HandGoal { offset: hand.offset, swivel_rad: hand.swivel_rad, tilt: hand.tilt };
            let joint = binding.target.joint(Role::Hand(side)).filter(|_| hand.counts());
            let leaned = body.leaned(world, side, trunk_lean_rad);
            wanted[i] = joint.map(|joint| world.position(joint) + leaned + offset + hand.offset);
        }
        let knees = curves.knees.each_ref().map(|goals| goals.as_ref().map(|goals| goals[frame]));
        let goal = FrameGoal { body: offset, trunk_lean_rad, feet, hands, knees, support };
        body.solve(binding, &goal, pose, world, scratch);
        if let Some(head) = &curves.head {
            head.turn(binding, frame, pose, world);
        }
        let stands = |foot: FootId| curves.stands[foot.index()][frame];
        let leans = |side: Side| {
            let i = side.index();
            Some((wanted[i]?, &curves.hands[i].as_ref()?[frame]))
        };
        let let_go = |foot: FootId| curves.lets_go(foot, frame);
        let ground = curves.ground;
        let wanted = GoalsToMeet { feet, stands, let_go, ground, knees: &knees, leans };
        diagnostics.misses.extend(wanted.misses(frame, &binding.target, legs, world));
        let held_back = scratch.back.held_back.iter();
        diagnostics.held_back.extend(held_back.map(|&(joint, by_rad)| HeldBack {
            frame,
            joint,
            by_rad,
        }));
        let swept = scratch.swept.iter().map(|&(foot, Sweeps { count, left_len })| Swept {
            frame,
            foot,
            sweeps: count,
            left_len,
        });
        diagnostics.swept.extend(swept);
    }

    /// The outcome, with the diagnostics of all frames in order.
    pub fn outcome(self, diagnostics: Diagnostics) -> PlantOutcome {
        let Diagnostics { misses, held_back, swept } = diagnostics;
        let (body, hands, head) = match self.planted {
            Some(Planted { curves, .. }) => {
                let hands = Side::BOTH.into_iter().zip(curves.hands);
                let hands = hands.filter_map(|(side, moves)| Some((side, moves?)));
                (curves.moves, hands.collect(), curves.head)
            }
            None => Default::default(),
        };
        let head_tilts = head.map(|head| head.tilts).unwrap_or_default();
        PlantOutcome { misses, held_back, swept, body, hands, head_tilts }
    }
}
