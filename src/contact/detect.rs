//! From foot paths to contacts.

use super::{Contact, ContactTrack, FootPaths, Part, level};
use crate::math::{Vec3, median};
use crate::rig::{FootId, Rig};
use std::ops::Range;

/// What counts as standing. Lengths in legs (thigh plus shin), times in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSettings {
    /// A part begins to stand when slower than this, leg lengths a second.
    pub enter_speed: f64,
    /// It stands no longer when faster than this, leg lengths a second.
    pub leave_speed: f64,
    /// Highest place over the floor where a part begins to stand, leg lengths.
    pub enter_height: f64,
    /// Highest place over the floor where it still stands, leg lengths.
    pub leave_height: f64,
    /// Speeds are taken over this time, seconds (at least a frame).
    pub speed_window_s: f64,
    /// A part rests only within this distance of its resting place, leg lengths,
    pub give_len: f64,
    /// or within so many times the median distance from there.
    pub stray_ratio: f64,
    /// A heel that comes down rests already while it moves slower than this, leg lengths a second,
    pub roll_speed: f64,
    /// and by less than this from frame to frame, leg lengths.
    pub roll_step_len: f64,
    /// Gaps shorter than this are closed, seconds.
    pub shortest_gap_s: f64,
    /// Stays shorter than this are dropped, seconds.
    pub shortest_stay_s: f64,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self {
            enter_speed: 0.15,
            leave_speed: 0.25,
            enter_height: 0.06,
            leave_height: 0.075,
            speed_window_s: 0.05,
            give_len: 0.00003,
            stray_ratio: 2.0,
            roll_speed: 0.06,
            roll_step_len: 0.0015,
            shortest_gap_s: 0.05,
            shortest_stay_s: 0.06,
        }
    }
}

/// Finds when heel and ball of each foot stand, from where they are in a clip of `rig` with the given
/// frame time.
///
/// A part stands while it is slow and near the ground. It may stand higher up too, on a stair or a
/// box, if at some moment nothing lower carries the body; so a foot held still in the air does not
/// count.
pub fn detect(
    paths: &FootPaths,
    rig: &Rig,
    frame_time_s: f64,
    settings: &ContactSettings,
) -> ContactTrack {
    let points = Points::new(paths, rig, frame_time_s, settings);
    let floor_height = points.ground();
    let slow: Vec<SlowStays> =
        rig.foot_ids().map(|foot| Part::BOTH.map(|part| points.slow_stays(foot, part))).collect();
    let mut contacts = Vec::new();
    for foot in rig.foot_ids() {
        let [heels, balls] = &slow[foot.index()];
        let balls: Vec<Contact> = balls
            .iter()
            .flat_map(|stay| points.stand(foot, Part::Ball, stay, floor_height, &slow))
            .collect();
        let heels = heels.iter().flat_map(|stay| {
            // A heel stands on what its own foot's ball stands on at that time.
            let under = balls.iter().find(|ball| overlap(&ball.frames, stay));
            let level = under.map_or(floor_height, |ball| ball.floor_height);
            points.near_level(foot, Part::Heel, stay, level)
        });
        let heels = heels.collect();
        if !rig.foot(foot).is_point() {
            contacts.extend(points.tidy(heels).into_iter().map(|c| points.settled(c)));
        }
        contacts.extend(points.tidy(balls).into_iter().map(|c| points.settled(c)));
    }
    ContactTrack { frames: paths.frames(), floor_height, contacts }
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// The stretches of slow frames of one foot, by part.
type SlowStays = [Vec<Range<usize>>; 2];

/// Heights and speeds of all parts of all feet, in legs.
struct Points<'a> {
    paths: &'a FootPaths,
    /// Height less the part's own height over the sole, leg lengths, by foot and part.
    heights: Vec<[Vec<f64>; 2]>,
    /// Leg lengths a second, by foot and part.
    speeds: Vec<[Vec<f64>; 2]>,
    frame_time_s: f64,
    leg_len: f64,
    settings: &'a ContactSettings,
}

impl<'a> Points<'a> {
    fn new(
        paths: &'a FootPaths,
        rig: &Rig,
        frame_time_s: f64,
        settings: &'a ContactSettings,
    ) -> Self {
        let heights = |foot: FootId| {
            Part::BOTH.map(|part| {
                let own = match part {
                    Part::Heel => 0.0,
                    Part::Ball => rig.foot(foot).ball_height,
                };
                let height = |p| (rig.up.height(p) - own) / rig.leg_len;
                paths.of(foot, part).iter().map(|p| height(*p)).collect()
            })
        };
        let speeds = |foot: FootId| {
            Part::BOTH.map(|part| {
                let mut speeds = paths.speeds(foot, part, frame_time_s, settings.speed_window_s);
                speeds.iter_mut().for_each(|speed| *speed /= rig.leg_len);
                speeds
            })
        };
        let heights = rig.foot_ids().map(heights).collect();
        let speeds = rig.foot_ids().map(speeds).collect();
        Self { paths, heights, speeds, frame_time_s, leg_len: rig.leg_len, settings }
    }

    /// Height of the ground, length units.
    fn ground(&self) -> f64 {
        let ball = Part::Ball.index();
        let balls = || self.heights.iter().map(|parts| &parts[ball]);
        let speeds = self.speeds.iter().map(|parts| &parts[ball]);
        let still = balls()
            .zip(speeds)
            .flat_map(|(heights, speeds)| heights.iter().zip(speeds))
            .filter(|(_, speed)| **speed < self.settings.enter_speed)
            .map(|(height, _)| *height)
            .collect();
        let all = balls().flatten().copied().collect();
        level::ground(still, all, 0.5 * self.settings.enter_height) * self.leg_len
    }

    /// Stretches of slow frames, with hysteresis, whatever the height.
    fn slow_stays(&self, foot: FootId, part: Part) -> Vec<Range<usize>> {
        let speeds = &self.speeds[foot.index()][part.index()];
        let enter = |i: usize| speeds[i] < self.settings.enter_speed;
        let leave = |i: usize| speeds[i] > self.settings.leave_speed;
        with_hysteresis(0..speeds.len(), enter, leave)
    }

    /// The part of a slow stay that stands on the ground, or on a floor of its own.
    fn stand(
        &self,
        foot: FootId,
        part: Part,
        stay: &Range<usize>,
        ground: f64,
        slow: &[SlowStays],
    ) -> Vec<Contact> {
        let on_ground = self.near_level(foot, part, stay, ground);
        if !on_ground.is_empty() {
            return on_ground;
        }
        let heights = &self.heights[foot.index()][part.index()];
        let mut sorted = heights[stay.clone()].to_vec();
        sorted.sort_by(f64::total_cmp);
        let level = sorted[sorted.len() / 2];
        let others = || (0..slow.len()).filter(|&other| other != foot.index());
        let carried_below = |frame: usize| {
            others().flat_map(|other| Part::BOTH.map(|p| (other, p.index()))).any(|(other, p)| {
                let stands = slow[other][p].iter().any(|s| s.contains(&frame));
                stands && self.heights[other][p][frame] < level - self.settings.enter_height
            })
        };
        if stay.clone().all(carried_below) {
            return Vec::new();
        }
        self.near_level(foot, part, stay, level * self.leg_len)
    }

    /// The frames of a slow stay near a floor of the given height (length units).
    fn near_level(
        &self,
        foot: FootId,
        part: Part,
        stay: &Range<usize>,
        floor: f64,
    ) -> Vec<Contact> {
        let heights = &self.heights[foot.index()][part.index()];
        let over = |i: usize| (heights[i] - floor / self.leg_len).abs();
        let enter = |i: usize| over(i) < self.settings.enter_height;
        let leave = |i: usize| over(i) > self.settings.leave_height;
        with_hysteresis(stay.clone(), enter, leave)
            .into_iter()
            .map(|slow| Contact { foot, part, frames: slow.clone(), slow, floor_height: floor })
            .collect()
    }

    /// The contact without the frames at its ends in which the part is still on its way: farther from
    /// its resting place than it ever strays while it rests, and than a foot gives way.
    ///
    /// A foot lands on the back of its heel and rolls from there until it is flat. Where exactly the heel ends
    /// no skeleton says, so that the point known as the heel turns a little about the true one meanwhile.
    fn settled(&self, mut contact: Contact) -> Contact {
        let path = &self.paths.of(contact.foot, contact.part)[contact.frames.clone()];
        let middle = |axis: usize| median(path.iter().map(|p| p[axis]));
        let place = Vec3::from_fn(|axis, _| middle(axis));
        let away = |p: &Vec3| (p - place).norm() / self.leg_len;
        let stray = self.settings.stray_ratio * median(path.iter().map(away));
        let limit = stray.max(self.settings.give_len);
        let step = |i: usize| (path[i] - path[i - 1]).norm() / self.leg_len;
        let rolls = |i: usize| {
            let speed = step(i) / self.frame_time_s;
            speed < self.settings.roll_speed && step(i) < self.settings.roll_step_len
        };
        let mut first = path.iter().position(|p| away(p) <= limit);
        if contact.part == Part::Heel
            && let Some(first) = &mut first
        {
            while *first > 0 && rolls(*first) {
                *first -= 1;
            }
        }
        let last = path.iter().rposition(|p| away(p) <= limit);
        if let (Some(first), Some(last)) = (first, last) {
            let start = contact.frames.start;
            contact.frames = start + first..start + last + 1;
        }
        contact
    }

    /// Closes short gaps on one floor and drops short stays. Input in time.
    fn tidy(&self, contacts: Vec<Contact>) -> Vec<Contact> {
        let seconds = |frames: usize| frames as f64 * self.frame_time_s;
        let mut tidied: Vec<Contact> = Vec::new();
        for contact in contacts {
            match tidied.last_mut() {
                Some(last)
                    if seconds(contact.frames.start - last.frames.end)
                        < self.settings.shortest_gap_s
                        && last.floor_height == contact.floor_height =>
                {
                    last.frames.end = contact.frames.end;
                    last.slow.end = contact.slow.end;
                }
                _ => tidied.push(contact),
            }
        }
        tidied.retain(|c| seconds(c.frames.len()) >= self.settings.shortest_stay_s);
        tidied
    }
}

/// Stretches of `frames` that begin where `enter` holds and reach, both ways, to where `leave` does.
fn with_hysteresis(
    frames: Range<usize>,
    enter: impl Fn(usize) -> bool,
    leave: impl Fn(usize) -> bool,
) -> Vec<Range<usize>> {
    let mut stays = Vec::new();
    let mut i = frames.start;
    while i < frames.end {
        if leave(i) {
            i += 1;
            continue;
        }
        let start = i;
        let mut entered = false;
        while i < frames.end && !leave(i) {
            entered |= enter(i);
            i += 1;
        }
        if entered {
            stays.push(start..i);
        }
    }
    stays
}
