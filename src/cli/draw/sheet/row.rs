//! A row of a contact sheet: one file over time.

use super::mesh::{Meshes, Shot};
use super::ways::{Trace, Ways};
use super::{GUTTER, MAP, MARGIN, POSES, WIDTH};
use crate::cli::draw::limb::Limb;
use crate::cli::draw::motion::{Motion, feet, limb_of_foot, limb_of_lean};
use crate::cli::draw::page::{Anchor, Page};
use crate::cli::draw::view::View;
use crate::cli::text::{count, number};
use crate::contact::{self, Part};
use crate::convert::{Inspection, Skinned};
use crate::math::{Quat, Vec3};
use std::ops::Range;

/// Where the poses and the curves lie on the page.
const STRIP: [f64; 2] = [MARGIN + GUTTER, WIDTH - MARGIN - MAP - 44.0];
const POSE_HEIGHT: f64 = 168.0;
const MESH_HEIGHT: f64 = 210.0;
const CURVES_HEIGHT: f64 = 56.0;
/// The distance between the lines of one foot's parts, and between two feet.
const LANE: f64 = 6.0;
const LINE: f64 = 21.5;
/// The number of points of a curve at most.
const POINTS: usize = 560;

/// The contacts of one limb: a foot, or a hand or knee that carries weight.
struct Lane {
    name: String,
    limb: Limb,
    /// A list for each part of the limb, for a foot those of heel, ball and tip: the first frame of each contact, and
    /// its end, not included.
    intervals: Vec<Vec<[usize; 2]>>,
}

/// All that a row shows.
pub struct Row<'a> {
    title: String,
    subtitle: String,
    motion: Motion<'a>,
    shots: Vec<Shot>,
    meshes: Option<Meshes>,
    traces: Vec<Trace>,
    lanes: Vec<Lane>,
}

impl<'a> Row<'a> {
    /// Costs one forward kinematics per frame, for the feet.
    pub fn new(
        name: &str,
        found: &'a Inspection,
        mut motion: Motion<'a>,
        skinned: Option<&Skinned>,
    ) -> Self {
        let last = motion.clip.len() - 1;
        let shown = POSES.min(motion.clip.len());
        let frame = |i: usize| (i * last).checked_div(shown - 1).unwrap_or(0);
        let mut ahead = Vec3::z();
        let mut shots = Vec::with_capacity(shown);
        for frame in (0..shown).map(frame) {
            // A body that lies on the floor keeps the facing that it had before.
            ahead = motion.facing(frame).unwrap_or(ahead);
            let points = motion.points(frame);
            shots.push(Shot::new(frame, points, motion.of_body(), ahead));
        }
        let (traces, lanes) = (traces(found, &motion), lanes(found));
        let meshes = skinned.and_then(|skinned| Meshes::new(skinned, &shots, &motion));
        let (title, subtitle) = (name.to_owned(), subtitle(found));
        Self { title, subtitle, motion, shots, meshes, traces, lanes }
    }

    /// Draws the row from `top` downwards. Returns where the next row begins.
    pub fn draw(&self, page: &mut Page, top: f64) -> f64 {
        page.line([MARGIN, top], [WIDTH - MARGIN, top], "rule");
        page.text([MARGIN, top + 26.0], Anchor::Start, "head", &self.title);
        page.text([MARGIN, top + 45.0], Anchor::Start, "sub", &self.subtitle);
        let poses_top = top + 62.0;
        let scale = self.scale();
        let views = [
            ([-Vec3::z(), -Vec3::y()], "from its left"),
            ([Vec3::x(), -Vec3::y()], "from the front"),
        ];
        let mut bottom = poses_top;
        for (axes, caption) in views {
            self.draw_poses(page, axes, scale, bottom);
            bottom += self.highest() * scale + 18.0;
            page.text([MARGIN, bottom - 14.0], Anchor::Start, "key", caption);
        }
        if let Some(meshes) = &self.meshes {
            bottom = self.draw_meshes(page, meshes, bottom);
        }
        let way = self.traces.first().map_or(0.0, |_| CURVES_HEIGHT + 12.0);
        bottom = self.draw_feet(page, bottom + 4.0, way);
        self.draw_times(page, bottom + 16.0);
        let map = [WIDTH - MARGIN - MAP, poses_top, MAP, MAP];
        Ways::new(&self.traces).draw(page, map);
        (bottom + 34.0).max(poses_top + MAP + 40.0)
    }

    /// Where a frame lies along the page.
    fn x(&self, frame: f64) -> f64 {
        let half = 0.5 * self.column();
        let share = frame / (self.motion.clip.len() - 1).max(1) as f64;
        STRIP[0] + half + share * (STRIP[1] - STRIP[0] - 2.0 * half)
    }

    fn column(&self) -> f64 {
        (STRIP[1] - STRIP[0]) / POSES as f64
    }

    fn points(&self) -> impl Iterator<Item = &Vec3> {
        let of_body = self.motion.of_body();
        let points = self.shots.iter().flat_map(move |shot| shot.points.iter().zip(of_body));
        points.filter(|(_, of_body)| **of_body).map(|(point, _)| point)
    }

    /// The highest point, over the floor or over the lowest point if that is lower; legs.
    fn highest(&self) -> f64 {
        self.points().map(|p| p.y).fold(1.0, f64::max) - self.lowest()
    }

    fn lowest(&self) -> f64 {
        self.points().map(|p| p.y).fold(0.0, f64::min)
    }

    /// Page units per leg: the same for all poses, such that neighbours hardly touch.
    fn scale(&self) -> f64 {
        let reach = self.points().map(|p| p.x.abs().max(p.z.abs())).fold(0.4, f64::max);
        (POSE_HEIGHT / self.highest()).min(0.62 * self.column() / reach)
    }

    fn draw_poses(&self, page: &mut Page, axes: [Vec3; 2], scale: f64, top: f64) {
        let floor = top + (self.highest() + self.lowest()) * scale;
        page.line([STRIP[0], floor], [STRIP[1], floor], "ground");
        for shot in &self.shots {
            let centre = [self.x(shot.frame as f64), floor];
            let view = View { axes, scale, centre, middle: Vec3::zeros() };
            let eye = view.towards_eye();
            let mut lines: Vec<_> = self.motion.lines().iter().collect();
            let depth = |i: usize| shot.points[i].dot(&eye);
            lines.sort_by(|a, b| {
                (depth(a.from) + depth(a.to)).total_cmp(&(depth(b.from) + depth(b.to)))
            });
            for line in lines {
                let [from, to] = [line.from, line.to].map(|i| view.place(shot.points[i]));
                if (from[0] - to[0]).hypot(from[1] - to[1]) > 0.3 {
                    page.line(from, to, &format!("limb {}", line.limb.class()));
                }
            }
        }
    }

    fn draw_meshes(&self, page: &mut Page, meshes: &Meshes, top: f64) -> f64 {
        let xs: Vec<f64> = self.shots.iter().map(|shot| self.x(shot.frame as f64)).collect();
        let room = [1.2 * self.column(), MESH_HEIGHT];
        let floor = meshes.draw(page, &xs, room, top);
        page.line([STRIP[0], floor], [STRIP[1], floor], "ground");
        page.text([MARGIN, floor + 4.0], Anchor::Start, "key", "its mesh");
        floor + 18.0
    }

    /// Draws the heights of the feet, and below them the contacts of feet, hands and knees. Returns where they end.
    fn draw_feet(&self, page: &mut Page, top: f64, height: f64) -> f64 {
        let floor = top + height;
        let highest = self.traces.iter().flat_map(|trace| &trace.heights).copied();
        let scale = (height - 8.0).max(0.0) / highest.fold(0.25, f64::max);
        if height > 0.0 {
            page.line([STRIP[0], floor], [STRIP[1], floor], "ground");
            page.text([MARGIN, floor + 2.0], Anchor::Start, "key", "soles");
        }
        let mut y = floor + 14.0;
        for trace in &self.traces {
            let class = trace.limb.class();
            let step = trace.heights.len().div_ceil(POINTS);
            let points = trace.heights.iter().enumerate().step_by(step);
            let points: Vec<[f64; 2]> =
                points.map(|(f, h)| [self.x(f as f64), floor - scale * h]).collect();
            page.path(points, &format!("trace {class}"));
        }
        for lane in &self.lanes {
            let class = lane.limb.class();
            page.text([MARGIN, y + 5.5], Anchor::Start, "lane-name", &lane.name);
            for intervals in &lane.intervals {
                for &[start, end] in intervals {
                    let (from, to) = (self.x(start as f64), self.x((end - 1) as f64));
                    page.line([from, y], [to.max(from + 1.0), y], &format!("contact {class}"));
                }
                y += LANE;
            }
            y += LINE - LANE * lane.intervals.len() as f64;
        }
        y
    }

    fn draw_times(&self, page: &mut Page, y: f64) {
        let frame_time_s = self.motion.clip.frame_time().seconds();
        for shot in &self.shots {
            let x = self.x(shot.frame as f64);
            let time = format!("{:.2} s", shot.frame as f64 * frame_time_s);
            page.text([x, y], Anchor::Middle, "key", &time);
        }
    }
}

impl Shot {
    fn new(frame: usize, points: Vec<Vec3>, of_body: &[bool], ahead: Vec3) -> Self {
        let turn = Quat::from_axis_angle(&Vec3::y_axis(), -ahead.x.atan2(ahead.z));
        let own = || points.iter().zip(of_body).filter(|(_, of_body)| **of_body);
        let sum: Vec3 = own().map(|(point, _)| point).sum();
        let middle = sum / own().count() as f64;
        let level = Vec3::new(middle.x, 0.0, middle.z);
        let points = points.into_iter().map(|p| turn * (p - level)).collect();
        Self { frame, points, turn, level }
    }

    /// Where a point of the clip as drawn lies in this pose.
    pub fn at(&self, point: Vec3) -> Vec3 {
        self.turn * (point - self.level)
    }
}

fn traces(found: &Inspection, motion: &Motion) -> Vec<Trace> {
    let Some((rig, track, paths)) = feet(found) else { return Vec::new() };
    let trace = |id| {
        let prints = track.of(id, Part::Ball).map(|c| ends(&c.frames)).collect();
        Trace {
            limb: limb_of_foot(rig, id),
            heights: paths.lowest(id).iter().map(|&h| motion.height(h)).collect(),
            ball: paths.of(id, Part::Ball).iter().map(|&p| motion.place(p)).collect(),
            prints,
        }
    };
    rig.foot_ids().map(trace).collect()
}

/// All feet, and the hands and knees that ever carry weight.
fn lanes(found: &Inspection) -> Vec<Lane> {
    let (Some(rig), Some(track)) = (&found.rig, &found.contacts) else { return Vec::new() };
    let foot = |id| {
        let foot = rig.foot(id);
        let parts: &[Part] = if foot.is_point() { &[Part::Ball] } else { &Part::ALL };
        let intervals = |part| track.of(id, part).map(|c| ends(&c.frames)).collect();
        let (name, limb) = (foot.name.clone(), limb_of_foot(rig, id));
        Lane { name, limb, intervals: parts.iter().map(|&part| intervals(part)).collect() }
    };
    let leaning = |limb: contact::Limb| {
        let intervals: Vec<_> = track.of_limb(limb).map(|c| ends(&c.frames)).collect();
        let name = format!("{} {}", limb.side().word(), limb.word());
        (!intervals.is_empty()).then(|| Lane {
            name,
            limb: limb_of_lean(limb),
            intervals: vec![intervals],
        })
    };
    let limbs = contact::Limb::ALL.into_iter().filter_map(leaning);
    rig.foot_ids().map(foot).chain(limbs).collect()
}

fn ends(frames: &Range<usize>) -> [usize; 2] {
    [frames.start, frames.end]
}

fn subtitle(found: &Inspection) -> String {
    let (Some(clip), joints) = (&found.clip, found.skeleton.len()) else { return String::new() };
    let s = clip.frame_time().seconds();
    let family = found.recognised.as_ref().and_then(|r| r.family);
    let mut parts = vec![
        format!("{} at {} fps", count(clip.len(), "frame"), number(1.0 / s, 2)),
        format!("{} s", number(clip.len() as f64 * s, 2)),
        count(joints, "joint"),
    ];
    parts.extend(family.map(str::to_owned));
    if found.rig.is_none() {
        parts.push("not recognised, drawn as it is".to_owned());
    }
    parts.join("  ·  ")
}
