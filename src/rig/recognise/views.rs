//! What is seen of a skeleton: its zero pose and, of a clip, some postures spread over time.

use crate::clip::Clip;
use crate::math::Vec3;
use crate::pose::{Pose, WorldPose};
use crate::skeleton::{JointId, Skeleton};

/// Postures of a skeleton in the world.
pub(super) struct Views {
    rest: WorldPose,
    /// Of a clip, in order of time; empty without one.
    poses: Vec<WorldPose>,
    /// The same postures a moment later, as far as the clip goes.
    later: Vec<WorldPose>,
    /// How much later, seconds.
    gap_s: f64,
}

/// Postures of a clip that are looked at.
const MOST: usize = 64;

/// A moment in which a foot that stands does not move, but a hand that swings does.
const MOMENT_S: f64 = 1.0 / 30.0;

impl Views {
    /// The zero pose alone.
    pub fn of_rest(skeleton: &Skeleton) -> Self {
        let rest = WorldPose::of(skeleton, &Pose::rest(skeleton));
        Self { rest, poses: Vec::new(), later: Vec::new(), gap_s: MOMENT_S }
    }

    /// The zero pose and postures of the clip. Costs forward kinematics of at most some 130 frames.
    pub fn of_clip(clip: &Clip) -> Self {
        let skeleton = clip.skeleton();
        let view = |frame: usize| WorldPose::of(skeleton, &clip.pose(frame));
        let dt = clip.frame_time().seconds();
        let gap = ((MOMENT_S / dt).round() as usize).max(1);
        let frames = (0..clip.len()).step_by(clip.len().div_ceil(MOST).max(1));
        Self {
            poses: frames.clone().map(view).collect(),
            later: frames.map(|f| f + gap).filter(|&f| f < clip.len()).map(view).collect(),
            gap_s: gap as f64 * dt,
            ..Self::of_rest(skeleton)
        }
    }

    /// The postures of the clip, or the zero pose without any.
    pub fn shown(&self) -> &[WorldPose] {
        if self.poses.is_empty() { std::slice::from_ref(&self.rest) } else { &self.poses }
    }

    /// The zero pose.
    pub fn rest(&self) -> &WorldPose {
        &self.rest
    }

    /// All postures, the zero pose included.
    pub fn all(&self) -> impl Iterator<Item = &WorldPose> {
        self.poses.iter().chain([&self.rest])
    }

    /// How the middle of two joints moves in each of [`all`](Self::all) the postures, length units a second; not
    /// at all where the clip ends and in the zero pose.
    pub fn ways(&self, pair: [JointId; 2]) -> impl Iterator<Item = Vec3> + '_ {
        let middle =
            move |world: &WorldPose| 0.5 * (world.position(pair[0]) + world.position(pair[1]));
        let moved = self.poses.iter().zip(&self.later);
        let ways = moved.map(move |(now, later)| (middle(later) - middle(now)) / self.gap_s);
        ways.chain(std::iter::repeat(Vec3::zeros()))
    }

    /// Whether there is a motion, so that a joint which does not turn means something.
    pub fn has_motion(&self) -> bool {
        self.poses.len() > 2
    }

    /// Whether the joint turns against its parent in the motion.
    pub fn turns(&self, skeleton: &Skeleton, joint: JointId) -> bool {
        let local = |world: &WorldPose| {
            let own = world.rotation(joint);
            skeleton.parent(joint).map_or(own, |parent| world.rotation(parent).inverse() * own)
        };
        let Some(first) = self.poses.first().map(local) else { return false };
        self.poses.iter().any(|world| first.angle_to(&local(world)) > 1e-5)
    }

    /// Share of the moments (0 to 1) in which the joint moves slower than `slow`, length units a
    /// second.
    pub fn stays(&self, joint: JointId, slow: f64) -> f64 {
        let pairs = self.poses.iter().zip(&self.later);
        let moved = |(now, later): (&WorldPose, &WorldPose)| {
            (later.position(joint) - now.position(joint)).norm()
        };
        let slow = pairs.map(moved).filter(|moved| *moved < slow * self.gap_s).count();
        slow as f64 / self.later.len().max(1) as f64
    }
}
