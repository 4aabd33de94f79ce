//! Pelvis and chest from where things are: a joint's own rotation says how they are turned only if what hangs on
//! it does not turn it back.
//!
//! Joints without length between hips and legs may undo whatever the hips do: a network or a fit to markers
//! leaves the two free against one another. The hips' rotation then says nothing, but hip joints and the base
//! of the spine do.
//!
//! In other rigs the hip joints themselves move in the hips' frame: legs that hang on the first joint of the spine are
//! kept at the pelvis, or an animator moves them. The pelvis then lies as they do.

use super::stance::stands_at_rest;
use super::{Role, Roles, Side};
use crate::clip::Clip;
use crate::math::{Quat, Vec3, frame_from_axes, rejection, rotation_between};
use crate::pose::{Pose, WorldPose};
use crate::skeleton::{JointId, Skeleton};

/// Joints nearer than this to one above them have no length, as a share of the way to the legs.
const NO_LEN: f64 = 0.05;
/// What lies nearer than this to the line between the sides does not show a turn about it, as a share of the same.
const OFF_LINE: f64 = 0.2;
/// What turns by less is not turned, radians.
const TURNED_RAD: f64 = 0.01;
/// Hip joints that turn by less against the hips were written so by noise or by rounding, radians.
const MOVED_RAD: f64 = 0.05;
/// Frames that are looked at for such turns.
const MOST: usize = 64;

/// The clip with the turns taken out that cancel each other between pelvis or chest and what hangs on them, and with a
/// pelvis that lies as its hip joints do. No joint moves in the world. `None` where there are none, which is nearly
/// always.
pub(crate) fn steadied(clip: &Clip, roles: &Roles) -> Option<Clip> {
    if clip.is_empty() {
        return None;
    }
    let skeleton = clip.skeleton();
    let branches: Vec<Branch> = [Branch::pelvis(skeleton, roles), Branch::chest(skeleton, roles)]
        .into_iter()
        .flatten()
        .filter(|branch| branch.turns(clip))
        .collect();
    let is_turned = |line: &HipLine| branches.iter().any(|branch| branch.joint == line.joint);
    let line =
        HipLine::new(skeleton, roles).filter(|line| !is_turned(line) && line.turns(clip, roles));
    if branches.is_empty() && line.is_none() {
        return None;
    }
    let mut steady = Clip::with_capacity(skeleton.clone(), clip.frame_time().clone(), clip.len());
    let mut pose = Pose::rest(skeleton);
    let mut world = WorldPose::new(skeleton.len());
    for frame in 0..clip.len() {
        clip.read_pose(frame, &mut pose);
        world.set(skeleton, &pose);
        for branch in &branches {
            branch.steady(skeleton, &mut pose, &mut world);
        }
        if let Some(line) = &line {
            line.steady(skeleton, &mut pose, &mut world);
        }
        steady.push_pose(&pose);
    }
    Some(steady)
}

/// A joint that several limbs hang on by joints without length.
struct Branch {
    joint: JointId,
    sides: [JointId; 2],
    /// What lies farther off the line between the sides: the top, or the joint itself.
    off_line: JointId,
    /// All joints that hang on it directly.
    children: Vec<JointId>,
    /// From the frame of those to the joint's, as the zero pose has them.
    joint_from_placed: Quat,
}

impl Branch {
    fn pelvis(skeleton: &Skeleton, roles: &Roles) -> Option<Self> {
        let top = roles.spine().first().copied();
        let top = top.or(roles.neck().first().copied()).or(roles.joint(Role::Head));
        let sides = pair(roles, Role::Thigh)?;
        Self::new(skeleton, roles, roles.joint(Role::Hips)?, sides, top)
    }

    fn chest(skeleton: &Skeleton, roles: &Roles) -> Option<Self> {
        let top = roles.neck().first().copied().or(roles.joint(Role::Head));
        let sides = pair(roles, Role::Clavicle).or_else(|| pair(roles, Role::UpperArm))?;
        Self::new(skeleton, roles, *roles.spine().last()?, sides, top)
    }

    /// `None` where a joint hangs on it that has length or a part of its own, which says how it is turned, or
    /// where all lie on one line.
    fn new(
        skeleton: &Skeleton,
        roles: &Roles,
        joint: JointId,
        sides: [JointId; 2],
        top: Option<JointId>,
    ) -> Option<Self> {
        let rest = WorldPose::of(skeleton, &Pose::rest(skeleton));
        let reach = |id: JointId| (rest.position(id) - rest.position(joint)).norm();
        let most = sides.into_iter().map(reach).fold(0.0, f64::max);
        let children: Vec<JointId> = skeleton.children(joint).collect();
        let bare = |id: &JointId| reach(*id) < NO_LEN * most;
        let between = |id: &JointId| roles.role(*id).is_none();
        if !children.iter().all(bare) || !children.iter().any(between) {
            return None;
        }
        let (off_line, placed) = top
            .into_iter()
            .chain([joint])
            .find_map(|point| Some((point, placed(&rest, sides, point, OFF_LINE * most)?)))?;
        let joint_from_placed = placed.inverse() * rest.rotation(joint);
        Some(Self { joint, sides, off_line, children, joint_from_placed })
    }

    /// Whether the joints on it turn against it in the clip.
    fn turns(&self, clip: &Clip) -> bool {
        let first = clip.pose(0);
        let turned = |frame: usize| {
            let pose = clip.pose(frame);
            let off = |id: &JointId| {
                first.rotations[id.index()].angle_to(&pose.rotations[id.index()]) > TURNED_RAD
            };
            self.children.iter().filter(|id| off(id)).count() > 1
        };
        (1..clip.len()).step_by(clip.len().div_ceil(MOST).max(1)).any(turned)
    }

    /// Turns the joint to where those say, and what hangs on it back.
    fn steady(&self, skeleton: &Skeleton, pose: &mut Pose, world: &mut WorldPose) {
        let Some(placed) = placed(world, self.sides, self.off_line, 0.0) else { return };
        let turned = placed * self.joint_from_placed;
        let above = skeleton.parent(self.joint).map_or(Quat::identity(), |id| world.rotation(id));
        pose.rotations[self.joint.index()] = above.inverse() * turned;
        world.rotations[self.joint.index()] = turned;
        for &id in &self.children {
            pose.rotations[id.index()] = turned.inverse() * world.rotation(id);
        }
    }
}

/// The line between two hip joints that may move in the frame of the hips.
struct HipLine {
    joint: JointId,
    /// Each hip joint and those above it, up to the hips.
    ways: [Vec<JointId>; 2],
    /// From right to left as the zero pose has it (local).
    across_local: Vec3,
    /// All joints that hang on the hips directly.
    children: Vec<JointId>,
}

impl HipLine {
    /// `None` where nothing can move them, or where they lie in one place.
    fn new(skeleton: &Skeleton, roles: &Roles) -> Option<Self> {
        let joint = roles.joint(Role::Hips)?;
        let sides = pair(roles, Role::Thigh)?;
        let way = |side: JointId| {
            let above = skeleton.ancestors(side).take_while(|id| *id != joint);
            std::iter::once(side).chain(above).collect::<Vec<_>>()
        };
        let ways = sides.map(way);
        let moves =
            |id: &JointId| skeleton.joint(*id).channels.has_position() || roles.role(*id).is_none();
        if !ways.iter().flatten().any(moves) {
            return None;
        }
        let children = skeleton.children(joint).collect();
        let mut line = Self { joint, ways, across_local: Vec3::zeros(), children };
        line.across_local = line.across(&Pose::rest(skeleton))?;
        Some(line)
    }

    /// From the right hip joint to the left one in the hips' frame (local); `None` where they are in one place.
    fn across(&self, pose: &Pose) -> Option<Vec3> {
        let place = |way: &Vec<JointId>| {
            way.iter().fold(Vec3::zeros(), |point, id| {
                pose.translations[id.index()] + pose.rotations[id.index()] * point
            })
        };
        let [left, right] = self.ways.each_ref().map(place);
        let reach_len = left.norm().max(right.norm());
        let across = left - right;
        (across.norm() > OFF_LINE * reach_len).then_some(across)
    }

    /// Whether the line turns in the hips' frame, in more than a few frames of the clip. One that lies otherwise than in
    /// a zero pose in which nobody stands, and stays so, was turned by the author.
    fn turns(&self, clip: &Clip, roles: &Roles) -> bool {
        let mut pose = Pose::rest(clip.skeleton());
        let (mut turned, mut moved, mut all) = (0, false, 0);
        let mut first = None;
        for frame in (0..clip.len()).step_by(clip.len().div_ceil(MOST).max(1)) {
            clip.read_pose(frame, &mut pose);
            all += 1;
            let Some(across) = self.across(&pose) else { continue };
            let is_off = |from: &Vec3| across.angle(from) > MOVED_RAD;
            turned += usize::from(is_off(&self.across_local));
            moved |= is_off(first.get_or_insert(across));
        }
        10 * turned > all && (moved || stands_at_rest(clip.skeleton(), roles))
    }

    /// Turns the hips by the least that brings the line to where the hip joints are, and what hangs on them back.
    fn steady(&self, skeleton: &Skeleton, pose: &mut Pose, world: &mut WorldPose) {
        let Some(across_local) = self.across(pose) else { return };
        let own = world.rotation(self.joint);
        let turned = own * rotation_between(self.across_local, across_local);
        let above = skeleton.parent(self.joint).map_or(Quat::identity(), |id| world.rotation(id));
        pose.rotations[self.joint.index()] = above.inverse() * turned;
        world.rotations[self.joint.index()] = turned;
        let from = world.position(self.joint);
        for &id in &self.children {
            pose.rotations[id.index()] = turned.inverse() * world.rotation(id);
            pose.translations[id.index()] = turned.inverse() * (world.position(id) - from);
        }
    }
}

fn pair(roles: &Roles, role: fn(Side) -> Role) -> Option<[JointId; 2]> {
    Some([roles.joint(role(Side::Left))?, roles.joint(role(Side::Right))?])
}

/// The frame of two sides and a point off the line between them, from their places; `None` where they are nearer to one
/// line than `apart`.
fn placed(world: &WorldPose, sides: [JointId; 2], off_line: JointId, apart: f64) -> Option<Quat> {
    let [left, right] = sides.map(|id| world.position(id));
    let up: Vec3 = world.position(off_line) - 0.5 * (left + right);
    let across = left - right;
    let level = across.try_normalize(1e-12)?;
    if across.norm() <= apart || rejection(up, level).norm() <= apart {
        return None;
    }
    frame_from_axes(across, up)
}
