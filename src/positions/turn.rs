//! The rotation of each joint in each frame.

use super::rest::Rest;
use super::roll::{Limb, roll_limb};
use super::spine::share_twist;
use super::{Bone, Tracked};
use crate::math::{Quat, Vec3, fit_directions, rotation_between};
use crate::rig::{Role, Roles};
use crate::skeleton::JointId;

/// Bones whose ends are nearer to one line than this share of their length determine no roll about it.
const SPREAD: f64 = 0.02;

/// Bones at less than this angle lie on one line, radians.
const ASIDE: f64 = 0.2;

/// How many times the median shape of several bones at a joint is computed.
const SHAPING: usize = 4;

/// World rotations of all joints, frame-major. Gives `rest` the offsets that nothing has given it.
pub fn world_rotations(
    tracked: &Tracked,
    bones: &[Bone],
    roles: Option<&Roles>,
    rest: &mut Rest,
) -> Vec<Quat> {
    let (joints, frames) = (tracked.joints(), tracked.frames());
    let mut turned: Vec<Vec<Quat>> = Vec::with_capacity(joints);
    for joint in 0..joints {
        let parent: Vec<Quat> = match tracked.parent(joint) {
            Some(parent) => turned[parent].clone(),
            None => vec![Quat::identity(); frames],
        };
        for child in tracked.children(joint).collect::<Vec<_>>() {
            if rest.offsets[child] == Vec3::zeros() && bones[child].len > 1e-12 {
                rest.set_bone(tracked, &parent, joint, child, bones[child].len);
            }
        }
        let mut tips = tips(tracked, bones, rest, roles, joint);
        let mut own = turn(tracked, &tips, joint, &parent);
        // The bones of one joint are rigid to each other. The better the joint's rotation is known, the better their
        // median shape is.
        for _ in 0..if tips.len() > 1 { SHAPING } else { 0 } {
            for tip in &mut tips {
                rest.set_bone(tracked, &own, joint, tip.joint, tip.rest.norm());
                tip.rest = rest.offsets[tip.joint];
            }
            own = turn(tracked, &tips, joint, &parent);
        }
        if let Some(limb) = roles.and_then(|roles| limb(tracked, roles, joint)) {
            roll_limb(tracked, &limb, rest, bones, &mut own);
        }
        turned.push(own);
    }
    if let Some(roles) = roles {
        share_twist(tracked, roles, &mut turned);
    }
    let mut world = Vec::with_capacity(joints * frames);
    for frame in 0..frames {
        world.extend(turned.iter().map(|own| own[frame]));
    }
    world
}

fn limb(tracked: &Tracked, roles: &Roles, joint: usize) -> Option<Limb> {
    use crate::rig::Side::Left;
    let role = roles.role(JointId::new(joint))?;
    let ([middle, end], hinge) = match role {
        Role::Thigh(side) => ([Role::Shin(side), Role::Foot(side)], Vec3::x()),
        Role::UpperArm(side) => {
            let hinge = if side == Left { -Vec3::y() } else { Vec3::y() };
            ([Role::Forearm(side), Role::Hand(side)], hinge)
        }
        _ => return None,
    };
    let joints = [joint, roles.joint(middle)?.index(), roles.joint(end)?.index()];
    (joints.is_sorted() && joints[2] < tracked.joints()).then_some(Limb { joints, hinge })
}

/// A joint that a bone of `joint` reaches to rigidly, and where it is from there in the zero pose.
struct Tip {
    joint: usize,
    rest: Vec3,
}

/// The joints that determine a joint's rotation: its children, or the children of a child in its own place.
fn tips(
    tracked: &Tracked,
    bones: &[Bone],
    rest: &Rest,
    roles: Option<&Roles>,
    joint: usize,
) -> Vec<Tip> {
    let (mut tips, mut bending) = (Vec::new(), Vec::new());
    for child in tracked.children(joint) {
        let is_here = bones[child].len <= 1e-9 * bones.iter().map(|bone| bone.len).sum::<f64>();
        if !is_here {
            if bones[child].is_rigid() {
                tips.push(Tip { joint: child, rest: rest.offsets[child] });
            }
            continue;
        }
        // A joint in the same place, such as a clavicle that begins in the chest. A neck there nods by itself, and a
        // spine bends by itself.
        let role = roles.and_then(|roles| roles.role(JointId::new(child)));
        let below = tracked.children(child).map(|tip| Tip { joint: tip, rest: rest.offsets[tip] });
        match role {
            Some(Role::Neck(_) | Role::Head) => {}
            Some(Role::Spine(_)) => bending.extend(below),
            _ => tips.extend(below),
        }
    }
    tips.retain(|tip| tip.rest.norm() > 0.0);
    // It still says more about a rotation than bones on one line.
    let across = |a: &Tip, b: &Tip| a.rest.normalize().cross(&b.rest.normalize()).norm();
    if !tips.iter().any(|a| tips.iter().any(|b| across(a, b) > ASIDE)) {
        tips.append(&mut bending);
    }
    tips.retain(|tip| tip.rest.norm() > 0.0);
    tips
}

fn turn(tracked: &Tracked, tips: &[Tip], joint: usize, parent: &[Quat]) -> Vec<Quat> {
    let mut pairs: Vec<(Vec3, Vec3)> = Vec::with_capacity(tips.len());
    let of_frame = |(frame, &parent): (usize, &Quat)| {
        // Starts from the parent's rotation, so that a joint whose rotation nothing determines stays untwisted.
        pairs.clear();
        pairs.extend(
            tips.iter().map(|tip| (parent * tip.rest, tracked.way(frame, joint, tip.joint))),
        );
        match &*pairs {
            [] => parent,
            [(from, to)] => rotation_between(*from, *to) * parent,
            pairs => {
                let longest = pairs.iter().map(|(from, _)| from.norm()).fold(0.0, f64::max);
                fit_directions(pairs, SPREAD * longest) * parent
            }
        }
    };
    parent.iter().enumerate().map(of_frame).collect()
}
