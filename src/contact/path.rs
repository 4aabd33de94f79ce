//! Where heel and ball of each foot are over a clip, and how fast.

use super::Part;
use crate::clip::Clip;
use crate::math::Vec3;
use crate::pose::{Pose, WorldPose};
use crate::rig::{FootId, Rig};

/// World positions of each part of each foot, one a frame.
#[derive(Clone, Debug)]
pub struct FootPaths {
    frames: usize,
    feet: Vec<FootPath>,
}

/// What one foot does over a clip.
#[derive(Clone, Debug)]
struct FootPath {
    /// World positions by part.
    parts: [Vec<Vec3>; 2],
    /// Height of the lowest point of the sole, without the tip where a toe joint can bend it up.
    lowest: Vec<f64>,
    /// Height of the lowest point of the sole.
    bottom: Vec<f64>,
}

impl FootPaths {
    /// The path of one part, one point a frame, source world.
    pub fn of(&self, foot: FootId, part: Part) -> &[Vec3] {
        &self.feet[foot.index()].parts[part.index()]
    }

    /// How many frames the clip has.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Height of the lowest point of a sole in every frame, along the rig's up axis, length units.
    /// The tip counts only where no toe joint can bend it up.
    pub fn lowest(&self, foot: FootId) -> &[f64] {
        &self.feet[foot.index()].lowest
    }

    /// The same with the tip, whatever bends it.
    pub fn bottom(&self, foot: FootId) -> &[f64] {
        &self.feet[foot.index()].bottom
    }

    /// Speed of a part in every frame, length units a second: the slower of the ways there and away,
    /// each over about `window_s`, so that a stay counts from its first to its last still frame.
    pub fn speeds(&self, foot: FootId, part: Part, frame_time_s: f64, window_s: f64) -> Vec<f64> {
        let path = self.of(foot, part);
        let reach = ((window_s / frame_time_s) as usize).max(1);
        let speed = |i: usize| {
            let to = |j: usize| {
                let moved = (path[j] - path[i]).norm();
                moved / (j.abs_diff(i) as f64 * frame_time_s)
            };
            let before = i.checked_sub(reach).map(to);
            let after = (i + reach < path.len()).then(|| to(i + reach));
            match (before, after) {
                (Some(before), Some(after)) => before.min(after),
                (Some(one), None) | (None, Some(one)) => one,
                // Shorter than the window: all there is, or nothing to go by.
                (None, None) if path.len() > 1 => to(if i == 0 { path.len() - 1 } else { 0 }),
                (None, None) => 0.0,
            }
        };
        (0..path.len()).map(speed).collect()
    }
}

/// Forward kinematics of a clip of `rig`, kept for the feet alone.
pub fn foot_paths(clip: &Clip, rig: &Rig) -> FootPaths {
    let new = || Vec::with_capacity(clip.len());
    let heights = || Vec::with_capacity(clip.len());
    let path = |_| FootPath { parts: [new(), new()], lowest: heights(), bottom: heights() };
    let mut feet: Vec<FootPath> = rig.feet.iter().map(path).collect();
    let mut pose = Pose::rest(&rig.skeleton);
    let mut world = WorldPose::new(rig.skeleton.len());
    for frame in 0..clip.len() {
        clip.read_pose(frame, &mut pose);
        world.set(&rig.skeleton, &pose);
        for (path, foot) in feet.iter_mut().zip(&rig.feet) {
            let [heel, ball, tip] = foot.sole_world(&world);
            path.parts[Part::Heel.index()].push(heel);
            path.parts[Part::Ball.index()].push(ball);
            let bottom = foot.bottom([heel, ball, tip], rig.up);
            path.bottom.push(bottom);
            path.lowest.push(match foot.toe {
                Some(_) => rig.up.height(heel).min(rig.up.height(ball) - foot.ball_height),
                None => bottom,
            });
        }
    }
    FootPaths { frames: clip.len(), feet }
}
