//! Pelvis and chest from where things are: a joint's own rotation says how they are turned only if what hangs on
//! it does not turn it back.
//!
//! Joints without length between hips and legs may undo whatever the hips do: a network or a fit to markers
//! leaves the two free against one another. The hips' rotation then says nothing, but hip joints and the base
//! of the spine do.

use super::{Role, Roles, Side};
use crate::clip::Clip;
use crate::math::{Quat, Vec3, frame_from_axes};
use crate::pose::{Pose, WorldPose};
use crate::skeleton::{JointId, Skeleton};

/// Joints nearer than this to one above them have no length, as a share of the way to the legs.
const NO_LEN: f64 = 0.05;
/// What lies nearer than this to the line between the sides does not show a turn about it, as a share of the same.
const OFF_LINE: f64 = 0.2;
/// What turns by less is not turned, radians.
const TURNED_RAD: f64 = 0.01;
/// Frames that are looked at for such turns.
const MOST: usize = 64;

/// The clip with the turns taken out that cancel each other between pelvis or chest and what hangs on them.
/// No joint moves in the world. `None` where there are none, which is nearly always.
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
    if branches.is_empty() {
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
    if across.norm() <= apart || (up - level * level.dot(&up)).norm() <= apart {
        return None;
    }
    frame_from_axes(across, up)
}
