//! How feet lie while they rest on the ground: what the motion says of soles.

use super::bone::bone_vector;
use super::stance::{Stance, point_ahead, shows_heading};
use super::{Role, Roles, Side, UpAxis, standing};
use crate::clip::Clip;
use crate::math::{Axis, Quat, Vec3, mean_rotation, percentile, rotation_between};
use crate::pose::{Pose, WorldPose};
use crate::skeleton::{JointId, Skeleton};

/// Slower than this a foot rests, leg lengths a second.
const STILL: f64 = 0.15;

/// Frames within this height of the lowest tenth count as on the ground, leg lengths.
const LOW: f64 = 0.03;

/// A foot farther from its pose's than this is not taken for one that stands flat, radians.
const FLAT_RAD: f64 = 0.6;

/// A slope is known from motion where half of the frames lie within this of one another, radians. Along
/// the foot heel and ball hold it to the floor, so that most of what is seen is flat; across it nothing
/// does.
const AGREED_ALONG_RAD: f64 = 0.16;
const AGREED_ACROSS_RAD: f64 = 0.07;

/// Actors roll and slope their feet otherwise than authors by up to this much while these stand, radians.
const ACTORS_RAD: f64 = 0.07;

/// A foot that ends at no toe joint and whose bone lies within this of level while it rests was laid along its sole, radians.
/// See [`share_of`]. A bone that ends at the ball leads down to it.
const LEVEL_RAD: f64 = 0.035;

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
        let mut pose = Pose::rest(skeleton);
        let (mut now, mut next) = (WorldPose::new(skeleton.len()), WorldPose::new(skeleton.len()));
        let mut known = None;
        for frame in standing::sampled_frames(clip).filter(|frame| frame + 1 < clip.len()) {
            if known == Some(frame) {
                std::mem::swap(&mut now, &mut next);
            } else {
                clip.read_pose(frame, &mut pose);
                now.set_joints(skeleton, &pose, &joints);
            }
            clip.read_pose(frame + 1, &mut pose);
            next.set_joints(skeleton, &pose, &joints);
            known = Some(frame + 1);
            for foot in feet.iter_mut().flatten() {
                foot.watch(&now, &next, &pose, up, clip.frame_time().seconds());
            }
        }
        feet.map(|foot| foot.and_then(Watched::rest))
    }

    /// Whether the foot's bone leads down to the sole while the foot rests as it does in a posture (body space), rather
    /// than ahead. Seen over all such frames, so that it does not depend on how the actor tilts the foot in one of them.
    pub fn leads_down(
        &self,
        skeleton: &Skeleton,
        roles: &Roles,
        side: Side,
        body: &WorldPose,
    ) -> bool {
        let Some(foot) = roles.joint(Role::Foot(side)) else { return false };
        let Some(bone) = bone_vector(skeleton, roles, body, foot) else { return false };
        let ups = self.ups_local.iter().map(|up| body.rotation(foot) * up);
        let up: Vec3 = ups.filter(|up| up.angle(&Vec3::y()) < FLAT_RAD).sum();
        up.norm() > 0.0 && !shows_heading(rotation_between(up, Vec3::y()) * bone)
    }

    /// Lays the sole of a stance's foot flat as it rests in motion, along and across the foot each for itself, where the
    /// frames agree; the heading stays, and a bone that leads down does so. Where the rig shows a direction in the ankle
    /// joint's frame (local) that lies level across the foot, it is believed unless the motion clearly says otherwise.
    /// Whether anything was known.
    pub fn lay(
        &self,
        skeleton: &Skeleton,
        roles: &Roles,
        side: Side,
        across_local: Option<Vec3>,
        leads_down: bool,
        stance: &mut Stance,
    ) -> bool {
        let Some(foot) = roles.joint(Role::Foot(side)) else { return false };
        let frame = stance.body_from_joint[foot.index()];
        let ups = || self.ups_local.iter().map(|up| frame * up);
        let along = agreed(ups().map(|up| up.z.atan2(up.y)), AGREED_ALONG_RAD);
        let across = agreed(ups().map(|up| up.x.atan2(up.y)), AGREED_ACROSS_RAD);
        let local = WorldPose::of(skeleton, &stance.local);
        let bone = bone_vector(skeleton, roles, &local, foot)
            .map(|bone| frame * local.rotation(foot).inverse() * bone);
        let laid = |across_rad: f64| {
            let up = Vec3::new(across_rad.tan(), 1.0, along.unwrap_or(0.0).tan());
            let level = rotation_between(up, Vec3::y());
            let bone = bone.map(|bone| level * bone);
            match bone.filter(|bone| leads_down && shows_heading(*bone)) {
                Some(tilted) => rotation_between(tilted, -Vec3::y()) * level,
                None => point_ahead(bone) * level,
            }
        };
        let seen = across.unwrap_or(0.0);
        let tilt_rad = across_local.map_or(0.0, |across| {
            let across = laid(seen) * frame * across;
            (across.y / across.x).atan()
        });
        let turn = laid(seen - actors_share(tilt_rad));
        let has_toe = roles.joint(Role::Toe(side)).is_some();
        let whole = bone.filter(|_| along.is_some() && !leads_down && !has_toe);
        let leveled = whole.map_or(Quat::identity(), |bone| leveling(turn * bone));
        turn_below(skeleton, foot, leveled * turn, stance);
        let toe = roles.joint(Role::Toe(side)).filter(|_| along.is_some());
        if let (Some(toe), Some(rotation)) = (toe, self.toe_rotation) {
            let parent = skeleton.parent(toe).expect("a toe hangs on a foot");
            let straight = stance.body_from_joint[parent.index()] * rotation;
            let turn = straight * stance.body_from_joint[toe.index()].inverse();
            turn_below(skeleton, toe, turn, stance);
        }
        along.is_some() || across.is_some()
    }
}

/// The axis of a joint that lies most across the body (local, unit length): authors lay a foot's frame along its sole.
pub(crate) fn axis_across(frame: Quat) -> Vec3 {
    let axes = [Axis::X, Axis::Y, Axis::Z].map(|axis| axis.unit().into_inner());
    let across = |axis: &Vec3| (frame * axis).x.abs();
    axes.into_iter().max_by(|a, b| across(a).total_cmp(&across(b))).expect("three axes")
}

/// How much of a tilt of a foot is the actor's, who holds the feet otherwise by this much from clip to clip, and not the
/// rig's, radians. See [`share_of`].
pub(crate) fn actors_share(tilt_rad: f64) -> f64 {
    share_of(tilt_rad, ACTORS_RAD)
}

/// The turn that lays the bone of a whole foot (body space), which points ahead, level if it nearly is.
fn leveling(bone_body: Vec3) -> Quat {
    let slope_rad = match shows_heading(bone_body) {
        true => (-bone_body.y).atan2(bone_body.z),
        false => 0.0,
    };
    Quat::from_axis_angle(&Vec3::x_axis(), -share_of(slope_rad, LEVEL_RAD))
}

/// All of a tilt up to `small_rad`, nothing of one three times as large, without a jump between them. Radians.
fn share_of(tilt_rad: f64, small_rad: f64) -> f64 {
    let share = tilt_rad.abs().min(small_rad).min(0.5 * (3.0 * small_rad - tilt_rad.abs()));
    share.max(0.0).copysign(tilt_rad)
}

/// Turns a joint and all below it in body space.
pub(crate) fn turn_below(skeleton: &Skeleton, top: JointId, turn: Quat, stance: &mut Stance) {
    for id in skeleton.at_and_below(top) {
        let frame = &mut stance.body_from_joint[id.index()];
        *frame = turn * *frame;
    }
}

/// The median of some slopes, where they agree and are those of a flat foot.
fn agreed(slopes_rad: impl Iterator<Item = f64> + Clone, within_rad: f64) -> Option<f64> {
    let [low, middle, high] = quartiles(slopes_rad);
    (middle.abs() < FLAT_RAD && high - low < within_rad).then_some(middle)
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

    /// Notes the frame of `next` and `pose`, if the foot has not moved since `now`.
    fn watch(
        &mut self,
        now: &WorldPose,
        next: &WorldPose,
        pose: &Pose,
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
                toe_rotation: self.toe.map(|toe| pose.rotations[toe.index()]),
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
