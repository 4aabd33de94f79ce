//! Toes bend up where their tip would be below the ground, and come back evenly.
//!
//! A foot that comes off the floor over its toes lifts its ball so fast that toes whose tip were on the floor to the last would
//! flick down within a frame, where those of its source were never bent so far. So the bend of toes is a curve over the clip: it
//! is all that they need in every frame, and comes and goes in a time that grows with the root of it, so that the fastest change
//! is the same for every foot.
//!
//! On their way to a bend and back toes turn about the axis of that bend, and about one in between where they are on their way
//! from one to another: a foot that lay behind and comes ahead would turn its toes over within a frame where it hangs straight
//! down. While they turn over they bend by less than they need.

use super::contact_interval::{Frames, widened};
use super::hanging::Hanging;
use super::sole::{FootGoal, FootGoals};
use super::transferred::Leg;
use crate::math::{Quat, Vec3, curve, runs};
use crate::rig::UpAxis;
use std::f64::consts::PI;

/// Toes that come up against their foot by themselves, by this or more, radians, keep no bend for as much: they do not flick down.
const COME_UP_RAD: f64 = 0.6;

/// How toes are bent up in one frame.
#[derive(Clone, Copy, Debug)]
struct ToeBend {
    /// The axis that bends them up, in the ankle's frame (local): no longer than 1, and shorter where they point to no side.
    axis: Vec3,
    /// How far they must bend for their tip to be on the ground, radians; 0 if it is over it.
    needed_rad: f64,
    /// How far they are bent up against their foot before that, radians.
    from_foot_rad: f64,
}

impl ToeBend {
    /// The way in which the tip points comes up, or, where the foot points straight down, its upper side. Toes that are curled
    /// past straight down pass it as their tip comes to be lower.
    fn of(goal: &FootGoal, leg: &Leg, ground: f64, up: UpAxis) -> Self {
        let [ball, aside] = [leg.ball, leg.foot_aside].map(|way| goal.foot_rotation * way);
        let tip = goal.toe_rotation * leg.tip;
        let upper = ball.cross(&aside).try_normalize(1e-300).unwrap_or_default();
        let hanging = Hanging::along(tip, up.level(upper), up);
        let from_foot_rad = (-aside.dot(&ball.cross(&tip))).atan2(ball.dot(&tip));
        let room = ground - up.height(goal.ankle + ball);
        let needed_rad = needed_rad(&hanging, tip, room, up);
        let axis = goal.foot_rotation.inverse() * hanging.tilt(1.0, up);
        Self { axis, needed_rad, from_foot_rad }
    }
}

/// How far toes bend up whose `tip`, from their ball, is lower than their `room`, radians; 0 if it is not.
fn needed_rad(hanging: &Hanging, tip: Vec3, room: f64, up: UpAxis) -> f64 {
    let height = up.height(tip);
    if height >= room {
        return 0.0;
    }
    let along = tip.dot(&hanging.lies).abs();
    let over_rad = (room / height.hypot(along).max(1e-300)).clamp(-1.0, 1.0).asin();
    let passes_rad = hanging.passes_rad(-height, room - height, tip.norm());
    over_rad - height.atan2(along) + passes_rad
}

/// Bends the toes up until their tip is on the ground, if the tip is under it.
pub(crate) fn bend_toes(goal: &mut FootGoal, leg: &Leg, ground: f64, up: UpAxis) {
    if tip_is_low(goal, leg, ground, up) {
        let bend = ToeBend::of(goal, leg, ground, up);
        goal.toe_rotation =
            turned([goal.foot_rotation, goal.toe_rotation], bend.axis * bend.needed_rad);
    }
}

/// The rotation (world) of toes that turn by a scaled axis in the frame of their foot (local).
fn turned([foot, toe]: [Quat; 2], turn: Vec3) -> Quat {
    Quat::from_scaled_axis(foot * turn) * toe
}

fn tip_is_low(goal: &FootGoal, leg: &Leg, ground: f64, up: UpAxis) -> bool {
    let tip = goal.foot_rotation * leg.ball + goal.toe_rotation * leg.tip;
    leg.toe.is_some() && up.height(goal.ankle + tip) < ground
}

/// Bends the toes of a foot up over the clip, so that their tip is nowhere under the ground but while they turn over. Linear in the
/// frames.
pub(super) fn bend_evenly(
    goals: &mut FootGoals,
    leg: &Leg,
    ground: f64,
    frames: Frames,
    up: UpAxis,
) {
    let count = goals.ankles.len();
    let low = runs(0..count, |f| tip_is_low(&goals.at(f), leg, ground, up));
    for run in widened(low, reach(frames, PI).ceil() as usize, count) {
        let bend = |f: usize| ToeBend::of(&goals.at(f), leg, ground, up);
        let bends: Vec<ToeBend> = run.clone().map(bend).collect();
        for (f, turn) in run.zip(even_turns(&bends, frames)) {
            goals.rotations[f][1] = turned(goals.rotations[f], turn);
        }
    }
}

/// How many frames toes are on their way to such a bend and back from it.
fn reach(frames: Frames, bend_rad: f64) -> f64 {
    1.0 + frames.limb * bend_rad.sqrt()
}

/// How toes turn in frames after each other, scaled axes in the ankle's frame (local): by what they need and more, and by less
/// only where they turn over.
fn even_turns(bends: &[ToeBend], frames: Frames) -> Vec<Vec3> {
    let mut bends_rad = vec![0.0_f64; bends.len()];
    // The sum of the axes of all bends that count in a frame, each times what is kept of it there, and the sum of that.
    let mut axes = vec![(Vec3::zeros(), 0.0); bends.len()];
    for (at, bent) in bends.iter().enumerate().filter(|(_, bend)| bend.needed_rad > 0.0) {
        let reach = reach(frames, bent.needed_rad);
        let near = at.saturating_sub(reach as usize)..(at + reach as usize + 1).min(bends.len());
        for f in near {
            let away = (f.abs_diff(at) as f64 / reach).min(1.0);
            let comes_up_rad = (bends[f].from_foot_rad - bent.from_foot_rad).max(0.0);
            let kept_rad = bent.needed_rad * (1.0 - away * away).powi(2)
                - comes_up_rad * curve::ramp(comes_up_rad, 0.0, COME_UP_RAD);
            let kept_rad = kept_rad.max(0.0);
            bends_rad[f] = bends_rad[f].max(kept_rad);
            axes[f].0 += bent.axis * kept_rad;
            axes[f].1 += kept_rad;
        }
    }
    let turn = |(bend_rad, (sum, kept_rad)): (f64, (Vec3, f64))| match kept_rad {
        0.0 => Vec3::zeros(),
        _ => sum * (bend_rad / kept_rad),
    };
    bends_rad.into_iter().zip(axes).map(turn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plant::PlantSettings;

    #[test]
    fn toes_of_a_foot_that_points_down_bend_to_its_upper_side_without_a_jump() {
        let up = UpAxis::Y;
        let tip = |curl: f64| Vec3::new(0.05, -curl.cos(), -curl.sin());
        let bent = |curl: f64, room: f64| {
            let hanging = Hanging::along(tip(curl), Vec3::z(), up);
            let turn = hanging.tilt(needed_rad(&hanging, tip(curl), room, up), up);
            Quat::from_scaled_axis(turn) * tip(curl)
        };
        for curl in [-0.6, -0.2, -0.01, 0.0, 0.01, 0.1, 0.2, 0.4] {
            let lowest = tip(curl).y;
            let mut last = tip(curl);
            for i in 0..400 {
                let room = lowest + 0.0025 * f64::from(i);
                let is = bent(curl, room);
                let by = (is - last).norm();
                assert!(by < 0.1, "curled by {curl}, at {room}: jumps by {by}");
                assert!(is.z >= tip(curl).z - 1e-9, "curled by {curl}, at {room}: curls farther");
                let passed = room > lowest + 0.25;
                assert!(!passed || (is.y - room).abs() < 0.01, "{curl}, {room}: {}", is.y);
                last = is;
            }
            let nearly = bent(curl + 1e-6, -0.5);
            assert!((nearly - bent(curl, -0.5)).norm() < 1e-4, "curled by {curl}");
        }
    }

    /// The bends of toes that need so much and are bent up against their foot so far in each frame.
    fn evened(needed_rad: &dyn Fn(f64) -> f64, from_foot_rad: &dyn Fn(f64) -> f64) -> Vec<f64> {
        let frames = Frames::new(&PlantSettings::default(), 1.0 / 120.0);
        let bend = |f: i32| ToeBend {
            axis: Vec3::x(),
            needed_rad: needed_rad(f64::from(f)),
            from_foot_rad: from_foot_rad(f64::from(f)),
        };
        let turns = even_turns(&(0..120).map(bend).collect::<Vec<_>>(), frames);
        turns.iter().map(|turn| turn.norm()).collect()
    }

    fn broken(path: impl IntoIterator<Item = f64>) -> f64 {
        let path: Vec<f64> = path.into_iter().collect();
        path.windows(3).map(|p| (p[2] - 2.0 * p[1] + p[0]).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn toes_that_leave_the_floor_come_back_evenly() {
        // They press ever more and are free within a frame.
        let needed = |f: f64| if f < 60.0 { 0.7 * curve::ramp(f, 30.0, 60.0) } else { 0.0 };
        let bends = evened(&needed, &|_| 0.0);
        let needs = (0..120).map(|f| needed(f64::from(f)));
        assert!(bends.iter().zip(needs.clone()).all(|(bend, needs)| *bend >= needs));
        assert!(broken(needs.clone()) > 0.6 && broken(bends.iter().copied()) < 0.12, "{bends:?}");
        // While they press they are on the floor, and some frames later they are as transferred.
        let more = bends[..60].iter().zip(needs).map(|(bend, needs)| bend - needs);
        assert!(more.fold(0.0, f64::max) < 0.04, "{bends:?}");
        assert!(bends[70..].iter().all(|bend| *bend == 0.0), "{bends:?}");
    }

    #[test]
    fn toes_that_come_up_by_themselves_are_not_bent_farther() {
        let comes_up = |f: f64| 0.8 * curve::ramp(f, 55.0, 62.0);
        let bends = evened(&|f| (0.7 - comes_up(f)).max(0.0), &comes_up);
        let up: Vec<f64> = bends.iter().zip(0..).map(|(b, f)| b + comes_up(f64::from(f))).collect();
        let farthest = up.iter().copied().fold(0.0, f64::max);
        assert!(farthest < 0.87 && broken(up.iter().copied()) < 0.12, "{farthest}: {up:?}");
    }

    #[test]
    fn toes_of_a_foot_that_comes_ahead_from_behind_turn_over_evenly() {
        let frames = Frames::new(&PlantSettings::default(), 1.0 / 120.0);
        let bend = |f: i32| ToeBend {
            axis: if f < 60 { -Vec3::x() } else { Vec3::x() },
            needed_rad: 1.2 * curve::ramp(f64::from((f - 60).abs()), 40.0, 0.0),
            from_foot_rad: 0.0,
        };
        let bends: Vec<ToeBend> = (0..120).map(bend).collect();
        let turns = even_turns(&bends, frames);
        let at_once = bends.iter().map(|bend| bend.axis.x * bend.needed_rad);
        assert!(broken(at_once) > 2.0);
        assert!(broken(turns.iter().map(|turn| turn.x)) < 0.15, "{turns:?}");
    }
}
