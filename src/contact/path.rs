//! Where heel and ball of each foot are over a clip, and how fast.

use super::Part;
use crate::blocks;
use crate::clip::Clip;
use crate::math::Vec3;
use crate::pose::{Pose, WorldPose};
use crate::rig::{Foot, FootId, Rig, UpAxis};

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

/// Where the feet go in a clip of `rig`: forward kinematics of what leads to them, in blocks of frames.
pub fn foot_paths(clip: &Clip, rig: &Rig) -> FootPaths {
    let skeleton = &rig.skeleton;
    let soles = rig.feet.iter().flat_map(|foot| foot.toe.into_iter().chain([foot.ankle]));
    let joints = skeleton.with_ancestors(soles);
    let paths = blocks::map(
        blocks::of_frames(clip.len()),
        || (Pose::rest(skeleton), WorldPose::new(skeleton.len())),
        |(pose, world), block| {
            let mut feet: Vec<FootPath> =
                rig.feet.iter().map(|_| FootPath::with_capacity(block.len())).collect();
            for frame in block {
                clip.read_pose(frame, pose);
                world.set_joints(skeleton, pose, &joints);
                for (path, foot) in feet.iter_mut().zip(&rig.feet) {
                    path.push(foot, rig.up, world);
                }
            }
            feet
        },
    );
    let mut feet: Vec<FootPath> =
        rig.feet.iter().map(|_| FootPath::with_capacity(clip.len())).collect();
    for block in paths {
        feet.iter_mut().zip(block).for_each(|(path, next)| path.append(next));
    }
    FootPaths { frames: clip.len(), feet }
}

impl FootPath {
    fn with_capacity(frames: usize) -> Self {
        let places = || Vec::with_capacity(frames);
        let heights = || Vec::with_capacity(frames);
        Self { parts: [places(), places()], lowest: heights(), bottom: heights() }
    }

    fn push(&mut self, foot: &Foot, up: UpAxis, world: &WorldPose) {
        let [heel, ball, tip] = foot.sole_world(world);
        self.parts[Part::Heel.index()].push(heel);
        self.parts[Part::Ball.index()].push(ball);
        let bottom = foot.bottom([heel, ball, tip], up);
        self.bottom.push(bottom);
        self.lowest.push(match foot.toe {
            Some(_) => up.height(heel).min(up.height(ball) - foot.ball_height),
            None => bottom,
        });
    }

    fn append(&mut self, mut next: Self) {
        self.parts.iter_mut().zip(&mut next.parts).for_each(|(own, next)| own.append(next));
        self.lowest.append(&mut next.lowest);
        self.bottom.append(&mut next.bottom);
    }
}
