//! Where each foot is to be: anchored while it stands, eased back to the carried motion in between.
//!
//! A foot's goal is the carried foot plus a turn and a shift. Both are known while the foot stands
//! (the turn sets the sole flat, the shift holds ball or heel in its place) and bridged in between.

use super::PlantSettings;
use super::carried::{CarriedLeg, Leg};
use crate::binding::Binding;
use crate::contact::{Contact, ContactTrack, Part};
use crate::math::{Quat, Vec3, curve, median, rotation_between};
use crate::rig::{FootId, UpAxis};
use std::ops::Range;

/// A foot's goal in one frame, target world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct FootGoal {
    pub ankle: Vec3,
    pub foot_rotation: Quat,
    pub toe_rotation: Quat,
}

/// Times in frames, from the settings' seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frames {
    pub ease: usize,
    pub slope: usize,
    pub body: usize,
    pub envelope: usize,
    pub settle: usize,
}

impl Frames {
    pub fn new(settings: &PlantSettings, frame_time_s: f64) -> Self {
        let frames = |seconds: f64| ((seconds / frame_time_s).round() as usize).max(1);
        Self {
            ease: frames(settings.ease_s),
            slope: frames(settings.slope_s),
            body: frames(settings.body_s),
            envelope: frames(settings.envelope_s),
            settle: frames(settings.settle_s),
        }
    }
}

/// What one foot does over the clip.
pub(super) struct FootPlan {
    /// The shift of the ankle from where it was carried, known where `stands`.
    pub shifts: Vec<Vec3>,
    pub stands: Vec<bool>,
    pub foot_rotations: Vec<Quat>,
    pub toe_rotations: Vec<Quat>,
}

impl FootPlan {
    /// Plans one foot.
    pub fn new(
        foot: FootId,
        leg: &Leg,
        carried: &[CarriedLeg],
        track: &ContactTrack,
        binding: &Binding,
        frames: Frames,
    ) -> Self {
        let up = binding.target.up;
        let carried = |frame: usize| &carried[frame];
        let count = track.frames;
        let ball = track.mask(foot, Part::Ball);
        let heel = track.mask(foot, Part::Heel);
        let flat: Vec<bool> = ball.iter().zip(&heel).map(|(b, h)| *b && *h).collect();
        let leveled = |rotation: fn(&CarriedLeg) -> Quat, up_local: Vec3, known: &[bool]| {
            level_turns(known, up, frames, |f| rotation(carried(f)), up_local)
        };
        let foot_rotations = leveled(|c| c.foot_rotation, leg.foot_up, &flat);
        let toe_rotations = match leg.toe {
            Some(_) => leveled(|c| c.toe_rotation, leg.toe_up, &ball),
            None => foot_rotations.clone(),
        };
        let firm = |part: Part| firm(track, foot, part, frames.settle);
        let (firm_balls, firm_heels) = (firm(Part::Ball), firm(Part::Heel));
        let mut plan = Self {
            shifts: vec![Vec3::zeros(); count],
            stands: vec![false; count],
            foot_rotations,
            toe_rotations,
        };
        let ankle = |f: usize| carried(f).ankle;
        for (run, floor) in firm_balls {
            let height = binding.target_height(floor) + leg.ball_height;
            plan.hold(run, leg, height, up, ankle);
        }
        let ball_holds = plan.stands.clone();
        for (run, floor) in firm_heels {
            for run in runs(run, |f| !ball_holds[f]) {
                plan.hold_heel(run, leg.heel, binding.target_height(floor), up, &ball_holds, ankle);
            }
        }
        plan
    }

    /// Holds the ball in its mean place. Its height goes up and down as it was carried, but for what
    /// its median is off the given one: flesh gives way. A point does not.
    fn hold(
        &mut self,
        run: Range<usize>,
        leg: &Leg,
        height: f64,
        up: UpAxis,
        ankle: impl Fn(usize) -> Vec3,
    ) {
        let place = |f: usize| ankle(f) + self.foot_rotations[f] * leg.ball;
        let places: Vec<Vec3> = run.clone().map(place).collect();
        let mean = places.iter().sum::<Vec3>() / places.len() as f64;
        let middle = height - up.height(median_point(&places));
        for (f, place) in run.zip(places) {
            let level = mean - place;
            let raised = if leg.is_point { height - up.height(place) } else { middle };
            self.shifts[f] = level + up.vector() * (raised - up.height(level));
            self.stands[f] = true;
        }
    }

    /// Holds the heel alone, so that the foot runs on without a step where the ball takes over.
    fn hold_heel(
        &mut self,
        run: Range<usize>,
        heel: Vec3,
        height: f64,
        up: UpAxis,
        ball: &[bool],
        ankle: impl Fn(usize) -> Vec3,
    ) {
        let place = |f: usize| ankle(f) + self.foot_rotations[f] * heel;
        let neighbours = [run.start.checked_sub(1), Some(run.end)];
        let handovers = neighbours.map(|n| {
            let f = n.filter(|&f| f < ball.len() && ball[f])?;
            Some((f, place(f) + self.shifts[f], up.height(self.shifts[f])))
        });
        let places: Vec<Vec3> = run.clone().map(place).collect();
        let mean = places.iter().sum::<Vec3>() / places.len() as f64;
        let alone = height - up.height(median_point(&places));
        for (f, place) in run.zip(places) {
            // A heel is round and rolls, so it too goes up and down as it was carried.
            let (anchor, raised) = match handovers {
                [None, None] => (mean, alone),
                [Some((_, anchor, raised)), None] | [None, Some((_, anchor, raised))] => {
                    (anchor, raised)
                }
                [Some((from, a, raised_a)), Some((to, b, raised_b))] => {
                    let t = (f - from) as f64 / (to - from) as f64;
                    (a.lerp(&b, t), raised_a + t * (raised_b - raised_a))
                }
            };
            let level = anchor - place;
            self.shifts[f] = level + up.vector() * (raised - up.height(level));
            self.stands[f] = true;
        }
    }
}

/// Where a part is slow on its floor, without the frames at the ends in which it still comes down or lifts
/// already, with the height of their floor. What begins or ends with the clip is not cut there.
fn firm(track: &ContactTrack, foot: FootId, part: Part, settle: usize) -> Vec<(Range<usize>, f64)> {
    let trim = |contact: &Contact| {
        let Range { start, end } = contact.slow;
        let settle = settle.min((end - start).saturating_sub(1) / 2);
        let start = if start == 0 { 0 } else { start + settle };
        let end = if end == track.frames { end } else { end - settle };
        (start..end, contact.floor_height)
    };
    track.of(foot, part).map(trim).collect()
}

/// The carried rotations, turned so that in the middle of each run of known frames `up_local` points
/// up. One turn a run: what the foot rolls in the source, it rolls here.
fn level_turns(
    known: &[bool],
    up: UpAxis,
    frames: Frames,
    rotation: impl Fn(usize) -> Quat,
    up_local: Vec3,
) -> Vec<Quat> {
    let mut turns = vec![Vec3::zeros(); known.len()];
    for run in runs(0..known.len(), |f| known[f]) {
        let turn = |f: usize| rotation_between(rotation(f) * up_local, up.vector()).scaled_axis();
        // The middle half, since at its ends the foot still comes down or lifts already.
        let quarter = run.len() / 4;
        let each: Vec<Vec3> = (run.start + quarter..run.end - quarter).map(turn).collect();
        turns[run].fill(median_point(&each));
    }
    curve::bridge(&mut turns, known, frames.ease, frames.slope);
    (0..known.len()).map(|f| Quat::from_scaled_axis(turns[f]) * rotation(f)).collect()
}

/// The median of each coordinate.
fn median_point(points: &[Vec3]) -> Vec3 {
    Vec3::from_fn(|axis, _| median(points.iter().map(|p| p[axis])))
}

/// Maximal runs of frames for which `holds`.
pub(super) fn runs(frames: Range<usize>, holds: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for f in frames.filter(|&f| holds(f)) {
        match found.last_mut() {
            Some(last) if last.end == f => last.end = f + 1,
            _ => found.push(f..f + 1),
        }
    }
    found
}

/// How far the lowest point of a sole lies under the ground; negative above it. The tip counts only
/// where no toe joint can bend it up.
pub(super) fn sunk(goal: &FootGoal, leg: &Leg, ground: f64, up: UpAxis) -> f64 {
    let height = |point: Vec3| up.height(goal.ankle + goal.foot_rotation * point);
    let lowest = height(leg.heel).min(height(leg.ball) - leg.ball_height);
    match leg.toe {
        Some(_) => ground - lowest,
        None => ground - lowest.min(height(leg.tip)),
    }
}

/// Bends the toes up until their tip is on the ground, if it is under it.
pub(super) fn bend_toes(goal: &mut FootGoal, leg: &Leg, ground: f64, up: UpAxis) {
    let ball = goal.ankle + goal.foot_rotation * leg.ball;
    let tip = goal.toe_rotation * leg.tip;
    let (height, room) = (up.height(tip), ground - up.height(ball));
    if leg.toe.is_none() || height >= room {
        return;
    }
    let level = tip - up.vector() * height;
    let reach = (tip.norm_squared() - room * room).max(0.0).sqrt();
    let Some(ahead) = level.try_normalize(1e-12) else { return };
    let bent = ahead * reach + up.vector() * room.clamp(-tip.norm(), tip.norm());
    goal.toe_rotation = rotation_between(tip, bent) * goal.toe_rotation;
}
