//! Plants the feet of a carried clip: anchors where the source stands, curves that bring the body
//! within reach, and per frame a solve of the whole body from the foot that carries it.
//!
//! What must be smooth in time is computed as curves over the clip first; then every frame is solved
//! on its own, from its own carried pose.

mod body;
mod carried;
mod foot;
mod limits;
mod short;
mod sole;
mod solve;
mod stay;
mod support;

use crate::binding::Binding;
use crate::clip::Clip;
use crate::contact::{ContactTrack, FootPaths};
use crate::math::{Quat, Vec3, curve};
use crate::rig::{FootId, UpAxis};
use carried::{CarriedLeg, Leg};
use foot::{FootPlan, Frames, Stand};
pub(crate) use limits::limited;
use serde::{Deserialize, Serialize};
use sole::FootGoal;
use solve::{Body, BodyScratch, FrameGoal};

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

/// Settings of [`plant`]; times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlantSettings {
    pub foot_plants: FootPlants,
    /// A foot comes to its anchor and leaves it over this time.
    pub ease_s: f64,
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
            slope_s: 0.01,
            free_s: 0.05,
            body_s: 0.18,
            envelope_s: 0.15,
            settle_s: 0.03,
        }
    }
}

/// A foot that could not come to its goal in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Miss {
    pub frame: usize,
    pub foot: FootId,
    /// How far off it is, target length units.
    pub distance_len: f64,
    pub reason: MissReason,
}

/// What keeps a foot from its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissReason {
    /// The leg is straight and too short.
    OutOfReach,
    /// The leg could reach it, but for a limit of its joints, or its own shape.
    Limit,
}

/// What planting did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlantOutcome {
    /// Standing feet that are off their goal by more than a thousandth of a leg, in time.
    pub misses: Vec<Miss>,
    /// What was done with the body, a frame each.
    pub body: Vec<BodyMove>,
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

/// Plants the feet of `carried`, a clip that [`transfer`](crate::transfer::transfer) made with the
/// same binding from the clip whose feet went along `source_feet` and in which `track` was found;
/// panics if their frame counts differ or the track does not fit its clip.
pub fn plant(
    carried: &Clip,
    source_feet: &FootPaths,
    track: &ContactTrack,
    binding: &Binding,
    settings: &PlantSettings,
) -> (Clip, PlantOutcome) {
    assert_eq!(carried.len(), track.frames, "contacts of the same clip");
    assert!(track.fits(), "contacts within the clip");
    if settings.foot_plants == FootPlants::Off || carried.is_empty() {
        return (carried.clone(), PlantOutcome::default());
    }
    let planted = settings.foot_plants == FootPlants::Auto;
    let track = &track.with_feet(|foot| binding.target_foot(foot).filter(|_| planted));
    let weight = |id| binding.target.weight(id);
    let frames = Frames::new(settings, carried.frame_time().seconds());
    let legs = Leg::all(binding);
    let was = carried::carried_legs(carried, &legs);
    let up = binding.target.up;
    let feet = || binding.target.foot_ids();
    let stand = |foot: FootId| Stand {
        foot,
        leg: &legs[foot.index()],
        carried: &was[foot.index()],
        track,
        binding,
        up,
        frames,
    };
    let mut plans: Vec<FootPlan> = feet().map(|foot| FootPlan::new(&stand(foot))).collect();
    let shifts = |plans: &[FootPlan]| body::shifts(plans, &legs, &was, carried.len(), up, frames);
    let body = shifts(&plans);
    for (foot, plan) in feet().zip(&mut plans) {
        plan.roll(&stand(foot), &body);
    }
    let mut body = shifts(&plans);
    let weights: Vec<f64> = legs.iter().map(|leg| weight(leg.ankle)).collect();
    let hips_weight = weight(binding.root.hips);
    body.iter_mut().for_each(|shift| *shift *= hips_weight);
    let mut goals = goals(&plans, &was, &body, &weights, up, frames);
    keep_above_ground(&mut goals, &legs, &plans, source_feet, track, binding, frames);
    let drops = body::drops(&legs, &was, &body, &goals, &plans, up, frames);
    for (shift, drop) in body.iter_mut().zip(&drops) {
        *shift -= up.vector() * *drop * hips_weight;
    }
    body::pull_in(&mut goals, &legs, &was, &body, &plans, frames);
    let support = support::supports(track, legs.len(), frames);
    let body_tree = Body::new(&binding.target, binding.root.hips, &legs);
    let mut scratch = BodyScratch::new(&body_tree);
    let mut pose = carried.pose(0);
    let mut clip = Clip::with_capacity(
        carried.skeleton().clone(),
        carried.frame_time().clone(),
        carried.len(),
    );
    let mut misses = Vec::new();
    let mut feet_goals: Vec<FootGoal> = goals.iter().map(|goals| goals[0]).collect();
    for frame in 0..carried.len() {
        carried.read_pose(frame, &mut pose);
        for (goal, goals) in feet_goals.iter_mut().zip(&goals) {
            *goal = goals[frame];
        }
        let goal = FrameGoal { body: body[frame], feet: &feet_goals, support: support[frame] };
        body_tree.solve(binding, &goal, &mut pose, &mut scratch);
        clip.push_pose(&pose);
        for foot in feet().filter(|foot| plans[foot.index()].stands[frame]) {
            let leg = &legs[foot.index()];
            let (is, wanted) = (scratch.world(), &feet_goals[foot.index()]);
            let held = |ankle, rotation| short::held(leg, ankle, rotation).0;
            let off = held(is.position(leg.ankle), is.rotation(leg.ankle))
                - held(wanted.ankle, wanted.foot_rotation);
            if off.norm() > MISSED * leg.len {
                let (point, len) = short::held(leg, wanted.ankle, wanted.foot_rotation);
                let far = (point - is.position(leg.hip())).norm() > STRAIGHT * len;
                let reason = if far { MissReason::OutOfReach } else { MissReason::Limit };
                misses.push(Miss { frame, foot, distance_len: off.norm(), reason });
            }
        }
    }
    let moves = body.into_iter().zip(drops).zip(support);
    let body = moves.map(|((shift, drop_len), support)| BodyMove { shift, drop_len, support });
    (clip, PlantOutcome { misses, body: body.collect() })
}

/// A standing foot farther off its goal than this share of a leg is a miss.
const MISSED: f64 = 1e-3;

/// A leg that would have to be longer than this share of itself is straight.
const STRAIGHT: f64 = 0.999;

/// Every foot's goal in every frame, by foot and frame: on its anchor while it stands, carried along
/// with the body in between.
fn goals(
    plans: &[FootPlan],
    was: &[Vec<CarriedLeg>],
    body: &[Vec3],
    weights: &[f64],
    up: UpAxis,
    frames: Frames,
) -> Vec<Vec<FootGoal>> {
    let vertical = |v: &Vec3| up.vector() * up.height(*v);
    let of_foot = |i: usize| {
        let (plan, weight) = (&plans[i], weights[i]);
        let mut levels: Vec<Vec3> =
            plan.shifts.iter().zip(body).map(|(s, b)| s - (b - vertical(b))).collect();
        curve::bridge(&mut levels, &plan.stands, frames.ease, frames.slope);
        let mut heights: Vec<Vec3> =
            plan.rises.iter().zip(body).map(|(r, b)| up.vector() * *r - vertical(b)).collect();
        curve::bridge(&mut heights, &plan.down, frames.ease, frames.slope);
        let goal = |(f, was): (usize, &CarriedLeg)| FootGoal {
            ankle: was.ankle + body[f] + (levels[f] + heights[f]) * weight,
            foot_rotation: part(was.foot_rotation, plan.foot_rotations[f], weight),
            toe_rotation: part(was.toe_rotation, plan.toe_rotations[f], weight),
        };
        was[i].iter().enumerate().map(goal).collect()
    };
    (0..plans.len()).map(of_foot).collect()
}

/// How many frames each frame is away from the nearest one of the mask.
fn frames_away(mask: &[bool]) -> Vec<usize> {
    let mut away = vec![usize::MAX; mask.len()];
    let mut last = None;
    for f in (0..mask.len()).chain((0..mask.len()).rev()) {
        if mask[f] {
            last = Some(f);
        }
        away[f] = away[f].min(last.map_or(usize::MAX, |last: usize| last.abs_diff(f)));
    }
    away
}

/// The rotation that lies `weight` of the way from one to the other.
fn part(from: Quat, to: Quat, weight: f64) -> Quat {
    if weight == 1.0 { to } else { from.try_slerp(&to, weight, 1e-9).unwrap_or(to) }
}

/// Lifts feet that would sink deeper into the ground than the source's do, and bends toes up.
fn keep_above_ground(
    goals: &mut [Vec<FootGoal>],
    legs: &[Leg],
    plans: &[FootPlan],
    source_feet: &FootPaths,
    track: &ContactTrack,
    binding: &Binding,
    frames: Frames,
) {
    let up = binding.target.up;
    let ground = binding.target_height(track.floor_height);
    for foot in binding.target.foot_ids() {
        let (i, leg) = (foot.index(), &legs[foot.index()]);
        let goals = &mut goals[i];
        let lowest = binding
            .source_foot(foot)
            .into_iter()
            .flat_map(|foot| source_feet.lowest(foot))
            .copied();
        let source_sunk = lowest
            .chain(std::iter::repeat(track.floor_height))
            .map(|lowest| ((track.floor_height - lowest) * binding.scale).max(0.0));
        let deeper: Vec<f64> = goals
            .iter()
            .zip(source_sunk)
            .map(|(goal, source)| (sole::sunk(goal, leg, ground, up) - source).max(0.0))
            .collect();
        let lifts = curve::envelope(&deeper, frames.envelope);
        let away = frames_away(&plans[i].down);
        for ((goal, lift), away) in goals.iter_mut().zip(lifts).zip(away) {
            // A foot that stands stays where it is; it is lifted as it leaves.
            let free = curve::ramp(away as f64, 0.0, frames.ease as f64);
            goal.ankle += up.vector() * (lift * free);
            sole::bend_toes(goal, leg, ground, up);
        }
    }
}
