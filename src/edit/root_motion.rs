//! Root motion for engines: the travel of a result on a bone above the hips, and the rest of the motion on the hips.

use crate::clip::Clip;
use crate::math::{Quat, Vec3, swing_twist};
use crate::pose::{Pose, WorldPose};
use crate::rig::{Rig, Role};
use crate::skeleton::{JointId, Skeleton};
use serde::{Deserialize, Serialize};

/// Which joint of the target carries the travel: the horizontal way of the hips, and their turn about the up axis. A
/// joint above the hips without position channels is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[deny(missing_docs)]
pub enum RootMotion {
    /// The parent of the pelvis. If the pelvis has none, its uppermost joint, which may be the hips themselves.
    Auto,
    /// The joint of this name: the hips or a joint above them.
    Named(String),
}

/// Why a joint cannot carry the travel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RootMotionError {
    #[error("the target has no joint {name:?} above its hips {hips:?}; above them are {above}")]
    NotAbove { name: String, hips: String, above: String },
    #[error("{0:?} has no position channels, so that it cannot travel; name another joint")]
    Fixed(String),
}

/// The joint of a rig that is to carry the travel; `None` if it is the hips themselves.
pub fn root_joint(rig: &Rig, wanted: &RootMotion) -> Result<Option<JointId>, RootMotionError> {
    let hips = rig.joint(Role::Hips).expect("every rig has hips");
    let skeleton = &rig.skeleton;
    let found = match wanted {
        RootMotion::Auto => {
            let above = skeleton.parent(hips);
            above.map(|above| {
                pelvis_top(rig, None, |_| true)
                    .map_or(above, |top| skeleton.parent(top).unwrap_or(top))
            })
        }
        RootMotion::Named(name) => {
            if skeleton.name(hips) == name {
                return Ok(None);
            }
            let named = skeleton.ancestors(hips).find(|id| skeleton.name(*id) == name);
            Some(named.ok_or_else(|| not_above(skeleton, hips, name))?)
        }
    };
    match found.filter(|id| !skeleton.joint(*id).channels.has_position()) {
        Some(fixed) => Err(RootMotionError::Fixed(skeleton.name(fixed).to_owned())),
        None => Ok(found),
    }
}

fn not_above(skeleton: &Skeleton, hips: JointId, name: &str) -> RootMotionError {
    let above: Vec<String> =
        skeleton.ancestors(hips).map(|id| format!("{:?}", skeleton.name(id))).collect();
    RootMotionError::NotAbove {
        name: name.to_owned(),
        hips: skeleton.name(hips).to_owned(),
        above: if above.is_empty() { "no joints".to_owned() } else { above.join(", ") },
    }
}

/// A joint above the hips that is nearer to them than this, in leg lengths, is part of the pelvis. Rigs whose legs hang on
/// the spine have such joints.
const PELVIS: f64 = 0.25;

/// The uppermost joint of the pelvis above the hips. It and all joints between are `worn`: they have skin, which would tear
/// if they stayed behind. `None` if the hips are the uppermost one, or if only `root` is above them.
pub(crate) fn pelvis_top(
    rig: &Rig,
    root: Option<JointId>,
    worn: impl Fn(JointId) -> bool,
) -> Option<JointId> {
    let hips = rig.joint(Role::Hips)?;
    let rest = WorldPose::of(&rig.skeleton, &Pose::rest(&rig.skeleton));
    let is_part = |id: &JointId| {
        let apart_len = (rest.position(*id) - rest.position(hips)).norm();
        let moves = rig.skeleton.joint(*id).channels.has_position();
        root != Some(*id) && moves && worn(*id) && apart_len < PELVIS * rig.leg_len
    };
    rig.skeleton.ancestors(hips).take_while(is_part).last()
}

/// Moves the joints from `top` down to the hips rigidly with the hips. The hips and all below keep their places in
/// `world`. Allocates nothing.
pub(crate) fn move_pelvis(
    skeleton: &Skeleton,
    [top, hips]: [JointId; 2],
    pose: &mut Pose,
    world: &mut WorldPose,
) {
    let place = world.position(hips);
    let turn = world.rotation(hips);
    // The joints have no rotation in the zero pose.
    let mut way = Vec3::zeros();
    let mut at = hips;
    while at != top {
        way += skeleton.joint(at).offset;
        pose.rotations[at.index()] = Quat::identity();
        pose.translations[at.index()] = skeleton.joint(at).offset;
        let Some(above) = skeleton.parent(at) else { return };
        at = above;
        world.rotations[at.index()] = turn;
        world.positions[at.index()] = place - turn * way;
    }
    put(skeleton, top, pose, world, place - turn * way, turn);
}

/// The same motion with its travel on `root`: the horizontal position of the hips, and the turn about the up axis. The
/// hips and all below keep their places in the world; whatever else hangs on the root moves along with it.
///
/// While the body is upside down it keeps the heading of the frame before.
pub fn on_root(result: &Clip, rig: &Rig, root: JointId) -> Clip {
    let hips = rig.joint(Role::Hips).expect("every rig has hips");
    let skeleton = result.skeleton();
    let up = rig.up.vector();
    let rest = WorldPose::of(skeleton, &Pose::rest(skeleton));
    let (root_place, root_turn) = (rest.position(root), rest.rotation(root));
    let mut clip = Clip::with_capacity(skeleton.clone(), result.frame_time().clone(), result.len());
    let mut pose = Pose::rest(skeleton);
    let mut world = WorldPose::new(skeleton.len());
    let mut before = world.clone();
    let first = path_below(skeleton, root, hips);
    let mut turn = Quat::identity();
    for frame in 0..result.len() {
        result.read_pose(frame, &mut pose);
        world.set(skeleton, &pose);
        turn = heading(world.rotation(hips), rest.rotation(hips), up).unwrap_or(turn);
        let travel = rig.up.level(world.position(hips) - rest.position(hips));
        // The root keeps its offset from the hips while both turn.
        let arm = rig.up.level(root_place - rest.position(hips));
        let place = root_place + travel + (turn * arm - arm);
        put(skeleton, root, &mut pose, &world, place, turn * root_turn);
        before.copy_from(&world);
        world.set(skeleton, &pose);
        put(skeleton, first, &mut pose, &world, before.position(first), before.rotation(first));
        // Joints between the root and the hips have no position channels, so the hips take the rest.
        world.set(skeleton, &pose);
        put(skeleton, hips, &mut pose, &world, before.position(hips), before.rotation(hips));
        clip.push_pose(&pose);
    }
    clip
}

/// The child of one joint that is on the way down to another.
fn path_below(skeleton: &Skeleton, from: JointId, to: JointId) -> JointId {
    let mut at = to;
    while let Some(above) = skeleton.parent(at).filter(|above| *above != from) {
        at = above;
    }
    at
}

/// The turn about the up axis from one rotation to another; `None` if the body is upside down.
fn heading(rotation: Quat, from: Quat, up: Vec3) -> Option<Quat> {
    let (_, twist) = swing_twist(rotation * from.inverse(), up);
    let swing = rotation * from.inverse() * twist.inverse();
    (swing.angle() < MOST_SWING_RAD).then_some(twist)
}

/// A body that is tilted farther than this has no sure heading, radians.
const MOST_SWING_RAD: f64 = 2.9;

/// Sets a joint's rotation in the world, and its position if it has position channels.
fn put(
    skeleton: &Skeleton,
    joint: JointId,
    pose: &mut Pose,
    world: &WorldPose,
    place: Vec3,
    turn: Quat,
) {
    let (above_turn, above_place) = match skeleton.parent(joint) {
        Some(above) => (world.rotation(above), world.position(above)),
        None => (Quat::identity(), Vec3::zeros()),
    };
    pose.rotations[joint.index()] = above_turn.inverse() * turn;
    if skeleton.joint(joint).channels.has_position() {
        pose.translations[joint.index()] = above_turn.inverse() * (place - above_place);
    }
}
