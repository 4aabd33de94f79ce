//! A stance from the bones alone, for a rig in which no pose shows a body standing: a bare hierarchy
//! with every bone along one axis, a clip in which nobody stands.
//!
//! Bones go where people's bones are while they stand, each by the smallest turn from where the one
//! above carries it. Pelvis, chest and hands are known better: the bones to both sides and up the trunk
//! show their frames, or the fingers, or where hips and shoulders are in motion.

use super::hinge::Hinges;
use super::laid;
use super::straighten::{outwards, straight};
use super::{Basis, Ground, Stance, StanceOrigin, chest};
use crate::clip::Clip;
use crate::math::{Quat, Vec3, frame_from_axes, median_rotation, rejection, rotation_between};
use crate::pose::{Pose, WorldPose};
use crate::rig::bone::{BoneEnd, first_piece, own_piece};
use crate::rig::{Digit, Landmarks, Role, Roles, Side, standing};
use crate::skeleton::{JointId, Skeleton};

/// How far the bones to both sides must lie apart, as a share of their lengths.
const APART: f64 = 0.05;

/// A frame that a motion holds farther than this from where authors lay it was laid otherwise.
const NOT_LAID_RAD: f64 = 1.0;

/// Builds the stance.
pub(super) fn build(
    skeleton: &Skeleton,
    roles: &Roles,
    hips: JointId,
    hinges: &Hinges,
    held: &Held,
) -> Stance {
    let assumed = Basis { direction: Ground::Assumed, roll: Ground::Assumed };
    let mut bases = vec![assumed; skeleton.len()];
    let mut body_from_joint = vec![Quat::identity(); skeleton.len()];
    let is_laid = laid::are_frames_laid(skeleton, roles);
    let chest_frame = branch_frame(skeleton, roles, chest(roles), is_laid);
    let hand_frames = Side::BOTH.map(|side| hand_frame(skeleton, roles, side, is_laid));
    let hip_ways = hip_ways(skeleton, roles, hips);
    let mut local = Pose::rest(skeleton);
    for id in skeleton.ids() {
        let carried = match skeleton.parent(id) {
            Some(parent) if id != hips => body_from_joint[parent.index()],
            _ => Quat::identity(),
        };
        body_from_joint[id.index()] = carried;
        let Some(role) = roles.role(id) else {
            if let Some((_, bone, goal)) = hip_ways.iter().find(|(first, ..)| *first == id) {
                let frame = swing(carried * bone, *goal) * carried;
                local.rotations[id.index()] = carried.inverse() * frame;
                body_from_joint[id.index()] = frame;
            }
            continue;
        };
        let basis = &mut bases[id.index()];
        let known = match role {
            Role::Hand(side) => hand_frames[side.index()],
            _ => branch_frame(skeleton, roles, role, is_laid),
        };
        if let Some(frame) = known {
            body_from_joint[id.index()] = frame;
            *basis = Basis { direction: Ground::Bones, roll: Ground::Bones };
            continue;
        }
        if let Some(frame) = held.trunk_frame(roles, role) {
            body_from_joint[id.index()] = frame;
            *basis = Basis { direction: Ground::Motion, roll: Ground::Motion };
            continue;
        }
        let bone = own_piece(skeleton, roles, id);
        let goal = match role {
            Role::Foot(side) if marks_sole(skeleton, roles, side) => Some(-Vec3::y()),
            role => standing(role),
        };
        let lay = |carried: Quat| match (bone, goal) {
            (Some(bone), Some(goal)) => swing(carried * bone, goal) * carried,
            _ => carried,
        };
        // Authors lay the spine as they lay the chest, whatever they do to the hips, and an arm as its hand.
        let assumed = lay(match role {
            Role::Hips if bone.is_none() => over_thighs(skeleton, roles).unwrap_or(carried),
            Role::Spine(_) => chest_frame.unwrap_or(carried),
            Role::Clavicle(side) | Role::UpperArm(side) | Role::Forearm(side) => {
                hand_frames[side.index()].unwrap_or(carried)
            }
            _ => carried,
        });
        // Fingers are laid once their hands are.
        let seen = held.carried(skeleton, roles, id, &body_from_joint).map(lay).filter(|seen| {
            let is_far = !is_laid || seen.angle_to(&assumed) > NOT_LAID_RAD;
            is_far && !matches!(role, Role::Finger(..))
        });
        if seen.is_some() {
            *basis = Basis { direction: Ground::Motion, roll: Ground::Motion };
        }
        if bone.is_some() && straight(role).is_some() {
            basis.direction = Ground::Bones;
        }
        let mut frame = seen.unwrap_or(assumed);
        if let Some(roll) = bone.and_then(|_| hinges.roll(role, id, frame)) {
            frame = roll * frame;
            basis.roll = Ground::Motion;
        }
        body_from_joint[id.index()] = frame;
    }
    Stance { local, body_from_joint, bases, origin: StanceOrigin::Built }
}

/// How a motion holds joints, whatever it shows.
#[derive(Default)]
pub(super) struct Held {
    /// How the frames of pelvis and chest lie in the body by where hips and shoulders are.
    hips: Option<Quat>,
    chest: Option<Quat>,
    /// The median of each joint's local rotation; empty where nothing moves.
    locals: Vec<Quat>,
}

impl Held {
    /// What a clip shows. Costs forward kinematics of at most some 500 frames.
    pub fn seen(clip: &Clip, roles: &Roles, landmarks: &Landmarks) -> Self {
        let joints = [roles.joint(Role::Hips), roles.joint(chest(roles))];
        /// Feet that move by less than this against the hips show a pose, which may be any, and no motion; legs.
        const STILL: f64 = 0.05;
        let mut seen: [Vec<(Quat, f64)>; 2] = Default::default();
        let (mut first, mut moved) = (None, 0.0f64);
        let skeleton = clip.skeleton();
        let mut locals: Vec<Vec<(Quat, f64)>> = vec![Vec::new(); skeleton.len()];
        clip.each_world(standing::sampled_frames(clip), |frame, world| {
            for (seen, local) in locals.iter_mut().zip(clip.rotations(frame)) {
                seen.push((*local, 1.0));
            }
            let foot = world.position(landmarks.ankles[0]) - landmarks.mid_thigh(world);
            let way = (foot - *first.get_or_insert(foot)).norm();
            moved = moved.max(way / landmarks.leg_len(world).max(1e-12));
            let up = landmarks.trunk(world);
            for ((seen, joint), [left, right]) in
                seen.iter_mut().zip(joints).zip([landmarks.thighs, landmarks.top])
            {
                let across = world.position(left) - world.position(right);
                if let (Some(joint), Some(world_from_body)) = (joint, frame_from_axes(across, up)) {
                    seen.push((world_from_body.inverse() * world.rotation(joint), 1.0));
                }
            }
        });
        let shows = |seen: &[(Quat, f64)]| moved > STILL && !seen.is_empty();
        let [hips, chest] = seen.map(|seen| shows(&seen).then(|| median_rotation(&seen)));
        let locals = match moved > STILL {
            true => locals.iter().map(|seen| median_rotation(seen)).collect(),
            false => Vec::new(),
        };
        Self { hips, chest, locals }
    }

    /// Where the motion holds a joint on the next one above it that has a role, given the frames in body space.
    fn carried(
        &self,
        skeleton: &Skeleton,
        roles: &Roles,
        id: JointId,
        body_from_joint: &[Quat],
    ) -> Option<Quat> {
        let mut turn = *self.locals.get(id.index())?;
        for above in skeleton.ancestors(id) {
            if roles.role(above).is_some() {
                return Some(body_from_joint[above.index()] * turn);
            }
            turn = self.locals[above.index()] * turn;
        }
        None
    }

    fn trunk_frame(&self, roles: &Roles, role: Role) -> Option<Quat> {
        match role {
            Role::Hips => self.hips,
            role if role == chest(roles) => self.chest,
            _ => None,
        }
    }
}

/// The joints between hips and thighs that must turn before a body stands whose thighs begin in one place: each with the
/// way to its thigh in its frame (local, length units) and where that points in people, body space.
fn hip_ways(skeleton: &Skeleton, roles: &Roles, hips: JointId) -> Vec<(JointId, Vec3, Vec3)> {
    let rest = WorldPose::of(skeleton, &Pose::rest(skeleton));
    let thighs = Side::BOTH.map(|side| roles.joint(Role::Thigh(side)));
    let [Some(left), Some(right)] = thighs.map(|thigh| thigh.map(|id| rest.position(id))) else {
        return Vec::new();
    };
    let reach = [left, right].map(|at| (at - rest.position(hips)).norm());
    if (left - right).norm() > APART * (reach[0] + reach[1]) {
        return Vec::new();
    }
    let way = |side: Side| {
        let thigh = roles.joint(Role::Thigh(side))?;
        let first = skeleton.ancestors(thigh).take_while(|&id| id != hips).last()?;
        let way = rest.position(thigh) - rest.position(first);
        let goal = outwards(side) - 1.3 * Vec3::y();
        (way.norm() > 1e-9).then(|| (first, rest.rotation(first).inverse() * way, goal))
    };
    Side::BOTH.into_iter().filter_map(way).collect()
}

/// Where a bone points while people stand, body space. `None` for bones that go on as they are
/// carried.
fn standing(role: Role) -> Option<Vec3> {
    match role {
        Role::Hips | Role::Spine(_) | Role::Neck(_) | Role::Head => Some(Vec3::y()),
        Role::Clavicle(side) => Some(outwards(side)),
        // Laid once their hands are.
        Role::Finger(..) => None,
        // The ankle is half as high over the ball as the ball lies ahead of it.
        Role::Foot(_) => Some(Vec3::new(0.0, -0.45, 0.9)),
        Role::Toe(_) => Some(Vec3::z()),
        _ => straight(role),
    }
}

/// Whether a foot's bone is so short, beside that of its toes, that it can but lead down from the ankle to the sole.
fn marks_sole(skeleton: &Skeleton, roles: &Roles, side: Side) -> bool {
    const SHORT: f64 = 0.4;
    let len = |role: Role| Some(own_piece(skeleton, roles, roles.joint(role)?)?.norm());
    let [foot, toe] = [Role::Foot(side), Role::Toe(side)].map(len);
    foot.zip(toe).is_some_and(|(foot, toe)| foot < SHORT * toe)
}

/// The smallest turn from one direction to another in body space; between opposite ones a half turn
/// that keeps what is in front in front.
fn swing(from: Vec3, to: Vec3) -> Quat {
    if from.angle(&-to) < 1e-3 && to.z.abs() < 0.5 * to.norm() {
        return Quat::from_axis_angle(&Vec3::z_axis(), std::f64::consts::PI);
    }
    rotation_between(from, to)
}

/// The frame of the pelvis or the chest, from the bones to both sides and the bone up the trunk; axes count where the
/// rig's frames are laid along the body.
fn branch_frame(skeleton: &Skeleton, roles: &Roles, role: Role, is_laid: bool) -> Option<Quat> {
    let id = roles.joint(role)?;
    let [to_left, to_right] = to_sides(skeleton, roles, role)?;
    let across = to_left - to_right;
    // Where neither neck nor head says more, shoulders lie above the joint that carries them.
    let up = match own_piece(skeleton, roles, id) {
        Some(up) => up,
        None if role != Role::Hips => to_left + to_right,
        None => return None,
    };
    let meant = |way: Vec3| if is_laid { laid::axis_meant(way) } else { way };
    let left = meant(across);
    // Seen along the left axis, so that only a lean forward or back can be taken for an axis.
    let level = left.try_normalize(1e-9)?;
    let up = meant(rejection(up, level));
    Some(frame_from_axes(left, up)?.inverse())
}

/// The first pieces of the ways from hips or chest to what hangs on their left and on their right, in their frame (local). `None`
/// where nothing does, and where both begin in one place, as collars do: that shows nothing but the digits of the file.
pub(super) fn to_sides(skeleton: &Skeleton, roles: &Roles, role: Role) -> Option<[Vec3; 2]> {
    let id = roles.joint(role)?;
    let parts: &[fn(Side) -> Role] = match role {
        Role::Hips => &[Role::Thigh],
        role if role == chest(roles) => &[Role::Clavicle, Role::UpperArm],
        _ => return None,
    };
    let part = parts.iter().find(|part| roles.joint(part(Side::Left)).is_some())?;
    let piece = |side: Side| {
        let joint = roles.joint(part(side))?;
        first_piece(skeleton, id, BoneEnd { joint, point: Vec3::zeros() })
    };
    let (left, right) = (piece(Side::Left)?, piece(Side::Right)?);
    let are_apart = (left - right).norm() > APART * (left.norm() + right.norm());
    are_apart.then_some([left, right])
}

/// The frame of hips whose own bone shows nothing, as far as thighs do: one to each side, and below.
pub(super) fn over_thighs(skeleton: &Skeleton, roles: &Roles) -> Option<Quat> {
    let [to_left, to_right] = to_sides(skeleton, roles, Role::Hips)?;
    let across = to_left - to_right;
    let frame = frame_from_axes(across, -(to_left + to_right)).map(|frame| frame.inverse());
    frame.or_else(|| Some(rotation_between(across, Vec3::x())))
}

/// The frame of a hand, from its bone and the row of its fingers: palms face down. Axes count as in a trunk's.
fn hand_frame(skeleton: &Skeleton, roles: &Roles, side: Side, is_laid: bool) -> Option<Quat> {
    let hand = roles.joint(Role::Hand(side))?;
    // A joint in the hand's own place was laid as the hand.
    let base = |digit: Digit| {
        let joint = (1..=3).find_map(|n| roles.joint(Role::Finger(side, digit, n)))?;
        let way = std::iter::once(joint).chain(skeleton.ancestors(joint));
        let pieces = way.take_while(|&id| id != hand).map(|id| skeleton.joint(id).offset);
        pieces.filter(|piece| piece.norm() > 1e-9).last()
    };
    let row = [Digit::Index, Digit::Middle, Digit::Ring, Digit::Pinky].map(base);
    let (front, back) = (row.iter().flatten().next()?, row.iter().flatten().next_back()?);
    let ahead = front - back;
    if ahead.norm() < APART * (front.norm() + back.norm()) {
        return None;
    }
    let bone = [Digit::Middle, Digit::Ring, Digit::Index, Digit::Pinky].into_iter().find_map(base);
    let meant = |way: Vec3| if is_laid { laid::axis_meant(way) } else { way };
    let bone = meant(bone?);
    let level = bone.try_normalize(1e-9)?;
    let ahead = meant(rejection(ahead, level));
    let (body, joint) =
        (frame_from_axes(outwards(side), Vec3::z())?, frame_from_axes(bone, ahead)?);
    Some(body * joint.inverse())
}
