//! How feet lie while they rest on the ground: what a motion shows of soles.

use super::{Role, Roles, Side, UpAxis, standing};
use crate::clip::Clip;
use crate::math::{Quat, Vec3, mean_rotation, percentile};
use crate::pose::WorldPose;
use crate::skeleton::JointId;

/// Slower than this a foot rests, leg lengths a second.
const STILL: f64 = 0.15;

/// Frames within this height of the lowest tenth count as on the ground, leg lengths.
const LOW: f64 = 0.03;

/// What is seen of a foot in the frames of a clip in which it is still and low.
#[derive(Clone, Debug)]
pub(crate) struct FootRest {
    /// The direction of up in the ankle joint's frame, one a frame.
    pub ups_local: Vec<Vec3>,
    /// Height of the ankle along the clip's up axis, in legs, one a frame.
    pub heights: Vec<f64>,
    /// The toe joint's local rotation.
    pub toe_rotation: Option<Quat>,
}

impl FootRest {
    /// Looks at some 500 frames at most; left and right. `None` for a foot that never rests.
    pub fn seen(clip: &Clip, roles: &Roles, up: UpAxis) -> [Option<Self>; 2] {
        let skeleton = clip.skeleton();
        let mut feet = Side::BOTH.map(|side| Watched::new(roles, side));
        let joints = feet.iter().flatten().flat_map(|foot| foot.toe.into_iter().chain(foot.leg));
        let joints = skeleton.with_ancestors(joints);
        let (mut now, mut next) = (WorldPose::new(skeleton.len()), WorldPose::new(skeleton.len()));
        let mut known = None;
        for frame in standing::sampled_frames(clip).filter(|frame| frame + 1 < clip.len()) {
            if known == Some(frame) {
                std::mem::swap(&mut now, &mut next);
            } else {
                clip.place_joints(frame, &joints, &mut now);
            }
            clip.place_joints(frame + 1, &joints, &mut next);
            known = Some(frame + 1);
            for foot in feet.iter_mut().flatten() {
                foot.watch(&now, &next, clip.rotations(frame + 1), up, clip.frame_time().seconds());
            }
        }
        feet.map(|foot| foot.and_then(Watched::rest))
    }
}

/// The middle of some values and the half of them around it: 25th, 50th and 75th percentile.
pub(crate) fn quartiles(values: impl Iterator<Item = f64> + Clone) -> [f64; 3] {
    [0.25, 0.5, 0.75].map(|share| percentile(values.clone(), share))
}

/// A leg's joints, and the frames in which its foot rests.
struct Watched {
    leg: [JointId; 3],
    toe: Option<JointId>,
    still: Vec<Still>,
}

/// A frame in which a foot rests.
struct Still {
    /// Legs a frame.
    speed: f64,
    /// Of the ankle, in legs.
    height: f64,
    /// Up, in the ankle's frame.
    up_local: Vec3,
    toe_rotation: Option<Quat>,
}

impl Watched {
    fn new(roles: &Roles, side: Side) -> Option<Self> {
        let [thigh, shin, ankle] =
            [Role::Thigh(side), Role::Shin(side), Role::Foot(side)].map(|role| roles.joint(role));
        let toe = roles.joint(Role::Toe(side));
        Some(Self { leg: [thigh?, shin?, ankle?], toe, still: Vec::new() })
    }

    /// Notes the frame of `next`, with these local `rotations`, if the foot has not moved since `now`.
    fn watch(
        &mut self,
        now: &WorldPose,
        next: &WorldPose,
        rotations: &[Quat],
        up: UpAxis,
        frame_time_s: f64,
    ) {
        let [thigh, shin, ankle] = self.leg;
        let bone = |from: JointId, to: JointId| (now.position(to) - now.position(from)).norm();
        let leg_len = (bone(thigh, shin) + bone(shin, ankle)).max(1e-12);
        let moved = |id: JointId| (next.position(id) - now.position(id)).norm() / leg_len;
        let speed = moved(ankle).max(self.toe.map_or(0.0, moved));
        if speed < STILL * frame_time_s {
            self.still.push(Still {
                speed,
                height: up.height(next.position(ankle)) / leg_len,
                up_local: next.rotation(ankle).inverse() * up.vector(),
                toe_rotation: self.toe.map(|toe| rotations[toe.index()]),
            });
        }
    }

    fn rest(mut self) -> Option<FootRest> {
        if self.still.is_empty() {
            return None;
        }
        let low = percentile(self.still.iter().map(|s| s.height), 0.1) + LOW;
        self.still.retain(|s| s.height < low);
        // The stillest third: at the ends of a contact interval the foot still comes down or lifts already.
        self.still.sort_by(|a, b| a.speed.total_cmp(&b.speed));
        self.still.truncate(self.still.len().div_ceil(3));
        let toes = || self.still.iter().filter_map(|s| Some((s.toe_rotation?, 1.0)));
        Some(FootRest {
            ups_local: self.still.iter().map(|s| s.up_local).collect(),
            heights: self.still.iter().map(|s| s.height).collect(),
            toe_rotation: self.toe.map(|_| mean_rotation(toes())),
        })
    }
}
