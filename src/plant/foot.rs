//! The plan of each foot: it is held at an anchor while it stands, and returns to the transferred motion in between.
//!
//! A foot's goal is the transferred foot plus a rotation and an offset. Both are known while the foot stands: the
//! rotation lays the sole flat, the offset holds ball or heel in place. In between they are interpolated.

use super::contact_interval::{Frames, evenly_away, firm, held, level_turns, steady_turns};
use super::leg_ik::{Reached, reached};
use super::long_foot;
use super::sole::{FootGoal, penetration};
use super::transferred::{Leg, LegTurns, TransferredLeg};
use crate::binding::Binding;
use crate::contact::{ContactTrack, Part};
use crate::ik::Approach;
use crate::math::{Quat, Vec3, curve, rejection, rotation_between, runs};
use crate::rig::{FootId, Side, UpAxis};
use crate::skeleton::JointId;
use std::ops::Range;

/// The largest difference between a foot's roll and its source's.
const MOST_ROLL_RAD: f64 = 0.4;

/// How far beyond its limit a foot may be on the planned shin to be turned by all of that, and from where on it is not turned,
/// radians: where a long foot stands beside its own hip, the shin points anywhere.
const FAR_RAD: [f64; 2] = [0.1, 0.3];

/// The input to the plan of one foot.
#[derive(Clone, Copy)]
pub(super) struct Stand<'a> {
    pub foot: FootId,
    pub leg: &'a Leg,
    /// One a frame.
    pub transferred: &'a [TransferredLeg],
    /// One for each frame; empty if no joint of the leg has a stated limit.
    pub turns: &'a [LegTurns],
    pub track: &'a ContactTrack,
    pub binding: &'a Binding,
    pub up: UpAxis,
    pub frames: Frames,
}

/// Where a leg whose knee is a hinge reaches for its foot's goal.
struct Hinged {
    /// From the hip to the ankle.
    way: Vec3,
    /// Of the thigh, world.
    swing: Quat,
    /// Of the knee, local.
    bent: Quat,
}

impl Stand<'_> {
    /// The side of a person's foot.
    pub fn side(&self) -> Option<Side> {
        self.leg.side(&self.binding.target)
    }

    /// The weight of the foot's goals, from 0 to 1.
    pub fn weight(&self) -> f64 {
        self.binding.target.weight(self.leg.ankle)
    }

    /// A rotation of the foot (world), brought within the stated limit of its ankle on the transferred shin.
    fn within_limit(&self, frame: usize, foot: Quat) -> Quat {
        self.turns.get(frame).map_or(foot, |turns| self.within_limit_on(turns.shin, foot))
    }

    /// As [`within_limit`](Self::within_limit), on a shin of this rotation (world). The limit is approached softly, so that
    /// the foot is still within it on a shin that differs a little.
    fn within_limit_on(&self, shin: Quat, foot: Quat) -> Quat {
        let limit = self.binding.limits.of(self.leg.ankle);
        limit.map_or(foot, |limit| shin * limit.approach(shin.inverse() * foot, Approach::SOFT))
    }

    /// The turns (scaled axes, world) that bring a foot evenly to about within the limit of its ankle, less and less from the
    /// first to the second of `far_rad` beyond it. `at` returns the rotations of shin and foot, world, where it may turn.
    pub fn limiting_turns(
        &self,
        count: usize,
        at: impl Fn(usize) -> Option<[Quat; 2]>,
        far_rad: [f64; 2],
    ) -> Vec<Vec3> {
        let turn = |f: usize| {
            let Some([shin, foot]) = at(f) else { return Vec3::zeros() };
            let turn = self.limiting_turn(shin, foot);
            turn * curve::ramp(turn.norm(), far_rad[1], far_rad[0])
        };
        let turns: Vec<Vec3> = (0..count).map(turn).collect();
        curve::smooth(&turns, self.frames.ease)
    }

    /// The turn (a scaled axis, world) that brings a foot within the limit of its ankle on a shin; both as rotations, world.
    fn limiting_turn(&self, shin: Quat, foot: Quat) -> Vec3 {
        (self.within_limit_on(shin, foot) * foot.inverse()).scaled_axis()
    }

    /// Turns the foot evenly to about within the limit of its ankle. The shin of a nearly straight leg whose knee is a hinge
    /// is rolled by noise, which must not turn the foot.
    fn limit_evenly(&self, rotations: &mut [[Quat; 2]]) {
        let transferred = self.turns.iter().zip(&*rotations);
        let by =
            |(turns, [foot, _]): (&LegTurns, &[Quat; 2])| self.limiting_turn(turns.shin, *foot);
        let turns: Vec<Vec3> = transferred.map(by).collect();
        if turns.iter().any(|turn| *turn != Vec3::zeros()) {
            turn(rotations, 0, curve::smooth(&turns, self.frames.limb.round() as usize));
        }
    }

    /// Where the solve will bring a person's leg whose hip is at `hip`, before its knee turns about the line to its ankle.
    /// `None` for any other leg, and where the goal has no direction.
    pub fn reached(&self, frame: usize, hip: Vec3, goal: &FootGoal) -> Option<Reached> {
        let (knee, was) = (self.leg.knee?, &self.transferred[frame]);
        let Some(Hinged { way, swing, .. }) = self.hinged(frame, hip, goal) else {
            let by = hip - was.thigh;
            let places = [was.thigh, was.knee_or_ball, was.ankle].map(|place| place + by);
            return reached(&knee, places, was.turn * knee.thigh_axis, goal);
        };
        let line = way.try_normalize(1e-300)?;
        let thigh = swing * (was.knee_or_ball - was.thigh);
        let (along, beside) = (line.dot(&thigh), rejection(thigh, line));
        Some(Reached { line, distance: way.norm(), along, beside })
    }

    /// The same of a leg whose knee is a hinge; `None` for any other.
    fn hinged(&self, frame: usize, hip: Vec3, goal: &FootGoal) -> Option<Hinged> {
        let limb = self.binding.limits.hinged_below(self.leg.hip())?;
        let was = &self.transferred[frame];
        let way = self.leg.knee?.bones.reached(was.way(), goal.ankle - hip);
        let (swing, bent) = limb.reaching(was.turn, way);
        Some(Hinged { way, swing, bent })
    }

    /// The rotations (world) of thigh and shin for this position of the hip and this goal of the foot. `None` if no joint
    /// of the leg has a stated limit.
    pub fn turned(&self, frame: usize, hip: Vec3, goal: &FootGoal) -> Option<[Quat; 2]> {
        let LegTurns { shin, .. } = self.turns.get(frame)?;
        let was = &self.transferred[frame];
        if let Some(Hinged { swing, bent, .. }) = self.hinged(frame, hip, goal) {
            let thigh = swing * was.turn;
            return Some([thigh, thigh * bent]);
        }
        let reached = self.reached(frame, hip, goal)?;
        let (knee, ankle) = (reached.knee(), reached.line * reached.distance);
        let thigh = rotation_between(was.knee_or_ball - was.thigh, knee) * was.turn;
        let shin = rotation_between(was.ankle - was.knee_or_ball, ankle - knee) * shin;
        Some([thigh, shin])
    }

    /// How far a leg is beyond the stated limits of its hip and its ankle, radians, if the pelvis moves by `body` and
    /// turns by `lean` and the foot is at `goal`. The value rises from 0 a little before the limit, so that it is
    /// smooth. `None` if no joint of the leg has a stated limit.
    pub fn beyond_limits_rad(
        &self,
        frame: usize,
        goal: &FootGoal,
        body: Vec3,
        lean: Quat,
    ) -> Option<[f64; 2]> {
        let seat = self.turns.get(frame)?.seat;
        let [thigh, shin] = self.turned(frame, self.transferred[frame].thigh + body, goal)?;
        let beyond = |joint: JointId, above: Quat, turned: Quat| {
            let Some(limit) = self.binding.limits.of(joint) else { return 0.0 };
            let local = above.inverse() * turned;
            limit.approach(local, Approach::EARLY).angle_to(&local)
        };
        let foot = goal.foot_rotation;
        Some([beyond(self.leg.hip(), lean * seat, thigh), beyond(self.leg.ankle, shin, foot)])
    }
}

/// The plan of one foot over the clip.
///
/// It plans horizontal offset and height separately, since they are known in different frames: a part is held in place
/// only while it stands firmly, but the sole is on the floor from the first frame of a contact interval to its last.
pub(super) struct FootPlan {
    /// Horizontal offset of the ankle from its transferred position; known in frames in which the foot `stands`.
    pub offsets: Vec<Vec3>,
    pub stands: Vec<bool>,
    /// Rise of the ankle above its transferred position; known in frames in which the sole is `down`.
    pub rises: Vec<f64>,
    pub down: Vec<bool>,
    /// Planned rotations of foot and toe, world.
    pub rotations: Vec<[Quat; 2]>,
    /// Transferred rotations of foot and toe; `None` if the weight of the foot's goals is 1.
    pub transferred: Option<Vec<[Quat; 2]>>,
    /// Frames in which the ball stands firmly, and frames in which the heel is on the ground.
    ball_holds: Vec<bool>,
    heel_holds: Vec<bool>,
}

impl FootPlan {
    /// Plans one foot from its transferred `rotations` of foot and toe.
    pub fn new(stand: &Stand, mut rotations: Vec<[Quat; 2]>) -> Self {
        let Stand { foot, leg, track, up, frames, .. } = *stand;
        let count = rotations.len();
        let transferred = (stand.weight() != 1.0).then(|| rotations.clone());
        let [heel, ball] = Part::HELD.map(|part| track.mask(foot, part));
        let flat: Vec<bool> = ball.iter().zip(&heel).map(|(b, h)| *b && *h).collect();
        let level = level_turns(&flat, up, frames, |f| rotations[f][0] * leg.foot_ahead);
        turn(&mut rotations, 0, level);
        let steady = steady_turns(&flat, up, frames, |f| rotations[f][0]);
        turn(&mut rotations, 0, steady);
        match leg.toe {
            Some(_) => {
                let level = level_turns(&ball, up, frames, |f| rotations[f][1] * leg.toe_ahead);
                turn(&mut rotations, 1, level);
            }
            None => rotations.iter_mut().for_each(|[foot, toe]| *toe = *foot),
        }
        long_foot::flatten(stand, &mut rotations);
        long_foot::lay_back(stand, &mut rotations);
        long_foot::slow(stand, &mut rotations);
        stand.limit_evenly(&mut rotations);
        if leg.toe.is_none() {
            rotations.iter_mut().for_each(|[foot, toe]| *toe = *foot);
        }
        let mut plan = Self {
            offsets: vec![Vec3::zeros(); count],
            stands: vec![false; count],
            rises: vec![0.0; count],
            down: vec![false; count],
            rotations,
            transferred,
            ball_holds: vec![false; count],
            heel_holds: heel,
        };
        for (run, _) in held(track, foot, Part::Ball, frames.firm) {
            plan.ball_holds[run.clone()].fill(true);
            plan.hold(run, leg.ball, stand);
        }
        for (run, _) in held(track, foot, Part::Heel, frames.firm) {
            plan.heel_holds[run.clone()].fill(true);
            for run in runs(run, |f| !plan.ball_holds[f]) {
                plan.hold_heel(run, stand);
            }
        }
        plan.put_down(stand);
        plan
    }

    /// The position of the ankle in a frame in which the foot stands. `was` is its transferred position.
    pub fn standing_ankle(&self, frame: usize, was: Vec3, up: UpAxis) -> Option<Vec3> {
        let moved = self.offsets[frame] + up.vector() * self.rises[frame];
        (self.stands[frame] && self.down[frame]).then(|| was + moved)
    }

    /// The goal in a frame in which the foot stands. `was` is the transferred position of its ankle.
    pub fn standing_goal(&self, frame: usize, was: Vec3, up: UpAxis) -> FootGoal {
        let [foot_rotation, toe_rotation] = self.rotations[frame];
        let ankle = was + self.offsets[frame] + up.vector() * self.rises[frame];
        FootGoal { ankle, foot_rotation, toe_rotation, ..FootGoal::default() }
    }

    /// Rolls the foot about its held ball while its heel is off the ground, so that the ankle comes nearer to where the
    /// leg, moved by `body`, has it. Feet of different lengths need different angles to lift the heel.
    pub fn roll(&mut self, stand: &Stand, body: &[Vec3]) {
        let Stand { leg, transferred, frames, .. } = *stand;
        if !leg.has_knee() || leg.is_point {
            return;
        }
        let away = evenly_away(&self.heel_holds);
        let mut turns = vec![Vec3::zeros(); transferred.len()];
        for f in (0..transferred.len()).filter(|&f| self.ball_holds[f]) {
            let ball_from_ankle = self.rotations[f][0] * leg.ball;
            let offset = self.offsets[f] + stand.up.vector() * self.rises[f];
            let ankle_from_ball = body[f] - ball_from_ankle - offset;
            let turn = rotation_between(-ball_from_ankle, ankle_from_ball).scaled_axis();
            let free = curve::ramp(away[f], 0.0, frames.free as f64);
            let share = MOST_ROLL_RAD / (MOST_ROLL_RAD + turn.norm());
            turns[f] = turn * (free * share);
        }
        curve::bridge(&mut turns, &self.stands, frames.ease, frames.slope);
        let rolled = |f: usize| Quat::from_scaled_axis(turns[f]) * self.rotations[f][0];
        let mut rolled: Vec<Quat> = (0..turns.len()).map(rolled).collect();
        self.limit_on_planned_shins(&mut rolled, stand, body);
        for (f, rolled) in rolled.into_iter().enumerate() {
            let rolled = stand.within_limit(f, rolled);
            self.offsets[f] = self.rolled_offset(f, rolled, stand);
            let [foot, toe] = &mut self.rotations[f];
            *foot = rolled;
            if leg.toe.is_none() {
                *toe = rolled;
            }
        }
        self.put_down(stand);
    }

    /// The horizontal offset of the ankle of a foot that is `rolled` about its ball, if that is held.
    fn rolled_offset(&self, frame: usize, rolled: Quat, stand: &Stand) -> Vec3 {
        let from = self.rotations[frame][0];
        self.offsets[frame] + self.about_held_ball(frame, [from, rolled], stand)
    }

    /// How far the ankle of a foot moves along the floor that turns (world) about its ball, if that is held.
    pub fn about_held_ball(&self, frame: usize, [from, to]: [Quat; 2], stand: &Stand) -> Vec3 {
        let ball = if self.ball_holds[frame] { stand.leg.ball } else { Vec3::zeros() };
        stand.up.level(from * ball - to * ball)
    }

    /// Turns a foot that is so `rolled` evenly to about within the limit of its ankle on the shin that follows if the pelvis
    /// moves by `body`. The solve would turn it so too, but about its ankle, into the floor.
    fn limit_on_planned_shins(&self, rolled: &mut [Quat], stand: &Stand, body: &[Vec3]) {
        if stand.binding.limits.of(stand.leg.ankle).is_none() {
            return;
        }
        let shin = |f: usize| Some([self.shin(f, rolled[f], stand, body[f])?, rolled[f]]);
        let turns = stand.limiting_turns(body.len(), shin, FAR_RAD);
        let turned = rolled.iter_mut().zip(turns);
        turned.for_each(|(foot, turn)| *foot = Quat::from_scaled_axis(turn) * *foot);
    }

    /// The rotation of the shin (world) above a foot that is so `rolled`, if the pelvis moves by `body`. `None` if no
    /// joint of the leg has a stated limit.
    fn shin(&self, frame: usize, rolled: Quat, stand: &Stand, body: Vec3) -> Option<Quat> {
        let (was, up) = (&stand.transferred[frame], stand.up);
        let level = match self.stands[frame] {
            true => self.rolled_offset(frame, rolled, stand),
            false => up.level(body),
        };
        let rise = if self.down[frame] { self.rises[frame] } else { up.height(body) };
        let ankle = was.ankle + level + up.vector() * rise;
        let [_, shin] =
            stand.turned(frame, was.thigh + body, &FootGoal { ankle, ..FootGoal::default() })?;
        Some(shin)
    }

    /// Puts the lowest point of the sole on the floor in every frame of a contact interval.
    ///
    /// While a foot rolls, its lowest point changes from heel to ball, which gives its height a corner. A little
    /// smoothing removes the corner; a foot without length has none.
    fn put_down(&mut self, stand: &Stand) {
        let parts = Part::HELD.into_iter();
        let contacts = parts.clone().flat_map(|part| stand.track.of(stand.foot, part));
        let contacts = contacts.map(|contact| (contact.frames.clone(), contact.floor_height));
        let firm = parts.flat_map(|part| firm(stand.track, stand.foot, part, stand.frames.firm));
        let mut floors = vec![None; self.rises.len()];
        for (run, floor) in contacts.chain(firm) {
            floors[run].fill(Some(stand.binding.target_height(floor)));
        }
        for (f, floor) in floors.into_iter().enumerate() {
            let Some(floor) = floor else { continue };
            let [foot_rotation, toe_rotation] = self.rotations[f];
            let ankle = stand.transferred[f].ankle;
            let sole = FootGoal { ankle, foot_rotation, toe_rotation, ..FootGoal::default() };
            self.rises[f] = penetration(&sole, stand.leg, floor, stand.up);
            self.down[f] = true;
        }
        if !stand.leg.is_point {
            curve::smooth_above(&mut self.rises, &self.down, stand.frames.firm);
        }
    }

    /// Holds a point of the foot at its mean horizontal position.
    fn hold(&mut self, run: Range<usize>, point: Vec3, stand: &Stand) {
        let place = |f: usize| stand.transferred[f].ankle + self.rotations[f][0] * point;
        let places: Vec<Vec3> = run.clone().map(place).collect();
        let mean = places.iter().sum::<Vec3>() / places.len() as f64;
        for (f, place) in run.zip(places) {
            self.offsets[f] = stand.up.level(mean - place);
            self.stands[f] = true;
        }
    }

    /// Holds the heel in frames in which it stands alone. The foot continues without a step when the ball takes over,
    /// or after the ball has left the floor.
    fn hold_heel(&mut self, run: Range<usize>, stand: &Stand) {
        let place = |f: usize| stand.transferred[f].ankle + self.rotations[f][0] * stand.leg.heel;
        // Two consecutive contacts are both not held at their ends, so there may be frames between them. The foot keeps
        // its offset over these frames.
        let near = 2 * stand.frames.firm + 1;
        let holds = |f: &usize| self.ball_holds[*f];
        let before = (run.start.saturating_sub(near)..run.start).rev().find(holds);
        let after = (run.end..(run.end + near).min(self.ball_holds.len())).find(holds);
        let handover = |ball: Option<usize>, heel: usize| {
            let ball = ball?;
            let at = if ball.abs_diff(heel) == 1 { ball } else { heel };
            Some((ball, place(at) + self.offsets[ball]))
        };
        let handovers = [handover(before, run.start), handover(after, run.end - 1)];
        let places: Vec<Vec3> = run.clone().map(place).collect();
        let mean = places.iter().sum::<Vec3>() / places.len() as f64;
        for (f, place) in run.zip(places) {
            let anchor = match handovers {
                [None, None] => mean,
                [Some((_, anchor)), None] | [None, Some((_, anchor))] => anchor,
                [Some((from, a)), Some((to, b))] => {
                    a.lerp(&b, (f - from) as f64 / (to - from) as f64)
                }
            };
            self.offsets[f] = stand.up.level(anchor - place);
            self.stands[f] = true;
        }
    }
}

/// Rotates foot (0) or toe (1) in every frame by scaled axes in radians, world.
fn turn(rotations: &mut [[Quat; 2]], part: usize, turns: Vec<Vec3>) {
    for (rotations, turn) in rotations.iter_mut().zip(turns) {
        rotations[part] = Quat::from_scaled_axis(turn) * rotations[part];
    }
}
