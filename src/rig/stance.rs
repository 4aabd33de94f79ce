//! The reference stance: the one posture that every rig can be brought into, whatever its zero pose.
//!
//! In body space (X to the body's left, Y up, Z forward) the legs point straight down, the arms
//! straight to the sides, the feet ahead; trunk, neck, head and clavicles keep the rig's own shape.
//! What a joint's frame is in that stance says what each of its axes means, and that is all that two
//! rigs need to share.

use super::body::Landmarks;
use super::standing::{self, Standing};
use super::{Role, Roles, Side, UpAxis};
use crate::clip::Clip;
use crate::math::{Quat, Vec3, frame_from_axes, mean_rotation, rotation_between};
use crate::pose::{Pose, WorldPose};
use crate::skeleton::{JointId, Skeleton};
use serde::Serialize;
use std::fmt;

/// What the reference stance was taken from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StanceOrigin {
    /// Rotations or a frame that the user wrote.
    Written,
    /// The zero pose looks like a body standing.
    Rest,
    /// One frame of the rig's file that shows a bind pose.
    Frame(usize),
    /// The mean of this many frames in which the body stands upright.
    Frames(usize),
}

impl fmt::Display for StanceOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StanceOrigin::Written => write!(f, "as written"),
            StanceOrigin::Rest => write!(f, "zero pose"),
            StanceOrigin::Frame(frame) => write!(f, "frame {frame}"),
            StanceOrigin::Frames(count) => write!(f, "mean of {count} standing frames"),
        }
    }
}

/// A rig's reference stance.
#[derive(Clone, Debug)]
pub struct Stance {
    /// Local pose as the rig showed it, before limbs were straightened: what joints that take no
    /// part in a transfer keep.
    pub local: Pose,
    /// For each joint the rotation from its frame to body space in the straightened stance.
    pub body_from_joint: Vec<Quat>,
    pub origin: StanceOrigin,
}

/// A posture in body space, before the limbs are straightened.
struct Shown {
    local: Pose,
    world: WorldPose,
    origin: StanceOrigin,
}

impl Stance {
    /// Finds the stance in this order: `written`; the zero pose where it looks like a body standing;
    /// the first frame where it is a bind pose; the mean of the frames in which the body stands.
    ///
    /// `None` where the rig shows no stance at all.
    pub(crate) fn find(
        skeleton: &Skeleton,
        roles: &Roles,
        up: UpAxis,
        clip: Option<&Clip>,
        written: Option<&Pose>,
    ) -> Option<Self> {
        let landmarks = Landmarks::new(roles)?;
        let hips = roles.joint(Role::Hips)?;
        let shown = match written {
            Some(pose) => shown_pose(skeleton, &landmarks, hips, pose, StanceOrigin::Written)?,
            None => shown_by_rest(skeleton, roles, &landmarks, hips)
                .or_else(|| shown_by_clip(skeleton, roles, &landmarks, hips, up, clip?))?,
        };
        let flat = match (&shown.origin, clip) {
            (StanceOrigin::Frame(_) | StanceOrigin::Frames(_), Some(clip)) => {
                Side::BOTH.map(|side| super::feet::flat_foot(clip, roles, side, up))
            }
            _ => [None, None],
        };
        Some(straighten(skeleton, roles, shown, flat))
    }
}

/// World-free forward kinematics: the hips at the origin with the given rotation to body space, all
/// joints below them posed, joints beside them left at the origin.
fn in_body_space(
    skeleton: &Skeleton,
    hips: JointId,
    hips_rotation: Quat,
    local: &Pose,
) -> WorldPose {
    let mut world = WorldPose::new(skeleton.len());
    world.rotations[hips.index()] = hips_rotation;
    for id in skeleton.ids().filter(|&id| skeleton.is_ancestor(hips, id)) {
        let (i, p) = (id.index(), skeleton.parent(id).expect("below the hips").index());
        world.rotations[i] = world.rotations[p] * local.rotations[i];
        world.positions[i] = world.positions[p] + world.rotations[p] * local.translations[i];
    }
    world
}

/// A pose that somebody says is the stance: its own trunk is up, its own hips are left and right.
fn shown_pose(
    skeleton: &Skeleton,
    landmarks: &Landmarks,
    hips: JointId,
    pose: &Pose,
    origin: StanceOrigin,
) -> Option<Shown> {
    let world = WorldPose::of(skeleton, pose);
    let up = UpAxis::nearest(landmarks.trunk(&world)).vector();
    let left = landmarks.left(&world);
    // Rest poses are modelled along the axes; a slightly uneven pair of hips must not turn the body.
    let axis = UpAxis::nearest(left).vector();
    let left = if left.angle(&axis) < SNAP_RAD { axis } else { left };
    let body_from_world = frame_from_axes(left, up)?.inverse();
    let hips_rotation = body_from_world * world.rotation(hips);
    let world = in_body_space(skeleton, hips, hips_rotation, pose);
    Some(Shown { local: pose.clone(), world, origin })
}

const SNAP_RAD: f64 = 0.1;

fn shown_by_rest(
    skeleton: &Skeleton,
    roles: &Roles,
    landmarks: &Landmarks,
    hips: JointId,
) -> Option<Shown> {
    let rest = Pose::rest(skeleton);
    let shown = shown_pose(skeleton, landmarks, hips, &rest, StanceOrigin::Rest)?;
    let standing = Standing::of(skeleton, roles, landmarks, &shown.world);
    standing.is_rest_stance().then_some(shown)
}

/// Bodies that move slower than this count most in the mean of standing frames, legs a second.
const STROLL: f64 = 0.3;

fn shown_by_clip(
    skeleton: &Skeleton,
    roles: &Roles,
    landmarks: &Landmarks,
    hips: JointId,
    up: UpAxis,
    clip: &Clip,
) -> Option<Shown> {
    let mut pose = Pose::rest(skeleton);
    let mut world = WorldPose::new(skeleton.len());
    // Sums of what every standing frame says; hips as turned in body space, all else local.
    let mut rotations: Vec<Vec<(Quat, f64)>> = vec![Vec::new(); skeleton.len()];
    let mut translations = vec![Vec3::zeros(); skeleton.len()];
    let (mut count, mut total) = (0usize, 0.0);
    let mut before: Option<(usize, Vec3)> = None;
    for frame in standing::sampled_frames(clip) {
        clip.read_pose(frame, &mut pose);
        world.set(skeleton, &pose);
        let Some(world_from_body) = landmarks.world_from_body(&world, up.vector()) else {
            continue;
        };
        let hips_rotation = world_from_body.inverse() * world.rotation(hips);
        let body = in_body_space(skeleton, hips, hips_rotation, &pose);
        let standing = Standing::of(skeleton, roles, landmarks, &body);
        if frame == 0 && (standing.is_bind_pose() || clip.len() == 1 && standing.is_upright()) {
            return Some(Shown { local: pose, world: body, origin: StanceOrigin::Frame(0) });
        }
        let here = landmarks.mid_thigh(&world);
        let moved = before.replace((frame, here)).map_or(0.0, |(last, there)| {
            let seconds = (frame - last) as f64 * clip.frame_time().seconds();
            (here - there).norm() / seconds / landmarks.leg_len(&world).max(1e-12)
        });
        if !standing.is_upright() {
            continue;
        }
        // Who walks leans; who stands shows the posture that rest poses mean.
        let weight = 1.0 / (1.0 + (moved / STROLL).powi(2));
        for (i, list) in rotations.iter_mut().enumerate() {
            let turned = if i == hips.index() { hips_rotation } else { pose.rotations[i] };
            list.push((turned, weight));
            translations[i] += pose.translations[i] * weight;
        }
        count += 1;
        total += weight;
    }
    if count == 0 {
        return None;
    }
    let mut local = Pose {
        rotations: rotations.into_iter().map(mean_rotation).collect(),
        translations: translations.into_iter().map(|t| t / total).collect(),
    };
    let world = in_body_space(skeleton, hips, local.rotations[hips.index()], &local);
    // Above the hips a mean over time says nothing: those joints move the body, not the posture.
    for id in skeleton.ids().filter(|&id| id == hips || !skeleton.is_ancestor(hips, id)) {
        local.rotations[id.index()] = Quat::identity();
        local.translations[id.index()] = skeleton.joint(id).offset;
    }
    Some(Shown { local, world, origin: StanceOrigin::Frames(count) })
}

/// What a foot says of itself while it stands flat: the direction of up in the foot joint's frame,
/// and the toe joint's local rotation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlatFoot {
    pub up_local: Vec3,
    pub toe_rotation: Option<Quat>,
}

/// Swings every limb bone into its place in the reference stance; what hangs on it is carried along.
fn straighten(
    skeleton: &Skeleton,
    roles: &Roles,
    shown: Shown,
    flat: [Option<FlatFoot>; 2],
) -> Stance {
    let mut swings = vec![Quat::identity(); skeleton.len()];
    let from_rest = matches!(shown.origin, StanceOrigin::Rest | StanceOrigin::Written);
    let mut body_from_joint = shown.world.rotations.clone();
    for id in skeleton.ids() {
        let carried = skeleton.parent(id).map_or(Quat::identity(), |p| swings[p.index()]);
        let bone = bone_vector(skeleton, roles, &shown.world, id);
        let swing = match (roles.role(id), bone) {
            (Some(Role::Thigh(_) | Role::Shin(_)), Some(bone)) => {
                rotation_between(carried * bone, -Vec3::y()) * carried
            }
            (Some(Role::UpperArm(side) | Role::Forearm(side) | Role::Hand(side)), Some(bone)) => {
                raise_arm(carried * bone, side) * carried
            }
            (Some(Role::Foot(side)), bone) => match flat[side.index()] {
                Some(flat) => {
                    let up = shown.world.rotation(id) * flat.up_local;
                    let level = rotation_between(up, Vec3::y());
                    point_ahead(bone.map(|b| level * b)) * level
                }
                None => {
                    let kept = from_rest && foot_was_carried(bone, carried);
                    let base = if kept { carried } else { Quat::identity() };
                    point_ahead(bone.map(|b| base * b)) * base
                }
            },
            _ => carried,
        };
        swings[id.index()] = swing;
        body_from_joint[id.index()] = swing * shown.world.rotation(id);
        if let Some(Role::Toe(side)) = roles.role(id)
            && let Some(rotation) = flat[side.index()].and_then(|flat| flat.toe_rotation)
        {
            let parent = skeleton.parent(id).expect("a toe hangs on a foot");
            let straight = body_from_joint[parent.index()] * rotation;
            swings[id.index()] = straight * shown.world.rotation(id).inverse();
            body_from_joint[id.index()] = straight;
        }
    }
    Stance { local: shown.local, body_from_joint, origin: shown.origin }
}

/// The turn that raises an arm bone to its side: first level with the body's side plane, then up in
/// that plane, so that an arm that hangs comes up without a twist.
fn raise_arm(bone_body: Vec3, side: Side) -> Quat {
    let out = match side {
        Side::Left => Vec3::x(),
        Side::Right => -Vec3::x(),
    };
    let in_plane = Vec3::new(bone_body.x, bone_body.y, 0.0);
    let middle = rotation_between(bone_body, in_plane);
    rotation_between(in_plane, out) * middle
}

/// The turn about the vertical that lets a foot point straight ahead; none for a foot that points
/// up or down, or has no direction.
fn point_ahead(bone_body: Option<Vec3>) -> Quat {
    let Some(bone) = bone_body else { return Quat::identity() };
    let level = Vec3::new(bone.x, 0.0, bone.z);
    if level.norm() < 0.2 * bone.norm() {
        return Quat::identity();
    }
    rotation_between(level, Vec3::z())
}

/// Whether the foot of a splayed rest pose was splayed with its leg (as in CMU files) rather than
/// set flat: then straightening the leg brings the foot nearer to the plane of walking.
fn foot_was_carried(bone_body: Option<Vec3>, carried: Quat) -> bool {
    let Some(bone) = bone_body else { return true };
    (carried * bone).x.abs() + 0.02 * bone.norm() < bone.x.abs()
}

/// Where the bone of a limb joint points in the given pose, from positions of role joints so that
/// joints without a role in between do no harm; not normalised. `None` for roles without a bone of
/// their own and bones without length.
pub(crate) fn bone_vector(
    skeleton: &Skeleton,
    roles: &Roles,
    world: &WorldPose,
    id: JointId,
) -> Option<Vec3> {
    let end = bone_end(skeleton, roles, id)?;
    let vector = end.world(world) - world.position(id);
    (vector.norm() > 1e-9).then_some(vector)
}

/// The far end of a bone: a point fixed in some joint's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BoneEnd {
    pub joint: JointId,
    /// In that joint's frame (local).
    pub point: Vec3,
}

impl BoneEnd {
    pub fn world(&self, world: &WorldPose) -> Vec3 {
        world.point(self.joint, self.point)
    }
}

/// The far end of a limb joint's bone: the next role joint, else for hands and feet the child or End
/// Site that lies farthest away.
pub(crate) fn bone_end(skeleton: &Skeleton, roles: &Roles, id: JointId) -> Option<BoneEnd> {
    let at = |role: Role| roles.joint(role).map(|joint| BoneEnd { joint, point: Vec3::zeros() });
    match roles.role(id)? {
        Role::Thigh(s) => at(Role::Shin(s)),
        Role::Shin(s) => at(Role::Foot(s)),
        Role::UpperArm(s) => at(Role::Forearm(s)),
        Role::Forearm(s) => at(Role::Hand(s)),
        Role::Foot(s) => at(Role::Toe(s)).or_else(|| farthest_end(skeleton, id)),
        Role::Hand(s) => knuckles(roles, s).or_else(|| farthest_end(skeleton, id)),
        Role::Chain(name, number) => super::chain::bone_end(skeleton, roles, name, number, id),
        _ => None,
    }
}

/// The middle finger's base, or that of the finger next to it.
fn knuckles(roles: &Roles, side: Side) -> Option<BoneEnd> {
    use super::Digit::{Index, Middle, Pinky, Ring};
    [Middle, Ring, Index, Pinky].into_iter().find_map(|digit| {
        let joint = (1..=3).find_map(|n| roles.joint(Role::Finger(side, digit, n)))?;
        Some(BoneEnd { joint, point: Vec3::zeros() })
    })
}

/// The child or End Site of a joint that lies farthest from it, if any has a distance at all.
pub(crate) fn farthest_end(skeleton: &Skeleton, id: JointId) -> Option<BoneEnd> {
    let children = skeleton.children(id).map(|child| skeleton.joint(child).offset);
    let ends = skeleton.joint(id).end_sites.iter().copied();
    children
        .chain(ends)
        .map(|point| BoneEnd { joint: id, point })
        .max_by(|a, b| a.point.norm().total_cmp(&b.point.norm()))
        .filter(|end| end.point.norm() > 1e-9)
}
