//! Where heel, ball and tip of each foot are over a clip, and hands and knees.

use super::limb::LimbPoints;
use super::{Limb, Part};
use crate::clip::Clip;
use crate::math::Vec3;
use crate::pose::{Pose, WorldPose};
use crate::rig::{FootId, Rig};

/// World positions of each part of each foot, and of hands and knees, one a frame.
#[derive(Clone, Debug)]
pub struct FootPaths {
    frames: usize,
    feet: Vec<FootPath>,
    limbs: Vec<(Limb, Vec<Vec3>)>,
}

/// What one foot does over a clip.
#[derive(Clone, Debug)]
struct FootPath {
    /// World positions by part.
    parts: [Vec<Vec3>; 3],
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

    /// The path of a hand or a knee: its joint, at the height of its lowest point, one a frame, source
    /// world. `None` where the rig has none.
    pub fn of_limb(&self, limb: Limb) -> Option<&[Vec3]> {
        self.limbs.iter().find(|(of, _)| *of == limb).map(|(_, path)| path.as_slice())
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
}

/// Forward kinematics of a clip of `rig`, kept for what can stand alone.
pub fn foot_paths(clip: &Clip, rig: &Rig) -> FootPaths {
    let new = || Vec::with_capacity(clip.len());
    let heights = || Vec::with_capacity(clip.len());
    let path = |_| FootPath { parts: [new(), new(), new()], lowest: heights(), bottom: heights() };
    let mut feet: Vec<FootPath> = rig.feet.iter().map(path).collect();
    let points = LimbPoints::all(rig);
    let mut limbs: Vec<_> = points.iter().map(|points| (points.limb, new())).collect();
    let mut pose = Pose::rest(&rig.skeleton);
    let mut world = WorldPose::new(rig.skeleton.len());
    for frame in 0..clip.len() {
        clip.read_pose(frame, &mut pose);
        world.set(&rig.skeleton, &pose);
        for (path, foot) in feet.iter_mut().zip(&rig.feet) {
            let [heel, ball, tip] = foot.sole_world(&world);
            path.parts[Part::Heel.index()].push(heel);
            path.parts[Part::Ball.index()].push(ball);
            path.parts[Part::Tip.index()].push(tip);
            let bottom = foot.bottom([heel, ball, tip], rig.up);
            path.bottom.push(bottom);
            path.lowest.push(match foot.toe {
                Some(_) => rig.up.height(heel).min(rig.up.height(ball) - foot.ball_height),
                None => bottom,
            });
        }
        for (points, (_, path)) in points.iter().zip(&mut limbs) {
            path.push(points.at(&world, rig));
        }
    }
    FootPaths { frames: clip.len(), feet, limbs }
}
