//! Plants the feet of a carried clip: anchors where the source stands, curves that bring the body
//! within reach, and per frame a solve of the whole body from the foot that carries it.
//!
//! What must be smooth in time is computed as curves over the clip first; then every frame is solved
//! on its own, from its own carried pose.

mod body;
mod carried;
mod foot;
mod limits;
mod solve;
mod support;

use crate::binding::Binding;
use crate::clip::Clip;
use crate::contact::{ContactTrack, FootPaths};
use crate::math::{Quat, Vec3, curve};
use crate::rig::{Role, Side};
use carried::Leg;
use foot::{FootGoal, FootPlan, Frames};
use serde::{Deserialize, Serialize};
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
            ease_s: 0.15,
            slope_s: 0.03,
            body_s: 0.12,
            envelope_s: 0.15,
            settle_s: 0.03,
        }
    }
}

/// A foot that could not come to its goal in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Miss {
    pub frame: usize,
    #[serde(serialize_with = "side_word")]
    pub side: Side,
    /// How far off it is, target length units.
    pub distance_len: f64,
}

fn side_word<S: serde::Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match side {
        Side::Left => "left",
        Side::Right => "right",
    })
}

/// What planting did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlantOutcome {
    /// Standing feet that are off their goal by more than a thousandth of a leg, in time.
    pub misses: Vec<Miss>,
    /// The farthest that the body came down to keep its feet in reach, target length units.
    pub deepest_drop_len: f64,
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
    let free;
    let track = match settings.foot_plants {
        FootPlants::Ground => {
            free = ContactTrack { contacts: Vec::new(), ..track.clone() };
            &free
        }
        _ => track,
    };
    let frames = Frames::new(settings, carried.frame_time().seconds());
    let legs = Leg::pair(binding);
    let was = carried::carried_legs(carried, &legs);
    let up = binding.target.up;
    let plans = Side::BOTH
        .map(|side| FootPlan::new(side, &legs[side.index()], &was, track, binding, frames));
    let mut body = body::shifts(&plans, frames);
    let weights = Side::BOTH.map(|side| binding.target.weight(Role::Foot(side)));
    let hips_weight = binding.target.weight(Role::Hips);
    body.iter_mut().for_each(|shift| *shift *= hips_weight);
    let mut goals = goals(&plans, &was, &body, weights, frames);
    keep_above_ground(&mut goals, &legs, &plans, source_feet, track, binding, frames);
    let drops = body::drops(&legs, &was, &body, &goals, &plans, up, frames);
    for (shift, drop) in body.iter_mut().zip(&drops) {
        *shift -= up.vector() * *drop * hips_weight;
    }
    body::pull_in(&mut goals, &legs, &was, &body, &plans);
    let support = support::supports(track, frames);
    let body_tree = Body::new(&binding.target, binding.root.hips, &legs);
    let mut scratch = BodyScratch::new(&body_tree);
    let mut pose = carried.pose(0);
    let mut clip = Clip::with_capacity(
        carried.skeleton().clone(),
        carried.frame_time().clone(),
        carried.len(),
    );
    let mut misses = Vec::new();
    for (frame, feet) in goals.iter().enumerate() {
        carried.read_pose(frame, &mut pose);
        let goal = FrameGoal { body: body[frame], feet, support: support[frame] };
        body_tree.solve(binding, &goal, &mut pose, &mut scratch);
        clip.push_pose(&pose);
        for side in Side::BOTH.into_iter().filter(|s| plans[s.index()].stands[frame]) {
            let leg = &legs[side.index()];
            let off = scratch.world().position(leg.ankle) - feet[side.index()].ankle;
            if off.norm() > MISSED * leg.len {
                misses.push(Miss { frame, side, distance_len: off.norm() });
            }
        }
    }
    let deepest_drop_len = drops.iter().copied().fold(0.0, f64::max);
    (clip, PlantOutcome { misses, deepest_drop_len })
}

/// A standing foot farther off its goal than this share of a leg is a miss.
const MISSED: f64 = 1e-3;

/// Every foot's goal in every frame: on its anchor while it stands, carried along with the body in
/// between.
fn goals(
    plans: &[FootPlan; 2],
    was: &[[carried::CarriedLeg; 2]],
    body: &[Vec3],
    weights: [f64; 2],
    frames: Frames,
) -> Vec<[FootGoal; 2]> {
    let beyond = plans.each_ref().map(|plan| {
        let mut beyond: Vec<Vec3> = plan.shifts.iter().zip(body).map(|(s, b)| s - b).collect();
        curve::bridge(&mut beyond, &plan.stands, frames.ease, frames.slope);
        beyond
    });
    let goal = |f: usize, i: usize| {
        let was = &was[f][i];
        let plan = &plans[i];
        FootGoal {
            ankle: was.ankle + body[f] + beyond[i][f] * weights[i],
            foot_rotation: part(was.foot_rotation, plan.foot_rotations[f], weights[i]),
            toe_rotation: part(was.toe_rotation, plan.toe_rotations[f], weights[i]),
        }
    };
    (0..was.len()).map(|f| [goal(f, 0), goal(f, 1)]).collect()
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
    goals: &mut [[FootGoal; 2]],
    legs: &[Leg; 2],
    plans: &[FootPlan; 2],
    source_feet: &FootPaths,
    track: &ContactTrack,
    binding: &Binding,
    frames: Frames,
) {
    let up = binding.target.up;
    let ground = binding.target_height(track.floor_height);
    for side in Side::BOTH {
        let (i, leg) = (side.index(), &legs[side.index()]);
        let source_sunk = source_feet
            .lowest(side)
            .iter()
            .map(|lowest| ((track.floor_height - lowest) * binding.scale).max(0.0));
        let deeper: Vec<f64> = goals
            .iter()
            .zip(source_sunk)
            .map(|(goal, source)| (foot::sunk(&goal[i], leg, ground, up) - source).max(0.0))
            .collect();
        let lifts = curve::envelope(&deeper, frames.envelope);
        let away = frames_away(&plans[i].stands);
        for ((goal, lift), away) in goals.iter_mut().zip(lifts).zip(away) {
            // A foot that stands stays where it is; it is lifted as it leaves.
            let free = curve::ramp(away as f64, 0.0, frames.ease as f64);
            goal[i].ankle += up.vector() * (lift * free);
            foot::bend_toes(&mut goal[i], leg, ground, up);
        }
    }
}
