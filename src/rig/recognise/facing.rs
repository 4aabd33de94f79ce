//! Left and right by geometry: told where a body is seen standing and its feet or knees show which
//! way it faces.

use crate::math::Vec3;
use crate::pose::WorldPose;
use crate::skeleton::{JointId, Skeleton};

/// The joints of one leg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leg {
    pub thigh: JointId,
    pub shin: JointId,
    pub foot: JointId,
    /// A point ahead on the foot: a joint, and a place in its frame (local).
    pub tip: Option<(JointId, Vec3)>,
}

impl Leg {
    /// The leg with these joints; without a toe joint the foot's End Site is its tip.
    pub fn new(skeleton: &Skeleton, joints: [JointId; 3], toe: Option<JointId>) -> Self {
        let [thigh, shin, foot] = joints;
        let end_site = || skeleton.joint(foot).end_sites.first().map(|&end| (foot, end));
        let tip = toe.map(|toe| (toe, Vec3::zeros())).or_else(end_site);
        Self { thigh, shin, foot, tip }
    }
}

/// The body's left in this pose (world, unit length), `None` where it does not stand upright or does
/// not show where it faces. `trunk` is the direction from hips to chest or head.
pub(super) fn left(world: &WorldPose, legs: [Leg; 2], trunk: Vec3) -> Option<Vec3> {
    let up = trunk.try_normalize(1e-12)?;
    let level = |v: Vec3| v - up * up.dot(&v);
    let mut forward = Vec3::zeros();
    for leg in legs {
        let [thigh, knee, foot] = [leg.thigh, leg.shin, leg.foot].map(|j| world.position(j));
        let down = foot - thigh;
        let length = (knee - thigh).norm() + (foot - knee).norm();
        // Within 40° of straight down, and not folded up.
        if length <= 0.0 || down.dot(&up) > -0.77 * length {
            return None;
        }
        if let Some((joint, tip_local)) = leg.tip {
            let foot_to_toe = world.point(joint, tip_local) - foot;
            forward +=
                level(foot_to_toe).try_normalize(0.4 * foot_to_toe.norm()).unwrap_or_default();
        }
        // A bent knee stands out to the front.
        let along = (knee - thigh).dot(&down) / down.norm_squared();
        let out = level(knee - (thigh + down * along));
        if out.norm() > 0.05 * length {
            forward += out.normalize();
        }
    }
    // Feet or knees that point different ways do not tell.
    let forward = forward.try_normalize(0.7)?;
    // Up and forward make left a right-handed triple: y × z = x.
    Some(up.cross(&forward))
}
