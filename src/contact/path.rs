//! Where heel, ball and tip of each foot are over a clip, and hands and knees.

use super::limb::LimbPoints;
use super::{Limb, Part};
use crate::blocks;
use crate::clip::Clip;
use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::rig::{Foot, FootId, Rig, Role, Side, UpAxis};
use crate::skeleton::JointId;

/// World positions of each part of each foot, and of hands and knees, one a frame.
#[derive(Clone, Debug)]
pub struct FootPaths {
    frames: usize,
    feet: Vec<FootPath>,
    limbs: Vec<(Limb, Vec<Vec3>)>,
    /// Heights of the shoulders over the hips, by side; `None` of one that the rig lacks.
    shoulders: [Option<Vec<f64>>; 2],
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

    /// Height of the lowest point of a sole in every frame, its tip included, along the rig's up axis, length units.
    pub fn bottom(&self, foot: FootId) -> &[f64] {
        &self.feet[foot.index()].bottom
    }
}

/// The paths of all that can stand in a clip of `rig`. It computes forward kinematics of the joints above them alone, in
/// blocks of frames.
pub fn foot_paths(clip: &Clip, rig: &Rig) -> FootPaths {
    let skeleton = &rig.skeleton;
    let points = LimbPoints::all(rig);
    let soles = rig.feet.iter().flat_map(|foot| foot.toe.into_iter().chain([foot.ankle]));
    let limbs = points.iter().flat_map(LimbPoints::joints);
    let trunks = Side::BOTH.map(|side| trunk(rig, side));
    let ends = trunks.into_iter().flatten().flatten();
    let joints = skeleton.with_ancestors(soles.chain(limbs).chain(ends));
    let mut paths = FootPaths::with_capacity(rig, &points, clip.len());
    blocks::gather(
        blocks::of_frames(clip.len()),
        || WorldPose::new(skeleton.len()),
        |world, block| {
            let mut paths = FootPaths::with_capacity(rig, &points, block.len());
            for frame in block {
                clip.place_joints(frame, &joints, world);
                paths.push(rig, &points, world);
                for (path, trunk) in
                    paths.shoulders.iter_mut().flatten().zip(trunks.iter().flatten())
                {
                    path.push(shoulder_height(trunk, rig.up, world));
                }
            }
            paths
        },
        |next| paths.append(next),
    );
    paths
}

/// The hips and the shoulder of one side.
fn trunk(rig: &Rig, side: Side) -> Option<[JointId; 2]> {
    Some([rig.joint(Role::Hips)?, rig.joint(Role::UpperArm(side))?])
}

/// The height of a shoulder over the hips.
fn shoulder_height([hips, shoulder]: &[JointId; 2], up: UpAxis, world: &WorldPose) -> f64 {
    up.height(world.position(*shoulder) - world.position(*hips))
}

/// Heights of the lowest points of soles and hands, of knees, and of shoulders over the hips, in every frame, along the
/// rig's up axis, length units: all that is left to know of paths once contacts are found.
#[derive(Clone, Debug)]
pub struct LowestHeights {
    soles: Vec<Vec<f64>>,
    /// By side; `None` of one that the rig lacks.
    hands: [Option<Vec<f64>>; 2],
    knees: [Option<Vec<f64>>; 2],
    shoulders: [Option<Vec<f64>>; 2],
}

impl LowestHeights {
    /// As [`FootPaths::lowest`].
    pub fn sole(&self, foot: FootId) -> &[f64] {
        &self.soles[foot.index()]
    }

    /// Of a hand's lowest point; `None` where the rig has none.
    pub fn hand(&self, side: Side) -> Option<&[f64]> {
        self.hands[side.index()].as_deref()
    }

    /// Of a knee's joint; `None` where the rig has none.
    pub fn knee(&self, side: Side) -> Option<&[f64]> {
        self.knees[side.index()].as_deref()
    }

    /// Of a shoulder over the hips; `None` where the rig has none.
    pub fn shoulder(&self, side: Side) -> Option<&[f64]> {
        self.shoulders[side.index()].as_deref()
    }
}

impl FootPaths {
    /// The heights of soles, hands, knees and shoulders alone, so that the memory of all else is free.
    pub fn into_heights(self, up: UpAxis) -> LowestHeights {
        let heights = |limb| {
            let path = self.of_limb(limb)?;
            Some(path.iter().map(|place| up.height(*place)).collect())
        };
        let hands = Side::BOTH.map(|side| heights(Limb::Hand(side)));
        let knees = Side::BOTH.map(|side| heights(Limb::Knee(side)));
        let soles = self.feet.into_iter().map(|path| path.lowest).collect();
        LowestHeights { soles, hands, knees, shoulders: self.shoulders }
    }

    fn with_capacity(rig: &Rig, points: &[LimbPoints], frames: usize) -> Self {
        let path = |_| FootPath::with_capacity(frames);
        let limb = |points: &LimbPoints| (points.limb, Vec::with_capacity(frames));
        let feet = rig.feet.iter().map(path).collect();
        let limbs = points.iter().map(limb).collect();
        let shoulder = |side| trunk(rig, side).map(|_| Vec::with_capacity(frames));
        let shoulders = Side::BOTH.map(shoulder);
        Self { frames: 0, feet, limbs, shoulders }
    }

    fn push(&mut self, rig: &Rig, points: &[LimbPoints], world: &WorldPose) {
        self.frames += 1;
        for (path, foot) in self.feet.iter_mut().zip(&rig.feet) {
            path.push(foot, rig.up, world);
        }
        for (points, (_, path)) in points.iter().zip(&mut self.limbs) {
            path.push(points.at(world, rig));
        }
    }

    fn append(&mut self, mut next: Self) {
        self.frames += next.frames;
        self.feet.iter_mut().zip(next.feet).for_each(|(own, next)| own.append(next));
        self.limbs
            .iter_mut()
            .zip(&mut next.limbs)
            .for_each(|(own, next)| own.1.append(&mut next.1));
        let next_shoulders = next.shoulders.iter_mut().flatten();
        self.shoulders
            .iter_mut()
            .flatten()
            .zip(next_shoulders)
            .for_each(|(own, next)| own.append(next));
    }
}

impl FootPath {
    fn with_capacity(frames: usize) -> Self {
        let places = || Vec::with_capacity(frames);
        let heights = || Vec::with_capacity(frames);
        Self { parts: [places(), places(), places()], lowest: heights(), bottom: heights() }
    }

    fn push(&mut self, foot: &Foot, up: UpAxis, world: &WorldPose) {
        let [heel, ball, tip] = foot.sole_world(world);
        self.parts[Part::Heel.index()].push(heel);
        self.parts[Part::Ball.index()].push(ball);
        self.parts[Part::Tip.index()].push(tip);
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
