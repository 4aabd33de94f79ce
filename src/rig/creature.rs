//! Rigs of bodies that are not people's: any number of named legs, chains and a trunk.
//!
//! What people's rigs read from shoulders and hips is told by the legs here: up is where they come
//! from. Ahead is where the head is, or what the user says.

use super::bone::bone_end;
use super::chain::measure;
use super::{
    Basis, ChainName, Foot, Ground, Rig, RigError, RigHints, Role, Roles, SoleOrigin, Stance,
    StanceOrigin, UpAxis, UpFound,
};
use crate::math::{Vec3, frame_from_axes};
use crate::pose::{Pose, WorldPose};
use crate::skeleton::{JointId, Skeleton};

/// Whether the roles are those of a body of named chains and not of a person, who may have chains too.
pub(super) fn is_creature(roles: &Roles) -> bool {
    let thigh = roles.iter().any(|(role, _)| matches!(role, Role::Thigh(_)));
    !thigh && roles.chain_names().next().is_some()
}

/// Soles of legs that stand lie below their first joints by more than this, in leg lengths: a spider's
/// body hangs low between its legs.
const BELOW: f64 = 0.05;
/// And level with one another within this, in leg lengths.
const LEVEL: f64 = 0.2;

/// The rig of a body of named chains. Its stance is the zero pose unless the user wrote another.
pub(super) fn rig(skeleton: Skeleton, roles: Roles, hints: &RigHints) -> Result<Rig, RigError> {
    let hips = roles.joint(Role::Hips).ok_or(RigError::Missing(Role::Hips))?;
    let (local, origin) = match &hints.stance {
        Some(pose) => (pose.clone(), StanceOrigin::Written),
        None => (Pose::rest(&skeleton), StanceOrigin::Rest),
    };
    let leg_len = measure(&skeleton, &roles, &local);
    if leg_len.is_nan() || leg_len < 1e-9 {
        return Err(RigError::NoLength);
    }
    let world = WorldPose::of(&skeleton, &local);
    let soles: Vec<Sole> =
        roles.legs().map(|name| Sole::find(&skeleton, &roles, hints, name)).collect();
    let up = match hints.up {
        Some(up) => up,
        None if soles.is_empty() => return Err(RigError::NoUp),
        None => UpAxis::nearest(soles.iter().map(|sole| sole.leg(&world)).sum()),
    };
    check_standing(&soles, &world, up, leg_len)?;
    let ahead = match hints.faces {
        Some(axis) => axis.vector(),
        None => ahead(&roles, hips, &world, up).ok_or(RigError::NoFront)?,
    };
    let world_from_body =
        frame_from_axes(up.vector().cross(&ahead), up.vector()).ok_or(RigError::NoFront)?;
    let body_from_joint = hints.frames.clone().filter(|_| hints.stance.is_some());
    let body_from_joint = body_from_joint.unwrap_or_else(|| {
        world.rotations.iter().map(|rotation| world_from_body.inverse() * rotation).collect()
    });
    let feet = soles.iter().map(|sole| sole.foot(&roles, &world, up, ahead)).collect();
    Ok(Rig {
        roles,
        up,
        up_found: UpFound::written(up),
        stance: Stance { local, body_from_joint, bases: vec![SHOWN; skeleton.len()], origin },
        feet,
        leg_len,
        limits: hints.limits.clone(),
        human_limits: hints.human_limits,
        weights: hints.weights.clone(),
        worn: hints.worn.clone(),
        skeleton,
    })
}

/// The stance is a pose that the body stands in.
const SHOWN: Basis = Basis { direction: Ground::Shown, roll: Ground::Shown };

/// The level direction from the hips to the head, the neck or the end of the spine; an axis where it is
/// near one, since zero poses are modelled along the axes.
fn ahead(roles: &Roles, hips: JointId, world: &WorldPose, up: UpAxis) -> Option<Vec3> {
    const SNAP_RAD: f64 = 0.1;
    let front = roles.joint(Role::Head).or(roles.neck().last().copied());
    let front = front.or(roles.spine().last().copied())?;
    let way = world.position(front) - world.position(hips);
    let level = up.level(way);
    if level.norm() < 0.3 * way.norm() {
        return None;
    }
    let axis = UpAxis::nearest(level).vector();
    Some(if level.angle(&axis) < SNAP_RAD { axis } else { level.try_normalize(1e-12)? })
}

/// The point that a leg stands on.
struct Sole {
    leg: ChainName,
    hip: JointId,
    ankle: JointId,
    /// In the frame of the leg's last joint (local).
    point: Vec3,
}

impl Sole {
    /// As written, else the far end of the leg's last bone, else its last joint.
    fn find(skeleton: &Skeleton, roles: &Roles, hints: &RigHints, leg: ChainName) -> Self {
        let joints = roles.chain(leg);
        let (hip, ankle) = (joints[0], joints[joints.len() - 1]);
        let point = hints.leg_soles.get(&leg).copied().unwrap_or_else(|| {
            bone_end(skeleton, roles, ankle).map_or(Vec3::zeros(), |end| end.point)
        });
        Self { leg, hip, ankle, point }
    }

    fn world(&self, world: &WorldPose) -> Vec3 {
        world.point(self.ankle, self.point)
    }

    /// From the sole up to the leg's first joint.
    fn leg(&self, world: &WorldPose) -> Vec3 {
        world.position(self.hip) - self.world(world)
    }

    fn foot(&self, roles: &Roles, world: &WorldPose, up: UpAxis, ahead: Vec3) -> Foot {
        let over = world.position(self.ankle) - self.world(world);
        let ankle_from_world = world.rotation(self.ankle).inverse();
        let ahead = ankle_from_world * ahead;
        Foot {
            name: self.leg.to_string(),
            leg: roles.chain(self.leg),
            ankle: self.ankle,
            toe: None,
            heel: self.point,
            ball: self.point,
            tip: self.point,
            ankle_height: up.height(over),
            stance_ankle_height: up.height(over),
            ball_height: 0.0,
            up: ankle_from_world * up.vector(),
            ahead,
            toe_ahead: ahead,
            origin: SoleOrigin::Bones,
        }
    }
}

/// Refuses a stance in which the body does not stand on its legs.
fn check_standing(
    soles: &[Sole],
    world: &WorldPose,
    up: UpAxis,
    leg_len: f64,
) -> Result<(), RigError> {
    let heights = || soles.iter().map(|sole| up.height(sole.world(world)));
    let ground = heights().sum::<f64>() / soles.len().max(1) as f64;
    for (sole, height) in soles.iter().zip(heights()) {
        let down = up.height(sole.leg(world));
        if down < BELOW * leg_len || (height - ground).abs() > LEVEL * leg_len {
            return Err(RigError::NotStanding { leg: sole.leg });
        }
    }
    Ok(())
}
