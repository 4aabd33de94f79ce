//! Contact detection: finds contact intervals in the paths of feet, hands and knees.

use super::interval::{Interval, Measure, overlap, tidy, with_hysteresis};
use super::lean::leans;
use super::point::Point;
use super::rest::resting;
use super::slide::Slides;
use super::{Contact, ContactTrack, FootPaths, Part, level};
use crate::blocks;
use crate::rig::{FootId, Rig};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Settings of contact detection. Lengths are in legs (thigh plus shin), times in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContactSettings {
    /// A contact begins where the part is slower than this, leg lengths a second.
    pub enter_speed: f64,
    /// A contact ends where the part is faster than this, leg lengths a second.
    pub leave_speed: f64,
    /// The greatest height over the floor at which a contact begins, leg lengths.
    pub enter_height: f64,
    /// The greatest height over the floor at which a contact goes on, leg lengths.
    pub leave_height: f64,
    /// The greatest height over its ball at which a heel's contact begins, as a share of the distance between them.
    pub enter_lift: f64,
    /// The greatest height over its ball at which a heel's contact goes on, as a share of the distance between them.
    pub leave_lift: f64,
    /// The time over which speeds are measured, seconds (at least a frame).
    pub speed_window_s: f64,
    /// A path with noise is smoothed until a point at rest seems to move no faster than this, leg lengths a second.
    pub seeming_speed: f64,
    /// The longest time over which a path with noise is smoothed to find the ends of contact intervals, seconds.
    pub edge_window_s: f64,
    /// A part whose path has noise rests within this many standard deviations of that noise, along one axis, of its
    /// resting place.
    pub tremble_ratio: f64,
    /// A part rests while it is nearer to its resting place than this, leg lengths, or as near as
    /// [`stray_ratio`](Self::stray_ratio) says.
    pub give_len: f64,
    /// A part rests while it is nearer to its resting place than this many times its median distance from it, or than
    /// [`give_len`](Self::give_len).
    pub stray_ratio: f64,
    /// A heel that lands rests as soon as it is slower than this, leg lengths a second, and moves by less than
    /// [`roll_step_len`](Self::roll_step_len) from frame to frame.
    pub roll_speed: f64,
    /// A heel that lands rests only where it moves by less than this from frame to frame, leg lengths.
    pub roll_step_len: f64,
    /// A foot slides where it moves along its floor faster than this, leg lengths a second, faster than
    /// [`slide_ratio`](Self::slide_ratio) says, and farther than [`slide_len`](Self::slide_len).
    pub slide_speed: f64,
    /// A foot slides only where it is faster than this many times the median speed of all feet on the floor.
    pub slide_ratio: f64,
    /// The time over which the speed of a slide is measured, seconds.
    pub slide_window_s: f64,
    /// A foot slides only where it moves farther than this, leg lengths.
    pub slide_len: f64,
    /// A part that rises, is slow for less than this and falls again is at the top of a jump, seconds.
    pub longest_apex_s: f64,
    /// Gaps between contact intervals that are shorter than this are closed, seconds.
    pub shortest_gap_s: f64,
    /// Longer gaps are closed too, up to this, seconds, if the part is not farther from where it stood before and stands after
    /// than [`jerk_len`](Self::jerk_len).
    pub longest_jerk_s: f64,
    /// How far a part jerks that is fast for a moment but does not leave its place, leg lengths.
    pub jerk_len: f64,
    /// Contact intervals shorter than this are dropped, seconds.
    pub shortest_interval_s: f64,
    /// A hand or knee that rests for less than this carries no weight, seconds.
    pub shortest_lean_s: f64,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self {
            enter_speed: 0.15,
            leave_speed: 0.25,
            enter_height: 0.06,
            leave_height: 0.075,
            enter_lift: 0.1,
            leave_lift: 0.15,
            speed_window_s: 0.05,
            seeming_speed: 0.1,
            edge_window_s: 0.033,
            tremble_ratio: 2.3,
            give_len: 0.00003,
            stray_ratio: 2.0,
            roll_speed: 0.06,
            roll_step_len: 0.0015,
            slide_speed: 0.07,
            slide_ratio: 3.0,
            slide_window_s: 0.2,
            slide_len: 0.04,
            longest_apex_s: 0.4,
            shortest_gap_s: 0.05,
            longest_jerk_s: 0.15,
            jerk_len: 0.015,
            shortest_interval_s: 0.06,
            shortest_lean_s: 0.15,
        }
    }
}

/// Finds when heel, ball and tip of each foot stand, and when hands and knees carry weight, from where they are in
/// a clip of `rig` with the given frame time. Costs a few passes over the frames.
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
    let by = Measure { rig, frame_time_s, settings };
    let feet = Feet::new(paths, by);
    let floor_height = feet.ground();
    let balls: Vec<Vec<Interval>> = (0..feet.points.len())
        .map(|foot| {
            let slow = feet.slow[foot][Part::Ball.index()].iter();
            slow.flat_map(|slow| feet.stand(foot, slow, floor_height)).collect()
        })
        .collect();
    let of_balls = feet.points.iter().map(|[_, ball, _]| ball).zip(balls.iter().map(Vec::as_slice));
    let slides = Slides::new(of_balls, by);
    let contacts_of = |(id, balls): (FootId, Vec<Interval>)| {
        let foot = &feet.points[id.index()];
        let [heel, ball, tip] = foot;
        // Heel and tip stand on what their own foot's ball stands on at that time.
        let beside = |part: Part| {
            let near = |slow: &Range<usize>| {
                let under = balls.iter().find(|ball| overlap(&ball.frames, slow));
                let level = under.map_or(floor_height, |ball| ball.floor_height);
                let near = foot[part.index()].near(slow, level, settings.heights());
                match part {
                    Part::Heel => {
                        near.iter().flat_map(|interval| feet.unlifted(id, interval)).collect()
                    }
                    Part::Ball | Part::Tip => near,
                }
            };
            feet.slow[id.index()][part.index()].iter().flat_map(near).collect::<Vec<Interval>>()
        };
        let [heels, tips] = [beside(Part::Heel), beside(Part::Tip)];
        let mut contacts = Vec::new();
        let mut add = |part: Part, point: &Point, intervals: Vec<Interval>| {
            let stays = |gap| point.stays(gap);
            let intervals = tidy(intervals, by, settings.shortest_interval_s, stays);
            let cut = intervals.into_iter().flat_map(|interval| slides.cut(interval, point));
            let cut = tidy(cut.collect(), by, settings.shortest_interval_s, stays);
            let ball = (part == Part::Heel).then_some(ball);
            for Interval { frames, slow, floor_height, slides } in resting(cut, point, ball) {
                contacts.push(Contact { foot: id, part, frames, slow, floor_height, slides });
            }
        };
        if rig.foot(id).is_point() {
            add(Part::Ball, ball, balls);
        } else {
            add(Part::Heel, heel, heels);
            add(Part::Ball, ball, balls);
            add(Part::Tip, tip, tips);
        }
        contacts
    };
    let of_feet = rig.foot_ids().zip(balls).collect();
    let contacts =
        blocks::each(paths.frames(), of_feet, contacts_of).into_iter().flatten().collect();
    let limbs = leans(paths, by, floor_height);
    ContactTrack { frames: paths.frames(), floor_height, contacts, limbs }
}

impl ContactSettings {
    /// Heights over a floor at which a part's contact begins and ends, leg lengths.
    fn heights(&self) -> [f64; 2] {
        [self.enter_height, self.leave_height]
    }
}

/// All feet over a clip.
struct Feet<'a> {
    /// By foot and part.
    points: Vec<[Point<'a>; 3]>,
    /// Stretches of slow frames, by foot and part.
    slow: Vec<[Vec<Range<usize>>; 3]>,
    by: Measure<'a>,
}

impl<'a> Feet<'a> {
    fn new(paths: &'a FootPaths, by: Measure<'a>) -> Self {
        let of = |(foot, part)| {
            let own = match part {
                Part::Heel | Part::Tip => 0.0,
                Part::Ball => by.rig.foot(foot).ball_height,
            };
            Point::new(paths.of(foot, part), own, by)
        };
        let parts = by.rig.foot_ids().flat_map(|foot| Part::ALL.map(|part| (foot, part)));
        let mut found = blocks::each(paths.frames(), parts.collect(), of).into_iter();
        let points: Vec<[Point; 3]> =
            std::iter::from_fn(|| Some([found.next()?, found.next()?, found.next()?])).collect();
        let slow = points.iter().map(|foot| foot.each_ref().map(Point::slow)).collect();
        Self { points, slow, by }
    }

    /// Height of the ground, length units.
    fn ground(&self) -> f64 {
        let balls = || self.points.iter().map(|foot| &foot[Part::Ball.index()]);
        let settings = self.by.settings;
        let still = balls()
            .flat_map(|ball| ball.heights.iter().zip(&ball.speeds))
            .filter(|(_, speed)| **speed < settings.enter_speed)
            .map(|(height, _)| *height)
            .collect();
        let all = balls().flat_map(|ball| &ball.heights).copied().collect();
        level::ground(still, all, 0.5 * settings.enter_height) * self.by.rig.leg_len
    }

    /// The frames of a ball's slow stretch in which it stands, on the ground or on a floor of its own.
    fn stand(&self, foot: usize, slow: &Range<usize>, ground: f64) -> Vec<Interval> {
        let ball = &self.points[foot][Part::Ball.index()];
        let settings = self.by.settings;
        let on_ground = ball.near(slow, ground, settings.heights());
        if !on_ground.is_empty() {
            return on_ground;
        }
        let level = ball.level(slow);
        let others = || (0..self.points.len()).filter(|&other| other != foot);
        let carried_below = |frame: usize| {
            others().flat_map(|other| Part::HELD.map(|p| (other, p.index()))).any(|(other, p)| {
                let stands = self.slow[other][p].iter().any(|s| s.contains(&frame));
                let height = self.points[other][p].heights[frame];
                stands && height < level - settings.enter_height
            })
        };
        if slow.clone().all(carried_below) || self.is_apex(ball, slow, level) {
            return Vec::new();
        }
        ball.near(slow, level * self.by.rig.leg_len, settings.heights())
    }

    /// The parts of a heel's interval in which the heel is not lifted over its ball. A heel that stays lifted does not
    /// stand.
    fn unlifted(&self, id: FootId, interval: &Interval) -> Vec<Interval> {
        let [heel, ball, _] = &self.points[id.index()];
        let Measure { rig, settings, .. } = self.by;
        let is_lifted = |f: usize, share: f64| {
            let heights = [heel, ball].map(|point| point.heights[f] * rig.leg_len);
            rig.foot(id).is_heel_lifted(heights, share)
        };
        let enter = |f: usize| !is_lifted(f, settings.enter_lift);
        let leave = |f: usize| is_lifted(f, settings.leave_lift);
        with_hysteresis(interval.slow.clone(), enter, leave)
            .into_iter()
            .map(|slow| Interval { frames: slow.clone(), slow, ..*interval })
            .collect()
    }

    /// Whether a slow stretch is the top of a jump: the ball comes up to it from below, and falls again soon.
    fn is_apex(&self, ball: &Point, slow: &Range<usize>, level: f64) -> bool {
        let below = |frame: Option<usize>| {
            let height = frame.and_then(|frame| ball.heights.get(frame));
            height.is_some_and(|height| *height < level)
        };
        let soon = self.by.seconds(slow.len()) < self.by.settings.longest_apex_s;
        soon && below(slow.start.checked_sub(1)) && below(Some(slow.end))
    }
}
